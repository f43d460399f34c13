/* What the kernels of the user's own constraints share with the host. */
#ifndef CAB_OWN_TYPES_H
#define CAB_OWN_TYPES_H

#include "dialect.h"

/* Operations of the user's expressions (own.cl). a and b are results of earlier operations. They are sorted
 * by the number of operands: none, one, two, three. */
#define CAB_OWN_CONSTANT 0 /* value */
#define CAB_OWN_INPUT 1    /* coordinate a of the stencil, m */
#define CAB_OWN_REST 2     /* rest length of a segment, m */
#define CAB_OWN_NEGATE 3
#define CAB_OWN_SQRT 4
#define CAB_OWN_FLOOR 5
#define CAB_OWN_ADD 6
#define CAB_OWN_SUBTRACT 7
#define CAB_OWN_MULTIPLY 8
#define CAB_OWN_DIVIDE 9
#define CAB_OWN_MIN 10
#define CAB_OWN_MAX 11
#define CAB_OWN_CHOOSE 12 /* b where a < 0, else c */
#define CAB_OWN_FIRST_OF_RESULTS CAB_OWN_NEGATE
#define CAB_OWN_FIRST_OF_TWO CAB_OWN_ADD

typedef struct cab_own_op {
    int op;
    int a, b, c;
    float value;
} cab_own_op;

#define CAB_OWN_OPS 256     /* most operations of an expression */
#define CAB_OWN_PARTICLES 8 /* most particles of a stencil */
#define CAB_OWN_INPUTS (3 * CAB_OWN_PARTICLES)
#define CAB_OWN_LANES (2 * CAB_OWN_INPUTS + 8) /* evaluations for a gradient, in whole vectors */

/* What the constraints of an entry in the scene have in common. */
typedef struct cab_own_kind {
    int first_op, op_count;
    int particles;    /* particles of the stencil */
    int inequality;   /* 1: C >= 0; 0: C = 0 */
    int relative;     /* 1: coordinates are relative to the stencil's first particle, not to the origin */
    float compliance; /* alpha / h^2; PBD: (1 - k)/k, of the inverse masses */
    float slow;       /* what of inverse masses counts: see set_slow in host/constraint/own.c */
    int equal;        /* 1: all particles that can move weigh the same (PBD) */
} cab_own_kind;

typedef struct cab_own_constraint {
    int kind;
    int origin;  /* coordinates are relative to this entry of own_origin */
    float rest;  /* mean rest length of the stencil's segments, m */
    float apart; /* step of the central differences, m */
    int particle[CAB_OWN_PARTICLES];
} cab_own_constraint;

#endif

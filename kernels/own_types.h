/* What the kernels of the user's own constraints share with the host. */
#ifndef CAB_OWN_TYPES_H
#define CAB_OWN_TYPES_H

#include "dialect.h"

/* The user's own constraints (own.cl). An expression is a list of operations; a and b are results of earlier
 * ones. In this order: without operands, of one result, of two, of three. */
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

#define CAB_OWN_OPS 256                        /* of an expression, at most */
#define CAB_OWN_PARTICLES 8                    /* of a stencil, at most */
#define CAB_OWN_INPUTS (3 * CAB_OWN_PARTICLES) /* its coordinates */
#define CAB_OWN_LANES (2 * CAB_OWN_INPUTS + 8) /* evaluations for a gradient, in whole vectors */

/* What the constraints of one entry in the scene have in common. */
typedef struct cab_own_kind {
    int first_op, op_count;
    int particles;    /* of the stencil */
    int inequality;   /* 1: C >= 0; 0: C = 0 */
    int relative;     /* 1: places are counted from the stencil's first particle, not from the origin */
    float compliance; /* alpha / h^2, h the substep */
} cab_own_kind;

typedef struct cab_own_constraint {
    int kind;
    int origin;  /* places are counted from there */
    float rest;  /* mean rest length of the stencil's segments, m */
    float apart; /* central differences look so far to both sides, m */
    int particle[CAB_OWN_PARTICLES];
} cab_own_constraint;

#endif

/* The matrix of separators.c while it is made and eliminated, and what bodies that cables are clamped to have in it. */
#ifndef CAB_SEPARATORS_H
#define CAB_SEPARATORS_H

#include "model/branches_parts.h"
#include "model/sparse.h"

/* Rows of a branch's nodes while they are eliminated: entries of the node itself, the next, the one after,
 * and the two separators at the start. */
typedef struct cab_run_row {
    double diagonal, next, after, spike, spike_next;
} cab_run_row;

typedef struct cab_bending_factor {
    const cab_model *model;
    int order;
    int *separator; /* [P] its row in `left`; -1 = inside a branch */
    int *particle;  /* of a row */
    int *
        body; /* of a row: 1 + the place in rigid of the body that it is a place of; 0 = it moves by itself */
    int *node;        /* [P] the node of a particle inside a branch */
    cab_run_row *row; /* [nodes] */
    cab_sparse left;
    double *diagonal; /* of `left` */
    double *entry;    /* of `left` */
    int entry_room;
    int *sequence; /* rows in the order of elimination */
    int *place;    /* of a row in it */
} cab_bending_factor;

/* Adds to rows i and j of what is left of the separators. */
cab_status cab_separators_add(cab_bending_factor *f, int i, int j, double value, cab_error *error);

/* A row and a number of it. */
typedef struct cab_separator_share {
    int row;
    double value;
} cab_separator_share;

#define CAB_BODY_ROWS 4 /* of a body: its displacement, three vectors in which it turns */

/* separators_bodies.c: numbers the unknowns of clamped bodies, behind the rows of particles, and notes what ends on them. */
void cab_separators_find_bodies(const cab_branches *b, cab_bending_factor *f, int *count);
/* Masses of these, and clamps. */
cab_status cab_separators_add_bodies(const cab_branches *b, cab_bending_factor *f, cab_error *error);
/* Row i, a place of a body, becomes its shares of the body's unknowns, in the matrix. Returns how many it has. */
cab_status cab_separators_fold(const cab_branches *b, cab_bending_factor *f, int i,
                               cab_separator_share share[CAB_BODY_ROWS], int *count, cab_error *error);

#endif

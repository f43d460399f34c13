/* A symmetric matrix of 3 x 3 blocks, factored by sparse Cholesky. The pattern is analysed once, the numbers are factored as often as
 * needed. Elimination by minimum degree: no fill on chains, trees and stars, little on nets. */
#ifndef CAB_BLOCKS_H
#define CAB_BLOCKS_H

#include <stdbool.h>

#include <clcable/scene.h>

/* Row by row. */
typedef struct cab_mat3 {
    double m[3][3];
} cab_mat3;

/* Two rows of the matrix that have an entry with each other. */
typedef struct cab_row_pair {
    int a, b;
} cab_row_pair;

typedef struct cab_blocks cab_blocks;

/* Pairs may repeat, their entries are added up; one of a pair may be -1, it is left out then. `pairs` must outlive the result.
 * NULL with *error filled when memory is out. */
cab_blocks *cab_blocks_create(int row_count, const cab_row_pair *pairs, int pair_count, cab_error *error);
void cab_blocks_destroy(cab_blocks *blocks);

/* The numbers of the matrix, to be written before each factoring: [rows] on the diagonal, and [pairs] beside it, which are symmetric
 * themselves. */
cab_mat3 *cab_blocks_diagonal(cab_blocks *blocks);
cab_mat3 *cab_blocks_beside(cab_blocks *blocks);
/* What the blocks beside it have that is antisymmetric, v -> askew x v in row a and column b of a pair: 0 until it is written. */
cab_vec3 *cab_blocks_askew(cab_blocks *blocks);

/* False: not positive definite, or rounding has eaten a pivot; nothing moves there. The factor is always finite. */
bool cab_blocks_factor(cab_blocks *blocks);

/* x[rows] holds the right-hand side, then the solution. */
void cab_blocks_solve(cab_blocks *blocks, cab_vec3 *x);

#endif

/* The stiffness matrix of a truss (nodes in space, joined by bars), factored by sparse Cholesky in 3 x 3
 * blocks. The pattern is analysed once, the numbers are factored as often as needed. Elimination by minimum
 * degree: no fill on chains, trees and stars, little on nets. */
#ifndef CAB_TRUSS_H
#define CAB_TRUSS_H

#include <clcable/scene.h>

typedef struct cab_truss cab_truss;

/* A bar between two nodes; -1 is the ground. */
typedef struct cab_bar {
    int a, b;
} cab_bar;

/* Stiffness of a bar: along its unit direction and across it. Both > 0, so that the matrix is definite
 * wherever the bars lead to the ground. */
typedef struct cab_stiffness {
    cab_vec3 direction;
    double along, across;
} cab_stiffness;

/* `bars` must outlive the result. NULL with *error filled when memory is out. */
cab_truss *cab_truss_create(int node_count, const cab_bar *bars, int bar_count, cab_error *error);
void cab_truss_destroy(cab_truss *truss);

/* stiffness[bar_count]. Where rounding has eaten a pivot, nothing moves; the factor is always finite. */
void cab_truss_factor(cab_truss *truss, const cab_stiffness *stiffness);

/* x[node_count] holds forces, then the displacements under them. */
void cab_truss_solve(cab_truss *truss, cab_vec3 *x);

#endif

/* Mass, centre of mass and inertia of a body of the scene. */
#ifndef CAB_BODY_MASS_H
#define CAB_BODY_MASS_H

#include <clcable/scene.h>

/* In the body's own axes. The second moment S = sum of m x x^T about the centre of mass stands for the inertia (trace S) 1 - S. */
typedef struct cab_body_mass {
    double mass;         /* kg */
    cab_vec3 center;     /* m */
    double second[3][3]; /* kg m^2 */
} cab_body_mass;

cab_body_mass cab_body_mass_of(const cab_body_def *def);

/* kg m^2 about the own axes of the tensor: (trace S) 1 - S. */
void cab_body_inertia(const double second[3][3], double inertia[3][3]);

/* The spin w of I w = l, of a positive definite I. */
cab_vec3 cab_body_spin(const double inertia[3][3], cab_vec3 l);

/* S = L L^T (Cholesky), of an S without negative eigenvalues; l: zeros at first. */
void cab_body_factorise(const double second[3][3], double l[3][3]);

#endif

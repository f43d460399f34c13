/* NURBS curves (L. Piegl, W. Tiller, The NURBS Book, 1997) as centre curves. */
#ifndef CAB_KBL_NURBS_H
#define CAB_KBL_NURBS_H

#include "io/kbl/kbl.h"

typedef struct cab_nurbs {
    int degree;       /* 1 to CAB_KBL_DEGREE_MAX */
    cab_vec3 *points; /* m */
    double *weights;  /* > 0 */
    int count;        /* of points and weights */
    double *knots;    /* not decreasing */
    int knot_count;   /* count + degree + 1; 0 = uniform, not told whether clamped */
} cab_nurbs;

/* The curve itself where it is a uniform B-spline with weights that are all the same, else points along it, close enough together to be joined
 * by straight lines. False: points and knots are no curve of that degree, or there was no memory. */
bool cab_nurbs_curve(cab_kbl *kbl, const cab_nurbs *nurbs, cab_kbl_curve *curve);

#endif

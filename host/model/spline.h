/* Extended Catmull-Rom splines as glued cubic Bezier pieces. */
#ifndef CAB_SPLINE_H
#define CAB_SPLINE_H

#include <stdbool.h>

#include <clcable/scene.h>

/* One cubic Bezier piece over t = 0 to 1. */
typedef struct cab_bezier {
    cab_vec3 p[4]; /* m */
} cab_bezier;

/* The piece from path[piece] to path[piece + 1], 0 <= piece < count - 1. */
cab_bezier cab_spline_piece(const cab_vec3 *path, int count, int piece);

cab_vec3 cab_bezier_point(const cab_bezier *piece, double t);

/* |dB/dt|, m */
double cab_bezier_speed(const cab_bezier *piece, double t);

/* Arc length from t0 to t1 by one Gauss-Legendre panel, m: bisect first where the speed is not smooth. */
double cab_bezier_panel(const cab_bezier *piece, double t0, double t1);

/* True for a straight line run through without turning back. */
bool cab_bezier_straight(const cab_bezier *piece);

#endif

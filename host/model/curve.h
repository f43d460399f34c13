/* From control points to particles: splines, equal arc lengths, lengths that are right before the first
 * substep. All on the host, in double. */
#ifndef CAB_CURVE_H
#define CAB_CURVE_H

#include <stdbool.h>

#include <clcable/scene.h>

/* A curve as a table of arc lengths, made once and then asked for points. */
typedef struct cab_arc_table cab_arc_table;

/* NULL with *error filled (memory; path without length). Polyline: its corners are kept exactly. Catmull-Rom:
 * extended, quarter tangents, glued cubic Bezier pieces (thesis 2.1.7, 3.2.3); arc length to 1e-9 of all. */
cab_arc_table *cab_arc_table_create(const cab_vec3 *path, int count, cab_curve curve, cab_error *error);
void cab_arc_table_destroy(cab_arc_table *table);
double cab_arc_table_length(const cab_arc_table *table);
/* The point at arc length s, 0 to length (clamped). */
cab_vec3 cab_arc_table_point(const cab_arc_table *table, double s);

/* A length constraint of the initial projection. */
typedef struct cab_link {
    int a, b;
    double rest; /* m */
} cab_link;

/* Moves particles with inverse mass > 0 so that every link has its rest length (relative error under 1e-9
 * where that is possible), turning the links as little as it takes: Newton on the lengths, a sparse direct
 * solve per connected component (chains, trees, stars, nets; up to 10^6 links; O(n) for chains and trees).
 * Masses do not matter, except that a component with nothing held keeps its centre of mass. Ends too far
 * apart are no error: such a line is taut in the end, its strain even; *worst (may be NULL) tells the largest
 * remaining relative error. A straight line between two held places that is longer than their distance has no
 * direction to go: it is first bowed to an arc towards `down` (any normal when parallel). */
cab_status cab_project_lengths(cab_vec3 *position, const double *inverse_mass, int particle_count,
                               const cab_link *links, int link_count, cab_vec3 down, double *worst,
                               cab_error *error);

#endif

/* When do two segments meet whose ends move on straight lines? X. Provot, Collision and self-collision handling in cloth model
 * dedicated to design garments, 1997: when their four ends lie in a plane. */
#include <math.h>

#include "../segments.h"
#include "base/vec3.h"
#include "throws.h"

#define TOUCHING 1e-7 /* m: closer than this the lines count as crossed */
#define HALVINGS 60   /* of an interval of time: to the last bit of a double */

static cab_vec3 mix(cab_vec3 a, cab_vec3 b, double t)
{
    return cab_vec3_add_scaled(a, t, cab_vec3_sub(b, a));
}

/* Six times the volume that the four ends span at time t. */
static double volume(const cab_vec3 from[4], const cab_vec3 to[4], double t)
{
    cab_vec3 p[4];
    for (int i = 0; i < 4; i++) p[i] = mix(from[i], to[i], t);
    return cab_vec3_dot(cab_vec3_sub(p[2], p[0]),
                        cab_vec3_cross(cab_vec3_sub(p[1], p[0]), cab_vec3_sub(p[3], p[2])));
}

/* Between the two segments at time t. */
static double distance(const cab_vec3 from[4], const cab_vec3 to[4], double t)
{
    cab_vec3 p[4];
    for (int i = 0; i < 4; i++) p[i] = mix(from[i], to[i], t);
    return segment_to_segment(&p[0].x, &p[1].x, &p[2].x, &p[3].x);
}

/* Roots of the cubic's slope in (0, 1), rising, after 0; returns how many times there are with the 1 at the end. */
static int turning_times(const double c[4], double *t)
{
    int count = 0;
    double a = 3 * c[3], b = 2 * c[2], d = b * b - 4 * a * c[1], root[2];
    int roots = 0;
    t[count++] = 0;
    if (fabs(a) < 1e-14 * (fabs(b) + fabs(c[1]))) {
        if (b != 0) root[roots++] = -c[1] / b;
    } else if (d > 0) {
        double s = sqrt(d), first = (-b - s) / (2 * a), second = (-b + s) / (2 * a);
        root[roots++] = fmin(first, second);
        root[roots++] = fmax(first, second);
    }
    for (int i = 0; i < roots; i++) {
        if (root[i] > 0 && root[i] < 1) t[count++] = root[i];
    }
    t[count++] = 1;
    return count;
}

double throw_meet(const cab_vec3 from[4], const cab_vec3 to[4])
{
    double f[4], t[4];
    for (int k = 0; k < 4; k++) f[k] = volume(from, to, k / 3.0);
    const double c[4] = {f[0], (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]) / 2,
                         (18 * f[0] - 45 * f[1] + 36 * f[2] - 9 * f[3]) / 2,
                         (-9 * f[0] + 27 * f[1] - 27 * f[2] + 9 * f[3]) / 2};
    int count = turning_times(c, t);
    for (int k = 0; k + 1 < count; k++) {
        double low = t[k], high = t[k + 1];
        double at_low = volume(from, to, low);
        if (at_low * volume(from, to, high) > 0) continue;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = 0.5 * (low + high), at_middle = volume(from, to, middle);
            if (at_low * at_middle <= 0) {
                high = middle;
            } else {
                low = middle;
                at_low = at_middle;
            }
        }
        if (distance(from, to, high) < TOUCHING) return high;
    }
    return 2;
}

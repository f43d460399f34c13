/* When do two segments meet whose ends move on straight lines? X. Provot, Collision and self-collision handling in cloth model
 * dedicated to design garments, 1997: when their four ends lie in a plane. */
#include <math.h>

#include "throws.h"

#define TOUCHING 1e-7 /* m: closer than this the lines count as crossed */
#define HALVINGS 60   /* of an interval of time: to the last bit of a double */

static cab_vec3 sub(cab_vec3 a, cab_vec3 b)
{
    return (cab_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static cab_vec3 mix(cab_vec3 a, cab_vec3 b, double t)
{
    return (cab_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static double dot(cab_vec3 a, cab_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static cab_vec3 cross(cab_vec3 a, cab_vec3 b)
{
    return (cab_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Six times the volume that the four ends span at time t. */
static double volume(const cab_vec3 from[4], const cab_vec3 to[4], double t)
{
    cab_vec3 p[4];
    for (int i = 0; i < 4; i++) p[i] = mix(from[i], to[i], t);
    return dot(sub(p[2], p[0]), cross(sub(p[1], p[0]), sub(p[3], p[2])));
}

static double clamp01(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

/* Between two segments at time t (C. Ericson, Real-Time Collision Detection, 5.1.9). */
static double distance(const cab_vec3 from[4], const cab_vec3 to[4], double t)
{
    cab_vec3 p[4];
    for (int i = 0; i < 4; i++) p[i] = mix(from[i], to[i], t);
    cab_vec3 u = sub(p[1], p[0]), v = sub(p[3], p[2]), c = sub(p[0], p[2]);
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uc = dot(u, c), vc = dot(v, c);
    double area = uu * vv - uv * uv;
    double a = area > 1e-12 * uu * vv ? clamp01((uv * vc - uc * vv) / area) : 0.5;
    double b = vv > 0 ? (uv * a + vc) / vv : 0;
    if (b < 0 || b > 1) {
        b = clamp01(b);
        a = uu > 0 ? clamp01((uv * b - uc) / uu) : 0;
    }
    cab_vec3 d = sub(mix(p[0], p[1], a), mix(p[2], p[3], b));
    return sqrt(dot(d, d));
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

/* The surface of a sheave: a wheel with a groove. Its profile in (r, z), r from the axis and z from the middle plane, is the same on
 * both sides of that plane; on the side z >= 0 it is an arc of the groove's round, whose centre is at (radius + groove, 0), then a
 * straight flank from (px, py) to (flange, pz), the rim r = flange, and the flat side z = half its width. */
#ifndef CAB_SHEAVE_H
#define CAB_SHEAVE_H

#include "contact_types.h"
#include "real.h"

#ifndef CAB_WIDE

#define CAB_SHEAVE_CLOSE                                                                                     \
    1e-6f /* of the flange: nearer to the surface its own normal is taken, not the way to it */

/* The nearest place of the profile so far: the way from it, in r and z, and the profile's normal there. */
typedef struct cab_sheave_side {
    real square; /* of that way, m^2 */
    real r, z;
    real normal_r, normal_z;
} cab_sheave_side;

CAB_INLINE void cab_sheave_take(cab_sheave_side *best, real r, real z, real normal_r, real normal_z)
{
    real square = r * r + z * z;
    if (!(square < best->square)) return;
    best->square = square;
    best->r = r;
    best->z = z;
    best->normal_r = normal_r;
    best->normal_z = normal_z;
}

/* Is a place with z >= 0 in the solid? */
CAB_INLINE int cab_sheave_inside(const cab_collider *c, real r, real z, real wide)
{
    if (r > c->flange || z > wide) return 0;
    if (z >= c->pz) return 1;
    real middle = c->radius + c->groove;
    if (z < c->py) return r < middle - real_sqrt(real_max(0, c->groove * c->groove - z * z));
    return (c->flange - c->px) * (z - c->py) > (c->pz - c->py) * (r - c->px);
}

/* The place of the arc that is nearest to a place with z >= 0, if one is. */
CAB_INLINE void cab_sheave_arc(const cab_collider *c, real r, real z, cab_sheave_side *best)
{
    real from = r - (c->radius + c->groove), flank = c->px - (c->radius + c->groove);
    if (flank * z < c->py * from) return; /* beyond the arc's end */
    real length = real_sqrt(from * from + z * z);
    real out_r = length > 0 ? -from / length : 1, out_z = length > 0 ? -z / length : 0;
    real depth = length - c->groove;
    cab_sheave_take(best, -depth * out_r, -depth * out_z, out_r, out_z);
}

CAB_INLINE void cab_sheave_flank(const cab_collider *c, real r, real z, cab_sheave_side *best)
{
    real u = c->flange - c->px, v = c->pz - c->py, length = real_sqrt(u * u + v * v);
    r -= c->px;
    z -= c->py;
    real at = length > 0 ? real_clamp((r * u + z * v) / (length * length), 0, 1) : 0;
    cab_sheave_take(best, r - at * u, z - at * v, length > 0 ? v / length : 0, length > 0 ? -u / length : -1);
}

/* How far a place is outside, m, negative inside; and the direction out there, in r and z. wide: half the width. */
CAB_INLINE real cab_outside_profile(const cab_collider *c, real r, real z, real wide, real *out_r,
                                    real *out_z)
{
    real above = z < 0 ? -z : z, side = z < 0 ? -1 : 1;
    cab_sheave_side best = {1e30f, 0, 0, 0, 0};
    cab_sheave_arc(c, r, above, &best);
    cab_sheave_flank(c, r, above, &best);
    cab_sheave_take(&best, r - c->flange, above - real_clamp(above, c->pz, wide), 1, 0);
    cab_sheave_take(&best, r - real_min(r, c->flange), above - wide, 0, 1);
    real length = real_sqrt(best.square), inside = cab_sheave_inside(c, r, above, wide) ? -1 : 1;
    int close = length < CAB_SHEAVE_CLOSE * c->flange;
    *out_r = close ? best.normal_r : inside * best.r / length;
    *out_z = side * (close ? best.normal_z : inside * best.z / length);
    return inside * length;
}

#endif

#endif

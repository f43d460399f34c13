/* Forces and constraints of particles in the plane, each a small function of numbers.
 *
 * The formulas are those of T. Hurks and J. Aben, "Simulation in CG - Project 1" (2016), and of the course by
 * D. Baraff and A. Witkin that it follows; docs/methods/particles.md derives them.
 */
#ifndef CAB_PARTICLES_PHYSICS_H
#define CAB_PARTICLES_PHYSICS_H

#include "types.h"
#include "../plane.h"
#include "../types.h" /* the operations of expressions */

/* Pair `place` of an array of pairs. */
CAB_INLINE cab_p2 cab_p_at(global const double *array, int place)
{
    return p2_make(array[2 * place], array[2 * place + 1]);
}

/* tan(a/2) from tan(a) */
CAB_INLINE double cab_p_half_tangent(double t)
{
    return t / (CAB_SQRT_DOUBLE(t * t + 1) + 1);
}

/* atan2 of basic operations, the same bits everywhere. t is the tangent of an eighth of the angle, 0.2 at
 * most: the series up to t^25 leaves 2e-17 of it. atan2(0, 0) = 0. */
CAB_INLINE double cab_p_atan2(double y, double x)
{
    const double pi = 3.14159265358979323846;
    double up = y < 0 ? -y : y, aside = x < 0 ? -x : x;
    double length = CAB_SQRT_DOUBLE(x * x + y * y) + aside;
    if (!(length > 0)) return 0;
    double t = cab_p_half_tangent(cab_p_half_tangent(up / length));
    double u = t * t, sum = 1.0 / 25;
    for (int i = 23; i > 0; i -= 2) sum = 1.0 / (double)i - u * sum;
    double angle = 8 * (t * sum);
    if (x < 0) angle = pi - angle;
    return y < 0 ? -angle : angle;
}

/* On the particle at the end of l, which moves with ldot as seen from the other end. Zero where l is: it has
 * no direction. */
CAB_INLINE cab_p2 cab_p_spring(cab_p2 l, cab_p2 ldot, double rest, double stiffness, double damping)
{
    double length = p2_length(l);
    if (!(length > 0)) return p2_make(0, 0);
    double pull = stiffness * (length - rest) + damping * p2_dot(ldot, l) / length;
    return p2_scale(l, -pull / length);
}

/* Forces on the two ends of an angle; the middle gets minus their sum. */
typedef struct cab_p_pair {
    cab_p2 a, c;
} cab_p_pair;

CAB_INLINE cab_p_pair cab_p_no_pair(void)
{
    cab_p_pair none;
    none.a = p2_make(0, 0);
    none.c = p2_make(0, 0);
    return none;
}

/* Springs of no rest length from the ends to their goals: each turned by half of what the angle from r1 to
 * r3, -pi to pi, is off. Half of that angle comes from its cosine and sine: no arc is needed. s: velocities.
 */
CAB_INLINE cab_p_pair cab_p_angle_goal(cab_p_force f, cab_p2 r1, cab_p2 r3, cab_p2 s1, cab_p2 s3)
{
    cab_p_pair out = cab_p_no_pair();
    double both = p2_length(r1) * p2_length(r3);
    if (!(both > 0)) return out;
    double c = p2_dot(r1, r3) / both, s = p2_cross(r1, r3) / both;
    double off_c = c * f.cosine + s * f.sine, off_s = s * f.cosine - c * f.sine;
    double low = 1 - off_c, high = 1 + off_c;
    double half_s = CAB_SQRT_DOUBLE((low > 0 ? low : 0) * 0.5);
    double half_c = CAB_SQRT_DOUBLE((high > 0 ? high : 0) * 0.5);
    if (off_s < 0) half_s = -half_s;
    cab_p2 g1 = p2_make(half_c * r1.x - half_s * r1.y, half_s * r1.x + half_c * r1.y);
    cab_p2 g3 = p2_make(half_c * r3.x + half_s * r3.y, half_c * r3.y - half_s * r3.x);
    out.a = cab_p_spring(p2_sub(r1, g1), s1, 0, f.stiffness, f.damping);
    out.c = cab_p_spring(p2_sub(r3, g3), s3, 0, f.stiffness, f.damping);
    return out;
}

/* (-ks C - kd Cdot) dC/dr of both ends */
CAB_INLINE cab_p_pair cab_p_from_energy(cab_p_force f, double off, cab_p2 d1, cab_p2 d3, cab_p2 s1, cab_p2 s3)
{
    cab_p_pair out;
    double rate = p2_dot(d1, s1) + p2_dot(d3, s3);
    double strength = -f.stiffness * off - f.damping * rate;
    out.a = p2_scale(d1, strength);
    out.c = p2_scale(d3, strength);
    return out;
}

/* C = acos(y) - theta0, y = r1.r3 / (|r1| |r3|). dC/dy = -1 / sqrt(1 + guard - y^2): with guard 0 the angles
 * 0 and pi are singular and left alone. s: velocities as seen from the middle. */
CAB_INLINE cab_p_pair cab_p_angle_energy(cab_p_force f, double guard, cab_p2 r1, cab_p2 r3, cab_p2 s1,
                                         cab_p2 s3)
{
    double l1 = p2_length(r1), l3 = p2_length(r3), both = l1 * l3;
    if (!(both > 0)) return cab_p_no_pair();
    double dot = p2_dot(r1, r3), cross = p2_cross(r1, r3), y = dot / both;
    double under = 1 + guard - y * y;
    if (!(under > 1e-14)) return cab_p_no_pair();
    double slope = -1 / CAB_SQRT_DOUBLE(under);
    cab_p2 d1 = p2_sub(p2_scale(r3, 1 / both), p2_scale(r1, y / (l1 * l1)));
    cab_p2 d3 = p2_sub(p2_scale(r1, 1 / both), p2_scale(r3, y / (l3 * l3)));
    double off = cab_p_atan2(cross < 0 ? -cross : cross, dot) - f.angle;
    return cab_p_from_energy(f, off, p2_scale(d1, slope), p2_scale(d3, slope), s1, s3);
}

/* C = the angle from r1 to r3 less theta0, both taken around the circle: -pi to pi. */
CAB_INLINE cab_p_pair cab_p_angle_atan2(cab_p_force f, cab_p2 r1, cab_p2 r3, cab_p2 s1, cab_p2 s3)
{
    double q1 = p2_dot(r1, r1), q3 = p2_dot(r3, r3);
    if (!(q1 > 0) || !(q3 > 0)) return cab_p_no_pair();
    double dot = p2_dot(r1, r3), cross = p2_cross(r1, r3);
    double off = cab_p_atan2(cross * f.cosine - dot * f.sine, dot * f.cosine + cross * f.sine);
    cab_p2 d1 = p2_make(r1.y / q1, -r1.x / q1), d3 = p2_make(-r3.y / q3, r3.x / q3);
    return cab_p_from_energy(f, off, d1, d3, s1, s3);
}

/* What a force does to its particles, up to three. */
typedef struct cab_p_pushes {
    cab_p2 a, b, c;
} cab_p_pushes;

CAB_INLINE cab_p_pushes cab_p_angle_pushes(cab_p_force f, double guard, const cab_p2 *x, const cab_p2 *v)
{
    cab_p2 r1 = p2_sub(x[0], x[1]), r3 = p2_sub(x[2], x[1]);
    cab_p2 s1 = p2_sub(v[0], v[1]), s3 = p2_sub(v[2], v[1]);
    cab_p_pair pair;
    if (f.kind == CAB_P_ANGLE_GOAL)
        pair = cab_p_angle_goal(f, r1, r3, v[0], v[2]); /* goals stand still */
    else if (f.kind == CAB_P_ANGLE_ENERGY)
        pair = cab_p_angle_energy(f, guard, r1, r3, s1, s3);
    else
        pair = cab_p_angle_atan2(f, r1, r3, s1, s3);
    cab_p_pushes out;
    out.a = pair.a;
    out.c = pair.c;
    out.b = p2_make(-(pair.a.x + pair.c.x), -(pair.a.y + pair.c.y));
    return out;
}

CAB_INLINE cab_p_pushes cab_p_spring_pushes(cab_p_force f, const cab_p2 *x, const cab_p2 *v)
{
    cab_p_pushes out;
    out.a = cab_p_spring(p2_sub(x[0], x[1]), p2_sub(v[0], v[1]), f.rest, f.stiffness, f.damping);
    out.b = p2_make(-out.a.x, -out.a.y);
    out.c = p2_make(0, 0);
    return out;
}

/* A constraint at a state: C, its rate, J and Jdot. A row has up to four numbers: x and y of a, of b. */
typedef struct cab_p_rows {
    double c[2], rate[2];
    double j[2][4], jdot[2][4];
    double off; /* m; how far off it is, whatever the form of C */
} cab_p_rows;

CAB_INLINE int cab_p_row_count(int kind)
{
    return kind == CAB_P_POINT ? 2 : 1;
}

CAB_INLINE int cab_p_has_two(int kind)
{
    return kind == CAB_P_ROD_SQUARED || kind == CAB_P_ROD_LENGTH;
}

/* Numbers in a row of J. Those of a point are one each. */
CAB_INLINE int cab_p_entry_count(int kind)
{
    return cab_p_has_two(kind) ? 4 : kind == CAB_P_POINT ? 1 : 2;
}

/* C1 = (l.l - d^2) / 2: J = l, Jdot = ldot */
CAB_INLINE void cab_p_squared(cab_p_rows *out, cab_p2 l, cab_p2 ldot, double d)
{
    out->c[0] = (p2_dot(l, l) - d * d) * 0.5;
    out->rate[0] = p2_dot(l, ldot);
    out->j[0][0] = l.x;
    out->j[0][1] = l.y;
    out->jdot[0][0] = ldot.x;
    out->jdot[0][1] = ldot.y;
    out->off = p2_length(l) - d;
}

/* Adds |l|: J = l/|l|, Jdot = (ldot - l (l.ldot)/|l|^2) / |l|. Where l is zero it has no direction: then the
 * row stays as it is. */
CAB_INLINE void cab_p_add_length(cab_p_rows *out, cab_p2 l, cab_p2 ldot)
{
    double length = p2_length(l);
    out->c[0] = out->c[0] + length;
    out->off = out->off + length;
    if (!(length > 0)) return;
    cab_p2 unit = p2_scale(l, 1 / length);
    double rate = p2_dot(unit, ldot);
    out->rate[0] = out->rate[0] + rate;
    out->j[0][0] = out->j[0][0] + unit.x;
    out->j[0][1] = out->j[0][1] + unit.y;
    out->jdot[0][0] = out->jdot[0][0] + (ldot.x - unit.x * rate) / length;
    out->jdot[0][1] = out->jdot[0][1] + (ldot.y - unit.y * rate) / length;
}

/* The sum of the distances to all foci, less r. At a focus that one's part has no direction and is left out of
 * J: the curve has a corner there, and the others alone make J. */
CAB_INLINE void cab_p_n_ellipse(cab_p_rows *out, cab_p_constraint k, global const double *focus, cab_p2 x,
                                cab_p2 v)
{
    for (int i = 0; i < k.foci; i++) cab_p_add_length(out, p2_sub(x, cab_p_at(focus, k.first_focus + i)), v);
    out->c[0] = out->c[0] - k.length;
    out->off = out->off - k.length;
}

CAB_INLINE void cab_p_point(cab_p_rows *out, cab_p2 l, cab_p2 ldot)
{
    out->c[0] = l.x;
    out->c[1] = l.y;
    out->rate[0] = ldot.x;
    out->rate[1] = ldot.y;
    out->j[0][0] = 1;
    out->j[1][0] = 1; /* its only number: that of y */
    out->off = p2_length(l);
}

CAB_INLINE void cab_p_line(cab_p_rows *out, cab_p2 l, cab_p2 ldot, cab_p2 along)
{
    cab_p2 across = p2_make(along.y, -along.x);
    out->c[0] = p2_dot(l, across);
    out->rate[0] = p2_dot(ldot, across);
    out->j[0][0] = across.x;
    out->j[0][1] = across.y;
    out->off = out->c[0];
}

/* xa, va and, of a rod, xb, vb; focus: those of all n-ellipses */
CAB_INLINE cab_p_rows cab_p_constrain(cab_p_constraint k, global const double *focus, cab_p2 xa, cab_p2 va,
                                      cab_p2 xb, cab_p2 vb)
{
    cab_p_rows out;
    for (int r = 0; r < 2; r++) {
        out.c[r] = 0;
        out.rate[r] = 0;
        for (int i = 0; i < 4; i++) {
            out.j[r][i] = 0;
            out.jdot[r][i] = 0;
        }
    }
    out.off = 0;
    int two = cab_p_has_two(k.kind);
    cab_p2 l = p2_sub(xa, two ? xb : p2_make(k.x, k.y)), ldot = two ? p2_sub(va, vb) : va;
    if (k.kind == CAB_P_ROD_SQUARED || k.kind == CAB_P_CIRCLE_SQUARED) {
        cab_p_squared(&out, l, ldot, k.length);
    } else if (k.kind == CAB_P_POINT) {
        cab_p_point(&out, l, ldot);
    } else if (k.kind == CAB_P_LINE) {
        cab_p_line(&out, l, ldot, p2_make(k.x2, k.y2));
    } else if (k.kind == CAB_P_N_ELLIPSE) {
        cab_p_n_ellipse(&out, k, focus, xa, va);
    } else {
        cab_p_add_length(&out, l, ldot);
        if (k.kind == CAB_P_ELLIPSE) cab_p_add_length(&out, p2_sub(xa, p2_make(k.x2, k.y2)), va);
        out.c[0] = out.c[0] - k.length;
        out.off = out.off - k.length;
    }
    if (two) {
        for (int i = 0; i < 2; i++) {
            out.j[0][2 + i] = -out.j[0][i];
            out.jdot[0][2 + i] = -out.jdot[0][i];
        }
    }
    if (out.off < 0) out.off = -out.off;
    return out;
}

#endif

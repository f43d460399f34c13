/* Rigid bodies among the unknowns of joined cables, by the direct method. A body moves its members, particles that are places of it,
 * as p = p_0 + c + (R - 1) a: c the displacement of its pivot and R its turn in this substep, a the member's arm from the pivot at
 * the substep's start. Its inertia is that of its members, of which four are mass points: so it is integrated in time as all
 * particles are, keeps its momentum, and needs no gyroscopic term.
 *
 * Unknowns of a Newton pass are the displacement u and the vector w by which it turns further, which move a member by T (u, w) =
 * u + w x r, with r = R a. What a member's neighbours add to the equations, K and f, becomes T^T K T and T^T f. A bearing leaves
 * some of the motion: u and w are then P u and Q w, and the equations are those of P and Q on both sides. */
#ifndef CAB_RIGID_H
#define CAB_RIGID_H

#include "matrix.h"
#include "types.h"

/* ---- turns ---- */

/* A unit quaternion in memory: x, y, z, w. */
CAB_INLINE float4 cab_turn_none(void)
{
    return CAB_FLOAT4(0, 0, 0, 1);
}

/* (R - 1) a */
CAB_INLINE vec3 cab_turn_moves(float4 q, vec3 a)
{
    vec3 v = vec3_of(q), across = vec3_cross(v, a);
    return vec3_scale(vec3_add_scaled(vec3_cross(v, across), q.w, across), 2);
}

/* The turn b, then a; of length 1. */
CAB_INLINE float4 cab_turn_times(float4 a, float4 b)
{
    vec3 v = vec3_of(a), w = vec3_of(b);
    vec3 sum = vec3_add(vec3_add_scaled(vec3_scale(w, a.w), b.w, v), vec3_cross(v, w));
    real scalar = a.w * b.w - vec3_dot(v, w), inverse = 1 / real_sqrt(vec3_dot(sum, sum) + scalar * scalar);
    return CAB_FLOAT4(sum.x * inverse, sum.y * inverse, sum.z * inverse, scalar * inverse);
}

/* The turn about w, by 2 arctan(|w|/2), which is |w| as nearly as a Newton pass needs it. */
CAB_INLINE float4 cab_turn_by(vec3 w)
{
    return cab_turn_times(CAB_FLOAT4(0.5f * w.x, 0.5f * w.y, 0.5f * w.z, 1), cab_turn_none());
}

/* How far a place of a body, `arm` from its pivot, has moved since contacts were found. rows: the body's in rigid_turn */
CAB_INLINE vec3 cab_rigid_moved_on(global const float4 *rows, vec3 arm)
{
    float4 found = rows[CAB_RIGID_FOUND_TURN];
    float4 since = cab_turn_times(rows[CAB_RIGID_TURN], CAB_FLOAT4(-found.x, -found.y, -found.z, found.w));
    vec3 shift = vec3_sub(vec3_of(rows[CAB_RIGID_SHIFT]), vec3_of(rows[CAB_RIGID_FOUND_SHIFT]));
    return vec3_add(shift, cab_turn_moves(since, arm));
}

/* ---- what a bearing leaves ---- */

/* P */
CAB_INLINE cab_sym3 cab_rigid_shifts(int motion, vec3 axis)
{
    if (motion == CAB_RIGID_SLIDER) return cab_sym3_add_outer(cab_sym3_of(0), 1, axis);
    return cab_sym3_of(motion == CAB_RIGID_FREE ? 1 : 0);
}

/* Q */
CAB_INLINE cab_sym3 cab_rigid_turns(int motion, vec3 axis)
{
    if (motion == CAB_RIGID_HINGE) return cab_sym3_add_outer(cab_sym3_of(0), 1, axis);
    return cab_sym3_of(motion == CAB_RIGID_SLIDER ? 0 : 1);
}

/* P of a body, or Q. */
CAB_INLINE cab_sym3 cab_rigid_leaves(global const cab_rigid *own, int turns)
{
    vec3 axis = vec3_at(own->axis);
    return turns ? cab_rigid_turns(own->motion, axis) : cab_rigid_shifts(own->motion, axis);
}

/* P u, or Q w, of what direct_junction has found. */
CAB_INLINE vec3 cab_rigid_step(global const cab_rigid *own, int turns, global const float4 *junction_move)
{
    int at = turns ? own->rotation : own->translation;
    return cab_sym3_times(cab_rigid_leaves(own, turns), vec3_of(junction_move[at]));
}

/* P m P + (1 - P) s, which keeps what does not move where it is. */
CAB_INLINE cab_sym3 cab_rigid_leave(cab_sym3 p, cab_sym3 m, real s)
{
    return cab_sym3_add(cab_sym3_between(p, m), cab_sym3_scale(cab_sym3_sub(cab_sym3_of(1), p), s));
}

/* ---- inertia ---- */

/* Sums over members: m, m r, m (r^2 1 - r r^T), m e, m r x e, where e is by how much the member is off its place on the body. */
typedef struct cab_rigid_sum {
    real mass;
    vec3 first;
    cab_sym3 second;
    vec3 push, turn;
} cab_rigid_sum;

CAB_INLINE cab_rigid_sum cab_rigid_sum_none(void)
{
    cab_rigid_sum s = {0, vec3_zero(), cab_sym3_of(0), vec3_zero(), vec3_zero()};
    return s;
}

/* s (r^2 1 - r r^T) */
CAB_INLINE cab_sym3 cab_rigid_about(cab_sym3 m, real s, vec3 r)
{
    return cab_sym3_add_outer(cab_sym3_add(m, cab_sym3_of(s * vec3_dot(r, r))), -s, r);
}

CAB_INLINE void cab_rigid_add(cab_rigid_sum *s, real mass, vec3 r, vec3 off)
{
    s->mass = s->mass + mass;
    s->first = vec3_add_scaled(s->first, mass, r);
    s->second = cab_rigid_about(s->second, mass, r);
    s->push = vec3_add_scaled(s->push, mass, off);
    s->turn = vec3_add_scaled(s->turn, mass, vec3_cross(r, off));
}

/* What bending has given a body that cables are clamped to. bend: of its mass points */
CAB_INLINE void cab_rigid_add_bent(cab_rigid_sum *s, const cab_rigid_bent *bent, int first_order,
                                   float4 rotation, global const float4 *bend)
{
    real mass = first_order ? bent->mass_first : bent->mass;
    if (bent->moves) s->push = vec3_add_scaled(s->push, mass, vec3_of(bend[0]));
    for (int k = 0; k < bent->count; k++) {
        vec3 c = vec3_make(bent->spread[k][0], bent->spread[k][1], bent->spread[k][2]);
        c = vec3_add(c, cab_turn_moves(rotation, c));
        s->turn = vec3_add_scaled(s->turn, mass, vec3_cross(c, vec3_of(bend[1 + k])));
    }
}

/* The displacement and the turn that bring the members nearest to where they are, by their masses. */
CAB_INLINE void cab_rigid_solve(const cab_rigid_sum *s, cab_sym3 p, cab_sym3 q, vec3 *shift, vec3 *turn)
{
    cab_sym3 about = cab_sym3_between(q, s->second);
    real inverse = 1 / s->mass, size = s->second.xx + s->second.yy + s->second.zz;
    vec3 push = cab_sym3_times(p, s->push);
    vec3 column[3] = {vec3_make(p.xx, p.xy, p.xz), vec3_make(p.xy, p.yy, p.yz), vec3_make(p.xz, p.yz, p.zz)};
    for (int k = 0; k < 3; k++) {
        column[k] = cab_sym3_times(q, vec3_cross(s->first, column[k]));
        about = cab_sym3_add_outer(about, -inverse, column[k]);
    }
    vec3 right = cab_sym3_times(q, s->turn);
    right = vec3_sub_scaled(right, inverse, cab_sym3_times(q, vec3_cross(s->first, push)));
    about = cab_sym3_add(about, cab_sym3_scale(cab_sym3_sub(cab_sym3_of(1), q), size));
    *turn = cab_sym3_times(q, cab_sym3_solve(about, right));
    vec3 taken = cab_sym3_times(p, vec3_cross(*turn, s->first));
    *shift = vec3_scale(vec3_sub(push, taken), inverse);
}

/* ---- motor and friction of a bearing ---- */

/* A drive would move the body by `speed` in a substep, and gives at most `most` for it: a motor, or friction, whose speed is 0. It is an
 * augmented Lagrangian: while it holds its speed it gives `last`, what it gave before, and K for each metre or radian that is
 * missing; else all it has, this way or that. Forces, or torques, are times h_s^2. */
typedef struct cab_rigid_drive {
    real speed, most, stiffness; /* K */
    real last;
    real way; /* 0: it holds; 1, -1: it gives all it has */
} cab_rigid_drive;

CAB_INLINE real cab_rigid_drive_force(const cab_rigid_drive *d, real moved)
{
    if (d->way == 0) return d->last + d->stiffness * (d->speed - moved);
    return d->way * d->most;
}

/* What a Newton pass has come to: sets last and way. Returns 1 where the next pass has another way. */
CAB_INLINE int cab_rigid_drive_take(cab_rigid_drive *d, real moved)
{
    real force = cab_rigid_drive_force(d, moved), before = d->way;
    d->last = real_clamp(force, -d->most, d->most);
    if (d->most == 0) return 0;
    if (d->way == 0)
        d->way = force > d->most ? 1 : force < -d->most ? -1 : 0;
    else if (d->way * (d->speed - moved) < 0)
        d->way = 0;
    return d->way != before;
}

/* ---- what lies in memory ---- */

/* A member's arm at the substep's start. rotation: of its body until then */
CAB_INLINE vec3 cab_rigid_arm(global const cab_rigid_member *member, float4 rotation)
{
    vec3 arm = vec3_at(member->arm);
    return vec3_add(arm, cab_turn_moves(rotation, arm));
}

CAB_INLINE real cab_rigid_mass(global const cab_rigid_member *member, int first_order)
{
    return first_order ? member->mass_first : member->mass;
}

/* By how much the place that a hand pulls at has moved in this substep; arm: its arm now */
CAB_INLINE vec3 cab_rigid_hand_moved(global const cab_rigid_hand *hand, float4 rotation, float4 turn,
                                     vec3 shift, vec3 *arm)
{
    vec3 begun = vec3_at(hand->arm);
    begun = vec3_add(begun, cab_turn_moves(rotation, begun));
    vec3 moved = cab_turn_moves(turn, begun);
    *arm = vec3_add(begun, moved);
    return vec3_add(shift, moved);
}

/* A hand's spring is a member, as heavy as K = k h^2 + c h, that is at `goal`. */
CAB_INLINE void cab_rigid_add_hand(cab_rigid_sum *s, global const cab_rigid_hand *hand, int first_order,
                                   float4 rotation, float4 turn, vec3 shift, vec3 goal)
{
    vec3 arm, moved = cab_rigid_hand_moved(hand, rotation, turn, shift, &arm);
    cab_rigid_add(s, first_order ? hand->mass_first : hand->mass, arm, vec3_sub(goal, moved));
}

/* How the place moves as the mass points do, of which `e` is the offset. */
CAB_INLINE vec3 cab_rigid_hand_of(global const cab_rigid_hand *hand, global const float4 *e,
                                  global const float4 *residual)
{
    vec3 sum = vec3_zero();
    for (int k = 0; k < CAB_RIGID_POINTS; k++) {
        int p = hand->particle + k;
        sum = vec3_add_scaled(sum, hand->share[k], vec3_sub(vec3_of(e[p]), vec3_of(residual[p])));
    }
    return sum;
}

/* How a body gives way with its members, at the substep's start: 1/mass, 1/kg, and 1/inertia, 1/(kg m^2), not above what its least moment
 * gives. */
CAB_INLINE void cab_rigid_gives_way(const cab_rigid *own, global const cab_rigid_member *member,
                                    float4 rotation, real *shifts, real *turns)
{
    cab_rigid_sum sum = cab_rigid_sum_none();
    for (int k = own->member; k < own->member + own->member_count; k++)
        cab_rigid_add(&sum, member[k].mass_first, cab_rigid_arm(member + k, rotation), vec3_zero());
    *shifts = 1 / sum.mass;
    *turns = 2 / (sum.second.xx + sum.second.yy + sum.second.zz); /* twice the largest moment at least */
}

/* A body's motor (0) or friction (1). bearing: what each of both gave last, times h^2, and its way. */
CAB_INLINE cab_rigid_drive cab_rigid_drive_of(cab_rigid own, float4 bearing, int which, real per_h)
{
    real most = which ? own.friction : own.most, last = which ? bearing.y : bearing.x;
    cab_rigid_drive d = {which ? 0 : own.speed, most / per_h, most > 0 ? own.stiffness : 0, last / per_h,
                         which ? bearing.w : bearing.z};
    return d;
}

/* How far a bearing has moved in this substep, m or rad. */
CAB_INLINE real cab_rigid_moved(cab_rigid own, float4 turn, float4 shift)
{
    vec3 axis = vec3_make(own.axis[0], own.axis[1], own.axis[2]);
    return own.motion == CAB_RIGID_HINGE ? 2 * vec3_dot(vec3_of(turn), axis) : vec3_dot(vec3_of(shift), axis);
}

#endif

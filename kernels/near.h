/* Tiles whose cables may touch colliders (planes, balls, capsules) that do not move, in whole frames: motion and
 * contacts. The equations are those of the way staged, near_solve.h. What a cable does depends on its own lane only.
 *
 * A lane in which something happens that is not provided for here is noted as failed; the host then computes the frame
 * stage by stage from its start (host/carrier/near.c). */
#ifndef CAB_NEAR_H
#define CAB_NEAR_H

#include "geometry.h"
#include "press.h"
#include "sweep.h"

/* Work memory of a particle beside that of tile.h, in slots. The elimination, see cab_stiff_left: */
#define CAB_NEAR_UNIT 0 /* of the segment to the next particle, as it was before the pass: direction, */
#define CAB_NEAR_LENGTH 3
#define CAB_NEAR_COUPLING 4
#define CAB_NEAR_INVERSE 10
#define CAB_NEAR_Y 16
#define CAB_NEAR_Z 19
#define CAB_NEAR_PULL 22
#define CAB_NEAR_TENSION 23  /* of that segment in the last substep, kg m */
#define CAB_NEAR_INERTIA 24  /* the offset to which inertia and bending alone would take it */
#define CAB_NEAR_PRESSING 27 /* N; the colliders' normal forces on that segment in the last substep */
/* contact of the particle, then that of the stretch between it and the next one: */
#define CAB_NEAR_END 28
#define CAB_NEAR_MIDDLE 38
#define CAB_NEAR_PLACE 48 /* of the latter: its place from 0 to 1, */
#define CAB_NEAR_ROUND 49 /* and the sum of the radii, m */
/* of near_rest.h: multiplier of that segment; the normal force of the particle's contact in the last substep, kg m */
#define CAB_REST_LAMBDA 5
#define CAB_REST_BEFORE 6
/* a contact's numbers, see cab_pressed */
#define CAB_SITE_NORMAL 0
#define CAB_SITE_WAY 3
#define CAB_SITE_GAP 6
#define CAB_SITE_FRICTION 7 /* negative: there is none */
#define CAB_SITE_LAMBDA 8
#define CAB_SITE_STATE 9

/* A cable may be at rest if nothing of it moved further in the last substep than so many times what sticking is a damper up
 * to, and no tension's stiffness is more than this share of the mass beside it. */
#define CAB_NEAR_RESTING 10.0f
#define CAB_NEAR_TAUT 1e-2f

/* The cables of a tile. */
typedef struct cab_near {
    cab_sweep s;
    global real_memory *slots;
    global real_memory
        *listed; /* [colliders][2] 1: the cable may touch it in this frame; Coulomb coefficient */
    global const cab_params *params;
    global const cab_collider *collider;
    real radius, friction; /* of the cables; friction: Coulomb coefficient */
    real particles;        /* of each lane's cable */
    real travelled;        /* how far something in the lane may have moved in this frame, m */
    real reach;            /* how far it may */
    real_mask near;        /* it touches a collider in this substep */
    real_mask pressed;     /* and is pressed by one at its end */
    real_mask failed;
    real_mask planes;                          /* in this frame it may touch planes only */
    real_mask rests;                           /* it may be at rest on them in this substep */
    real_mask done;                            /* this substep was computed as such a one */
    real_mask slowed;                          /* particles count as heavier */
    global real_memory *offsets, *multipliers; /* of this substep, once it is solved */
    int offsets_apart;                         /* reals between those of two particles */
    int beside;                                /* something that is listed may touch between particles */
    int plane; /* the collider that is listed, if it is a single one and a plane; else -1 */
} cab_near;

CAB_INLINE global real_memory *cab_near_at(const cab_near *n, int particle, int slot)
{
    return n->slots + (particle * CAB_SLOTS_NEAR + slot) * n->s.apart;
}

CAB_INLINE real cab_near_get(const cab_near *n, int particle, int slot)
{
    return *cab_near_at(n, particle, slot);
}

CAB_INLINE void cab_near_put(const cab_near *n, int particle, int slot, real value)
{
    *cab_near_at(n, particle, slot) = value;
}

CAB_INLINE vec3 cab_near_get3(const cab_near *n, int particle, int slot)
{
    return cab_apart3(cab_near_at(n, particle, slot), n->s.apart);
}

CAB_INLINE void cab_near_put3(const cab_near *n, int particle, int slot, vec3 v)
{
    cab_apart3_put(cab_near_at(n, particle, slot), n->s.apart, v);
}

CAB_INLINE real_mask cab_near_none(void)
{
    real zero = real_of(0);
    return zero != zero;
}

/* Where a lane's cable has particle i. */
CAB_INLINE real_mask cab_near_has(const cab_near *n, int i)
{
    return real_of((float)i) < n->particles;
}

/* And its substep is not computed as one at rest. */
CAB_INLINE real_mask cab_near_in(const cab_near *n, int i)
{
    return cab_near_has(n, i) & real_not(n->done);
}

/* cab_per_h of each lane */
CAB_INLINE real cab_near_per_h(const cab_near *n)
{
    return real_select(n->s.first, real_of(1), real_of(cab_per_h(0)));
}

/* ---- motion ---- */

/* h v, as rounded as where velocities are stored between the substeps */
CAB_INLINE vec3 cab_near_velocity(const cab_near *n, vec3 last, vec3 before)
{
    vec3 velocity = vec3_scale(cab_steps_way(last, before), real_of(n->params->inverse_h));
    return vec3_scale(velocity, real_of(n->params->h));
}

/* Adds the displacement in a substep to the steps; where it was of first order, or something pressed, its velocity is
 * d/h. */
CAB_INLINE void cab_near_take_step(const cab_near *n, cab_steps *d, vec3 displacement, real_mask first)
{
    cab_steps begun = {cab_near_velocity(n, d->last, d->before), d->before, d->first};
    cab_steps_take(&begun, displacement, 1);
    cab_steps_take(d, displacement, 0);
    d->first = vec3_select(first, begun.first, d->first);
    d->before = vec3_select(first, begun.before, d->before);
}

/* Ends a substep of particle i in the tile. Returns the square of its way. */
CAB_INLINE real cab_near_end_particle(const cab_near *n, int i, real per_h, cab_motion *m)
{
    const cab_sweep *s = &n->s;
    vec3 e = cab_apart3(n->offsets + i * n->offsets_apart, s->apart);
    real lambda = n->multipliers[i * n->offsets_apart];
    m->p = cab_slot3(s, i, CAB_SLOT_POSITION);
    m->r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
    m->steps.last = cab_slot3(s, i, CAB_SLOT_STEP);
    m->steps.before = cab_slot3(s, i, CAB_SLOT_STEP + 3);
    vec3 displacement = cab_settle(&m->p, &m->r, e);
    cab_near_take_step(n, &m->steps, displacement, s->first | n->pressed);
    cab_sweep_motion_put(s, i, m);
    cab_slot_put(s, i, CAB_SLOT_LAMBDA, lambda * per_h);
    return vec3_dot(displacement, displacement);
}

/* Is the segment behind particle i pulled so much that the stiffness of its tension counts beside the masses? before: so was the
 * one before it, as a multiplier. */
CAB_INLINE real_mask cab_near_is_taut(const cab_sweep *s, int i, real *before, real *before_limit)
{
    real w = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
    real last = *before, last_limit = *before_limit;
    *before = cab_slot(s, i, CAB_SLOT_LAMBDA);
    *before_limit = -CAB_NEAR_TAUT * cab_constant(s, i, CAB_CONSTANT_REST);
    return (w * last < last_limit) | (w * *before < *before_limit);
}

/* Ends a substep, if ends, and predicts the next one, which is of first order in the lanes `first`. Finds those that may be
 * at rest. */
CAB_INLINE void cab_near_advance_as(cab_near *n, cab_sweep *s, int ends, real_mask first,
                                    const cab_sweep_moves *moves)
{
    real per_h = cab_near_per_h(n), farthest = real_of(0), lambda = farthest, limit = farthest;
    real_mask taut = cab_near_none();
    vec3 p_last = vec3_zero(), e_last = p_last;
    cab_bend bend;
    bend.segment = bend.right = bend.right_next = p_last;
    int move = 0;
    for (int i = 0; i < s->count; i++) {
        cab_motion m;
        if (ends)
            cab_near_end_particle(n, i, per_h, &m);
        else
            m = cab_sweep_motion(s, i, 0, 0);
        farthest = real_max(farthest, vec3_dot(m.steps.last, m.steps.last));
        m.steps.last = vec3_select(first, cab_near_velocity(n, m.steps.last, m.steps.before), m.steps.last);
        vec3 e = cab_sweep_predict(s, i, m.r, &m.steps);
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
        taut = taut | cab_near_is_taut(s, i, &lambda, &limit);
        if (move < moves->count && moves->move[move].particle == i) {
            move = cab_sweep_move(s, moves, move, i);
            e = cab_slot3(s, i, CAB_SLOT_OFFSET);
        }
        if (i > 0 && s->bends) cab_sweep_bend(s, i - 1, cab_between(p_last, e_last, m.p, e), &bend);
        p_last = m.p;
        e_last = e;
    }
    real most = real_of(CAB_NEAR_RESTING * n->params->slip_least);
    n->rests = n->planes & first & (farthest < most * most) & real_not(taut | n->slowed);
    if (ends) n->travelled = n->travelled + real_sqrt(farthest);
    if (!s->bends) return;
    cab_sweep_bend(s, s->count - 1, vec3_zero(), &bend);
    cab_slot3_put(s, s->count - 1, CAB_SLOT_BEND, bend.right);
}

CAB_INLINE void cab_near_advance(cab_near *n, int ends, real_mask first, const cab_sweep_moves *moves)
{
    cab_sweep s = n->s;
    s.first = first;
    s.orders = real_any(first) && real_any(real_not(first));
    if (s.orders) {
        cab_near_advance_as(n, &s, ends, first, moves);
    } else {
        s.orders = 0;
        if (real_any(first)) s.constants = s.constants_first;
        cab_near_advance_as(n, &s, ends, first, moves);
    }
    n->s.first = first;
}

/* Ends the frame's last substep. */
CAB_INLINE void cab_near_end(cab_near *n)
{
    real per_h = cab_near_per_h(n), farthest = real_of(0);
    for (int i = 0; i < n->s.count; i++) {
        cab_motion m;
        farthest = real_max(farthest, cab_near_end_particle(n, i, per_h, &m));
        cab_slot3_put(&n->s, i, CAB_SLOT_OFFSET, m.steps.first);
    }
    n->travelled = n->travelled + real_sqrt(farthest);
    n->failed = n->failed | real_not(n->travelled < n->reach);
}

/* The normal force of particle i's contact in the last substep, kg m. In lanes that are done LAMBDA is already this substep's; in the
 * others, where some lane was tried as one at rest, the trial has overwritten it, so that it is in BEFORE. */
CAB_INLINE real cab_near_before(const cab_near *n, int i)
{
    real force = cab_near_get(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA);
    if (!real_any(n->rests)) return force;
    return real_select(n->done, force, cab_near_get(n, i, CAB_REST_BEFORE));
}

/* Notes what presses on the segment before particle i, i > 0, in the lanes that touch planes only: the contact of that particle
 * and, of the first segment, that of its first one. */
CAB_INLINE void cab_near_note_pressing(const cab_near *n, int i)
{
    real per_h = real_of(n->params->inverse_h), force = cab_near_before(n, i);
    if (i == 1) force = force + cab_near_before(n, 0);
    real pressing = cab_near_get(n, i - 1, CAB_NEAR_PRESSING);
    cab_near_put(n, i - 1, CAB_NEAR_PRESSING, real_select(n->planes, force * per_h * per_h, pressing));
}

/* Offsets and multipliers are where the tile keeps them. */
CAB_INLINE void cab_near_solved_in_tile(cab_near *n)
{
    n->offsets = cab_slot_of(&n->s, 0, CAB_SLOT_OFFSET);
    n->multipliers = cab_slot_of(&n->s, 0, CAB_SLOT_LAMBDA);
    n->offsets_apart = CAB_SLOTS_KEPT * n->s.apart;
}

/* Begins the substep of the lanes that are not done: adds the bending to the offsets, forgets the contacts of the last substep.
 * Of the others it takes offsets and multipliers. */
CAB_INLINE void cab_near_bend(cab_near *n)
{
    const cab_sweep *s = &n->s;
    vec3 next = vec3_zero(), after = next;
    real none = real_of(-1);
    int some = real_any(n->done);
    for (int i = s->count - 1; i >= 0; i--) {
        vec3 e = cab_slot3(s, i, CAB_SLOT_OFFSET);
        if (s->bends) {
            vec3 bent = cab_sweep_bent(s, i, next, after);
            after = next;
            next = bent;
            e = vec3_add(e, bent);
        }
        if (some) {
            real lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
            e = vec3_select(n->done, cab_near_get3(n, i, CAB_NEAR_INERTIA), e);
            lambda = real_select(n->done, cab_near_get(n, i, CAB_REST_LAMBDA), lambda);
            cab_slot_put(s, i, CAB_SLOT_LAMBDA, lambda);
        }
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
        cab_near_put3(n, i, CAB_NEAR_INERTIA, e);
        if (i > 0) cab_near_note_pressing(n, i);
        cab_near_put(n, i, CAB_NEAR_END + CAB_SITE_FRICTION, none);
        if (n->beside) cab_near_put(n, i, CAB_NEAR_MIDDLE + CAB_SITE_FRICTION, none);
    }
    cab_near_solved_in_tile(n);
}

/* ---- contacts ---- */

/* Notes a contact where `hit` says. before: the distance for an offset of 0; start: the place's offset at the start of
 * the substep. */
CAB_INLINE void cab_near_note(cab_near *n, int i, int site, real_mask hit, const cab_outside *o, real before,
                              vec3 start, real friction)
{
    real zero = real_of(0), none = real_of(-1);
    real was = cab_near_get(n, i, site + CAB_SITE_FRICTION);
    real gap = before - n->radius;
    real allowed = real_min(zero, gap + vec3_dot(o->normal, start) + n->params->push_out);
    real_mask taken = hit & (was > none);
    n->failed = n->failed | taken;
    vec3 normal = vec3_select(hit, o->normal, cab_near_get3(n, i, site + CAB_SITE_NORMAL));
    cab_near_put3(n, i, site + CAB_SITE_NORMAL, normal);
    cab_near_put(n, i, site + CAB_SITE_GAP,
                 real_select(hit, gap - allowed, cab_near_get(n, i, site + CAB_SITE_GAP)));
    cab_near_put(n, i, site + CAB_SITE_FRICTION, real_select(hit, friction, was));
    cab_near_put(n, i, site + CAB_SITE_LAMBDA,
                 real_select(hit, zero, cab_near_get(n, i, site + CAB_SITE_LAMBDA)));
    cab_near_put(n, i, site + CAB_SITE_STATE, zero);
    cab_near_put3(n, i, site + CAB_SITE_WAY, vec3_zero());
    n->near = n->near | hit;
}

/* Notes what is so fast near a collider that it would have to be swept, or its substep cut into pieces. square: of its way, m^2 */
CAB_INLINE void cab_near_judge_speed(cab_near *n, real_mask in, real square, real distance)
{
    real limit = n->params->near_fast * n->radius;
    real_mask fast = in & real_not(square < limit * limit);
    if (!real_any(fast)) return;
    n->failed = n->failed | (fast & real_not(distance > (1 + CAB_MARGIN) * n->radius + real_sqrt(square)));
}

/* The square of the way that counts: only on the way towards a plane can anything pass it. */
CAB_INLINE real cab_near_square(const cab_collider *c, const cab_outside *o, vec3 way)
{
    if (c->shape != CAB_SHAPE_IS_PLANE) return vec3_dot(way, way);
    real nearer = real_min(vec3_dot(o->normal, way), real_of(0));
    return nearer * nearer;
}

/* A plane needs no sweep, since what is behind it is in contact however deep. What is fast counts from further away, since
 * the lengths may draw it there. */
CAB_INLINE real cab_near_reach_fast(const cab_near *n, real reach, vec3 way)
{
    real limit = n->params->fast * n->radius, square = vec3_dot(way, way);
    real_mask fast = real_not(square < limit * limit);
    if (!real_any(fast)) return reach;
    return real_select(fast, reach + real_sqrt(square), reach);
}

/* Contacts of the particles with a collider. */
CAB_INLINE void cab_near_find_ends(cab_near *n, const cab_collider *c, real friction)
{
    const cab_sweep *s = &n->s;
    for (int i = 0; i < s->count; i++) {
        vec3 e = cab_slot3(s, i, CAB_SLOT_OFFSET), start = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
        vec3 x = cab_slot3(s, i, CAB_SLOT_POSITION);
        cab_outside o = cab_outside_round(c, x, e);
        real_mask in = cab_near_in(n, i) & (cab_constant(s, i, CAB_CONSTANT_WEIGHT) > real_of(0));
        real reach = n->radius * (1 + CAB_MARGIN);
        if (c->shape == CAB_SHAPE_IS_PLANE) reach = cab_near_reach_fast(n, reach, vec3_sub(e, start));
        if (c->shape != CAB_SHAPE_IS_PLANE || n->params->near_fast < n->params->fast)
            cab_near_judge_speed(n, in, cab_near_square(c, &o, vec3_sub(e, start)), o.distance);
        real_mask hit = in & (o.distance < reach);
        if (!real_any(hit)) continue;
        cab_near_note(n, i, CAB_NEAR_END, hit, &o, cab_distance_before(c, &o, x, e), start, friction);
    }
}

/* The place on the stretch from particle i to the next one that is nearest to a round collider. u: from one to the other
 */
CAB_INLINE real cab_near_place(const cab_collider *c, vec3 x, vec3 e, vec3 u)
{
    vec3 centre = vec3_sub(vec3_sub(cab_collider_place(c), x), e), v = cab_collider_axis(c);
    real per_uu = cab_inverse_square(u);
    if (c->shape == CAB_SHAPE_IS_CAPSULE)
        return cab_closest_segments(centre, u, v, per_uu, cab_inverse_square(v)).s;
    return real_clamp(vec3_dot(u, centre) * per_uu, real_of(0), real_of(1));
}

/* Contacts with a round collider between particles. They count where they lie deeper than both of them. */
CAB_INLINE void cab_near_find_between(cab_near *n, const cab_collider *c, real friction)
{
    const cab_sweep *s = &n->s;
    for (int i = 0; i < s->count - 1; i++) {
        vec3 x = cab_slot3(s, i, CAB_SLOT_POSITION), y = cab_slot3(s, i + 1, CAB_SLOT_POSITION);
        vec3 e = cab_slot3(s, i, CAB_SLOT_OFFSET), f = cab_slot3(s, i + 1, CAB_SLOT_OFFSET);
        real t = cab_near_place(c, x, e, cab_between(x, e, y, f));
        vec3 end = vec3_mix(e, f, t);
        cab_outside o = cab_outside_round(c, vec3_mix(x, y, t), end);
        real w_a = cab_constant(s, i, CAB_CONSTANT_WEIGHT), w_b = cab_constant(s, i + 1, CAB_CONSTANT_WEIGHT);
        real_mask in = cab_near_in(n, i + 1) & (w_a + w_b > real_of(0));
        vec3 start = vec3_mix(cab_slot3(s, i, CAB_SLOT_RESIDUAL), cab_slot3(s, i + 1, CAB_SLOT_RESIDUAL), t);
        cab_near_judge_speed(n, in, cab_near_square(c, &o, vec3_sub(end, start)), o.distance);
        real_mask hit = in & (o.distance < n->radius * (1 + CAB_MARGIN));
        hit = hit & (t > real_of(0.001f)) & (t < real_of(0.999f));
        if (!real_any(hit)) continue;
        real beside = real_min(cab_outside_round(c, x, e).distance, cab_outside_round(c, y, f).distance);
        hit = hit & (o.distance < beside - 1e-3f * n->radius);
        if (!real_any(hit)) continue;
        cab_near_put(n, i, CAB_NEAR_PLACE, real_select(hit, t, cab_near_get(n, i, CAB_NEAR_PLACE)));
        cab_near_put(n, i, CAB_NEAR_ROUND,
                     real_select(hit, n->radius + real_of(c->radius), cab_near_get(n, i, CAB_NEAR_ROUND)));
        real before = o.distance - vec3_dot(o.normal, end);
        cab_near_note(n, i, CAB_NEAR_MIDDLE, hit, &o, before, start, friction);
    }
}

CAB_INLINE int cab_near_lists(const cab_near *n, int collider)
{
    return real_any(n->listed[2 * collider * n->s.apart] > real_of(0));
}

/* Coulomb coefficient of a collider that is listed and the cables */
CAB_INLINE real cab_near_friction(const cab_near *n, int collider)
{
    return n->listed[(2 * collider + 1) * n->s.apart];
}

/* The contacts of a substep. */
CAB_INLINE void cab_near_find(cab_near *n)
{
    n->near = cab_near_none();
    for (int k = 0; k < n->params->collider_count; k++) {
        cab_collider c = n->collider[k];
        if (!cab_near_lists(n, k)) continue;
        cab_near_find_ends(n, &c, cab_near_friction(n, k));
        if (c.shape != CAB_SHAPE_IS_PLANE && n->params->touch_between)
            cab_near_find_between(n, &c, cab_near_friction(n, k));
    }
}

/* Lists the colliders that come into question in the frame. */
CAB_INLINE void cab_near_list(cab_near *n)
{
    const cab_sweep *s = &n->s;
    int listed_count = 0;
    n->beside = 0;
    n->plane = -1;
    n->planes = real_not(cab_near_none());
    for (int k = 0; k < n->params->collider_count; k++) {
        cab_collider c = n->collider[k];
        real least = real_of(CAB_FAR_NOTHING), one = real_of(1);
        for (int i = 0; i < s->count; i++) {
            vec3 x = cab_slot3(s, i, CAB_SLOT_POSITION);
            real distance = cab_outside_round(&c, x, cab_slot3(s, i, CAB_SLOT_RESIDUAL)).distance;
            real rest = real_select(cab_near_has(n, i + 1), cab_constant(s, i, CAB_CONSTANT_REST), one - one);
            if (c.shape != CAB_SHAPE_IS_PLANE)
                distance = distance - rest; /* a stretch is nearer by half of it */
            least = real_min(least, real_select(cab_near_has(n, i), distance, least));
        }
        real_mask far = least > 2 * n->radius + n->reach;
        real listed = real_select(far, one - one, one);
        n->listed[2 * k * s->apart] = listed;
        n->listed[(2 * k + 1) * s->apart] = real_sqrt(n->friction * c.friction);
        if (!real_any(real_not(far))) continue;
        n->plane = listed_count++ == 0 && c.shape == CAB_SHAPE_IS_PLANE ? k : -1;
        if (c.shape == CAB_SHAPE_IS_PLANE) continue;
        n->planes = n->planes & far;
        n->beside = 1;
    }
}

#endif

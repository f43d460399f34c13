/* Tiles whose cables may touch colliders (planes, balls, capsules, boxes, cylinders), in whole frames: motion and contacts. The equations are those of the way staged, near_solve.h. What a cable does depends on its own lane only.
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
#define CAB_NEAR_MIDDLE 41
#define CAB_NEAR_PLACE 54 /* of the latter: its place from 0 to 1, */
#define CAB_NEAR_ROUND 55 /* and the sum of the radii, m */
#define CAB_NEAR_SECOND                                                                                      \
    56 /* a second contact of the particle; only where some particle of the tile has one */
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
#define CAB_SITE_SURFACE                                                                                     \
    10 /* how far the collider's surface moves there in the substep; only where some collider moves */

/* What of a collider a cable may touch in a frame. */
#define CAB_NEAR_FAR 0
#define CAB_NEAR_WHOLE 1
#define CAB_NEAR_FACE                                                                                        \
    2 /* + 2 axis + (0 at its low end, 1 at its high one): this face of a box, which is as good as a plane */
#define CAB_NEAR_FACES 6

/* A cable may be at rest if nothing of it moved further in the last substep than so many times what sticking is a damper up
 * to, and no tension's stiffness is more than this share of the mass beside it. */
#define CAB_NEAR_RESTING 10.0f
#define CAB_NEAR_TAUT 1e-2f

/* The cables of a tile. */
typedef struct cab_near {
    cab_sweep s;
    global real_memory *slots;
    global real_memory *
        listed; /* [colliders][CAB_NEAR_LISTED] what of it the cable may touch in this frame, CAB_NEAR_...; Coulomb
                                   coefficient; where partial: the first segment that touches it, and the one after the last */
    global real_memory *solids; /* [colliders][CAB_NEAR_SOLID] the colliders of each lane */
    global const cab_params *params;
    global const cab_collider *collider;      /* those of some lane, as they are at the start of the frame, */
    global const cab_collider *collider_path; /* and at the end of each substep; 0: they do not move */
    real_mask at_plane;                       /* the lanes that list it, */
    cab_solid plane;                          /* where single: what is listed */
    real radius, friction;                    /* of the cables; friction: Coulomb coefficient */
    real group;                               /* of each lane's cable */
    real particles;                           /* of each lane's cable */
    real travelled;    /* how far something in the lane may have moved in this frame, m */
    real reach;        /* how far it may */
    real_mask near;    /* it touches a collider in this substep */
    real_mask pressed; /* and is pressed by one at its end */
    real_mask failed;
    real
        hurried; /* square of how many times something is faster than a substep allows; in whole substeps not always told below 1 */
    real_mask planes;                          /* in this frame it may touch planes only */
    real_mask rests;                           /* it may be at rest on them in this substep */
    real_mask done;                            /* this substep was computed as such a one */
    real_mask slowed;                          /* particles count as heavier */
    global real_memory *offsets, *multipliers; /* of this substep, once it is solved */
    int offsets_apart;                         /* reals between those of two particles */
    int beside;                                /* something that is listed may touch between particles, */
    int moves;                                 /* or moves */
    int partial;                               /* not all segments touch all colliders */
    int doubled;                               /* some particle has a second contact in this substep */
    int step;                                  /* of the frame, from 0 */
    int pieces;                                /* of a substep that are computed; 1: it is whole */
    real shortest;                             /* rest length of a segment, m */
    int single; /* the collider that is listed, if it is a single one and a plane that stays where it is; else -1 */
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

/* The lanes that have a contact at a site. */
CAB_INLINE real_mask cab_near_present(const cab_near *n, int particle, int site)
{
    return cab_near_get(n, particle, site + CAB_SITE_FRICTION) > real_of(-1);
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

/* The substep becomes so many times as long: displacements are those of the same velocities, multipliers of the same forces. The next substep
 * is of first order. */
CAB_INLINE void cab_near_lengthen(const cab_near *n, float times)
{
    const cab_sweep *s = &n->s;
    for (int i = 0; i < s->count; i++) {
        vec3 v = cab_near_velocity(n, cab_slot3(s, i, CAB_SLOT_STEP), cab_slot3(s, i, CAB_SLOT_STEP + 3));
        v = vec3_scale(v, real_of(times));
        cab_slot3_put(s, i, CAB_SLOT_STEP, v);
        cab_slot3_put(s, i, CAB_SLOT_STEP + 3, v);
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, v);
        cab_slot_put(s, i, CAB_SLOT_LAMBDA, cab_slot(s, i, CAB_SLOT_LAMBDA) * (times * times));
    }
}

/* Notes how much segments turned in the last substep, which tells how much they will in this one, where that may be more than a
 * substep allows. farthest: square of the way of what moved most, m^2 */
CAB_INLINE void cab_near_judge_turns(cab_near *n, real farthest)
{
    const cab_sweep *s = &n->s;
    float scale = CAB_PACE_TURN / CAB_PACE_SHARE;
    real zero = real_of(0), most = farthest * (4 * scale * scale); /* the ends may have gone opposite ways */
    real_mask may = real_not(most < n->shortest * n->shortest);
    if (n->pieces == 1 && !real_any(may)) return;
    vec3 last = vec3_scale(cab_slot3(s, 0, CAB_SLOT_STEP), real_of(scale));
    for (int i = 1; i < s->count; i++) {
        vec3 step = vec3_scale(cab_slot3(s, i, CAB_SLOT_STEP), real_of(scale)), d = vec3_sub(step, last);
        real rest = cab_constant(s, i - 1, CAB_CONSTANT_REST), square = vec3_dot(d, d);
        real share = real_select(cab_near_has(n, i), square / (rest * rest), zero);
        n->hurried = real_max(n->hurried, share);
        last = step;
    }
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
    cab_near_judge_turns(n, farthest);
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

/* The normal force of particle i's contacts in the last substep, kg m. In lanes that are done LAMBDA is already this substep's; in the
 * others, where some lane was tried as one at rest, the trial has overwritten it, so that it is in BEFORE. */
CAB_INLINE real cab_near_before(const cab_near *n, int i)
{
    real force = cab_near_get(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA), before = force;
    if (real_any(n->rests)) before = cab_near_get(n, i, CAB_REST_BEFORE);
    if (n->doubled) {
        real second = cab_near_get(n, i, CAB_NEAR_SECOND + CAB_SITE_LAMBDA);
        before = before + real_select(cab_near_present(n, i, CAB_NEAR_SECOND), second, real_of(0));
    }
    return real_select(n->done, force, before);
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

#endif

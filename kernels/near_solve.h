/* Lengths and contacts with colliders of the cables of a tile: the passes of the way staged (press.cl, stiff.cl) in lanes.
 * Cables that touch nothing in a substep have their lengths solved as everywhere in lanes (sweep.h). */
#ifndef CAB_NEAR_SOLVE_H
#define CAB_NEAR_SOLVE_H

#include "near_rest.h"
#include "stiff.h"

#define CAB_NEAR_UNDAMPED                                                                                    \
    3 /* passes with Coulomb friction; after them friction that has not settled only brakes */

/* A pass. */
typedef struct cab_near_pass {
    real_mask moves;     /* lanes that take part */
    real_mask unsettled; /* a contact does something else than in the pass before */
    real_mask off;       /* a length is still off after the pass, */
    real_mask lost;      /* by more than CAB_STIFF_LOST */
    int first, damped;
    int decides; /* what contacts do is decided anew, */
    int adds;    /* and what they do is added to the equations */
} cab_near_pass;

/* A contact of a segment: the place where it lies. */
typedef struct cab_near_site {
    int particle, slot;
    vec3 slide; /* the offset now, */
    vec3 start; /* at the start of the substep, if the collider had carried it along, */
    vec3 last;  /* displacement in the last substep, less that of the surface, m */
    real t;     /* place on the segment */
    real mass;  /* kg; 0 = there is no contact */
} cab_near_site;

CAB_INLINE real cab_near_mass(real_mask present, real inverse)
{
    real zero = real_of(0);
    return real_select(present & (inverse > zero), 1 / inverse, zero);
}

/* h v of particle i in the last substep */
CAB_INLINE vec3 cab_near_last(const cab_near *n, int i)
{
    return cab_near_velocity(n, cab_slot3(&n->s, i, CAB_SLOT_STEP), cab_slot3(&n->s, i, CAB_SLOT_STEP + 3));
}

/* The place is seen from the surface that it touches, which moves. */
CAB_INLINE void cab_near_go_with(const cab_near *n, cab_near_site *site)
{
    vec3 surface = cab_near_get3(n, site->particle, site->slot + CAB_SITE_SURFACE);
    site->start = vec3_add(site->start, surface);
    site->last = vec3_sub(site->last, surface);
}

/* slot: CAB_NEAR_END or _SECOND */
CAB_INLINE cab_near_site cab_near_end_site(const cab_near *n, int i, int slot, int first)
{
    cab_near_site site;
    site.particle = i;
    site.slot = slot;
    site.slide = cab_slot3(&n->s, i, CAB_SLOT_OFFSET);
    site.start = cab_slot3(&n->s, i, CAB_SLOT_RESIDUAL);
    site.last = first ? cab_near_last(n, i) : vec3_zero();
    site.mass = cab_near_mass(cab_near_present(n, i, slot), cab_constant(&n->s, i, CAB_CONSTANT_WEIGHT));
    if (n->moves) cab_near_go_with(n, &site);
    return site;
}

CAB_INLINE cab_near_site cab_near_middle_site(const cab_near *n, int i, int first)
{
    const cab_sweep *s = &n->s;
    cab_near_site site;
    real w_a = cab_constant(s, i, CAB_CONSTANT_WEIGHT), w_b = cab_constant(s, i + 1, CAB_CONSTANT_WEIGHT);
    real_mask present = cab_near_present(n, i, CAB_NEAR_MIDDLE);
    real t = real_select(present, cab_near_get(n, i, CAB_NEAR_PLACE), real_of(0.5f));
    site.particle = i;
    site.slot = CAB_NEAR_MIDDLE;
    site.t = t;
    site.slide = vec3_mix(cab_slot3(s, i, CAB_SLOT_OFFSET), cab_slot3(s, i + 1, CAB_SLOT_OFFSET), t);
    site.start = vec3_mix(cab_slot3(s, i, CAB_SLOT_RESIDUAL), cab_slot3(s, i + 1, CAB_SLOT_RESIDUAL), t);
    site.last = first ? vec3_mix(cab_near_last(n, i), cab_near_last(n, i + 1), t) : vec3_zero();
    site.mass = cab_near_mass(present, w_a * (1 - t) * (1 - t) + w_b * t * t);
    if (n->moves) cab_near_go_with(n, &site);
    return site;
}

CAB_INLINE cab_pressed cab_near_load(const cab_near *n, const cab_near_site *site)
{
    cab_pressed c;
    c.n = cab_near_get3(n, site->particle, site->slot + CAB_SITE_NORMAL);
    c.way = cab_near_get3(n, site->particle, site->slot + CAB_SITE_WAY);
    c.gap = cab_near_get(n, site->particle, site->slot + CAB_SITE_GAP);
    c.friction = cab_near_get(n, site->particle, site->slot + CAB_SITE_FRICTION);
    c.lambda = cab_near_get(n, site->particle, site->slot + CAB_SITE_LAMBDA);
    c.state = cab_near_get(n, site->particle, site->slot + CAB_SITE_STATE);
    c.mass = site->mass;
    c.t = real_of(0);
    return c;
}

CAB_INLINE void cab_near_change(const cab_near *n, const cab_near_site *site, int number, real_mask in,
                                real value)
{
    real was = cab_near_get(n, site->particle, site->slot + number);
    cab_near_put(n, site->particle, site->slot + number, real_select(in, value, was));
}

/* A contact in a pass: decides what it does, and returns what it adds to its place. per_mass: the normal force of the last
 * substep over the masses at the segment's contacts. */
CAB_INLINE cab_sym3 cab_near_touch(cab_near *n, cab_near_pass *pass, const cab_near_site *site, real per_mass,
                                   vec3 *force, cab_pressed *c)
{
    real least = real_of(n->params->slip_least), zero = real_of(0);
    real_mask in = pass->moves & (site->mass > zero);
    cab_press_motion m;
    *c = cab_near_load(n, site);
    m.gap = c->gap + vec3_dot(c->n, site->slide);
    m.slip = cab_across(vec3_sub(site->slide, site->start), c->n);
    m.way = pass->first ? cab_across(site->last, c->n) : m.slip;
    m.push = pass->first ? per_mass * c->mass : cab_press_kept(c, m.gap);
    if (pass->decides) {
        real_mask unsettled = cab_press_decide(c, &m, per_mass * c->mass, pass->first, least, n->radius);
        pass->unsettled = pass->unsettled | (in & unsettled);
        cab_near_change(n, site, CAB_SITE_LAMBDA, in, c->lambda);
        cab_near_change(n, site, CAB_SITE_STATE, in, c->state);
    }
    *force = vec3_zero();
    if (!pass->adds) return cab_sym3_of(zero);
    cab_sym3 block = cab_press_linearise(c, &m, least, n->radius, pass->damped, force);
    cab_near_change(n, site, CAB_SITE_WAY, in, c->way.x);
    cab_near_change(n, site, CAB_SITE_WAY + 1, in, c->way.y);
    cab_near_change(n, site, CAB_SITE_WAY + 2, in, c->way.z);
    real_mask acts = in & cab_press_acts(c, &m);
    *force = vec3_select(acts, *force, vec3_zero());
    return cab_sym3_select(acts, block);
}

/* The contact between the ends of a segment in a pass. */
CAB_INLINE void cab_near_touch_middle(cab_near *n, cab_near_pass *pass, const cab_near_site *site,
                                      real per_mass, cab_press_sum *sum)
{
    cab_pressed c;
    vec3 force;
    cab_sym3 block = cab_near_touch(n, pass, site, per_mass, &force, &c);
    if (!pass->adds) return;
    real_mask acts = pass->moves & (site->mass > real_of(0)) & (c.state > real_of(CAB_PRESS_LOOSE));
    cab_sym3 roll = cab_press_roll(&c, cab_sweep_segment(&n->s, site->particle),
                                   cab_near_get(n, site->particle, CAB_NEAR_ROUND));
    cab_press_add(sum, site->t, block, force);
    cab_press_add_roll(sum, cab_sym3_select(acts, roll));
}

/* The contacts of a particle. Returns how many there may be. */
CAB_INLINE int cab_near_end_sites(const cab_near *n, int i, int first, cab_near_site sites[2])
{
    sites[0] = cab_near_end_site(n, i, CAB_NEAR_END, first);
    if (n->doubled) sites[1] = cab_near_end_site(n, i, CAB_NEAR_SECOND, first);
    return n->doubled ? 2 : 1;
}

/* The contacts of the segment from particle i to the next one in a pass: those of its second end, that between the ends
 * and, of the first segment, those of its first end. Returns whether there is any. */
CAB_INLINE int cab_near_press(cab_near *n, cab_near_pass *pass, int i, cab_press_sum *sum)
{
    real zero = real_of(0), h = real_of(n->params->h), masses = zero;
    cab_near_site end[2][2], middle;
    int many = 1;
    middle.mass = zero;
    for (int k = i > 0; k < 2; k++) {
        many = cab_near_end_sites(n, i + k, pass->first, end[k]);
        for (int j = 0; j < many; j++) masses = masses + end[k][j].mass;
    }
    if (n->beside) middle = cab_near_middle_site(n, i, pass->first);
    masses = masses + middle.mass;
    if (!real_any(pass->moves & (masses > zero))) return 0;
    real per_mass = real_select(masses > zero, cab_near_get(n, i, CAB_NEAR_PRESSING) * h * h / masses, zero);
    cab_pressed c;
    *sum = cab_press_none();
    for (int k = i > 0; k < 2; k++) {
        for (int j = 0; j < many; j++) {
            vec3 force;
            cab_sym3 block = cab_near_touch(n, pass, &end[k][j], per_mass, &force, &c);
            if (k == 0) sum->a = cab_sym3_add(sum->a, block);
            if (k == 0) sum->force_a = vec3_add(sum->force_a, force);
            if (k == 1) sum->b = cab_sym3_add(sum->b, block);
            if (k == 1) sum->force_b = vec3_add(sum->force_b, force);
        }
    }
    if (n->beside && real_any(pass->moves & (middle.mass > zero)))
        cab_near_touch_middle(n, pass, &middle, per_mass, sum);
    return 1;
}

/* Decides what contacts do before a pass that is not the first; lanes that have settled take no part in it. */
CAB_INLINE void cab_near_decide(cab_near *n, cab_near_pass *pass)
{
    cab_press_sum sum;
    pass->decides = 1;
    pass->adds = 0;
    pass->unsettled = pass->off;
    for (int i = 0; i < n->s.count - 1; i++) cab_near_press(n, pass, i, &sum);
    pass->moves = pass->moves & pass->unsettled;
    pass->decides = 0;
    pass->adds = 1;
}

/* The segment from particle i to the next one in a pass; where a lane's cable has ended, none. */
CAB_INLINE cab_stretch cab_near_stretch(const cab_near *n, const cab_near_pass *pass, int i, real per_h)
{
    const cab_sweep *s = &n->s;
    real zero = real_of(0), lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
    if (pass->first) cab_near_put(n, i, CAB_NEAR_TENSION, 0 - lambda / per_h);
    real last = cab_near_get(n, i, CAB_NEAR_TENSION);
    return cab_stretch_of(cab_sweep_segment(s, i), cab_near_has(n, i + 1),
                          cab_constant(s, i, CAB_CONSTANT_REST), cab_constant(s, i, CAB_CONSTANT_COMPLIANCE),
                          cab_constant(s, i, CAB_CONSTANT_DIAGONAL), last, pass->first ? zero : 0 - lambda);
}

/* A particle's own part of the equations; w: its inverse mass. */
CAB_INLINE cab_stiff_row cab_near_row(const cab_near *n, const cab_near_pass *pass, int i, real w)
{
    real zero = real_of(0), mass = real_select(w > zero, 1 / w, zero);
    cab_stiff_row row = {cab_sym3_of(mass), vec3_zero(), cab_sym3_of(zero)};
    if (pass->first) return row;
    vec3 behind = vec3_sub(cab_near_get3(n, i, CAB_NEAR_INERTIA), cab_slot3(&n->s, i, CAB_SLOT_OFFSET));
    row.residual = vec3_scale(behind, mass);
    return row;
}

/* Eliminates the cables from their start to their end. */
CAB_INLINE void cab_near_condense(cab_near *n, cab_near_pass *pass)
{
    const cab_sweep *s = &n->s;
    real zero = real_of(0), per_h = cab_near_per_h(n);
    cab_stretch before = cab_stretch_none();
    cab_stiff_left left = cab_stiff_left_none();
    cab_press_sum pressed = cab_press_none();
    cab_sym3 coupling = cab_sym3_of(zero);
    int touched = 0;
    for (int i = 0; i < s->count; i++) {
        real w = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
        cab_stiff_row row = cab_near_row(n, pass, i, w);
        cab_stiff_before b = cab_look_back(&before, coupling, &left, cab_near_none());
        cab_stiff_add_before(&row, &before);
        if (touched) {
            row.diagonal = cab_sym3_add(row.diagonal, pressed.b);
            row.residual = vec3_add(row.residual, pressed.force_b);
        }
        touched = 0;
        if (i < s->count - 1) {
            before = cab_near_stretch(n, pass, i, per_h);
            cab_stiff_add_after(&row, &before);
            touched = cab_near_press(n, pass, i, &pressed);
            cab_near_put3(n, i, CAB_NEAR_UNIT, before.u);
            cab_near_put(n, i, CAB_NEAR_LENGTH, before.length);
        }
        if (touched) {
            row.diagonal = cab_sym3_add(row.diagonal, pressed.a);
            row.residual = vec3_add(row.residual, pressed.force_a);
            row.coupling = cab_sym3_sub(row.coupling, pressed.between);
        }
        left = cab_stiff_eliminate(row, &b, w > zero, cab_near_none());
        coupling = row.coupling;
        cab_sym3_apart_put(cab_near_at(n, i, CAB_NEAR_COUPLING), s->apart, coupling);
        cab_sym3_apart_put(cab_near_at(n, i, CAB_NEAR_INVERSE), s->apart, left.inverse);
        cab_near_put3(n, i, CAB_NEAR_Y, left.y);
        cab_near_put3(n, i, CAB_NEAR_Z, left.z);
        cab_near_put(n, i, CAB_NEAR_PULL, left.pull);
    }
}

/* Tensions and places, from the end to the start, in the lanes of the pass. */
CAB_INLINE void cab_near_substitute(cab_near *n, cab_near_pass *pass)
{
    const cab_sweep *s = &n->s;
    real zero = real_of(0), tension = zero;
    vec3 next = vec3_zero();
    real_mask off = cab_near_none(), lost = off;
    for (int i = s->count - 1; i >= 0; i--) {
        vec3 u = cab_near_get3(n, i, CAB_NEAR_UNIT), follows = vec3_zero();
        vec3 moved = cab_near_get3(n, i, CAB_NEAR_Z);
        if (i < s->count - 1) {
            follows = vec3_add_scaled(
                cab_sym3_times(cab_sym3_apart(cab_near_at(n, i, CAB_NEAR_COUPLING), s->apart), next), tension,
                u);
            moved =
                vec3_add(moved, cab_sym3_times(cab_sym3_apart(cab_near_at(n, i, CAB_NEAR_INVERSE), s->apart),
                                               follows));
            real lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
            real total = (pass->first ? zero : lambda) - tension;
            cab_slot_put(s, i, CAB_SLOT_LAMBDA, real_select(pass->moves, total, lambda));
            vec3 r = vec3_scale(u, cab_near_get(n, i, CAB_NEAR_LENGTH));
            r = vec3_add(r, vec3_sub(next, moved));
            real wanted =
                cab_constant(s, i, CAB_CONSTANT_REST) - cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * total;
            off = cab_length_off(off, r, wanted);
            lost = lost | (cab_near_has(n, i + 1) &
                           cab_length_off_by(cab_near_none(), r, wanted, real_of(CAB_STIFF_LOST)));
        }
        if (i > 0)
            tension = cab_near_get(n, i, CAB_NEAR_PULL) + vec3_dot(cab_near_get3(n, i, CAB_NEAR_Y), follows);
        vec3 e = cab_slot3(s, i, CAB_SLOT_OFFSET);
        real_mask free = pass->moves & (cab_constant(s, i, CAB_CONSTANT_WEIGHT) > zero);
        cab_slot3_put(s, i, CAB_SLOT_OFFSET, vec3_select(free, vec3_add(e, moved), e));
        next = moved;
    }
    pass->off = pass->moves & off;
    pass->lost = (pass->moves & lost) | (real_not(pass->moves) & pass->lost);
}

/* The normal force of a contact at the substep's end, kg m. Of a lane that has settled it is noted already. */
CAB_INLINE real cab_near_force(cab_near *n, const cab_near_pass *pass, const cab_near_site *site)
{
    real zero = real_of(0);
    cab_pressed c = cab_near_load(n, site);
    real lambda = cab_press_normal(&c, c.gap + vec3_dot(c.n, site->slide));
    lambda = real_select(pass->moves, lambda, c.lambda);
    lambda = real_select(n->near & (site->mass > zero), lambda, zero);
    real kept = real_select(n->done, cab_near_get(n, site->particle, site->slot + CAB_SITE_LAMBDA), lambda);
    cab_near_put(n, site->particle, site->slot + CAB_SITE_LAMBDA, kept);
    n->pressed = n->pressed | (lambda > zero);
    return lambda;
}

/* Notes the normal forces at the substep's end, and where colliders press. */
CAB_INLINE void cab_near_forces(cab_near *n, const cab_near_pass *pass)
{
    real per_h = real_of(n->params->inverse_h);
    for (int i = 0; i < n->s.count - 1; i++) {
        real total = real_of(0);
        for (int k = i > 0; k < 2; k++) {
            cab_near_site end[2];
            int many = cab_near_end_sites(n, i + k, 0, end);
            for (int j = 0; j < many; j++) total = total + cab_near_force(n, pass, &end[j]);
        }
        if (n->beside) {
            cab_near_site middle = cab_near_middle_site(n, i, 0);
            total = total + cab_near_force(n, pass, &middle);
        }
        cab_near_put(n, i, CAB_NEAR_PRESSING, total * per_h * per_h);
    }
}

/* Passes of the cables that touch something. */
CAB_INLINE void cab_near_passes(cab_near *n)
{
    int total = n->params->contact_passes, last = total + CAB_NEWTON_PASSES - 1;
    cab_near_pass pass;
    pass.moves = n->near;
    pass.off = pass.lost = cab_near_none();
    for (int k = 0; k < last; k++) {
        pass.first = k == 0;
        pass.damped = k == 0 || (k >= CAB_NEAR_UNDAMPED && k >= total - 1);
        pass.decides = pass.adds = 1;
        if (k > 0) cab_near_decide(n, &pass);
        if (!real_any(pass.moves)) break;
        cab_near_condense(n, &pass);
        cab_near_substitute(n, &pass);
    }
    cab_near_forces(n, &pass);
    n->failed = n->failed | (n->near & pass.lost);
}

/* Of `off` the lanes in which a length is off by so much that it cannot be met. */
CAB_INLINE real_mask cab_near_lost(const cab_near *n, real_mask off)
{
    const cab_sweep *s = &n->s;
    real_mask lost = cab_near_none();
    for (int i = 0; i < s->count - 1; i++) {
        real wanted = cab_constant(s, i, CAB_CONSTANT_REST) -
                      cab_constant(s, i, CAB_CONSTANT_COMPLIANCE) * cab_slot(s, i, CAB_SLOT_LAMBDA);
        real_mask here =
            cab_length_off_by(cab_near_none(), cab_sweep_segment(s, i), wanted, real_of(CAB_STIFF_LOST));
        lost = lost | (here & cab_near_has(n, i + 1));
    }
    return lost & off;
}

/* Lengths of the cables that touch nothing, as in cab_sweep_lengths. */
CAB_INLINE void cab_near_lengths(cab_near *n)
{
    const cab_sweep *s = &n->s;
    real_mask todo = real_not(n->near | n->done), off = todo;
    cab_sweep_weigh(s);
    for (int i = 0; i < s->count; i++) {
        real lambda = cab_slot(s, i, CAB_SLOT_LAMBDA);
        cab_slot_put(s, i, CAB_SLOT_LAMBDA, real_select(todo, real_of(0), lambda));
    }
    for (int pass = 1; pass <= CAB_NEWTON_PASSES && real_any(off); pass++) {
        cab_sweep_eliminate(s, 1, off);
        real_mask still = cab_sweep_project(s, 1, off) & off;
        off = pass == 1 ? still | (n->slowed & todo) : still;
    }
    if (real_any(off)) n->failed = n->failed | cab_near_lost(n, off);
    if (!real_any(off | n->slowed)) return;
    cab_sweep_slow(s, off);
    n->slowed = cab_sweep_weigh(s);
}

/* A substep, predicted already. */
CAB_INLINE void cab_near_solve(cab_near *n)
{
    real zero = real_of(0);
    n->pressed = n->done = n->near = cab_near_none();
    if (real_any(n->rests)) n->done = cab_near_rest(n);
    if (!real_any(real_not(n->done))) {
        n->doubled = 0;
        return;
    }
    cab_near_bend(n);
    cab_near_find(n);
    if (real_any(n->near)) {
        cab_near_passes(n);
    } else {
        for (int i = 0; i < n->s.count; i++) {
            real lambda = cab_near_get(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA);
            cab_near_put(n, i, CAB_NEAR_PRESSING, zero);
            cab_near_put(n, i, CAB_NEAR_END + CAB_SITE_LAMBDA, real_select(n->done, lambda, zero));
        }
    }
    if (real_any(real_not(n->near | n->done))) {
        cab_near_lengths(n);
    } else if (real_any(n->slowed)) {
        n->slowed = cab_near_none();
        cab_sweep_slow(&n->s, n->slowed);
    }
}

/* ---- measures ---- */

/* The deepest overlap of each lane's cable, m, and how many places of it touch. */
typedef struct cab_near_depth {
    real deepest, touching;
} cab_near_depth;

CAB_INLINE void cab_near_deepen(const cab_near *n, cab_near_depth *d, real_mask in, real distance)
{
    real zero = real_of(0), depth = n->radius - distance;
    d->deepest = real_max(d->deepest, real_select(in, depth, zero));
    real_mask touches = in & (depth > -CAB_MARGIN * n->radius);
    d->touching = d->touching + real_select(touches, real_of(1), zero);
}

/* How far a stretch is outside of a collider, at the nearest place of it. */
CAB_INLINE real cab_near_beside(const cab_near *n, const cab_solid *c, int i)
{
    cab_near_span span = cab_near_span_of(n, c, i, CAB_SLOT_RESIDUAL);
    real zero = real_of(0), one = real_of(1);
    real ends = real_min(cab_near_outside(c, &span, zero).distance, cab_near_outside(c, &span, one).distance);
    real_mask can = real_not(cab_near_none());
    if (c->shape == CAB_SHAPE_IS_PLANE) return ends;
    real t = cab_near_place(c, &span, n->radius * (1 + CAB_MARGIN), &can);
    return real_select(can, cab_near_outside(c, &span, t).distance, ends);
}

/* Of a collider that is listed. between: of stretches, too */
CAB_INLINE void cab_near_measure_one(const cab_near *n, cab_near_depth *d, const cab_near_listed *one,
                                     int between)
{
    const cab_sweep *s = &n->s;
    for (int i = 0; i < s->count; i++) {
        vec3 x = cab_slot3(s, i, CAB_SLOT_POSITION), r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
        real_mask in = one->in & cab_near_has(n, i) & cab_near_touches_end(n, one->number, i);
        cab_near_deepen(n, d, in, cab_outside_solid(&one->c, x, r).distance);
        if (!between || i == s->count - 1) continue;
        in = one->in & cab_near_has(n, i + 1) & cab_near_touches(n, one->number, i);
        cab_near_deepen(n, d, in, cab_near_beside(n, &one->c, i));
    }
}

CAB_INLINE cab_near_depth cab_near_measure(const cab_near *n)
{
    cab_near_depth d = {real_of(0), real_of(0)};
    for (int k = 0; k < n->params->collider_count; k++) {
        int kinds = cab_near_kinds(n, k), between = n->collider[k].shape != CAB_SHAPE_IS_PLANE;
        for (int kind = CAB_NEAR_WHOLE; kind < kinds; kind++) {
            cab_near_listed one;
            if (cab_near_listed_as(n, k, kind, &one)) cab_near_measure_one(n, &d, &one, between);
        }
    }
    return d;
}

#endif

/* What cables in lanes may touch in a frame, and their contacts in a substep. */
#ifndef CAB_NEAR_FIND_H
#define CAB_NEAR_FIND_H

#include "near.h"

/* ---- which colliders ---- */

/* The ways in which a collider may be listed, from CAB_NEAR_WHOLE on. */
CAB_INLINE int cab_near_kinds(const cab_near *n, int collider)
{
    return n->collider[collider].shape == CAB_SHAPE_IS_BOX ? CAB_NEAR_FACE + CAB_NEAR_FACES : CAB_NEAR_FACE;
}

/* The lanes that list a collider as `kind`. */
CAB_INLINE real_mask cab_near_lists(const cab_near *n, int collider, int kind)
{
    return n->listed[CAB_NEAR_LISTED * collider * n->s.apart] == real_of((float)kind);
}

/* Coulomb coefficient of a collider that is listed and the cables */
CAB_INLINE real cab_near_friction(const cab_near *n, int collider)
{
    return n->listed[(CAB_NEAR_LISTED * collider + 1) * n->s.apart];
}

/* The lanes in which a segment touches a collider. */
CAB_INLINE real_mask cab_near_touches(const cab_near *n, int collider, int segment)
{
    if (!n->partial) return real_not(cab_near_none());
    global const real_memory *part = n->listed + (CAB_NEAR_LISTED * collider + 2) * n->s.apart;
    real at = real_of((float)segment);
    return real_not((at < part[0]) | real_not(at < part[n->s.apart]));
}

/* The same of a particle, whose contact is that of the segment before it; of the first one, that of the first segment. */
CAB_INLINE real_mask cab_near_touches_end(const cab_near *n, int collider, int particle)
{
    return cab_near_touches(n, collider, particle > 0 ? particle - 1 : 0);
}

/* The plane of a face of a box. face: 2 axis + side */
CAB_INLINE void cab_near_take_face(cab_solid *c, int face)
{
    int axis = face >> 1;
    real w = c->qw, x = c->qx, y = c->qy, z = c->qz, extent = axis == 0 ? c->tx : axis == 1 ? c->ty : c->tz;
    float side = face & 1 ? 1.0f : -1.0f; /* times a column of the rotation's matrix */
    c->tx = side * (axis == 0   ? 1 - 2 * (y * y + z * z)
                    : axis == 1 ? 2 * (x * y - w * z)
                                : 2 * (x * z + w * y));
    c->ty = side * (axis == 0   ? 2 * (x * y + w * z)
                    : axis == 1 ? 1 - 2 * (x * x + z * z)
                                : 2 * (y * z - w * x));
    c->tz = side * (axis == 0   ? 2 * (x * z - w * y)
                    : axis == 1 ? 2 * (y * z + w * x)
                                : 1 - 2 * (x * x + y * y));
    c->cx = c->cx + extent * c->tx;
    c->cy = c->cy + extent * c->ty;
    c->cz = c->cz + extent * c->tz;
    c->shape = CAB_SHAPE_IS_PLANE;
}

/* What cab_solid has of a collider, in this order. */
CAB_INLINE void cab_near_solid_numbers(global const cab_collider *c, float to[CAB_NEAR_SOLID])
{
    to[0] = c->radius;
    to[1] = c->cx, to[2] = c->cy, to[3] = c->cz;
    to[4] = c->tx, to[5] = c->ty, to[6] = c->tz;
    to[7] = c->qw, to[8] = c->qx, to[9] = c->qy, to[10] = c->qz;
    to[11] = c->mx, to[12] = c->my, to[13] = c->mz;
    to[14] = c->rw, to[15] = c->rx, to[16] = c->ry, to[17] = c->rz;
}

/* The same back, of a collider as each lane has it. */
CAB_INLINE cab_solid cab_near_solid(const cab_near *n, int collider)
{
    global const real_memory *from = n->solids + CAB_NEAR_SOLID * collider * n->s.apart;
    int apart = n->s.apart;
    cab_solid c;
    c.shape = n->collider[collider].shape;
    c.moves = n->collider_path ? n->collider_path[n->step * n->params->collider_count + collider].moves : 0;
    c.radius = from[0];
    c.cx = from[apart], c.cy = from[2 * apart], c.cz = from[3 * apart];
    c.tx = from[4 * apart], c.ty = from[5 * apart], c.tz = from[6 * apart];
    c.qw = from[7 * apart], c.qx = from[8 * apart], c.qy = from[9 * apart], c.qz = from[10 * apart];
    c.mx = from[11 * apart], c.my = from[12 * apart], c.mz = from[13 * apart];
    c.rw = from[14 * apart], c.rx = from[15 * apart], c.ry = from[16 * apart], c.rz = from[17 * apart];
    return c;
}

/* Where the colliders of all lanes are the same and move: those of the substep. */
CAB_INLINE void cab_near_move_solids(const cab_near *n)
{
    for (int k = 0; k < n->params->collider_count; k++) {
        float number[CAB_NEAR_SOLID];
        cab_near_solid_numbers(&n->collider_path[n->step * n->params->collider_count + k], number);
        for (int i = 0; i < CAB_NEAR_SOLID; i++)
            n->solids[(CAB_NEAR_SOLID * k + i) * n->s.apart] = real_of(number[i]);
    }
}

/* What cables touch of a collider that is listed as `kind`, as it is at the end of the substep. */
CAB_INLINE cab_solid cab_near_collider(const cab_near *n, int collider, int kind)
{
    cab_solid c = cab_near_solid(n, collider);
    if (kind >= CAB_NEAR_FACE) cab_near_take_face(&c, kind - CAB_NEAR_FACE);
    return c;
}

/* A collider that is listed. */
typedef struct cab_near_listed {
    cab_solid c; /* what of it is touched */
    int number;
    real friction; /* Coulomb coefficient */
    real_mask in;  /* the lanes */
} cab_near_listed;

/* Does any lane list a collider as `kind`? */
CAB_INLINE int cab_near_listed_as(const cab_near *n, int collider, int kind, cab_near_listed *out)
{
    out->in = cab_near_lists(n, collider, kind);
    if (!real_any(out->in)) return 0;
    out->c = cab_near_collider(n, collider, kind);
    out->number = collider;
    out->friction = cab_near_friction(n, collider);
    return 1;
}

/* No more than how far a place is outside of a collider of any shape. flange: of a sheave */
CAB_INLINE real cab_near_bound(const cab_solid *c, float flange, vec3 x, vec3 e)
{
    vec3 p = cab_from_collider(c, x, e);
    if (c->shape == CAB_SHAPE_IS_MESH) return cab_outside_ball(p, c->radius).distance;
    if (c->shape == CAB_SHAPE_IS_SHEAVE)
        return cab_outside_ball(cab_from_axis(c, p), real_of(flange)).distance;
    return cab_outside_solid(c, x, e).distance;
}

/* The lanes in which a collider that moves by `way` in this frame is out of reach. */
CAB_INLINE real_mask cab_near_is_far(const cab_near *n, int collider, const cab_solid *c, float way)
{
    const cab_sweep *s = &n->s;
    int group = n->collider[collider].group;
    real least = real_of(CAB_FAR_NOTHING), zero = real_of(0);
    for (int i = 0; i < s->count; i++) {
        vec3 x = cab_slot3(s, i, CAB_SLOT_POSITION);
        real distance =
            cab_near_bound(c, n->collider[collider].flange, x, cab_slot3(s, i, CAB_SLOT_RESIDUAL));
        real rest = real_select(cab_near_has(n, i + 1), cab_constant(s, i, CAB_CONSTANT_REST), zero);
        if (c->shape != CAB_SHAPE_IS_PLANE)
            distance = distance - rest; /* a stretch is nearer by half of it */
        real_mask counts = cab_near_has(n, i);
        counts = counts & (cab_near_touches_end(n, collider, i) | cab_near_touches(n, collider, i));
        least = real_min(least, real_select(counts, distance, least));
    }
    real_mask far = least > 2 * n->radius + n->reach + way;
    if (group >= 0) far = far | (n->group != real_of((float)group));
    return far;
}

/* As what each lane lists a box that stays where it is: as the plane of a face, where the whole cable stays over the inside of that
 * face in this frame, whatever it does. */
CAB_INLINE real cab_near_kind_of_box(const cab_near *n, const cab_solid *c)
{
    real nothing = real_of(CAB_FAR_NOTHING), kind = real_of(CAB_NEAR_WHOLE);
    /* how far beyond the faces of an axis it is at most, and beyond a face at least */
    real beside[3], above[CAB_NEAR_FACES];
    for (int f = 0; f < CAB_NEAR_FACES; f++) {
        beside[f >> 1] = 0 - nothing;
        above[f] = nothing;
    }
    for (int i = 0; i < n->s.count; i++) {
        vec3 x = cab_slot3(&n->s, i, CAB_SLOT_POSITION), e = cab_slot3(&n->s, i, CAB_SLOT_RESIDUAL);
        vec3 p = cab_box_turn(c, -1, cab_from_collider(c, x, e));
        real at[3] = {p.x, p.y, p.z};
        real extent[3] = {c->tx, c->ty, c->tz};
        for (int f = 0; f < CAB_NEAR_FACES; f++) {
            real beyond = (f & 1 ? at[f >> 1] : 0 - at[f >> 1]) - extent[f >> 1];
            real_mask has = cab_near_has(n, i);
            beside[f >> 1] = real_select(has, real_max(beside[f >> 1], beyond), beside[f >> 1]);
            above[f] = real_select(has, real_min(above[f], beyond), above[f]);
        }
    }
    real room = 0 - (n->reach + 2 * n->radius);
    for (int f = 0; f < CAB_NEAR_FACES; f++) {
        int axis = f >> 1, second = axis == 0, third = axis == 2 ? 1 : 2;
        real_mask over = (beside[second] < room) & (beside[third] < room) & (above[f] > 0 - n->radius);
        kind = real_select(over, real_of((float)(CAB_NEAR_FACE + f)), kind);
    }
    return kind;
}

/* Notes that a collider is listed. moves: it does in this frame; count: how many were listed before */
CAB_INLINE void cab_near_note_listed(cab_near *n, const cab_near_listed *one, int moves, int count)
{
    int flat = one->c.shape == CAB_SHAPE_IS_PLANE;
    n->single = count == 0 && flat && !moves ? one->number : -1;
    if (n->single >= 0) n->plane = one->c;
    if (n->single >= 0) n->at_plane = one->in;
    n->moves |= moves;
    n->beside |= !flat;
    if (moves || !flat) n->planes = n->planes & real_not(one->in);
}

/* Lists what comes into question in the frame. Lanes that come near a collider that is unknown here fail. */
CAB_INLINE void cab_near_list(cab_near *n)
{
    int listed_count = 0;
    n->beside = n->moves = n->doubled = n->step = 0;
    n->single = -1;
    n->planes = real_not(cab_near_none());
    n->failed = cab_near_none();
    n->hurried = real_of(0);
    n->shortest = real_of(CAB_FAR_NOTHING);
    for (int i = 0; i < n->s.count - 1; i++) {
        real rest = cab_constant(&n->s, i, CAB_CONSTANT_REST);
        n->shortest = real_select(cab_near_has(n, i + 1), real_min(n->shortest, rest), n->shortest);
    }
    for (int k = 0; k < n->params->collider_count; k++) {
        cab_solid c = cab_near_solid(n, k);
        float way = n->collider_path ? n->collider_path[k].way : 0;
        int known = c.shape != CAB_SHAPE_IS_MESH && c.shape != CAB_SHAPE_IS_SHEAVE;
        real_mask far = cab_near_is_far(n, k, &c, way);
        real kind = real_of(CAB_NEAR_WHOLE);
        if (c.shape == CAB_SHAPE_IS_BOX && !(way > 0) && real_any(real_not(far)))
            kind = cab_near_kind_of_box(n, &c);
        if (!known) n->failed = n->failed | real_not(far);
        if (!known) far = real_not(cab_near_none());
        n->listed[CAB_NEAR_LISTED * k * n->s.apart] = real_select(far, real_of(CAB_NEAR_FAR), kind);
        global real_memory *friction = n->listed + (CAB_NEAR_LISTED * k + 1) * n->s.apart;
        *friction = real_sqrt(n->friction * *friction);
        for (int as = CAB_NEAR_WHOLE; as < cab_near_kinds(n, k); as++) {
            cab_near_listed one;
            if (cab_near_listed_as(n, k, as, &one)) cab_near_note_listed(n, &one, way > 0, listed_count++);
        }
    }
}

/* ---- contacts ---- */

/* A contact that is found. */
typedef struct cab_near_contact {
    cab_outside at;
    real before;   /* the distance for an offset of 0, m */
    vec3 start;    /* offset at the start of the substep, as if the collider had carried the place along, */
    vec3 surface;  /* and how much of that the collider has */
    real friction; /* Coulomb coefficient */
} cab_near_contact;

/* Writes a contact in the lanes `hit`. */
CAB_INLINE void cab_near_write(const cab_near *n, int i, int site, real_mask hit, const cab_near_contact *c)
{
    real zero = real_of(0), gap = c->before - n->radius;
    real allowed = real_min(zero, gap + vec3_dot(c->at.normal, c->start) + n->params->push_out);
    vec3 normal = vec3_select(hit, c->at.normal, cab_near_get3(n, i, site + CAB_SITE_NORMAL));
    cab_near_put3(n, i, site + CAB_SITE_NORMAL, normal);
    cab_near_put(n, i, site + CAB_SITE_GAP,
                 real_select(hit, gap - allowed, cab_near_get(n, i, site + CAB_SITE_GAP)));
    cab_near_put(n, i, site + CAB_SITE_FRICTION,
                 real_select(hit, c->friction, cab_near_get(n, i, site + CAB_SITE_FRICTION)));
    cab_near_put(n, i, site + CAB_SITE_LAMBDA,
                 real_select(hit, zero, cab_near_get(n, i, site + CAB_SITE_LAMBDA)));
    cab_near_put(n, i, site + CAB_SITE_STATE, zero);
    cab_near_put3(n, i, site + CAB_SITE_WAY, vec3_zero());
    if (!n->moves) return;
    vec3 surface = vec3_select(hit, c->surface, cab_near_get3(n, i, site + CAB_SITE_SURFACE));
    cab_near_put3(n, i, site + CAB_SITE_SURFACE, surface);
}

/* A particle that has a contact has room for another one, a stretch has not. */
CAB_INLINE void cab_near_write_second(cab_near *n, int i, int site, real_mask hit, const cab_near_contact *c)
{
    if (site != CAB_NEAR_END) {
        n->failed = n->failed | hit;
        return;
    }
    for (int k = 0; k < n->s.count && !n->doubled; k++)
        cab_near_put(n, k, CAB_NEAR_SECOND + CAB_SITE_FRICTION, real_of(-1));
    n->doubled = 1;
    n->failed = n->failed | (hit & cab_near_present(n, i, CAB_NEAR_SECOND));
    cab_near_write(n, i, CAB_NEAR_SECOND, hit, c);
}

/* Notes a contact where `hit` says. */
CAB_INLINE void cab_near_note(cab_near *n, int i, int site, real_mask hit, const cab_near_contact *c)
{
    real_mask taken = hit & cab_near_present(n, i, site);
    cab_near_write(n, i, site, hit & real_not(taken), c);
    if (real_any(taken)) cab_near_write_second(n, i, site, taken, c);
    n->near = n->near | hit;
}

/* The way in a substep from which on what is near a collider would have to be swept, or cut into pieces. */
CAB_INLINE real cab_near_limit(const cab_near *n)
{
    return n->params->near_fast * n->radius;
}

/* The square of the way in a substep that counts: only on the way towards a plane can anything pass it. What slides along something
 * else comes nearer only as that bends away, so at least a share of its way counts. */
CAB_INLINE real cab_near_square(const cab_solid *c, const cab_outside *o, vec3 way)
{
    real nearer = real_min(vec3_dot(o->normal, way), real_of(0)), square = nearer * nearer;
    if (c->shape == CAB_SHAPE_IS_PLANE) return square;
    return real_max(square, vec3_dot(way, way) * (CAB_PACE_ALONG * CAB_PACE_ALONG));
}

/* Notes how fast something near a collider is. o: where it is predicted, way: it has come there */
CAB_INLINE void cab_near_judge_speed(cab_near *n, real_mask in, const cab_solid *c, const cab_outside *o,
                                     vec3 way)
{
    real limit = cab_near_limit(n), square = cab_near_square(c, o, way);
    real_mask fast = in & real_not(square < limit * limit);
    int hurries = real_any(fast);
    if (!hurries && n->pieces == 1) return;
    real reach = (1 + CAB_MARGIN) * n->radius + real_sqrt(vec3_dot(way, way));
    real_mask beside = in & real_not(o->distance > reach);
    n->hurried = real_select(beside, real_max(n->hurried, square / (limit * limit)), n->hurried);
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

/* Where a place that started the substep at the offset e would be if a collider had carried it along. x: its position */
CAB_INLINE vec3 cab_near_start(const cab_solid *c, vec3 x, vec3 e)
{
    return c->moves ? cab_carried(c, x, e) : e;
}

/* Contacts of the particles with a collider. */
CAB_INLINE void cab_near_find_ends(cab_near *n, const cab_near_listed *one)
{
    const cab_sweep *s = &n->s;
    const cab_solid *c = &one->c;
    for (int i = 0; i < s->count; i++) {
        vec3 e = cab_slot3(s, i, CAB_SLOT_OFFSET), began = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
        vec3 x = cab_slot3(s, i, CAB_SLOT_POSITION), start = cab_near_start(c, x, began);
        cab_outside o = cab_outside_solid(c, x, e);
        real_mask here = one->in & cab_near_touches_end(n, one->number, i);
        here = here & cab_near_in(n, i) & (cab_constant(s, i, CAB_CONSTANT_WEIGHT) > real_of(0));
        real reach = n->radius * (1 + CAB_MARGIN);
        vec3 way = vec3_sub(e, start);
        if (c->shape == CAB_SHAPE_IS_PLANE) reach = cab_near_reach_fast(n, reach, way);
        if (c->shape != CAB_SHAPE_IS_PLANE || n->params->near_fast < n->params->fast)
            cab_near_judge_speed(n, here, c, &o, way);
        real_mask hit = here & (o.distance < reach);
        if (!real_any(hit)) continue;
        cab_near_contact found = {o, cab_distance_before(c, &o, x, e), start, vec3_sub(start, began),
                                  one->friction};
        cab_near_note(n, i, CAB_NEAR_END, hit, &found);
    }
}

/* A stretch from a particle to the next one, and where it is of a collider. */
typedef struct cab_near_span {
    vec3 x, y, e, f;       /* positions and offsets of its ends, */
    vec3 start_x, start_y; /* and these at the start of the substep, as cab_near_start has them */
    vec3 u;                /* from one end to the other */
} cab_near_span;

CAB_INLINE cab_near_span cab_near_span_of(const cab_near *n, const cab_solid *c, int i, int offset)
{
    const cab_sweep *s = &n->s;
    cab_near_span span;
    span.x = cab_slot3(s, i, CAB_SLOT_POSITION);
    span.y = cab_slot3(s, i + 1, CAB_SLOT_POSITION);
    span.e = cab_slot3(s, i, offset);
    span.f = cab_slot3(s, i + 1, offset);
    span.start_x = cab_near_start(c, span.x, cab_slot3(s, i, CAB_SLOT_RESIDUAL));
    span.start_y = cab_near_start(c, span.y, cab_slot3(s, i + 1, CAB_SLOT_RESIDUAL));
    span.u = cab_between(span.x, span.e, span.y, span.f);
    return span;
}

CAB_INLINE cab_outside cab_near_outside(const cab_solid *c, const cab_near_span *span, real t)
{
    return cab_outside_solid(c, vec3_mix(span->x, span->y, t), vec3_mix(span->e, span->f, t));
}

#define CAB_NEAR_HALVINGS 14 /* 2^-14 = 6e-5 of a stretch */

/* The place on a stretch that is nearest to a collider, and the lanes in which something between the ends may be nearer than they are, and
 * than `reach`: elsewhere the place may be any. */
CAB_INLINE real cab_near_place(const cab_solid *c, const cab_near_span *span, real reach, real_mask *can)
{
    real low = real_of(0), high = real_of(1);
    vec3 centre = vec3_sub(vec3_sub(cab_collider_place(c), span->x), span->e), v = cab_collider_axis(c);
    real per_uu = cab_inverse_square(span->u);
    if (c->shape == CAB_SHAPE_IS_CAPSULE)
        return cab_closest_segments(centre, span->u, v, per_uu, cab_inverse_square(v)).s;
    if (!CAB_IS_CONVEX(c)) return real_clamp(vec3_dot(span->u, centre) * per_uu, low, high);
    cab_outside a = cab_near_outside(c, span, low), b = cab_near_outside(c, span, high);
    *can = *can & cab_between_can_count(&a, &b, span->u, reach);
    if (!real_any(*can)) return low;
    CAB_ROLLED
    for (int k = 0; k < CAB_NEAR_HALVINGS; k++) {
        real middle = 0.5f * (low + high);
        real_mask falls = vec3_dot(cab_near_outside(c, span, middle).normal, span->u) < real_of(0);
        low = real_select(falls, middle, low);
        high = real_select(falls, high, middle);
    }
    return 0.5f * (low + high);
}

CAB_INLINE real_mask cab_near_is_between(real t)
{
    return (t > real_of(0.001f)) & (t < real_of(0.999f));
}

/* Contacts with a collider between particles. They count where they lie deeper than both of them. */
CAB_INLINE void cab_near_find_between(cab_near *n, const cab_near_listed *one)
{
    const cab_sweep *s = &n->s;
    const cab_solid *c = &one->c;
    for (int i = 0; i < s->count - 1; i++) {
        cab_near_span span = cab_near_span_of(n, c, i, CAB_SLOT_OFFSET);
        real w_a = cab_constant(s, i, CAB_CONSTANT_WEIGHT), w_b = cab_constant(s, i + 1, CAB_CONSTANT_WEIGHT);
        real_mask here = one->in & cab_near_touches(n, one->number, i);
        here = here & cab_near_in(n, i + 1) & (w_a + w_b > real_of(0));
        vec3 way_a = vec3_sub(span.e, span.start_x), way_b = vec3_sub(span.f, span.start_y);
        real most = real_sqrt(real_max(vec3_dot(way_a, way_a), vec3_dot(way_b, way_b)));
        real t = cab_near_place(c, &span, (1 + CAB_MARGIN) * n->radius + most, &here);
        if (!real_any(here)) continue;
        vec3 end = vec3_mix(span.e, span.f, t), start = vec3_mix(span.start_x, span.start_y, t);
        cab_outside o = cab_near_outside(c, &span, t);
        cab_near_judge_speed(n, here, c, &o, vec3_sub(end, start));
        real_mask hit = here & (o.distance < n->radius * (1 + CAB_MARGIN)) & cab_near_is_between(t);
        if (!real_any(hit)) continue;
        real beside = real_min(cab_near_outside(c, &span, real_of(0)).distance,
                               cab_near_outside(c, &span, real_of(1)).distance);
        hit = hit & (o.distance < beside - 1e-3f * n->radius);
        if (!real_any(hit)) continue;
        cab_near_put(n, i, CAB_NEAR_PLACE, real_select(hit, t, cab_near_get(n, i, CAB_NEAR_PLACE)));
        cab_near_put(n, i, CAB_NEAR_ROUND,
                     real_select(hit, n->radius + c->radius, cab_near_get(n, i, CAB_NEAR_ROUND)));
        vec3 began = vec3_mix(cab_slot3(s, i, CAB_SLOT_RESIDUAL), cab_slot3(s, i + 1, CAB_SLOT_RESIDUAL), t);
        cab_near_contact found = {o, o.distance - vec3_dot(o.normal, end), start, vec3_sub(start, began),
                                  one->friction};
        cab_near_note(n, i, CAB_NEAR_MIDDLE, hit, &found);
    }
}

/* The contacts of a substep. */
CAB_INLINE void cab_near_find(cab_near *n)
{
    n->near = cab_near_none();
    n->doubled = 0;
    for (int k = 0; k < n->params->collider_count; k++) {
        int kinds = cab_near_kinds(n, k);
        for (int kind = CAB_NEAR_WHOLE; kind < kinds; kind++) {
            cab_near_listed one;
            if (!cab_near_listed_as(n, k, kind, &one)) continue;
            cab_near_find_ends(n, &one);
            if (one.c.shape != CAB_SHAPE_IS_PLANE && n->params->touch_between) cab_near_find_between(n, &one);
        }
    }
}

#endif

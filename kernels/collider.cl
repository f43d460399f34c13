/* collider: contacts of segments with planes, spheres, capsules, boxes, cylinders, sheaves and meshes. A segment may touch with
 * each end that it owns and with a point between the ends; that point counts only when it lies deeper than
 * both ends.
 */
#include "collide.h"
#include "grip.h"
#include "rows.h"
#include "touch.h"

/* Is a point between the ends deeper than both of them? A mesh edge does not touch ends. */
CAB_INLINE int cab_between_counts(const cab_collider *c, const cab_rod *r, real s, real tau, real distance,
                                  real radius)
{
    if (s < 0.001f || s > 0.999f) return 0; /* the end itself */
    if (CAB_IS_EDGE(c)) return 1;
    real at_ends = 0;
    CAB_ROLLED
    for (int end = 0; end < 2; end++) {
        vec3 e = end ? vec3_mix(r->start_b, r->end_b, tau) : vec3_mix(r->start_a, r->end_a, tau);
        real here = cab_outside_collider(c, end ? r->x_b : r->x_a, e).distance;
        at_ends = end ? real_min(at_ends, here) : here;
    }
    return distance < at_ends - 1e-3f * radius;
}

/* Can a point between the ends of a rod count, at tau = 1? A search is long, and this is what it mostly finds. */
CAB_INLINE int cab_rod_can_count(const cab_collider *c, const cab_rod *r, real radius)
{
    if (!CAB_IS_SEARCHED(c)) return 1;
    vec3 u = cab_between(r->x_a, r->end_a, r->x_b, r->end_b);
    real reach = radius * (1 + CAB_MARGIN);
    if (!CAB_IS_CONVEX(c)) /* the distance changes by no more than the way */
        return cab_searched_at(c, r, r->end_a, r->end_b, 0.5f) - 0.5f * vec3_length(u) < reach;
    cab_outside at[2];
    CAB_ROLLED
    for (int end = 0; end < 2; end++)
        at[end] =
            cab_outside_searched(cab_from_collider(c, end ? r->x_b : r->x_a, end ? r->end_b : r->end_a), c);
    return cab_between_can_count(&at[0], &at[1], u, reach);
}

/* guard: only where the rod moves so fast that other corrections can have pulled it through. */
CAB_INLINE int cab_find_collision(const cab_collider *c, const cab_meshes *mesh, const cab_rod *r, int place,
                                  real radius, global const cab_params *params, real old, int guard,
                                  cab_contact *out)
{
    int fast = r->moved > params->fast * radius;
    real moved = r->moved, s, tau = fast ? 0 : 1, limit = 0;
    cab_outside o;
    if (guard && !fast) return 0;
    if (place == 2 && !fast && !cab_rod_can_count(c, r, radius)) return 0;
    CAB_ROLLED
    for (int k = 0;; k++) { /* as in cab_sweep_rods */
        o = cab_rod_outside(c, mesh, r, place, tau, &s);
        if (k == 0) limit = CAB_SWEEP_DEPTH * real_min(radius, o.distance);
        if (k == CAB_SWEEP_STEPS || !(o.distance > limit * 1.001f) || !(o.distance > 0) || !(tau < 1)) break;
        tau = real_min(1, tau + (o.distance - limit) / moved);
    }
    real mass = cab_mass_at(r->w_a, r->w_b, s);
    if (!(o.distance < radius * (1 + CAB_MARGIN)) || !(mass > 0) || !(vec3_dot(o.normal, o.normal) > 0))
        return 0;
    if (place == 2 && !cab_between_counts(c, r, s, tau, o.distance, radius)) return 0;
    vec3 n = o.normal, start = cab_rod_offset(*r, s, 0);
    vec3 x = place == 1 ? r->x_b : r->x_a; /* a plane touches at the ends only */
    real gap = cab_distance_before(c, &o, x, cab_rod_offset(*r, s, tau)) - radius;
    out->nx = n.x;
    out->ny = n.y;
    out->nz = n.z;
    out->gap = gap - cab_allowed(gap + vec3_dot(n, start), params->push_out, params->push_share, old);
    out->s = 0;
    out->t = s;
    out->sx = start.x;
    out->sy = start.y;
    out->sz = start.z;
    out->lambda = 0;
    out->fx = 0;
    out->fy = 0;
    out->fz = 0;
    out->mass = 1 / mass;
    out->sink = cab_sink(gap + vec3_dot(n, start), radius, params->contact_soft, !guard);
    return 1;
}

/* Moves colliders to where they are at the end of this substep. argument: the substep */
CAB_KERNEL(collider_move, global const cab_params *params, global cab_collider *collider,
           global const cab_collider *collider_path)
{
    CAB_ITEM(i);
    int substep = argument;
    collider[i] = collider_path[substep * params->collider_count + i];
}

/* The rod as seen from a collider that moves: it starts where the collider's motion would have carried it. So
 * sweep, gap at the start and slip are relative to the surface. */
CAB_INLINE cab_rod cab_seen_from(const cab_collider *c, const cab_rod *r)
{
    cab_rod seen = *r;
    seen.start_a = cab_carried(c, r->x_a, r->start_a);
    seen.start_b = cab_carried(c, r->x_b, r->start_b);
    seen.moved = cab_rod_moved(&seen);
    return seen;
}

/* The substep's contacts of a segment with colliders. Flag: CAB_CONTACT_FAST; number: substeps since the
 * start of the run, this one included. */
CAB_KERNEL(collider_find, global const cab_params *params, global cab_contact *near_contact,
           global int *near_count, global const int *near_start, global const int *near,
           global const float4 *position, global const float4 *residual, global const float4 *offset,
           global const cab_segment *segment, global const cab_collider *collider,
           global const cab_mesh_node *mesh_node, global const cab_triangle *mesh_triangle,
           global const cab_mesh_edge *mesh_edge, global const float *start_overlap_collider)
{
    CAB_ITEM(i);
    cab_meshes mesh = {mesh_node, mesh_triangle, mesh_edge, 0};
    int first = near_start[i], count = 0;
    if (first == near_start[i + 1]) {
        near_count[i] = 0;
        return;
    }
    real old = cab_old_overlap(start_overlap_collider[i], CAB_NUMBER(argument), params->part_slowly);
    cab_segment own = segment[i];
    if (!cab_sleeps(position[own.a].w, position[own.b].w)) {
        cab_rod r = cab_rod_of(own.a, own.b, position, residual, offset);
        real radius = cab_rod_radius(own, &r);
        for (int k = first; k < near_start[i + 1]; k++) {
            cab_collider c = cab_candidate(near[k] >> 2, params->collider_count, collider, &mesh, radius);
            cab_contact touch;
            cab_rod seen = c.moves ? cab_seen_from(&c, &r) : r;
            if (!cab_find_collision(&c, &mesh, &seen, near[k] & 3, radius, params, old,
                                    argument & CAB_CONTACT_FAST, &touch))
                continue;
            touch.other = near[k] >> 2;
            vec3 slip = vec3_sub(cab_rod_offset(seen, touch.t, 1), vec3_make(touch.sx, touch.sy, touch.sz));
            touch.friction = sqrt(cab_friction2(own.friction * c.friction, params->static_slip, slip,
                                                vec3_make(touch.nx, touch.ny, touch.nz)));
            near_contact[first + count] = touch;
            count++;
        }
    }
    near_count[i] = count;
}

/* Adds the weights of these contacts at the segment's ends. Flag: CAB_CONTACT_ALONE (nothing is in
 * end_weight). */
CAB_KERNEL(collider_weight, global float *end_weight, global const cab_contact *near_contact,
           global const int *near_start, global const int *near_count)
{
    CAB_ITEM(i);
    int first = near_start[i], alone = argument & CAB_CONTACT_ALONE;
    if (near_count[i] == 0 && !alone) return;
    real weight_a = alone ? 0 : end_weight[2 * i], weight_b = alone ? 0 : end_weight[2 * i + 1];
    for (int k = first; k < first + near_count[i]; k++) {
        weight_a += 1 - near_contact[k].t;
        weight_b += near_contact[k].t;
    }
    end_weight[2 * i] = weight_a;
    end_weight[2 * i + 1] = weight_b;
}

/* Lists the segments of a chunk that have a contact number `round` to be solved here. */
CAB_INLINE int cab_list_touching(local int *listed, int first, int count, int round, int flags,
                                 global const int *near_count, global const cab_segment *segment,
                                 global const int *component, global const int *stiff)
{
    local int *flag = listed + CAB_CHUNK + 1;
    CAB_LANES(k, count)
    {
        flag[k] = near_count[first + k] > round;
        if (flag[k] && flags & CAB_CONTACT_STIFF && stiff[component[segment[first + k].a]]) flag[k] = 0;
    }
    CAB_BARRIER_LOCAL();
    return cab_list_lanes(listed, flag + CAB_CHUNK, flag, count);
}

#define CAB_COLLIDER_SLIDE 12 /* x, y, z; then of what touches: what the pass changes */

/* Reads a contact, and how its point has moved, into column k of `numbers`; last its compliance or, before it begins, into how many
 * parts masses are split. */
CAB_INLINE void cab_near_read(local float *numbers, int k, global const cab_contact *from, int a, int b,
                              global const float4 *offset, global const float *weight,
                              global const cab_grip *grip, real units, int flags)
{
    real t = from->t, split = flags & CAB_CONTACT_FIRST ? cab_split(t, weight[a], weight[b]) : 1;
    vec3 f = vec3_make(from->fx, from->fy, from->fz);
    if (flags & CAB_CONTACT_BEGIN)
        f = vec3_scale(cab_grip_of(grip, cab_grip_collider(from->other, t)), units);
    vec3 slide = vec3_mix(vec3_of(offset[a]), vec3_of(offset[b]), t);
    numbers += k;
    numbers[0] = from->nx;
    numbers[CAB_CHUNK] = from->ny;
    numbers[2 * CAB_CHUNK] = from->nz;
    numbers[3 * CAB_CHUNK] = from->gap;
    numbers[4 * CAB_CHUNK] = from->friction;
    numbers[5 * CAB_CHUNK] = from->sx;
    numbers[6 * CAB_CHUNK] = from->sy;
    numbers[7 * CAB_CHUNK] = from->sz;
    numbers[8 * CAB_CHUNK] = from->lambda;
    numbers[9 * CAB_CHUNK] = f.x;
    numbers[10 * CAB_CHUNK] = f.y;
    numbers[11 * CAB_CHUNK] = f.z;
    numbers[CAB_COLLIDER_SLIDE * CAB_CHUNK] = slide.x;
    numbers[(CAB_COLLIDER_SLIDE + 1) * CAB_CHUNK] = slide.y;
    numbers[(CAB_COLLIDER_SLIDE + 2) * CAB_CHUNK] = slide.z;
    numbers[15 * CAB_CHUNK] = flags & CAB_CONTACT_FIRST ? from->mass / split : from->mass;
    numbers[16 * CAB_CHUNK] = flags & CAB_CONTACT_BEGIN ? split : from->s;
    numbers[17 * CAB_CHUNK] = from->sink;
}

/* A pass over `count` contacts in columns. */
CAB_INLINE void cab_near_touch(local float *numbers, int count, real relaxation, cab_yield yield, int begin)
{
    local float *slide = numbers + CAB_COLLIDER_SLIDE * CAB_CHUNK;
    CAB_VECTOR_LANES(k, count)
    {
        cab_contact c;
        c.nx = numbers[k];
        c.ny = numbers[CAB_CHUNK + k];
        c.nz = numbers[2 * CAB_CHUNK + k];
        c.gap = numbers[3 * CAB_CHUNK + k];
        c.friction = numbers[4 * CAB_CHUNK + k];
        c.sx = numbers[5 * CAB_CHUNK + k];
        c.sy = numbers[6 * CAB_CHUNK + k];
        c.sz = numbers[7 * CAB_CHUNK + k];
        c.lambda = numbers[8 * CAB_CHUNK + k];
        c.fx = numbers[9 * CAB_CHUNK + k];
        c.fy = numbers[10 * CAB_CHUNK + k];
        c.fz = numbers[11 * CAB_CHUNK + k];
        c.mass = numbers[15 * CAB_CHUNK + k];
        c.sink = numbers[17 * CAB_CHUNK + k];
        vec3 at = vec3_make(slide[k], slide[CAB_CHUNK + k], slide[2 * CAB_CHUNK + k]);
        real soft = numbers[16 * CAB_CHUNK + k], split = begin ? soft : 1; /* see cab_near_read */
        soft = begin && c.mass > 0 ? yield.soft / (c.mass * split) : soft;
        vec3 change = begin ? cab_begin(&c, yield, split) : cab_touch(&c, at, relaxation, soft);
        numbers[16 * CAB_CHUNK + k] = soft;
        numbers[3 * CAB_CHUNK + k] = c.gap;
        numbers[8 * CAB_CHUNK + k] = c.lambda;
        numbers[9 * CAB_CHUNK + k] = c.fx;
        numbers[10 * CAB_CHUNK + k] = c.fy;
        numbers[11 * CAB_CHUNK + k] = c.fz;
        numbers[17 * CAB_CHUNK + k] = c.sink;
        slide[k] = change.x;
        slide[CAB_CHUNK + k] = change.y;
        slide[2 * CAB_CHUNK + k] = change.z;
    }
}

/* Writes what a pass has changed of the contact in column k, and adds it to `push`. */
CAB_INLINE void cab_near_write(local const float *numbers, int k, global cab_contact *to, global float4 *push)
{
    numbers += k;
    local const float *change = numbers + CAB_COLLIDER_SLIDE * CAB_CHUNK;
    float4 moves = CAB_FLOAT4(change[0], change[CAB_CHUNK], change[2 * CAB_CHUNK], 0);
    to->s = numbers[16 * CAB_CHUNK];
    to->gap = numbers[3 * CAB_CHUNK];
    to->lambda = numbers[8 * CAB_CHUNK];
    to->fx = numbers[9 * CAB_CHUNK];
    to->fy = numbers[10 * CAB_CHUNK];
    to->fz = numbers[11 * CAB_CHUNK];
    to->mass = numbers[15 * CAB_CHUNK];
    to->sink = numbers[17 * CAB_CHUNK];
    push[0] = float4_add_scaled(push[0], 1 - to->t, moves);
    push[1] = float4_add_scaled(push[1], to->t, moves);
}

/* One pass over the contacts of a chunk of segments; adds to `push`. First the first contact of each, then the second of those
 * that have one, and so on, so that lanes write to segments of their own. Flags: CAB_CONTACT_FIRST, _LAST, _ALONE (nothing is
 * in push), _STIFF. */
CAB_GROUP_KERNEL(collider_solve, global const cab_params *params, global float4 *push,
                 global cab_contact *near_contact, global const int *near_start, global const int *near_count,
                 global const float4 *offset, global const cab_segment *segment, global const float *weight,
                 global const int *component, global const int *stiff, global const cab_grip *grip)
{
    CAB_GROUP(group);
    int first = group * CAB_CHUNK, left = params->segment_count - first;
    int count = left < CAB_CHUNK ? left : CAB_CHUNK;
    real relaxation = argument & CAB_CONTACT_LAST ? 1 : params->relaxation;
    int begin = argument & CAB_CONTACT_BEGIN;
    real units = params->h * params->h; /* a grip is a force */
    cab_yield yield = {params->contact_spring, params->contact_soft, params->push_share, params->push_share};
    local int *listed = (local int *)(scratch + 18 * CAB_CHUNK);
    if (argument & CAB_CONTACT_ALONE) {
        CAB_LANES(k, 2 * count)
        push[2 * first + k] = CAB_FLOAT4(0, 0, 0, 0);
    }
    if (near_start[first] == near_start[first + count]) return;
    for (int round = 0;; round++) {
        CAB_BARRIER_GLOBAL();
        int found =
            cab_list_touching(listed, first, count, round, argument, near_count, segment, component, stiff);
        if (found == 0) return;
        CAB_LANES(k, found)
        {
            int i = first + listed[k];
            cab_near_read(scratch, k, near_contact + near_start[i] + round, segment[i].a, segment[i].b,
                          offset, weight, grip + CAB_GRIPS * i, units, argument);
        }
        CAB_BARRIER_LOCAL();
        cab_near_touch(scratch, found, relaxation, yield, begin);
        CAB_BARRIER_LOCAL();
        CAB_LANES(k, found)
        {
            int i = first + listed[k];
            cab_near_write(scratch, k, near_contact + near_start[i] + round, push + 2 * i);
        }
    }
}

/* The deepest overlap with a collider, or with a segment if that is deeper. Flag: CAB_CONTACT_ALONE; with CAB_CONTACT_BEFORE, too, that of
 * each segment is noted as the one before the first substep, and nothing else. One kernel: it is long to compile. */
CAB_BLOCK_KERNEL(collider_measure, global const cab_params *params, global cab_errors *overlap,
                 global float *depth, global float *start_overlap_collider, global const int *near_start,
                 global const int *near, global const float4 *position, global const float4 *residual,
                 global const cab_segment *segment, global const cab_collider *collider,
                 global const cab_mesh_node *mesh_node, global const cab_triangle *mesh_triangle,
                 global const cab_mesh_edge *mesh_edge)
{
    CAB_ITEM(block);
    cab_meshes mesh = {mesh_node, mesh_triangle, mesh_edge, 0};
    cab_errors e = overlap[block];
    global float *to = argument & CAB_CONTACT_BEFORE ? start_overlap_collider : depth;
    int alone = argument & CAB_CONTACT_ALONE, touching = alone ? 0 : e.contacts;
    real deepest = alone ? 0 : e.penetration_max;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        real own_depth = alone ? 0 : depth[i];
        for (int k = near_start[i]; k < near_start[i + 1]; k++) {
            cab_segment own = segment[i];
            cab_rod r = cab_rod_of(own.a, own.b, position, residual, residual);
            real radius = cab_rod_radius(own, &r);
            real overlap_here = cab_near_depth(near[k], params, collider, &mesh, &r, radius);
            if (overlap_here > -CAB_MARGIN * radius) touching++;
            own_depth = real_max(own_depth, overlap_here);
        }
        to[i] = own_depth;
        deepest = real_max(deepest, own_depth);
    }
    if (argument & CAB_CONTACT_BEFORE) return;
    e.penetration_max = deepest;
    e.contacts = touching;
    overlap[block] = e;
}

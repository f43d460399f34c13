/* contact: cable against cable. A pair belongs to its segment with the lower index, which works it out; both
 * segments then gather what the pair does to them, in a fixed order. Nothing is scattered, and what one takes
 * up the other takes up with the opposite sign, bit for bit.
 */
#include "touch.h"

/* Two rods at time tau. */
CAB_INLINE cab_closest cab_rods_at(const cab_rod *p, const cab_rod *q, real tau)
{
    vec3 pa = vec3_mix(p->start_a, p->end_a, tau), pb = vec3_mix(p->start_b, p->end_b, tau);
    vec3 qa = vec3_mix(q->start_a, q->end_a, tau), qb = vec3_mix(q->start_b, q->end_b, tau);
    return cab_closest_segments(cab_between(p->x_a, pa, q->x_a, qa), cab_between(p->x_a, pa, p->x_b, pb),
                                cab_between(q->x_a, qa, q->x_b, qb));
}

/* First touch on the way, by conservative advancement: nothing can close the gap faster than `way` in a
 * substep. */
CAB_INLINE cab_closest cab_sweep_rods(const cab_rod *p, const cab_rod *q, real way, real reach)
{
    cab_closest c = cab_rods_at(p, q, 0);
    real tau = 0;
    for (int k = 0; k < CAB_SWEEP_STEPS && c.distance > reach * 1.001f && tau < 1; k++) {
        tau = real_min(1, tau + (c.distance - reach) / way);
        c = cab_rods_at(p, q, tau);
    }
    return c;
}

/* Fills a contact of p (lower index) and q; 0 when they do not touch. */
CAB_INLINE int cab_find_contact(const cab_rod *p, const cab_rod *q, real reach, real push_out, real old,
                                cab_contact *out)
{
    real way = cab_rod_way(*p) + cab_rod_way(*q);
    cab_closest c = way > CAB_FAST * reach ? cab_sweep_rods(p, q, way, reach) : cab_rods_at(p, q, 1);
    if (!(c.distance < reach * (1 + CAB_MARGIN))) return 0;
    real mass = cab_rod_mass(*p, c.s) + cab_rod_mass(*q, c.t);
    if (!(mass > 0)) return 0;
    vec3 n = c.between;
    real length = c.distance;
    if (!(length > 0)) { /* crossing in one point: out along the common normal */
        n = vec3_cross(vec3_sub(p->x_b, p->x_a), vec3_sub(q->x_b, q->x_a));
        length = vec3_length(n);
    }
    n = length > 0 ? vec3_scale(n, 1 / length) : vec3_make(0, 0, 1);
    vec3 x = vec3_sub(q->x_a, p->x_a);
    x = vec3_add_scaled(x, c.t, vec3_sub(q->x_b, q->x_a));
    x = vec3_add_scaled(x, -c.s, vec3_sub(p->x_b, p->x_a));
    vec3 start = vec3_sub(cab_rod_offset(*q, c.t, 0), cab_rod_offset(*p, c.s, 0));
    real gap = vec3_dot(n, x) - reach;
    out->nx = n.x;
    out->ny = n.y;
    out->nz = n.z;
    out->gap = gap - cab_allowed(gap + vec3_dot(n, start), push_out, old);
    out->s = c.s;
    out->t = c.t;
    out->sx = start.x;
    out->sy = start.y;
    out->sz = start.z;
    out->lambda = 0;
    out->fx = 0;
    out->fy = 0;
    out->fz = 0;
    out->inverse_mass = mass;
    return 1;
}

/* Each segment in one piece for the substep: its rod, and its midpoint at the predicted place; w: how far
 * from there it reaches on its way. */
CAB_KERNEL(contact_rods, global float4 *rod, global float4 *middle, global const float4 *position,
           global const float4 *residual, global const float4 *offset, global const cab_segment *segment)
{
    CAB_ITEM(i);
    cab_segment own = segment[i];
    cab_rod r = cab_rod_of(own.a, own.b, position, residual, offset);
    global float4 *to = rod + CAB_ROD_SIZE * i;
    to[0] = cab_with(r.x_a, r.w_a);
    to[1] = cab_with(r.x_b, r.w_b);
    to[2] = cab_with(r.start_a, own.radius);
    to[3] = cab_with(r.start_b, own.friction);
    to[4] = cab_with(r.end_a, 0);
    to[5] = cab_with(r.end_b, 0);
    vec3 u = cab_between(r.x_a, r.end_a, r.x_b, r.end_b);
    vec3 m = vec3_add_scaled(vec3_add(r.x_a, r.end_a), 0.5f, u);
    middle[i] = cab_with(m, 0.5f * vec3_length(u) + own.radius * (1 + CAB_MARGIN) + cab_rod_way(r));
}

/* The substep's contact of each pair. touch[pair]: s, t, 1 when it counts. argument: substeps since the start
 * of the run, this one included */
CAB_KERNEL(contact_find, global const cab_params *params, global cab_contact *contact, global float4 *touch,
           global const int *pair_start, global const int *pair, global const float4 *rod,
           global const float4 *middle, global const float *start_overlap)
{
    CAB_ITEM(i);
    cab_rod p = cab_rod_load(rod + CAB_ROD_SIZE * i);
    real radius = rod[CAB_ROD_SIZE * i + 2].w, friction = rod[CAB_ROD_SIZE * i + 3].w;
    float4 m = middle[i];
    int end = pair_start[i + 1];
    for (int k = pair_start[i]; k < end; k++) {
        int j = pair[k];
        float4 m2 = middle[j];
        vec3 d = vec3_sub(vec3_of(m2), vec3_of(m));
        real far = m.w + m2.w;
        float4 mark = CAB_FLOAT4(0, 0, 0, 0);
        if (vec3_dot(d, d) <= far * far) {
            cab_rod q = cab_rod_load(rod + CAB_ROD_SIZE * j);
            real old =
                cab_old_overlap(real_min(start_overlap[i], start_overlap[j]), argument, params->part_slowly);
            cab_contact c;
            if (cab_find_contact(&p, &q, radius + rod[CAB_ROD_SIZE * j + 2].w, params->push_out, old, &c)) {
                c.other = j;
                c.friction = sqrt(friction * rod[CAB_ROD_SIZE * j + 3].w);
                contact[k] = c;
                mark = CAB_FLOAT4(c.s, c.t, 1, 0);
            }
        }
        touch[k] = mark;
    }
}

/* How crowded a segment's ends are: the weights of all its contacts. */
CAB_KERNEL(contact_crowd, global float *end_weight, global const float4 *touch, global const int *pair_start,
           global const int *back_start, global const int *back)
{
    CAB_ITEM(i);
    real a = 0, b = 0;
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
        float4 t = touch[k];
        a += t.z * (1 - t.x);
        b += t.z * t.x;
    }
    for (int k = back_start[i]; k < back_start[i + 1]; k++) {
        float4 t = touch[back[k]];
        a += t.z * (1 - t.y);
        b += t.z * t.y;
    }
    end_weight[2 * i] = a;
    end_weight[2 * i + 1] = b;
}

/* Once, before the first substep: how deep each pair overlaps, left in touch; the deepest of each segment. */
CAB_KERNEL(contact_start_pairs, global float4 *touch, global const int *pair_start, global const int *pair,
           global const float4 *position, global const float4 *residual, global const cab_segment *segment)
{
    CAB_ITEM(i);
    cab_segment own = segment[i];
    cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
        cab_segment other = segment[pair[k]];
        cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
        touch[k] = CAB_FLOAT4(own.radius + other.radius - cab_rods_at(&p, &q, 0).distance, 0, 0, 0);
    }
}

CAB_KERNEL(contact_start, global float *start_overlap, global const float4 *touch,
           global const int *pair_start, global const int *back_start, global const int *back)
{
    CAB_ITEM(i);
    real deepest = 0;
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) deepest = real_max(deepest, touch[k].x);
    for (int k = back_start[i]; k < back_start[i + 1]; k++) deepest = real_max(deepest, touch[back[k]].x);
    start_overlap[i] = deepest;
}

/* How crowded a particle is: the contact weights of all its segments, at least 1. */
CAB_KERNEL(contact_weight, global float *weight, global const float *end_weight,
           global const int *incident_start, global const int *incident)
{
    CAB_ITEM(i);
    real sum = 0;
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++) sum += end_weight[incident[k]];
    weight[i] = real_max(1, sum);
}

/* One pass over the pairs: pair_push is what the second segment's point takes up, the first's takes up the
 * opposite. */
CAB_KERNEL(contact_solve, global const cab_params *params, global float4 *pair_push,
           global cab_contact *contact, global const float4 *touch, global const int *pair_start,
           global const float4 *position, global const float4 *offset, global const cab_segment *segment,
           global const float *weight)
{
    CAB_ITEM(i);
    int first = pair_start[i], end = pair_start[i + 1];
    if (first == end) return;
    int a = segment[i].a, b = segment[i].b;
    vec3 e_a = vec3_of(offset[a]), e_b = vec3_of(offset[b]);
    real w_a = position[a].w, w_b = position[b].w;
    for (int k = first; k < end; k++) {
        if (touch[k].z == 0) continue;
        cab_contact c = contact[k];
        int a2 = segment[c.other].a, b2 = segment[c.other].b;
        vec3 own = vec3_mix(e_a, e_b, c.s), other = vec3_mix(vec3_of(offset[a2]), vec3_of(offset[b2]), c.t);
        real crowd = real_max(real_max(cab_crowd(1 - c.s, w_a, weight[a]), cab_crowd(c.s, w_b, weight[b])),
                              real_max(cab_crowd(1 - c.t, position[a2].w, weight[a2]),
                                       cab_crowd(c.t, position[b2].w, weight[b2])));
        vec3 change = cab_touch(&c, vec3_sub(other, own), params->relaxation, 1 / crowd);
        contact[k] = c;
        pair_push[k] = cab_with(change, 0);
    }
}

/* What each segment's pairs add to its ends. */
CAB_KERNEL(contact_push, global float4 *push, global const float4 *pair_push, global const float4 *touch,
           global const int *pair_start, global const int *back_start, global const int *back)
{
    CAB_ITEM(i);
    vec3 push_a = vec3_make(0, 0, 0), push_b = push_a;
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
        float4 t = touch[k];
        if (t.z == 0) continue;
        vec3 change = vec3_of(pair_push[k]);
        push_a = vec3_add_scaled(push_a, -(1 - t.x), change);
        push_b = vec3_add_scaled(push_b, -t.x, change);
    }
    for (int k = back_start[i]; k < back_start[i + 1]; k++) {
        float4 t = touch[back[k]];
        if (t.z == 0) continue;
        vec3 change = vec3_of(pair_push[back[k]]);
        push_a = vec3_add_scaled(push_a, 1 - t.y, change);
        push_b = vec3_add_scaled(push_b, t.y, change);
    }
    push[2 * i] = cab_with(push_a, 0);
    push[2 * i + 1] = cab_with(push_b, 0);
}

/* Each particle takes up what its segments' contacts push it by. */
CAB_KERNEL(contact_apply, global float4 *offset, global const float4 *position, global const float4 *push,
           global const int *incident_start, global const int *incident)
{
    CAB_ITEM(i);
    real w = position[i].w;
    vec3 sum = vec3_make(0, 0, 0);
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++)
        sum = vec3_add(sum, vec3_of(push[incident[k]]));
    vec3 e = vec3_add_scaled(vec3_of(offset[i]), w, sum);
    offset[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Deepest overlap of a block of segments, and how many pairs touch. */
CAB_KERNEL(contact_measure, global const cab_params *params, global cab_errors *overlap,
           global const int *pair_start, global const int *pair, global const float4 *position,
           global const float4 *residual, global const cab_segment *segment)
{
    CAB_ITEM(block);
    real deepest = 0;
    int touching = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        cab_segment own = segment[i];
        cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
        for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
            cab_segment other = segment[pair[k]];
            cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
            real depth = own.radius + other.radius - cab_rods_at(&p, &q, 0).distance;
            if (depth > -CAB_MARGIN * own.radius) touching++;
            deepest = real_max(deepest, depth);
        }
    }
    cab_errors e = overlap[block];
    e.penetration_max = deepest;
    e.contacts = touching;
    overlap[block] = e;
}

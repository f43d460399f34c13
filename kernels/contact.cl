/* contact: cable against cable. A pair belongs to the segment that found it, which works it out; both
 * segments then gather what the pair does to them, in a fixed order. Nothing is scattered, and what one takes
 * up the other takes up with the opposite sign, bit for bit.
 */
#include "touch.h"

/* Two rods at time tau. */
CAB_INLINE cab_closest cab_rods_at(const cab_rod *p, const cab_rod *q, real tau)
{
    vec3 pa = vec3_mix(p->start_a, p->end_a, tau), pb = vec3_mix(p->start_b, p->end_b, tau);
    vec3 qa = vec3_mix(q->start_a, q->end_a, tau), qb = vec3_mix(q->start_b, q->end_b, tau);
    vec3 u = cab_between(p->x_a, pa, p->x_b, pb), v = cab_between(q->x_a, qa, q->x_b, qb);
    return cab_closest_segments(cab_between(p->x_a, pa, q->x_a, qa), u, v, cab_inverse_square(u),
                                cab_inverse_square(v));
}

/* Two rods at their predicted places. */
CAB_INLINE cab_closest cab_rods_predicted(const cab_rod *p, const cab_rod *q)
{
    vec3 u = cab_between(p->x_a, p->end_a, p->x_b, p->end_b),
         v = cab_between(q->x_a, q->end_a, q->x_b, q->end_b);
    return cab_closest_segments(cab_between(p->x_a, p->end_a, q->x_a, q->end_a), u, v, p->per_square,
                                q->per_square);
}

/* Where two rods come as near as half of `reach` on their way, or of what they start with: near enough to see
 * what meets what, and still on the side that they came from. By conservative advancement: nothing can close
 * the gap faster than `way` in a substep. Their predicted places when they never do. */
CAB_INLINE cab_closest cab_sweep_rods(const cab_rod *p, const cab_rod *q, real way, real reach)
{
    cab_closest c = cab_rods_at(p, q, 0);
    real tau = 0, distance = sqrt(c.distance2);
    real limit = CAB_SWEEP_DEPTH * real_min(reach, distance);
    for (int k = 0; k < CAB_SWEEP_STEPS && distance > limit * 1.001f && tau < 1; k++) {
        tau = real_min(1, tau + (distance - limit) / way);
        c = cab_rods_at(p, q, tau);
        distance = sqrt(c.distance2);
    }
    return c;
}

/* Fills a contact of p (the owner) and q; 0 when they do not touch. */
CAB_INLINE int cab_find_contact(const cab_rod *p, const cab_rod *q, real reach, real push_out, real old,
                                cab_contact *out)
{
    real way = p->way + q->way, kept = reach * (1 + CAB_MARGIN);
    cab_closest c = way > CAB_FAST * reach ? cab_sweep_rods(p, q, way, reach) : cab_rods_predicted(p, q);
    if (!(c.distance2 < kept * kept)) return 0;
    real mass = cab_rod_mass(*p, c.s) + cab_rod_mass(*q, c.t);
    if (!(mass > 0)) return 0;
    vec3 n = c.between;
    real length = sqrt(c.distance2);
    if (!(length > 0)) { /* crossing in one point: out along the common normal */
        n = vec3_cross(vec3_sub(p->x_b, p->x_a), vec3_sub(q->x_b, q->x_a));
        length = vec3_length(n);
    }
    n = length > 0 ? vec3_scale(n, 1 / length) : vec3_make(0, 0, 1);
    vec3 x = vec3_sub(q->x_a, p->x_a);
    x = vec3_add_scaled(x, c.t, vec3_sub(q->x_b, q->x_a));
    x = vec3_add_scaled(x, -c.s, vec3_sub(p->x_b, p->x_a));
    vec3 start = vec3_sub(vec3_mix(q->start_a, q->start_b, c.t), vec3_mix(p->start_a, p->start_b, c.s));
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
    out->mass = 1 / mass;
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
    vec3 u = cab_between(r.x_a, r.end_a, r.x_b, r.end_b);
    to[4] = cab_with(r.end_a, cab_inverse_square(u));
    to[5] = cab_with(r.end_b, r.way);
    vec3 m = vec3_add_scaled(vec3_add(r.x_a, r.end_a), 0.5f, u);
    middle[i] = cab_with(m, 0.5f * vec3_length(u) + own.radius * (1 + CAB_MARGIN) + r.way);
}

/* The substep's contacts of each segment's own pairs, one behind the other from pair_start on;
 * touch[pair]: where in `contact` the pair's is, -1 = none. argument: substeps since the start of the run,
 * this one included */
CAB_KERNEL(contact_find, global const cab_params *params, global cab_contact *contact,
           global cab_effect *effect, global int *contact_count, global int *touch,
           global const int *pair_start, global const int *pair, global const float *pair_gap,
           global const float4 *rod, global const float4 *middle, global const float *start_overlap)
{
    CAB_ITEM(i);
    int first = pair_start[i], end = pair_start[i + 1], count = 0;
    cab_rod p = cab_rod_load(rod + CAB_ROD_SIZE * i);
    real radius = rod[CAB_ROD_SIZE * i + 2].w, friction = rod[CAB_ROD_SIZE * i + 3].w;
    float4 m = middle[i];
    for (int k = first; k < end; k++) {
        touch[k] = -1;
        if (pair_gap[k] > params->approach) continue; /* cannot have come so near yet */
        int j = pair[k];
        float4 m2 = middle[j];
        vec3 d = vec3_sub(vec3_of(m2), vec3_of(m));
        real far = m.w + m2.w;
        if (vec3_dot(d, d) > far * far) continue;
        cab_rod q = cab_rod_load(rod + CAB_ROD_SIZE * j);
        real old =
            cab_old_overlap(real_min(start_overlap[i], start_overlap[j]), argument, params->part_slowly);
        cab_contact c;
        if (!cab_find_contact(&p, &q, radius + rod[CAB_ROD_SIZE * j + 2].w, params->push_out, old, &c))
            continue;
        c.other = j;
        c.friction = sqrt(friction * rod[CAB_ROD_SIZE * j + 3].w);
        contact[first + count] = c;
        effect[first + count].s = c.s;
        effect[first + count].t = c.t;
        touch[k] = first + count;
        count++;
    }
    contact_count[i] = count;
}

/* How crowded a segment's ends are: the weights of all its contacts. Those of pairs with lower segments are
 * noted one behind the other from back_start on. */
CAB_KERNEL(contact_crowd, global float *end_weight, global int *back_touch, global int *back_count,
           global const cab_effect *effect, global const int *contact_count, global const int *touch,
           global const int *pair_start, global const int *back_start, global const int *back)
{
    CAB_ITEM(i);
    real a = 0, b = 0;
    int count = 0, first = back_start[i];
    for (int k = pair_start[i]; k < pair_start[i] + contact_count[i]; k++) {
        a += 1 - effect[k].s;
        b += effect[k].s;
    }
    for (int k = first; k < back_start[i + 1]; k++) {
        int c = touch[back[k]];
        if (c < 0) continue;
        back_touch[first + count] = c;
        count++;
        a += 1 - effect[c].t;
        b += effect[c].t;
    }
    back_count[i] = count;
    end_weight[2 * i] = a;
    end_weight[2 * i + 1] = b;
}

/* Once, before the first substep: how deep each pair overlaps, left in effect; the deepest of each segment.
 */
CAB_KERNEL(contact_start_pairs, global cab_effect *effect, global const int *pair_start,
           global const int *pair, global const float4 *position, global const float4 *residual,
           global const cab_segment *segment)
{
    CAB_ITEM(i);
    cab_segment own = segment[i];
    cab_rod p = cab_rod_of(own.a, own.b, position, residual, residual);
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) {
        cab_segment other = segment[pair[k]];
        cab_rod q = cab_rod_of(other.a, other.b, position, residual, residual);
        effect[k].x = own.radius + other.radius - sqrt(cab_rods_at(&p, &q, 0).distance2);
    }
}

CAB_KERNEL(contact_start, global float *start_overlap, global const cab_effect *effect,
           global const int *pair_start, global const int *back_start, global const int *back)
{
    CAB_ITEM(i);
    real deepest = 0;
    for (int k = pair_start[i]; k < pair_start[i + 1]; k++) deepest = real_max(deepest, effect[k].x);
    for (int k = back_start[i]; k < back_start[i + 1]; k++) deepest = real_max(deepest, effect[back[k]].x);
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

/* One pass over the contacts. argument: 2 (the first of a substep) + 4 (the last of an iteration: not
 * over-relaxed, or things would bounce) */
CAB_KERNEL(contact_solve, global const cab_params *params, global cab_effect *effect,
           global cab_contact *contact, global const int *contact_count, global const int *pair_start,
           global const float4 *position, global const float4 *offset, global const cab_segment *segment,
           global const float *weight)
{
    CAB_ITEM(i);
    int first = pair_start[i], end = first + contact_count[i];
    if (first == end) return;
    int a = segment[i].a, b = segment[i].b;
    vec3 e_a = vec3_of(offset[a]), e_b = vec3_of(offset[b]);
    real w_a = position[a].w, w_b = position[b].w;
    for (int k = first; k < end; k++) {
        cab_contact c = contact[k];
        int a2 = segment[c.other].a, b2 = segment[c.other].b;
        vec3 own = vec3_mix(e_a, e_b, c.s), other = vec3_mix(vec3_of(offset[a2]), vec3_of(offset[b2]), c.t);
        if (argument & 2) { /* the share of the correction stays for the substep */
            real crowd =
                real_max(real_max(cab_crowd(1 - c.s, w_a, weight[a]), cab_crowd(c.s, w_b, weight[b])),
                         real_max(cab_crowd(1 - c.t, position[a2].w, weight[a2]),
                                  cab_crowd(c.t, position[b2].w, weight[b2])));
            c.mass = c.mass / crowd;
            contact[k].mass = c.mass;
        }
        vec3 change = cab_touch(&c, vec3_sub(other, own), argument & 4 ? 1 : params->relaxation);
        contact[k].lambda = c.lambda;
        contact[k].fx = c.fx;
        contact[k].fy = c.fy;
        contact[k].fz = c.fz;
        effect[k].x = change.x;
        effect[k].y = change.y;
        effect[k].z = change.z;
    }
}

/* What each segment's contacts add to its ends. */
CAB_KERNEL(contact_push, global float4 *push, global const cab_effect *effect,
           global const int *contact_count, global const int *pair_start, global const int *back_count,
           global const int *back_start, global const int *back_touch)
{
    CAB_ITEM(i);
    vec3 push_a = vec3_make(0, 0, 0), push_b = push_a;
    for (int k = pair_start[i]; k < pair_start[i] + contact_count[i]; k++) {
        cab_effect e = effect[k];
        vec3 change = vec3_make(e.x, e.y, e.z);
        push_a = vec3_add_scaled(push_a, -(1 - e.s), change);
        push_b = vec3_add_scaled(push_b, -e.s, change);
    }
    for (int k = back_start[i]; k < back_start[i] + back_count[i]; k++) {
        cab_effect e = effect[back_touch[k]];
        vec3 change = vec3_make(e.x, e.y, e.z);
        push_a = vec3_add_scaled(push_a, 1 - e.t, change);
        push_b = vec3_add_scaled(push_b, e.t, change);
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
CAB_BLOCK_KERNEL(contact_measure, global const cab_params *params, global cab_errors *overlap,
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
            real depth = own.radius + other.radius - sqrt(cab_rods_at(&p, &q, 0).distance2);
            if (depth > -CAB_MARGIN * own.radius) touching++;
            deepest = real_max(deepest, depth);
        }
    }
    cab_errors e = overlap[block];
    e.penetration_max = deepest;
    e.contacts = touching;
    overlap[block] = e;
}

/* contact: solves the substep's contacts between segments. Each particle sums up the corrections of its
 * segments' contacts in a fixed order. Both segments of a contact get the same correction with opposite
 * signs, bit for bit. */
#include "touch.h"

/* Writes the contacts among a segment's entries to `share`, and the sums of their weights at both ends to
 * `end_weight`. Returns their number. */
CAB_INLINE int cab_gather_shares(global cab_share *share, global float *end_weight, int segment,
                                 global const int *contact_entry, int entries, global const float *contact)
{
    real a = 0, b = 0;
    int count = 0;
    for (int k = 0; k < entries; k++) {
        if (CAB_GROUP_SIZE == 1 || contact_entry[k] >= 0)
            share[count].contact = contact_entry[k]; /* the next one overwrites an entry without contact */
        count += contact_entry[k] >= 0;
    }
    for (int k = 0; k < count; k++) {
        int c = share[k].contact >> 1, second = share[k].contact & 1;
        int number = second ? CAB_CONTACT_T : CAB_CONTACT_S;
        real at = contact[cab_contact_index(c, number)];
        a += 1 - at;
        b += at;
        share[k].contact = c;
        share[k].a = second ? 1 - at : at - 1;
        share[k].b = second ? at : -at;
        share[k].segment = segment;
    }
    end_weight[0] = a;
    end_weight[1] = b;
    return count;
}

/* The contacts of each segment of a chunk, one behind the other: share_start, share_count. */
CAB_GROUP_KERNEL(contact_shares, global const cab_params *params, global float *end_weight,
                 global cab_share *share, global int *share_start, global int *share_count,
                 global const int *contact_entry, global const float *contact, global const int *pair_start,
                 global const int *back_start)
{
    CAB_GROUP(group);
    int first = group * CAB_CHUNK, left = params->segment_count - first;
    int count = left < CAB_CHUNK ? left : CAB_CHUNK;
    int part_size = (count + CAB_GROUP_SIZE - 1) / CAB_GROUP_SIZE;
    local int *before = (local int *)scratch;
    CAB_LANES(part, CAB_GROUP_SIZE)
    {
        int sum = 0, from = part * part_size, to = from + part_size;
        from = first + (from < count ? from : count);
        to = first + (to < count ? to : count);
        for (int k = pair_start[from] + back_start[from]; k < pair_start[to] + back_start[to]; k++)
            sum += contact_entry[k] >= 0;
        before[part] = sum;
    }
    CAB_BARRIER_LOCAL();
    CAB_LANES(part, CAB_GROUP_SIZE)
    {
        int to = pair_start[first] + back_start[first];
        for (int k = 0; k < part; k++) to += before[k];
        for (int k = part * part_size; k < (part + 1) * part_size && k < count; k++) {
            int i = first + k, from = pair_start[i] + back_start[i];
            int entries = pair_start[i + 1] + back_start[i + 1] - from;
            share_start[i] = to;
            share_count[i] =
                cab_gather_shares(share + to, end_weight + 2 * i, i, contact_entry + from, entries, contact);
            to += share_count[i];
        }
    }
}

/* Into how many parts a particle's mass is split among contacts: the sum of the contact weights of its
 * segments, at least 1; 1 for a held particle. */
CAB_KERNEL(contact_weight, global float *weight, global const float4 *position,
           global const float *end_weight, global const int *incident_start, global const int *incident)
{
    CAB_ITEM(i);
    real sum = 0;
    if (position[i].w > 0)
        for (int k = incident_start[i]; k < incident_start[i + 1]; k++) sum += end_weight[incident[k]];
    weight[i] = real_max(1, sum);
}

/* One pass over a chunk of contacts. Those of clusters are solved by cluster.cl: for them `split` is 0 here. */
CAB_INLINE void cab_solve_chunk(global float4 *effect, global float *contact, global const int4 *contact_end,
                                global const float4 *offset, global const float *weight,
                                global const int *component, global const int *paired,
                                global const int *leaning, int count, real relaxation, cab_yield yield,
                                int flags, local float *slide)
{
    int clusters = flags & CAB_CONTACT_CLUSTERS, begin = flags & CAB_CONTACT_BEGIN;
    CAB_LANES(k, count)
    {
        int4 end = contact_end[k];
        real s = contact[CAB_CONTACT_S * CAB_ROW + k], t = contact[CAB_CONTACT_T * CAB_ROW + k], split = 1;
        float4 a = offset[end.x], b = offset[end.y], a2 = offset[end.z], b2 = offset[end.w];
        if (flags & CAB_CONTACT_FIRST)
            split = real_max(cab_split(s, weight[end.x], weight[end.y]),
                             cab_split(t, weight[end.z], weight[end.w]));
        AS_FLOAT4(slide)[k] = float4_sub(float4_mix(a2, b2, t), float4_mix(a, b, s));
        if (clusters) { /* else there may be no components */
            int first = component[end.x], second = component[end.z];
            if (paired[first] | paired[second] | (first == second && leaning[first])) split = 0;
        }
        slide[4 * k + 3] = split;
    }
    CAB_BARRIER_LOCAL();
    global float *to = (global float *)effect;
    CAB_VECTOR_LANES(k, count)
    {
        cab_contact c;
        c.nx = contact[k];
        c.ny = contact[CAB_ROW + k];
        c.nz = contact[2 * CAB_ROW + k];
        c.gap = contact[CAB_CONTACT_GAP * CAB_ROW + k];
        c.friction = contact[CAB_CONTACT_FRICTION * CAB_ROW + k];
        c.sx = contact[CAB_CONTACT_START * CAB_ROW + k];
        c.sy = contact[(CAB_CONTACT_START + 1) * CAB_ROW + k];
        c.sz = contact[(CAB_CONTACT_START + 2) * CAB_ROW + k];
        c.lambda = contact[CAB_CONTACT_LAMBDA * CAB_ROW + k];
        c.fx = contact[CAB_CONTACT_FORCE * CAB_ROW + k];
        c.fy = contact[(CAB_CONTACT_FORCE + 1) * CAB_ROW + k];
        c.fz = contact[(CAB_CONTACT_FORCE + 2) * CAB_ROW + k];
        c.sink = contact[CAB_CONTACT_SINK * CAB_ROW + k];
        real split = slide[4 * k + 3], lambda = c.lambda, sink = c.sink;
        vec3 force = vec3_make(begin ? 0 : c.fx, begin ? 0 : c.fy, begin ? 0 : c.fz);
        int own = !clusters || split > 0;
        c.mass = contact[CAB_CONTACT_MASS * CAB_ROW + k] / (own ? split : 1);
        real gap = c.gap;
        vec3 change =
            begin ? cab_begin(&c, yield, own ? split : 1)
                  : cab_touch(&c, VEC3_AT(slide, k), relaxation, contact[CAB_CONTACT_SOFT * CAB_ROW + k]);
        contact[CAB_CONTACT_GAP * CAB_ROW + k] = own ? c.gap : gap;
        contact[CAB_CONTACT_SINK * CAB_ROW + k] = own ? c.sink : sink;
        contact[CAB_CONTACT_LAMBDA * CAB_ROW + k] = own ? c.lambda : lambda;
        cab_row_put(contact, CAB_CONTACT_FORCE, k,
                    vec3_make(own ? c.fx : force.x, own ? c.fy : force.y, own ? c.fz : force.z));
        contact[CAB_CONTACT_MASS * CAB_ROW + k] = c.mass;
        to[4 * k] = own ? change.x : 0;
        to[4 * k + 1] = own ? change.y : 0;
        to[4 * k + 2] = own ? change.z : 0;
        to[4 * k + 3] = 0;
    }
    CAB_BARRIER_LOCAL();
}

/* One pass over a row of contacts. Flags: CAB_CONTACT_FIRST (splits masses for the substep), _LAST, _CLUSTERS */
CAB_GROUP_KERNEL(contact_solve, global const cab_params *params, global float4 *effect, global float *contact,
                 global const int4 *contact_end, global const int *contact_count, global const float4 *offset,
                 global const float *weight, global const int *component, global const int *paired,
                 global const int *leaning)
{
    CAB_GROUP(row);
    int first = row * CAB_ROW, count = contact_count[row];
    real relaxation = argument & CAB_CONTACT_LAST ? 1 : params->relaxation;
    cab_yield yield = {params->contact_spring, params->contact_soft, params->push_share, 1};
    contact += first * CAB_CONTACT_NUMBERS;
    for (int k = 0; k < count; k += CAB_CHUNK) {
        int left = count - k < CAB_CHUNK ? count - k : CAB_CHUNK, at = first + k;
        if (argument & CAB_CONTACT_CLUSTERS) /* apart, since what depends on a contact is written slowly */
            cab_solve_chunk(effect + at, contact + k, contact_end + at, offset, weight, component, paired,
                            leaning, left, relaxation, yield, argument | CAB_CONTACT_CLUSTERS, scratch);
        else if (argument & CAB_CONTACT_BEGIN)
            cab_solve_chunk(effect + at, contact + k, contact_end + at, offset, weight, component, paired,
                            leaning, left, relaxation, yield, CAB_CONTACT_FIRST | CAB_CONTACT_BEGIN, scratch);
        else
            cab_solve_chunk(effect + at, contact + k, contact_end + at, offset, weight, component, paired,
                            leaning, left, relaxation, yield,
                            argument & (CAB_CONTACT_FIRST | CAB_CONTACT_LAST), scratch);
    }
}

/* Sums up what the contacts of a chunk's segments do to their ends. A group of one goes through the list of the chunk's
 * shares as it lies: how many there are of each segment would be hard to predict. */
CAB_GROUP_KERNEL(contact_push, global const cab_params *params, global float4 *push,
                 global const float4 *effect, global const cab_share *share, global const int *share_start,
                 global const int *share_count)
{
    CAB_GROUP(group);
    int first = group * CAB_CHUNK, left = params->segment_count - first;
    int count = left < CAB_CHUNK ? left : CAB_CHUNK, last = first + count - 1;
    int shares = share_start[last] + share_count[last];
    CAB_LANES(k, 2 * count)
    push[2 * first + k] = CAB_FLOAT4(0, 0, 0, 0);
    CAB_BARRIER_GLOBAL();
    CAB_LANES(lane, CAB_GROUP_SIZE == 1 ? 1 : count)
    {
        int from = share_start[first + lane],
            to = CAB_GROUP_SIZE == 1 ? shares : from + share_count[first + lane];
        for (int k = from; k < to; k++) {
            cab_share part = share[k];
            float4 change = effect[part.contact];
            global float4 *ends = push + 2 * part.segment;
            ends[0] = float4_add_scaled(ends[0], part.a, change);
            ends[1] = float4_add_scaled(ends[1], part.b, change);
        }
    }
}

/* Moves each particle by the corrections of its segments' contacts. */
CAB_KERNEL(contact_apply, global float4 *offset, global const float4 *position, global const float4 *push,
           global const int *incident_start, global const int *incident)
{
    CAB_ITEM(i);
    real w = position[i].w;
    if (w < 0) return; /* asleep */
    vec3 sum = vec3_zero();
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++)
        sum = vec3_add(sum, vec3_of(push[incident[k]]));
    vec3 e = vec3_add_scaled(vec3_of(offset[i]), w, sum);
    offset[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Sums the normal multipliers of a segment's contacts at both ends. Flags: CAB_FORCE_CABLES, _COLLIDERS */
CAB_KERNEL(contact_pressing, global float *end_pressing, global const cab_share *share,
           global const int *share_start, global const int *share_count, global const float *contact,
           global const int *near_start, global const int *near_count, global const cab_contact *near_contact)
{
    CAB_ITEM(i);
    real sum_a = 0, sum_b = 0;
    int first = share_start[i], count = argument & CAB_FORCE_CABLES ? share_count[i] : 0;
    for (int k = first; k < first + count; k++) {
        int c = share[k].contact;
        real a = share[k].a, b = share[k].b;
        real lambda = contact[cab_contact_index(c, CAB_CONTACT_LAMBDA)];
        sum_a += (a < 0 ? -a : a) * lambda;
        sum_b += (b < 0 ? -b : b) * lambda;
    }
    first = near_start[i];
    count = argument & CAB_FORCE_COLLIDERS ? near_count[i] : 0;
    for (int k = first; k < first + count; k++) {
        sum_a += (1 - near_contact[k].t) * near_contact[k].lambda;
        sum_b += near_contact[k].t * near_contact[k].lambda;
    }
    end_pressing[2 * i] = sum_a;
    end_pressing[2 * i + 1] = sum_b;
}

/* The normal force on a particle, at the end of a frame's last substep, since its lists may change later.
 * Flag: CAB_FORCE_DIRECT */
CAB_KERNEL(contact_force, global const cab_params *params, global float *contact_force,
           global const float4 *position, global const int *incident_start, global const int *incident,
           global const float *end_pressing, global const int *component, global const int *order)
{
    CAB_ITEM(i);
    if (position[i].w < 0) return; /* asleep */
    real sum = 0;
    for (int k = incident_start[i]; k < incident_start[i + 1]; k++) sum += end_pressing[incident[k]];
    int second_order = argument & CAB_FORCE_DIRECT && order[component[i]] == 0; /* h_s is 2h/3 there */
    contact_force[i] = sum * params->inverse_h * params->inverse_h * cab_per_h(!second_order);
}

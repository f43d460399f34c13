/* narrow: finds the pairs of segments that touch. A group works on a row of pairs, a lane on a pair. */
#include "grip.h"
#include "rows.h"
#include "touch.h"

/* Conservative advancement: where two moving segments first come as near as half of `reach`, or as half of
 * their distance at the start. There they are near enough to tell what meets what, and still on the side that
 * they came from. The gap cannot close by more than `closing` in a substep. If they never come that near: at
 * their predicted places. */
CAB_INLINE cab_closest cab_sweep_rods(const cab_rod *p, const cab_rod *q, real closing, real reach)
{
    cab_closest c = cab_rods_at(p, q, 0);
    real tau = 0, distance = sqrt(c.distance2);
    real limit = CAB_SWEEP_DEPTH * real_min(reach, distance);
    for (int k = 0; k < CAB_SWEEP_STEPS && distance > limit * 1.001f && tau < 1; k++) {
        tau = real_min(1, tau + (distance - limit) / closing);
        c = cab_rods_at(p, q, tau);
        distance = sqrt(c.distance2);
    }
    return c;
}

/* A segment that is in no pair: what was there before is left to nobody, so that states are the same whatever came before. */
CAB_INLINE void cab_rod_forget(global float4 *rod, global float *travel)
{
    for (int k = 0; k < CAB_ROD_SIZE; k++) rod[k] = CAB_FLOAT4(0, 0, 0, 0);
    *travel = 0;
}

/* Lists those of a chunk's segments that are in a pair. fresh: pairs have just been listed */
CAB_INLINE int cab_list_rods(local int *listed, int first, int count, int fresh, global float4 *rod,
                             global float *travel, global const int *pair_start, global const int *back_start)
{
    local int *flag = listed + CAB_CHUNK + 1;
    CAB_LANES(k, count)
    {
        int i = first + k;
        flag[k] = pair_start[i] + back_start[i] < pair_start[i + 1] + back_start[i + 1];
        if (fresh && !flag[k]) cab_rod_forget(rod + CAB_ROD_SIZE * i, travel + i);
    }
    CAB_BARRIER_LOCAL();
    return cab_list_lanes(listed, flag + CAB_CHUNK, flag, count);
}

/* An upper bound of how far a segment has moved whose ends were displaced by a and b until the substep's start, and move by
 * to_a and to_b in it. */
CAB_INLINE real cab_rod_travelled(vec3 a, vec3 b, vec3 to_a, vec3 to_b, vec3 recent_drift)
{
    vec3 end_a = vec3_sub(vec3_add(a, to_a), recent_drift), end_b = vec3_sub(vec3_add(b, to_b), recent_drift);
    real far_a = real_max(vec3_dot(a, a), vec3_dot(end_a, end_a));
    real far_b = real_max(vec3_dot(b, b), vec3_dot(end_b, end_b));
    return 1.001f * sqrt(real_max(far_a, far_b));
}

/* What the narrow phase reads of each segment that is in a pair (CAB_ROD_...), once a substep; and `travel`, an upper bound of
 * how far the segment has moved since pairs were listed, less the drift of all particles. A radius that grows
 * counts as motion. A pair is looked at again when both its segments together may have used up its gap. Flag:
 * CAB_CONTACT_NEW_LISTS */
CAB_GROUP_KERNEL(contact_rods, global const cab_params *params, global float4 *rod, global float *travel,
                 global const float4 *position, global const float4 *residual, global const float4 *offset,
                 global const cab_segment *segment, global const int *pair_start,
                 global const int *back_start)
{
    CAB_GROUP(group);
    int first = group * CAB_CHUNK, left = params->segment_count - first,
        fresh = argument & CAB_CONTACT_NEW_LISTS;
    int count = left < CAB_CHUNK ? left : CAB_CHUNK, end = first + count;
    local int *listed = (local int *)scratch;
    if (!fresh && pair_start[first] + back_start[first] == pair_start[end] + back_start[end]) return;
    count = cab_list_rods(listed, first, count, fresh, rod, travel, pair_start, back_start);
    vec3 recent_drift = vec3_make(params->recent_drift_x, params->recent_drift_y, params->recent_drift_z);
    CAB_LANES(k, count)
    {
        int i = first + listed[k];
        cab_segment own = segment[i];
        float4 x_a = position[own.a], x_b = position[own.b];
        vec3 start_a = vec3_of(residual[own.a]), start_b = vec3_of(residual[own.b]);
        vec3 end_a = vec3_of(offset[own.a]), end_b = vec3_of(offset[own.b]);
        vec3 d = vec3_sub(vec3_of(x_b), vec3_of(x_a)), span = vec3_add(d, vec3_sub(end_b, end_a));
        vec3 now = vec3_add(d, vec3_sub(start_b, start_a));
        vec3 to_a = vec3_sub(end_a, start_a), to_b = vec3_sub(end_b, start_b);
        real radius = cab_radius_of(own, now), grown = 0, before = 0;
        global float4 *to = rod + CAB_ROD_SIZE * i;
        vec3 from_a = start_a, turned = vec3_sub(now, d);
        if (!fresh) { /* the displacements of both ends since the last look until the substep's start */
            float4 place = to[CAB_ROD_PLACE];
            from_a = vec3_add(vec3_sub(vec3_sub(vec3_of(x_a), vec3_of(place)), vec3_of(to[CAB_ROD_OFFSET])),
                              start_a);
            turned = vec3_sub(now, vec3_of(to[CAB_ROD_SPAN]));
            grown = (1 + CAB_MARGIN) * real_max(0, radius - place.w);
            before = travel[i];
        }
        travel[i] =
            before + cab_rod_travelled(from_a, vec3_add(from_a, turned), to_a, to_b, recent_drift) + grown;
        to[CAB_ROD_PLACE] = cab_with(vec3_of(x_a), radius);
        to[CAB_ROD_OFFSET] = cab_with(end_a, sqrt(real_max(vec3_dot(to_a, to_a), vec3_dot(to_b, to_b))));
        to[CAB_ROD_SPAN] = cab_with(span, cab_inverse_square(span));
        to[CAB_ROD_START_A] = cab_with(start_a, real_max(0, x_a.w)); /* asleep counts as held */
        to[CAB_ROD_START_B] = cab_with(start_b, real_max(0, x_b.w));
        to[CAB_ROD_POSITION] = cab_with(d, own.friction);
    }
}

/* Local memory for a row: the pairs that are looked at, and numbers of a chunk of them. */
typedef struct cab_narrow {
    local float *r, *u, *v;                 /* [4] arguments of cab_closest_segments */
    local float *between;                   /* [4] vector between the closest points, squared length */
    local float *s, *t, *reach, *travelled; /* closest places; sum of radii; sum of travels */
    local int *count, *touching;
    local int *flag, *looked;
} cab_narrow;

CAB_INLINE cab_narrow cab_narrow_of(local float *scratch)
{
    cab_narrow n;
    n.r = scratch;
    n.u = scratch + 4 * CAB_CHUNK;
    n.v = scratch + 8 * CAB_CHUNK;
    n.between = scratch + 12 * CAB_CHUNK;
    n.s = scratch + 16 * CAB_CHUNK;
    n.t = n.s + CAB_CHUNK;
    n.reach = n.s + 2 * CAB_CHUNK;
    n.travelled = n.s + 3 * CAB_CHUNK;
    n.count = (local int *)(scratch + 20 * CAB_CHUNK);
    n.touching = n.count + CAB_CHUNK;
    n.flag = n.touching + CAB_CHUNK + 4;
    n.looked = n.flag + CAB_ROW;
    return n;
}

CAB_INLINE void cab_put4(local float *to, real x, real y, real z, real w)
{
    to[0] = x;
    to[1] = y;
    to[2] = z;
    to[3] = w;
}

/* Lists the row's pairs that may have come near enough. */
CAB_INLINE int cab_look_at(const cab_narrow *n, global const int4 *pair, global const float *pair_limit,
                           global const float *travel, int count)
{
    CAB_LANES(k, count)
    n->flag[k] = !(travel[pair[k].x] + travel[pair[k].y] < pair_limit[k]);
    CAB_BARRIER_LOCAL();
    CAB_BARRIER_GLOBAL(); /* other lanes write limits next */
    return cab_list_lanes(n->looked, n->count, n->flag, count);
}

/* The closest points of a chunk of pairs: at the predicted places, or for fast ones on the path to them. */
CAB_INLINE void cab_find_closest(const cab_narrow *n, local const int *looked, int count,
                                 global const int4 *pair, global const float *travel,
                                 global const float4 *rod, global const cab_segment *segment,
                                 global const float4 *position, global const float4 *residual,
                                 global const float4 *offset, real sweep)
{
    CAB_LANES(l, count)
    {
        int4 of = pair[looked[l]];
        global const float4 *p = rod + CAB_ROD_SIZE * of.x, *q = rod + CAB_ROD_SIZE * of.y;
        float4 x = p[CAB_ROD_PLACE], x2 = q[CAB_ROD_PLACE], e = p[CAB_ROD_OFFSET], e2 = q[CAB_ROD_OFFSET];
        AS_FLOAT4(n->r)[l] = float4_add_scaled(float4_sub(x2, x), 1, float4_sub(e2, e));
        n->r[4 * l + 3] = e.w + e2.w;
        AS_FLOAT4(n->u)[l] = p[CAB_ROD_SPAN];
        AS_FLOAT4(n->v)[l] = q[CAB_ROD_SPAN];
        n->reach[l] = x.w + x2.w;
        n->travelled[l] = travel[of.x] + travel[of.y];
    }
    CAB_BARRIER_LOCAL();
    CAB_VECTOR_LANES(l, count)
    {
        cab_closest c = cab_closest_segments(VEC3_AT(n->r, l), VEC3_AT(n->u, l), VEC3_AT(n->v, l),
                                             n->u[4 * l + 3], n->v[4 * l + 3]);
        n->s[l] = c.s;
        n->t[l] = c.t;
        cab_put4(n->between + 4 * l, c.between.x, c.between.y, c.between.z, c.distance2);
    }
    CAB_LANES(l, count)
    {
        real moved = n->r[4 * l + 3], reach = n->reach[l];
        if (!(moved > sweep * reach)) continue;
        cab_segment a = segment[pair[looked[l]].x], b = segment[pair[looked[l]].y];
        cab_rod p = cab_rod_of(a.a, a.b, position, residual, offset);
        cab_rod q = cab_rod_of(b.a, b.b, position, residual, offset);
        cab_closest c = cab_sweep_rods(&p, &q, moved, reach);
        n->s[l] = c.s;
        n->t[l] = c.t;
        cab_put4(n->between + 4 * l, c.between.x, c.between.y, c.between.z, c.distance2);
    }
    CAB_BARRIER_LOCAL();
}

/* Lists the pairs of a chunk that touch, and sets when to look at the others again. `first`: the row's first
 * pair. guard: only pairs that move so fast that other corrections can have pulled them through each other.
 */
CAB_INLINE int cab_find_touching(const cab_narrow *n, local const int *looked, int count,
                                 global const int4 *pair, global float *pair_limit, global int *contact_entry,
                                 int first, int guard, real sweep)
{
    CAB_VECTOR_LANES(l, count)
    {
        real kept = n->reach[l] * (1 + CAB_MARGIN), distance2 = n->between[4 * l + 3];
        int touches = (distance2 < kept * kept);
        int fast = (n->r[4 * l + 3] > sweep * n->reach[l]);
        real gap = sqrt(distance2) - kept;
        n->flag[l] = touches & (fast | !guard);
        n->travelled[l] += touches | fast ? 0 : gap;
    }
    CAB_BARRIER_LOCAL();
    CAB_LANES(l, count)
    {
        int k = looked[l];
        pair_limit[k] = n->travelled[l];
        if (n->flag[l]) continue;
        contact_entry[pair[k].z] = -1 - (first + k);
        contact_entry[pair[k].w] = -1 - (first + k);
    }
    return cab_list_lanes(n->touching, n->count, n->flag, count);
}

/* The predicted offset of the point at s on a segment. */
CAB_INLINE vec3 cab_rod_end(global const float4 *rod, real s)
{
    vec3 turned = vec3_sub(vec3_of(rod[CAB_ROD_SPAN]), vec3_of(rod[CAB_ROD_POSITION]));
    return vec3_add_scaled(vec3_of(rod[CAB_ROD_OFFSET]), s, turned);
}

/* Writes the contacts of a chunk: numbers to `contact`, particles to `contact_end`, an entry in contact_entry
 * for each of both segments. `first`: index of the first contact. */
CAB_INLINE void cab_fill_contacts(const cab_narrow *n, local const int *looked, int count,
                                  global const cab_params *params, global float *contact,
                                  global int4 *contact_end, global int *contact_entry, int first,
                                  global const int4 *pair, global const float4 *rod,
                                  global const float *start_overlap, global const cab_segment *segment,
                                  global const cab_grip *grip, int argument)
{
    real push_out = params->push_out, part_slowly = params->part_slowly;
    real units = params->h * params->h;
    int substeps = CAB_NUMBER(argument),
        recalls = params->contact_spring > 0 && !(argument & CAB_CONTACT_FAST);
    local float *between = n->r, *start = n->u, *place = n->v, *overlap = n->travelled; /* no longer needed */
    CAB_LANES(k, count)
    {
        int l = n->touching[k];
        int4 of = pair[looked[l]];
        global const float4 *p = rod + CAB_ROD_SIZE * of.x, *q = rod + CAB_ROD_SIZE * of.y;
        cab_segment a = segment[of.x], b = segment[of.y];
        real s = n->s[l], t = n->t[l];
        float4 d = p[CAB_ROD_POSITION], d2 = q[CAB_ROD_POSITION];
        float4 a1 = p[CAB_ROD_START_A], b1 = p[CAB_ROD_START_B];
        float4 a2 = q[CAB_ROD_START_A], b2 = q[CAB_ROD_START_B];
        float4 x = float4_sub(q[CAB_ROD_PLACE], p[CAB_ROD_PLACE]);
        vec3 across = VEC3_AT(n->between, l);
        if (!(n->between[4 * l + 3] > 0))
            across = vec3_cross(vec3_of(d), vec3_of(d2)); /* the axes cross: normal to both */
        AS_FLOAT4(between)[k] = cab_with(across, n->reach[l]);
        AS_FLOAT4(start)[k] = float4_sub(float4_mix(a2, b2, t), float4_mix(a1, b1, s));
        start[4 * k + 3] = cab_mass_at(a1.w, b1.w, s) + cab_mass_at(a2.w, b2.w, t);
        AS_FLOAT4(place)[k] = float4_add_scaled(float4_add_scaled(x, t, d2), -s, d);
        place[4 * k + 3] = d.w * d2.w;
        if (params->static_slip > 0) {
            vec3 end = cab_rod_end(q, t), end1 = cab_rod_end(p, s);
            vec3 slip = vec3_sub(vec3_sub(end, end1), VEC3_AT(start, k));
            real length = vec3_length(across);
            place[4 * k + 3] = cab_friction2(d.w * d2.w, params->static_slip, slip,
                                             vec3_scale(across, length > 0 ? 1 / length : 0));
        }
        overlap[k] = real_min(start_overlap[of.x], start_overlap[of.y]);
        cab_row_put(contact, CAB_CONTACT_FORCE, k,
                    recalls ? vec3_scale(cab_grip_between(grip, of.x, of.y, a.a, b.a), units) : vec3_zero());
        contact[CAB_CONTACT_S * CAB_ROW + k] = s;
        contact[CAB_CONTACT_T * CAB_ROW + k] = t;
        contact_end[k] = CAB_INT4(a.a, a.b, b.a, b.b);
        contact_entry[of.z] = 2 * (first + k);
        contact_entry[of.w] = 2 * (first + k) + 1;
    }
    CAB_BARRIER_LOCAL();
    CAB_VECTOR_LANES(k, count)
    {
        vec3 across = VEC3_AT(between, k), from = VEC3_AT(start, k);
        real length = vec3_length(across), inverse = 1 / (length > 0 ? length : 1), mass = start[4 * k + 3];
        vec3 normal = vec3_make(across.x * inverse, across.y * inverse, length > 0 ? across.z * inverse : 1);
        real gap = vec3_dot(normal, VEC3_AT(place, k)) - between[4 * k + 3];
        real old = cab_old_overlap(overlap[k], substeps, part_slowly);
        cab_row_put(contact, CAB_CONTACT_NORMAL, k, normal);
        contact[CAB_CONTACT_GAP * CAB_ROW + k] =
            gap - cab_allowed(gap + vec3_dot(normal, from), push_out, 1, old);
        contact[CAB_CONTACT_FRICTION * CAB_ROW + k] = sqrt(place[4 * k + 3]);
        cab_row_put(contact, CAB_CONTACT_START, k, from);
        contact[CAB_CONTACT_LAMBDA * CAB_ROW + k] = 0;
        contact[CAB_CONTACT_SOFT * CAB_ROW + k] = params->contact_soft * mass;
        contact[CAB_CONTACT_SINK * CAB_ROW + k] =
            cab_sink(gap + vec3_dot(normal, from), between[4 * k + 3], params->contact_soft, recalls);
        mass = mass > 0 ? 1 / mass : 0; /* both held */
        contact[CAB_CONTACT_MASS * CAB_ROW + k] = mass;
    }
    CAB_BARRIER_LOCAL();
}

/* The substep's contacts of a row of pairs. Flag: CAB_CONTACT_FAST; number: ticks since the start of the run, this
 * substep included. */
CAB_GROUP_KERNEL(contact_find, global const cab_params *params, global float *contact,
                 global int4 *contact_end, global int *contact_count, global int *contact_entry,
                 global float *pair_limit, global const int4 *pair, global const float4 *rod,
                 global const float *travel, global const float *start_overlap,
                 global const cab_segment *segment, global const float4 *position,
                 global const float4 *residual, global const float4 *offset, global const cab_grip *grip)
{
    CAB_GROUP(row);
    int first = row * CAB_ROW, found = 0;
    int left = params->pair_count - first, all = left < CAB_ROW ? left : CAB_ROW;
    cab_narrow n = cab_narrow_of(scratch);
    pair += first;
    pair_limit += first;
    all = cab_look_at(&n, pair, pair_limit, travel, all);
    for (int chunk = 0; chunk < all; chunk += CAB_CHUNK) {
        local const int *looked = n.looked + chunk;
        int count = all - chunk < CAB_CHUNK ? all - chunk : CAB_CHUNK;
        cab_find_closest(&n, looked, count, pair, travel, rod, segment, position, residual, offset,
                         params->fast);
        count = cab_find_touching(&n, looked, count, pair, pair_limit, contact_entry, first,
                                  argument & CAB_CONTACT_FAST, params->fast);
        cab_fill_contacts(&n, looked, count, params, contact + first * CAB_CONTACT_NUMBERS + found,
                          contact_end + first + found, contact_entry, first + found, pair, rod, start_overlap,
                          segment, grip, argument);
        found += count;
    }
    contact_count[row] = found;
}

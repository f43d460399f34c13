/* grid: candidate lists. Segments are binned by their midpoints into cells no smaller than the reach of a
 * pair; cells are hashed into buckets, buckets sorted by counting. A list holds every pair up to `skin` apart
 * and stays valid until some particle has moved half of that.
 */
#include "geometry.h"
#include "xpbd.h"

/* How far the particles of a block have moved. Eight numbers: the farthest from where colliders were listed;
 * the farthest from where pairs were listed, as it is and less the common drift (pairs feel relative motion
 * only; both squared, m^2); the largest step, squared; the sum of ways since pairs were listed (x, y, z), m;
 * 0. */
CAB_BLOCK_KERNEL(grid_moved, global const cab_params *params, global float *moved,
                 global const float4 *position, global const float4 *residual, global const float4 *offset,
                 global const float4 *reference, global const float4 *near_reference)
{
    CAB_ITEM(block);
    vec3 drift = vec3_make(params->drift_x, params->drift_y, params->drift_z);
    vec3 sum = vec3_make(0, 0, 0);
    real near = 0, far = 0, apart = 0, largest = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->particle_count; i++) {
        vec3 e = vec3_of(offset[i]), x = vec3_of(position[i]);
        vec3 way = vec3_add(vec3_sub(x, vec3_of(reference[i])), e);
        vec3 near_way = vec3_add(vec3_sub(x, vec3_of(near_reference[i])), e);
        vec3 step = vec3_sub(e, vec3_of(residual[i]));
        vec3 relative = vec3_sub(way, drift);
        sum = vec3_add(sum, way);
        real near2 = vec3_dot(near_way, near_way), far2 = vec3_dot(way, way);
        real apart2 = vec3_dot(relative, relative), step2 = vec3_dot(step, step);
        /* written so that what is not a number counts as far */
        if (!(near2 <= near)) near = near2;
        if (!(far2 <= far)) far = far2;
        if (!(apart2 <= apart)) apart = apart2;
        if (!(step2 <= largest)) largest = step2;
    }
    global float *to = moved + 8 * block;
    to[0] = near;
    to[1] = far;
    to[2] = apart;
    to[3] = largest;
    to[4] = sum.x;
    to[5] = sum.y;
    to[6] = sum.z;
    to[7] = 0;
}

/* Notes where all particles are while lists are made. argument: 0 = of pairs, 1 = of colliders */
CAB_KERNEL(grid_note, global float4 *reference, global float4 *near_reference, global const float4 *position)
{
    CAB_ITEM(i);
    if (argument)
        near_reference[i] = position[i];
    else
        reference[i] = position[i];
}

/* Between two frames: offsets back to where the particles are. */
CAB_KERNEL(grid_settle, global float4 *offset, global const float4 *residual)
{
    CAB_ITEM(i);
    offset[i] = residual[i];
}

CAB_INLINE int cab_cell(real x)
{
    real f = floor(x);
    return f > -1e9f && f < 1e9f ? (int)f : 0;
}

/* Cells along x have their buckets side by side: a row of them is one stretch of the sorted segments. */
CAB_INLINE int cab_bucket(int x, int y, int z, int mask)
{
    return (int)(((uint)x + ((uint)y * 19349663u ^ (uint)z * 83492791u)) & (uint)mask);
}

CAB_KERNEL(grid_key, global const cab_params *params, global float4 *middle, global int *key_a,
           global int *value_a, global const float4 *position, global const cab_segment *segment)
{
    CAB_ITEM(i);
    cab_segment s = segment[i];
    vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
    vec3 m = vec3_mix(a, b, 0.5f);
    real scale = 1 / params->cell;
    middle[i] = CAB_FLOAT4(m.x, m.y, m.z, 0.5f * vec3_length(vec3_sub(b, a)) + s.radius);
    key_a[i] =
        cab_bucket(cab_cell(m.x * scale), cab_cell(m.y * scale), cab_cell(m.z * scale), params->table_mask);
    value_a[i] = i;
}

/* First place of each bucket in the sorted keys; midpoints and directions in that order. */
CAB_KERNEL(grid_cells, global const cab_params *params, global int *cell_start, global float4 *cell_middle,
           global float4 *cell_span, global const int *key_a, global const int *value_a,
           global const float4 *middle, global const float4 *position, global const cab_segment *segment)
{
    CAB_ITEM(i);
    cab_segment s = segment[value_a[i]];
    vec3 u = vec3_sub(vec3_of(position[s.b]), vec3_of(position[s.a]));
    cell_middle[i] = middle[value_a[i]];
    cell_span[i] = CAB_FLOAT4(u.x, u.y, u.z, s.radius);
    int from = i > 0 ? key_a[i - 1] + 1 : 0;
    for (int k = from; k <= key_a[i]; k++) cell_start[k] = i;
    if (i == params->segment_count - 1) {
        for (int k = key_a[i] + 1; k <= params->table_mask + 1; k++) cell_start[k] = i + 1;
    }
}

CAB_INLINE int cab_excluded(int i, int other, global const int *exclude_start, global const int *exclude)
{
    for (int k = exclude_start[i]; k < exclude_start[i + 1]; k++) {
        if (exclude[k] == other) return 1;
    }
    return 0;
}

/* May segments i and j touch at all? Along a cable: two segments between them, and an arc of 2 r + one
 * segment. */
CAB_INLINE int cab_may_touch(global const cab_params *params, int i, int j, cab_segment a, cab_segment b,
                             global const int *exclude_start, global const int *exclude)
{
    if (a.cable == b.cable) {
        if (!params->contact_self) return 0;
        int apart = i < j ? j - i : i - j;
        real arc = i < j ? b.arc - (a.arc + a.rest) : a.arc - (b.arc + b.rest);
        if (apart < 3 || arc < a.radius + b.radius + real_max(a.rest, b.rest)) return 0;
    } else if (!params->contact_cables) {
        return 0;
    }
    return !cab_excluded(i, j, exclude_start, exclude);
}

#define CAB_SEARCH_CHUNK 32 /* places looked at before what is near among them */

/* A segment that looks for others. */
typedef struct cab_seeker {
    int place, segment, count;
    int y, z, x_from, x_to; /* the row of cells that it is in */
    real scale;             /* 1 / cell */
    float4 middle;
    vec3 span;
    real radius, per_uu, uu;
} cab_seeker;

/* Those of `count` places from `first` on that are near enough, listed in `near`. */
CAB_INLINE int cab_near_places(const cab_seeker *own, real skin, int first, int count,
                               global const float4 *cell_middle, int *near)
{
    int hit[CAB_SEARCH_CHUNK], hits = 0;
    vec3 m = vec3_of(own->middle), span = own->span;
    real far_own = own->middle.w + skin, reach_own = own->radius + skin;
    real half_uu = 0.5f * own->uu, per_uu = own->per_uu;
    CAB_VECTOR_LOOP(k, count)
    {
        float4 n = cell_middle[first + k];
        vec3 d = vec3_make(n.x - m.x, n.y - m.y, n.z - m.z);
        real far = far_own + n.w, reach = reach_own + n.w;
        /* from the other's middle to this segment: at most half of the other and the gap */
        real along = real_clamp((vec3_dot(d, span) + half_uu) * per_uu, 0, 1) - 0.5f;
        vec3 away = vec3_add_scaled(d, -along, span);
        hit[k] = (vec3_dot(d, d) <= far * far) & (vec3_dot(away, away) <= reach * reach);
    }
    for (int k = 0; k < count; k++) {
        near[hits] = first + k;
        hits += hit[k];
    }
    return hits;
}

/* Takes the segment at a place as a candidate if it is one. */
CAB_INLINE void cab_take_place(cab_seeker *own, int k, global const cab_params *params, global int *slot,
                               global float *slot_gap, global const cab_segment *segment,
                               global const float4 *cell_middle, global const float4 *cell_span,
                               global const int *value_a, global const int *exclude_start,
                               global const int *exclude)
{
    float4 n = cell_middle[k];
    int x = cab_cell(n.x * own->scale);
    /* another row may share the buckets: it has its own turn */
    if (x < own->x_from || x > own->x_to) return;
    if (cab_cell(n.y * own->scale) != own->y || cab_cell(n.z * own->scale) != own->z) return;
    vec3 u = own->span, v = vec3_of(cell_span[k]);
    vec3 r = vec3_sub(vec3_of(n), vec3_of(own->middle));
    r = vec3_add_scaled(vec3_add_scaled(r, 0.5f, u), -0.5f, v);
    cab_closest c = cab_closest_segments(r, u, v, own->per_uu, cab_inverse_square(v));
    real radii = own->radius + cell_span[k].w, listed = radii + params->skin;
    if (c.distance2 > listed * listed) return;
    int j = value_a[k], to = own->segment * params->slot_count + own->count;
    if (!cab_may_touch(params, own->segment, j, segment[own->segment], segment[j], exclude_start, exclude))
        return;
    if (own->count < params->slot_count) {
        slot[to] = j;
        slot_gap[to] = sqrt(c.distance2) - radii * (1 + CAB_MARGIN);
    }
    own->count++;
}

/* Candidates of a segment in its own cell behind it and in the 13 cells that come after it, so that each pair
 * is listed once: the first slot_count of them go to slot; scan gets how many there are. Segments are taken
 * in the order of their cells, which are in the cache then. */
CAB_KERNEL(grid_search, global const cab_params *params, global int *scan, global int *slot,
           global float *slot_gap, global const cab_segment *segment, global const float4 *cell_middle,
           global const float4 *cell_span, global const int *cell_start, global const int *value_a,
           global const int *exclude_start, global const int *exclude)
{
    CAB_ITEM(place);
    int near[CAB_SEARCH_CHUNK + 1], mask = params->table_mask;
    cab_seeker own;
    own.place = place;
    own.segment = value_a[place];
    own.count = 0;
    own.scale = 1 / params->cell;
    own.middle = cell_middle[place];
    own.span = vec3_of(cell_span[place]);
    own.radius = cell_span[place].w;
    own.uu = vec3_dot(own.span, own.span);
    own.per_uu = cab_inverse_square(own.span);
    int cx = cab_cell(own.middle.x * own.scale), cy = cab_cell(own.middle.y * own.scale);
    int cz = cab_cell(own.middle.z * own.scale);
    for (int row = 4; row < 9; row++) { /* of 3 x 3 rows along x: its own and those after it */
        own.y = cy + row % 3 - 1;
        own.z = cz + row / 3 - 1;
        own.x_from = row == 4 ? cx : cx - 1;
        own.x_to = cx + 1;
        int bucket = cab_bucket(own.x_from, own.y, own.z, mask), left = own.x_to - own.x_from + 1;
        while (left > 0) { /* the row may go on at the first bucket */
            int cells = left < mask + 1 - bucket ? left : mask + 1 - bucket;
            int k = cell_start[bucket], end = cell_start[bucket + cells];
            if (row == 4 && left == 2 && k <= place) k = place + 1;
            for (; k < end; k += CAB_SEARCH_CHUNK) {
                int chunk = end - k < CAB_SEARCH_CHUNK ? end - k : CAB_SEARCH_CHUNK;
                int count = cab_near_places(&own, params->skin, k, chunk, cell_middle, near);
                for (int n = 0; n < count; n++)
                    cab_take_place(&own, near[n], params, slot, slot_gap, segment, cell_middle, cell_span,
                                   value_a, exclude_start, exclude);
            }
            left -= cells;
            bucket = 0;
        }
    }
    scan[own.segment] = own.count;
    if (own.segment == params->segment_count - 1) scan[own.segment + 1] = 0;
}

/* The longest list of a block of segments. */
CAB_BLOCK_KERNEL(grid_longest, global const cab_params *params, global float *moved, global const int *scan)
{
    CAB_ITEM(block);
    int longest = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        if (scan[i] > longest) longest = scan[i];
    }
    moved[8 * block] = (real)longest;
}

/* Lists one behind the other, and keys to sort the pairs by their second segment. A pair is looked at once
 * its segments have wandered as far as its gap. */
CAB_KERNEL(grid_pairs, global const cab_params *params, global int *pair_start, global int4 *pair,
           global float *pair_limit, global int *key_a, global int *value_a, global const int *scan,
           global const int *slot, global const float *slot_gap)
{
    CAB_ITEM(i);
    int from = scan[i], count = scan[i + 1] - from;
    pair_start[i] = from;
    if (i == params->segment_count - 1) pair_start[i + 1] = from + count;
    for (int k = 0; k < count; k++) {
        int j = slot[i * params->slot_count + k];
        pair[from + k] = CAB_INT4(i, j, 0, 0);
        pair_limit[from + k] = slot_gap[i * params->slot_count + k];
        key_a[from + k] = j;
        value_a[from + k] = from + k;
    }
}

/* Where the pairs of each second segment begin; the last item also ends the lists. */
CAB_KERNEL(grid_back, global const cab_params *params, global int *back_start, global const int *key_a)
{
    CAB_ITEM(k);
    int from = k > 0 ? key_a[k - 1] + 1 : 0;
    for (int s = from; s <= key_a[k]; s++) back_start[s] = k;
    if (k == params->sort_count - 1) {
        for (int s = key_a[k] + 1; s <= params->segment_count; s++) back_start[s] = k + 1;
    }
}

/* A segment's seats: one for each pair that it owns, then one for each that it is second in. */
CAB_KERNEL(grid_seats, global int *seat, global int4 *pair, global const int *pair_start,
           global const int *back_start, global const int *key_a, global const int *value_a)
{
    CAB_ITEM(n);
    int k = value_a[n], first = k + back_start[pair[k].x], second = pair_start[key_a[n] + 1] + n;
    pair[k].z = first;
    pair[k].w = second;
    seat[first] = -1 - k;
    seat[second] = -1 - k;
}

/* No pair at all. */
CAB_KERNEL(grid_back_none, global int *back_start)
{
    CAB_ITEM(i);
    back_start[i] = 0;
}

/* Colliders within the skin of segment i: an entry for each end that it owns and one for the stretch between;
 * a plane touches at ends only. */
CAB_INLINE int cab_find_near(int i, global const cab_params *params, global int *near,
                             global const float4 *position, global const cab_segment *segment,
                             global const cab_collider *collider, global const int *exclude_start,
                             global const int *exclude)
{
    cab_segment s = segment[i];
    vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
    vec3 m = vec3_mix(a, b, 0.5f);
    real reach = 0.5f * vec3_length(vec3_sub(b, a)) + s.radius + params->near_skin;
    int count = 0;
    for (int k = 0; k < params->collider_count; k++) {
        cab_collider c = collider[k];
        cab_outside o = cab_outside_collider(&c, m, vec3_make(0, 0, 0));
        if (o.distance > reach || cab_excluded(i, -1 - k, exclude_start, exclude)) continue;
        for (int place = 0; place < 3; place++) {
            if (place < 2 ? !(s.owner >> place & 1) : c.shape == CAB_SHAPE_IS_PLANE) continue;
            if (near) near[count] = 4 * k + place;
            count++;
        }
    }
    return count;
}

CAB_KERNEL(grid_near_count, global const cab_params *params, global int *scan, global const float4 *position,
           global const cab_segment *segment, global const cab_collider *collider,
           global const int *exclude_start, global const int *exclude)
{
    CAB_ITEM(i);
    scan[i] = cab_find_near(i, params, 0, position, segment, collider, exclude_start, exclude);
    if (i == params->segment_count - 1) scan[i + 1] = 0;
}

CAB_KERNEL(grid_near_start, global int *near_start, global const int *scan)
{
    CAB_ITEM(i);
    near_start[i] = scan[i];
}

CAB_KERNEL(grid_near_fill, global const cab_params *params, global int *near, global const int *near_start,
           global const float4 *position, global const cab_segment *segment,
           global const cab_collider *collider, global const int *exclude_start, global const int *exclude)
{
    CAB_ITEM(i);
    cab_find_near(i, params, near + near_start[i], position, segment, collider, exclude_start, exclude);
}

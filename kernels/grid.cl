/* grid: candidate lists. Segments are sorted into the cells of a grid by their midpoints. A cell is so large
 * that two segments that can touch lie in the same cell or in neighbouring ones. Cells are hashed into
 * buckets. A list holds every pair whose gap is at most `skin`, and stays valid until some particle has moved
 * by half of that. */
#include "mesh.h"
#include "pairs.h"
#include "xpbd.h"

/* How far the particles of a block have moved. Eight numbers, squares in m^2: the farthest from where
 * colliders were listed; the farthest from where pairs were listed; the same less the common drift, since
 * pairs feel relative motion only; the largest step; then the sum of the displacements since pairs were
 * listed (x, y, z), m; 0. */
CAB_BLOCK_KERNEL(grid_moved, global const cab_params *params, global float *moved,
                 global const float4 *position, global const float4 *residual, global const float4 *offset,
                 global const float4 *reference, global const float4 *near_reference)
{
    CAB_ITEM(block);
    vec3 drift = vec3_make(params->drift_x, params->drift_y, params->drift_z);
    vec3 sum = vec3_zero();
    real near = 0, far = 0, apart = 0, largest = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->particle_count; i++) {
        vec3 e = vec3_of(offset[i]), x = vec3_of(position[i]);
        vec3 displacement = vec3_add(vec3_sub(x, vec3_of(reference[i])), e);
        vec3 near_displacement = vec3_add(vec3_sub(x, vec3_of(near_reference[i])), e);
        vec3 step = vec3_sub(e, vec3_of(residual[i]));
        vec3 relative = vec3_sub(displacement, drift);
        sum = vec3_add(sum, displacement);
        real near2 = vec3_dot(near_displacement, near_displacement),
             far2 = vec3_dot(displacement, displacement);
        real apart2 = vec3_dot(relative, relative), step2 = vec3_dot(step, step);
        /* These comparisons take a value that is not a number for the largest. */
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

/* Notes where all particles are when lists are made. Flag: CAB_NOTE_COLLIDERS */
CAB_KERNEL(grid_note, global float4 *reference, global float4 *near_reference, global const float4 *position)
{
    CAB_ITEM(i);
    if (argument & CAB_NOTE_COLLIDERS)
        near_reference[i] = position[i];
    else
        reference[i] = position[i];
}

/* Sets offsets between two frames, when particles are at their positions. */
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

/* Cells that are neighbours along x have neighbouring buckets, so a row of cells is a contiguous part of the
 * sorted segments. Groups have cells of their own. */
CAB_INLINE int cab_bucket(int x, int y, int z, int group, int mask)
{
    uint row = (uint)y * 19349663u ^ (uint)z * 83492791u ^ (uint)group * 2654435761u;
    return (int)(((uint)x + row) & (uint)mask);
}

/* Does the segment between these particles lie on a drum? There all particles have exactly the same position.
 * A segment on a drum touches nothing. */
CAB_INLINE int cab_on_drum(float4 a, float4 b)
{
    return a.w == 0 && b.w == 0 && a.x == b.x && a.y == b.y && a.z == b.z;
}

CAB_KERNEL(grid_key, global const cab_params *params, global float4 *middle, global int *key_a,
           global int *value_a, global const float4 *position, global const cab_segment *segment)
{
    CAB_ITEM(i);
    cab_segment s = segment[i];
    vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
    vec3 m = vec3_mix(a, b, 0.5f);
    real scale = 1 / params->cell;
    real size = 0.5f * vec3_length(vec3_sub(b, a)) + s.radius;
    if (cab_sleeps(position[s.a].w, position[s.b].w)) size = -size;
    if (cab_on_drum(position[s.a], position[s.b])) size = 0;
    middle[i] = CAB_FLOAT4(m.x, m.y, m.z, size);
    key_a[i] = cab_bucket(cab_cell(m.x * scale), cab_cell(m.y * scale), cab_cell(m.z * scale),
                          s.owner >> CAB_SEGMENT_GROUP, params->table_mask);
    value_a[i] = i;
}

/* First places of the buckets among the sorted keys; midpoints and spans of the segments in that order. */
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

/* Is there at most one segment of their cable between segments i and j? They cannot touch, and they are near always. */
CAB_INLINE int cab_are_neighbours(int i, int j, global const cab_segment *segment)
{
    return i - j < 3 && j - i < 3 && segment[i].cable == segment[j].cable;
}

#define CAB_ROWS_ASLEEP 9 /* rows of cells around a segment; as many again to search for sleeping segments */
#define CAB_SEARCH_CHUNK 32
#define CAB_SEARCH_NEAR 64 /* candidates collected before their exact distance is computed */
/* How far a loop over `count` candidates goes in whole vectors: the single steps that a compiler puts behind them take longer. What
 * is computed beyond `count` is not used. */
#define CAB_WHOLE(count)                                                                                     \
    (CAB_GROUP_SIZE == 1 ? ((count) + CAB_WHOLE_LANES - 1) / CAB_WHOLE_LANES * CAB_WHOLE_LANES : (count))

/* A segment whose candidates are searched. */
typedef struct cab_seeker {
    int segment, count; /* candidates found */
    int x, y, z;        /* its cell */
    int near_count;
    real scale;
    float4 middle;
    vec3 span;
    real radius, per_uu, uu;
    int near[CAB_SEARCH_NEAR + 1], row[CAB_SEARCH_NEAR + 1]; /* places in sorted order, the row of each */
} cab_seeker;

/* Collects the segments at `count` places from `first` on that are near enough. In rows below CAB_ROWS_ASLEEP
 * it takes those that are awake, in the others those that sleep. */
CAB_INLINE void cab_note_near(cab_seeker *own, real skin, int first, int count, int row,
                              global const float4 *cell_middle)
{
    int hit[CAB_SEARCH_CHUNK], hits = own->near_count;
    vec3 m = vec3_of(own->middle), span = own->span;
    real side = row < CAB_ROWS_ASLEEP ? 1 : -1;
    real far_own = own->middle.w + skin, reach_own = own->radius + skin;
    real half_uu = 0.5f * own->uu, per_uu = own->per_uu;
    global const float *other = (global const float *)(cell_middle + first);
    CAB_VECTOR_LOOP(k, CAB_WHOLE(count))
    {
        vec3 d = vec3_sub(VEC3_AT(other, k), m);
        real sized = other[4 * k + 3], size = sized < 0 ? -sized : sized;
        real far = far_own + size, reach = reach_own + size;
        /* The other's midpoint may be away from this segment by half the other's length and the gap. */
        real along = real_clamp((vec3_dot(d, span) + half_uu) * per_uu, 0, 1) - 0.5f;
        vec3 away = vec3_add_scaled(d, -along, span);
        hit[k] = (vec3_dot(d, d) <= far * far) & (vec3_dot(away, away) <= reach * reach) & (sized * side > 0);
    }
    for (int k = 0; k < count; k++) {
        own->near[hits] = first + k;
        own->row[hits] = row;
        hits += hit[k];
    }
    own->near_count = hits;
}

/* Is the midpoint n in the cells of this row? 3 x 3 rows of cells lie around a segment, each along x. Of row
 * 4, which holds the segment's own cell, only that cell and the next one count. */
CAB_INLINE int cab_in_row(const cab_seeker *own, int row, vec3 n)
{
    int x = cab_cell(n.x * own->scale) - own->x;
    return x >= (row == 4 ? 0 : -1) && x <= 1 && cab_cell(n.y * own->scale) == own->y + row % 3 - 1 &&
           cab_cell(n.z * own->scale) == own->z + row % CAB_ROWS_ASLEEP / 3 - 1;
}

/* Lists the collected segments whose gap is small enough as candidates. */
CAB_INLINE void cab_take_near(cab_seeker *own, global const cab_params *params, global int *slot,
                              global float *slot_gap, global const cab_segment *segment,
                              global const float4 *cell_middle, global const float4 *cell_span,
                              global const int *value_a, global const int *exclude_start,
                              global const int *exclude)
{
    float4 middle[CAB_SEARCH_NEAR], span[CAB_SEARCH_NEAR];
    float distance2[CAB_SEARCH_NEAR];
    const float *from = (const float *)middle, *along = (const float *)span;
    vec3 u = own->span, m = vec3_of(own->middle);
    real per_uu = own->per_uu;
    int count = 0;
    for (int n = 0; n < own->near_count; n++) {
        int place = own->near[n], row = own->row[n];
        if (cab_are_neighbours(own->segment, value_a[place], segment)) continue;
        own->near[count] = place;
        own->row[count] = row;
        middle[count] = cell_middle[place];
        span[count] = cell_span[place];
        count++;
    }
    for (int n = count; n < CAB_WHOLE(count); n++) {
        middle[n] = middle[0];
        span[n] = span[0];
    }
    CAB_VECTOR_LOOP(n, CAB_WHOLE(count))
    {
        vec3 v = VEC3_AT(along, n), r = vec3_sub(VEC3_AT(from, n), m);
        r = vec3_add_scaled(vec3_add_scaled(r, 0.5f, u), -0.5f, v);
        distance2[n] = cab_closest_segments(r, u, v, per_uu, cab_inverse_square(v)).distance2;
    }
    for (int n = 0; n < count; n++) {
        real radii = own->radius + span[n].w, listed = radii + params->skin;
        if (distance2[n] > listed * listed) continue;
        int i = own->segment, j = value_a[own->near[n]];
        /* Other rows may share the buckets; they are searched by themselves. */
        if (!cab_in_row(own, own->row[n], vec3_of(middle[n]))) continue;
        if (!cab_may_touch(params, i, j, segment[i], segment[j], exclude_start, exclude)) continue;
        if (own->count < params->slot_count) {
            slot[i * params->slot_count + own->count] = j;
            slot_gap[i * params->slot_count + own->count] = sqrt(distance2[n]) - radii * (1 + CAB_MARGIN);
        }
        own->count++;
    }
    own->near_count = 0;
}

/* Does a neighbouring cell begin so near, in `distance` along an axis from a segment's middle, that the
 * segment can touch something in the cell? `span`: the segment's span along the axis. */
CAB_INLINE int cab_within(real distance, real span, real spread)
{
    return distance <= 0.5f * (span < 0 ? -span : span) + spread;
}

/* Searches candidates of the segment at a place: behind it in its own cell, and in the 13 neighbouring cells
 * that come after that, so each pair is listed once. */
CAB_INLINE void cab_search_from(int place, global const cab_params *params, global int *scan,
                                global int *slot, global float *slot_gap, global const cab_segment *segment,
                                global const float4 *cell_middle, global const float4 *cell_span,
                                global const int *cell_start, global const int *value_a,
                                global const int *exclude_start, global const int *exclude)
{
    int mask = params->table_mask;
    cab_seeker own;
    own.segment = value_a[place];
    int group = segment[own.segment].owner >> CAB_SEGMENT_GROUP;
    own.count = own.near_count = 0;
    own.scale = 1 / params->cell;
    own.middle = cell_middle[place];
    own.span = vec3_of(cell_span[place]);
    own.radius = cell_span[place].w;
    own.uu = vec3_dot(own.span, own.span);
    own.per_uu = cab_inverse_square(own.span);
    own.x = cab_cell(own.middle.x * own.scale);
    own.y = cab_cell(own.middle.y * own.scale);
    own.z = cab_cell(own.middle.z * own.scale);
    /* From this segment's axis to the other's middle; half of (cell - skin) is half the longest segment and
     * its radius. */
    real spread = own.radius + params->skin + 0.5f * (params->cell - params->skin), cell = params->cell;
    int back = cab_within(own.middle.x - (real)own.x * cell, own.span.x, spread);
    int ahead = cab_within((real)(own.x + 1) * cell - own.middle.x, own.span.x, spread);
    /* Its own row and those after it. Sleeping segments do not search, so they are searched in all rows. */
    int rows = params->sleeping ? 2 * CAB_ROWS_ASLEEP : CAB_ROWS_ASLEEP;
    if (!(own.middle.w > 0)) rows = 0;
    for (int row = 4; row <= rows; row++) {
        int last = row == rows; /* takes what is left of the others: to compile that once is long enough */
        int dy = row % 3 - 1, dz = row % CAB_ROWS_ASLEEP / 3 - 1;
        if (!last && dy < 0 && !cab_within(own.middle.y - (real)own.y * cell, own.span.y, spread)) continue;
        if (!last && dy > 0 && !cab_within((real)(own.y + 1) * cell - own.middle.y, own.span.y, spread))
            continue;
        if (!last && dz > 0 && !cab_within((real)(own.z + 1) * cell - own.middle.z, own.span.z, spread))
            continue;
        int x = row == 4 || !back ? own.x : own.x - 1, left = last ? 1 : own.x + 1 + ahead - x;
        int bucket = cab_bucket(x, own.y + dy, own.z + dz, group, mask);
        int k = row == 4 ? place + 1 : cell_start[bucket];
        while (left > 0) { /* the row may continue at the first bucket */
            int cells = left < mask + 1 - bucket ? left : mask + 1 - bucket;
            for (int end = last ? k + 1 : cell_start[bucket + cells]; k < end; k += CAB_SEARCH_CHUNK) {
                int chunk = end - k < CAB_SEARCH_CHUNK ? end - k : CAB_SEARCH_CHUNK;
                if (last || own.near_count + chunk > CAB_SEARCH_NEAR)
                    cab_take_near(&own, params, slot, slot_gap, segment, cell_middle, cell_span, value_a,
                                  exclude_start, exclude);
                if (!last) cab_note_near(&own, params->skin, k, chunk, row, cell_middle);
            }
            left -= cells;
            bucket = k = 0;
        }
    }
    scan[own.segment] = own.count;
    if (own.segment == params->segment_count - 1) scan[own.segment + 1] = 0;
}

/* Writes the first slot_count candidates of each segment to slot and their total number to scan. Segments are
 * taken in sorted order, so that neighbours are in the cache. */
CAB_GROUP_KERNEL(grid_search, global const cab_params *params, global int *scan, global int *slot,
                 global float *slot_gap, global const cab_segment *segment, global const float4 *cell_middle,
                 global const float4 *cell_span, global const int *cell_start, global const int *value_a,
                 global const int *exclude_start, global const int *exclude)
{
    CAB_GROUP(group);
    int first = group * CAB_CHUNK, left = params->segment_count - first;
    CAB_LANES(k, left < CAB_CHUNK ? left : CAB_CHUNK)
    cab_search_from(first + k, params, scan, slot, slot_gap, segment, cell_middle, cell_span, cell_start,
                    value_a, exclude_start, exclude);
}

/* The length of the longest list in a block of segments. */
CAB_BLOCK_KERNEL(grid_longest, global const cab_params *params, global float *moved, global const int *scan)
{
    CAB_ITEM(block);
    int longest = 0;
    for (int i = block * CAB_BLOCK; i < (block + 1) * CAB_BLOCK && i < params->segment_count; i++) {
        if (scan[i] > longest) longest = scan[i];
    }
    moved[8 * block] = (real)longest;
}

/* Packs the lists of all segments one behind the other, and makes keys that sort the pairs by their second
 * segment. A pair is first looked at when both segments together have moved by its gap. */
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

/* Where the pairs of each second segment begin; the last item also ends the list. */
CAB_KERNEL(grid_back, global const cab_params *params, global int *back_start, global const int *key_a)
{
    CAB_ITEM(k);
    int from = k > 0 ? key_a[k - 1] + 1 : 0;
    for (int s = from; s <= key_a[k]; s++) back_start[s] = k;
    if (k == params->sort_count - 1) {
        for (int s = key_a[k] + 1; s <= params->segment_count; s++) back_start[s] = k + 1;
    }
}

/* A segment's entries: one for each pair that it owns, then one for each pair that it is second in. */
CAB_KERNEL(grid_entries, global int *contact_entry, global int4 *pair, global const int *pair_start,
           global const int *back_start, global const int *key_a, global const int *value_a)
{
    CAB_ITEM(n);
    int k = value_a[n], first = k + back_start[pair[k].x], second = pair_start[key_a[n] + 1] + n;
    pair[k].z = first;
    pair[k].w = second;
    contact_entry[first] = -1 - k;
    contact_entry[second] = -1 - k;
}

/* The same when there are no pairs. */
CAB_KERNEL(grid_back_none, global int *back_start)
{
    CAB_ITEM(i);
    back_start[i] = 0;
}

/* A list of candidates: they are counted, and written where `near` is not null. */
typedef struct cab_near_list {
    global int *near;
    int count;
} cab_near_list;

CAB_INLINE void cab_add_near(cab_near_list *list, int entry)
{
    if (list->near) list->near[list->count] = entry;
    list->count++;
}

/* Adds the edges of a mesh within `reach` of a segment's middle. */
CAB_INLINE void cab_add_near_edges(cab_near_list *list, const cab_collider *c, const cab_meshes *mesh,
                                   int collider_count, vec3 middle, real reach)
{
    vec3 p = cab_into_mesh(c, vec3_sub(middle, vec3_make(c->cx, c->cy, c->cz)));
    int stack[CAB_MESH_DEPTH], depth = 0;
    stack[depth++] = c->node;
    while (depth > 0) {
        global const cab_mesh_node *node = mesh->node + stack[--depth];
        if (cab_node_distance2(node, p) > reach * reach) continue;
        for (int k = 3 * node->first; k < 3 * (node->first + node->count); k++) {
            int e = mesh->triangle_edge[k];
            if (e < 0) continue;
            global const cab_mesh_edge *edge = mesh->edge + e;
            vec3 u = vec3_make(edge->ux, edge->uy, edge->uz);
            vec3 from = vec3_sub(p, vec3_make(edge->ax, edge->ay, edge->az));
            from = vec3_add_scaled(from, -real_clamp(vec3_dot(from, u) * cab_inverse_square(u), 0, 1), u);
            if (vec3_dot(from, from) <= reach * reach) cab_add_near(list, 4 * (collider_count + e) + 2);
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
}

/* A ball around a collider; without an end where there is none. */
CAB_INLINE real cab_collider_ball(const cab_collider *c, vec3 *middle)
{
    vec3 t = vec3_make(c->tx, c->ty, c->tz);
    int is_long = c->shape == CAB_SHAPE_IS_CAPSULE || c->shape == CAB_SHAPE_IS_CYLINDER;
    *middle = vec3_make(c->cx, c->cy, c->cz);
    if (is_long) *middle = vec3_add_scaled(*middle, 0.5f, t);
    if (is_long) return 0.5f * vec3_length(t) + c->radius;
    if (c->shape == CAB_SHAPE_IS_BOX) return vec3_length(t);
    return c->shape == CAB_SHAPE_IS_SPHERE ? c->radius : 1e18f;
}

/* How far a place is outside of a box around another one, squared. */
CAB_INLINE real cab_outside_box2(vec3 from, vec3 extent)
{
    real x = real_max(real_max(from.x, 0 - from.x) - extent.x, 0),
         y = real_max(real_max(from.y, 0 - from.y) - extent.y, 0),
         z = real_max(real_max(from.z, 0 - from.z) - extent.z, 0);
    return x * x + y * y + z * z;
}

/* Lists the colliders that a stretch of segments could be near to, in the order of group_collider: one after the other, thousands of
 * segments would look at each of hundreds of wheels. Where the segments are of several groups, or the list is too short, -1: all. */
CAB_KERNEL(grid_stretch, global const cab_params *params, global int *near_stretch,
           global const float4 *position, global const cab_segment *segment,
           global const cab_collider *collider, global const int *group_collider)
{
    CAB_ITEM(i);
    global int *out = near_stretch + i * (CAB_NEAR_MOST + 1);
    int first = i * CAB_NEAR_STRETCH, last = first + CAB_NEAR_STRETCH, count = 0;
    if (last > params->segment_count) last = params->segment_count;
    int group = segment[first].owner >> CAB_SEGMENT_GROUP;
    vec3 low = vec3_of(position[segment[first].a]), high = low;
    real reach = 0;
    for (int k = first; k < last; k++) {
        cab_segment s = segment[k];
        vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
        reach = real_max(reach, s.radius + 0.5f * vec3_length(vec3_sub(b, a)));
        low = vec3_min(low, vec3_min(a, b));
        high = vec3_max(high, vec3_max(a, b));
        if (s.owner >> CAB_SEGMENT_GROUP != group) count = -1;
    }
    vec3 extent = vec3_scale(vec3_sub(high, low), 0.5f), at = vec3_mix(low, high, 0.5f);
    reach =
        reach + params->near_skin + 1e-6f * (vec3_length(at) + vec3_length(extent)); /* for what is rounded */
    for (int part = 0; part < 2; part++) {
        int kind = part == 0 ? 0 : 1 + group;
        for (int n = group_collider[kind]; n < group_collider[kind + 1] && count >= 0; n++) {
            cab_collider c = collider[group_collider[n]];
            vec3 middle;
            real ball = cab_collider_ball(&c, &middle) + reach;
            if (cab_outside_box2(vec3_sub(middle, at), extent) > ball * ball) continue;
            if (count == CAB_NEAR_MOST)
                count = -1;
            else
                out[1 + count++] = group_collider[n];
        }
    }
    out[0] = count;
}

/* Lists the colliders within the skin of segment i: an entry for each end that the segment owns, and one for
 * the stretch between the ends. A plane touches ends only; a mesh touches ends, and its edges the stretch
 * between. */
CAB_INLINE int cab_find_near(int i, global const cab_params *params, global int *near,
                             global const float4 *position, global const cab_segment *segment,
                             global const cab_collider *collider, global const int *group_collider,
                             global const int *near_stretch, const cab_meshes *mesh,
                             global const int *exclude_start, global const int *exclude)
{
    cab_segment s = segment[i];
    vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
    vec3 m = vec3_mix(a, b, 0.5f), none = vec3_zero();
    real reach = 0.5f * vec3_length(vec3_sub(b, a)) + s.radius + params->near_skin;
    cab_near_list list = {near, 0};
    if (cab_on_drum(position[s.a], position[s.b])) return 0;
    global const int *chosen = near_stretch + i / CAB_NEAR_STRETCH * (CAB_NEAR_MOST + 1);
    int all = !params->near_stretches || *chosen < 0;
    CAB_ROLLED
    for (int part = all ? 0 : 1; part < 2;
         part++) { /* colliders of all groups, then those of the segment's group; or those chosen */
        int kind = part == 0 ? 0 : 1 + (s.owner >> CAB_SEGMENT_GROUP);
        int from = all ? group_collider[kind] : 0, to = all ? group_collider[kind + 1] : *chosen;
        for (int n = from; n < to; n++) {
            int k = all ? group_collider[n] : chosen[1 + n];
            cab_collider c = collider[k];
            int is_mesh = CAB_IS_MESH(&c);
            if (cab_excluded(i, -1 - k, exclude_start, exclude)) continue;
            cab_outside o = CAB_WITH_MESHES && is_mesh
                                ? cab_outside_mesh(&c, mesh, vec3_sub(m, vec3_make(c.cx, c.cy, c.cz)))
                                : cab_outside_collider(&c, m, none);
            if (o.distance > reach) continue;
            for (int place = 0; place < 2; place++) {
                if (s.owner >> place & 1) cab_add_near(&list, 4 * k + place);
            }
            if (!params->touch_between) continue;
            if (CAB_WITH_MESHES && is_mesh)
                cab_add_near_edges(&list, &c, mesh, params->collider_count, m, reach);
            else if (c.shape != CAB_SHAPE_IS_PLANE)
                cab_add_near(&list, 4 * k + 2);
        }
    }
    return list.count;
}

/* argument 0: counts the entries of each segment; 1: writes them. One kernel, since most of the time of a first start is
 * compiling. */
CAB_KERNEL(grid_near, global const cab_params *params, global int *scan, global int *near,
           global const int *near_start, global const float4 *position, global const cab_segment *segment,
           global const cab_collider *collider, global const int *group_collider,
           global const int *near_stretch, global const cab_mesh_node *mesh_node,
           global const cab_triangle *mesh_triangle, global const cab_mesh_edge *mesh_edge,
           global const int *mesh_triangle_edge, global const int *exclude_start, global const int *exclude)
{
    CAB_ITEM(i);
    cab_meshes mesh = {mesh_node, mesh_triangle, mesh_edge, mesh_triangle_edge};
    int count = cab_find_near(i, params, argument ? near + near_start[i] : 0, position, segment, collider,
                              group_collider, near_stretch, &mesh, exclude_start, exclude);
    if (argument) return;
    scan[i] = count;
    if (i == params->segment_count - 1) scan[i + 1] = 0;
}

CAB_KERNEL(grid_near_start, global int *near_start, global const int *scan)
{
    CAB_ITEM(i);
    near_start[i] = scan[i];
}

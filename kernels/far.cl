/* far: how far each cable is from what it could touch. The host compares that with how far anything could move in a frame; where the
 * frame cannot bring anything together, it is computed without contact (host/carrier/clear.c). For cables by themselves: chains. */
#include "mesh.h"

/* What is asked for distances. */
typedef struct cab_far_shapes {
    global const cab_collider *collider;
    global const int *group_collider;
    cab_meshes mesh;
    global const int *exclude_start, *exclude;
} cab_far_shapes;

/* Has the segment no contact with the collider? segment: -1 = none is asked about */
CAB_INLINE int cab_far_excluded(const cab_far_shapes *s, int segment, int collider)
{
    if (segment < 0) return 0;
    for (int k = s->exclude_start[segment]; k < s->exclude_start[segment + 1]; k++) {
        if (s->exclude[k] == -1 - collider) return 1;
    }
    return 0;
}

/* The distance of a point from the nearest collider of all groups or of this one, without those that the segment has no contact
 * with, m. */
CAB_INLINE real cab_far_from(const cab_far_shapes *s, vec3 x, int group, int segment)
{
    real least = CAB_FAR_NOTHING;
    CAB_ROLLED
    for (int part = 0; part < 2; part++) {
        int kind = part == 0 ? 0 : 1 + group;
        for (int n = s->group_collider[kind]; n < s->group_collider[kind + 1]; n++) {
            int k = s->group_collider[n];
            if (cab_far_excluded(s, segment, k)) continue;
            cab_collider c = s->collider[k];
            cab_outside o = CAB_IS_MESH(&c)
                                ? cab_outside_mesh(&c, &s->mesh, vec3_sub(x, vec3_make(c.cx, c.cy, c.cz)))
                                : cab_outside_collider(&c, x, vec3_zero());
            least = real_min(least, o.distance);
        }
    }
    return least;
}

/* The numbers of a chain, CAB_FAR_...: see there. */
CAB_BLOCK_KERNEL(far_chains, global float *far_chain, global const float4 *position,
                 global const float4 *velocity, global const cab_chain *chain,
                 global const cab_segment *segment, global const cab_collider *collider,
                 global const int *group_collider, global const cab_mesh_node *mesh_node,
                 global const cab_triangle *mesh_triangle, global const int *exclude_start,
                 global const int *exclude)
{
    CAB_ITEM(i);
    cab_chain own = chain[i];
    cab_far_shapes shapes = {collider + own.first_collider,
                             group_collider,
                             {mesh_node, mesh_triangle, 0, 0},
                             exclude_start,
                             exclude};
    int first = own.first_particle - i, last = first + own.particle_count - 2; /* segments */
    int group = segment[first].owner >> CAB_SEGMENT_GROUP;
    real gap = CAB_FAR_NOTHING, reach = -CAB_FAR_NOTHING, radius = 0, speed = 0;
    real start = segment[first].arc, end = segment[last].arc + segment[last].rest;
    vec3 low = vec3_of(position[own.first_particle]), high = low;
    int segments = last - first + 1;
    for (int n = 0; n < segments + own.particle_count;
         n++) { /* the segments, then the particles: one search to compile */
        int k = n < segments ? n : n - segments, around = n < segments ? first + k : -1;
        vec3 x;
        real away; /* how far the thing at x reaches */
        if (around >= 0) {
            cab_segment s = segment[around];
            vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
            x = vec3_mix(a, b, 0.5f);
            away = 0.5f * vec3_length(vec3_sub(b, a)) + s.radius;
            radius = real_max(radius, s.radius);
            low = vec3_min(low, b);
            high = vec3_max(high, b);
        } else {
            float4 p = position[own.first_particle + k];
            speed = real_max(speed, vec3_length(vec3_of(velocity[own.first_particle + k])));
            if (p.w != 0) continue; /* it is not held */
            real arc = first + k <= last ? segment[first + k].arc : end;
            x = vec3_of(p);
            away = CAB_FAR_STRETCHED * real_max(arc - start, end - arc);
        }
        real distance = cab_far_from(&shapes, x, group, around);
        if (around >= 0)
            gap = real_min(gap, distance - away);
        else
            reach = real_max(reach, distance - away - radius);
    }
    global float *to = far_chain + CAB_FAR_NUMBERS * i;
    to[CAB_FAR_GAP] = gap;
    to[CAB_FAR_REACH] = reach;
    to[CAB_FAR_SPEED] = speed;
    to[CAB_FAR_LOW] = low.x - radius;
    to[CAB_FAR_LOW + 1] = low.y - radius;
    to[CAB_FAR_LOW + 2] = low.z - radius;
    to[CAB_FAR_HIGH] = high.x + radius;
    to[CAB_FAR_HIGH + 1] = high.y + radius;
    to[CAB_FAR_HIGH + 2] = high.z + radius;
}

/* The way at which a branch in a lane of nets.cl may touch a collider: CAB_NET_GAP. */
CAB_BLOCK_KERNEL(nets_far, global float *net_memory, global const cab_net_lane *net_lane,
                 global const float4 *position, global const cab_segment *segment,
                 global const cab_collider *collider, global const int *group_collider,
                 global const cab_mesh_node *mesh_node, global const cab_triangle *mesh_triangle,
                 global const int *exclude_start, global const int *exclude)
{
    CAB_ITEM(i);
    cab_far_shapes shapes = {
        collider, group_collider, {mesh_node, mesh_triangle, 0, 0}, exclude_start, exclude};
    cab_net_lane own = net_lane[i];
    int group = segment[own.segment].owner >> CAB_SEGMENT_GROUP;
    real gap = CAB_FAR_NOTHING;
    for (int k = own.segment; k < own.segment + own.count - 1; k++) {
        cab_segment s = segment[k];
        vec3 a = vec3_of(position[s.a]), b = vec3_of(position[s.b]);
        real beside = 0.5f * vec3_length(vec3_sub(b, a)) + (1 + CAB_MARGIN) * s.radius;
        gap = real_min(gap, cab_far_from(&shapes, vec3_mix(a, b, 0.5f), group, k) - beside);
    }
    global float *travel = net_memory + own.number;
    travel[(CAB_NET_GAP - CAB_NET_TRAVEL) * own.lanes] = travel[0] + gap;
}

#define CAB_FAR_CHUNK 32 /* segments at a time, in lanes */

/* A frame's time, as often as what is in motion may come further than its velocity tells. */
CAB_INLINE real cab_far_time(global const cab_params *params)
{
    return CAB_FAR_BOUND * params->h * (real)params->substeps;
}

/* The least cosine between the segments from particle `first` to `last` and the line between these two, as it may become by the end of
 * the frame if they go on turning against each other, CAB_FAR_BOUND times as fast. While it is above 0 the cable goes on along that
 * line there, and places of it that are an arc apart are at least that arc times the cosine apart. */
CAB_INLINE real cab_far_cosine(global const cab_params *params, global const float4 *position,
                               global const float4 *velocity, int first, int last)
{
    real time = cab_far_time(params), cosine[CAB_FAR_CHUNK], least = 1;
    vec3 line = vec3_sub(vec3_of(position[last]), vec3_of(position[first]));
    real inverse = 1 / real_max(vec3_length(line), 1e-20f);
    vec3 m = vec3_scale(line, inverse);
    vec3 turn = vec3_scale(vec3_sub(vec3_of(velocity[last]), vec3_of(velocity[first])), inverse);
    turn = vec3_add_scaled(turn, -vec3_dot(turn, m), m);
    for (int from = first; from < last; from += CAB_FAR_CHUNK) {
        int count = last - from < CAB_FAR_CHUNK ? last - from : CAB_FAR_CHUNK;
        global const float *x = (global const float *)(position + from),
                           *v = (global const float *)(velocity + from);
        CAB_VECTOR_LOOP(k, count)
        {
            vec3 r = vec3_sub(VEC3_AT(x, k + 1), VEC3_AT(x, k)),
                 w = vec3_sub(VEC3_AT(v, k + 1), VEC3_AT(v, k));
            real square = real_max(vec3_dot(r, r), 1e-30f), per = 1 / sqrt(square);
            /* of the segment's direction u = r per: its rate is w per without its part along u */
            real along = vec3_dot(r, m) * per, rate = vec3_dot(w, r) / square;
            rate = vec3_dot(w, m) * per - rate * along + vec3_dot(r, turn) * per;
            cosine[k] = along + time * real_min(rate, 0);
        }
        for (int k = 0; k < count; k++) least = real_min(least, cosine[k]);
    }
    return least;
}

/* Of each chain that cosine from its first particle to its last. */
CAB_BLOCK_KERNEL(far_straight, global const cab_params *params, global float *far_cosine,
                 global const float4 *position, global const float4 *velocity, global const cab_chain *chain)
{
    CAB_ITEM(i);
    int first = chain[i].first_particle;
    far_cosine[i] = cab_far_cosine(params, position, velocity, first, first + chain[i].particle_count - 1);
}

/* Boxes around the places and the velocities of a part. */
typedef struct cab_far_box {
    vec3 low, high, slow, fast;
} cab_far_box;

CAB_INLINE cab_far_box cab_far_box_of(global const float4 *position, global const float4 *velocity, int first,
                                      int last)
{
    cab_far_box b;
    b.low = b.high = vec3_of(position[first]);
    b.slow = b.fast = vec3_of(velocity[first]);
    for (int k = first + 1; k <= last; k++) {
        vec3 x = vec3_of(position[k]), v = vec3_of(velocity[k]);
        b.low = vec3_min(b.low, x);
        b.high = vec3_max(b.high, x);
        b.slow = vec3_min(b.slow, v);
        b.fast = vec3_max(b.fast, v);
    }
    return b;
}

/* The distance of two boxes of places. */
CAB_INLINE real cab_far_between(cab_far_box a, cab_far_box b)
{
    vec3 d = vec3_max(vec3_sub(b.low, a.high), vec3_sub(a.low, b.high));
    d = vec3_max(d, vec3_zero());
    return sqrt(vec3_dot(d, d));
}

/* The largest difference of two velocities, of one of each. */
CAB_INLINE real cab_far_closing(cab_far_box a, cab_far_box b)
{
    vec3 d = vec3_max(vec3_sub(b.fast, a.slow), vec3_sub(a.fast, b.slow));
    return sqrt(vec3_dot(d, d));
}

/* The largest speed at which a particle goes towards a collider that it, or half of a segment beside it, may reach in the frame. away:
 * how far that goes from it */
CAB_INLINE real cab_far_hit(global const cab_params *params, global const cab_collider *collider, vec3 x,
                            vec3 v, real away)
{
    real time = cab_far_time(params), speed = vec3_length(v), most = 0;
    CAB_ROLLED
    for (int k = 0; k < params->collider_count; k++) {
        cab_collider c = collider[k];
        cab_outside o = cab_outside_collider(&c, x, vec3_zero());
        if (o.distance - away < time * speed) most = real_max(most, -vec3_dot(v, o.normal));
    }
    return most;
}

/* The numbers of a chain that is not straight as a whole, part by part, CAB_PART_...: see there. argument: the segments of a part, and
 * the cosine from which on a stretch is straight, CAB_PARTS; flag CAB_FAR_HITS: all colliders are ones that frames of contact in lanes know. */
CAB_BLOCK_KERNEL(far_parts, global const cab_params *params, global float *far_part,
                 global const float4 *position, global const float4 *velocity, global const cab_chain *chain,
                 global const cab_segment *segment, global const cab_collider *collider)
{
    CAB_ITEM(i);
    int first = chain[i].first_particle, last = first + chain[i].particle_count - 1,
        count = CAB_NUMBER(argument) % CAB_PARTS_LONGEST,
        most = (last - first + CAB_FAR_PARTS_MOST - 1) / CAB_FAR_PARTS_MOST;
    real wanted = (real)(CAB_NUMBER(argument) / CAB_PARTS_LONGEST) / CAB_PARTS_COSINES;
    real cosine = 1, apart = CAB_FAR_NOTHING, left = apart, hit = 0, time = cab_far_time(params);
    if (count < most) count = most;
    for (int p = first; p < last && cosine > 0; p += count) {
        int end = p + count < last ? p + count : last, next = end + count < last ? end + count : last;
        int straight = 1; /* from p up to the parts that have been looked at */
        cosine = real_min(cosine, cab_far_cosine(params, position, velocity, p, next));
        cab_far_box own = cab_far_box_of(position, velocity, p, end);
        for (int q = next; q < last; q += count) {
            int stop = q + count < last ? q + count : last;
            straight = straight && q - p < CAB_FAR_PARTS_STRAIGHT * count &&
                       cab_far_cosine(params, position, velocity, p, stop) > wanted;
            if (straight) continue;
            cab_far_box other = cab_far_box_of(position, velocity, q, stop);
            real distance = cab_far_between(own, other);
            apart = real_min(apart, distance);
            left = real_min(left, distance - time * cab_far_closing(own, other));
        }
    }
    for (int k = first; k <= last && argument & CAB_FAR_HITS; k++) {
        cab_segment beside = segment[(k < last ? k : last - 1) - i];
        hit = real_max(hit, cab_far_hit(params, collider + chain[i].first_collider, vec3_of(position[k]),
                                        vec3_of(velocity[k]), beside.radius + 0.5f * beside.rest));
    }
    global float *out = far_part + i * CAB_PART_NUMBERS;
    out[CAB_PART_COSINE] = cosine;
    out[CAB_PART_APART] = apart;
    out[CAB_PART_LEFT] = left;
    out[CAB_PART_HIT] = hit;
}

/* After a frame in lanes: notes for the way staged which branches have particles that count as heavier. A branch is a cable. */
CAB_BLOCK_KERNEL(far_slow, global float4 *branch_slow, global const cab_branch *branch,
                 global const float *slow)
{
    CAB_ITEM(i);
    int first = branch[i].first, end = first + branch[i].count;
    real least = 1;
    for (int k = first; k < end; k++) least = real_min(least, slow[k]);
    branch_slow[i] = CAB_FLOAT4(0, 0, least < 1 ? 1.0f : 0.0f, 0);
}

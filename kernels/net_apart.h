/* Whether segments of a net may have touched anything in a substep (nets.cl). Nothing is asked of single segments as long as bounds
 * tell enough. A branch notes its way, the sum of what its fastest node goes in each substep, and its turn, the sum of what its
 * fastest segment turns, both since the frame in which its tile was filled. When two branches are looked at, the distance d of their
 * surfaces tells how long that serves:
 *
 *   two branches            their ways may grow by d together
 *   that meet at an end     a place an arc s from there moves against that end by no more than s times the turn, so their turns may
 *                           grow by the least d/s of their segments, s the larger one of both arcs
 *   a branch and itself     places an arc s apart move against each other by no more than s times the turn
 *
 * So that rounding never makes a difference, a bit less is granted, and what is nearer than that is looked at in each substep. */
#ifndef CAB_NET_APART_H
#define CAB_NET_APART_H

#include "geometry.h"
#include "net_sweep.h"
#include "pairs.h"

#define CAB_NET_NEVER 1e30f /* a limit that is never reached */
#define CAB_NET_LESS 1e-5f  /* m; what is granted less, and a share of this */
#define CAB_NET_SHARE 0.999f
#define CAB_NET_STEPS 16.0f /* substeps that the distance of boxes must serve, or segments are looked at */

/* A net as this sees it. */
typedef struct cab_net_apart {
    global const cab_params *params;
    cab_net net;
    global const cab_net_tile *tile; /* of the net, as its lanes */
    global const cab_net_lane *lane;
    global float *memory;     /* net_memory */
    global const float *kept; /* tile_kept */
    global const int *pair;   /* its pairs */
    global const cab_segment *segment;
    global const int *exclude_start, *exclude;
    int touching; /* two segments touch */
} cab_net_apart;

CAB_INLINE global float *cab_net_of(const cab_net_apart *a, int which, int lane)
{
    return a->memory + a->net.number + which * a->net.lanes + lane;
}

/* The x of node i in a lane; y and z stand CAB_TILE further. */
CAB_INLINE global const float *cab_net_node(const cab_net_apart *a, int lane, int i)
{
    size_t row = (size_t)(a->tile[lane / CAB_TILE].row + i);
    return a->kept + row * (CAB_SLOTS_KEPT * CAB_TILE) + CAB_SLOT_POSITION * CAB_TILE + lane % CAB_TILE;
}

/* Segments of a branch side by side. */
typedef struct cab_net_rods {
    cab_numbers from[3], to[3], radius, rest, arc; /* arc: where it starts */
    cab_numbers far;         /* the arc from where both branches meet to its far side, */
    cab_numbers index, live; /* its number, and 1 where it is one of the branch */
} cab_net_rods;

/* The arc from the end of a branch to the far side of one of its segments. */
CAB_INLINE float cab_net_arc(const cab_net_apart *a, const cab_net_lane *lane, cab_segment s, int end)
{
    cab_segment whole = a->segment[lane->segment + (end ? lane->count - 2 : 0)];
    return end ? whole.arc + whole.rest - s.arc : s.arc + s.rest - whole.arc;
}

/* Segments from j on of a lane. */
CAB_INLINE void cab_net_lay(const cab_net_apart *a, cab_net_rods *r, int lane, int j, int end)
{
    cab_net_lane own = a->lane[lane];
    for (int l = 0; l < CAB_VECTOR; l++) {
        int k = j + l < own.count - 1 ? j + l : own.count - 2;
        global const float *x = cab_net_node(a, lane, k), *y = cab_net_node(a, lane, k + 1);
        cab_segment s = a->segment[own.segment + k];
        for (int c = 0; c < 3; c++) {
            r->from[c].one[l] = x[c * CAB_TILE];
            r->to[c].one[l] = y[c * CAB_TILE];
        }
        r->radius.one[l] = s.radius;
        r->rest.one[l] = s.rest;
        r->arc.one[l] = s.arc;
        r->far.one[l] = cab_net_arc(a, &own, s, end);
        r->index.one[l] = (float)k;
        r->live.one[l] = j + l < own.count - 1 ? 1.0f : 0.0f;
    }
}

CAB_INLINE vec3 cab_net_vector(const cab_numbers *x)
{
    return vec3_make(x[0].all, x[1].all, x[2].all);
}

/* Takes out the segments that have no contact with segment `index`. other: number of the first of them */
CAB_INLINE real_mask cab_net_leave_out(const cab_net_apart *a, int index, int other, real_mask allowed)
{
    cab_numbers left;
    if (a->exclude_start[index] == a->exclude_start[index + 1]) return allowed;
    for (int l = 0; l < CAB_VECTOR; l++)
        left.one[l] = cab_excluded(index, other + l, a->exclude_start, a->exclude) ? 0.0f : 1.0f;
    return allowed & (left.all > real_of(0));
}

/* The least of what segments of lanes p and q grant; notes whether two of them touch. meet: the pair's numbers; 0 = they do not meet */
CAB_INLINE float cab_net_least(cab_net_apart *a, int p, int q, global const int *meet)
{
    real never = real_of(CAB_NET_NEVER), none = real_of(0), least = never;
    cab_net_lane own = a->lane[p], other = a->lane[q];
    real_mask touching = none != none;
    int group = a->segment[own.segment].owner >> CAB_SEGMENT_GROUP;
    if (a->segment[other.segment].owner >> CAB_SEGMENT_GROUP != group) return CAB_NET_NEVER;
    for (int j = 0; j < other.count - 1; j += CAB_VECTOR) {
        cab_net_rods r;
        cab_net_lay(a, &r, q, j, meet && p != q ? meet[3] : 0);
        vec3 start = cab_net_vector(r.from), v = vec3_sub(cab_net_vector(r.to), start);
        real per_v = cab_inverse_square(v);
        for (int i = 0; i < own.count - 1; i++) {
            cab_segment s = a->segment[own.segment + i];
            real_mask allowed = r.live.all > none;
            real radii = r.radius.all + real_of(s.radius), scale = real_of(1);
            if (meet && p != q) scale = real_max(real_of(cab_net_arc(a, &own, s, meet[2])), r.far.all);
            if (p == q) {
                scale = r.arc.all + r.rest.all - real_of(s.arc);
                allowed = allowed & cab_far_along(r.index.all - real_of((float)i),
                                                  r.arc.all - real_of(s.arc + s.rest), radii,
                                                  real_max(r.rest.all, real_of(s.rest)));
                if (!real_any(allowed)) continue;
            }
            allowed = cab_net_leave_out(a, own.segment + i, other.segment + j, allowed);
            vec3 from = cab_net_spread(cab_net_node(a, p, i), CAB_TILE);
            vec3 u = vec3_sub(cab_net_spread(cab_net_node(a, p, i + 1), CAB_TILE), from);
            cab_closest c = cab_closest_segments(vec3_sub(start, from), u, v, cab_inverse_square(u), per_v);
            real apart = real_sqrt(c.distance2) - radii * real_of(1 + CAB_MARGIN);
            touching = touching | (allowed & real_not(apart > none));
            real grant = (apart * CAB_NET_SHARE - CAB_NET_LESS) / scale;
            least = real_select(allowed, real_min(grant, least), least);
        }
    }
    a->touching |= real_any(touching);
    cab_numbers each;
    each.all = least;
    float out = CAB_NET_NEVER;
    for (int l = 0; l < CAB_VECTOR; l++) out = each.one[l] < out ? each.one[l] : out;
    return out;
}

/* How far two branches' boxes are apart; with the margin of contact. */
CAB_INLINE float cab_net_boxes_apart(const cab_net_apart *a, int p, int q)
{
    float sum = 0;
    for (int c = 0; c < 3; c++) {
        float below = *cab_net_of(a, CAB_NET_LOW + c, q) - *cab_net_of(a, CAB_NET_HIGH + c, p);
        float above = *cab_net_of(a, CAB_NET_LOW + c, p) - *cab_net_of(a, CAB_NET_HIGH + c, q);
        float beyond = below > above ? below : above;
        sum += beyond > 0 ? beyond * beyond : 0;
    }
    float margin = CAB_MARGIN * (*cab_net_of(a, CAB_NET_RADIUS, p) + *cab_net_of(a, CAB_NET_RADIUS, q));
    return cab_net_one(real_sqrt(real_of(sum))) - margin;
}

/* Sets anew the limit of two branches that do not meet. */
CAB_INLINE void cab_net_look(cab_net_apart *a, int p, int q)
{
    float step = *cab_net_of(a, CAB_NET_STEP, p) + *cab_net_of(a, CAB_NET_STEP, q);
    float grant = cab_net_boxes_apart(a, p, q) * CAB_NET_SHARE - CAB_NET_LESS;
    if (!(grant > CAB_NET_STEPS * step + 100 * CAB_NET_LESS)) grant = cab_net_least(a, q, p, 0);
    float way = *cab_net_of(a, CAB_NET_TRAVEL, p) + *cab_net_of(a, CAB_NET_TRAVEL, q);
    a->memory[a->net.limit + p * a->net.lanes + q] = grant < CAB_NET_NEVER ? way + grant : CAB_NET_NEVER;
}

CAB_INLINE real cab_net_row(const cab_net_apart *a, int place)
{
    return *(global const real_memory *)(a->memory + place);
}

/* Looks at a pair of branches that meet, or a branch and itself, if its limit is reached. */
CAB_INLINE void cab_net_check_pair(cab_net_apart *a, int k)
{
    global const int *pair = a->pair + 4 * k;
    float turn = *cab_net_of(a, CAB_NET_TURN, pair[0]);
    if (pair[1] != pair[0]) turn += *cab_net_of(a, CAB_NET_TURN, pair[1]);
    if (turn < a->memory[a->net.turn + k]) return;
    float grant = cab_net_least(a, pair[0], pair[1], pair);
    a->memory[a->net.turn + k] = grant < CAB_NET_NEVER ? turn + grant : CAB_NET_NEVER;
}

/* Tells whether lanes from q on have reached their limit with lane p; which, as numbers. */
CAB_INLINE int cab_net_reached(const cab_net_apart *a, int p, int q, cab_numbers *reached)
{
    real way = real_of(*cab_net_of(a, CAB_NET_TRAVEL, p)) +
               cab_net_row(a, a->net.number + CAB_NET_TRAVEL * a->net.lanes + q);
    real_mask mask = real_not(way < cab_net_row(a, a->net.limit + p * a->net.lanes + q));
    if (!real_any(mask)) return 0;
    reached->all = real_select(mask, real_of(1), real_of(0));
    return 1;
}

#endif

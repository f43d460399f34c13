/* direct_director: cables with a director for each segment by the direct method stage by stage (equations: director.h). */
#include "director.h"
#include "motion.h"
#include "types.h"
#include "xpbd.h"

#define CAB_DIRECTOR_STEP 0.5f /* rad; sections turn by no more in a substep */
/* So much of a section's stiffness against turning holds it where it is, so that a cable that nothing holds, straight at rest, has a
 * roll. It only slows how sections come to equilibrium. */
#define CAB_DIRECTOR_HELD 1e-4f

/* What is known of the particles and of the places that hold the roll in this substep. */
typedef struct cab_director_places {
    global const float4 *position, *residual, *step, *frame;
    global const float *roll;
    global const cab_twist_link *link;
} cab_director_places;

/* A segment over its rest length, as its motion goes on. */
CAB_INLINE vec3 cab_director_along(const cab_director_places *at, int link)
{
    cab_twist_link l = at->link[link];
    vec3 now = cab_between(vec3_of(at->position[l.a]), vec3_of(at->residual[l.a]), vec3_of(at->position[l.b]),
                           vec3_of(at->residual[l.b]));
    vec3 last = vec3_sub(vec3_of(at->step[l.b]), vec3_of(at->step[l.a]));
    return vec3_scale(vec3_add(now, last), l.inverse);
}

/* The frame of a place that holds the roll, with a director of its own. */
CAB_INLINE cab_frame cab_director_held(global const float4 *frame, int hold, float4 director)
{
    return cab_frame_along(vec3_of(frame[2 * hold]), vec3_of(director));
}

/* At roll 0: how far it is rolled is added to the angle, so that turns are counted from the first one on. */
CAB_INLINE cab_frame cab_director_still(const cab_director_places *at, int hold)
{
    return cab_director_held(at->frame, hold, at->frame[2 * hold + 1]);
}

/* A row of Newton's step for the angles of the directors, while it is made. */
typedef struct cab_director_row {
    float diagonal, right;
} cab_director_row;

/* Completes the row of link k with what is behind it: adds to its diagonal and right side, and eliminates it. Begins that of the next
 * link. twist, angle: of the particle between them */
CAB_INLINE cab_director_row cab_director_eliminate(cab_director_row row, float twist, float angle,
                                                   cab_turning turning, global float4 *work)
{
    float own = twist + 0.25f * turning.curvature, between = 0.25f * turning.curvature - twist;
    float diagonal = row.diagonal + own * (1 + CAB_DIRECTOR_HELD);
    float right = row.right + twist * angle - turning.before;
    float inverse = diagonal > 0 ? 1 / diagonal : 0;
    float factor = between * inverse;
    work[0] = CAB_FLOAT4(factor, right * inverse, turning.along, 0);
    cab_director_row next = {own * (1 + CAB_DIRECTOR_HELD) - factor * between,
                             -twist * angle - turning.after - factor * right};
    return next;
}

/* Finds Newton's step: the tables of a run. */
typedef struct cab_director_tables {
    global float4 *twist, *pull, *director, *work, *kink;
    global const cab_director_vertex *vertex;
    global const float4 *rest;
    float square; /* h_s^2 or h^2, s^2 */
} cab_director_tables;

/* The forward way: directors follow their segments; rows are eliminated. */
CAB_INLINE void cab_director_forward(const cab_director_places *at, const cab_director_tables *t,
                                     cab_director_run run)
{
    vec3 along = cab_director_along(at, run.first), along_last = along;
    cab_frame first = cab_frame_along(along, vec3_of(t->director[run.first]));
    cab_frame before = run.start < 0 ? first : cab_director_still(at, run.start);
    cab_director_row row = {0, 0};
    for (int k = 0; k <= run.count; k++) {
        int link = run.first + k, v = 2 * (run.node + k) + (k == 0);
        float roll = k == 0 && run.start >= 0 ? -at->roll[run.start] : 0;
        cab_frame after = before;
        if (k < run.count) {
            along = cab_director_along(at, link);
            after = cab_frame_along(along, vec3_of(t->director[link]));
            t->director[link] = CAB_FLOAT4(after.director.x, after.director.y, after.director.z, 0);
        } else if (run.end >= 0) {
            after = cab_director_still(at, run.end);
            roll += at->roll[run.end];
        }
        vec3 carried = before.director;
        vec3 kink = cab_twist_carry(&carried, before.tangent, after.tangent, 1);
        cab_director_vertex own = t->vertex[v];
        float4 was = t->twist[v];
        cab_twist_turned turned = {was.x, was.y, 0};
        turned = cab_twist_follow(turned, cab_twist_angle(carried, after.director, after.tangent));
        float angle = cab_twist_moment(turned, roll, 1);
        cab_turning turning = {0, 0, 0, 0};
        if (own.bending >= 0) {
            cab_kink rest = {t->rest[own.bending].x, t->rest[own.bending].y};
            cab_bent bent = cab_bent_between(before, after, along_last, along);
            turning = cab_turning_of(&bent, before, after, rest, own.bend[0], own.bend[1]);
        }
        t->twist[v] = CAB_FLOAT4(turned.angle, turned.turns, was.z,
                                 cab_twist_worst(was.w, 0, run.most, turned.changed));
        t->kink[v] = CAB_FLOAT4(kink.x, kink.y, kink.z, angle);
        if (k == 0) {
            row.diagonal = own.twist * (1 + CAB_DIRECTOR_HELD);
            row.right = -own.twist * angle;
        } else {
            row = cab_director_eliminate(row, own.twist, angle, turning, t->work + link - 1);
        }
        before = after;
        along_last = along;
    }
}

/* M of a vertex after its sections have turned by `by` against one another; also tells how far it is beyond what a substep resolves. */
CAB_INLINE float cab_director_moment(const cab_director_tables *t, int v, float by, float most)
{
    float wanted = t->vertex[v].twist * (t->kink[v].w + by);
    float4 was = t->twist[v];
    t->twist[v] = CAB_FLOAT4(was.x, was.y, was.z, cab_twist_worst(was.w, wanted, most, 0));
    return real_clamp(wanted, -most, most);
}

/* The pull of a segment between the vertices v and w, whose moments are m and n. Their mean is shown at v. */
CAB_INLINE void cab_director_pull(const cab_director_tables *t, global const cab_twist_link *link, int k,
                                  int v, float m, int w, float n)
{
    vec3 sum = vec3_add_scaled(vec3_scale(vec3_of(t->kink[v]), m), n, vec3_of(t->kink[w]));
    vec3 pull = vec3_scale(sum, -t->square * link[k].inverse);
    t->pull[k] = CAB_FLOAT4(pull.x, pull.y, pull.z, 0);
    float4 was = t->twist[v];
    t->twist[v] = CAB_FLOAT4(was.x, was.y, 0.5f * (m + n), was.w);
}

/* The way back: sections turn, and segments are pulled by what is twisted then. */
CAB_INLINE void cab_director_back(const cab_director_places *at, const cab_director_tables *t,
                                  cab_director_run run)
{
    float turned = 0, moment = 0;
    for (int k = run.count - 1; k >= -1; k--) {
        int link = run.first + k, v = 2 * (run.node + k + 1) + (k < 0);
        float turn = 0, along = 0;
        if (k >= 0) {
            float4 row = t->work[link];
            along = row.z;
            turn = real_clamp(row.y - row.x * turned, -CAB_DIRECTOR_STEP, CAB_DIRECTOR_STEP);
            cab_frame f = cab_frame_along(cab_director_along(at, link), vec3_of(t->director[link]));
            vec3 d = cab_frame_turned(f, turn);
            t->director[link] = CAB_FLOAT4(d.x, d.y, d.z, 0);
        }
        float m = cab_director_moment(t, v, turned - turn, run.most) - along;
        if (k + 1 < run.count) cab_director_pull(t, at->link, link + 1, v, m, 2 * (run.node + k + 2), moment);
        turned = turn;
        moment = m;
    }
}

/* Of each run: how its sections are rolled, and what its moments of twist pull its segments by. Rows of `twist` behind those of the holds:
 * x, y: cab_twist_turned of a vertex; z: M of the segment that begins there, N m; w: cab_twist_worst(). Number: the first of
 * the substep's rolls. */
CAB_BLOCK_KERNEL(direct_director, global const cab_params *params, global float4 *twist,
                 global float4 *twist_pull, global float4 *director, global float4 *director_work,
                 global float4 *director_kink, global const cab_director_run *director_run,
                 global const cab_director_vertex *director_vertex, global const float4 *director_rest,
                 global const float *twist_roll, global const cab_twist_link *twist_link,
                 global const float4 *twist_frame, global const float4 *position,
                 global const float4 *residual, global const float4 *step, global const int *component,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_director_run run = director_run[i];
    int first_order = order[component[twist_link[run.first].a]];
    if (first_order == CAB_ORDER_ASLEEP) return;
    cab_director_places at = {position, residual, step, twist_frame, twist_roll + argument, twist_link};
    cab_director_tables t = {twist + params->twist_holds,
                             twist_pull,
                             director,
                             director_work,
                             director_kink,
                             director_vertex,
                             director_rest,
                             params->h * params->h * (first_order ? 1 : 4.0f / 9)};
    cab_director_forward(&at, &t, run);
    cab_director_back(&at, &t, run);
}

/* How a bending is bent at the places with offsets; base: the vector that a clamp holds. */
CAB_INLINE cab_bent cab_director_bent(cab_director_bending own, global const cab_bending_constraint *bending,
                                      vec3 base, global const float4 *director, global const float4 *held,
                                      global const float4 *frame, global const float4 *position,
                                      global const float4 *offset)
{
    cab_bending_constraint c = bending[own.bending];
    int a = c.a < 0 ? c.b : c.a, e = c.c < 0 ? c.b : c.c;
    vec3 p = vec3_of(position[c.b]), o = vec3_of(offset[c.b]);
    vec3 to_a = cab_between(p, o, vec3_of(position[a]), vec3_of(offset[a]));
    vec3 to_c = cab_between(p, o, vec3_of(position[e]), vec3_of(offset[e]));
    if (own.hold >= 0)
        return cab_bent_held(cab_director_held(frame, own.hold, held[own.hold]),
                             vec3_sub(cab_curvature(to_a, to_c, c.ga, c.gc), base));
    return cab_bent_between(cab_frame_along(vec3_scale(to_a, -1), vec3_of(director[own.before])),
                            cab_frame_along(to_c, vec3_of(director[own.after])), vec3_scale(to_a, -c.ga),
                            vec3_scale(to_c, c.gc));
}

/* The targets of bendings. Rows of bending_target: what makes the constraint's force, with its one stiffness, that of both; the same with
 * both stiffnesses alike, for the energy; what a clamp holds by itself. argument: the first of the substep's holds in
 * director_held */
CAB_KERNEL(director_bend, global float4 *bending_target, global const cab_director_bending *director_bending,
           global const float4 *director, global const float4 *director_rest,
           global const float4 *director_held, global const float4 *twist_frame,
           global const cab_bending_constraint *bending, global const float4 *position,
           global const float4 *offset, global const int *component, global const int *order)
{
    CAB_ITEM(i);
    cab_director_bending own = director_bending[i];
    if (order[component[bending[own.bending].b]] == CAB_ORDER_ASLEEP) return;
    int row = bending[own.bending].target;
    vec3 base = vec3_of(bending_target[row + 2]);
    cab_bent b = cab_director_bent(own, bending, base, director, director_held + argument, twist_frame,
                                   position, offset);
    cab_kink rest = {director_rest[i].x, director_rest[i].y};
    vec3 target[2];
    cab_bent_targets(&b, rest, own.soft[0], own.soft[1], base, target);
    for (int k = 0; k < 2; k++)
        bending_target[row + k] = CAB_FLOAT4(target[k].x, target[k].y, target[k].z, 0);
}

/* At the end of a substep: what is bent beyond its yield stays so. */
CAB_KERNEL(director_set, global float4 *director_rest, global const cab_director_bending *director_bending,
           global const float4 *director, global const float4 *director_held,
           global const float4 *twist_frame, global const cab_bending_constraint *bending,
           global const float4 *bending_target, global const float4 *position, global const float4 *offset,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    cab_director_bending own = director_bending[i];
    if (!(own.yield > 0) || order[component[bending[own.bending].b]] == CAB_ORDER_ASLEEP) return;
    vec3 base = vec3_of(bending_target[bending[own.bending].target + 2]);
    cab_bent b = cab_director_bent(own, bending, base, director, director_held + argument, twist_frame,
                                   position, offset);
    cab_kink rest = {director_rest[i].x, director_rest[i].y};
    rest = cab_kink_set(cab_kink_of(&b), rest, own.yield);
    director_rest[i] = CAB_FLOAT4(rest.first, rest.second, 0, 0);
}

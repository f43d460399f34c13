/* direct_viscous: the damping of bending by the direct method stage by stage (equations: viscous.h). */
#include "motion.h"
#include "types.h"
#include "viscous.h"

/* What is known of the particles, whose number is `count`. */
typedef struct cab_viscous_buffers {
    global const int *viscous_bending;
    global const float *viscous_time, *viscous_share, *spin;
    global const cab_bending_constraint *bending;
    global const float4 *bending_target, *position, *residual, *step, *offset, *constrained;
    int count, first_order;
    float inverse_h;
} cab_viscous_buffers;

CAB_INLINE cab_viscous_segment cab_viscous_between(const cab_viscous_buffers *v, int p, int q, float inverse)
{
    int n = v->count;
    vec3 now = cab_between(vec3_of(v->position[p]), vec3_of(v->residual[p]), vec3_of(v->position[q]),
                           vec3_of(v->residual[q]));
    vec3 last = vec3_sub(vec3_of(v->step[q]), vec3_of(v->step[p]));
    vec3 before = vec3_sub(vec3_of(v->step[q + n]), vec3_of(v->step[p + n]));
    return cab_viscous_segment_of(vec3_scale(now, inverse), vec3_scale(last, inverse),
                                  vec3_scale(before, inverse), v->first_order);
}

/* A particle of a run: its bending, the segments on both sides, and EI tau/(cell h) h^2, kg m^2. */
typedef struct cab_viscous_place {
    int index;
    cab_bending_constraint bending;
    cab_viscous_segment before, after;
    float damping, inverse, weight; /* 1/rest length of a segment beside it; its inverse mass */
} cab_viscous_place;

CAB_INLINE cab_viscous_place cab_viscous_place_of(const cab_viscous_buffers *v, int k)
{
    cab_viscous_place at;
    at.index = v->viscous_bending[k];
    cab_bending_constraint c = at.bending = v->bending[at.index];
    if (c.a < 0)
        at.before = cab_viscous_clamp(vec3_of(v->bending_target[c.target]));
    else
        at.before = cab_viscous_between(v, c.a, c.b, c.c < 0 ? -c.ga : c.ga);
    if (c.c < 0)
        at.after = cab_viscous_clamp(vec3_of(v->bending_target[c.target]));
    else
        at.after = cab_viscous_between(v, c.b, c.c, c.gc);
    at.inverse = real_max(c.gc, real_max(c.ga, -c.ga));
    at.weight = v->position[c.b].w;
    at.damping = c.compliance > 0 ? v->viscous_time[at.index] * v->inverse_h / c.compliance : 0;
    return at;
}

/* Goes through a run for the first time. changes: W, 0 where it does not twist */
CAB_INLINE cab_viscous_along cab_viscous_find(const cab_viscous_buffers *v, cab_viscous_run run,
                                              float *changes)
{
    cab_viscous_along along = cab_viscous_begin();
    cab_viscous_twist twist = {0, 0, 0, 0};
    int twists = run.start >= 0;
    float first = twists ? v->spin[run.start] : 0;
    along.spin = first;
    for (int k = run.first; k < run.first + run.count; k++) {
        cab_viscous_place at = cab_viscous_place_of(v, k);
        cab_viscous_turn t = cab_viscous_turn_of(&at.before, &at.after, 0, &along.spin);
        float share = cab_viscous_share(t.kink, at.damping, at.inverse, at.weight);
        float torque = cab_viscous_torque(&along, &t, at.damping, share);
        if (twists)
            cab_viscous_weigh(&twist, &t, share * torque, share * at.damping, v->viscous_share[at.index]);
    }
    *changes = twists ? v->spin[run.end] - along.spin : 0;
    if (twists) return cab_viscous_twisted(&along, &twist, first, *changes);
    return cab_viscous_again(&along, run.holds & CAB_VISCOUS_HOLDS_START, run.holds & CAB_VISCOUS_HOLDS_END);
}

/* v h_s of a particle. The bending is solved before lengths, contacts and all else; what these will move the particle by is taken
 * to be what they moved it by in the last substep. Without that a cable that hangs still would seem to bend all the time, and its
 * damping would bend it. solved: they have moved it */
CAB_INLINE vec3 cab_viscous_way_of(const cab_viscous_buffers *v, int p, int solved)
{
    vec3 way =
        cab_viscous_way(vec3_of(v->offset[p]), vec3_of(v->residual[p]), vec3_of(v->step[p]), v->first_order);
    return solved ? way : vec3_add_scaled(way, v->first_order ? 2.25f : 1, vec3_of(v->constrained[p]));
}

/* What the curvature of a bending changes by in h_s. */
CAB_INLINE vec3 cab_viscous_changed(const cab_viscous_buffers *v, cab_bending_constraint c, int solved)
{
    vec3 own = cab_viscous_way_of(v, c.b, solved), sum = vec3_zero();
    if (c.a >= 0) sum = vec3_add_scaled(sum, c.ga, vec3_sub(cab_viscous_way_of(v, c.a, solved), own));
    if (c.c >= 0) sum = vec3_add_scaled(sum, c.gc, vec3_sub(cab_viscous_way_of(v, c.c, solved), own));
    return sum;
}

/* For each bending of a run: what its curvature changes by in h_s apart from turning; w: tau/h_s; and by what the moment of twist
 * pulls. argument: the first of the substep's holds in twist_spin; ~ of it: all but forces is over. */
CAB_BLOCK_KERNEL(direct_viscous, global const cab_params *params, global float4 *viscous_change,
                 global float4 *viscous_pull, global const cab_viscous_run *viscous_run,
                 global const int *viscous_bending, global const float *viscous_time,
                 global const float *viscous_share, global const float *twist_spin,
                 global const cab_bending_constraint *bending, global const float4 *bending_target,
                 global const float4 *position, global const float4 *residual, global const float4 *step,
                 global const float4 *offset, global const float4 *constrained, global const int *component,
                 global const int *order)
{
    CAB_ITEM(i);
    cab_viscous_run run = viscous_run[i];
    int first_order = order[component[bending[viscous_bending[run.first]].b]];
    if (first_order == CAB_ORDER_ASLEEP) return;
    cab_viscous_buffers v = {viscous_bending,
                             viscous_time,
                             viscous_share,
                             twist_spin + (argument < 0 ? ~argument : argument),
                             bending,
                             bending_target,
                             position,
                             residual,
                             step,
                             offset,
                             constrained,
                             params->particle_count,
                             first_order,
                             params->inverse_h};
    float inverse = params->inverse_h * (first_order ? 1 : 1.5f), scale = first_order ? 1 : 4.0f / 9;
    float changes;
    cab_viscous_along along = cab_viscous_find(&v, run, &changes);
    for (int k = run.first; k < run.first + run.count; k++) {
        cab_viscous_place at = cab_viscous_place_of(&v, k);
        float twists = run.start >= 0 ? changes * viscous_share[at.index] : 0;
        cab_viscous_turn t = cab_viscous_turn_of(&at.before, &at.after, twists, &along.spin);
        float share = cab_viscous_share(t.kink, at.damping, at.inverse, at.weight);
        float behind = along.behind, torque = share * cab_viscous_torque(&along, &t, at.damping, share);
        vec3 pull = cab_viscous_pull(t.kink, scale * behind, scale * torque);
        vec3 turned = cab_viscous_turned(&at.before, &at.after, &t, first_order);
        vec3 change = cab_viscous_changed(&v, at.bending, argument < 0);
        /* the curvature of a clamp's bending at an end is reversed */
        if (at.bending.c < 0) turned = vec3_scale(turned, -1);
        real counts = cab_viscous_counts(change, turned);
        change = vec3_sub_scaled(change, counts, turned);
        pull = vec3_scale(pull, share * counts);
        viscous_change[at.index] = CAB_FLOAT4(change.x, change.y, change.z, viscous_time[at.index] * inverse);
        viscous_pull[at.index] = CAB_FLOAT4(pull.x, pull.y, pull.z, 0);
    }
}

/* Between bending and constraints: notes where the bending has put the particles. */
CAB_KERNEL(viscous_note, global float4 *constrained, global const float4 *offset, global const int *component,
           global const int *order)
{
    CAB_ITEM(i);
    if (order[component[i]] != CAB_ORDER_ASLEEP) constrained[i] = offset[i];
}

/* After them: by how much they have moved the particles, in a substep of second order. */
CAB_KERNEL(viscous_end, global float4 *constrained, global const float4 *offset, global const int *component,
           global const int *order)
{
    CAB_ITEM(i);
    int first_order = order[component[i]];
    if (first_order == CAB_ORDER_ASLEEP) return;
    vec3 moved = cab_viscous_constraints(vec3_of(offset[i]), vec3_of(constrained[i]), first_order);
    constrained[i] = CAB_FLOAT4(moved.x, moved.y, moved.z, 0);
}

/* direct_twist: the twist of cables by the direct method stage by stage (equations: twist.h). */
#include "forces.h"
#include "motion.h"
#include "twist.h"
#include "types.h"

/* What is known of the particles. */
typedef struct cab_twist_places {
    global const float4 *position, *residual, *step;
} cab_twist_places;

/* The tangent of a segment, as its motion goes on. */
CAB_INLINE vec3 cab_twist_tangent(const cab_twist_places *at, cab_twist_link link)
{
    int a = link.a, b = link.b;
    vec3 now = cab_between(vec3_of(at->position[a]), vec3_of(at->residual[a]), vec3_of(at->position[b]),
                           vec3_of(at->residual[b]));
    vec3 last = vec3_sub(vec3_of(at->step[b]), vec3_of(at->step[a]));
    return vec3_scale(vec3_add(now, last), link.inverse);
}

/* Phi as it was: the sum along a run, which is more than one where a clamp in between has let go. */
CAB_INLINE cab_twist_turned cab_twist_sum(global const float4 *twist, cab_twist_run run)
{
    cab_twist_turned sum = {twist[run.start].x, twist[run.start].y, 0};
    for (int k = run.start + 1; k < run.end; k++) {
        float angle = sum.angle + twist[k].x;
        float over = angle > CAB_PI_FLOAT ? 1 : angle < -CAB_PI_FLOAT ? -1 : 0;
        sum.angle = (angle - over * CAB_TURN_HIGH) - over * CAB_TURN_LOW;
        sum.turns = (sum.turns + twist[k].y) + over;
    }
    return sum;
}

/* The angle about the tangent at a run's end, from the start's director carried along it to the end's, where segments and clamps are to be
 * now. */
CAB_INLINE float cab_twist_angle_along(const cab_twist_places *at, cab_twist_run run,
                                       global const cab_twist_link *twist_link,
                                       global const float4 *twist_frame)
{
    vec3 before = vec3_of(twist_frame[2 * run.start]), director = vec3_of(twist_frame[2 * run.start + 1]);
    vec3 end = vec3_of(twist_frame[2 * run.end]);
    for (int k = run.first; k < run.first + run.count; k++) {
        vec3 tangent = cab_twist_tangent(at, twist_link[k]);
        cab_twist_carry(&director, before, tangent, 0);
        before = tangent;
    }
    cab_twist_carry(&director, before, end, 0);
    return cab_twist_angle(director, vec3_of(twist_frame[2 * run.end + 1]), end);
}

/* The moment of a run before it is limited. It is that of the angle found a substep before; where bodies at its ends turn by it, of the
 * angle as it will be: h^2 omega2 is the share of the angle that they turn back by then, and more than a half of it would be too far. */
CAB_INLINE float cab_twist_wanted(const cab_twist_places *at, cab_twist_turned was, cab_twist_run run,
                                  global const cab_twist_link *twist_link, global const float4 *twist_frame,
                                  float roll, float h2)
{
    if (run.omega2 == 0) return cab_twist_moment(was, roll, run.stiffness);
    cab_twist_turned now = cab_twist_follow(was, cab_twist_angle_along(at, run, twist_link, twist_frame));
    return cab_twist_moment(now, roll, run.stiffness) / real_max(1, 2 * h2 * run.omega2);
}

/* What a moment at the end of a run turns the clamp there by: Phi changes by twice the sum of both tangents over its square. */
CAB_INLINE float4 cab_twist_couple(vec3 a, vec3 b, float moment)
{
    vec3 sum = vec3_add(a, b);
    sum = vec3_scale(sum, 2 * moment / real_max(vec3_dot(sum, sum), CAB_TWIST_FOLD));
    return CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
}

/* Of each run: the moment of twist, and what it pulls its segments by. twist: x, y: cab_twist_turned; z: M, N m; w: cab_twist_worst().
 * twist_couple, of each clamp: what the run that starts there, and the one that ends there, turns it by. Number: the first of the substep's
 * rolls. */
CAB_BLOCK_KERNEL(direct_twist, global const cab_params *params, global float4 *twist,
                 global float4 *twist_pull, global float4 *twist_couple,
                 global const cab_twist_run *twist_run, global const cab_twist_link *twist_link,
                 global const float4 *twist_frame, global const float *twist_roll,
                 global const float4 *position, global const float4 *residual, global const float4 *step,
                 global const int *component, global const int *order)
{
    CAB_ITEM(i);
    cab_twist_run run = twist_run[i];
    int first_order = order[component[twist_link[run.first].a]];
    if (first_order == CAB_ORDER_ASLEEP) return;
    cab_twist_places at = {position, residual, step};
    cab_twist_turned was = cab_twist_sum(twist, run);
    float roll = twist_roll[argument + run.end] - twist_roll[argument + run.start];
    float h2 = params->h * params->h * (first_order ? 1 : 4.0f / 9);
    float wanted = cab_twist_wanted(&at, was, run, twist_link, twist_frame, roll, h2),
          moment = real_clamp(wanted, -run.most, run.most);
    float scale = -moment * h2;
    vec3 before = vec3_of(twist_frame[2 * run.start]), director = vec3_of(twist_frame[2 * run.start + 1]);
    vec3 kink = vec3_zero(), end = vec3_of(twist_frame[2 * run.end]);
    for (int k = run.first; k <= run.first + run.count; k++) {
        vec3 tangent = k < run.first + run.count ? cab_twist_tangent(&at, twist_link[k]) : end;
        vec3 next = cab_twist_carry(&director, before, tangent, scale);
        if (k == run.first) twist_couple[2 * run.start] = cab_twist_couple(before, tangent, moment);
        if (k == run.first + run.count)
            twist_couple[2 * run.end + 1] = cab_twist_couple(before, tangent, -moment);
        if (k > run.first) {
            vec3 pull = vec3_scale(vec3_add(kink, next), twist_link[k - 1].inverse);
            twist_pull[k - 1] = CAB_FLOAT4(pull.x, pull.y, pull.z, 0);
        }
        kink = next;
        before = tangent;
    }
    float angle = cab_twist_angle(director, vec3_of(twist_frame[2 * run.end + 1]), end);
    cab_twist_turned now = cab_twist_follow(was, angle);
    float worst = cab_twist_worst(twist[run.start].w, wanted, run.most, now.changed);
    twist[run.start] = CAB_FLOAT4(now.angle, now.turns, moment, worst);
    for (int k = run.start + 1; k < run.end; k++) twist[k] = CAB_FLOAT4(0, 0, 0, 0);
}

/* What a particle is pulled by. twist_item: 2 segment + (1: the particle is its second) */
CAB_INLINE vec3 cab_twist_pulled(global const int *twist_start, global const int *twist_item,
                                 global const float4 *twist_pull, int particle)
{
    vec3 sum = vec3_zero();
    for (int k = twist_start[particle]; k < twist_start[particle + 1]; k++)
        sum = vec3_add_scaled(sum, twist_item[k] & 1 ? 1 : -1, vec3_of(twist_pull[twist_item[k] >> 1]));
    return sum;
}

/* Adds it to the right side of the bending. */
CAB_KERNEL(twist_bend, global float4 *bend, global const int *twist_start, global const int *twist_item,
           global const float4 *twist_pull)
{
    CAB_ITEM(i);
    vec3 sum = vec3_add(vec3_of(bend[i]), cab_twist_pulled(twist_start, twist_item, twist_pull, i));
    bend[i] = CAB_FLOAT4(sum.x, sum.y, sum.z, 0);
}

/* Adds what an attachment's own cable pulls by to the forces that attach_force adds up (attach.cl), in N and of so many substeps. argument:
 * as there */
CAB_KERNEL(twist_force, global const cab_params *params, global float4 *breakable_force,
           global const cab_breakable *breakable, global const cab_twist_link *twist_link,
           global const float4 *twist_pull, global const int *component, global const int *component_pieces,
           global const int *order)
{
    CAB_ITEM(i);
    int p = breakable[i].particle;
    if (CAB_NUMBER(argument) > 0 && !cab_force_counts(argument, component_pieces[component[p]])) return;
    if (order[component[p]] == CAB_ORDER_ASLEEP) return;
    float scale = params->inverse_h * params->inverse_h * params->share * (order[component[p]] ? 1 : 2.25f);
    vec3 f = vec3_of(breakable_force[i]);
    for (int k = 0; k < 2; k++) {
        int link = breakable[i].twist[k];
        if (link >= 0)
            f = vec3_add_scaled(f, twist_link[link].b == p ? scale : -scale, vec3_of(twist_pull[link]));
    }
    breakable_force[i] = CAB_FLOAT4(f.x, f.y, f.z, 0);
}

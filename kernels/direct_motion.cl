/* direct_motion: the direct method's time integration for cables that are joined or touch: prediction, loads,
 * drag, the end of a substep. A substep after contact has moved something is of first order. */
#include "loads.h"

/* The prediction x~ as an offset. order[component]: 1 = this substep is of first order */
CAB_KERNEL(direct_predict, global const cab_params *params, global float4 *offset, global float4 *step,
           global const float4 *position, global const float4 *residual, global const float4 *velocity,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    int n = params->particle_count, first_order = order[component[i]];
    if (first_order == CAB_ORDER_ASLEEP) return;
    float4 r = residual[i], v = velocity[i];
    if (position[i].w > 0) {
        cab_bdf s = cab_bdf_of(first_order, v.w);
        real h = params->h * s.step;
        vec3 fall = vec3_scale(vec3_make(params->gx, params->gy, params->gz), h * h * s.slow);
        cab_steps d = {vec3_of(step[i]), vec3_of(step[i + n]), vec3_of(step[i + 2 * n])};
        if (first_order) {
            d.last = vec3_scale(vec3_of(v), params->h);
            step[i] = CAB_FLOAT4(d.last.x, d.last.y, d.last.z, 0);
        }
        vec3 e = cab_predict_steps(vec3_of(r), fall, &d, s.c_0, s.c_1, s.c_2);
        r = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
    offset[i] = r;
}

/* The forces and couples on a loaded particle, as in the kernel load. With CAB_LOAD_BENDING they are added to
 * the right side of the bending. The result is the same, but a couple does not kink the cable where bending
 * starts from. */
CAB_KERNEL(direct_load, global const cab_params *params, global float4 *offset, global float4 *bend,
           global const float4 *velocity, global const float4 *position, global const int *load_start,
           global const cab_load_force *load, global const int *component, global const int *order)
{
    CAB_ITEM(i);
    int p = load[load_start[i]].particle;
    if (order[component[p]] == CAB_ORDER_ASLEEP) return;
    cab_bdf s = cab_bdf_of(order[component[p]], velocity[p].w);
    real h = params->h * s.step, scale = h * h * s.slow * position[p].w;
    vec3 force = cab_load_sum(i, p, position, load_start, load);
    if (argument & CAB_LOAD_BENDING) {
        vec3 right = vec3_add_scaled(vec3_of(bend[p]), h * h, force);
        bend[p] = CAB_FLOAT4(right.x, right.y, right.z, 0);
        return;
    }
    vec3 e = vec3_add_scaled(vec3_of(offset[p]), scale, force);
    offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Air drag at the velocity of the last substep, as in the kernel drag. */
CAB_KERNEL(direct_drag, global const cab_params *params, global float4 *offset, global const float4 *velocity,
           global const float4 *position, global const int *incident_start, global const int *incident,
           global const cab_segment *segment, global const cab_segment_drag *drag,
           global const int *component, global const int *order)
{
    CAB_ITEM(i);
    if (order[component[i]] == CAB_ORDER_ASLEEP) return;
    vec3 v = vec3_of(velocity[i]);
    cab_bdf s = cab_bdf_of(order[component[i]], velocity[i].w);
    real h = params->h * s.step;
    vec3 slower =
        cab_drag_slows(i, v, h * position[i].w, params, position, incident_start, incident, segment, drag);
    vec3 e = vec3_add_scaled(vec3_of(offset[i]), h * s.slow, vec3_sub(slower, v));
    if (position[i].w > 0) offset[i] = CAB_FLOAT4(e.x, e.y, e.z, 0);
}

/* Notes where the particles are before contact, to find out what contact moves. */
CAB_KERNEL(direct_note, global float4 *bend, global const float4 *offset)
{
    CAB_ITEM(i);
    bend[i] = offset[i];
}

/* touched[component] becomes 1 when contact has moved a particle of it since direct_note. A displacement d in
 * a substep of second order changes the velocity by 3/2 d/h, in one of first order by d/h. So in a substep of
 * second order only two thirds of d are kept, and two cables that touch exchange the same momentum. What contact has
 * moved counts as off, so that the lengths are solved again there, and nowhere else. Flag: CAB_NEWTON_STIFF (where cables
 * are stiff, direct_finish sees to the momentum). */
CAB_BLOCK_KERNEL(direct_touch, global int *touched, global int *off, global float4 *offset,
                 global const float4 *bend, global const int *component_start,
                 global const int *component_particle, global const int *order, global const int *stiff)
{
    CAB_ITEM(i);
    int any = touched[i], first_order = order[i];
    if (first_order == CAB_ORDER_ASLEEP) return;
    first_order = first_order || (argument & CAB_NEWTON_STIFF && stiff[i]);
    for (int k = component_start[i]; k < component_start[i + 1] && !(any && first_order); k++) {
        int p = component_particle[k];
        vec3 was = vec3_of(bend[p]), displacement = vec3_sub(vec3_of(offset[p]), was);
        if (displacement.x == 0 && displacement.y == 0 && displacement.z == 0) continue;
        any = 1;
        if (first_order) continue;
        vec3 e = vec3_add_scaled(was, 2.0f / 3, displacement);
        offset[p] = CAB_FLOAT4(e.x, e.y, e.z, 0);
    }
    touched[i] = any;
    off[i] = any | off[i];
}

/* Steps, velocity and position of the substep. Where colliders have pressed on a component that is stiff, or anything on one of its bodies, the
 * velocity is that of a substep of first order, d/h. Flag: CAB_NEWTON_STIFF */
CAB_KERNEL(direct_finish, global const cab_params *params, global float4 *position, global float4 *residual,
           global float4 *velocity, global float4 *step, global const float4 *offset,
           global const int *component, global const int *order, global const int *touched,
           global const int *stiff, global const int *bumped)
{
    CAB_ITEM(i);
    int n = params->particle_count, own = component[i], first_order = order[own];
    int pressed = (argument & CAB_NEWTON_STIFF && stiff[own]) || bumped[own] & CAB_BUMPED_PRESSED;
    if (first_order == CAB_ORDER_ASLEEP) return;
    cab_steps d = {vec3_of(step[i]), vec3_of(step[i + n]), vec3_zero()};
    if (!first_order && pressed && touched[own]) {
        d.last = cab_steps_way(d.last, d.before);
        first_order = 1;
    }
    float4 at = position[i], v = velocity[i];
    vec3 p = vec3_of(at), r = vec3_of(residual[i]);
    cab_steps_take(&d, cab_settle(&p, &r, vec3_of(offset[i])), first_order);
    float4 last = CAB_FLOAT4(d.last.x, d.last.y, d.last.z, 0);
    float4 before = CAB_FLOAT4(d.before.x, d.before.y, d.before.z, 0);
    step[i] = last;
    step[i + n] = before;
    step[i + 2 * n] = CAB_FLOAT4(d.first.x, d.first.y, d.first.z, 0);
    velocity[i] = cab_steps_velocity(last, before, params->inverse_h, v.w);
    position[i] = CAB_FLOAT4(p.x, p.y, p.z, at.w);
    residual[i] = CAB_FLOAT4(r.x, r.y, r.z, 0);
}

/* The next substep is of first order where contact has just moved something. */
CAB_KERNEL(direct_order, global int *order, global int *touched)
{
    CAB_ITEM(i);
    if (order[i] != CAB_ORDER_ASLEEP) order[i] = touched[i];
    touched[i] = 0;
}

/* rigid_wrench: what cables that touch a shape of a body put on it. */
#include "forces.h"
#include "motion.h"
#include "direct_types.h"
#include "rigid.h"

/* What a contact puts on the cable, kg m. gave: in the last pass of a component that is stiff; NULL = it is none */
CAB_INLINE vec3 cab_wrench_of(global const cab_contact *c, global const float *gave)
{
    vec3 n = vec3_make(c->nx, c->ny, c->nz), friction = vec3_make(c->fx, c->fy, c->fz);
    return gave ? vec3_at(gave) : vec3_add_scaled(friction, c->lambda, n);
}

/* Adds to rigid_wrench [colliders][2] the force on a shape in this substep, N, and its torque, N m: of a body that forces move about its pivot,
 * of a led one about the shape's own point. The caller divides by the number of substeps. wrench_segment: the segments that
 * may touch each shape. argument: see cab_force_counts(); CAB_WRENCH_PRESSED: components may be stiff */
CAB_BLOCK_KERNEL(rigid_wrench, global const cab_params *params, global float4 *rigid_wrench,
                 global const int *wrench_start, global const int *wrench_segment,
                 global const cab_contact *near_contact, global const int *near_start,
                 global const int *near_count, global const float *rigid_press, global const float4 *position,
                 global const float4 *offset, global const cab_segment *segment,
                 global const cab_collider *collider, global const float4 *rigid_turn,
                 global const int *component, global const int *component_pieces, global const int *stiff,
                 global const int *order)
{
    CAB_ITEM(i);
    int body = collider[i].rigid - 1;
    vec3 force = vec3_zero(), torque = vec3_zero();
    for (int s = wrench_start[i]; s < wrench_start[i + 1]; s++) {
        int k = wrench_segment[s], a = segment[k].a, b = segment[k].b, of = component[a];
        if (CAB_NUMBER(argument) > 0 && !cab_force_counts(argument, component_pieces[of])) continue;
        int pressed = argument & CAB_WRENCH_PRESSED ? stiff[of] != CAB_STIFF_NOT : 0;
        for (int at = near_start[k]; at < near_start[k] + near_count[k]; at++) {
            global const cab_contact *c = near_contact + at;
            if (c->other != i) continue;
            vec3 slide = vec3_mix(vec3_of(offset[a]), vec3_of(offset[b]), c->t);
            vec3 place = vec3_add(vec3_mix(vec3_of(position[a]), vec3_of(position[b]), c->t), slide);
            vec3 arm = vec3_sub(place, vec3_make(collider[i].cx, collider[i].cy, collider[i].cz));
            if (body >= 0) {
                global const float4 *rows = rigid_turn + CAB_RIGID_ROWS * body;
                arm =
                    vec3_sub(vec3_sub(place, vec3_of(rows[CAB_RIGID_PIVOT])), vec3_of(rows[CAB_RIGID_SHIFT]));
            }
            global const float *press = rigid_press + CAB_RIGID_PRESS * at;
            vec3 f = cab_wrench_of(c, pressed ? press + CAB_RIGID_PRESS_GAVE : 0);
            f = vec3_scale(f, -cab_per_h(order[of]));
            force = vec3_add(force, f);
            torque = vec3_add(torque, vec3_cross(arm, f));
        }
    }
    real scale = params->inverse_h * params->inverse_h * params->share;
    float4 before = rigid_wrench[2 * i], turning = rigid_wrench[2 * i + 1];
    force = vec3_add_scaled(vec3_of(before), scale, force);
    torque = vec3_add_scaled(vec3_of(turning), scale, torque);
    rigid_wrench[2 * i] = CAB_FLOAT4(force.x, force.y, force.z, 0);
    rigid_wrench[2 * i + 1] = CAB_FLOAT4(torque.x, torque.y, torque.z, 0);
}

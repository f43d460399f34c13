/* press: the contacts of segments with colliders in the passes of the direct method, for the way staged (equations:
 * press.h). What a contact did in the last pass is noted in cab_contact.s, since a collider has no segment of its
 * own. */
#include "press.h"
#include "rigid.h"
#include "touch.h"
#include "types.h"

CAB_INLINE cab_pressed cab_pressed_of(const cab_contact *c)
{
    cab_pressed p = {vec3_make(c->nx, c->ny, c->nz),
                     vec3_make(c->fx, c->fy, c->fz),
                     c->gap,
                     c->t,
                     c->friction,
                     c->lambda,
                     c->s,
                     c->mass};
    return p;
}

/* What a pass changes of a contact. */
CAB_INLINE void cab_pressed_note(cab_contact *c, const cab_pressed *p)
{
    c->lambda = p->lambda;
    c->s = p->state;
    c->fx = p->way.x;
    c->fy = p->way.y;
    c->fz = p->way.z;
}

CAB_INLINE void cab_press_store(global cab_press *out, const cab_press_sum *sum)
{
    cab_sym3_store(out->at_a, sum->a);
    cab_sym3_store(out->at_b, sum->b);
    cab_sym3_store(out->between, sum->between);
    vec3_put(out->force_a, sum->force_a);
    vec3_put(out->force_b, sum->force_b);
}

/* The body that a contact is with; -1 = none. */
CAB_INLINE int cab_press_rigid(const cab_contact *c, global const cab_params *params,
                               global const cab_collider *collider)
{
    return c->other < params->collider_count ? collider[c->other].rigid - 1 : -1;
}

/* From the pivot of a body to a place. */
CAB_INLINE vec3 cab_press_arm(global const float4 *rows, vec3 place)
{
    return vec3_sub(vec3_sub(place, vec3_of(rows[CAB_RIGID_PIVOT])), vec3_of(rows[CAB_RIGID_SHIFT]));
}

/* How far the surface has moved where a segment touches it, since contacts were found: only of bodies is that not known
 * beforehand. */
CAB_INLINE vec3 cab_press_moved_on(int body, global const float4 *rigid_turn, vec3 place)
{
    global const float4 *rows = rigid_turn + CAB_RIGID_ROWS * body;
    return body < 0 ? vec3_zero() : cab_rigid_moved_on(rows, cab_press_arm(rows, place));
}

/* The masses at contacts in all, by which the force of the last substep is shared out. */
CAB_INLINE real cab_press_mass(global const cab_contact *c, int count)
{
    real sum = 0;
    for (int k = 0; k < count; k++) sum += c[k].mass;
    return sum;
}

/* The contacts of a segment with colliders, before a pass. unsettled: a contact does something else than in
 * the pass before. Flags: CAB_NEWTON_... */
CAB_KERNEL(press_colliders, global const cab_params *params, global cab_press *press, global int *unsettled,
           global float *rigid_press, global const float4 *rigid_turn, global const float *pressing,
           global cab_contact *near_contact, global const int *near_start, global const int *near_count,
           global const float4 *position, global const float4 *offset, global const float4 *residual,
           global const float4 *velocity, global const cab_segment *segment,
           global const cab_collider *collider, global const int *component, global const int *stiff)
{
    CAB_ITEM(i);
    int a = segment[i].a, b = segment[i].b, first = near_start[i], count = near_count[i];
    if (count == 0 || !cab_stiff_presses(stiff[component[a]])) return;
    real per_mass = pressing[i] * params->h * params->h / cab_press_mass(near_contact + first, count);
    cab_press_sum sum = cab_press_none();
    vec3 moved_a = vec3_of(offset[a]), moved_b = vec3_of(offset[b]);
    int is_first = !(argument & CAB_NEWTON_GOES_ON), any = 0;
    for (int k = first; k < first + count; k++) {
        cab_contact c = near_contact[k];
        cab_pressed p = cab_pressed_of(&c);
        vec3 start = vec3_make(c.sx, c.sy, c.sz), slide = vec3_mix(moved_a, moved_b, c.t);
        vec3 place = vec3_add(vec3_mix(vec3_of(position[a]), vec3_of(position[b]), c.t), slide);
        int body = cab_press_rigid(&c, params, collider);
        slide = vec3_sub(slide, cab_press_moved_on(body, rigid_turn, place));
        if (body >= 0) rigid_press[CAB_RIGID_PRESS * k + CAB_RIGID_PRESS_BODY] = 0;
        cab_press_motion m;
        m.gap = c.gap + vec3_dot(p.n, slide);
        m.slip = m.way = cab_across(vec3_sub(slide, start), p.n);
        if (is_first) {
            vec3 surface = vec3_sub(start, vec3_mix(vec3_of(residual[a]), vec3_of(residual[b]), c.t));
            vec3 last = vec3_scale(vec3_mix(vec3_of(velocity[a]), vec3_of(velocity[b]), c.t), params->h);
            m.way = cab_across(vec3_sub(last, surface), p.n);
        }
        any |= cab_press_decide(&p, &m, per_mass * c.mass, is_first, params->slip_least, segment[i].radius);
        if (cab_press_acts(&p, &m)) {
            vec3 force;
            cab_sym3 block = cab_press_linearise(&p, &m, params->slip_least, segment[i].radius,
                                                 is_first || argument & CAB_NEWTON_DAMPED, &force);
            cab_press_add(&sum, p.t, block, force);
            if (body >= 0) {
                global float *out = rigid_press + CAB_RIGID_PRESS * k;
                cab_sym3_store(out, block);
                vec3_put(out + CAB_RIGID_PRESS_FORCE, force);
                vec3_put(out + CAB_RIGID_PRESS_ARM, cab_press_arm(rigid_turn + CAB_RIGID_ROWS * body, place));
                out[CAB_RIGID_PRESS_PLACE] = p.t;
                out[CAB_RIGID_PRESS_BODY] = (real)(body + 1);
            }
            real round = c.other < params->collider_count ? collider[c.other].radius : 0;
            vec3 span = cab_between(vec3_of(position[a]), moved_a, vec3_of(position[b]), moved_b);
            if (c.t > 0.001f && c.t < 0.999f)
                cab_press_add_roll(&sum, cab_press_roll(&p, span, round + segment[i].radius));
        }
        cab_pressed_note(&c, &p);
        near_contact[k] = c;
    }
    unsettled[i] = any;
    cab_press_store(press + i, &sum);
}

/* Notes the normal multipliers at the end of a substep's passes, and with what force colliders press on a
 * segment. */
CAB_KERNEL(press_end, global const cab_params *params, global float *pressing,
           global cab_contact *near_contact, global const int *near_start, global const int *near_count,
           global const float4 *position, global const float4 *offset, global const cab_segment *segment,
           global const cab_collider *collider, global const float4 *rigid_turn, global const int *component,
           global const int *stiff)
{
    CAB_ITEM(i);
    int a = segment[i].a, b = segment[i].b, first = near_start[i],
        moves = cab_stiff_presses(stiff[component[a]]);
    real total = 0;
    for (int k = first; k < first + near_count[i]; k++) {
        cab_contact c = near_contact[k];
        if (moves) { /* else it is noted already, in the pass that found the component settled */
            cab_pressed p = cab_pressed_of(&c);
            vec3 slide = vec3_mix(vec3_of(offset[a]), vec3_of(offset[b]), c.t);
            vec3 place = vec3_add(vec3_mix(vec3_of(position[a]), vec3_of(position[b]), c.t), slide);
            int body = cab_press_rigid(&c, params, collider);
            slide = vec3_sub(slide, cab_press_moved_on(body, rigid_turn, place));
            c.lambda = cab_press_normal(&p, c.gap + vec3_dot(p.n, slide));
            near_contact[k].lambda = c.lambda;
        }
        total += c.lambda;
    }
    pressing[i] = total * params->inverse_h * params->inverse_h;
}

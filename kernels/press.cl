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

/* The body that a contact is with; below -1 of a led one, which moves as it will; -1 = none. */
CAB_INLINE int cab_press_rigid(const cab_contact *c, global const cab_params *params,
                               global const cab_collider *collider)
{
    return c->other < params->collider_count ? collider[c->other].rigid - 1 : -1;
}

/* Notes what a contact with a body gave in the pass that its matrix and its force were for. slide: how the cable has moved there now, less the
 * surface */
CAB_INLINE void cab_press_gave(global float *p, vec3 slide)
{
    vec3 since = vec3_sub(slide, vec3_at(p + CAB_RIGID_PRESS_SLIDE)), gave = vec3_zero();
    if (p[CAB_RIGID_PRESS_BODY] != 0)
        gave = vec3_sub(vec3_at(p + CAB_RIGID_PRESS_FORCE), cab_sym3_times(cab_sym3_load(p), since));
    vec3_put(p + CAB_RIGID_PRESS_GAVE, gave);
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
        global float *out = rigid_press + CAB_RIGID_PRESS * k;
        if (body != -1) {
            if (is_first) out[CAB_RIGID_PRESS_BODY] = 0;
            cab_press_gave(out, slide);
            out[CAB_RIGID_PRESS_BODY] = 0;
        }
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
            if (body != -1) {
                cab_sym3_store(out, block);
                vec3_put(out + CAB_RIGID_PRESS_FORCE, force);
                vec3_put(out + CAB_RIGID_PRESS_SLIDE, slide);
                out[CAB_RIGID_PRESS_BODY] = (real)(body + 1);
            }
            if (body >= 0) {
                vec3_put(out + CAB_RIGID_PRESS_ARM, cab_press_arm(rigid_turn + CAB_RIGID_ROWS * body, place));
                out[CAB_RIGID_PRESS_PLACE] = p.t;
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

CAB_INLINE cab_sym3 cab_sym3_sum(global float *at, cab_sym3 m)
{
    return cab_sym3_add(cab_sym3_load(at), m);
}

/* Adds to what colliders do to a segment. */
CAB_INLINE void cab_press_store_more(global cab_press *out, const cab_press_sum *sum)
{
    cab_sym3_store(out->at_a, cab_sym3_sum(out->at_a, sum->a));
    cab_sym3_store(out->at_b, cab_sym3_sum(out->at_b, sum->b));
    cab_sym3_store(out->between, cab_sym3_sum(out->between, sum->between));
    vec3_put(out->force_a, vec3_add(vec3_at(out->force_a), sum->force_a));
    vec3_put(out->force_b, vec3_add(vec3_at(out->force_b), sum->force_b));
}

CAB_INLINE vec3 cab_contact_vec3(global const float *contact, int c, int number)
{
    return vec3_make(contact[cab_contact_index(c, number)], contact[cab_contact_index(c, number + 1)],
                     contact[cab_contact_index(c, number + 2)]);
}

/* A contact between segments, as the last pass has left it: stiffness, and the force on the second one. */
CAB_INLINE cab_sym3 cab_press_between(global const float *contact, int c, int4 end,
                                      global const float4 *offset, real least, vec3 *force, real *normal)
{
    real s = contact[cab_contact_index(c, CAB_CONTACT_S)], t = contact[cab_contact_index(c, CAB_CONTACT_T)];
    vec3 n = cab_contact_vec3(contact, c, CAB_CONTACT_NORMAL),
         start = cab_contact_vec3(contact, c, CAB_CONTACT_START);
    vec3 slide = vec3_sub(vec3_mix(vec3_of(offset[end.z]), vec3_of(offset[end.w]), t),
                          vec3_mix(vec3_of(offset[end.x]), vec3_of(offset[end.y]), s));
    vec3 slip = cab_across(vec3_sub(slide, start), n);
    real gap = contact[cab_contact_index(c, CAB_CONTACT_GAP)] + vec3_dot(n, slide);
    real stiff = CAB_PRESS_STIFF * contact[cab_contact_index(c, CAB_CONTACT_MASS)];
    if (!(gap < 0)) stiff = 0;
    *normal = 0 - stiff * gap;
    real damper =
        contact[cab_contact_index(c, CAB_CONTACT_FRICTION)] * *normal / real_max(vec3_length(slip), least);
    damper = real_min(damper, CAB_PRESS_HOLD * stiff);
    *force = vec3_add_scaled(vec3_scale(slip, 0 - damper), *normal, n);
    return cab_sym3_add_outer(cab_sym3_of(damper), stiff - damper, n);
}

/* The contacts of a segment with others of its component, where bodies are in that and it pulls hard: springs, of which each side takes
 * twice the stiffness for its own, and the other side as the last pass has left it. [2 P 0; 0 2 P] is never less than [P -P; -P P], so
 * passes go too short rather than too far, and come to the root of the whole. */
CAB_KERNEL(press_segments, global const cab_params *params, global cab_press *press, global float *contact,
           global const int4 *contact_end, global const cab_share *share, global const int *share_start,
           global const int *share_count, global const int *near_count, global const float4 *offset,
           global const cab_segment *segment, global const int *component, global const int *stiff,
           global const int *leaning)
{
    CAB_ITEM(i);
    int own = component[segment[i].a], first = share_start[i], count = share_count[i];
    if (count == 0 || !leaning[own] || stiff[own] != CAB_STIFF_MOVES) return;
    cab_press_sum sum = cab_press_none();
    for (int k = first; k < first + count; k++) {
        int second = share[k].b > 0 || share[k].a > 0;
        int4 end = contact_end[share[k].contact];
        if (component[end.x] != component[end.z]) continue;
        vec3 force;
        real normal;
        cab_sym3 block =
            cab_press_between(contact, share[k].contact, end, offset, params->slip_least, &force, &normal);
        if (!second) contact[cab_contact_index(share[k].contact, CAB_CONTACT_LAMBDA)] = normal;
        cab_press_add(&sum, second ? share[k].b : 0 - share[k].b, cab_sym3_scale(block, 2),
                      vec3_scale(force, second ? 1 : -1));
    }
    if (near_count[i] > 0)
        cab_press_store_more(press + i, &sum);
    else
        cab_press_store(press + i, &sum);
}

/* Notes the normal multipliers at the end of a substep's passes, and with what force colliders press on a
 * segment. */
CAB_KERNEL(press_end, global const cab_params *params, global float *pressing, global float *rigid_press,
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
            if (body != -1) cab_press_gave(rigid_press + CAB_RIGID_PRESS * k, slide);
            c.lambda = cab_press_normal(&p, c.gap + vec3_dot(p.n, slide));
            near_contact[k].lambda = c.lambda;
        }
        total += c.lambda;
    }
    pressing[i] = total * params->inverse_h * params->inverse_h;
}

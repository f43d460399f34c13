/* Sleep: islands at rest are frozen, and cost next to nothing until something wakes them.
 *
 * An island is a set of bodies joined by cables and contacts. Static bodies belong to none, so they join
 * none. An island falls asleep when all of its bodies have rested for a while, and does not change in a
 * single bit while it sleeps. When a body that is awake comes within the distance at which contacts are
 * looked for, the whole island wakes before the contact is made. So nothing that sleeps takes part in the
 * solver.
 */
#ifndef CAB_PLANAR_SLEEP_H
#define CAB_PLANAR_SLEEP_H

#include "shape.h"

/* 1 = the body moves freely, turns on an axle, or is moved from outside. All others are static, and join no
 * islands. */
CAB_PL_FUNCTION int cab_pl_is_mobile(const cab_pl_view *v, int body)
{
    global const cab_pl_motion *m = v->motion + body;
    return m->inverse_mass > 0 || m->inverse_inertia > 0 || m->vx != 0 || m->vy != 0 || m->w != 0;
}

CAB_PL_FUNCTION int cab_pl_sleeps(const cab_pl_view *v, int body)
{
    return (v->body[body].flags & CAB_PL_BODY_ASLEEP) != 0;
}

/* 1 = the body is awake and moves, so it may come near to others in this step. */
CAB_PL_FUNCTION int cab_pl_is_awake(const cab_pl_view *v, int body)
{
    return !cab_pl_sleeps(v, body) && cab_pl_is_mobile(v, body);
}

/* 1 = a pair of bodies need not be looked at: at least one sleeps, and neither is awake. */
CAB_PL_FUNCTION int cab_pl_pair_sleeps(const cab_pl_view *v, int a, int b)
{
    if (!cab_pl_sleeps(v, a) && !cab_pl_sleeps(v, b)) return 0;
    return !cab_pl_is_awake(v, a) && !cab_pl_is_awake(v, b);
}

/* A body with a running motor, one moved from outside and one pulled by a hand never rest. */
CAB_PL_FUNCTION int cab_pl_never_rests(const cab_pl_view *v, int body)
{
    global const cab_pl_motion *m = v->motion + body;
    global const cab_pl_body *b = v->body + body;
    if ((m->inverse_mass == 0 && m->inverse_inertia == 0) || body == v->scene->hand.body) return 1;
    return b->motor_torque > 0 && b->motor_speed != 0;
}

/* ---- waking ---- */

CAB_PL_FUNCTION void cab_pl_wake_island(const cab_pl_view *v, int island)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        global cab_pl_body *b = v->body + i;
        if (!cab_pl_sleeps(v, i) || b->island != island) continue;
        b->flags &= ~CAB_PL_BODY_ASLEEP;
        b->still = 0;
        v->scene->asleep--;
    }
    for (int c = 0; c < v->scene->cables; c++) {
        if (!v->cable[c].asleep) continue;
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            if (!cab_pl_is_awake(v, v->joint[j].body)) continue;
            v->cable[c].asleep = 0;
            v->cable[c].still = 0;
        }
    }
}

/* Wakes a cable and its island. A cable between static bodies belongs to no island. */
CAB_PL_FUNCTION void cab_pl_wake_cable(const cab_pl_view *v, int c)
{
    if (!v->cable[c].asleep) return;
    v->cable[c].asleep = 0;
    v->cable[c].still = 0;
    CAB_PL_FOR_JOINTS(v, c, j)
    {
        int body = v->joint[j].body;
        if (cab_pl_sleeps(v, body)) cab_pl_wake_island(v, v->body[body].island);
    }
}

/* Wakes a body's island and the cables on the body. */
CAB_PL_FUNCTION void cab_pl_wake_body(const cab_pl_view *v, int body)
{
    if (cab_pl_sleeps(v, body)) cab_pl_wake_island(v, v->body[body].island);
    for (int j = v->body[body].first_joint; j >= 0; j = v->joint[j].next_on_body)
        cab_pl_wake_cable(v, v->joint[j].cable);
}

/* 1 = the body sleeps, or a cable on it does. */
CAB_PL_FUNCTION int cab_pl_has_sleepers(const cab_pl_view *v, int body)
{
    if (cab_pl_sleeps(v, body)) return 1;
    for (int j = v->body[body].first_joint; j >= 0; j = v->joint[j].next_on_body) {
        if (v->cable[v->joint[j].cable].asleep) return 1;
    }
    return 0;
}

/* 1 = nothing is awake. Before that, a body that is pulled at wakes. */
CAB_PL_FUNCTION int cab_pl_is_frozen(const cab_pl_view *v)
{
    int pulled = v->scene->hand.body;
    if (v->scene->sleep && pulled >= 0 && cab_pl_sleeps(v, pulled)) {
        cab_pl_wake_island(v, v->body[pulled].island);
        v->scene->all_asleep = 0;
    }
    return v->scene->all_asleep;
}

/* ---- falling asleep ---- */

/* Counts for how long no point of a body has been farther than `rest` from where it was. Distance decides,
 * not speed: a body at rest trembles faster than a slow body creeps. */
CAB_PL_FUNCTION void cab_pl_watch_body(const cab_pl_view *v, int body)
{
    global const cab_pl_motion *m = v->motion + body;
    global cab_pl_body *b = v->body + body;
    cab_pr x = m->x - b->rest_x, y = m->y - b->rest_y, turned = b->reach * (m->angle - b->rest_angle);
    b->still += v->scene->step;
    if (CAB_SQRT_DOUBLE(x * x + y * y) + cab_pl_abs(turned) <= v->scene->rest) return;
    b->rest_x = m->x;
    b->rest_y = m->y;
    b->rest_angle = m->angle;
    b->still = 0;
}

/* The first body of a body's island, while the islands are being found. */
CAB_PL_FUNCTION int cab_pl_root(const cab_pl_view *v, int body)
{
    while (v->body[body].island != body) {
        v->body[body].island = v->body[v->body[body].island].island;
        body = v->body[body].island;
    }
    return body;
}

CAB_PL_FUNCTION void cab_pl_join(const cab_pl_view *v, int a, int b)
{
    if (!cab_pl_is_awake(v, a) || !cab_pl_is_awake(v, b)) return;
    int x = cab_pl_root(v, a), y = cab_pl_root(v, b);
    if (x < y)
        v->body[y].island = x;
    else
        v->body[x].island = y;
}

CAB_PL_FUNCTION void cab_pl_join_all(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        if (cab_pl_is_awake(v, i)) v->body[i].island = i;
    }
    for (int i = 0; i < v->scene->contacts; i++) cab_pl_join(v, v->contact[i].a, v->contact[i].b);
    for (int c = 0; c < v->scene->cables; c++) {
        int last = -1;
        if (v->cable[c].asleep) continue;
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            if (!cab_pl_is_awake(v, v->joint[j].body)) continue;
            if (last >= 0) cab_pl_join(v, last, v->joint[j].body);
            last = v->joint[j].body;
        }
    }
}

/* Notes in `busy` of its first body that an island may not sleep. */
CAB_PL_FUNCTION void cab_pl_find_busy(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->bodies; i++) v->body[i].busy = 0;
    for (int i = 0; i < v->scene->bodies; i++) {
        if (!cab_pl_is_awake(v, i)) continue;
        if (v->body[i].still < CAB_PL_REST_TIME || cab_pl_never_rests(v, i))
            v->body[cab_pl_root(v, i)].busy = 1;
    }
    for (int c = 0; c < v->scene->cables; c++) {
        if (v->cable[c].asleep || v->cable[c].still >= CAB_PL_REST_TIME) continue;
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            if (cab_pl_is_awake(v, v->joint[j].body)) v->body[cab_pl_root(v, v->joint[j].body)].busy = 1;
        }
    }
}

CAB_PL_FUNCTION void cab_pl_freeze_body(const cab_pl_view *v, int body)
{
    global cab_pl_motion *m = v->motion + body;
    v->body[body].flags |= CAB_PL_BODY_ASLEEP;
    m->vx = m->vy = m->w = 0;
    v->scene->asleep++;
}

/* Puts cables to sleep whose bodies all sleep or are static, and notes the box around their segments. */
CAB_PL_FUNCTION void cab_pl_freeze_cable(const cab_pl_view *v, int c)
{
    global cab_pl_cable *cable = v->cable + c;
    int first = 1;
    if (cable->asleep || cable->still < CAB_PL_REST_TIME) return;
    CAB_PL_FOR_JOINTS(v, c, j)
    {
        if (cab_pl_is_awake(v, v->joint[j].body)) return;
    }
    cable->asleep = 1;
    CAB_PL_FOR_JOINTS(v, c, j)
    {
        global const cab_pl_joint *joint = v->joint + j;
        cab_p2 o = cab_pl_centre(v, joint->body);
        for (int end = 0; end < 2; end++) {
            if (end == 0 ? joint->before < 0 : joint->after < 0)
                continue; /* the end of a cable has only one of the two */
            global const cab_pl_attach *a = end == 0 ? &joint->tail : &joint->head;
            cab_pr x = o.x + a->ox, y = o.y + a->oy;
            cable->left = first ? x : cab_pl_min(cable->left, x);
            cable->right = first ? x : cab_pl_max(cable->right, x);
            cable->below = first ? y : cab_pl_min(cable->below, y);
            cable->above = first ? y : cab_pl_max(cable->above, y);
            first = 0;
        }
    }
}

/* 1 = nothing is awake. */
CAB_PL_FUNCTION int cab_pl_all_sleep(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->bodies; i++) {
        if (cab_pl_is_awake(v, i)) return 0;
    }
    for (int c = 0; c < v->scene->cables; c++) {
        if (!v->cable[c].asleep) return 0;
    }
    return 1;
}

CAB_PL_FUNCTION void cab_pl_fall_asleep(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    int ready = 0;
    for (int i = 0; i < scene->bodies; i++) {
        if (!cab_pl_is_awake(v, i)) continue;
        cab_pl_watch_body(v, i);
        ready = ready || v->body[i].still >= CAB_PL_REST_TIME;
    }
    for (int c = 0; c < scene->cables; c++) {
        if (v->cable[c].asleep) continue;
        v->cable[c].still += scene->step;
        ready = ready || v->cable[c].still >= CAB_PL_REST_TIME;
    }
    if (!ready) return;
    cab_pl_join_all(v);
    cab_pl_find_busy(v);
    for (int i = 0; i < scene->bodies; i++) {
        if (cab_pl_is_mobile(v, i) && !cab_pl_sleeps(v, i)) v->body[i].busy = v->body[cab_pl_root(v, i)].busy;
    }
    for (int i = 0; i < scene->bodies; i++) {
        if (cab_pl_is_awake(v, i) && !v->body[i].busy) cab_pl_freeze_body(v, i);
    }
    for (int c = 0; c < scene->cables; c++) cab_pl_freeze_cable(v, c);
    scene->all_asleep = cab_pl_all_sleep(v);
}

/* The last stage of a step. This step's contacts become the old ones of the next step. */
CAB_PL_FUNCTION void cab_pl_sleep(const cab_pl_view *v)
{
    if (v->scene->sleep) cab_pl_fall_asleep(v);
    v->scene->list = 1 - v->scene->list;
}

#endif

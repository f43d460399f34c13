/* Pinched cables: which bodies are close enough to each other, what runs between them, and the joints that
 * lead it there. Contacts between bodies are found on the way: a pair has one contact, with or without cable.
 */
#ifndef CAB_PLANAR_PINCH_H
#define CAB_PLANAR_PINCH_H

#include "cuts.h"

CAB_PL_FUNCTION int cab_pl_moves(const cab_pl_view *v, int body)
{
    return v->motion[body].inverse_mass > 0;
}

/* Do bodies meet, whether or not there is a cable between them? */
CAB_PL_FUNCTION int cab_pl_collide(const cab_pl_view *v, int a, int b)
{
    global const cab_pl_body *x = v->body + a, *y = v->body + b;
    if (!(x->flags & y->flags & CAB_PL_BODY_COLLIDES)) return 0;
    if (x->group != 0 && x->group == y->group) return 0;
    return cab_pl_moves(v, a) || cab_pl_moves(v, b);
}

/* Could a cable be between them? */
CAB_PL_FUNCTION int cab_pl_carry(const cab_pl_view *v, int a, int b)
{
    if (v->scene->pinch == CAB_PL_PINCH_OFF) return 0;
    if (!(v->body[a].flags & v->body[b].flags & CAB_PL_BODY_CABLES)) return 0;
    return v->body[a].first_joint >= 0 || v->body[b].first_joint >= 0;
}

/* Each body's list of the links that are wrapped on it. */
CAB_PL_FUNCTION void cab_pl_list_joints(const cab_pl_view *v)
{
    for (int b = 0; b < v->scene->bodies; b++) v->body[b].first_joint = -1;
    for (int c = 0; c < v->scene->cables; c++) {
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            if (v->joint[j].kind != CAB_PL_ROLL) continue;
            v->joint[j].next_on_body = v->body[v->joint[j].body].first_joint;
            v->body[v->joint[j].body].first_joint = j;
        }
    }
}

/* Boxes i and k of the sweep, which overlap from left to right: is there more to be asked? */
CAB_PL_FUNCTION int cab_pl_boxes_meet(const cab_pl_view *v, int i, int k)
{
    if (v->sweep[k].below > v->sweep[i].above || v->sweep[k].above < v->sweep[i].below) return 0;
    int a = v->sweep[i].body, b = v->sweep[k].body;
    return cab_pl_collide(v, a, b) || cab_pl_carry(v, a, b);
}

/* How far two bodies may come towards each other in a step. */
CAB_PL_FUNCTION cab_pr cab_pl_closing(const cab_pl_view *v, int a, int b)
{
    global const cab_pl_motion *p = v->motion + a, *q = v->motion + b;
    cab_pr x = p->vx - q->vx, y = p->vy - q->vy;
    cab_pr turning = cab_pl_abs(p->w) * v->body[a].reach + cab_pl_abs(q->w) * v->body[b].reach;
    if (v->body[a].corners == 1 && v->body[b].corners == 1) turning = 0;
    return v->scene->step * (CAB_SQRT_DOUBLE(x * x + y * y) + turning);
}

/* Contacts of a pair are looked for up to this gap. */
CAB_PL_FUNCTION cab_pr cab_pl_contact_reach(const cab_pl_view *v, int a, int b)
{
    cab_pr reach = 2 * v->scene->width;
    return cab_pl_collide(v, a, b) ? reach + v->scene->skin + cab_pl_closing(v, a, b) : reach;
}

/* Wakes what is awake comes near to; 1 = something has woken. */
CAB_PL_FUNCTION int cab_pl_wake_met(const cab_pl_view *v)
{
    int woken = 0;
    for (int i = 0; i < v->scene->bodies; i++) {
        for (int k = i + 1; k < v->scene->bodies && v->sweep[k].left <= v->sweep[i].right; k++) {
            int a = v->sweep[i].body, b = v->sweep[k].body, awake = cab_pl_is_awake(v, a);
            cab_pl_manifold m;
            if (!awake && !cab_pl_is_awake(v, b)) continue;
            if (!cab_pl_has_sleepers(v, a) && !cab_pl_has_sleepers(v, b)) continue;
            if (!cab_pl_boxes_meet(v, i, k)) continue;
            cab_pl_meet(v, a, b, cab_pl_contact_reach(v, a, b), &m);
            if (m.count == 0) continue;
            cab_pl_wake_body(v, a);
            cab_pl_wake_body(v, b);
            woken = 1;
        }
    }
    return woken;
}

CAB_PL_FUNCTION void cab_pl_pinch_broad(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    cab_pl_list_joints(v);
    while (scene->sleep && cab_pl_wake_met(v)) {
    }
    scene->pairs = 0;
    for (int i = 0; i < scene->bodies; i++) {
        for (int k = i + 1; k < scene->bodies && v->sweep[k].left <= v->sweep[i].right; k++) {
            int a = v->sweep[i].body, b = v->sweep[k].body;
            if (!cab_pl_boxes_meet(v, i, k) || cab_pl_pair_sleeps(v, a, b)) continue;
            if (scene->pairs == scene->pair_room) {
                scene->dropped++;
                return;
            }
            global cab_pl_pair *pair = v->pair + scene->pairs++;
            pair->a = a < b ? a : b;
            pair->b = a < b ? b : a;
        }
    }
}

CAB_PL_FUNCTION void cab_pl_note_contact(const cab_pl_view *v, int a, int b, const cab_pl_manifold *m)
{
    global cab_pl_contact *c = v->contact + v->scene->contacts++;
    global const cab_pl_body *x = v->body + a, *y = v->body + b;
    c->nx = m->n.x;
    c->ny = m->n.y;
    c->margin = 0;
    c->friction = CAB_SQRT_DOUBLE(x->friction * y->friction);
    c->restitution = cab_pl_max(x->restitution, y->restitution);
    c->a = a;
    c->b = b;
    c->count = m->count;
    c->pinched = c->transitional = c->non_transitional = 0;
    for (int i = 0; i < m->count; i++) {
        global cab_pl_touch *t = c->touch + i;
        cab_p2 p = p2_sub(m->at[i], cab_pl_centre(v, a)), q = p2_sub(m->at[i], cab_pl_centre(v, b));
        t->ax = p.x;
        t->ay = p.y;
        t->bx = q.x;
        t->by = q.y;
        t->gap = m->gap[i];
        t->normal = t->tangent = t->most = t->speed = 0;
        t->id = m->id[i];
    }
}

CAB_PL_FUNCTION void cab_pl_pinch_narrow(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    scene->contacts = 0;
    for (int i = 0; i < scene->pairs; i++) {
        cab_pl_manifold m;
        int a = v->pair[i].a, b = v->pair[i].b;
        cab_pl_meet(v, a, b, cab_pl_contact_reach(v, a, b), &m);
        if (m.count == 0) continue;
        if (scene->contacts == scene->contact_room) {
            scene->dropped++;
            break;
        }
        cab_pl_note_contact(v, a, b, &m);
    }
    scene->near_contacts = scene->contacts;
}

CAB_PL_FUNCTION cab_pr cab_pl_gap(global const cab_pl_contact *c)
{
    return c->count > 1 ? cab_pl_min(c->touch[0].gap, c->touch[1].gap) : c->touch[0].gap;
}

/* The place of a contact on the rim that a joint runs on. */
CAB_PL_FUNCTION cab_pl_attach cab_pl_contact_attach(const cab_pl_view *v, global const cab_pl_contact *c,
                                                    int j)
{
    int first = v->joint[j].body == c->a, body = v->joint[j].body;
    cab_p2 n = p2_scale(p2_make(c->nx, c->ny), first ? 1 : -1), at;
    at = p2_make(first ? c->touch[0].ax : c->touch[0].bx, first ? c->touch[0].ay : c->touch[0].by);
    if (c->count > 1) {
        at.x = 0.5 * (at.x + (first ? c->touch[1].ax : c->touch[1].bx));
        at.y = 0.5 * (at.y + (first ? c->touch[1].ay : c->touch[1].by));
    }
    return cab_pl_attach_near(v, body, p2_add(at, cab_pl_centre(v, body)), n, cab_pl_rim(v, j));
}

/* Cable of the wrap before a contact; negative = the contact is not on the wrap, or too near to its ends. */
CAB_PL_FUNCTION cab_pr cab_pl_wrapped_before(const cab_pl_view *v, global const cab_pl_contact *c, int j)
{
    global const cab_pl_joint *joint = v->joint + j;
    if (joint->stored < 4 * CAB_PL_BUFFER) return -1;
    cab_pl_attach at = cab_pl_contact_attach(v, c, j), tail = joint->tail, head = joint->head;
    cab_pr r = cab_pl_rim(v, j), before;
    if (joint->before < 0) /* a reel: only its head has a place */
        before = joint->stored - cab_pl_arc(v, joint->body, r, joint->spin, &at, &head);
    else
        before = cab_pl_arc(v, joint->body, r, joint->spin, &tail, &at);
    if (before < 2 * CAB_PL_BUFFER || joint->stored - before < 2 * CAB_PL_BUFFER) return -1;
    return before;
}

/* A joint on one of a contact's bodies that the cable does not already leave for the other one there: is the
 * contact on its wrap? */
CAB_PL_FUNCTION void cab_pl_confirm_wrap(const cab_pl_view *v, int contact, int j)
{
    global cab_pl_scene *scene = v->scene;
    if (scene->splits == scene->contact_room) return;
    if (cab_pl_wrapped_before(v, v->contact + contact, j) < 0) return;
    global cab_pl_pair *split = v->split + scene->splits++;
    split->a = j;
    split->b = contact;
}

CAB_PL_FUNCTION int cab_pl_leads_to(const cab_pl_view *v, int j, int next, int body)
{
    return next >= 0 && v->joint[next].body == body && cab_pl_may_pinch(v, j, next);
}

/* A little less than a cable's width: what rests on a cable must pinch it, not hover over it. */
CAB_PL_FUNCTION cab_pr cab_pl_kept_apart(const cab_pl_view *v, cab_pr width)
{
    return cab_pl_max(width - 0.5 * v->scene->slop, 0);
}

/* A body that will reach a wrapped cable within the step is stopped at it, not at the body behind. */
CAB_PL_FUNCTION void cab_pl_expect(const cab_pl_view *v, global cab_pl_contact *c, int j, cab_pr width)
{
    if (cab_pl_gap(c) >= width + cab_pl_closing(v, c->a, c->b)) return;
    if (cab_pl_wrapped_before(v, c, j) >= 0) c->margin = cab_pl_max(c->margin, cab_pl_kept_apart(v, width));
}

/* The joints of a body, against another one that they come close to. Transitional segments are counted at
 * their tail. */
CAB_PL_FUNCTION void cab_pl_confirm_body(const cab_pl_view *v, int contact, int body, int other)
{
    global cab_pl_contact *c = v->contact + contact;
    global cab_pl_scene *scene = v->scene;
    for (int j = v->body[body].first_joint; j >= 0; j = v->joint[j].next_on_body) {
        global cab_pl_joint *joint = v->joint + j;
        cab_pr width = 2 * v->cable[joint->cable].width;
        if (cab_pl_gap(c) >= width) {
            cab_pl_expect(v, c, j, width);
            continue;
        }
        int to = cab_pl_leads_to(v, j, joint->after, other),
            from = cab_pl_leads_to(v, j, joint->before, other);
        int splits = scene->splits;
        if (!to && !from) cab_pl_confirm_wrap(v, contact, j);
        if (!to && !from && splits == scene->splits) continue;
        c->pinched = 1;
        c->margin = cab_pl_max(c->margin, cab_pl_kept_apart(v, width));
        if (!(to && from)) joint->flags &= ~CAB_PL_JOINT_MIDDLE;
        if (joint->flags & CAB_PL_JOINT_MIDDLE) c->non_transitional++;
        if (to && !((joint->flags | v->joint[joint->after].flags) & CAB_PL_JOINT_MIDDLE)) c->transitional++;
    }
}

/* What is neither pinched nor meant to collide is no contact. */
CAB_PL_FUNCTION void cab_pl_keep_contacts(const cab_pl_view *v)
{
    int kept = 0;
    global cab_pl_scene *scene = v->scene;
    for (int i = 0; i < scene->contacts; i++) {
        global cab_pl_contact *c = v->contact + i;
        if (!c->pinched && !cab_pl_collide(v, c->a, c->b)) continue;
        if (scene->pinch != CAB_PL_PINCH_FULL) c->margin = 0;
        if (c->pinched && scene->pinch == CAB_PL_PINCH_FULL) c->friction = 0; /* the cable has it */
        if (kept < i) v->contact[kept] = *c;
        kept++;
    }
    scene->contacts = kept;
}

/* Contacts of pairs that sleep stay as they were in the last step, behind those that are solved. */
CAB_PL_FUNCTION void cab_pl_keep_asleep(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    scene->kept_contacts = 0;
    if (scene->asleep == 0) return;
    for (int i = 0; i < scene->old_contacts; i++) {
        int n = scene->contacts + scene->kept_contacts;
        if (!cab_pl_pair_sleeps(v, v->old[i].a, v->old[i].b)) continue;
        if (n == scene->contact_room) return;
        v->contact[n] = v->old[i];
        scene->kept_contacts++;
    }
}

CAB_PL_FUNCTION void cab_pl_count_pinches(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    scene->pinch_contacts = scene->transitional = scene->non_transitional = 0;
    for (int i = 0; i < scene->contacts + scene->kept_contacts; i++) {
        scene->pinch_contacts += v->contact[i].pinched;
        scene->transitional += v->contact[i].transitional;
        scene->non_transitional += v->contact[i].non_transitional;
    }
}

CAB_PL_FUNCTION void cab_pl_pinch_confirm(const cab_pl_view *v)
{
    global cab_pl_scene *scene = v->scene;
    scene->splits = 0;
    for (int i = 0; i < scene->contacts; i++) {
        global const cab_pl_contact *c = v->contact + i;
        if (!cab_pl_carry(v, c->a, c->b)) continue;
        cab_pl_confirm_body(v, i, c->a, c->b);
        cab_pl_confirm_body(v, i, c->b, c->a);
    }
}

/* Puts joint j behind another one of its cable. */
CAB_PL_FUNCTION void cab_pl_link_behind(const cab_pl_view *v, int j, int before)
{
    int after = v->joint[before].after;
    global cab_pl_cable *cable = v->cable + v->joint[before].cable;
    v->joint[j].before = before;
    v->joint[j].after = after;
    v->joint[before].after = j;
    if (after >= 0) v->joint[after].before = j;
    if (cable->last == before) cable->last = j;
    cable->count++;
}

/* One wrap becomes two, with a joint of the body that pinches it between them. Its buffer comes from the
 * longer one. 0 = there is no room for them. */
CAB_PL_FUNCTION int cab_pl_split(const cab_pl_view *v, int j, int other, cab_pr before)
{
    global cab_pl_joint *joint = v->joint + j;
    int middle = cab_pl_take_joint(v), second = cab_pl_take_joint(v);
    if (second < 0) {
        if (middle >= 0) {
            v->joint[middle].after = v->scene->free_joint;
            v->scene->free_joint = middle;
            v->scene->joints--;
            v->scene->segments--;
        }
        return 0;
    }
    cab_pl_make_link(v, middle, joint->cable, other, -joint->spin);
    cab_pl_make_link(v, second, joint->cable, joint->body, joint->spin);
    global cab_pl_joint *m = v->joint + middle, *s = v->joint + second;
    m->flags = CAB_PL_JOINT_MIDDLE;
    s->flags = joint->flags & CAB_PL_JOINT_SPOOL;
    if (joint->after < 0) { /* the reel is at the end */
        s->flags |= joint->flags & CAB_PL_JOINT_REEL;
        joint->flags &= ~CAB_PL_JOINT_REEL;
    }
    s->head = joint->head;
    s->slide = joint->slide;
    m->impulse = s->impulse = joint->before >= 0 ? joint->impulse : v->joint[joint->after].impulse;
    m->tension = s->tension = joint->before >= 0 ? joint->tension : v->joint[joint->after].tension;
    s->stored = joint->stored - before;
    joint->stored = before;
    m->stored = CAB_PL_BUFFER;
    if (s->stored > joint->stored)
        s->stored -= CAB_PL_BUFFER;
    else
        joint->stored -= CAB_PL_BUFFER;
    cab_pl_link_behind(v, middle, j);
    cab_pl_link_behind(v, second, middle);
    if (s->flags & CAB_PL_JOINT_SPOOL) cab_pl_lie_on(v, s->flags & CAB_PL_JOINT_REEL ? j : second);
    cab_pl_lay(v, middle);
    cab_pl_lay(v, second);
    v->scene->added += 2;
    return 1;
}

CAB_PL_FUNCTION void cab_pl_configure_pinch(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->splits; i++) {
        int j = v->split[i].a;
        global cab_pl_contact *c = v->contact + v->split[i].b;
        cab_pr before = cab_pl_wrapped_before(v, c, j); /* another split may have come first */
        if (before < 0) continue;
        c->non_transitional += cab_pl_split(v, j, v->joint[j].body == c->a ? c->b : c->a, before);
    }
    cab_pl_keep_contacts(v);
    cab_pl_keep_asleep(v);
    cab_pl_count_pinches(v);
}

#endif

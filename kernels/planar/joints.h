/* Joints of a cable: what rolls on and off the bodies in a step, and joints that the cable leaves.
 *
 * A link stores cable on its body (`stored`), a segment has a rest length (`rest`), and whatever happens here
 * moves lengths from one to the other: their sum stays.
 */
#ifndef CAB_PLANAR_JOINTS_H
#define CAB_PLANAR_JOINTS_H

#include "tangent.h"

/* Moves the cable that has run over a segment's two ends: onto the body of its head, off that of its tail. */
CAB_PL_FUNCTION void cab_pl_run_over(global cab_pl_joint *ja, global cab_pl_joint *jb, cab_pr on_head,
                                     cab_pr on_tail)
{
    ja->stored += on_head;
    jb->stored -= on_tail;
    jb->rest += on_tail - on_head;
}

/* Notes a segment's geometry and moves the cable that has run over its two bodies. */
CAB_PL_FUNCTION void cab_pl_update(const cab_pl_view *v, int b)
{
    int a = v->joint[b].before;
    global cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    cab_pl_line line;
    cab_pl_segment(v, a, b, &line);
    cab_pr on_head = 0, on_tail = 0;
    if (ja->kind == CAB_PL_ROLL) {
        cab_pl_attach old = ja->head;
        on_head = ja->spin * cab_pl_way(v, ja->body, cab_pl_rim(v, a), &old, &line.head);
    }
    if (jb->kind == CAB_PL_ROLL) {
        cab_pl_attach old = jb->tail;
        on_tail = jb->spin * cab_pl_way(v, jb->body, cab_pl_rim(v, b), &old, &line.tail);
    }
    cab_pl_run_over(ja, jb, on_head, on_tail);
    ja->head = line.head;
    jb->tail = line.tail;
    jb->ex = line.e.x;
    jb->ey = line.e.y;
    jb->length = line.length;
    jb->flags = (jb->flags & ~CAB_PL_JOINT_PINCHED) | (line.pinched ? CAB_PL_JOINT_PINCHED : 0);
}

/* 1 = a segment between two circles that stand: its line stays, whatever turns. Not on spools, which grow. */
CAB_PL_FUNCTION int cab_pl_line_stays(const cab_pl_view *v, int b)
{
    global const cab_pl_joint *jb = v->joint + b, *ja = v->joint + jb->before;
    return v->body[ja->body].stands && v->body[jb->body].stands && ja->kind == CAB_PL_ROLL &&
           jb->kind == CAB_PL_ROLL && !((ja->flags | jb->flags) & CAB_PL_JOINT_SPOOL);
}

/* Follows a segment that has been noted since its links were made. Where its line stays, only cable rolls: the same as
 * cab_pl_update, to the last bit. */
CAB_PL_FUNCTION void cab_pl_follow(const cab_pl_view *v, int b)
{
    int a = v->joint[b].before;
    if (!cab_pl_line_stays(v, b)) {
        cab_pl_update(v, b);
        return;
    }
    global cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    cab_pr angle_a = v->motion[ja->body].angle, angle_b = v->motion[jb->body].angle;
    cab_pr on_head = ja->spin * (cab_pl_rim(v, a) * (ja->head.angle - angle_a));
    cab_pr on_tail = jb->spin * (cab_pl_rim(v, b) * (jb->tail.angle - angle_b));
    cab_pl_run_over(ja, jb, on_head, on_tail);
    ja->head.angle = angle_a;
    jb->tail.angle = angle_b;
}

/* Notes a segment's geometry only: no cable moves between the segment and its bodies. */
CAB_PL_FUNCTION void cab_pl_lay(const cab_pl_view *v, int b)
{
    int a = v->joint[b].before;
    cab_pl_line line;
    cab_pl_segment(v, a, b, &line);
    v->joint[a].head = line.head;
    v->joint[b].tail = line.tail;
    v->joint[b].ex = line.e.x;
    v->joint[b].ey = line.e.y;
    v->joint[b].length = line.length;
    v->joint[b].flags =
        (v->joint[b].flags & ~CAB_PL_JOINT_PINCHED) | (line.pinched ? CAB_PL_JOINT_PINCHED : 0);
}

/* Sets the length of cable under this part of a spool's wrap, where pinches have cut the wrap into parts:
 * the part next to it on the side of the reel, and all that lies under that one. */
CAB_PL_FUNCTION void cab_pl_lie_on(const cab_pl_view *v, int j)
{
    global cab_pl_joint *joint = v->joint + j;
    int start = v->cable[joint->cable].first;
    int back = (v->joint[start].flags & CAB_PL_JOINT_REEL) && v->joint[start].body == joint->body;
    int middle = back ? joint->before : joint->after;
    int inner = middle < 0 ? -1 : back ? v->joint[middle].before : v->joint[middle].after;
    joint->under = 0;
    if (inner < 0 || v->joint[inner].body != joint->body) return;
    if (v->joint[inner].flags & CAB_PL_JOINT_SPOOL)
        joint->under = v->joint[inner].under + v->joint[inner].stored;
}

CAB_PL_FUNCTION void cab_pl_update_segments(const cab_pl_view *v)
{
    int segments = 0, joints = 0;
    for (int c = 0; c < v->scene->cables; c++) {
        global const cab_pl_cable *cable = v->cable + c;
        if (cable->asleep) {
            joints += cable->count;
            segments += cable->count - (cable->loop ? 0 : 1);
            continue;
        }
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            joints++;
            if ((v->joint[j].flags & (CAB_PL_JOINT_SPOOL | CAB_PL_JOINT_REEL)) == CAB_PL_JOINT_SPOOL)
                cab_pl_lie_on(v, j);
            if (v->joint[j].before < 0) continue;
            cab_pl_follow(v, j);
            segments++;
        }
    }
    v->scene->joints = joints;
    v->scene->segments = segments;
}

CAB_PL_FUNCTION int cab_pl_take_joint(const cab_pl_view *v)
{
    int j = v->scene->free_joint;
    if (j < 0) {
        v->scene->dropped++;
        return -1;
    }
    v->scene->free_joint = v->joint[j].after;
    v->scene->joints++;
    v->scene->segments++;
    return j;
}

/* Makes a slack segment straight again. */
CAB_PL_FUNCTION void cab_pl_drop_chain(const cab_pl_view *v, int j)
{
    if (v->joint[j].chain >= 0) v->chain[v->joint[j].chain] = -1;
    v->joint[j].chain = -1;
}

CAB_PL_FUNCTION void cab_pl_unlink(const cab_pl_view *v, int j)
{
    cab_pl_drop_chain(v, j);
    global cab_pl_joint *joint = v->joint + j;
    global cab_pl_cable *cable = v->cable + joint->cable;
    if (joint->before >= 0) v->joint[joint->before].after = joint->after;
    if (joint->after >= 0) v->joint[joint->after].before = joint->before;
    if (cable->first == j) cable->first = joint->after;
    if (cable->last == j) cable->last = joint->before;
    cable->count--;
    joint->after = v->scene->free_joint;
    v->scene->free_joint = j;
    v->scene->joints--;
    v->scene->segments--;
}

/* Puts joint j before joint `after` of its cable. */
CAB_PL_FUNCTION void cab_pl_link(const cab_pl_view *v, int j, int after)
{
    int before = v->joint[after].before;
    v->joint[j].before = before;
    v->joint[j].after = after;
    v->joint[before].after = j;
    v->joint[after].before = j;
    global cab_pl_cable *cable = v->cable + v->joint[after].cable;
    cable->count++;
    if (cable->first == after) cable->last = j; /* a loop */
}

/* Merges two joints on one body that follow each other: the first one stays. */
CAB_PL_FUNCTION void cab_pl_merge(const cab_pl_view *v, int a, int b)
{
    global cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    ja->stored += jb->rest + jb->stored;
    ja->head = jb->head;
    ja->flags |= jb->flags & (CAB_PL_JOINT_REEL | CAB_PL_JOINT_SPOOL);
    ja->under = cab_pl_min(ja->under, jb->under);
    cab_pl_unlink(v, b);
    v->scene->merged++;
}

/* 1 = a and b are on one body but cannot be merged, so they must not become neighbours. */
CAB_PL_FUNCTION int cab_pl_stuck(const cab_pl_view *v, int a, int b)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    if (ja->body != jb->body) return 0;
    return a == b || ja->kind != CAB_PL_ROLL || jb->kind != CAB_PL_ROLL || ja->spin != jb->spin;
}

/* Removes a joint whose body the cable has left. */
CAB_PL_FUNCTION void cab_pl_remove(const cab_pl_view *v, int j)
{
    int a = v->joint[j].before, b = v->joint[j].after;
    if (cab_pl_stuck(v, a, b)) return;
    v->joint[b].rest += v->joint[j].stored + v->joint[j].rest;
    v->joint[b].impulse = cab_pl_max(v->joint[b].impulse, v->joint[j].impulse);
    v->joint[b].tension = cab_pl_max(v->joint[b].tension, v->joint[j].tension);
    cab_pl_unlink(v, j);
    v->scene->removed++;
    if (v->joint[a].body == v->joint[b].body)
        cab_pl_merge(v, a, b);
    else
        cab_pl_update(v, b);
}

/* When a reel has given all of its cable, the cable's end becomes a fixed point of its rim, until the reel
 * winds it up again. */
CAB_PL_FUNCTION void cab_pl_reel_ends(const cab_pl_view *v, int j)
{
    global cab_pl_joint *joint = v->joint + j;
    int leads = joint->before < 0; /* the segment begins here */
    global cab_pl_joint *segment = leads ? v->joint + joint->after : joint;
    cab_pl_attach at = leads ? joint->head : joint->tail;
    segment->rest += joint->stored;
    joint->stored = 0;
    cab_p2 p = cab_pl_turn_back(v->body[joint->body].c, v->body[joint->body].s, p2_make(at.ox, at.oy));
    joint->px = p.x;
    joint->py = p.y;
    joint->kind = CAB_PL_POINT;
}

/* The end at the rim becomes a reel again as soon as the straight cable would run through its body. The side
 * of the body decides the direction of winding. */
CAB_PL_FUNCTION void cab_pl_reel_begins(const cab_pl_view *v, int j)
{
    global cab_pl_joint *joint = v->joint + j;
    int leads = joint->before < 0, b = leads ? joint->after : j, a = v->joint[b].before;
    cab_p2 o = cab_pl_out(v, joint->body, p2_make(joint->px, joint->py));
    cab_pr r = v->body[joint->body].radius + v->cable[joint->cable].width;
    cab_pl_attach from = cab_pl_attach_near(v, joint->body, p2_add(o, cab_pl_centre(v, joint->body)),
                                            p2_scale(o, 1 / CAB_SQRT_DOUBLE(p2_dot(o, o))), r);
    int old = joint->spin;
    joint->kind = CAB_PL_ROLL;
    for (int spin = 1; spin >= -1; spin -= 2) {
        cab_pl_line line;
        joint->spin = spin;
        cab_pl_segment(v, a, b, &line);
        cab_pl_attach to = leads ? line.head : line.tail;
        cab_pr wound = (leads ? spin : -spin) * cab_pl_way(v, joint->body, r, &from, &to);
        if (wound <= 0 || wound > 0.25 * cab_pl_round(v, joint->body, r)) continue;
        joint->stored += wound;
        v->joint[b].rest -= wound;
        cab_pl_lay(v, b);
        return;
    }
    joint->spin = old;
    joint->kind = CAB_PL_POINT;
}

CAB_PL_FUNCTION void cab_pl_remove_joints(const cab_pl_view *v)
{
    for (int c = 0; c < v->scene->cables; c++) {
        int left = v->cable[c].asleep ? 0 : v->cable[c].count;
        for (int j = v->cable[c].first, after; left > 0; left--, j = after) {
            global const cab_pl_joint *joint = v->joint + j;
            after = joint->after;
            int end = joint->before < 0 || joint->after < 0;
            if (end && (joint->flags & CAB_PL_JOINT_REEL)) {
                if (joint->kind == CAB_PL_POINT)
                    cab_pl_reel_begins(v, j);
                else if (joint->stored < 0)
                    cab_pl_reel_ends(v, j);
            } else if (!end && joint->kind == CAB_PL_ROLL && joint->stored < 0) {
                int count = v->scene->joints;
                cab_pl_remove(v, j);
                /* two joints may have gone: j may be the one that was merged away */
                if (count - v->scene->joints == 2) {
                    left--;
                    after = v->joint[joint->before].after;
                }
            }
        }
    }
}

#endif

/* Cables as joints: tangents, what rolls on and off bodies, joints that come and go.
 *
 * A link stores cable on its body (s), a segment has a rest length (l), and whatever happens here moves
 * lengths from one to the other: their sum stays.
 */
#ifndef CAB_PLANAR_CABLE_H
#define CAB_PLANAR_CABLE_H

#include "planar_sleep.h"
#include "planar_spool.h"

/* Distance of the cable's middle from the body's shape without its rounding; 0 at a point. */
CAB_PL_FUNCTION cab_pr cab_pl_rim(const cab_pl_view *v, int joint)
{
    global const cab_pl_joint *j = v->joint + joint;
    if (j->kind == CAB_PL_POINT) return 0;
    cab_pr radius = v->body[j->body].radius, width = v->cable[j->cable].width;
    if (!(j->flags & CAB_PL_JOINT_SPOOL)) return radius + width;
    return cab_pl_spool(radius, v->body[j->body].edges, width, j->under + j->stored);
}

/* A segment as geometry. */
typedef struct cab_pl_line {
    cab_p2 e;
    cab_pr length;
    int pinched;
    cab_pl_attach head, tail; /* of the link before it, of the link after it */
} cab_pl_line;

/* The tangent of two circles with the cable on their right (spin 1) or left (-1): all four of them. k is the
 * step across the line, spin_b r_b - spin_a r_a. Circles that cut each other have it where they meet. */
CAB_PL_FUNCTION void cab_pl_tangent_circles(cab_p2 d, cab_pr k, cab_pl_line *line)
{
    cab_pr d2 = p2_dot(d, d), l2 = d2 - k * k;
    cab_p2 across = cab_pl_right(d);
    line->pinched = 0;
    line->length = 0;
    if (d2 == 0) {
        line->e = p2_make(1, 0);
        return;
    }
    if (l2 > 0) {
        line->length = CAB_SQRT_DOUBLE(l2);
        line->e = p2_scale(p2_add(p2_scale(d, line->length), p2_scale(across, k)), 1 / d2);
    } else {
        line->e = p2_scale(across, (k < 0 ? -1 : 1) / CAB_SQRT_DOUBLE(d2));
    }
}

CAB_PL_FUNCTION cab_p2 cab_pl_link_corner(const cab_pl_view *v, int joint, int corner)
{
    global const cab_pl_joint *j = v->joint + joint;
    if (j->kind == CAB_PL_POINT) return cab_pl_out(v, j->body, p2_make(j->px, j->py));
    return cab_pl_corner_out(v, j->body, corner);
}

CAB_PL_FUNCTION int cab_pl_link_support(const cab_pl_view *v, int joint, cab_p2 e)
{
    global const cab_pl_joint *j = v->joint + joint;
    if (j->kind == CAB_PL_POINT) return 0;
    return cab_pl_support(v, j->body, p2_scale(cab_pl_right(e), j->spin));
}

CAB_PL_FUNCTION cab_pl_attach cab_pl_link_attach(const cab_pl_view *v, int joint, int corner, cab_p2 e)
{
    global const cab_pl_joint *j = v->joint + joint;
    cab_pl_attach a;
    if (j->kind == CAB_PL_ROLL)
        return cab_pl_attach_at(v, j->body, corner, 0, p2_scale(cab_pl_right(e), j->spin),
                                cab_pl_rim(v, joint));
    cab_p2 o = cab_pl_link_corner(v, joint, 0);
    a.nx = 1;
    a.ny = 0;
    a.along = 0;
    a.angle = v->motion[j->body].angle;
    a.ox = o.x;
    a.oy = o.y;
    a.corner = 0;
    a.pad = 0;
    return a;
}

/* The segment between two links whose bodies are round, or far apart. Which corners it touches is found in
 * turns: a line from the corners, corners from the line. */
CAB_PL_FUNCTION void cab_pl_tangent(const cab_pl_view *v, int a, int b, cab_pl_line *line)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    int ka = ja->head.corner, kb = jb->tail.corner;
    cab_pr k = jb->spin * cab_pl_rim(v, b) - ja->spin * cab_pl_rim(v, a);
    cab_p2 between = p2_sub(cab_pl_centre(v, jb->body), cab_pl_centre(v, ja->body));
    for (int turn = 0; turn < 2 * CAB_PL_CORNERS; turn++) {
        cab_p2 d = p2_add(between, cab_pl_link_corner(v, b, kb));
        cab_pl_tangent_circles(p2_sub(d, cab_pl_link_corner(v, a, ka)), k, line);
        int la = cab_pl_link_support(v, a, line->e), lb = cab_pl_link_support(v, b, line->e);
        if (la == ka && lb == kb) break;
        ka = la;
        kb = lb;
    }
    line->head = cab_pl_link_attach(v, a, ka, line->e);
    line->tail = cab_pl_link_attach(v, b, kb, line->e);
}

/* An end of a line on a round body, or at a point: n from its centre o, at distance r. */
CAB_PL_FUNCTION void cab_pl_put_end(const cab_pl_view *v, int body, cab_p2 o, cab_p2 n, cab_pr r,
                                    cab_pl_attach *end)
{
    end->nx = n.x;
    end->ny = n.y;
    end->along = 0;
    end->angle = v->motion[body].angle;
    end->ox = o.x + r * n.x;
    end->oy = o.y + r * n.y;
    end->corner = 0;
    end->pad = 0;
}

/* The same where both are round, or points: most of them. */
CAB_PL_FUNCTION void cab_pl_tangent_round(const cab_pl_view *v, int a, int b, cab_pl_line *line)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    cab_pr ra = cab_pl_rim(v, a), rb = cab_pl_rim(v, b);
    cab_p2 oa = cab_pl_link_corner(v, a, 0), ob = cab_pl_link_corner(v, b, 0);
    cab_p2 d = p2_sub(cab_pl_centre(v, jb->body), cab_pl_centre(v, ja->body));
    cab_pl_tangent_circles(p2_sub(p2_add(d, ob), oa), jb->spin * rb - ja->spin * ra, line);
    cab_p2 right = cab_pl_right(line->e);
    cab_pl_put_end(v, ja->body, oa, p2_scale(right, ja->spin), ra, &line->head);
    cab_pl_put_end(v, jb->body, ob, p2_scale(right, jb->spin), rb, &line->tail);
}

/* Do the two bodies touch the cable from both sides between these links? */
CAB_PL_FUNCTION int cab_pl_may_pinch(const cab_pl_view *v, int a, int b)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    return ja->kind == CAB_PL_ROLL && jb->kind == CAB_PL_ROLL && ja->spin != jb->spin && ja->body != jb->body;
}

/* A segment that is pinched: no length, along the surfaces where they are nearest. */
CAB_PL_FUNCTION void cab_pl_pinch_line(const cab_pl_view *v, int a, int b, const cab_pl_manifold *m,
                                       cab_pl_line *line)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    cab_p2 at = m->at[0], back = p2_scale(m->n, -1);
    if (m->count > 1) at = p2_scale(p2_add(at, m->at[1]), 0.5);
    line->pinched = 1;
    line->length = 0;
    line->e = p2_make(-m->n.y * ja->spin, m->n.x * ja->spin);
    line->head = cab_pl_attach_near(v, ja->body, at, m->n, cab_pl_rim(v, a));
    line->tail = cab_pl_attach_near(v, jb->body, at, back, cab_pl_rim(v, b));
}

/* The segment from link a to link b. */
CAB_PL_FUNCTION void cab_pl_segment(const cab_pl_view *v, int a, int b, cab_pl_line *line)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    int pinch = cab_pl_may_pinch(v, a, b);
    int round = (ja->kind == CAB_PL_POINT || v->body[ja->body].corners == 1) &&
                (jb->kind == CAB_PL_POINT || v->body[jb->body].corners == 1);
    if (pinch && !round) {
        cab_pl_manifold m;
        cab_pl_meet(v, ja->body, jb->body, 2 * v->cable[ja->cable].width, &m);
        if (m.count > 0) {
            cab_pl_pinch_line(v, a, b, &m, line);
            return;
        }
    }
    if (round)
        cab_pl_tangent_round(v, a, b, line);
    else
        cab_pl_tangent(v, a, b, line);
    line->pinched = pinch && line->length == 0;
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
    ja->stored += on_head;
    jb->stored -= on_tail;
    jb->rest += on_tail - on_head;
    ja->head = line.head;
    jb->tail = line.tail;
    jb->ex = line.e.x;
    jb->ey = line.e.y;
    jb->length = line.length;
    jb->flags = (jb->flags & ~CAB_PL_JOINT_PINCHED) | (line.pinched ? CAB_PL_JOINT_PINCHED : 0);
}

/* The same where the cable has no history: it is laid anew. */
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

/* Of a spool's wrap that pinches have cut: what lies below this part is the part nearer to the reel, and what
 * lies below that. */
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
            cab_pl_update(v, j);
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

/* A slack segment is straight again. */
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

/* Two joints on one body that follow each other become the first of them. */
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

/* Would a and b, once next to each other, be two links on one body that cannot be one? */
CAB_PL_FUNCTION int cab_pl_stuck(const cab_pl_view *v, int a, int b)
{
    global const cab_pl_joint *ja = v->joint + a, *jb = v->joint + b;
    if (ja->body != jb->body) return 0;
    return a == b || ja->kind != CAB_PL_ROLL || jb->kind != CAB_PL_ROLL || ja->spin != jb->spin;
}

/* A joint whose body the cable has left. */
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

/* A reel that has given all its cable holds the end by a point of its rim, until it winds it up again. */
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

/* With the point on its rim the cable would run through the reel: it begins to wind, this way or that. */
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
                /* two may have gone: the next one may be the one that was merged away */
                if (count - v->scene->joints == 2) {
                    left--;
                    after = v->joint[joint->before].after;
                }
            }
        }
    }
}

/* Boxes of all bodies, wide enough for a cable and for a step's way, by their left ends. They move little, so
 * they are nearly in order already. */
CAB_PL_FUNCTION void cab_pl_sort_bodies(const cab_pl_view *v)
{
    global cab_pl_sweep *sweep = v->sweep;
    int count = v->scene->bodies;
    for (int i = 0; i < count; i++) {
        global cab_pl_sweep *s = sweep + i;
        global const cab_pl_motion *m = v->motion + s->body;
        cab_pr r = v->body[s->body].reach + v->scene->width + 0.5 * v->scene->skin;
        cab_pr dx = m->vx * v->scene->step, dy = m->vy * v->scene->step;
        s->left = m->x - r + cab_pl_min(dx, 0);
        s->right = m->x + r + cab_pl_max(dx, 0);
        s->below = m->y - r + cab_pl_min(dy, 0);
        s->above = m->y + r + cab_pl_max(dy, 0);
    }
    for (int i = 1; i < count; i++) {
        if (sweep[i - 1].left <= sweep[i].left) continue;
        cab_pl_sweep s = sweep[i];
        int k = i;
        for (; k > 0 && sweep[k - 1].left > s.left; k--) sweep[k] = sweep[k - 1];
        sweep[k] = s;
    }
    for (int i = 0; i < count; i++)
        sweep[i].farthest = i > 0 ? cab_pl_max(sweep[i - 1].farthest, sweep[i].right) : sweep[i].right;
}

/* The first body whose box may reach as far right as x. */
CAB_PL_FUNCTION int cab_pl_first_reaching(const cab_pl_view *v, cab_pr x)
{
    int low = 0, high = v->scene->bodies;
    while (low < high) {
        int middle = (low + high) / 2;
        if (v->sweep[middle].farthest < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A segment and its movement in the last step. */
typedef struct cab_pl_stretch {
    cab_p2 from, e, from_before, e_before;
    cab_pr length, length_before, width;
} cab_pl_stretch;

CAB_PL_FUNCTION cab_p2 cab_pl_speed_at(const cab_pl_view *v, int body, cab_pr ox, cab_pr oy)
{
    global const cab_pl_motion *m = v->motion + body;
    return p2_make(m->vx - m->w * oy, m->vy + m->w * ox);
}

CAB_PL_FUNCTION cab_pl_stretch cab_pl_stretch_of(const cab_pl_view *v, int j)
{
    global const cab_pl_joint *b = v->joint + j, *a = v->joint + b->before;
    cab_pl_stretch s;
    cab_pr h = v->scene->step;
    s.e = p2_make(b->ex, b->ey);
    s.length = b->length;
    s.width = v->cable[b->cable].width;
    s.from = p2_add(cab_pl_centre(v, a->body), p2_make(a->head.ox, a->head.oy));
    cab_p2 to = p2_add(s.from, p2_scale(s.e, s.length));
    cab_p2 va = a->kind == CAB_PL_POINT ? cab_pl_speed_at(v, a->body, a->head.ox, a->head.oy)
                                        : p2_make(v->motion[a->body].vx, v->motion[a->body].vy);
    cab_p2 vb = b->kind == CAB_PL_POINT ? cab_pl_speed_at(v, b->body, b->tail.ox, b->tail.oy)
                                        : p2_make(v->motion[b->body].vx, v->motion[b->body].vy);
    s.from_before = p2_sub(s.from, p2_scale(va, h));
    cab_p2 d = p2_sub(p2_sub(to, p2_scale(vb, h)), s.from_before);
    s.length_before = CAB_SQRT_DOUBLE(p2_dot(d, d));
    s.e_before = s.length_before > 0 ? p2_scale(d, 1 / s.length_before) : s.e;
    return s;
}

/* Which way round a cable would run on a body that its segment cuts, or has just passed: 1, -1; 0 = it does
 * not. The body's side is the one that it came from. *depth grows with how far it is in. */
CAB_PL_FUNCTION int cab_pl_cuts(const cab_pl_view *v, const cab_pl_stretch *s, int body, cab_pr *depth)
{
    cab_p2 c = cab_pl_centre(v, body), n;
    global const cab_pl_motion *m = v->motion + body;
    cab_p2 before = p2_sub(c, p2_scale(p2_make(m->vx, m->vy), v->scene->step));
    cab_pr side = p2_cross(s->e, p2_sub(c, s->from));
    cab_pr was = p2_cross(s->e_before, p2_sub(before, s->from_before));
    int spin = (side * was < 0 ? was : side) >= 0 ? 1 : -1;
    n = p2_scale(cab_pl_right(s->e), spin);
    cab_p2 p = cab_pl_corner_world(v, body, cab_pl_support(v, body, n));
    cab_p2 d = p2_sub(p, s->from);
    cab_pr along = p2_dot(d, s->e), gap = spin * p2_cross(s->e, d) - v->body[body].radius - s->width;
    *depth = -gap;
    return gap < 0 && along > 0 && along < s->length ? spin : 0;
}

CAB_PL_FUNCTION void cab_pl_hit_segment(const cab_pl_view *v, int j)
{
    int a = v->joint[v->joint[j].before].body, b = v->joint[j].body;
    cab_pl_stretch s = cab_pl_stretch_of(v, j);
    cab_pr x0 = s.from.x, x1 = x0 + s.e.x * s.length, y0 = s.from.y, y1 = y0 + s.e.y * s.length;
    cab_pr left = cab_pl_min(x0, x1), right = cab_pl_max(x0, x1);
    cab_pr below = cab_pl_min(y0, y1), above = cab_pl_max(y0, y1), deepest = 0;
    int body = -1, spin = 0;
    for (int i = cab_pl_first_reaching(v, left); i < v->scene->bodies; i++) {
        global const cab_pl_sweep *box = v->sweep + i;
        cab_pr depth;
        if (box->left > right) break;
        if (box->right < left || box->below > above || box->above < below) continue;
        if (box->body == a || box->body == b) continue;
        if (!(v->body[box->body].flags & CAB_PL_BODY_CABLES)) continue;
        int turn = cab_pl_cuts(v, &s, box->body, &depth);
        if (turn == 0 || depth <= deepest) continue;
        deepest = depth;
        body = box->body;
        spin = turn;
    }
    if (body < 0) return;
    global cab_pl_pair *hit = v->hit + v->scene->hits++;
    hit->a = j;
    hit->b = body;
    hit->c = spin;
}

/* Is anything awake near a cable that sleeps? */
CAB_PL_FUNCTION int cab_pl_is_visited(const cab_pl_view *v, int c)
{
    global const cab_pl_cable *cable = v->cable + c;
    for (int i = cab_pl_first_reaching(v, cable->left); i < v->scene->bodies; i++) {
        global const cab_pl_sweep *box = v->sweep + i;
        if (box->left > cable->right) break;
        if (box->right < cable->left || box->below > cable->above || box->above < cable->below) continue;
        if (cab_pl_is_awake(v, box->body)) return 1;
    }
    return 0;
}

/* Segments without length are between two bodies already: nothing can cut them. */
CAB_PL_FUNCTION void cab_pl_segment_intersections(const cab_pl_view *v)
{
    v->scene->hits = 0;
    cab_pl_sort_bodies(v);
    for (int c = 0; c < v->scene->cables; c++) {
        if (v->cable[c].asleep && !cab_pl_is_visited(v, c)) continue;
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            if (v->joint[j].before >= 0 && v->joint[j].length > 0) cab_pl_hit_segment(v, j);
        }
    }
}

/* A new link without cable on a body, not yet in its cable. */
CAB_PL_FUNCTION void cab_pl_make_link(const cab_pl_view *v, int j, int cable, int body, int spin)
{
    global cab_pl_joint *joint = v->joint + j;
    joint->cable = cable;
    joint->body = body;
    joint->kind = CAB_PL_ROLL;
    joint->spin = spin;
    joint->flags = joint->slide = 0;
    joint->chain = -1;
    joint->stored = joint->under = joint->rest = joint->slip = joint->grip = 0;
    joint->impulse = joint->sum = joint->tension = 0;
    joint->tail.corner = joint->head.corner = 0;
}

/* What segment j loses and gets where it meets its neighbours anew. */
CAB_PL_FUNCTION void cab_pl_insert(const cab_pl_view *v, int j, int body, int spin)
{
    int a = v->joint[j].before, n = cab_pl_take_joint(v);
    cab_pl_line in, out;
    if (n < 0) return;
    cab_pl_make_link(v, n, v->joint[j].cable, body, spin);
    cab_pl_segment(v, a, n, &in);
    cab_pl_segment(v, n, j, &out);
    cab_pr stored = spin * cab_pl_way(v, body, cab_pl_rim(v, n), &in.tail, &out.head);
    cab_pl_link(v, n, j);
    if (stored < 0) { /* it only looked so: the line passes the body */
        cab_pl_unlink(v, n);
        return;
    }
    v->joint[n].tail = in.tail;
    v->joint[n].head = out.head;
    v->joint[n].stored = stored;
    v->joint[n].impulse = v->joint[j].impulse;
    v->joint[n].tension = v->joint[j].tension;
    v->joint[j].rest -= stored;
    cab_pl_update(v, n);
    cab_pl_update(v, j);
    cab_pr length = v->joint[n].length + v->joint[j].length, rest = v->joint[n].rest + v->joint[j].rest;
    cab_pr mine = length > 0 ? rest * v->joint[n].length / length : 0.5 * rest;
    v->joint[n].rest = mine;
    v->joint[j].rest = rest - mine;
    v->scene->added++;
}

/* Both halves are stretched alike, so they pull alike. Whichever of cable and body sleeps wakes. */
CAB_PL_FUNCTION void cab_pl_add_joints(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->hits; i++) {
        int cable = v->joint[v->hit[i].a].cable, body = v->hit[i].b;
        if (v->cable[cable].asleep && !cab_pl_is_awake(v, body)) continue; /* it is as it was */
        cab_pl_wake_cable(v, cable);
        if (cab_pl_sleeps(v, body)) cab_pl_wake_island(v, v->body[body].island);
        cab_pl_insert(v, v->hit[i].a, body, v->hit[i].c);
    }
}

#endif

/* Segments that cut bodies: which they are, and the joints that are added there. */
#ifndef CAB_PLANAR_CUTS_H
#define CAB_PLANAR_CUTS_H

#include "joints.h"
#include "sleep.h"

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

/* 1 = something awake is near a cable that sleeps. */
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

/* Adds a link on a body that segment j cuts, and divides the segment's rest length. Both parts are stretched
 * alike, so they pull alike. */
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
    if (stored < 0) { /* the segment does not cut the body after all */
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

/* Adds the joints of all hits. A cable or body that sleeps wakes. */
CAB_PL_FUNCTION void cab_pl_add_joints(const cab_pl_view *v)
{
    for (int i = 0; i < v->scene->hits; i++) {
        int cable = v->joint[v->hit[i].a].cable, body = v->hit[i].b;
        if (v->cable[cable].asleep && !cab_pl_is_awake(v, body)) continue; /* nothing has moved */
        cab_pl_wake_cable(v, cable);
        if (cab_pl_sleeps(v, body)) cab_pl_wake_island(v, v->body[body].island);
        cab_pl_insert(v, v->hit[i].a, body, v->hit[i].c);
    }
}

#endif

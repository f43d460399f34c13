/* A segment as geometry: the line that two links have in common, and where it touches their bodies. */
#ifndef CAB_PLANAR_TANGENT_H
#define CAB_PLANAR_TANGENT_H

#include "shape.h"
#include "spool.h"

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

#endif

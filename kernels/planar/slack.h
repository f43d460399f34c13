/* Slack segments, subdivided: a segment that is longer than its way is a chain of points that hangs, swings
 * and lies on bodies; taut again it is one constraint, as before (after M. Servin and others, who resolve a
 * cable where it is slack only).
 *
 * A cable has no mass, so the points act on nothing: bodies move them, they move no bodies. A point's place
 * and its last one are its speed (Verlet). The lengths of the pieces are solved together, a tridiagonal
 * system, so the chain is as long as the segment's rest length whatever the number of pieces.
 */
#ifndef CAB_PLANAR_SLACK_H
#define CAB_PLANAR_SLACK_H

#include "pinch.h"

#define CAB_PL_SLACK_ON 5e-3    /* slack over rest length from which a segment is subdivided */
#define CAB_PL_SLACK_OFF 2.5e-3 /* and below which it is one again */
#define CAB_PL_SLACK_ROUNDS 24  /* of lengths and contacts, at most */
#define CAB_PL_SLACK_MET 8      /* at most, while bodies are in the way: they may leave no room */
#define CAB_PL_SLACK_CLOSE 1e-3 /* of a piece: its length is right */
#define CAB_PL_SLACK_INNER 0.2  /* of what a point is faster than its neighbours, that is lost in a step */
#define CAB_PL_SLACK_AIR 1.0    /* 1/s; damping of the points */
/* Of a point's inverse mass: with it a chain that is nearly straight has an answer. */
#define CAB_PL_SLACK_REGULARISATION 1e-6

/* A chain as it is solved: points 0 and n are the segment's ends. */
typedef struct cab_pl_chain {
    global cab_pl_node *node;
    int n; /* pieces */
    cab_pr piece, width;
} cab_pl_chain;

CAB_PL_FUNCTION cab_p2 cab_pl_node_at(const cab_pl_chain *c, int k)
{
    return p2_make(c->node[k].x, c->node[k].y);
}

CAB_PL_FUNCTION void cab_pl_node_move(const cab_pl_chain *c, int k, cab_p2 by)
{
    if (k == 0 || k == c->n) return;
    c->node[k].x += by.x;
    c->node[k].y += by.y;
}

/* ---- which segments are chains ---- */

CAB_PL_FUNCTION int cab_pl_take_chain(const cab_pl_view *v, int j)
{
    for (int i = 0; i < v->scene->chain_room; i++) {
        if (v->chain[i] >= 0) continue;
        v->chain[i] = j;
        return i;
    }
    return -1; /* it stays straight */
}

/* Folds of one size on the side that hangs down: as long as the segment, and nowhere far from it. They fall
 * open. */
CAB_PL_FUNCTION void cab_pl_fold(const cab_pl_view *v, const cab_pl_chain *c, int j)
{
    global const cab_pl_joint *b = v->joint + j, *a = v->joint + b->before;
    cab_p2 from = p2_add(cab_pl_centre(v, a->body), p2_make(a->head.ox, a->head.oy));
    cab_p2 to = p2_add(cab_pl_centre(v, b->body), p2_make(b->tail.ox, b->tail.oy));
    cab_p2 d = p2_scale(p2_sub(to, from), 1.0 / c->n);
    cab_p2 side = cab_pl_right(p2_make(b->ex, b->ey));
    if (side.x * v->scene->gx + side.y * v->scene->gy < 0) side = p2_scale(side, -1);
    cab_pr high = CAB_SQRT_DOUBLE(cab_pl_max(c->piece * c->piece - p2_dot(d, d), 0));
    cab_p2 va = cab_pl_speed_at(v, a->body, a->head.ox, a->head.oy);
    cab_p2 vb = cab_pl_speed_at(v, b->body, b->tail.ox, b->tail.oy);
    for (int k = 0; k <= c->n; k++) {
        global cab_pl_node *node = c->node + k;
        cab_p2 p = p2_add(from, p2_scale(d, k));
        cab_p2 speed = p2_add(va, p2_scale(p2_sub(vb, va), (cab_pr)k / c->n));
        if (k % 2) p = p2_add(p, p2_scale(side, high));
        node->x = p.x;
        node->y = p.y;
        node->px = p.x - v->scene->step * speed.x;
        node->py = p.y - v->scene->step * speed.y;
    }
}

CAB_PL_FUNCTION cab_pl_chain cab_pl_chain_of(const cab_pl_view *v, int j)
{
    global const cab_pl_joint *joint = v->joint + j;
    cab_pl_chain c;
    c.n = v->scene->pieces;
    c.node = v->node + joint->chain * (c.n + 1);
    c.piece = joint->rest / c.n;
    c.width = v->cable[joint->cable].width;
    return c;
}

/* Subdivides a segment that has become slack, and joins the pieces of one that is taut. 1 = it is a chain. */
CAB_PL_FUNCTION int cab_pl_divide(const cab_pl_view *v, int j)
{
    global cab_pl_joint *joint = v->joint + j;
    cab_pr slack = joint->rest - joint->length;
    int was = joint->chain >= 0;
    if ((joint->flags & CAB_PL_JOINT_PINCHED) ||
        slack < (was ? CAB_PL_SLACK_OFF : CAB_PL_SLACK_ON) * joint->rest || joint->rest <= 0) {
        cab_pl_drop_chain(v, j);
        return 0;
    }
    if (was) return 1;
    joint->chain = cab_pl_take_chain(v, j);
    if (joint->chain < 0) return 0;
    cab_pl_chain c = cab_pl_chain_of(v, j);
    cab_pl_fold(v, &c, j);
    return 1;
}

/* ---- lengths ---- */

/* One step of Newton's method for all pieces: (J J' + regularisation) l = |d| - piece. Elimination goes along
 * the chain; a piece's part of it lies with its first point. Returns how far the farthest was off before,
 * m. */
CAB_PL_FUNCTION cab_pr cab_pl_solve_lengths(const cab_pl_chain *c)
{
    global cab_pl_node *node = c->node;
    cab_pr worst = 0;
    for (int i = 0; i < c->n; i++) {
        cab_p2 d = p2_sub(cab_pl_node_at(c, i + 1), cab_pl_node_at(c, i));
        cab_pr l = CAB_SQRT_DOUBLE(p2_dot(d, d));
        cab_pr pivot = (i > 0 ? 1 : 0) + (i + 1 < c->n ? 1 : 0) + CAB_PL_SLACK_REGULARISATION,
               off = l - c->piece;
        worst = cab_pl_max(worst, cab_pl_abs(off));
        node[i].ex = l > 0 ? d.x / l : 1;
        node[i].ey = l > 0 ? d.y / l : 0;
        if (i > 0) {
            cab_pr side = -(node[i].ex * node[i - 1].ex + node[i].ey * node[i - 1].ey);
            cab_pr part = side / node[i - 1].pivot;
            pivot -= part * side;
            off -= part * node[i - 1].pull;
        }
        node[i].pivot = cab_pl_max(pivot, CAB_PL_SLACK_REGULARISATION);
        node[i].pull = off;
    }
    for (int i = c->n - 1; i >= 0; i--) {
        if (i + 1 < c->n) {
            cab_pr side = -(node[i].ex * node[i + 1].ex + node[i].ey * node[i + 1].ey);
            node[i].pull -= side * node[i + 1].pull;
        }
        node[i].pull = node[i].pull / node[i].pivot;
    }
    for (int k = 1; k < c->n; k++) {
        cab_pr x = node[k].pull * node[k].ex - node[k - 1].pull * node[k - 1].ex;
        cab_pr y = node[k].pull * node[k].ey - node[k - 1].pull * node[k - 1].ey;
        cab_pr way = CAB_SQRT_DOUBLE(x * x + y * y), most = 0.5 * c->piece;
        cab_pr part = way > most ? most / way : 1; /* a chain that is nearly straight asks for too much */
        cab_pl_node_move(c, k, p2_make(part * x, part * y));
    }
    return worst;
}

/* ---- contacts ---- */

/* Out of a body along n, without a bounce: it goes no faster along n than the body then. */
CAB_PL_FUNCTION void cab_pl_node_out(const cab_pl_view *v, const cab_pl_chain *c, int k, int body, cab_p2 n,
                                     cab_pr depth)
{
    if (k == 0 || k == c->n) return;
    global cab_pl_node *node = c->node + k;
    cab_p2 o = cab_pl_centre(v, body), speed = cab_pl_speed_at(v, body, node->x - o.x, node->y - o.y);
    cab_pl_node_move(c, k, p2_scale(n, depth));
    cab_p2 way = p2_sub(p2_make(node->x - node->px, node->y - node->py), p2_scale(speed, v->scene->step));
    cab_pr off = p2_dot(way, n);
    if (off <= 0) return;
    node->px += off * n.x;
    node->py += off * n.y;
}

/* The same with friction. */
CAB_PL_FUNCTION void cab_pl_push_node(const cab_pl_view *v, const cab_pl_chain *c, int k, int body, cab_p2 n,
                                      cab_pr depth)
{
    global cab_pl_node *node = c->node + k;
    cab_p2 o = cab_pl_centre(v, body), t = p2_make(-n.y, n.x);
    cab_pl_node_out(v, c, k, body, n, depth);
    cab_p2 speed = cab_pl_speed_at(v, body, node->x - o.x, node->y - o.y);
    cab_p2 way = p2_sub(p2_make(node->x - node->px, node->y - node->py), p2_scale(speed, v->scene->step));
    cab_pr along = p2_dot(way, t), most = v->body[body].friction * depth;
    cab_pl_node_move(c, k, p2_scale(t, -cab_pl_max(-most, cab_pl_min(most, along))));
}

/* How far a point lies beyond the edge of a polygon that it is farthest beyond; negative = inside. */
CAB_PL_FUNCTION cab_pr cab_pl_beyond(const cab_pl_view *v, int body, cab_p2 p, int *edge)
{
    cab_pr most = 0;
    for (int i = 0; i < v->body[body].corners; i++) {
        cab_pr s = p2_dot(cab_pl_normal_world(v, body, i), p2_sub(p, cab_pl_corner_world(v, body, i)));
        if (i > 0 && s <= most) continue;
        most = s;
        *edge = i;
    }
    return most;
}

CAB_PL_FUNCTION int cab_pl_meet_node(const cab_pl_view *v, const cab_pl_chain *c, int k, int body)
{
    cab_pr r = v->body[body].radius + c->width;
    cab_p2 p = cab_pl_node_at(c, k), core = cab_pl_centre(v, body), n;
    if (v->body[body].corners > 1) {
        int edge = 0;
        cab_pr inside = cab_pl_beyond(v, body, p, &edge);
        n = cab_pl_normal_world(v, body, edge);
        cab_p2 t = p2_make(-n.y, n.x), from = cab_pl_corner_world(v, body, edge);
        cab_pr along = p2_dot(p2_sub(p, from), t);
        along = cab_pl_max(0, cab_pl_min(cab_pl_corner_of(v, body, edge)->edge, along));
        core = p2_add(from, p2_scale(t, along));
        if (inside <= 0) { /* within the shape itself: through its nearest edge */
            cab_pl_push_node(v, c, k, body, n, r - inside);
            return 1;
        }
    }
    cab_p2 d = p2_sub(p, core);
    cab_pr l = CAB_SQRT_DOUBLE(p2_dot(d, d));
    if (l >= r) return 0;
    n = l > 0 ? p2_scale(d, 1 / l) : p2_make(0, 1);
    cab_pl_push_node(v, c, k, body, n, r - l);
    return 1;
}

/* A piece against the corner that reaches farthest over it: what is smaller than a piece. */
CAB_PL_FUNCTION int cab_pl_meet_piece(const cab_pl_view *v, const cab_pl_chain *c, int i, int body)
{
    cab_p2 p = cab_pl_node_at(c, i), d = p2_sub(cab_pl_node_at(c, i + 1), p);
    cab_pr l2 = p2_dot(d, d), l = CAB_SQRT_DOUBLE(l2);
    if (l == 0) return 0;
    cab_p2 m = p2_scale(cab_pl_right(d), 1 / l);
    if (p2_dot(m, p2_sub(p, cab_pl_centre(v, body))) < 0) m = p2_scale(m, -1);
    cab_p2 corner = cab_pl_corner_world(v, body, cab_pl_support(v, body, m));
    cab_pr part = p2_dot(p2_sub(corner, p), d) / l2;
    cab_pr r = v->body[body].radius + c->width, depth = r - p2_dot(m, p2_sub(p, corner));
    if (depth <= 0 || part <= 0 || part >= 1) return 0;
    if (v->body[body].corners > 1) { /* is that where it enters the body? */
        int edge;
        if (cab_pl_beyond(v, body, p2_add(p, p2_scale(d, part)), &edge) >= r) return 0;
    }
    cab_pr first = i > 0 ? 1 - part : 0, second = i + 1 < c->n ? part : 0;
    cab_pr all = first * first + second * second;
    if (all == 0) return 0;
    cab_pl_node_out(v, c, i, body, m, depth * first / all);
    cab_pl_node_out(v, c, i + 1, body, m, depth * second / all);
    return 1;
}

typedef struct cab_pl_box {
    cab_pr left, right, below, above;
} cab_pl_box;

CAB_PL_FUNCTION cab_pl_box cab_pl_chain_box(const cab_pl_chain *c)
{
    cab_pl_box b;
    b.left = b.right = c->node[0].x;
    b.below = b.above = c->node[0].y;
    for (int k = 1; k <= c->n; k++) {
        b.left = cab_pl_min(b.left, c->node[k].x);
        b.right = cab_pl_max(b.right, c->node[k].x);
        b.below = cab_pl_min(b.below, c->node[k].y);
        b.above = cab_pl_max(b.above, c->node[k].y);
    }
    return b;
}

/* 1 = something was in the way. The boxes are those of the step's start, grown by its way. */
CAB_PL_FUNCTION int cab_pl_meet_bodies(const cab_pl_view *v, const cab_pl_chain *c)
{
    cab_pl_box box = cab_pl_chain_box(c);
    int met = 0;
    for (int i = cab_pl_first_reaching(v, box.left); i < v->scene->bodies; i++) {
        global const cab_pl_sweep *s = v->sweep + i;
        if (s->left > box.right) break;
        if (s->right < box.left || s->below > box.above || s->above < box.below) continue;
        if (!(v->body[s->body].flags & CAB_PL_BODY_CABLES)) continue;
        for (int k = 0; k < c->n; k++) met |= cab_pl_meet_piece(v, c, k, s->body);
        for (int k = 1; k < c->n; k++) met |= cab_pl_meet_node(v, c, k, s->body);
    }
    return met;
}

/* ---- a step ---- */

CAB_PL_FUNCTION void cab_pl_predict(const cab_pl_view *v, const cab_pl_chain *c, int j)
{
    global const cab_pl_joint *b = v->joint + j, *a = v->joint + b->before;
    cab_pr h = v->scene->step, damp = 1 / (1 + h * CAB_PL_SLACK_AIR);
    for (int k = 0; k <= c->n; k++) { /* speeds, in m a step */
        c->node[k].ex = damp * (c->node[k].x - c->node[k].px);
        c->node[k].ey = damp * (c->node[k].y - c->node[k].py);
        c->node[k].px = c->node[k].x;
        c->node[k].py = c->node[k].y;
    }
    for (int k = 1; k < c->n; k++) {
        global cab_pl_node *node = c->node + k;
        cab_pr x = node->ex + CAB_PL_SLACK_INNER * (0.5 * (node[-1].ex + node[1].ex) - node->ex);
        cab_pr y = node->ey + CAB_PL_SLACK_INNER * (0.5 * (node[-1].ey + node[1].ey) - node->ey);
        node->x += x + h * h * v->scene->gx;
        node->y += y + h * h * v->scene->gy;
    }
    cab_p2 from = p2_add(cab_pl_centre(v, a->body), p2_make(a->head.ox, a->head.oy));
    cab_p2 to = p2_add(cab_pl_centre(v, b->body), p2_make(b->tail.ox, b->tail.oy));
    c->node[0].x = from.x;
    c->node[0].y = from.y;
    c->node[c->n].x = to.x;
    c->node[c->n].y = to.y;
}

/* Farthest way of a point in this step. */
CAB_PL_FUNCTION cab_pr cab_pl_chain_way(const cab_pl_chain *c)
{
    cab_pr most = 0;
    for (int k = 1; k < c->n; k++) {
        cab_pr x = c->node[k].x - c->node[k].px, y = c->node[k].y - c->node[k].py;
        most = cab_pl_max(most, x * x + y * y);
    }
    return CAB_SQRT_DOUBLE(most);
}

CAB_PL_FUNCTION void cab_pl_move_chain(const cab_pl_view *v, int j)
{
    cab_pl_chain c = cab_pl_chain_of(v, j);
    cab_pl_predict(v, &c, j);
    for (int i = 0; i < CAB_PL_SLACK_ROUNDS; i++) {
        cab_pr off = cab_pl_solve_lengths(&c);
        int met = cab_pl_meet_bodies(v, &c);
        if (met ? i + 1 >= CAB_PL_SLACK_MET : off < CAB_PL_SLACK_CLOSE * c.piece) break;
    }
    if (cab_pl_chain_way(&c) > v->scene->step * v->scene->rest / CAB_PL_REST_TIME)
        v->cable[v->joint[j].cable].still = 0;
}

CAB_PL_FUNCTION void cab_pl_slack(const cab_pl_view *v)
{
    if (v->scene->pieces == 0) return;
    for (int c = 0; c < v->scene->cables; c++) {
        if (v->cable[c].asleep) continue;
        CAB_PL_FOR_JOINTS(v, c, j)
        {
            if (v->joint[j].before >= 0 && cab_pl_divide(v, j)) cab_pl_move_chain(v, j);
        }
    }
}

#endif

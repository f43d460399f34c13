/* Shapes of planar bodies: convex polygons with rounded corners, of which a circle is one with a single
 * corner. Where a cable may touch them, how far it is from there to there along the rim, where two of them
 * meet.
 */
#ifndef CAB_PLANAR_SHAPE_H
#define CAB_PLANAR_SHAPE_H

#include "math.h"

/* A scene's part of the buffers. */
typedef struct cab_pl_view {
    global cab_pl_scene *scene;
    global cab_pl_motion *motion;
    global cab_pl_body *body;
    global const cab_pl_corner *corner;
    global cab_pl_cable *cable;
    global cab_pl_joint *joint;
    global cab_pl_contact *contact; /* this step's */
    global cab_pl_contact *old;     /* the last step's */
    global cab_pl_row *row;
    global cab_pl_sweep *sweep;
    global cab_pl_pair *pair, *hit, *split;
    global cab_pl_node *node; /* [chain_room][pieces + 1] */
    global int *chain;        /* their joints; -1 = unused */
    global cab_pl_unknown *unknown;
    global cab_pl_island *island;
    global cab_pr *cell;
    global int *order;        /* bodies, island by island */
    global int *end;          /* next ends of contacts and segments at a body */
    global int *direct_run;   /* first rows of what is solved together */
    global int *direct_touch; /* 2 contact + touch of it */
} cab_pl_view;

/* The joints of a cable, in their order; the loop may add and remove none. */
#define CAB_PL_FOR_JOINTS(v, c, j)                                                                           \
    for (int j = (v)->cable[c].first, cab_left = (v)->cable[c].count; cab_left > 0;                          \
         cab_left--, j = (v)->joint[j].after)

/* A vector of the body, in the world's directions. */
CAB_PL_FUNCTION cab_p2 cab_pl_out(const cab_pl_view *v, int body, cab_p2 a)
{
    return cab_pl_turn(v->body[body].c, v->body[body].s, a);
}

CAB_PL_FUNCTION cab_p2 cab_pl_centre(const cab_pl_view *v, int body)
{
    return p2_make(v->motion[body].x, v->motion[body].y);
}

CAB_PL_FUNCTION global const cab_pl_corner *cab_pl_corner_of(const cab_pl_view *v, int body, int k)
{
    return v->corner + v->body[body].corner + k;
}

/* A corner, from the body's centre, in the world's directions. */
CAB_PL_FUNCTION cab_p2 cab_pl_corner_out(const cab_pl_view *v, int body, int k)
{
    if (v->body[body].corners == 1) return p2_make(0, 0);
    global const cab_pl_corner *c = cab_pl_corner_of(v, body, k);
    return cab_pl_out(v, body, p2_make(c->x, c->y));
}

/* The corner that lies farthest in a direction of the world. */
CAB_PL_FUNCTION int cab_pl_support(const cab_pl_view *v, int body, cab_p2 n)
{
    int best = 0, count = v->body[body].corners;
    if (count == 1) return 0;
    cab_p2 m = cab_pl_turn_back(v->body[body].c, v->body[body].s, n);
    cab_pr far = 0;
    for (int k = 0; k < count; k++) {
        global const cab_pl_corner *c = cab_pl_corner_of(v, body, k);
        cab_pr d = c->x * m.x + c->y * m.y;
        if (k == 0 || d > far) {
            best = k;
            far = d;
        }
    }
    return best;
}

/* The place on the rim at distance r from the shape without its rounding. */
CAB_PL_FUNCTION cab_pl_attach cab_pl_attach_at(const cab_pl_view *v, int body, int corner, cab_pr along,
                                               cab_p2 n, cab_pr r)
{
    cab_pl_attach a;
    cab_p2 o = p2_add(cab_pl_corner_out(v, body, corner), p2_scale(n, r));
    if (along != 0) {
        global const cab_pl_corner *c = cab_pl_corner_of(v, body, corner);
        cab_p2 t = cab_pl_out(v, body, p2_make(-c->ny, c->nx));
        o = p2_add(o, p2_scale(t, along));
    }
    a.nx = n.x;
    a.ny = n.y;
    a.along = along;
    a.angle = v->motion[body].angle;
    a.ox = o.x;
    a.oy = o.y;
    a.corner = corner;
    a.pad = 0;
    return a;
}

/* By how much a rim's normal has turned against the body between two places. */
CAB_PL_FUNCTION cab_pr cab_pl_turned(const cab_pl_attach *from, const cab_pl_attach *to)
{
    cab_pr turn = from->angle - to->angle;
    if (from->nx == to->nx && from->ny == to->ny) return turn;
    return turn + cab_pl_between(p2_make(from->nx, from->ny), p2_make(to->nx, to->ny));
}

/* Way along the rim of a body from one place to another, counterclockwise, at distance r from the shape
 * without its rounding. Of the ways that lead there it takes the one that goes with the turn of the normal.
 */
CAB_PL_FUNCTION cab_pr cab_pl_way(const cab_pl_view *v, int body, cab_pr r, const cab_pl_attach *from,
                                  const cab_pl_attach *to)
{
    cab_pr turned = cab_pl_turned(from, to), edges = v->body[body].edges, passed, rounds;
    if (v->body[body].corners == 1) return r * turned;
    passed = cab_pl_corner_of(v, body, to->corner)->before - cab_pl_corner_of(v, body, from->corner)->before;
    passed += to->along - from->along;
    rounds = turned / (2 * CAB_PL_PI) - passed / edges;
    return r * turned + passed + edges * (int)(rounds < 0 ? rounds - 0.5 : rounds + 0.5);
}

/* Once round at distance r. */
CAB_PL_FUNCTION cab_pr cab_pl_round(const cab_pl_view *v, int body, cab_pr r)
{
    return 2 * CAB_PL_PI * r + v->body[body].edges;
}

/* The same way, but always in the direction of `spin`: 0 to once round. A little backwards is nothing. */
CAB_PL_FUNCTION cab_pr cab_pl_arc(const cab_pl_view *v, int body, cab_pr r, int spin,
                                  const cab_pl_attach *from, const cab_pl_attach *to)
{
    cab_pr all = cab_pl_round(v, body, r), way = spin * cab_pl_way(v, body, r, from, to);
    if (way < 0) way += all;
    if (way >= all) way -= all;
    return way > all * (1 - 1e-9) ? 0 : way;
}

/* Where two bodies meet, or nearly do. */
typedef struct cab_pl_manifold {
    cab_p2 n; /* from a to b */
    int count;
    cab_p2 at[2];  /* halfway between the two surfaces */
    cab_pr gap[2]; /* m; negative = depth */
    int id[2];
} cab_pl_manifold;

CAB_PL_FUNCTION void cab_pl_put(cab_pl_manifold *m, cab_p2 on_a, cab_p2 on_b, int id)
{
    m->at[m->count] = p2_scale(p2_add(on_a, on_b), 0.5);
    m->gap[m->count] = p2_dot(m->n, p2_sub(on_b, on_a));
    m->id[m->count] = id;
    m->count++;
}

/* Two round points: corners, or centres of circles. */
CAB_PL_FUNCTION void cab_pl_meet_points(cab_p2 a, cab_pr ra, cab_p2 b, cab_pr rb, int id, cab_pl_manifold *m)
{
    cab_p2 d = p2_sub(b, a);
    cab_pr l = CAB_SQRT_DOUBLE(p2_dot(d, d));
    m->n = l > 0 ? p2_scale(d, 1 / l) : p2_make(0, 1);
    cab_pl_put(m, p2_add(a, p2_scale(m->n, ra)), p2_sub(b, p2_scale(m->n, rb)), id);
}

/* A corner of a body in the world. */
CAB_PL_FUNCTION cab_p2 cab_pl_corner_world(const cab_pl_view *v, int body, int k)
{
    return p2_add(cab_pl_centre(v, body), cab_pl_corner_out(v, body, k));
}

CAB_PL_FUNCTION cab_p2 cab_pl_normal_world(const cab_pl_view *v, int body, int k)
{
    global const cab_pl_corner *c = cab_pl_corner_of(v, body, k);
    return cab_pl_out(v, body, p2_make(c->nx, c->ny));
}

/* The edge of polygon a beyond which b lies farthest, and by how much its core does. */
CAB_PL_FUNCTION cab_pr cab_pl_separate(const cab_pl_view *v, int a, int b, int *edge)
{
    cab_pr best = 0;
    for (int i = 0; i < v->body[a].corners; i++) {
        cab_p2 n = cab_pl_normal_world(v, a, i), from = cab_pl_corner_world(v, a, i);
        cab_p2 to = cab_pl_corner_world(v, b, cab_pl_support(v, b, p2_scale(n, -1)));
        cab_pr s = p2_dot(n, p2_sub(to, from));
        if (i == 0 || s > best) {
            best = s;
            *edge = i;
        }
    }
    return best;
}

CAB_PL_FUNCTION int cab_pl_next_corner(const cab_pl_view *v, int body, int k)
{
    return k + 1 < v->body[body].corners ? k + 1 : 0;
}

/* Polygon a and circle b. */
CAB_PL_FUNCTION void cab_pl_meet_circle(const cab_pl_view *v, int a, int b, cab_pl_manifold *m)
{
    int edge = 0, next;
    cab_pr ra = v->body[a].radius, rb = v->body[b].radius;
    cab_pr depth = cab_pl_separate(v, a, b, &edge);
    next = cab_pl_next_corner(v, a, edge);
    cab_p2 c = cab_pl_centre(v, b), p = cab_pl_corner_world(v, a, edge);
    cab_p2 q = cab_pl_corner_world(v, a, next), t = p2_sub(q, p);
    cab_pr u = p2_dot(p2_sub(c, p), t), l2 = p2_dot(t, t);
    if (depth > 0 && (u < 0 || u > l2)) {
        cab_pl_meet_points(u < 0 ? p : q, ra, c, rb, u < 0 ? edge : next, m);
        return;
    }
    m->n = cab_pl_normal_world(v, a, edge);
    cab_pl_put(m, p2_add(c, p2_scale(m->n, ra - depth)), p2_sub(c, p2_scale(m->n, rb)), edge);
}

/* Two polygons, a with the edge that separates them: the edge of b that faces it is cut to its length. */
CAB_PL_FUNCTION void cab_pl_meet_edges(const cab_pl_view *v, int a, int edge, int b, cab_pl_manifold *m)
{
    cab_p2 n = cab_pl_normal_world(v, a, edge), t = p2_make(-n.y, n.x);
    cab_p2 p = cab_pl_corner_world(v, a, edge);
    cab_pr length = cab_pl_corner_of(v, a, edge)->edge, least = 0;
    int facing = 0;
    for (int k = 0; k < v->body[b].corners; k++) {
        cab_pr d = p2_dot(n, cab_pl_normal_world(v, b, k));
        if (k == 0 || d < least) {
            least = d;
            facing = k;
        }
    }
    int other = cab_pl_next_corner(v, b, facing);
    cab_p2 one = p2_sub(cab_pl_corner_world(v, b, other), p); /* first along a's edge */
    cab_p2 two = p2_sub(cab_pl_corner_world(v, b, facing), p);
    cab_pr u1 = p2_dot(one, t), u2 = p2_dot(two, t);
    cab_pr s1 = p2_dot(one, n), s2 = p2_dot(two, n);
    cab_pr ra = v->body[a].radius, rb = v->body[b].radius;
    if (u2 < 0 || u1 > length) { /* past each other: corner against corner */
        cab_p2 mine = u2 < 0 ? p : p2_add(p, p2_scale(t, length));
        cab_p2 its = p2_add(p, u2 < 0 ? two : one);
        if ((u2 < 0 ? s2 : s1) > 0) {
            cab_pl_meet_points(mine, ra, its, rb, 8 * edge + facing, m);
            return;
        }
    }
    m->n = n;
    for (int k = 0; k < 2; k++) {
        cab_pr u = k == 0 ? u1 : u2, s = k == 0 ? s1 : s2, cut = cab_pl_max(0, cab_pl_min(length, u));
        if (u != cut && u2 != u1) s = s1 + (s2 - s1) * (cut - u1) / (u2 - u1);
        cab_p2 foot = p2_add(p, p2_scale(t, cut));
        cab_pl_put(m, p2_add(foot, p2_scale(n, ra)), p2_add(foot, p2_scale(n, s - rb)),
                   2 * (8 * edge + facing) + k);
    }
}

CAB_PL_FUNCTION void cab_pl_turn_round(cab_pl_manifold *m)
{
    m->n = p2_scale(m->n, -1);
    for (int i = 0; i < m->count; i++) m->id[i] += 256; /* the other one's edge */
}

/* Leaves the points whose gap is less than `reach`. */
CAB_PL_FUNCTION void cab_pl_meet(const cab_pl_view *v, int a, int b, cab_pr reach, cab_pl_manifold *m)
{
    int na = v->body[a].corners, nb = v->body[b].corners, edge_a = 0, edge_b = 0, kept = 0;
    m->count = 0;
    if (na == 1 && nb == 1) {
        cab_pl_meet_points(cab_pl_centre(v, a), v->body[a].radius, cab_pl_centre(v, b), v->body[b].radius, 0,
                           m);
    } else if (nb == 1) {
        cab_pl_meet_circle(v, a, b, m);
    } else if (na == 1) {
        cab_pl_meet_circle(v, b, a, m);
        cab_pl_turn_round(m);
    } else {
        cab_pr beyond_a = cab_pl_separate(v, a, b, &edge_a), beyond_b = cab_pl_separate(v, b, a, &edge_b);
        if (beyond_b > beyond_a + 1e-3 * cab_pl_min(v->body[a].reach, v->body[b].reach)) {
            cab_pl_meet_edges(v, b, edge_b, a, m);
            cab_pl_turn_round(m);
        } else {
            cab_pl_meet_edges(v, a, edge_a, b, m);
        }
    }
    for (int i = 0; i < m->count; i++) {
        if (m->gap[i] >= reach) continue;
        m->at[kept] = m->at[i];
        m->gap[kept] = m->gap[i];
        m->id[kept++] = m->id[i];
    }
    m->count = kept;
}

/* The place of a body's rim that lies nearest to a point, where the rim's normal is n. */
CAB_PL_FUNCTION cab_pl_attach cab_pl_attach_near(const cab_pl_view *v, int body, cab_p2 point, cab_p2 n,
                                                 cab_pr r)
{
    int count = v->body[body].corners;
    if (count == 1) return cab_pl_attach_at(v, body, 0, 0, n, r);
    int k = cab_pl_support(v, body, n), before = k > 0 ? k - 1 : count - 1;
    cab_p2 p = p2_sub(point, cab_pl_corner_world(v, body, k)), m;
    m = cab_pl_normal_world(v, body, k);
    if (p2_dot(m, n) > 1 - 1e-6) { /* n is that of the edge that begins here */
        cab_pr along = p2_dot(p, p2_make(-m.y, m.x));
        return cab_pl_attach_at(v, body, k,
                                cab_pl_max(0, cab_pl_min(cab_pl_corner_of(v, body, k)->edge, along)), n, r);
    }
    m = cab_pl_normal_world(v, body, before);
    if (p2_dot(m, n) > 1 - 1e-6) { /* or that ends here */
        cab_pr edge = cab_pl_corner_of(v, body, before)->edge, along = edge + p2_dot(p, p2_make(-m.y, m.x));
        return cab_pl_attach_at(v, body, before, cab_pl_max(0, cab_pl_min(edge, along)), n, r);
    }
    return cab_pl_attach_at(v, body, k, 0, n, r);
}

#endif

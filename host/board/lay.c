/* Lays paths one after the other: the trunk straight, then from the heaviest to the lightest each where it costs least. */
#include "board/layout.h"

#include <stdlib.h>

#include "base/array.h"
#include "board/field.h"
#include "board/tree.h"

#define PI 3.14159265358979323846
#define LEGS 3
#define TURN (PI / 12) /* what directions are multiples of; half of it where there is no room */
#define TURNS 24
#define WORK 1000000000LL /* looks at pieces and places, shared by the paths: a second or a few */
#define LEAST_LEG 50.0    /* mm between bends */
#define HALO 45.0         /* mm round a bundle where others had better not lie */
#define APART 5.0         /* mm that are free between two bundles */
#define FAN 40.0  /* mm from the node at which a path begins where it cannot be far from its neighbours */
#define ARM 700.0 /* mm from the trunk that a hand reaches well */
#define BETWEEN_TREES 150.0

/* A price in millimetres of detour. */
#define CROSSING 1e5
#define CROWD 4.0   /* for a mm in a place that is taken */
#define CONNECTOR 3 /* times as dear is lying over a connector */
#define BEND 90.0
#define GROWTH                                                                                               \
    0.35 /* for a mm that the board becomes longer; for higher a third of it, and TOO_FAR beyond ARM */
#define TOO_FAR 1.0
#define ODD 10.0 /* for an angle that is no multiple of 45 degrees but one of 30; twice for others */

typedef struct piece {
    cab_point a, b;
    int nodes[2]; /* that it ends at; -1 = a bend */
    cab_box box;
} piece;

/* A way to lay a path. */
typedef struct shape {
    double angle[LEGS], length[LEGS]; /* of legs */
    int legs;
} shape;

typedef struct board {
    cab_layout *layout;
    const cab_tree *tree;
    cab_field field;
    piece *pieces;
    int piece_count, piece_room, first_piece; /* of this tree */
    cab_point *places;                        /* [tree->node_count] */
    cab_box box;                              /* of this tree */
} board;

/* ---- what a shape costs ---- */

/* How far each direction at a node is from what is there already, rad; direction k is k half turns of TURN. */
static void list_gaps(const board *b, int node, double gaps[2 * TURNS])
{
    for (int i = 0; i < 2 * TURNS; i++) gaps[i] = PI;
    for (int i = b->first_piece; i < b->piece_count; i++) {
        const piece *p = &b->pieces[i];
        for (int k = 0; k < 2; k++) {
            if (p->nodes[k] != node) continue;
            cab_point from = k ? p->b : p->a, to = k ? p->a : p->b;
            double at = atan2(to.y - from.y, to.x - from.x) / (TURN / 2);
            if (at < 0) at += 2 * TURNS;
            for (int n = 0; n < 2 * TURNS; n++) {
                double off = fabs(n - at);
                gaps[n] = fmin(gaps[n], fmin(off, 2 * TURNS - off) * TURN / 2);
            }
        }
    }
}

/* At a node branches leave at good angles from what is there already. */
static double cost_of_angle(int direction, double gap)
{
    double degrees = gap * 180 / PI;
    double plain = direction % 6 == 0 ? 0 : direction % 4 == 0 ? ODD : 2 * ODD;
    return plain + (degrees < 7    ? CROSSING / 2
                    : degrees < 14 ? 1000
                    : degrees < 29 ? 150
                    : degrees < 44 ? 60
                    : degrees < 59 ? 20
                    : degrees < 74 ? 8
                                   : 0);
}

static int count_crossings(const board *b, cab_point from, cab_point to, int node)
{
    cab_box box = cab_box_none();
    cab_box_add(&box, from, 1), cab_box_add(&box, to, 1);
    int count = 0;
    for (int i = b->first_piece; i < b->piece_count; i++) {
        const piece *p = &b->pieces[i];
        if (!cab_box_meet(&box, &p->box) || (node >= 0 && (p->nodes[0] == node || p->nodes[1] == node)))
            continue;
        count += cab_lines_cross(from, to, p->a, p->b) || cab_lines_cover(from, to, p->a, p->b);
    }
    return count;
}

/* How crowded it is along a leg, and beside it where others will branch off. `done`: how far it is from the path's node. */
static double crowd_along(const board *b, cab_point from, double angle, double length, double done,
                          double beside)
{
    double step = fmax(12, 1.5 * b->field.cell), sum = 0;
    cab_point along = cab_point_at(angle), across = {-along.y, along.x};
    for (double s = fmax(0.5 * step, FAN - done); s < length; s += step) {
        cab_point p = cab_point_add(from, s, along);
        sum += cab_field_at(&b->field, p);
        if (beside > 0)
            sum += 0.3 * (cab_field_at(&b->field, cab_point_add(p, beside, across)) +
                          cab_field_at(&b->field, cab_point_add(p, -beside, across)));
    }
    return CROWD * step * sum;
}

static double cost_of_box(const board *b, const cab_box *box)
{
    double longer = box->right - box->left - (b->box.right - b->box.left);
    double higher = box->top - box->bottom - (b->box.top - b->box.bottom);
    return GROWTH * (longer + higher / 3) + TOO_FAR * (fmax(0, box->top - fmax(ARM, b->box.top)) +
                                                       fmax(0, fmin(-ARM, b->box.bottom) - box->bottom));
}

/* reach: what is drawn beyond the path's end. most: dearer is not needed exactly. */
static double cost_of(const board *b, const cab_tree_path *path, const shape *s, double reach, double most)
{
    cab_point at = b->places[path->from];
    cab_box box = b->box;
    double cost = BEND * (s->legs - 1), done = 0, beside = fmin(120, 0.5 * path->longest);
    for (int i = 0; i < s->legs && cost < most; i++) {
        double length = s->length[i] + (i + 1 == s->legs ? reach : 0);
        cab_point to = cab_point_add(at, length, cab_point_at(s->angle[i]));
        cost += crowd_along(b, at, s->angle[i], length, done, beside);
        if (cost < most) cost += CROSSING * count_crossings(b, at, to, i ? -1 : path->from);
        cab_box_add(&box, to, 30);
        at = cab_point_add(at, s->length[i], cab_point_at(s->angle[i]));
        done += s->length[i];
    }
    return cost + cost_of_box(b, &box);
}

/* ---- which shapes are tried ---- */

typedef struct search {
    const board *board;
    const cab_tree_path *path;
    double reach, cost;
    shape best;
    long long looks; /* that are left */
} search;

static void try_shape(search *s, const shape *tried, double already)
{
    if (already >= s->cost || s->looks <= 0) return;
    const board *b = s->board;
    s->looks -=
        tried->legs * (b->piece_count - b->first_piece) + (long long)(s->path->length / b->field.cell);
    double cost = already + cost_of(b, s->path, tried, s->reach, s->cost - already);
    if (cost < s->cost) s->cost = cost, s->best = *tried;
}

/* Splits the last leg after each of these lengths, and turns by each of these angles. */
static void try_bends(search *s, const shape *before, double already)
{
    static const double lengths[] = {60, 90, 130, 180, 240, 320, 420, 560, 750, 1000, 1400},
                        turns[] = {3, 6, 4, 2};
    int last = before->legs - 1;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (before->length[last] - lengths[i] < LEAST_LEG || s->looks <= 0) break;
        for (int k = 0; k < 8; k++) {
            shape bent = *before;
            bent.length[last] = lengths[i];
            bent.length[bent.legs] = before->length[last] - lengths[i];
            bent.angle[bent.legs++] = before->angle[last] + (k % 2 ? -TURN : TURN) * turns[k / 2];
            try_shape(s, &bent, already);
            if (before->legs == LEGS - 2 && s->cost >= CROSSING / 4) try_bends(s, &bent, already);
        }
    }
}

static shape choose(const board *b, const cab_tree_path *path, double reach)
{
    search s = {
        .board = b, .path = path, .reach = reach, .cost = HUGE_VAL, .looks = WORK / b->tree->path_count};
    s.best = (shape){.angle = {PI / 2}, .length = {path->length}, .legs = 1};
    double gaps[2 * TURNS];
    list_gaps(b, path->from, gaps);
    /* straight across first, so that of equals it is taken */
    static const int order[TURNS] = {6,  18, 4, 8,  16, 20, 5, 7,  17, 19, 3, 9,
                                     15, 21, 2, 10, 14, 22, 1, 11, 13, 23, 0, 12};
    for (int pass = 0; pass < 4; pass++) {
        if (pass >= 2 && s.cost < 1000)
            break; /* directions between these are for nodes that have no others left */
        for (int k = 0; k < TURNS; k++) {
            int direction = 2 * order[k] + (pass >= 2);
            shape straight = {.angle = {direction * TURN / 2}, .length = {path->length}, .legs = 1};
            double already = cost_of_angle(direction, gaps[direction]);
            if (pass % 2 == 0)
                try_shape(&s, &straight, already);
            else if (already < s.cost)
                try_bends(&s, &straight, already);
        }
    }
    return s.best;
}

/* ---- laying ---- */

static cab_status add_piece(board *b, cab_point from, cab_point to, int node, int last, cab_error *error)
{
    cab_status status = CAB_ROOM(b->pieces, b->piece_room, b->piece_count + 1, error);
    if (status) return status;
    piece *p = &b->pieces[b->piece_count++];
    *p = (piece){.a = from, .b = to, .nodes = {node, last}, .box = cab_box_none()};
    cab_box_add(&p->box, from, 0), cab_box_add(&p->box, to, 0);
    return CAB_OK;
}

/* The end of a step of a path. */
static int last_node(const board *b, cab_tree_step step)
{
    return step.back ? b->layout->edges[step.edge].start : b->tree->end[step.edge];
}

/* Cuts the shape into the edges of the path. Points of an edge are from its start to its end. */
static cab_status lay(board *b, const cab_tree_path *path, const shape *s, cab_error *error)
{
    cab_status status = CAB_OK;
    cab_point at = b->places[path->from];
    int leg = 0, node = path->from;
    double rest_of_leg = s->length[0], halo = HALO + (path->trunk ? 0 : fmin(90, 0.3 * path->longest));
    for (int i = 0; i < path->count && !status; i++) {
        cab_layout_edge *edge = &b->layout->edges[path->steps[i].edge];
        cab_point corners[CAB_LAYOUT_CORNERS + 2] = {at};
        int count = 1, last = last_node(b, path->steps[i]);
        double rest = edge->length;
        /* a bend that is as good as at the node is there */
        while (leg + 1 < s->legs && rest_of_leg < rest) {
            if (rest_of_leg > 1e-9)
                at = corners[count++] = cab_point_add(at, rest_of_leg, cab_point_at(s->angle[leg]));
            rest -= rest_of_leg;
            rest_of_leg = s->length[++leg];
        }
        at = corners[count++] = cab_point_add(at, rest, cab_point_at(s->angle[leg]));
        rest_of_leg -= rest;
        for (int k = 1; k < count && !status; k++) {
            status = add_piece(b, corners[k - 1], corners[k], k == 1 ? node : -1, k + 1 == count ? last : -1,
                               error);
            double half = edge->width / 2 + APART;
            cab_field_take(&b->field, corners[k - 1], corners[k], half, half + halo, 1);
            cab_box_add(&b->box, corners[k], edge->width / 2);
        }
        for (int k = 0; k < count; k++) edge->points[path->steps[i].back ? count - 1 - k : k] = corners[k];
        edge->point_count = count;
        b->places[last] = at;
        node = last;
    }
    return status;
}

static double reach_at_end(const board *b, const cab_tree_path *path)
{
    int node = last_node(b, path->steps[path->count - 1]);
    return node < b->layout->node_count ? b->layout->reach[node] : 20;
}

/* What is drawn at the end takes room, too. */
static void take_end(board *b, const cab_tree_path *path, const shape *s, double reach)
{
    cab_point end = b->places[last_node(b, path->steps[path->count - 1])];
    cab_point to = cab_point_add(end, reach, cab_point_at(s->angle[s->legs - 1]));
    cab_field_take(&b->field, end, to, 12, 12 + HALO / 2, CONNECTOR);
    cab_box_add(&b->box, to, 15);
}

static double kept_round(const cab_tree_path *path)
{
    return fmin(220, 0.5 * path->length + 30);
}

/* Paths that begin on this one keep room, as it is laid, until they are laid themselves. */
static void keep_for_branches(board *b, const cab_tree_path *path, int index, int end)
{
    for (int i = index + 1; i < end; i++) {
        const cab_tree_path *branch = &b->tree->paths[i];
        for (int k = 0; k < path->count; k++)
            if (last_node(b, path->steps[k]) == branch->from)
                cab_field_keep(&b->field, b->places[branch->from], kept_round(branch), 0.3);
    }
}

static cab_status lay_tree(board *b, int first, int end, cab_error *error)
{
    const cab_tree_path *trunk = &b->tree->paths[first];
    double aside = 0;
    for (int i = first + 1; i < end; i++) aside = fmax(aside, b->tree->paths[i].weight);
    aside = fmin(aside, 4000) + 300;
    b->box = cab_box_none();
    b->first_piece = b->piece_count;
    b->places[trunk->from] = (cab_point){0, 0};
    cab_box_add(&b->box, (cab_point){0, 0}, 0);
    cab_status status =
        cab_field_make(&b->field, (cab_box){-aside, -aside, fmin(trunk->length, 1e6) + aside, aside}, error);
    for (int i = first; i < end && !status; i++) {
        const cab_tree_path *path = &b->tree->paths[i];
        double reach = reach_at_end(b, path);
        shape s = {.angle = {0}, .length = {path->length}, .legs = 1};
        if (i > first) {
            cab_field_keep(&b->field, b->places[path->from], kept_round(path), -0.3);
            s = choose(b, path, reach);
        }
        status = lay(b, path, &s, error);
        if (status) break;
        take_end(b, path, &s, reach);
        keep_for_branches(b, path, i, end);
    }
    cab_field_free(&b->field);
    return status;
}

/* ---- all trees ---- */

static void shift_tree(board *b, int first, int end, double dx, double dy)
{
    cab_layout *layout = b->layout;
    for (int i = first; i < end; i++) {
        const cab_tree_path *path = &b->tree->paths[i];
        for (int k = 0; k < path->count; k++) {
            cab_layout_edge *edge = &layout->edges[path->steps[k].edge];
            for (int p = 0; p < edge->point_count; p++) edge->points[p].x += dx, edge->points[p].y += dy;
            int node = last_node(b, path->steps[k]);
            b->places[node].x += dx, b->places[node].y += dy;
        }
    }
    int node = b->tree->paths[first].from;
    b->places[node].x += dx, b->places[node].y += dy;
    for (int i = b->first_piece; i < b->piece_count; i++) {
        piece *p = &b->pieces[i];
        p->a.x += dx, p->a.y += dy, p->b.x += dx, p->b.y += dy;
        p->box.left += dx, p->box.right += dx, p->box.bottom += dy, p->box.top += dy;
    }
}

/* Trees one below the other. */
static cab_status lay_trees(board *b, cab_error *error)
{
    cab_status status = CAB_OK;
    double below = 0;
    b->layout->box = cab_box_none();
    for (int first = 0, end; first < b->tree->path_count && !status; first = end) {
        for (end = first + 1;
             end < b->tree->path_count && b->tree->paths[end].tree == b->tree->paths[first].tree;)
            end++;
        status = lay_tree(b, first, end, error);
        if (status) break;
        double dx = -b->box.left, dy = below - b->box.top;
        shift_tree(b, first, end, dx, dy);
        cab_box_add(&b->layout->box, (cab_point){0, below}, 0);
        cab_box_add(&b->layout->box, (cab_point){b->box.right + dx, b->box.bottom + dy}, 0);
        below = b->layout->box.bottom - BETWEEN_TREES;
    }
    return status;
}

/* Pairs of pieces that meet anywhere but at a node or a bend that they share, or lie over each other. */
static int count_all_crossings(const board *b)
{
    int count = 0;
    for (int i = 0; i < b->piece_count; i++) {
        const piece *p = &b->pieces[i];
        for (int k = i + 1; k < b->piece_count; k++) {
            const piece *q = &b->pieces[k];
            if (!cab_box_meet(&p->box, &q->box)) continue;
            bool share = cab_point_distance(p->a, q->a) < 1e-6 || cab_point_distance(p->a, q->b) < 1e-6 ||
                         cab_point_distance(p->b, q->a) < 1e-6 || cab_point_distance(p->b, q->b) < 1e-6;
            count += (!share && cab_lines_cross(p->a, p->b, q->a, q->b)) ||
                     cab_lines_cover(p->a, p->b, q->a, q->b);
        }
    }
    return count;
}

static cab_status take_places(board *b, cab_error *error)
{
    cab_layout *layout = b->layout;
    cab_status status = CAB_NEW(layout->places, layout->node_count, error);
    if (!status) status = CAB_NEW(layout->placed, layout->node_count, error);
    for (int i = 0; i < layout->node_count && !status; i++) {
        layout->places[i] = b->places[i];
        layout->placed[i] = b->tree->near[i + 1] > b->tree->near[i];
    }
    return status;
}

cab_status cab_layout_make(cab_layout *layout, cab_error *error)
{
    layout->places = NULL, layout->placed = NULL;
    layout->trees = layout->cuts = layout->crossings = 0;
    for (int i = 0; i < layout->edge_count; i++)
        layout->edges[i].point_count = 0, layout->edges[i].cut = false;
    if (layout->edge_count > CAB_LAYOUT_MOST)
        return cab_fail(error, CAB_ERROR_INPUT, "%d segments; expected %d at most on a board",
                        layout->edge_count, CAB_LAYOUT_MOST);
    cab_tree tree;
    board b = {.layout = layout, .tree = &tree};
    cab_status status = cab_tree_make(&tree, layout, error);
    if (!status) status = CAB_NEW(b.places, tree.node_count, error);
    if (!status) status = lay_trees(&b, error);
    if (!status) status = take_places(&b, error);
    if (!status) layout->trees = tree.trees, layout->crossings = count_all_crossings(&b);
    CAB_FREE(b.pieces, b.places);
    cab_tree_free(&tree);
    return status;
}

void cab_layout_free(cab_layout *layout)
{
    CAB_FREE(layout->places, layout->placed);
    layout->places = NULL, layout->placed = NULL;
}

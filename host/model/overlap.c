/* Cables that overlap as they are drawn are moved apart before the run; contact would do it while they move.
 *
 * Each pair of segments that overlaps is pushed apart along the line between its closest points, by no more than it takes (T. Jakobsen's
 * projection, all particles as heavy as each other). How far a particle has been moved it shares with its neighbours, less from round to
 * round, so that a cable gets a bend and no kink, and lengths are kept about right. Then they are made right. Both take turns until neither is
 * off, or there is no room. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/closest.h"
#include "base/error.h"

#define TURNS 40    /* of pushing, and of lengths, at most, and as long as */
#define LESS 0.95   /* no more than this of the deepest overlap is left by each: else there is no room */
#define ROUNDS 60   /* of pushing in each of them */
#define SHARED 0.5  /* of a particle's way, with its neighbours, in the first round */
#define MARGIN 0.02 /* of the thinner radius: pushed further than it takes, since lengths take some back */
#define ENOUGH 1e-3 /* of the thinner radius: an overlap that is left */
#define LOOKS                                                                                                \
    4000.0 /* at pairs, of each segment at most: where nearly all overlap, as with an absurd radius, it is not worth more */
#define NO_DIRECTION 1e-6 /* of the radii's sum: axes that are closer do not tell which way to go */

typedef struct pair {
    int a, b; /* segments */
} pair;

/* A segment in the cell of its middle. */
typedef struct entry {
    int x, y, z; /* of the cell */
    int segment;
} entry;

typedef struct search {
    cab_model *model;
    int count;      /* segments of cables */
    entry *entries; /* [count] by cell */
    double looks;   /* at pairs, that are left */
    bool *fixed;    /* [particles] */
    cab_vec3 *way;  /* [particles] how far it has been moved, m */
    cab_vec3 *mean; /* [particles] of its neighbours' ways */
    pair *pairs;    /* that could overlap in this turn */
    int pair_count, pair_room;
} search;

static cab_line axis_of(const cab_model *m, int segment)
{
    cab_vec3 from = m->place[m->segment[segment].a];
    return (cab_line){from, cab_vec3_sub(m->place[m->segment[segment].b], from)};
}

static double radii_of(const cab_model *m, const pair *p)
{
    return (double)m->segment[p->a].radius + (double)m->segment[p->b].radius;
}

static double thinner_of(const cab_model *m, const pair *p)
{
    return fmin((double)m->segment[p->a].radius, (double)m->segment[p->b].radius);
}

static double reach_of(const cab_model *m, int segment)
{
    cab_line axis = axis_of(m, segment);
    return cab_vec3_length(axis.span) / 2 + (double)m->segment[segment].radius;
}

static cab_vec3 middle_of(const cab_model *m, int segment)
{
    cab_line axis = axis_of(m, segment);
    return cab_line_point(&axis, 0.5);
}

static int by_cell(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    if (a->z != b->z) return a->z < b->z ? -1 : 1;
    return (a->segment > b->segment) - (a->segment < b->segment);
}

static int cell_of(double x, double cell)
{
    return (int)fmax(fmin(floor(x / cell), 1e9), -1e9);
}

/* The first entry that is not before this one. */
static int first_from(const search *s, entry from)
{
    int low = 0, high = s->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (by_cell(&s->entries[middle], &from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the pairs of a segment with those behind it in a column of cells: z - 1 to z + 1. */
static cab_status look_along(search *s, entry at, int x, int y, double skin, cab_error *error)
{
    const cab_model *m = s->model;
    cab_vec3 middle = middle_of(m, at.segment);
    double reach = reach_of(m, at.segment) + skin;
    for (int k = first_from(s, (entry){x, y, at.z - 1, -1}); k < s->count && s->looks > 0; k++, s->looks--) {
        const entry *other = &s->entries[k];
        if (other->x != x || other->y != y || other->z > at.z + 1) break;
        if (other->segment <= at.segment) continue;
        double apart = cab_vec3_distance(middle, middle_of(m, other->segment));
        if (apart > reach + reach_of(m, other->segment) ||
            !cab_model_may_touch(m, at.segment, other->segment))
            continue;
        cab_status status = CAB_ROOM(s->pairs, s->pair_room, s->pair_count + 1, error);
        if (status) return status;
        s->pairs[s->pair_count++] = (pair){at.segment, other->segment};
    }
    return CAB_OK;
}

/* All pairs that may touch and could overlap after some pushing: those nearer than the widest radius. */
static cab_status find_pairs(search *s, cab_error *error)
{
    const cab_model *m = s->model;
    double skin = 0, reach = 0;
    cab_status status = CAB_OK;
    for (int i = 0; i < s->count; i++) {
        skin = fmax(skin, (double)m->segment[i].radius);
        reach = fmax(reach, reach_of(m, i));
    }
    double cell = 2 * reach + skin;
    for (int i = 0; i < s->count; i++) {
        cab_vec3 at = middle_of(m, i);
        s->entries[i] = (entry){cell_of(at.x, cell), cell_of(at.y, cell), cell_of(at.z, cell), i};
    }
    qsort(s->entries, (size_t)s->count, sizeof *s->entries, by_cell);
    s->pair_count = 0;
    for (int i = 0; i < s->count && !status; i++)
        for (int column = 0; column < 9 && !status; column++)
            status = look_along(s, s->entries[i], s->entries[i].x + column / 3 - 1,
                                s->entries[i].y + column % 3 - 1, skin, error);
    return status;
}

/* From the one to the other; where their axes meet, across both. */
static cab_vec3 direction_of(const cab_line *p, const cab_line *q, const cab_approach *c, double radii)
{
    cab_vec3 between = cab_vec3_sub(cab_line_point(q, c->t), cab_line_point(p, c->s));
    if (c->distance > NO_DIRECTION * radii) return cab_vec3_unit(between);
    cab_vec3 u = cab_vec3_unit(p->span), across = cab_vec3_cross(u, cab_vec3_unit(q->span));
    if (cab_vec3_length(across) > NO_DIRECTION) return cab_vec3_unit(across);
    cab_vec3 side = fabs(u.z) < 0.9 ? (cab_vec3){0, 0, 1} : (cab_vec3){1, 0, 0};
    return cab_vec3_unit(cab_vec3_cross(u, side));
}

static void move(search *s, int particle, double by, cab_vec3 direction)
{
    if (s->fixed[particle]) return;
    s->model->place[particle] = cab_vec3_add_scaled(s->model->place[particle], by, direction);
    s->way[particle] = cab_vec3_add_scaled(s->way[particle], by, direction);
}

static void push(search *s, const pair *p)
{
    const cab_model *m = s->model;
    cab_line a = axis_of(m, p->a), b = axis_of(m, p->b);
    cab_approach c = cab_approach_of(&a, &b);
    double radii = radii_of(m, p), wanted = radii + MARGIN * thinner_of(m, p) - c.distance;
    if (wanted <= 0) return;
    int particle[4] = {m->segment[p->a].a, m->segment[p->a].b, m->segment[p->b].a, m->segment[p->b].b};
    double weight[4] = {-(1 - c.s), -c.s, 1 - c.t, c.t}, sum = 0;
    for (int k = 0; k < 4; k++) sum += s->fixed[particle[k]] ? 0 : weight[k] * weight[k];
    if (!(sum > 0)) return;
    cab_vec3 direction = direction_of(&a, &b, &c, radii);
    for (int k = 0; k < 4; k++) move(s, particle[k], wanted / sum * weight[k], direction);
}

/* Ends of a segment move along it until it has its length, each by half. */
static void keep_length(search *s, int segment)
{
    cab_model *m = s->model;
    int a = m->segment[segment].a, b = m->segment[segment].b;
    cab_vec3 between = cab_vec3_sub(m->place[b], m->place[a]);
    double length = cab_vec3_length(between), free_ends = (s->fixed[a] ? 0 : 1) + (s->fixed[b] ? 0 : 1);
    if (!(length > 0) || !(free_ends > 0)) return;
    double by = (length - (double)m->segment[segment].rest) / (free_ends * length);
    move(s, a, by, between);
    move(s, b, -by, between);
}

/* Each particle gives a share of its way for that of its neighbours' mean. */
static void share(search *s, double share)
{
    cab_model *m = s->model;
    for (int p = 0; p < m->particle_count; p++) {
        cab_vec3 sum = {0, 0, 0};
        int first = m->incident_start[p], end = m->incident_start[p + 1];
        for (int k = first; k < end; k++) {
            const cab_segment *segment = &m->segment[m->incident[k] >> 1];
            sum = cab_vec3_add(sum, s->way[segment->a == p ? segment->b : segment->a]);
        }
        s->mean[p] = end > first ? cab_vec3_scale(1.0 / (end - first), sum) : s->way[p];
    }
    for (int p = 0; p < m->particle_count; p++)
        if (!s->fixed[p]) move(s, p, share, cab_vec3_sub(s->mean[p], s->way[p]));
}

/* The deepest overlap, of the thinner radius. */
static double deepest_of(const search *s)
{
    double deepest = 0;
    for (int i = 0; i < s->pair_count; i++) {
        const pair *p = &s->pairs[i];
        cab_line a = axis_of(s->model, p->a), b = axis_of(s->model, p->b);
        double depth = radii_of(s->model, p) - cab_approach_of(&a, &b).distance;
        deepest = fmax(deepest, depth / thinner_of(s->model, p));
    }
    return deepest;
}

static void push_all(search *s)
{
    for (int round = 0; round < ROUNDS && s->looks > 0; round++) {
        s->looks -= s->pair_count;
        if (round < ROUNDS / 2) share(s, SHARED * (1 - 2.0 * round / ROUNDS));
        for (int i = 0; i < s->count; i++) keep_length(s, i);
        for (int i = 0; i < s->pair_count; i++) push(s, &s->pairs[i]);
    }
}

static cab_status take_turns(search *s, cab_error *error)
{
    double before = INFINITY;
    for (int turn = 0; turn < TURNS && s->looks > 0; turn++) {
        cab_status status = find_pairs(s, error);
        if (status) return status;
        double deepest = deepest_of(s);
        if (deepest < ENOUGH || deepest > LESS * before) return CAB_OK;
        before = deepest;
        push_all(s);
        status = cab_model_meet_lengths(s->model, error);
        if (status) return status;
    }
    return CAB_OK;
}

/* What is held stays where it is, and so does the place of a clip or a soft attachment. */
static void note_fixed(search *s)
{
    const cab_model *m = s->model;
    for (int p = 0; p < m->particle_count; p++) s->fixed[p] = m->held[p] >= 0 || !(m->mass[p] > 0);
    for (int i = 0; i < m->attachment_count; i++)
        if (!m->attachments[i].joint) s->fixed[m->node_particle[m->attachments[i].node]] = true;
}

cab_status cab_model_part_overlaps(cab_model *model, cab_error *error)
{
    search s = {.model = model};
    for (int b = 0; b < model->cable_count; b++) s.count += model->bodies[b].segment_count;
    cab_status status = CAB_NEW(s.entries, s.count, error);
    if (!status) status = CAB_NEW(s.fixed, model->particle_count, error);
    if (!status) status = CAB_NEW(s.way, model->particle_count, error);
    if (!status) status = CAB_NEW(s.mean, model->particle_count, error);
    if (!status) note_fixed(&s);
    s.looks = LOOKS * s.count + 1e5;
    if (!status) status = take_turns(&s, error);
    CAB_FREE(s.entries, s.fixed, s.way, s.mean, s.pairs);
    return status;
}

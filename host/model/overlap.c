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
#include "model/near_pairs.h"

#define TURNS 40    /* of pushing, and of lengths, at most, and as long as */
#define LESS 0.95   /* no more than this of the deepest overlap is left by each: else there is no room */
#define ROUNDS 60   /* of pushing in each of them */
#define SHARED 0.5  /* of a particle's way, with its neighbours, in the first round */
#define MARGIN 0.02 /* of the thinner radius: pushed further than it takes, since lengths take some back */
#define ENOUGH 1e-3 /* of the thinner radius: an overlap that is left */
#define LOOKS                                                                                                \
    4000.0 /* at pairs, of each segment at most: where nearly all overlap, as with an absurd radius, it is not worth more */
#define NO_DIRECTION 1e-6 /* of the radii's sum: axes that are closer do not tell which way to go */

typedef struct search {
    cab_model *model;
    cab_near_pairs near; /* that could overlap in this turn */
    bool *fixed;         /* [particles] */
    cab_vec3 *way;       /* [particles] how far it has been moved, m */
    cab_vec3 *mean;      /* [particles] of its neighbours' ways */
} search;

static cab_line axis_of(const cab_model *m, int segment)
{
    cab_vec3 from = m->place[m->segment[segment].a];
    return (cab_line){from, cab_vec3_sub(m->place[m->segment[segment].b], from)};
}

static double radii_of(const cab_model *m, const cab_near_pair *p)
{
    return (double)m->segment[p->a].radius + (double)m->segment[p->b].radius;
}

static double thinner_of(const cab_model *m, const cab_near_pair *p)
{
    return fmin((double)m->segment[p->a].radius, (double)m->segment[p->b].radius);
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

static void push(search *s, const cab_near_pair *p)
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
    for (int i = 0; i < s->near.pair_count; i++) {
        const cab_near_pair *p = &s->near.pair[i];
        cab_line a = axis_of(s->model, p->a), b = axis_of(s->model, p->b);
        double depth = radii_of(s->model, p) - cab_approach_of(&a, &b).distance;
        deepest = fmax(deepest, depth / thinner_of(s->model, p));
    }
    return deepest;
}

static void push_all(search *s)
{
    for (int round = 0; round < ROUNDS && s->near.looks > 0; round++) {
        s->near.looks -= s->near.pair_count;
        if (round < ROUNDS / 2) share(s, SHARED * (1 - 2.0 * round / ROUNDS));
        for (int i = 0; i < s->near.count; i++) keep_length(s, i);
        for (int i = 0; i < s->near.pair_count; i++) push(s, &s->near.pair[i]);
    }
}

static cab_status take_turns(search *s, cab_error *error)
{
    double before = INFINITY, widest = 0; /* nothing is pushed further in a turn */
    for (int i = 0; i < s->near.count; i++) widest = fmax(widest, (double)s->model->segment[i].radius);
    for (int turn = 0; turn < TURNS && s->near.looks > 0; turn++) {
        cab_status status = cab_near_pairs_find(&s->near, s->model->place, widest, error);
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
    for (int p = 0; p < m->particle_count; p++)
        s->fixed[p] = m->held[p] >= 0 || m->rigid_of[p] >= 0 || !(m->mass[p] > 0);
    for (int i = 0; i < m->attachment_count; i++)
        if (!m->attachments[i].joint) s->fixed[m->node_particle[m->attachments[i].node]] = true;
}

cab_status cab_model_part_overlaps(cab_model *model, cab_error *error)
{
    search s = {.model = model};
    cab_status status = cab_near_pairs_start(&s.near, model, error);
    if (!status) status = CAB_NEW(s.fixed, model->particle_count, error);
    if (!status) status = CAB_NEW(s.way, model->particle_count, error);
    if (!status) status = CAB_NEW(s.mean, model->particle_count, error);
    if (!status) note_fixed(&s);
    s.near.looks = LOOKS * s.near.count + 1e5;
    if (!status) status = take_turns(&s, error);
    cab_near_pairs_end(&s.near);
    CAB_FREE(s.fixed, s.way, s.mean);
    return status;
}

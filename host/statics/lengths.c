/* Lengths of a static problem: segments, double distances, ties. The tension is a multiplier: after a step dx it is k (C + e T + dC), with
 * C = |x_b - x_a| - rest, 1/k = compliance + e. That is Newton's method for [H J^T; J -compliance] with the tension eliminated, where e
 * is so small that it costs a few steps only. */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "statics/parts.h"

#define OFF_MOST 1e-3  /* of its length, that a one-sided length may be off by, */
#define OFF_LEAST 1e-5 /* m, and at least */

static void add(cab_statics *s, const cab_distance_constraint *d, int distance, double compliance,
                cab_length_kind kind)
{
    if (!s->free[d->a] && !s->free[d->b]) return;
    s->length[s->length_count++] = (cab_rest_length){.a = d->a,
                                                     .b = d->b,
                                                     .rest = (double)d->rest,
                                                     .compliance = compliance,
                                                     .kind = kind,
                                                     .distance = distance};
}

cab_status cab_statics_add_lengths(cab_statics *s, cab_error *error)
{
    const cab_model *m = s->model;
    cab_status status = CAB_NEW(s->length, m->distance_count + m->tie_count, error);
    if (status != CAB_OK) return status;
    for (int i = 0; i < m->distance_count; i++) {
        cab_length_kind kind = i < m->segment_count ? m->settings.length_kind : m->settings.doubles.kind;
        add(s, &m->distance[i], i, cab_model_distance_compliance(m, i), kind);
    }
    for (int i = 0; i < m->tie_count; i++) add(s, &m->tie[i], -1, 0, CAB_LENGTH_AT_MOST);
    return CAB_OK;
}

/* What may be longer or shorter at no force. It is a spring that takes its force as a multiplier once all is balanced, as contact is. */
static bool is_one_sided(const cab_rest_length *l)
{
    return l->kind != CAB_LENGTH_EQUAL;
}

static double as_its_kind(const cab_rest_length *l, double pull)
{
    return l->kind == CAB_LENGTH_AT_MOST ? fmax(pull, 0) : fmin(pull, 0);
}

static double stiffness_of(const cab_statics *s, const cab_rest_length *l)
{
    if (!is_one_sided(l)) return 1 / (l->compliance + l->softness);
    return l->compliance * s->gentle > 1 ? 1 / l->compliance : s->gentle;
}

/* Its tension after a step in which it does not change. */
static double tension(const cab_statics *s, const cab_rest_length *l, double length)
{
    double stretch = length - l->rest;
    if (is_one_sided(l)) return as_its_kind(l, l->known + stiffness_of(s, l) * stretch);
    return (stretch + l->softness * l->pull) / (l->compliance + l->softness);
}

cab_term *cab_lengths_act(const cab_statics *s, cab_term *term)
{
    for (int i = 0; i < s->length_count; i++, term++) {
        cab_rest_length *l = &s->length[i];
        cab_vec3 d = cab_vec3_sub(s->x[l->b], s->x[l->a]), u = cab_vec3_unit(d);
        double length = cab_vec3_length(d), pull = tension(s, l, length);
        *term = (cab_term){.at = {{l->a, l->b}, {-1, 1}, 2}};
        if (is_one_sided(l)) l->pull = pull;
        term->resting = cab_vec3_scale(-l->pull, u);
        if (is_one_sided(l) && pull == 0) continue;
        term->force = cab_vec3_scale(-pull, u);
        if (!(length > 0)) continue;
        term->stiffness = cab_mat3_along(u, stiffness_of(s, l), fmax(l->pull, 0) / length);
        term->loss = cab_mat3_along(u, 0, fmin(l->pull, 0) / length);
    }
    return term;
}

void cab_lengths_follow(cab_statics *s, int index, cab_vec3 along, double share)
{
    cab_rest_length *l = &s->length[index];
    if (is_one_sided(l)) return;
    cab_vec3 d = cab_vec3_sub(s->x[l->b], s->x[l->a]);
    double pull = tension(s, l, cab_vec3_length(d) + cab_vec3_dot(cab_vec3_unit(d), along));
    l->pull += share * (pull - l->pull);
}

void cab_lengths_learn(const cab_statics *s, const cab_island *own, bool *met)
{
    for (int pass = 0; pass < 2; pass++) /* what has to learn is found first */
        for (int k = own->first_term; k < own->first_term + own->steady_count; k++) {
            if (s->island_term[k] >= s->length_count) continue;
            cab_rest_length *l = &s->length[s->island_term[k]];
            double length = cab_vec3_distance(s->x[l->a], s->x[l->b]);
            double over = l->kind == CAB_LENGTH_AT_MOST ? length - l->rest : l->rest - length;
            if (!is_one_sided(l) || l->compliance * s->gentle > 1) continue;
            if (over > fmax(OFF_MOST * l->rest, OFF_LEAST)) *met = false;
            if (pass == 1 && !*met) l->known = l->pull;
        }
}

void cab_lengths_tell(const cab_statics *s, double *tension)
{
    for (int i = 0; i < s->length_count; i++)
        if (s->length[i].distance >= 0) tension[s->length[i].distance] = s->length[i].pull;
}

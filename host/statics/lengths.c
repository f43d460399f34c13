/* Lengths of a static problem: segments, double distances, ties. The tension is a multiplier: after a step dx it is k (C + e T + dC), with
 * C = |x_b - x_a| - rest, 1/k = compliance + e. That is Newton's method for [H J^T; J -compliance] with the tension eliminated, where e
 * is so small that it costs a few steps only. */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "statics/parts.h"

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

/* Its tension after a step in which it does not change. */
static double tension(const cab_rest_length *l, double length)
{
    return (length - l->rest + l->softness * l->pull) / (l->compliance + l->softness);
}

static double as_its_kind(const cab_rest_length *l, double pull)
{
    if (l->kind == CAB_LENGTH_AT_MOST) return fmax(pull, 0);
    if (l->kind == CAB_LENGTH_AT_LEAST) return fmin(pull, 0);
    return pull;
}

cab_term *cab_lengths_act(const cab_statics *s, cab_term *term)
{
    for (int i = 0; i < s->length_count; i++, term++) {
        const cab_rest_length *l = &s->length[i];
        cab_vec3 d = cab_vec3_sub(s->x[l->b], s->x[l->a]), u = cab_vec3_unit(d);
        double length = cab_vec3_length(d), pull = tension(l, length),
               stiffness = 1 / (l->compliance + l->softness);
        *term = (cab_term){.at = {{l->a, l->b}, {-1, 1}, 2}};
        term->resting = cab_vec3_scale(-l->pull, u);
        if (as_its_kind(l, pull) == 0 && l->kind != CAB_LENGTH_EQUAL) continue;
        term->force = cab_vec3_scale(-pull, u);
        if (!(length > 0)) continue;
        term->stiffness = cab_mat3_along(u, stiffness, fmax(l->pull, 0) / length);
        term->loss = cab_mat3_along(u, 0, fmin(l->pull, 0) / length);
    }
    return term;
}

void cab_lengths_follow(cab_statics *s, int index, cab_vec3 along, double share)
{
    cab_rest_length *l = &s->length[index];
    cab_vec3 d = cab_vec3_sub(s->x[l->b], s->x[l->a]);
    double pull = tension(l, cab_vec3_length(d) + cab_vec3_dot(cab_vec3_unit(d), along));
    l->pull += share * (as_its_kind(l, pull) - l->pull);
}

void cab_lengths_tell(const cab_statics *s, double *tension)
{
    for (int i = 0; i < s->length_count; i++)
        if (s->length[i].distance >= 0) tension[s->length[i].distance] = s->length[i].pull;
}

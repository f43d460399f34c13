/* Twist of a static problem: energy (Phi + roll)^2 / (2 sum(l/GJ)) of each run between clamps, with Phi and what it changes by as in
 * kernels/twist.h. Forces are exact. Of the second derivative steps know what the moment M does in a straight rod: there the segments e and f
 * about a particle add M e . (t x f) / (l_e l_f (1 + u_e . u_f)) to the energy, with t the mean of their unit tangents u (Bergou et al., Discrete
 * viscous threads, 2010). How M itself follows the places, and what it does by the curvature, would save a fifth of the steps
 * (docs/design.md). */
#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "kernels/twist.h"
#include "statics/parts.h"

#define FOLD ((double)CAB_TWIST_FOLD)
/* rad, that an angle goes in a step: half a turn is known from half a turn back, and steps are not linear. */
#define FARTHEST 1.5

static const cab_twist_run *run_of(const cab_statics *s, const cab_rest_twist *t)
{
    return &s->model->twist_run[t - s->twist];
}

static const cab_twist_link *links_of(const cab_statics *s, const cab_rest_twist *t)
{
    return &s->model->twist_link[run_of(s, t)->first];
}

cab_status cab_statics_add_twists(cab_statics *s, cab_error *error)
{
    const cab_model *m = s->model;
    cab_status status = CAB_NEW(s->twist, m->twist_run_count, error);
    if (status == CAB_OK) status = CAB_NEW(s->twist_way, m->twist_link_count, error);
    if (status == CAB_OK) s->twist_count = m->twist_run_count;
    for (int i = 0; i < s->twist_count; i++) s->twist[i].way = s->twist_way + m->twist_run[i].first;
    return status;
}

/* A term for each segment, and for each two that meet. */
int cab_twists_count(const cab_statics *s)
{
    int count = 0;
    for (int i = 0; i < s->twist_count; i++) count += 2 * s->model->twist_run[i].count - 1;
    return count;
}

static cab_vec3 tangent(const cab_statics *s, const cab_twist_link *link)
{
    return cab_vec3_scale((double)link->inverse, cab_vec3_sub(s->x[link->b], s->x[link->a]));
}

/* Carries a director from the tangent a to b. Returns 2 a x b / |a + b|^2. */
static cab_vec3 carry(cab_vec3 *director, cab_vec3 a, cab_vec3 b)
{
    cab_vec3 sum = cab_vec3_add(a, b);
    double scale = 2 / fmax(cab_vec3_dot(sum, sum), FOLD);
    *director = cab_vec3_add_scaled(*director, -scale * cab_vec3_dot(sum, *director), sum);
    return cab_vec3_scale(scale, cab_vec3_cross(a, b));
}

/* The angle, which has gone no further than half a turn since the last step, what it changes by, and the moment. */
static void measure(const cab_statics *s, cab_rest_twist *t)
{
    const cab_twist_run *run = run_of(s, t);
    const cab_twist_link *link = links_of(s, t);
    const cab_rest_ends *ends = &s->setup.twist[t - s->twist];
    cab_vec3 before = ends->start, director = ends->start_director, last = {0, 0, 0};
    for (int k = 0; k <= run->count; k++) {
        cab_vec3 now = k < run->count ? tangent(s, &link[k]) : ends->end;
        cab_vec3 kink = carry(&director, before, now);
        if (k > 0) t->way[k - 1] = cab_vec3_scale((double)link[k - 1].inverse, cab_vec3_add(last, kink));
        last = kink;
        before = now;
    }
    cab_vec3 sine = cab_vec3_cross(director, ends->end_director);
    double angle = atan2(cab_vec3_dot(sine, ends->end), cab_vec3_dot(director, ends->end_director));
    double *turned = &s->turned[t - s->twist];
    *turned += remainder(angle - *turned, 2 * acos(-1));
    t->moment = (double)run->stiffness * (*turned + ends->roll);
}

/* What two segments that meet do to each other. */
static cab_term meeting(const cab_statics *s, const cab_rest_twist *t, const cab_twist_link *link)
{
    cab_vec3 a = tangent(s, &link[0]), b = tangent(s, &link[1]), sum = cab_vec3_add(a, b);
    double scale = t->moment * (double)link[0].inverse * (double)link[1].inverse;
    cab_term term = {
        .at = {{link[0].a, link[0].b, link[1].b}, {-1, 1, 0}, 3}, .second = {0, -1, 1}, .twists = true};
    term.turns = cab_vec3_scale(scale / fmax(cab_vec3_dot(sum, sum), FOLD), sum);
    return term;
}

cab_term *cab_twists_act(const cab_statics *s, cab_term *term)
{
    for (int i = 0; i < s->twist_count; i++) {
        cab_rest_twist *t = &s->twist[i];
        const cab_twist_link *link = links_of(s, t);
        measure(s, t);
        for (int k = 0; k < run_of(s, t)->count; k++) {
            *term = (cab_term){.at = {{link[k].a, link[k].b}, {-1, 1}, 2}, .twists = true};
            term->force = term->resting = cab_vec3_scale(-t->moment, t->way[k]);
            term++;
            if (k > 0) *term++ = meeting(s, t, &link[k - 1]);
        }
    }
    return term;
}

/* How far a run's angle goes in the steps of its islands, by how it changes now. */
static double goes(const cab_statics *s, const cab_rest_twist *t)
{
    const cab_twist_link *link = links_of(s, t);
    double sum = 0;
    for (int k = 0; k < run_of(s, t)->count; k++)
        for (int end = 0; end < 2; end++) {
            int p = end ? link[k].b : link[k].a;
            const cab_island *own = s->free[p] ? &s->island[s->island_of[p]] : NULL;
            if (!own || own->at_rest) continue;
            double along = cab_vec3_dot(t->way[k], own->move[s->local[p]]);
            sum += own->share * (end ? along : -along);
        }
    return sum;
}

void cab_twists_limit(const cab_statics *s)
{
    for (int i = 0; i < s->twist_count; i++) {
        const cab_twist_link *link = links_of(s, &s->twist[i]);
        double far = fabs(goes(s, &s->twist[i]));
        if (!(far > FARTHEST)) continue;
        for (int k = 0, last = -1; k < run_of(s, &s->twist[i])->count; k++) {
            int own = s->free[link[k].b] ? s->island_of[link[k].b] : -1;
            if (own >= 0 && own != last) s->island[own].share *= FARTHEST / far;
            last = own;
        }
    }
}

void cab_twists_tell(const cab_statics *s, cab_vec3 *pull)
{
    for (int i = 0; i < s->twist_count; i++) {
        cab_rest_twist *t = &s->twist[i];
        measure(s, t);
        for (int k = 0; k < run_of(s, t)->count; k++)
            pull[run_of(s, t)->first + k] = cab_vec3_scale(-t->moment, t->way[k]);
    }
}

void cab_twists_free(cab_statics *s)
{
    CAB_FREE(s->twist, s->twist_way);
}

/* Twist of a static problem: energy (Phi + roll)^2 / (2 sum(l/GJ)) of each run between clamps, with Phi and what it changes by as in
 * kernels/twist.h. Its second derivative has two parts. By the moment alone, with e and f what
 * the directions of the segments about a particle change by, k = 2 kb their curvature there, u_e and u_f unit tangents and t = (u_e + u_f) /
 * (1 + u_e . u_f), it is M (e . (t x f) - (e + f) . k t . (e + f) / 2) (Bergou et al., Discrete viscous threads, 2010, without what only
 * stretches segments). That of the angle, g g^T / sum(l/GJ) with g what Phi changes by, joins all particles of a run: it is not in
 * the matrix but added to its inverse (Sherman and Morrison, "Adjustment of an inverse matrix", 1950). */
#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "statics/parts.h"

#define FOLD 0.2 /* as CAB_TWIST_FOLD */

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

/* a b^T + b a^T */
static cab_mat3 both_ways(cab_vec3 a, cab_vec3 b)
{
    const double u[3] = {a.x, a.y, a.z}, v[3] = {b.x, b.y, b.z};
    cab_mat3 sum;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum.m[i][j] = u[i] * v[j] + v[i] * u[j];
    return sum;
}

/* What two segments that meet do to each other: M e [t]x f - M/4 (e + f) (k t^T + t k^T) (e + f). */
static cab_term meeting(const cab_statics *s, const cab_rest_twist *t, const cab_twist_link *link)
{
    cab_vec3 a = tangent(s, &link[0]), b = tangent(s, &link[1]), sum = cab_vec3_add(a, b);
    double ga = (double)link[0].inverse, gb = (double)link[1].inverse;
    double scale = 2 / fmax(cab_vec3_dot(sum, sum), FOLD);
    cab_term term = {.at = {{link[0].a, link[0].b, link[1].b}, {-ga, ga - gb, gb}, 3},
                     .second = {0, -gb, gb}};
    term.turns = cab_vec3_scale(0.5 * scale * t->moment, sum);
    cab_mat3 bends = both_ways(cab_vec3_scale(2 * scale, cab_vec3_cross(a, b)), cab_vec3_scale(scale, sum));
    cab_mat3_add(&term.loss, -0.25 * t->moment, &bends);
    return term;
}

cab_term *cab_twists_act(const cab_statics *s, cab_term *term)
{
    for (int i = 0; i < s->twist_count; i++) {
        cab_rest_twist *t = &s->twist[i];
        const cab_twist_link *link = links_of(s, t);
        measure(s, t);
        for (int k = 0; k < run_of(s, t)->count; k++) {
            *term = (cab_term){.at = {{link[k].a, link[k].b}, {-1, 1}, 2}};
            term->force = term->resting = cab_vec3_scale(-t->moment, t->way[k]);
            term++;
            if (k > 0) *term++ = meeting(s, t, &link[k - 1]);
        }
    }
    return term;
}

/* The island of a run, -1 where none of its particles is free. */
static int island_of(const cab_statics *s, const cab_rest_twist *t)
{
    const cab_twist_link *link = links_of(s, t);
    for (int k = 0; k < run_of(s, t)->count; k++)
        if (s->free[link[k].b]) return s->island_of[link[k].b];
    return -1;
}

cab_status cab_twists_share(cab_statics *s, cab_error *error)
{
    size_t room = 0;
    for (int i = 0; i < s->island_count; i++) s->island[i].twist = -1;
    for (int i = s->twist_count - 1; i >= 0; i--) {
        int own = island_of(s, &s->twist[i]);
        if (own < 0) continue;
        s->twist[i].next = s->island[own].twist;
        s->island[own].twist = i;
        room += (size_t)s->island[own].particle_count;
    }
    CAB_FREE(s->twist_answer);
    s->twist_answer = NULL;
    cab_status status = CAB_NEW(s->twist_answer, room, error);
    cab_vec3 *answer = s->twist_answer;
    for (int i = 0; status == CAB_OK && i < s->island_count; i++)
        for (int k = s->island[i].twist; k >= 0; k = s->twist[k].next, answer += s->island[i].particle_count)
            s->twist[k].answer = answer;
    return status;
}

static double product(const cab_island *own, const cab_vec3 *a, const cab_vec3 *b)
{
    double sum = 0;
    for (int i = 0; i < own->particle_count; i++) sum += cab_vec3_dot(a[i], b[i]);
    return sum;
}

/* As cab_twists_solve(), with the island's runs before `end` in the matrix. */
static void solve(const cab_statics *s, const cab_island *own, int end, cab_vec3 *x)
{
    for (int k = own->twist; k != end; k = s->twist[k].next)
        s->twist[k].part = s->twist[k].share * product(own, s->twist[k].answer, x);
    cab_blocks_solve(own->matrix, x);
    for (int k = own->twist; k != end; k = s->twist[k].next)
        for (int i = 0; i < own->particle_count; i++)
            x[i] = cab_vec3_add_scaled(x[i], -s->twist[k].part, s->twist[k].answer[i]);
}

/* g, by the island's particles */
static void list_ways(const cab_statics *s, const cab_island *own, const cab_rest_twist *t, cab_vec3 *g)
{
    const cab_twist_link *link = links_of(s, t);
    for (int i = 0; i < own->particle_count; i++) g[i] = (cab_vec3){0, 0, 0};
    for (int k = 0; k < run_of(s, t)->count; k++) {
        int a = link[k].a, b = link[k].b;
        if (s->free[a]) g[s->local[a]] = cab_vec3_sub(g[s->local[a]], t->way[k]);
        if (s->free[b]) g[s->local[b]] = cab_vec3_add(g[s->local[b]], t->way[k]);
    }
}

/* g . z of a run, with z its answer */
static double follows(const cab_statics *s, const cab_rest_twist *t)
{
    const cab_twist_link *link = links_of(s, t);
    double sum = 0;
    for (int k = 0; k < run_of(s, t)->count; k++) {
        int a = link[k].a, b = link[k].b;
        if (s->free[a]) sum -= cab_vec3_dot(t->way[k], t->answer[s->local[a]]);
        if (s->free[b]) sum += cab_vec3_dot(t->way[k], t->answer[s->local[b]]);
    }
    return sum;
}

void cab_twists_factor(const cab_statics *s, const cab_island *own)
{
    for (int k = own->twist; k >= 0; k = s->twist[k].next) {
        cab_rest_twist *t = &s->twist[k];
        double stiffness = (double)run_of(s, t)->stiffness;
        list_ways(s, own, t, t->answer);
        solve(s, own, k, t->answer);
        t->share = stiffness / (1 + stiffness * follows(s, t));
    }
}

void cab_twists_solve(const cab_statics *s, const cab_island *own, cab_vec3 *x)
{
    solve(s, own, -1, x);
}

void cab_twists_tell(const cab_statics *s, cab_vec3 *pull)
{
    for (int p = 0; p < s->count; p++) pull[p] = (cab_vec3){0, 0, 0};
    for (int i = 0; i < s->twist_count; i++) {
        cab_rest_twist *t = &s->twist[i];
        const cab_twist_link *link = links_of(s, t);
        measure(s, t);
        for (int k = 0; k < run_of(s, t)->count; k++) {
            pull[link[k].a] = cab_vec3_add_scaled(pull[link[k].a], t->moment, t->way[k]);
            pull[link[k].b] = cab_vec3_add_scaled(pull[link[k].b], -t->moment, t->way[k]);
        }
    }
}

void cab_twists_free(cab_statics *s)
{
    CAB_FREE(s->twist, s->twist_way, s->twist_answer);
}

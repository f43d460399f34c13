/* Bending of a static problem: energy |D - target|^2 / (2 alpha), see cab_solve_bending(). What is curved at rest has the target nearest to D, so
 * its energy is (|D| - rest)^2 / (2 alpha). */
#include <math.h>

#include "base/vec3.h"
#include "statics/parts.h"

/* N m^2 per m. */
static double stiffness_of(const cab_model *m, int bending)
{
    double h = cab_model_substep_of(m, m->bending[bending].b);
    bool rigid = cab_model_bending_is_rigid(m, bending);
    double compliance = rigid ? cab_model_hard_clamp(m, bending) : (double)m->bending[bending].compliance;
    return compliance > 0 ? 1 / (compliance * h * h) : 0;
}

static cab_point stencil_of(const cab_bending_constraint *b)
{
    cab_point at = {.count = 0};
    const int particle[3] = {b->a, b->b, b->c};
    const double weight[3] = {b->a >= 0 ? (double)b->ga : 0,
                              -((b->a >= 0 ? (double)b->ga : 0) + (b->c >= 0 ? (double)b->gc : 0)),
                              b->c >= 0 ? (double)b->gc : 0};
    for (int i = 0; i < 3; i++) {
        if (particle[i] < 0) continue;
        at.particle[at.count] = particle[i];
        at.weight[at.count++] = weight[i];
    }
    return at;
}

/* What it wants D to be. */
static cab_vec3 target_of(const cab_model *m, const cab_bending_constraint *b, cab_vec3 d)
{
    if (b->rest > 0) return cab_vec3_scale((double)b->rest, cab_vec3_unit(d));
    if (b->target < 0) return (cab_vec3){0, 0, 0};
    const float4 *t = &m->bending_target[b->target];
    return (cab_vec3){(double)t->x, (double)t->y, (double)t->z};
}

cab_term *cab_bends_act(const cab_statics *s, cab_term *term)
{
    const cab_model *m = s->model;
    for (int i = 0; i < m->bending_count; i++, term++) {
        const cab_bending_constraint *b = &m->bending[i];
        double k = stiffness_of(m, i), rest = (double)b->rest;
        *term = (cab_term){.at = stencil_of(b)};
        cab_vec3 d = cab_point_of(&term->at, s->x), u = cab_vec3_unit(d), target = target_of(m, b, d);
        double length = cab_vec3_length(d);
        term->force = cab_vec3_scale(-k, cab_vec3_sub(d, target));
        term->resting = term->force;
        double across = rest > 0 && length > 0 ? k * (1 - rest / length) : k;
        term->stiffness = cab_mat3_along(u, k, fmax(across, 0));
        term->loss = cab_mat3_along(u, 0, fmin(across, 0));
    }
    return term;
}

cab_vec3 cab_statics_bend_force(const cab_model *model, int bending, const cab_vec3 *x)
{
    const cab_bending_constraint *b = &model->bending[bending];
    cab_point at = stencil_of(b);
    cab_vec3 d = cab_point_of(&at, x);
    return cab_vec3_scale(-stiffness_of(model, bending), cab_vec3_sub(d, target_of(model, b, d)));
}

double cab_bends_hardest(const cab_statics *s)
{
    const cab_model *m = s->model;
    double hardest = 0;
    for (int i = 0; i < m->bending_count; i++) {
        double g = (double)m->bending[i].ga + (double)m->bending[i].gc;
        if (!cab_model_bending_is_rigid(m, i)) hardest = fmax(hardest, stiffness_of(m, i) * g * g);
    }
    return hardest;
}

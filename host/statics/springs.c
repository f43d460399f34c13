/* Soft attachments and clips of a static problem: springs from a particle to a place. That of a clip slides along its axis where friction lets
 * it, and pulls across it outside of its play only; see kernels/soft.cl. */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/scene.h"
#include "statics/parts.h"

#define FREE 1e-6 /* of its stiffness, where a clip slides or plays: steps stay finite */
#define BRAKED 8.0
#define LET_GO 0.5
#define AT_LIMIT (1 - 1e-9) /* of the friction: what has slid is at its limit but for rounding */

static const cab_attachment_def *def_of(const cab_statics *s, const cab_rest_spring *p)
{
    return cab_model_attachment_def(s->model, p->attachment);
}

static bool is_clip(const cab_statics *s, const cab_rest_spring *p)
{
    return def_of(s, p)->part == CAB_PART_CLIP;
}

cab_status cab_statics_add_springs(cab_statics *s, cab_error *error)
{
    const cab_model *m = s->model;
    cab_status status = CAB_NEW(s->spring, m->particle_count, error);
    for (int i = 0; status == CAB_OK && i < m->particle_count; i++) {
        int a = m->soft[i];
        if (a < 0 || !s->free[i] || cab_model_is_free(m, a)) continue;
        cab_rest_spring p = {.particle = i,
                             .attachment = a,
                             .stiffness = cab_model_spring(m, i),
                             .to = m->attachments[a].place,
                             .brake = 1};
        p.slid = s->slid[a];
        s->spring[s->spring_count++] = p;
    }
    return status;
}

/* From the spring's place to its particle: along the axis, and across. */
static cab_vec3 off(const cab_statics *s, const cab_rest_spring *p, double *along)
{
    cab_vec3 d = cab_vec3_sub(s->x[p->particle], p->to), axis = s->model->attachments[p->attachment].axis;
    *along = cab_vec3_dot(d, axis);
    return cab_vec3_add_scaled(d, -*along, axis);
}

/* The constant part of a clip's friction, and what presses at it, as lengths of its spring, m. */
static double held_along(const cab_attachment_def *def, double across)
{
    return def->grip * def->compliance + def->friction * fmax(0, across - def->play);
}

static bool at_end(const cab_attachment_def *def, const cab_rest_spring *p)
{
    return fabs(p->slid) >= def->travel;
}

/* What slides has the force of its friction, whatever it slides; the rest is a spring. */
static void clip_acts(const cab_statics *s, const cab_rest_spring *p, cab_term *term)
{
    const cab_attachment_def *def = def_of(s, p);
    double along;
    cab_vec3 axis = s->model->attachments[p->attachment].axis, across = off(s, p, &along);
    double far = cab_vec3_length(across), stretch = along - p->slid, hold = held_along(def, far);
    bool slides = fabs(stretch) >= hold * AT_LIMIT && !at_end(def, p);
    if (slides) stretch = copysign(hold, stretch);
    across = cab_vec3_scale(far > def->play ? 1 - def->play / far : 0, across);
    term->force = cab_vec3_scale(-p->stiffness, cab_vec3_add_scaled(across, stretch, axis));
    term->stiffness = cab_mat3_along(axis, slides ? p->brake * p->stiffness : p->stiffness,
                                     far > def->play ? p->stiffness : FREE * p->stiffness);
}

cab_term *cab_springs_act(const cab_statics *s, cab_term *term)
{
    for (int i = 0; i < s->spring_count; i++, term++) {
        const cab_rest_spring *p = &s->spring[i];
        *term = (cab_term){.at = {{p->particle}, {1}, 1}};
        if (is_clip(s, p)) {
            clip_acts(s, p, term);
        } else {
            term->force = cab_vec3_scale(-p->stiffness, cab_vec3_sub(s->x[p->particle], p->to));
            term->stiffness = cab_mat3_along((cab_vec3){0, 0, 0}, 0, p->stiffness);
        }
        term->resting = term->force;
    }
    return term;
}

/* What goes to and fro is braked, until it comes to where friction holds it; what slides on is let go. */
static void brake(cab_rest_spring *p, double slip)
{
    if (slip == 0) return;
    p->brake = slip * p->slip < 0 ? fmin(1, p->brake * BRAKED) : fmax(FREE, p->brake * LET_GO);
    p->slip = slip;
}

void cab_springs_slide(cab_statics *s)
{
    for (int i = 0; i < s->spring_count; i++) {
        cab_rest_spring *p = &s->spring[i];
        const cab_attachment_def *def = def_of(s, p);
        if (!is_clip(s, p)) continue;
        double along;
        cab_vec3 across = off(s, p, &along);
        double hold = held_along(def, cab_vec3_length(across));
        double before = p->slid;
        p->slid = fmax(along - hold, fmin(along + hold, p->slid));
        p->slid = fmax(-def->travel, fmin(def->travel, p->slid));
        brake(p, p->slid - before);
        s->slid[p->attachment] = p->slid;
    }
}

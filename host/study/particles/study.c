/* Particles under Lagrange multipliers as a study: opened, stepped, pulled. */
#include "study/particles/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/array.h"

#define HOLD_RATE 90.0 /* 1/s^2: stiffness of the user's spring for each kg of all particles */
#define HOLD_LIMIT 0.2 /* of mass / step^2 of what is held: explicit integrators diverge from 1 to 4 on */

typedef cab_particles_study_state state;

static void close(cab_study *study)
{
    state *s = (state *)study;
    cab_particles_destroy(s->particles);
    cab_particles_scene_free(&s->scene);
    CAB_FREE((void *)s->system.constraints, (void *)s->system.forces, s->start, s->x, s->v, s);
}

static cab_status check_def(const cab_study_def *def, cab_error *error)
{
    if (def->iterations)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "particles: --iterations is for cables; see docs/methods/particles.md");
    if (def->compare) return cab_fail(error, CAB_ERROR_INPUT, "particles: --compare is for planar scenes");
    return CAB_OK;
}

static void apply(const cab_study_def *def, state *s)
{
    cab_particles_scene *scene = &s->scene;
    if (def->substeps) scene->steps = (int)def->substeps;
    if (def->duration > 0) scene->duration = def->duration;
    scene->system.settings.step = 1 / (scene->frame_rate * scene->steps);
    s->base.rate = scene->frame_rate;
    s->base.frames = cab_study_frame_count(def, scene->duration, scene->frame_rate);
}

/* A copy, with room for one more so that none is empty. */
static void *copy_of(const void *list, int count, size_t size)
{
    void *copy = calloc((size_t)count + 1, size);
    if (copy && count) memcpy(copy, list, (size_t)count * size);
    return copy;
}

/* What is changed while it runs are copies: the scene stays what it was. */
static cab_status make_lists(state *s, cab_error *error)
{
    const cab_particles_def *from = &s->scene.system;
    size_t count = (size_t)from->particle_count + 1;
    s->system = *from;
    s->system.constraints = copy_of(from->constraints, from->constraint_count, sizeof *from->constraints);
    s->system.forces = copy_of(from->forces, from->force_count, sizeof *from->forces);
    s->start = copy_of(from->particles, from->particle_count, sizeof *from->particles);
    s->x = calloc(count, sizeof *s->x);
    s->v = calloc(count, sizeof *s->v);
    bool made = s->system.constraints && s->system.forces && s->start && s->x && s->v;
    return made ? CAB_OK : cab_fail_memory(error, "particles", count * sizeof *s->x);
}

static cab_status load(const cab_study_def *def, cab_study **study, cab_error *error)
{
    cab_status status = check_def(def, error);
    if (status) return status;
    state *s = cab_study_create(&cab_particles_study, def, sizeof *s, error);
    if (!s) return CAB_ERROR_MEMORY;
    status = cab_particles_scene_load(def->path, def->overrides, def->override_count, &s->scene, error);
    if (!status) {
        apply(def, s);
        status = make_lists(s, error);
    }
    if (status)
        close(&s->base);
    else
        *study = &s->base;
    return status;
}

static cab_status start(cab_study *study, cab_error *error)
{
    double begin = cab_now();
    cab_status status = cab_p_remake((state *)study, false, error);
    if (status) return status;
    study->wall_setup = cab_now() - begin;
    study->wall_step = 0;
    study->frame = 0;
    return CAB_OK;
}

/* The scene's hands grab and let go at whole frames. */
static cab_status move_hands(state *s, cab_error *error)
{
    double time = s->base.frame / s->scene.frame_rate, half = 0.5 / s->scene.frame_rate;
    cab_status status = CAB_OK;
    for (int i = 0; i < s->scene.hand_count && !status; i++) {
        const cab_particle_hand *h = &s->scene.hands[i];
        bool holds = time > h->from - half && time < h->until - half;
        if (holds && !s->hands[i].holds)
            status = cab_particles_pull(s->particles, 0, i, h->particle, h->point, h->stiffness, h->damping,
                                        error);
        if (!holds && s->hands[i].holds) status = cab_particles_let_go(s->particles, 0, i, error);
        s->hands[i] = (cab_p_hand){holds, h->particle, h->point};
    }
    return status;
}

static cab_status step(cab_study *study, cab_error *error)
{
    state *s = (state *)study;
    double begin = cab_now();
    cab_status status = move_hands(s, error);
    if (!status) status = cab_particles_step(s->particles, s->scene.steps, error);
    study->wall_step += cab_now() - begin;
    if (!status) study->frame++;
    return status;
}

static cab_status fault(cab_study *study, cab_error *error)
{
    cab_particles_report r;
    cab_status status = cab_particles_get_report(((state *)study)->particles, 0, &r, error);
    if (status) return status;
    if (r.stop == CAB_PARTICLES_DIVERGED)
        return cab_fail(error, CAB_ERROR_DIVERGED, "diverged after %d steps, %g s", r.steps, r.time);
    if (r.stop == CAB_PARTICLES_OFF_LIMIT)
        return cab_fail(error, CAB_ERROR_DIVERGED, "a constraint was off by %g m after %d steps, %g s",
                        r.off_worst, r.steps, r.time);
    return CAB_OK;
}

static cab_status read(cab_study *study, cab_error *error)
{
    state *s = (state *)study;
    cab_status status = cab_particles_get_report(s->particles, 0, &s->report, error);
    return status ? status : cab_particles_read(s->particles, 0, s->x, s->v, error);
}

/* ---- the user's hand, which comes after the scene's ---- */

static cab_p_hand *hand_of(state *s)
{
    return s->scene.hand_count < CAB_PARTICLES_HANDS ? &s->hands[s->scene.hand_count] : NULL;
}

static cab_status pull(cab_study *study, cab_vec2 to, cab_error *error)
{
    state *s = (state *)study;
    cab_p_hand *hand = hand_of(s);
    double all = 0, time = s->system.settings.step;
    if (!hand || !hand->holds) return CAB_OK;
    for (int i = 0; i < s->system.particle_count; i++) all += s->system.particles[i].mass;
    double mass = s->system.particles[hand->particle].mass;
    double stiffness = fmin(HOLD_RATE * all, HOLD_LIMIT * mass / (time * time));
    hand->point = to;
    return cab_particles_pull(s->particles, 0, s->scene.hand_count, hand->particle, to, stiffness,
                              sqrt(stiffness * mass), error);
}

static cab_status grab(cab_study *study, cab_vec2 at, double reach, bool *held, cab_error *error)
{
    state *s = (state *)study;
    cab_p_hand *hand = hand_of(s);
    *held = false;
    if (!hand)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "the scene has %d hands: none is left",
                        CAB_PARTICLES_HANDS);
    cab_status status = cab_particles_read(s->particles, 0, s->x, NULL, error);
    for (int i = 0; i < s->system.particle_count && !status; i++) {
        double off = hypot(s->x[i].x - at.x, s->x[i].y - at.y);
        if (off > reach) continue;
        reach = off;
        *hand = (cab_p_hand){true, i, at};
        *held = true;
    }
    return status || !*held ? status : pull(study, at, error);
}

static cab_status let_go(cab_study *study, cab_error *error)
{
    state *s = (state *)study;
    cab_p_hand *hand = hand_of(s);
    if (!hand || !hand->holds) return CAB_OK;
    hand->holds = false;
    return cab_particles_let_go(s->particles, 0, s->scene.hand_count, error);
}

static const cab_study_names no_names[1];

const cab_study_kind cab_particles_study = {
    .key = "particles",
    .elsewhere = "cables",
    .load = load,
    .close = close,
    .start = start,
    .step = step,
    .fault = fault,
    .choice = cab_p_choice,
    .choose = cab_p_choose,
    .grab = grab,
    .pull = pull,
    .let_go = let_go,
    .line = cab_p_line,
    .check = cab_p_check,
    .warning = cab_p_warning,
    .read = read,
    .summary = cab_p_summary,
    .report = cab_p_report_json,
    .write_csv = cab_p_write_csv,
    .fill = cab_p_fill,
    .arrays = cab_p_arrays,
    .names = no_names,
};

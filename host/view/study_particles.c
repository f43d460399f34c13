/* Particles under Lagrange multipliers as a study that can be seen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/error.h"
#include "study/particles/scene.h"
#include "view/sketch_particles.h"
#include "view/study.h"

typedef struct study {
    cab_particles_scene scene;
    cab_particles *particles;
    cab_vec2 *x;
    cab_sketch sketch;
    double unit;
    int frame;
    cab_sketch_hand hands[CAB_PARTICLES_HANDS]; /* of the scene */
} study;

static void close(void *self)
{
    study *s = self;
    cab_particles_destroy(s->particles);
    cab_particles_scene_free(&s->scene);
    cab_sketch_free(&s->sketch);
    free(s->x);
    free(s);
}

/* As `run` has it. */
static void apply(cab_particles_scene *scene, const cab_study_def *def)
{
    if (def->substeps) scene->steps = (int)def->substeps;
    if (def->duration > 0) scene->duration = def->duration;
    if (def->frames) scene->duration = (double)def->frames / scene->frame_rate;
    scene->system.settings.step = 1 / (scene->frame_rate * scene->steps);
}

static cab_status check(const cab_study_def *def, cab_error *error)
{
    if (def->iterations)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "particles: --iterations is for cables; see docs/methods/particles.md");
    if (def->compare) return cab_fail(error, CAB_ERROR_INPUT, "particles: --compare is for planar scenes");
    return CAB_OK;
}

static cab_status open(const cab_study_def *def, void **self, cab_error *error)
{
    study *s = calloc(1, sizeof *s);
    if (!s) return cab_fail_memory(error, "a study", sizeof *s);
    cab_world_def device = cab_world_default();
    device.device = def->device;
    device.threads = def->threads;
    device.kernel_dir = def->kernel_dir;
    cab_status status = check(def, error);
    if (!status)
        status = cab_particles_scene_load(def->path, def->overrides, def->override_count, &s->scene, error);
    if (!status) {
        size_t bytes = ((size_t)s->scene.system.particle_count + 1) * sizeof *s->x;
        apply(&s->scene, def);
        s->unit = cab_sketch_particles_unit(&s->scene.system);
        s->x = malloc(bytes);
        if (!s->x) status = cab_fail_memory(error, "particles", bytes);
    }
    if (!status)
        status = cab_particles_create(&s->scene.system, 1, s->scene.way, &device, &s->particles, error);
    if (status)
        close(s);
    else
        *self = s;
    return status;
}

static double rate(const void *self)
{
    return ((const study *)self)->scene.frame_rate;
}

static int frames(const void *self)
{
    return cab_particles_scene_frames(&((const study *)self)->scene);
}

static cab_clock clock_of(const void *self)
{
    const study *s = self;
    return (cab_clock){s->frame, s->frame / s->scene.frame_rate};
}

/* The scene's hands grab and let go at whole frames, as in `run`. */
static cab_status move_hands(study *s, cab_error *error)
{
    double time = s->frame / s->scene.frame_rate, half = 0.5 / s->scene.frame_rate;
    cab_status status = CAB_OK;
    for (int i = 0; i < s->scene.hand_count && !status; i++) {
        const cab_particle_hand *h = &s->scene.hands[i];
        bool holds = time > h->from - half && time < h->until - half;
        if (holds && !s->hands[i].holds)
            status = cab_particles_pull(s->particles, 0, i, h->particle, h->point, h->stiffness, h->damping,
                                        error);
        if (!holds && s->hands[i].holds) status = cab_particles_let_go(s->particles, 0, i, error);
        s->hands[i] = (cab_sketch_hand){holds, h->particle, h->point};
    }
    return status;
}

static cab_status step(void *self, cab_error *error)
{
    study *s = self;
    cab_particles_report report;
    cab_status status = move_hands(s, error);
    if (!status) status = cab_particles_step(s->particles, s->scene.steps, error);
    if (!status) status = cab_particles_get_report(s->particles, 0, &report, error);
    if (status) return status;
    if (report.stop == CAB_PARTICLES_DIVERGED)
        return cab_fail(error, CAB_ERROR_DIVERGED, "diverged after %d steps, %g s", report.steps,
                        report.time);
    if (report.stop == CAB_PARTICLES_OFF_LIMIT)
        return cab_fail(error, CAB_ERROR_DIVERGED, "a constraint was off by %g m after %d steps, %g s",
                        report.off_worst, report.steps, report.time);
    s->frame++;
    return CAB_OK;
}

static cab_status reset(void *self, cab_error *error)
{
    study *s = self;
    s->frame = 0;
    for (int i = 0; i < CAB_PARTICLES_HANDS; i++) s->hands[i].holds = false;
    return cab_particles_reset(s->particles, error);
}

static cab_status load(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    (void)self, (void)renderer, (void)look, (void)error;
    return CAB_OK; /* a sketch is made anew each time */
}

static cab_status update(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    study *s = self;
    cab_status status = cab_particles_read(s->particles, 0, s->x, NULL, error);
    if (status) return status;
    cab_sketch_clear(&s->sketch);
    cab_sketch_particles(&s->sketch, &s->scene.system, s->x, s->hands, s->scene.hand_count, s->unit);
    return cab_renderer_show(renderer, &s->sketch, clock_of(s).time, look, error);
}

static int name_count(const void *self, cab_paint paint)
{
    (void)self, (void)paint;
    return 0;
}

const cab_study_kind cab_particles_study = {
    .key = "particles",
    .subject = {.load = load, .update = update, .clock = clock_of, .name_count = name_count},
    .open = open,
    .close = close,
    .rate = rate,
    .frames = frames,
    .step = step,
    .reset = reset,
};

/* Particles under Lagrange multipliers as a study that can be seen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/particles/scene.h"
#include "view/study/sketch_particles.h"
#include "view/study/study.h"

typedef struct study {
    cab_particles_scene scene;
    cab_particles *particles;
    cab_vec2 *x;
    cab_sketch sketch;
    double unit;
    int frame;
    cab_sketch_hand hands[CAB_PARTICLES_HANDS]; /* of the scene, and behind them the mouse's */
    cab_particles_def system;                   /* the scene's with what was chosen */
    cab_particle_def *now;                      /* where a system that is made anew begins */
    cab_vec2 *v;
    cab_world_def device;
    int form, angle; /* what was chosen of constraints and angular springs; 0 = as in the scene */
} study;

enum { INTEGRATOR, SOLVER, PRECONDITIONER, FORM, ANGLE, STEPS };

#define HOLD_RATE 90.0 /* 1/s^2: stiffness of the mouse's spring for each kg of all particles */
#define HOLD_LIMIT 0.2 /* of mass / step^2 of what is held: explicit integrators diverge from 1 to 4 on */

static void close(void *self)
{
    study *s = self;
    cab_particles_destroy(s->particles);
    cab_particles_scene_free(&s->scene);
    cab_sketch_free(&s->sketch);
    free((void *)s->system.constraints);
    free((void *)s->system.forces);
    free(s->now);
    free(s->x);
    free(s->v);
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

/* A copy, with room for one more so that none is empty. */
static void *copy_of(const void *list, int count, size_t size)
{
    void *copy = calloc((size_t)count + 1, size);
    if (copy && count) memcpy(copy, list, (size_t)count * size);
    return copy;
}

/* What is changed while it runs are copies: the scene stays what it was. */
static cab_status make_lists(study *s, cab_error *error)
{
    const cab_particles_def *from = &s->scene.system;
    size_t bytes = ((size_t)from->particle_count + 1) * sizeof *s->x;
    s->system = *from;
    s->system.constraints = copy_of(from->constraints, from->constraint_count, sizeof *from->constraints);
    s->system.forces = copy_of(from->forces, from->force_count, sizeof *from->forces);
    s->now = copy_of(from->particles, from->particle_count, sizeof *from->particles);
    s->x = malloc(bytes);
    s->v = malloc(bytes);
    bool made = s->system.constraints && s->system.forces && s->now && s->x && s->v;
    return made ? CAB_OK : cab_fail_memory(error, "particles", bytes);
}

/* A system of what was chosen; as at the start, or in the motion of the old one. */
static cab_status remake(study *s, bool go_on, cab_error *error)
{
    cab_particles *particles = NULL;
    cab_status status = go_on ? cab_particles_read(s->particles, 0, s->x, s->v, error) : CAB_OK;
    if (status) return status;
    for (int i = 0; i < s->system.particle_count; i++) {
        s->now[i] = s->scene.system.particles[i];
        if (!go_on) continue;
        s->now[i].position = s->x[i];
        s->now[i].velocity = s->v[i];
    }
    s->system.particles = s->now;
    status = cab_particles_create(&s->system, 1, s->scene.way, &s->device, &particles, error);
    if (status) return status;
    cab_particles_destroy(s->particles);
    s->particles = particles;
    for (int i = 0; i < CAB_PARTICLES_HANDS; i++) s->hands[i].holds = false; /* the scene's grab again */
    return CAB_OK;
}

static cab_status fill(study *s, const cab_study_def *def, cab_error *error)
{
    cab_status status = check(def, error);
    if (!status)
        status = cab_particles_scene_load(def->path, def->overrides, def->override_count, &s->scene, error);
    if (status) return status;
    apply(&s->scene, def);
    s->unit = cab_sketch_particles_unit(&s->scene.system);
    s->device = cab_study_device(def);
    status = make_lists(s, error);
    return status ? status : remake(s, false, error);
}

static cab_status open(const cab_study_def *def, void **self, cab_error *error)
{
    study *s = calloc(1, sizeof *s);
    if (!s) return cab_fail_memory(error, "a study", sizeof *s);
    cab_status status = fill(s, def, error);
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
    cab_status status = remake(s, false, error);
    if (!status) s->frame = 0;
    return status;
}

/* Constraints come in two forms up to circles. */
static bool has_both(cab_particle_constraint_kind kind)
{
    return kind <= CAB_PARTICLE_CIRCLE;
}

static bool is_angular(cab_particle_force_kind kind)
{
    return kind >= CAB_PARTICLE_ANGLE_GOAL && kind <= CAB_PARTICLE_ANGLE_ATAN2;
}

static bool any_form(const cab_particles_def *system)
{
    for (int i = 0; i < system->constraint_count; i++)
        if (has_both(system->constraints[i].kind)) return true;
    return false;
}

static bool any_angle(const cab_particles_def *system)
{
    for (int i = 0; i < system->force_count; i++)
        if (is_angular(system->forces[i].kind)) return true;
    return false;
}

static bool choice(const void *self, int index, cab_choice *c)
{
    const study *s = self;
    const cab_particles_settings *set = &s->system.settings;
    switch (index) {
    case INTEGRATOR:
        *c = (cab_choice){.name = "integrator", .count = CAB_INTEGRATOR_COUNT, .now = (int)set->integrator};
        for (int i = 0; i < c->count; i++) c->words[i] = cab_integrator_name((cab_integrator)i);
        return true;
    case SOLVER:
        *c = (cab_choice){.name = "solver",
                          .count = CAB_PARTICLES_SOLVERS,
                          .now = (int)set->solver,
                          .idle = s->system.constraint_count == 0};
        for (int i = 0; i < c->count; i++) c->words[i] = cab_particles_solver_name((cab_particles_solver)i);
        return true;
    case PRECONDITIONER:
        *c = (cab_choice){.name = "preconditioner",
                          .count = CAB_PARTICLES_PRECONDITIONERS,
                          .now = (int)set->preconditioner,
                          .idle = s->system.constraint_count == 0 || set->solver != CAB_PARTICLES_PCG};
        for (int i = 0; i < c->count; i++)
            c->words[i] = cab_particles_preconditioner_name((cab_particles_preconditioner)i);
        return true;
    case FORM:
        *c = (cab_choice){.name = "constraints",
                          .words = {"scene", "C1", "C2"},
                          .count = 3,
                          .now = s->form,
                          .idle = !any_form(&s->scene.system)};
        return true;
    case ANGLE:
        *c = (cab_choice){.name = "angular springs",
                          .words = {"scene", "goal", "energy", "atan2"},
                          .count = 4,
                          .now = s->angle,
                          .idle = !any_angle(&s->scene.system)};
        return true;
    case STEPS:
        *c = (cab_choice){.name = "steps a frame", .now = s->scene.steps, .least = 1, .most = 10000};
        return true;
    default:
        return false;
    }
}

/* Rods and circles in lengths squared (C1) or lengths (C2); angular springs of one version. */
static void choose_kinds(study *s)
{
    cab_particle_constraint_def *c = (cab_particle_constraint_def *)s->system.constraints;
    cab_particle_force_def *f = (cab_particle_force_def *)s->system.forces;
    for (int i = 0; i < s->system.constraint_count; i++) {
        int kind = (int)s->scene.system.constraints[i].kind, squared = kind & ~1;
        bool chosen = s->form && has_both((cab_particle_constraint_kind)kind);
        c[i].kind = (cab_particle_constraint_kind)(chosen ? squared + s->form - 1 : kind);
    }
    for (int i = 0; i < s->system.force_count; i++) {
        cab_particle_force_kind kind = s->scene.system.forces[i].kind;
        f[i].kind = is_angular(kind) && s->angle
                        ? (cab_particle_force_kind)(CAB_PARTICLE_ANGLE_GOAL + s->angle - 1)
                        : kind;
        /* the energy knows no sign */
        f[i].angle = s->scene.system.forces[i].angle;
        if (f[i].kind == CAB_PARTICLE_ANGLE_ENERGY) f[i].angle = fabs(f[i].angle);
    }
}

/* Puts a value where it belongs. */
static void put(study *s, int index, int value)
{
    cab_particles_settings *set = &s->system.settings;
    if (index == INTEGRATOR) set->integrator = (cab_integrator)value;
    if (index == SOLVER) set->solver = (cab_particles_solver)value;
    if (index == PRECONDITIONER) set->preconditioner = (cab_particles_preconditioner)value;
    if (index == FORM) s->form = value;
    if (index == ANGLE) s->angle = value;
    if (index == STEPS) s->scene.steps = value;
    set->step = 1 / (s->scene.frame_rate * s->scene.steps);
    choose_kinds(s);
}

static cab_status choose(void *self, int index, int value, cab_error *error)
{
    study *s = self;
    cab_choice c;
    if (!choice(s, index, &c)) return cab_fail(error, CAB_ERROR_INPUT, "there is no choice %d", index);
    int least = c.count ? 0 : c.least, most = c.count ? c.count - 1 : c.most;
    if (value < least || value > most)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: expected %d to %d", c.name, least, most);
    put(s, index, value);
    cab_status status = index == FORM || index == ANGLE
                            ? remake(s, true, error)
                            : cab_particles_change(s->particles, 0, &s->system.settings, error);
    if (status) put(s, index, c.now);
    return status;
}

/* The mouse's hand comes after the scene's. */
static cab_sketch_hand *mouse_of(study *s)
{
    return s->scene.hand_count < CAB_PARTICLES_HANDS ? &s->hands[s->scene.hand_count] : NULL;
}

static cab_status pull(void *self, cab_vec2 to, cab_error *error)
{
    study *s = self;
    cab_sketch_hand *hand = mouse_of(s);
    double all = 0, step = s->system.settings.step;
    if (!hand || !hand->holds) return CAB_OK;
    for (int i = 0; i < s->system.particle_count; i++) all += s->system.particles[i].mass;
    double mass = s->system.particles[hand->particle].mass;
    double stiffness = fmin(HOLD_RATE * all, HOLD_LIMIT * mass / (step * step));
    hand->point = to;
    return cab_particles_pull(s->particles, 0, s->scene.hand_count, hand->particle, to, stiffness,
                              sqrt(stiffness * mass), error);
}

static cab_status grab(void *self, cab_vec2 at, double reach, bool *held, cab_error *error)
{
    study *s = self;
    cab_sketch_hand *hand = mouse_of(s);
    *held = false;
    if (!hand)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "the scene has %d hands: none is left",
                        CAB_PARTICLES_HANDS);
    cab_status status = cab_particles_read(s->particles, 0, s->x, NULL, error);
    for (int i = 0; i < s->system.particle_count && !status; i++) {
        double off = hypot(s->x[i].x - at.x, s->x[i].y - at.y);
        if (off > reach) continue;
        reach = off;
        *hand = (cab_sketch_hand){true, i, at};
        *held = true;
    }
    return status || !*held ? status : pull(s, at, error);
}

static cab_status let_go(void *self, cab_error *error)
{
    study *s = self;
    cab_sketch_hand *hand = mouse_of(s);
    if (!hand || !hand->holds) return CAB_OK;
    hand->holds = false;
    return cab_particles_let_go(s->particles, 0, s->scene.hand_count, error);
}

static bool line(void *self, int index, char text[CAB_STUDY_LINE])
{
    study *s = self;
    cab_particles_report r;
    cab_error error;
    if (index > 3 || cab_particles_get_report(s->particles, 0, &r, &error)) return false;
    if (index == 0) snprintf(text, CAB_STUDY_LINE, "%d particles, %d rows", s->system.particle_count, r.rows);
    if (index == 1) snprintf(text, CAB_STUDY_LINE, "energy %.4g J", r.kinetic + r.potential);
    if (index == 2) snprintf(text, CAB_STUDY_LINE, "off by %.2g m, at worst %.2g m", r.off, r.off_worst);
    if (index == 3)
        snprintf(text, CAB_STUDY_LINE, "%.1f iterations a solve, %d by least squares",
                 r.solves ? (double)r.iterations / r.solves : 0, r.least_squares);
    return true;
}

static cab_status load(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    (void)self, (void)renderer, (void)look, (void)error;
    return CAB_OK; /* a sketch is made anew each time */
}

static cab_status update(void *self, cab_renderer *renderer, const cab_look *look, cab_error *error)
{
    study *s = self;
    cab_status status = cab_particles_read(s->particles, 0, s->x, s->v, error);
    if (status) return status;
    cab_sketch_clear(&s->sketch);
    cab_sketch_particles(&s->sketch, &s->system, s->x, s->v, s->hands, CAB_PARTICLES_HANDS, s->unit);
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
    .choice = choice,
    .choose = choose,
    .grab = grab,
    .pull = pull,
    .let_go = let_go,
    .line = line,
};

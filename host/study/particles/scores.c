#include "study/particles/scores.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#define TRIES_MAX 48

const cab_paper_score cab_paper_scores[CAB_INTEGRATOR_COUNT] = {
    [CAB_INTEGRATOR_EULER] = {1, 2.5},     [CAB_INTEGRATOR_MIDPOINT] = {33, 15},
    [CAB_INTEGRATOR_LEAPFROG] = {120, 15}, [CAB_INTEGRATOR_RK4] = {205, 50},
    [CAB_INTEGRATOR_VERLET] = {300, 20},   [CAB_INTEGRATOR_MIDPOINT_VERLET] = {320, 40}};

cab_pendulum_setup cab_pendulum_default(void)
{
    return (cab_pendulum_setup){.chains = 10,
                                .rod = 1,
                                .mass = 1,
                                .angle = 0.5,
                                .drag = 0.02,
                                .position_gain = 25,
                                .velocity_gain = 10,
                                .duration = 20,
                                .off_limit = 0.5};
}

cab_pendulum_setup cab_pendulum_damped(void)
{
    cab_pendulum_setup setup = cab_pendulum_default();
    setup.position_gain = 100;
    setup.velocity_gain = 40;
    return setup;
}

cab_ellipse_setup cab_ellipse_default(void)
{
    return (cab_ellipse_setup){.step = 0.01,
                               .mass = 1,
                               .position_gain = 100,
                               .velocity_gain = 20,
                               .duration = 10,
                               .off_limit = 0.3,
                               .speed_kept = 0.1};
}

cab_circle_setup cab_circle_default(void)
{
    return (cab_circle_setup){.radius = 1,
                              .inside = 0.8,
                              .mass = 1,
                              .position_gain = 25,
                              .velocity_gain = 10,
                              .duration = 10,
                              .off_limit = 0.01};
}

/* A search of every integrator at once: rounds of so many values each, in one batch. */
typedef struct search {
    int tries;
    double low[CAB_INTEGRATOR_COUNT];  /* the largest value that worked */
    double high[CAB_INTEGRATOR_COUNT]; /* the smallest value that failed */
} search;

static double value_of(const search *s, int integrator, int i)
{
    return s->low[integrator] * pow(s->high[integrator] / s->low[integrator], (i + 1.0) / (s->tries + 1));
}

/* Narrows the search to the values between the last that worked and the first that failed. */
static void narrow(search *s, int integrator, const bool *went)
{
    double low = s->low[integrator], high = s->high[integrator];
    for (int i = 0; i < s->tries; i++) {
        double value = value_of(s, integrator, i);
        if (!went[i]) {
            high = value;
            break;
        }
        low = value;
    }
    s->low[integrator] = low;
    s->high[integrator] = high;
}

static bool narrow_enough(const search *s)
{
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++)
        if (s->high[i] > 1.03 * s->low[i]) return false;
    return true;
}

/* --- pendulums ------------------------------------------------------------------------------------ */

typedef struct pendulums {
    cab_particle_def *particles;
    cab_particle_constraint_def *constraints;
    int particle_count, constraint_count;
} pendulums;

static cab_status hang(const cab_pendulum_setup *setup, pendulums *out, cab_error *error)
{
    int rods = setup->chains * (setup->chains + 1) / 2, n = rods + setup->chains;
    out->particles = calloc((size_t)n, sizeof *out->particles);
    out->constraints = calloc((size_t)n, sizeof *out->constraints);
    if (!out->particles || !out->constraints) return cab_fail_memory(error, "pendulums", (size_t)n);
    int p = 0, k = 0;
    for (int chain = 0; chain < setup->chains; chain++)
        for (int i = 0; i <= chain + 1; i++, p++) {
            cab_vec2 at = {2.0 * setup->rod * chain + i * setup->rod * sin(setup->angle),
                           -i * setup->rod * cos(setup->angle)};
            out->particles[p] = (cab_particle_def){.mass = setup->mass, .position = at};
            cab_particle_constraint_def *c = &out->constraints[k++];
            *c = (cab_particle_constraint_def){.kind = CAB_PARTICLE_POINT, .particles = {p}, .point = at};
            if (i == 0) continue;
            c->kind = setup->squared ? CAB_PARTICLE_ROD_SQUARED : CAB_PARTICLE_ROD;
            c->particles[1] = p - 1;
            c->length = setup->rod;
        }
    out->particle_count = p;
    out->constraint_count = k;
    return CAB_OK;
}

static cab_particles_def pendulum_def(const cab_pendulum_setup *setup, const pendulums *hung, int integrator,
                                      double step)
{
    cab_particles_def def = {.particles = hung->particles,
                             .particle_count = hung->particle_count,
                             .constraints = hung->constraints,
                             .constraint_count = hung->constraint_count,
                             .settings = cab_particles_default()};
    def.settings.drag = setup->drag;
    def.settings.position_gain = setup->position_gain;
    def.settings.velocity_gain = setup->velocity_gain;
    def.settings.duration = setup->duration;
    def.settings.off_limit = setup->off_limit;
    def.settings.integrator = (cab_integrator)integrator;
    def.settings.step = step;
    return def;
}

/* Steps until every system has ended or failed. */
static cab_status run_batch(const cab_particles_def *defs, int count, const cab_world_def *device,
                            cab_particles_report *reports, cab_error *error)
{
    cab_particles *p = NULL;
    double steps = 0;
    for (int i = 0; i < count; i++)
        steps = fmax(steps, ceil(defs[i].settings.duration / defs[i].settings.step) + 1);
    cab_status status = cab_particles_create(defs, count, CAB_PARTICLES_FUSED, device, &p, error);
    if (status == CAB_OK) status = cab_particles_step(p, (int)steps, error);
    for (int i = 0; status == CAB_OK && i < count; i++)
        status = cab_particles_get_report(p, i, &reports[i], error);
    cab_particles_destroy(p);
    return status;
}

/* A batch with a system's energy at its start: it must have less at the end. */
static cab_status try_pendulums(const cab_pendulum_setup *setup, const pendulums *hung, search *s,
                                const cab_world_def *device, cab_error *error)
{
    cab_particles_def defs[CAB_INTEGRATOR_COUNT * TRIES_MAX];
    cab_particles_report reports[CAB_INTEGRATOR_COUNT * TRIES_MAX];
    double start = 0;
    int tries = s->tries, count = CAB_INTEGRATOR_COUNT * tries;
    for (int i = 0; i < count; i++)
        defs[i] = pendulum_def(setup, hung, i / tries, value_of(s, i / tries, i % tries));
    for (int i = 0; i < hung->particle_count; i++)
        start += hung->particles[i].mass * 9.81 * hung->particles[i].position.y;
    cab_status status = run_batch(defs, count, device, reports, error);
    if (status != CAB_OK) return status;
    for (int integrator = 0; integrator < CAB_INTEGRATOR_COUNT; integrator++) {
        bool went[TRIES_MAX];
        for (int i = 0; i < tries; i++) {
            const cab_particles_report *r = &reports[integrator * tries + i];
            went[i] = r->stop == CAB_PARTICLES_ENDED && r->kinetic + r->potential < start;
        }
        narrow(s, integrator, went);
    }
    return CAB_OK;
}

cab_status cab_score_pendulum(const cab_pendulum_setup *setup, const cab_world_def *device,
                              double steps[CAB_INTEGRATOR_COUNT], cab_error *error)
{
    pendulums hung = {0};
    search s = {.tries = 16};
    cab_status status = hang(setup, &hung, error);
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
        s.low[i] = 5e-4;
        s.high[i] = 1;
    }
    while (status == CAB_OK && !narrow_enough(&s)) status = try_pendulums(setup, &hung, &s, device, error);
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) steps[i] = s.low[i];
    CAB_FREE(hung.particles, hung.constraints);
    return status;
}

/* --- circle --------------------------------------------------------------------------------------- */

/* Without gravity: it goes straight to the wire, or across the centre. */
static cab_particles_def circle_def(const cab_circle_setup *setup, cab_particle_def *particle,
                                    const cab_particle_constraint_def *wire, int integrator, double step)
{
    *particle = (cab_particle_def){.mass = setup->mass, .position = {setup->radius - setup->inside, 0}};
    cab_particles_def def = {.particles = particle,
                             .particle_count = 1,
                             .constraints = wire,
                             .constraint_count = 1,
                             .settings = cab_particles_default()};
    def.settings.gravity = (cab_vec2){0, 0};
    def.settings.position_gain = setup->position_gain;
    def.settings.velocity_gain = setup->velocity_gain;
    def.settings.duration = setup->duration;
    def.settings.integrator = (cab_integrator)integrator;
    def.settings.step = step;
    return def;
}

static cab_status try_circle(const cab_circle_setup *setup, search *s, const cab_world_def *device,
                             cab_error *error)
{
    const cab_particle_constraint_def wire = {
        .kind = setup->squared ? CAB_PARTICLE_CIRCLE_SQUARED : CAB_PARTICLE_CIRCLE, .length = setup->radius};
    cab_particle_def particles[CAB_INTEGRATOR_COUNT * TRIES_MAX];
    cab_particles_def defs[CAB_INTEGRATOR_COUNT * TRIES_MAX];
    cab_particles_report reports[CAB_INTEGRATOR_COUNT * TRIES_MAX];
    int tries = s->tries, count = CAB_INTEGRATOR_COUNT * tries;
    for (int i = 0; i < count; i++)
        defs[i] = circle_def(setup, &particles[i], &wire, i / tries, value_of(s, i / tries, i % tries));
    cab_status status = run_batch(defs, count, device, reports, error);
    for (int integrator = 0; status == CAB_OK && integrator < CAB_INTEGRATOR_COUNT; integrator++) {
        bool went[TRIES_MAX];
        for (int i = 0; i < tries; i++) {
            const cab_particles_report *r = &reports[integrator * tries + i];
            went[i] = r->stop == CAB_PARTICLES_ENDED && r->off < setup->off_limit;
        }
        narrow(s, integrator, went);
    }
    return status;
}

cab_status cab_score_circle(const cab_circle_setup *setup, const cab_world_def *device,
                            double steps[CAB_INTEGRATOR_COUNT], cab_error *error)
{
    search s = {.tries = TRIES_MAX}; /* as with the ellipse */
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
        s.low[i] = 0.02;
        s.high[i] = 1;
    }
    while (status == CAB_OK && !narrow_enough(&s)) status = try_circle(setup, &s, device, error);
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) steps[i] = s.low[i];
    return status;
}

/* --- ellipse -------------------------------------------------------------------------------------- */

#define DRAGS 33 /* tried with each speed: none, and from 1e-3 to 10 1/s of the mass */

static double drag_of(const cab_ellipse_setup *setup, int i)
{
    return i == 0 ? 0 : setup->mass * pow(10, -3 + 4 * (i - 1.0) / (DRAGS - 2));
}

/* Half axes 2 and 1: the paper's 4 x 2. The particle starts at an end of the long one, across it. */
static cab_particles_def ellipse_def(const cab_ellipse_setup *setup, cab_particle_def *particle,
                                     const cab_particle_constraint_def *wire, int integrator, double speed,
                                     double drag)
{
    *particle = (cab_particle_def){.mass = setup->mass, .position = {2, 0}, .velocity = {0, speed}};
    cab_particles_def def = {.particles = particle,
                             .particle_count = 1,
                             .constraints = wire,
                             .constraint_count = 1,
                             .settings = cab_particles_default()};
    def.settings.gravity = (cab_vec2){0, 0};
    def.settings.drag = drag;
    def.settings.position_gain = setup->position_gain;
    def.settings.velocity_gain = setup->velocity_gain;
    def.settings.duration = setup->duration;
    def.settings.off_limit = setup->off_limit;
    def.settings.integrator = (cab_integrator)integrator;
    def.settings.step = setup->step;
    return def;
}

static cab_status try_speeds(const cab_ellipse_setup *setup, search *s, const cab_world_def *device,
                             cab_integrator_score *scores, cab_error *error)
{
    int each = s->tries * DRAGS, count = CAB_INTEGRATOR_COUNT * each;
    static const cab_particle_constraint_def wire = {.kind = CAB_PARTICLE_ELLIPSE,
                                                     .point = {-1.7320508075688772, 0},
                                                     .point2 = {1.7320508075688772, 0},
                                                     .length = 4};
    cab_particles_def *defs = calloc((size_t)count, sizeof *defs);
    cab_particle_def *particles = calloc((size_t)count, sizeof *particles);
    cab_particles_report *reports = calloc((size_t)count, sizeof *reports);
    cab_status status = defs && particles && reports
                            ? CAB_OK
                            : cab_fail_memory(error, "speeds", (size_t)count * sizeof *defs);
    for (int i = 0; status == CAB_OK && i < count; i++) {
        int integrator = i / each;
        defs[i] = ellipse_def(setup, &particles[i], &wire, integrator,
                              value_of(s, integrator, i / DRAGS % s->tries), drag_of(setup, i % DRAGS));
    }
    if (status == CAB_OK) status = run_batch(defs, count, device, reports, error);
    for (int integrator = 0; status == CAB_OK && integrator < CAB_INTEGRATOR_COUNT; integrator++) {
        bool went[TRIES_MAX] = {false};
        for (int i = 0; i < each; i++) {
            const cab_particles_report *r = &reports[integrator * each + i];
            double speed = value_of(s, integrator, i / DRAGS);
            double now = sqrt(2 * r->kinetic / setup->mass);
            bool kept = fabs(now / speed - 1) <= setup->speed_kept;
            bool slower = now < speed && i % DRAGS == 0; /* damped by the integrator itself */
            if (r->stop != CAB_PARTICLES_ENDED || (!kept && !slower)) continue;
            bool first = !went[i / DRAGS], all = true;
            went[i / DRAGS] = true;
            for (int k = 0; k < i / DRAGS; k++) all = all && went[k];
            if (first && all) scores[integrator].drag = drag_of(setup, i % DRAGS);
        }
        narrow(s, integrator, went);
    }
    CAB_FREE(defs, particles, reports);
    return status;
}

cab_status cab_score_ellipse(const cab_ellipse_setup *setup, const cab_world_def *device,
                             cab_integrator_score scores[CAB_INTEGRATOR_COUNT], cab_error *error)
{
    search s = {.tries = TRIES_MAX}; /* the values that work have gaps here */
    cab_status status = CAB_OK;
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) {
        s.low[i] = 0.5;
        s.high[i] = 500;
        scores[i].drag = 0;
    }
    while (status == CAB_OK && !narrow_enough(&s)) status = try_speeds(setup, &s, device, scores, error);
    for (int i = 0; i < CAB_INTEGRATOR_COUNT; i++) scores[i].speed = s.low[i];
    return status;
}

/* The settings of a scene of particles that can be changed while it runs, and the system that results. */
#include <math.h>

#include "study/particles/parts.h"
#include "study/particles/study.h"

typedef cab_particles_study_state state;

enum { INTEGRATOR, SOLVER, PRECONDITIONER, FORM, ANGLE, STEPS };

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

bool cab_p_choice(const cab_study *study, int index, cab_choice *c)
{
    static const char *const forms[] = {"scene", "C1", "C2", NULL};
    static const char *const angles[] = {"scene", "goal", "energy", "atan2", NULL};
    const state *s = (const state *)study;
    const cab_particles_settings *set = &s->system.settings;
    bool free = s->system.constraint_count == 0;
    const struct {
        const char *name, *const *words;
        int now;
        bool idle;
    } choices[] = {
        [INTEGRATOR] = {"integrator", cab_p_integrator_words, (int)set->integrator, false},
        [SOLVER] = {"solver", cab_p_solver_words, (int)set->solver, free},
        [PRECONDITIONER] = {"preconditioner", cab_p_preconditioner_words, (int)set->preconditioner,
                            free || set->solver != CAB_PARTICLES_PCG},
        [FORM] = {"constraints", forms, s->form, !any_form(&s->scene.system)},
        [ANGLE] = {"angular springs", angles, s->angle, !any_angle(&s->scene.system)},
    };
    if (index == STEPS)
        *c = (cab_choice){.name = "steps a frame", .now = s->scene.steps, .least = 1, .most = 10000};
    if (index < 0 || index >= STEPS) return index == STEPS;
    *c = (cab_choice){.name = choices[index].name, .now = choices[index].now, .idle = choices[index].idle};
    for (; choices[index].words[c->count]; c->count++) c->words[c->count] = choices[index].words[c->count];
    return true;
}

/* Rods and circles in lengths squared (C1) or lengths (C2); angular springs of one version. */
static void choose_kinds(state *s)
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
        /* the energy has no sign of the angle */
        f[i].angle = s->scene.system.forces[i].angle;
        if (f[i].kind == CAB_PARTICLE_ANGLE_ENERGY) f[i].angle = fabs(f[i].angle);
    }
}

/* Puts a value where it belongs. */
static void put(state *s, int index, int value)
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

cab_status cab_p_remake(state *s, bool go_on, cab_error *error)
{
    cab_particles *particles = NULL;
    cab_status status = go_on ? cab_particles_read(s->particles, 0, s->x, s->v, error) : CAB_OK;
    if (status) return status;
    for (int i = 0; i < s->system.particle_count; i++) {
        s->start[i] = s->scene.system.particles[i];
        if (!go_on) continue;
        s->start[i].position = s->x[i];
        s->start[i].velocity = s->v[i];
    }
    s->system.particles = s->start;
    status = cab_particles_create(&s->system, 1, s->scene.way, &s->base.device, &particles, error);
    if (status) return status;
    cab_particles_destroy(s->particles);
    s->particles = particles;
    for (int i = 0; i < CAB_PARTICLES_HANDS; i++) s->hands[i].holds = false; /* the scene's grab again */
    return CAB_OK;
}

cab_status cab_p_choose(cab_study *study, int index, int value, cab_error *error)
{
    state *s = (state *)study;
    cab_choice c;
    cab_status status = cab_study_check_choice(study, index, value, &c, error);
    if (status) return status;
    put(s, index, value);
    status = index == FORM || index == ANGLE
                 ? cab_p_remake(s, true, error)
                 : cab_particles_change(s->particles, 0, &s->system.settings, error);
    if (status) put(s, index, c.now);
    return status;
}

/* What a scene can do to itself: weights and forces, how fast things may become, how far what is soft gives. */
#include <math.h>

#include "base/array.h"
#include "base/vec3.h"
#include "judge/judge.h"
#include "model/method.h"
#include "model/rigid.h"
#include "model/scene.h"

/* So much more than what hangs on it does what falls into a cable pull at it. */
#define DYNAMIC 4.0
#define RUN_MOST 0.25 /* of its length: more than that nothing stretches by running into something */

static bool moves(const cab_model *m, int particle)
{
    return m->held[particle] < 0 && m->mass[particle] > 0;
}

/* Weights and forces of all components. */
static double add_loads(cab_judging *j, const cab_model *m)
{
    double gravity = cab_vec3_length(m->settings.gravity), all = 0;
    for (int p = 0; p < m->particle_count; p++) j->load[j->components.of[p]] += m->mass[p] * gravity;
    for (int i = 0; i < m->load_count; i++) {
        const cab_load_force *f = &m->load[i];
        double force = sqrt((double)f->x * f->x + (double)f->y * f->y + (double)f->z * f->z);
        if (f->far >= 0) force *= fabs((double)f->lever);
        j->load[j->components.of[f->particle]] += force;
    }
    for (int c = 0; c < j->components.count; c++) all += j->load[c];
    return all;
}

/* Masses, lengths, and whether all is held. */
static cab_status measure_components(cab_judging *j, const cab_model *m)
{
    int count = j->components.count;
    double *mass, *length = NULL;
    bool *held = NULL;
    cab_status status = CAB_NEW(mass, count, NULL);
    if (!status) status = CAB_NEW(length, count, NULL);
    if (!status) status = CAB_NEW(held, count, NULL);
    for (int p = 0; p < m->particle_count && !status; p++) {
        int c = j->components.of[p];
        if (moves(m, p)) mass[c] += m->mass[p];
        if (m->held[p] >= 0 || m->soft[p] >= 0) held[c] = true;
    }
    for (int i = 0; i < m->segment_count && !status; i++)
        length[j->components.of[m->distance[i].a]] += m->distance_origin[i].cell;
    j->all_held = true;
    j->lightest = INFINITY;
    for (int c = 0; c < count && !status; c++) {
        j->mass += mass[c];
        if (mass[c] > 0) j->lightest = fmin(j->lightest, mass[c]);
        j->longest = fmax(j->longest, length[c]);
        j->all_held = j->all_held && held[c];
    }
    CAB_FREE(mass, length, held);
    return status;
}

/* Finds out about the scene, once. Without memory nothing is known, and the bounds that follow from it are 0. */
static bool know(cab_world *world)
{
    cab_judging *j = &world->judging;
    const cab_model *m = world->model;
    if (j->known) return j->load != NULL;
    j->known = true;
    if (cab_components_could(m, &j->components, NULL)) return false;
    if (CAB_NEW(j->load, j->components.count, NULL)) return false;
    double all = add_loads(j, m);
    if (m->settings.contact.cables && m->bodies_meet) /* any may lie on any */
        for (int c = 0; c < j->components.count; c++) j->load[c] = all;
    j->forces = all;
    return measure_components(j, m) == CAB_OK;
}

double cab_judge_mass(cab_world *world)
{
    return know(world) ? world->judging.mass : 0;
}

/* The speed that an acceleration gives in a time, on a way that may have an end. */
static double speed_after(double acceleration, double time, double way)
{
    return fmin(acceleration * time, sqrt(2 * acceleration * way));
}

/* How fast bodies are at the start, or are made by their motors, at their mass points and at what ends on them, m/s. */
static double body_speed(const cab_model *m)
{
    double fastest = 0;
    for (int p = 0; p < m->particle_count && m->rigid_count > 0; p++) {
        int body = cab_rigid_of_particle(m, p);
        if (body < 0) continue;
        const cab_rigid_body *b = &m->rigid[body];
        const cab_body_def *def = cab_rigid_def(m, b);
        double arm = def->motion == CAB_BODY_HINGE ? cab_vec3_distance(m->place[p], b->pivot) : 1;
        double motor = def->motor_most > 0 ? fabs(def->motor_speed) * arm : 0;
        fastest = fmax(fastest, cab_vec3_length(cab_rigid_velocity(m, b, m->place[p])) + motor);
    }
    return fastest;
}

double cab_judge_speed(cab_world *world)
{
    const cab_judging *j = &world->judging;
    const cab_model *m = world->model;
    if (!know(world) || !(j->mass > 0)) return INFINITY;
    double start = fmax(cab_model_start_speed(m), body_speed(m)),
           way = j->all_held && j->led == 0 ? 2 * j->longest : INFINITY,
           gravity = cab_vec3_length(m->settings.gravity),
           time = (world->frame - j->first_frame) / m->settings.frame_rate;
    if (j->first_frame > 0) return INFINITY; /* it goes on: how fast it was at the start is not known */
    double pull = fmax(0, j->forces - gravity * j->mass) / j->lightest;
    double wind = m->has_drag ? cab_vec3_length(m->settings.wind) : 0;
    return start + j->led + wind + speed_after(gravity, time, way) + speed_after(pull, time, way) +
           sqrt(2 * j->stored / j->lightest) + j->hand + 3 * gravity * j->pulled;
}

double cab_judge_elastic(cab_world *world, int distance)
{
    const cab_model *m = world->model;
    const cab_judging *j = &world->judging;
    const cab_origin *o = &m->distance_origin[distance];
    double compliance = cab_model_distance_compliance(m, distance);
    cab_rule rule = cab_method_traits_of(m->settings.method)->rule;
    bool soft = rule == CAB_RULE_COMPLIANT || rule == CAB_RULE_DIRECT || rule == CAB_RULE_SPRING;
    if (!soft || !(compliance > 0) || !(o->cell > 0) || !know(world)) return 0;
    double stiffness = o->cell / compliance, density = m->section[o->section].def.linear_density;
    double speed = fmin(cab_judge_speed(world), 1000);
    double pull = DYNAMIC * j->load[j->components.of[m->distance[distance].a]];
    /* what runs into it makes a wave of v / c, and may meet another one */
    double wave = speed * sqrt(density / stiffness);
    return pull / stiffness + fmin(2 * wave + wave * wave, RUN_MOST);
}

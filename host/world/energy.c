/* Energies of a world, added up on the host in doubles. */
#include "world/energy.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/constraint_kind.h"
#include "model/method.h"
#include "model/scene.h"
#include "world/device.h"

/* Where the energies of a particle belong; of several particles: those of the first one that is free. */
static cab_energy *energy_of(const cab_model *m, const int *part, cab_energy *energy, int a, int b, int c)
{
    if (!part) return energy;
    int owner = a;
    if (owner < 0 || m->held[owner] >= 0) owner = b >= 0 ? b : a;
    if (m->held[owner] >= 0 && c >= 0) owner = c;
    return &energy[part[owner]];
}

/* Adds up the particles' kinetic energy and m g height. */
static void particle_energy(const cab_world *world, const cab_place_speed *p, const int *part,
                            cab_energy *energy)
{
    const cab_model *m = world->model;
    const cab_vec3 g = m->settings.gravity;
    for (int i = 0; i < m->particle_count; i++) {
        cab_energy *e = energy_of(m, part, energy, i, -1, -1);
        double v2 = p[i].v[0] * p[i].v[0] + p[i].v[1] * p[i].v[1] + p[i].v[2] * p[i].v[2];
        if (m->held[i] < 0) e->kinetic += 0.5 * m->mass[i] * v2;
        e->potential -= m->mass[i] * (g.x * p[i].x[0] + g.y * p[i].x[1] + g.z * p[i].x[2]);
    }
}

/* Adds up E = C^2 / (2 alpha) of a length with compliance; rigid ones store no energy. What a stiff one is off by is the solver's
 * error, and that energy would be any number: where it is more than SOLVED times what its tension T = -lambda / h^2 makes of it,
 * T^2 alpha / 2 counts. And what is off and pulls has T |C| / 2 that may come out, as of a spring. */
#define SOLVED 4.0

static void length_energy(const cab_distance_constraint *c, double off, double h, bool known, double lambda,
                          cab_energy *e)
{
    double stored = c->compliance > 0 ? off * off / (2 * c->compliance * h * h) : 0;
    double pulled = lambda * lambda * c->compliance / (2 * h * h);
    if (known && stored > SOLVED * SOLVED * pulled) stored = pulled;
    e->potential += stored;
    e->stretching += stored;
    e->unsolved += fmax(0, fabs(lambda * off) / (2 * h * h) - stored);
}

static void stretching_energy(const cab_world *world, const cab_place_speed *p, const float *lambda,
                              const int *part, cab_energy *energy)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    bool known = false; /* before the first substep there are none */
    if (cab_method_traits_of(s->method)->rule == CAB_RULE_PROJECTED) return; /* a share */
    for (int i = 0; i < m->distance_count && lambda && !known; i++) known = lambda[i] != 0;
    for (int i = 0; i < m->distance_count; i++) {
        const cab_distance_constraint *c = &m->distance[i];
        cab_length_kind kind = i < m->segment_count ? s->length_kind : s->doubles.kind;
        double l2 = 0;
        for (int k = 0; k < 3; k++) l2 += pow(p[c->b].x[k] - p[c->a].x[k], 2);
        double off = sqrt(l2) - c->rest;
        if ((kind == CAB_LENGTH_AT_MOST && off < 0) || (kind == CAB_LENGTH_AT_LEAST && off > 0)) continue;
        length_energy(c, off, cab_model_substep_of(m, c->a), known, lambda ? lambda[i] : 0,
                      energy_of(m, part, energy, c->a, c->b, -1));
    }
}

static void add_spring(cab_energy *e, double stored)
{
    e->potential += stored;
    e->springs += stored;
}

bool cab_bend_of(const cab_model *m, int bending, const cab_place_speed *p, cab_bend *bend)
{
    const cab_bending_constraint *c = &m->bending[bending];
    if (!(c->compliance > 0) || (c->ga == 0 && c->gc == 0) || cab_model_bending_is_rigid(m, bending))
        return false;
    double *d = bend->turn, d2 = 0, length2 = 0;
    bool directed = m->director_of && m->director_of[bending] >= 0;
    const float4 *targets = directed && m->bending_target_now ? m->bending_target_now : m->bending_target;
    const float *target = c->target >= 0 ? &targets[c->target].x : NULL;
    const float *rest = directed ? &targets[c->target + 1].x : target; /* kernels/direct_director.cl */
    for (int k = 0; k < 3; k++) {
        double a = c->a < 0 ? 0 : p[c->a].x[k] - p[c->b].x[k], b = c->c < 0 ? 0 : p[c->c].x[k] - p[c->b].x[k];
        d[k] = c->ga * a + c->gc * b;
        length2 += d[k] * d[k];
        double off = rest ? d[k] - (double)rest[k] : d[k];
        if (target) d[k] -= target[k];
        d2 += d[k] * off;
    }
    double length = sqrt(length2);
    bend->off2 = c->rest > 0 ? pow(length - c->rest, 2) : d2;
    bend->share = c->rest > 0 && length > 0 ? 1 - c->rest / length : 1;
    return true;
}

static void bending_energy(const cab_world *world, const cab_place_speed *p, const int *part,
                           cab_energy *energy)
{
    const cab_model *m = world->model;
    cab_bend bend;
    for (int i = 0; i < m->bending_count; i++) {
        const cab_bending_constraint *c = &m->bending[i];
        if (!cab_bend_of(m, i, p, &bend)) continue;
        double h = cab_model_substep_of(m, c->b);
        add_spring(energy_of(m, part, energy, c->b, c->a, c->c), bend.off2 / (2 * c->compliance * h * h));
    }
}

double cab_tension_at(const cab_model *m, int node, const float *lambda)
{
    int d = m->node_segment[node];
    double h = cab_model_substep_of(m, m->node_particle[node]);
    return d >= 0 ? 0 - lambda[d] / (h * h) : 0;
}

/* Adds up E = |x - target|^2 / (2 alpha) of soft attachments. */
static void soft_energy(const cab_world *world, const cab_place_speed *p, const int *part, cab_energy *energy)
{
    const cab_model *m = world->model;
    for (int i = 0; i < m->particle_count; i++) {
        if (m->soft[i] < 0 || cab_model_attachment_def(m, m->soft[i])->part == CAB_PART_CLIP) continue;
        cab_vec3 to = m->attachments[m->soft[i]].place;
        double x = p[i].x[0] - to.x, y = p[i].x[1] - to.y, z = p[i].x[2] - to.z;
        add_spring(energy_of(m, part, energy, i, -1, -1),
                   0.5 * cab_model_spring(m, i) * (x * x + y * y + z * z));
    }
}

void cab_world_add_energies(const cab_world *world, const cab_place_speed *motion, const float *lambda,
                            const int *part, cab_energy *energy)
{
    particle_energy(world, motion, part, energy);
    stretching_energy(world, motion, lambda, part, energy);
    bending_energy(world, motion, part, energy);
    soft_energy(world, motion, part, energy);
    for (int k = 0; k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->add_energy) cab_constraint_kinds[k]->add_energy(world, part, energy);
}

cab_status cab_world_read_motion(cab_world *world, cab_place_speed **motion, cab_error *error)
{
    const cab_model *m = world->model;
    float4 *x = NULL, *r = NULL, *v = NULL;
    *motion = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_position, &x, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_residual, &r, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_velocity, &v, error);
    if (status == CAB_OK) status = CAB_NEW(*motion, m->particle_count, error);
    for (int i = 0; status == CAB_OK && i < m->particle_count; i++) {
        (*motion)[i] =
            (cab_place_speed){{(double)x[i].x + r[i].x, (double)x[i].y + r[i].y, (double)x[i].z + r[i].z},
                              {v[i].x, v[i].y, v[i].z}};
    }
    CAB_FREE(x, r, v);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++)
        if (cab_constraint_kinds[k]->read_energy) status = cab_constraint_kinds[k]->read_energy(world, error);
    return status;
}

cab_status cab_world_read_multipliers(cab_world *world, float **lambda, cab_error *error)
{
    size_t n = (size_t)world->model->distance_count;
    cab_status status = CAB_NEW(*lambda, n, error);
    if (status != CAB_OK) return status;
    return cab_world_fetch(world, CAB_BUFFER_distance_lambda, 0, n * sizeof **lambda, *lambda, error);
}

cab_status cab_world_write_motion(cab_world *world, const cab_place_speed *p, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    float4 *x = NULL, *r = NULL, *v = NULL;
    cab_status status = cab_world_read_particles(world, CAB_BUFFER_position, &x, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_residual, &r, error);
    if (status == CAB_OK) status = cab_world_read_particles(world, CAB_BUFFER_velocity, &v, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        float w = x[i].w, decay = v[i].w;
        cab_split_place((cab_vec3){p[i].x[0], p[i].x[1], p[i].x[2]}, &x[i], &r[i]);
        x[i].w = w;
        v[i] = (float4){(float)p[i].v[0], (float)p[i].v[1], (float)p[i].v[2], decay};
    }
    if (status == CAB_OK) status = cab_world_put(world, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    if (status == CAB_OK) status = cab_world_put(world, CAB_BUFFER_residual, 0, n * sizeof *r, r, error);
    if (status == CAB_OK) status = cab_world_put(world, CAB_BUFFER_velocity, 0, n * sizeof *v, v, error);
    CAB_FREE(x, r, v);
    return status;
}

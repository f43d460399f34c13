/* Lengths of a world that goes on with another method or another substep. */
#include "run/lengths.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/union.h"
#include "base/vec3.h"
#include "contact/contact.h"
#include "model/curve.h"
#include "model/method.h"
#include "model/truss.h"
#include "world/energy.h"
#include "run/pace.h"
#include "run/substep.h"
#include "world/device.h"
#include "world/restart.h"

/* A length that is off by less than this times a substep counts as right, m/s: so much speed it could make. */
#define OFF_SPEED 1e-3
/* The velocity along a rigid segment is held by a damper that is so much stronger than a particle is heavy: it leaves 1e-9 n^2 of it in a
 * chain of n, and 15 digits less the 9 and n^2 of them for the solution. */
#define DAMPER 1e9
/* Substeps in which contact and lengths are solved together: of 1.2 mm of overlap that a rope with weights keeps on a bar after 4, 0.5 mm are
 * left after 32. */
#define SETTLING_SUBSTEPS 16
/* Sheets take more, since an iteration carries a correction a link far, until a substep from rest moves them with less than this share
 * of the kinetic energy, or with less than the energy of twice the fall in a substep. */
#define SETTLING_MOST 1024
#define SETTLED_SHARE 1e-4

typedef struct correction {
    cab_world *world;
    cab_world *from;
    const cab_model *model;
    int particles;
    int *net;  /* of each particle: the one that stands for what is joined to it by free particles */
    bool *off; /* of each net: something of it is too long or too short */
    double *inverse_mass;
    double *wanted; /* length of each segment, m; 0 = none */
    cab_place_speed *before, *now;
    cab_energy *energy_before, *energy_now; /* of each net, J */
} correction;

static bool same_stepping(const cab_model_settings *a, const cab_model_settings *b)
{
    return a->method == b->method && a->substeps == b->substeps && a->iterations == b->iterations &&
           a->length_kind == b->length_kind && memcmp(&a->pbd, &b->pbd, sizeof a->pbd) == 0 &&
           memcmp(&a->springs, &b->springs, sizeof a->springs) == 0;
}

static bool is_free(const correction *c, int particle)
{
    return c->inverse_mass[particle] > 0;
}

static double length_of(const correction *c, const cab_place_speed *p, int segment)
{
    const cab_distance_constraint *d = &c->model->distance[segment];
    double l2 = 0;
    for (int k = 0; k < 3; k++) l2 += pow(p[d->b].x[k] - p[d->a].x[k], 2);
    return sqrt(l2);
}

/* Would iterations of this world leave as much as those of the other one have left? Their error goes by h^2 and falls with the number of
 * iterations. What solves lengths at once, or in another way than before, leaves less. */
static bool leaves_as_much(const correction *c)
{
    const cab_model_settings *s = &c->model->settings, *old = &c->from->model->settings;
    cab_rule rule = cab_method_traits_of(s->method)->rule;
    if (s->method != old->method || rule == CAB_RULE_DIRECT || rule == CAB_RULE_SPRING) return false;
    return cab_model_substep(c->model) >= cab_model_substep(c->from->model) &&
           s->iterations <= old->iterations;
}

/* The length that a segment is to have: within what its tension can stretch it by in both worlds. */
static double wanted_length(const correction *c, int segment, double tension)
{
    const cab_model *m = c->model;
    const cab_distance_constraint *d = &m->distance[segment];
    double rest = d->rest, length = length_of(c, c->before, segment);
    double compliance = fmin(cab_model_distance_compliance(m, segment),
                             cab_model_distance_compliance(c->from->model, segment));
    double stretch = compliance * tension, low = rest + fmin(0, stretch), high = rest + fmax(0, stretch);
    cab_length_kind kind = m->settings.length_kind;
    if (!(rest > 0) || (!is_free(c, d->a) && !is_free(c, d->b))) return 0;
    if ((kind == CAB_LENGTH_AT_MOST && length < rest) || (kind == CAB_LENGTH_AT_LEAST && length > rest))
        return 0;
    return fmax(low, fmin(high, length));
}

/* Finds out what is off. */
static cab_status inspect(correction *c, bool *any, cab_error *error)
{
    const cab_model *m = c->model;
    double h = cab_model_substep(c->from->model), least = OFF_SPEED * cab_model_substep(m);
    float *lambda;
    size_t n = (size_t)m->segment_count;
    cab_status status = CAB_NEW(lambda, n, error);
    if (status == CAB_OK)
        status = cab_world_fetch(c->from, CAB_BUFFER_distance_lambda, 0, n * sizeof *lambda, lambda, error);
    *any = false;
    for (int i = 0; i < c->particles; i++) c->net[i] = i;
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++) {
        const cab_distance_constraint *d = &m->distance[i];
        c->wanted[i] = wanted_length(c, i, 0 - lambda[i] / (h * h));
        if (is_free(c, d->a) && is_free(c, d->b)) cab_union_join(c->net, d->a, d->b);
    }
    for (int i = 0; i < c->particles; i++) c->net[i] = cab_union_root(c->net, i);
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++) {
        const cab_distance_constraint *d = &m->distance[i];
        if (!(c->wanted[i] > 0)) continue;
        if (fabs(length_of(c, c->before, i) - c->wanted[i]) <= least) continue;
        c->off[c->net[is_free(c, d->a) ? d->a : d->b]] = *any = true;
    }
    free(lambda);
    return status;
}

static bool of_sheet(const correction *c, int segment)
{
    return c->model->distance_origin[segment].body >= c->model->cable_count;
}

/* Is it a segment of a cable whose net is to be corrected? */
static bool is_off(const correction *c, int segment)
{
    const cab_distance_constraint *d = &c->model->distance[segment];
    return c->wanted[segment] > 0 && !of_sheet(c, segment) && c->off[c->net[is_free(c, d->a) ? d->a : d->b]];
}

/* Holds one particle of each net that nothing holds: the one that is pressed most, since what a cable lies on is in its way. Without
 * contact the centre of mass stays. */
static cab_status hold_supports(const correction *c, double *inverse_mass, cab_error *error)
{
    const cab_model *m = c->model;
    float *force = NULL;
    int *support = NULL;
    if (!c->from->contact.touching) return CAB_OK;
    cab_status status = CAB_NEW(force, c->particles, error);
    if (status == CAB_OK) status = CAB_NEW(support, c->particles, error);
    if (status == CAB_OK)
        status = cab_world_fetch(c->from, CAB_BUFFER_contact_force, 0, (size_t)c->particles * sizeof *force,
                                 force, error);
    for (int i = 0; status == CAB_OK && i < c->particles; i++) support[i] = -1;
    for (int i = 0; status == CAB_OK && i < c->particles; i++) {
        int *best = &support[c->net[i]];
        if (is_free(c, i) && force[i] > 0 && (*best < 0 || force[i] > force[*best])) *best = i;
    }
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++) {
        const cab_distance_constraint *d = &m->distance[i];
        if (is_free(c, d->a) != is_free(c, d->b)) support[c->net[is_free(c, d->a) ? d->a : d->b]] = -1;
    }
    for (int i = 0; status == CAB_OK && i < c->particles; i++)
        if (support[i] >= 0) inverse_mass[support[i]] = 0;
    CAB_FREE(force, support);
    return status;
}

/* Puts particles where all lengths of their net are right. Sheets have more lengths than that could meet; they stay for now. */
static cab_status move_places(correction *c, cab_error *error)
{
    double *inverse_mass = NULL;
    const cab_model *m = c->model;
    cab_vec3 *place;
    cab_link *links = NULL;
    int count = 0;
    cab_status status = CAB_NEW(place, c->particles, error);
    if (status == CAB_OK) status = CAB_NEW(links, m->segment_count, error);
    for (int i = 0; status == CAB_OK && i < m->segment_count; i++)
        if (is_off(c, i)) links[count++] = (cab_link){m->distance[i].a, m->distance[i].b, c->wanted[i]};
    if (status == CAB_OK) status = CAB_NEW(inverse_mass, c->particles, error);
    if (status == CAB_OK) memcpy(inverse_mass, c->inverse_mass, (size_t)c->particles * sizeof *inverse_mass);
    if (status == CAB_OK) status = hold_supports(c, inverse_mass, error);
    for (int b = m->cable_count; status == CAB_OK && b < m->body_count; b++) {
        const cab_body *sheet = &m->bodies[b];
        for (int i = 0; i < sheet->node_count; i++) inverse_mass[m->node_particle[sheet->first_node + i]] = 0;
    }
    for (int i = 0; status == CAB_OK && i < c->particles; i++)
        place[i] = (cab_vec3){c->now[i].x[0], c->now[i].x[1], c->now[i].x[2]};
    if (status == CAB_OK)
        status = cab_project_lengths(place, inverse_mass, c->particles, links, count, m->settings.gravity,
                                     NULL, error);
    for (int i = 0; status == CAB_OK && i < c->particles; i++) {
        if (!is_free(c, i) || !c->off[c->net[i]]) continue;
        c->now[i].x[0] = place[i].x;
        c->now[i].x[1] = place[i].y;
        c->now[i].x[2] = place[i].z;
    }
    CAB_FREE(place, links, inverse_mass);
    return status;
}

/* A substep that leads from the places before to those that were found for the lengths, as if particles had that
 * velocity; contact is in the way. Later ones begin without velocity, and without steps of before. */
static cab_status settle_once(correction *c, bool first, double *energy, cab_error *error)
{
    cab_world *world = c->world;
    double h = cab_model_substep(c->model);
    cab_place_speed *start, *found = NULL;
    cab_status status = CAB_NEW(start, c->particles, error);
    for (int i = 0; status == CAB_OK && i < c->particles; i++) {
        start[i] = first ? c->before[i] : c->now[i];
        for (int k = 0; k < 3; k++) start[i].v[k] = first ? (c->now[i].x[k] - c->before[i].x[k]) / h : 0;
    }
    if (status == CAB_OK) status = cab_world_write_motion(world, start, error);
    if (status == CAB_OK && c->model->settings.method == CAB_METHOD_DIRECT)
        status = cab_world_upload_kept(world, "step", CAB_BUFFER_step, NULL, 3 * (size_t)c->particles,
                                       sizeof(float4), error);
    if (status == CAB_OK) status = cab_pace_stand_still(world, error);
    if (status == CAB_OK) status = cab_world_substep(world, 0, error);
    if (status == CAB_OK) status = cab_world_read_motion(world, &found, error);
    *energy = 0;
    for (int i = 0; status == CAB_OK && i < c->particles; i++) {
        if (!is_free(c, i)) continue;
        for (int k = 0; k < 3; k++)
            *energy += 0.5 / c->inverse_mass[i] * pow((found[i].x[k] - start[i].x[k]) / h, 2);
        memcpy(c->now[i].x, found[i].x, sizeof found[i].x);
    }
    CAB_FREE(start, found);
    return status;
}

/* The kinetic energy below which what settles counts as settled, J. */
static double calm_energy(const correction *c)
{
    double kinetic = 0, fall = 0, h = cab_model_substep(c->model);
    double g = cab_vec3_length(c->model->settings.gravity);
    for (int i = 0; i < c->particles; i++) {
        if (!is_free(c, i)) continue;
        for (int k = 0; k < 3; k++) kinetic += 0.5 / c->inverse_mass[i] * pow(c->before[i].v[k], 2);
        fall += 0.5 / c->inverse_mass[i] * pow(2 * g * h, 2);
    }
    return fmax(SETTLED_SHARE * kinetic, fall);
}

/* Pushes apart what touches, where contact can be solved between substeps, and brings sheets to their lengths. */
static cab_status settle_contact(correction *c, cab_error *error)
{
    cab_world *world = c->world;
    cab_status status = CAB_OK;
    bool sheets = c->model->body_count > c->model->cable_count;
    if (world->carrier->frame || (!sheets && !cab_contact_possible(c->model))) return CAB_OK;
    double energy = 0, calm = calm_energy(c);
    for (int i = 0; status == CAB_OK && i < SETTLING_MOST; i++) {
        if (i >= SETTLING_SUBSTEPS && (!sheets || !(energy > calm))) break;
        status = settle_once(c, i == 0, &energy, error);
    }
    world->ticks = 0;
    world->contact.listed = false;
    world->iterated.iterations = 0;
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "lambda", CAB_BUFFER_distance_lambda, NULL,
                                       (size_t)c->model->distance_count, sizeof(float), error);
    return status;
}

/* The segment's damper, for velocities; across it nothing is held. */
static cab_stiffness damper_of(const correction *c, int segment, double strength)
{
    const cab_distance_constraint *d = &c->model->distance[segment];
    const double *a = c->now[d->a].x, *b = c->now[d->b].x;
    cab_vec3 span = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return (cab_stiffness){.direction = cab_vec3_unit(span), .along = strength, .across = 0};
}

typedef struct dampers {
    int *slot, nodes, count; /* of each particle, or -1 */
    cab_bar *bars;
    cab_stiffness *stiffness;
    cab_vec3 *v; /* by slot: momenta, then velocities */
    double strength;
} dampers;

/* A particle's mass holds it at its velocity; a damper holds together what a rigid segment joins. */
static void add_dampers(const correction *c, dampers *d)
{
    const cab_model *m = c->model;
    double heaviest = 0;
    for (int i = 0; i < c->particles; i++) {
        d->slot[i] = -1;
        if (!is_free(c, i) || !c->off[c->net[i]]) continue;
        const double mass = 1 / c->inverse_mass[i], *v = c->now[i].v;
        heaviest = fmax(heaviest, mass);
        d->bars[d->count] = (cab_bar){d->nodes, -1};
        d->stiffness[d->count++] = (cab_stiffness){{1, 0, 0}, mass, mass};
        d->v[d->nodes] = cab_vec3_scale(mass, (cab_vec3){v[0], v[1], v[2]});
        d->slot[i] = d->nodes++;
    }
    d->strength = DAMPER * heaviest;
    for (int i = 0; i < m->segment_count; i++) {
        const cab_distance_constraint *e = &m->distance[i];
        bool rigid =
            m->settings.length_kind == CAB_LENGTH_EQUAL && !(cab_model_distance_compliance(m, i) > 0);
        if (!is_off(c, i) || !rigid) continue;
        cab_stiffness s = damper_of(c, i, d->strength);
        const int ends[2] = {e->a, e->b};
        for (int k = 0; k < 2; k++) {
            if (is_free(c, ends[k])) continue; /* the other end is drawn along by what is held */
            const double *v = c->now[ends[k]].v;
            cab_vec3 *pulled = &d->v[d->slot[ends[1 - k]]];
            *pulled = cab_vec3_add_scaled(
                *pulled, d->strength * cab_vec3_dot(s.direction, (cab_vec3){v[0], v[1], v[2]}), s.direction);
        }
        d->bars[d->count] = (cab_bar){d->slot[e->a], d->slot[e->b]};
        d->stiffness[d->count++] = s;
    }
}

/* Takes from velocities what would change the length of rigid segments, by impulses along them. */
static cab_status project_velocities(correction *c, cab_error *error)
{
    dampers d = {0};
    size_t bars = (size_t)c->particles + (size_t)c->model->segment_count;
    cab_truss *truss = NULL;
    cab_status status = CAB_NEW(d.slot, c->particles, error);
    if (status == CAB_OK) status = CAB_NEW(d.bars, bars, error);
    if (status == CAB_OK) status = CAB_NEW(d.stiffness, bars, error);
    if (status == CAB_OK) status = CAB_NEW(d.v, c->particles, error);
    if (status == CAB_OK) {
        add_dampers(c, &d);
        truss = cab_truss_create(d.nodes, d.bars, d.count, error);
        status = truss ? CAB_OK : CAB_ERROR_MEMORY;
    }
    if (status == CAB_OK) {
        cab_truss_factor(truss, d.stiffness);
        cab_truss_solve(truss, d.v);
    }
    for (int i = 0; status == CAB_OK && i < c->particles; i++) {
        if (d.slot[i] < 0) continue;
        const cab_vec3 *v = &d.v[d.slot[i]];
        memcpy(c->now[i].v, (double[3]){v->x, v->y, v->z}, sizeof c->now[i].v);
    }
    if (truss) cab_truss_destroy(truss);
    CAB_FREE(d.slot, d.bars, d.stiffness, d.v);
    return status;
}

/* Slows nets that have gained energy. */
static void balance(correction *c)
{
    cab_world_add_energies(c->from, c->before, NULL, c->net, c->energy_before);
    cab_world_add_energies(c->world, c->now, NULL, c->net, c->energy_now);
    for (int i = 0; i < c->particles; i++) {
        const cab_energy *was = &c->energy_before[c->net[i]], *is = &c->energy_now[c->net[i]];
        double gain = is->kinetic + is->potential - was->kinetic - was->potential;
        if (!is_free(c, i) || !c->off[c->net[i]] || !(gain > 0)) continue;
        double slow = gain < is->kinetic ? sqrt(1 - gain / is->kinetic) : 0;
        for (int k = 0; k < 3; k++) c->now[i].v[k] *= slow;
    }
}

static cab_status correct(correction *c, cab_error *error)
{
    cab_status status = move_places(c, error);
    if (status == CAB_OK) status = settle_contact(c, error);
    if (status == CAB_OK) status = project_velocities(c, error);
    if (status == CAB_OK) balance(c);
    if (status == CAB_OK) status = cab_world_write_motion(c->world, c->now, error);
    return status == CAB_OK ? cab_world_restart_carrier(c->world, error) : status;
}

static cab_status allocate(correction *c, cab_error *error)
{
    const cab_model *m = c->model;
    int n = c->particles;
    cab_status status = CAB_NEW(c->net, n, error);
    if (status == CAB_OK) status = CAB_NEW(c->off, n, error);
    if (status == CAB_OK) status = CAB_NEW(c->inverse_mass, n, error);
    if (status == CAB_OK) status = CAB_NEW(c->energy_before, n, error);
    if (status == CAB_OK) status = CAB_NEW(c->energy_now, n, error);
    if (status == CAB_OK) status = CAB_NEW(c->wanted, m->segment_count, error);
    if (status == CAB_OK) status = cab_world_read_motion(c->world, &c->before, error);
    if (status == CAB_OK) status = CAB_NEW(c->now, n, error);
    for (int i = 0; status == CAB_OK && i < n; i++) {
        c->inverse_mass[i] = m->held[i] >= 0 || !(m->mass[i] > 0) ? 0 : 1 / m->mass[i];
        c->now[i] = c->before[i];
    }
    return status;
}

cab_status cab_world_meet_lengths(cab_world *world, cab_world *from, cab_error *error)
{
    correction c = {
        .world = world, .from = from, .model = world->model, .particles = world->model->particle_count};
    bool any = false;
    if (same_stepping(&world->model->settings, &from->model->settings)) return CAB_OK;
    cab_status status = allocate(&c, error);
    if (status == CAB_OK && !leaves_as_much(&c)) status = inspect(&c, &any, error);
    if (status == CAB_OK && any) status = correct(&c, error);
    CAB_FREE(c.net, c.off, c.inverse_mass, c.wanted, c.before, c.now, c.energy_before, c.energy_now);
    return status;
}

/* Newton on the lengths of one component.
 *
 * Each link is a bar of stiffness 1/rest, and what is sought is where the strain energy, the sum of excess^2
 * / rest, vanishes (or is least: lengths that cannot be met end with the same strain along a line, as in a
 * real cable). The Hessian of a bar is 1 along it and strain across it; across, at least a small `rotation`
 * is kept. So of all steps that repair the lengths the one that turns the links least is taken: turning is
 * what makes lengths nonlinear. Masses do not enter; the condition does not grow with their ratios or the
 * number of links. */
#include "model/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/vec3.h"
#include "model/truss.h"

#define STEPS_MAX 200
#define HALVINGS 5
/* A row of n links is n times softer than one: below 1e-13 n the factor would drown in rounding. */
#define ROTATION_LEAST 1e-9
#define ROTATION_PER_LINK 1e-13
#define ROTATION_RAISED 1e-4
#define ROTATION_MOST 1e4
#define ROTATION_FACTOR 10.0
/* Stuck when the energy falls by less than this share in so many steps in a row. */
#define STALL_SHARE 1e-3
#define STALL_STEPS 8

typedef struct solver {
    const cab_net *net;
    const int *links;
    int n;
    int *particles, particle_count; /* free ones; the last is the ground where nothing is held */
    bool floating;
    cab_bar *bars;
    cab_vec3 *saved, *move;   /* by particle slot, m */
    cab_stiffness *stiffness; /* by link slot */
    double *excess;           /* m */
    double slope;             /* of the energy along move, m */
    cab_truss *truss;
} solver;

static const cab_link *link_at(const solver *s, int i)
{
    return &s->net->links[s->links[i]];
}

static int list_particle(solver *s, int particle)
{
    if (!cab_net_free(s->net, particle)) {
        s->floating = false;
        return -1;
    }
    if (s->net->particle_slot[particle] < 0) {
        s->net->particle_slot[particle] = s->particle_count;
        s->particles[s->particle_count++] = particle;
    }
    return s->net->particle_slot[particle];
}

static cab_status solver_allocate(solver *s, cab_error *error)
{
    size_t n = (size_t)s->n, particles = n + 1;
    s->particles = malloc(particles * sizeof *s->particles);
    s->saved = malloc(particles * sizeof *s->saved);
    s->move = malloc(particles * sizeof *s->move);
    s->bars = malloc(n * sizeof *s->bars);
    s->stiffness = malloc(n * sizeof *s->stiffness);
    s->excess = malloc(n * sizeof *s->excess);
    if (s->particles && s->saved && s->move && s->bars && s->stiffness && s->excess) return CAB_OK;
    return cab_fail_memory(error, "initial lengths", n * (2 * sizeof(cab_vec3) + sizeof(cab_stiffness)));
}

static cab_status solver_create(solver *s, cab_error *error)
{
    cab_status status = solver_allocate(s, error);
    if (status) return status;
    s->floating = true;
    for (int i = 0; i < s->n; i++) {
        s->bars[i].a = list_particle(s, link_at(s, i)->a);
        s->bars[i].b = list_particle(s, link_at(s, i)->b);
    }
    int nodes = s->particle_count;
    if (s->floating) {
        nodes--;
        for (int i = 0; i < s->n; i++) {
            if (s->bars[i].a == nodes) s->bars[i].a = -1;
            if (s->bars[i].b == nodes) s->bars[i].b = -1;
        }
        s->move[nodes] = (cab_vec3){0, 0, 0};
    }
    s->truss = cab_truss_create(nodes, s->bars, s->n, error);
    return s->truss ? CAB_OK : CAB_ERROR_MEMORY;
}

/* A link without length gets one to think of: away from what is held, else down. */
static cab_vec3 missing_direction(const cab_net *net, const cab_link *link)
{
    cab_vec3 down = cab_vec3_length(net->down) > 0 ? net->down : (cab_vec3){1, 0, 0};
    return cab_net_free(net, link->b) ? down : cab_vec3_scale(-1, down);
}

/* Fills stiffness and excess; returns the sum of excess^2 / rest. */
static double measure(solver *s, double rotation, double *worst)
{
    double energy = 0;
    *worst = 0;
    for (int i = 0; i < s->n; i++) {
        const cab_link *link = link_at(s, i);
        cab_vec3 span = cab_vec3_sub(s->net->position[link->b], s->net->position[link->a]);
        double length = cab_vec3_length(span), excess = length - link->rest;
        bool missing = length <= 1e-12 * link->rest;
        s->stiffness[i].direction =
            missing ? missing_direction(s->net, link) : cab_vec3_scale(1 / length, span);
        s->stiffness[i].along = (1 + rotation) / link->rest;
        s->stiffness[i].across = (rotation + (excess > 0 ? excess / length : 0)) / link->rest;
        s->excess[i] = excess;
        energy += excess * excess / link->rest;
        *worst = fmax(*worst, fabs(excess) / link->rest);
    }
    return energy;
}

static double energy_now(const solver *s)
{
    double energy = 0;
    for (int i = 0; i < s->n; i++) {
        const cab_link *link = link_at(s, i);
        double excess = cab_vec3_distance(s->net->position[link->a], s->net->position[link->b]) - link->rest;
        energy += excess * excess / link->rest;
    }
    return energy;
}

/* With nothing held, the centre of mass stays. */
static void keep_centre(solver *s)
{
    cab_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i < s->particle_count; i++) {
        double own = 1 / s->net->inverse_mass[s->particles[i]];
        sum = cab_vec3_add_scaled(sum, own, s->move[i]);
        mass += own;
    }
    for (int i = 0; i < s->particle_count; i++) s->move[i] = cab_vec3_add_scaled(s->move[i], -1 / mass, sum);
}

/* How fast the energy changes along move[], with the ground at rest; negative. */
static double slope_along(const solver *s)
{
    double slope = 0;
    for (int i = 0; i < s->n; i++) {
        cab_vec3 apart = {0, 0, 0};
        if (s->bars[i].b >= 0) apart = s->move[s->bars[i].b];
        if (s->bars[i].a >= 0) apart = cab_vec3_sub(apart, s->move[s->bars[i].a]);
        slope += 2 * s->excess[i] / link_at(s, i)->rest * cab_vec3_dot(s->stiffness[i].direction, apart);
    }
    return slope;
}

static void find_moves(solver *s)
{
    memset(s->move, 0, (size_t)s->particle_count * sizeof *s->move);
    for (int i = 0; i < s->n; i++) {
        double pull = s->excess[i] / link_at(s, i)->rest;
        cab_vec3 direction = s->stiffness[i].direction;
        int a = s->bars[i].a, b = s->bars[i].b;
        if (a >= 0) s->move[a] = cab_vec3_add_scaled(s->move[a], pull, direction);
        if (b >= 0) s->move[b] = cab_vec3_add_scaled(s->move[b], -pull, direction);
    }
    cab_truss_factor(s->truss, s->stiffness);
    cab_truss_solve(s->truss, s->move);
    s->slope = slope_along(s);
    if (s->floating) keep_centre(s);
}

static void place(const solver *s, double share)
{
    for (int i = 0; i < s->particle_count; i++)
        s->net->position[s->particles[i]] = cab_vec3_add_scaled(s->saved[i], share, s->move[i]);
}

/* Goes along move[] until the energy falls. Returns the new energy, or the old one with nothing moved. */
static double line_search(solver *s, double energy, double *share)
{
    for (int i = 0; i < s->particle_count; i++) s->saved[i] = s->net->position[s->particles[i]];
    *share = 1;
    for (int halving = 0; halving <= HALVINGS; halving++, *share *= 0.5) {
        place(s, *share);
        double moved = energy_now(s);
        if (moved < energy + 1e-4 * *share * s->slope) return moved;
    }
    *share = 0;
    place(s, 0);
    return energy;
}

static double iterate(solver *s)
{
    double least = ROTATION_LEAST + ROTATION_PER_LINK * s->n, rotation = least, worst = 0;
    int stalled = 0;
    for (int step = 0; step < STEPS_MAX && stalled < STALL_STEPS; step++) {
        double energy = measure(s, rotation, &worst), share;
        if (worst <= CAB_LENGTH_TOLERANCE) return worst;
        find_moves(s);
        double moved = line_search(s, energy, &share);
        /* good enough, and rounding is all that is left: Newton would have done far better than a quarter */
        if (worst <= 10 * CAB_LENGTH_TOLERANCE && moved > 0.25 * energy) return worst;
        if (share < 0.5) rotation = fmax(ROTATION_FACTOR * rotation, ROTATION_RAISED);
        if (share == 1) rotation = fmax(rotation / ROTATION_FACTOR, least);
        if (rotation > ROTATION_MOST) break;
        stalled = share > 0 && moved > (1 - STALL_SHARE) * energy ? stalled + 1 : 0;
    }
    measure(s, rotation, &worst);
    return worst;
}

cab_status cab_newton_lengths(const cab_component *component, double *worst, cab_error *error)
{
    solver s = {.net = component->net, .links = component->links, .n = component->link_count};
    cab_status status = solver_create(&s, error);
    if (!status) *worst = iterate(&s);
    for (int i = 0; i < s.particle_count; i++) s.net->particle_slot[s.particles[i]] = -1;
    cab_truss_destroy(s.truss);
    CAB_FREE(s.particles, s.saved, s.move, s.bars, s.stiffness, s.excess);
    return status;
}

/* Particles and links to be projected on their lengths. For one test program; include cmocka first. */
#ifndef CAB_TESTS_NET_H
#define CAB_TESTS_NET_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "model/curve.h"

static const cab_vec3 down = {0, 0, -9.81};

static void check_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is %g from %.17g", a, fabs(a - b), b);
}

static void check_near(cab_vec3 a, cab_vec3 b, double tolerance)
{
    double distance = cab_vec3_distance(a, b);
    if (!(distance <= tolerance))
        fail_msg("(%.17g %.17g %.17g) is %g from (%.17g %.17g %.17g)", a.x, a.y, a.z, distance, b.x, b.y,
                 b.z);
}

/* Bit for bit. */
static void check_same(cab_vec3 a, cab_vec3 b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

typedef struct net {
    int particle_count, link_count;
    cab_vec3 *position, *initial;
    double *inverse_mass;
    cab_link *links;
    double worst;
} net;

static net net_make(int particle_count, int link_count)
{
    net n = {.particle_count = particle_count};
    n.position = calloc((size_t)particle_count + 1, sizeof *n.position);
    n.initial = calloc((size_t)particle_count + 1, sizeof *n.initial);
    n.inverse_mass = calloc((size_t)particle_count + 1, sizeof *n.inverse_mass);
    n.links = calloc((size_t)link_count + 1, sizeof *n.links);
    assert_true(n.position && n.initial && n.inverse_mass && n.links);
    for (int i = 0; i < particle_count; i++) n.inverse_mass[i] = 100;
    return n;
}

static void net_free(net *n)
{
    free(n->position);
    free(n->initial);
    free(n->inverse_mass);
    free(n->links);
}

static void net_link(net *n, int a, int b, double rest)
{
    n->links[n->link_count++] = (cab_link){a, b, rest};
}

/* Projects; the answer must be finite, *worst true, and what is held in place. */
static void project(net *n)
{
    cab_error error = {0};
    memcpy(n->initial, n->position, (size_t)n->particle_count * sizeof *n->position);
    n->worst = -1;
    if (cab_project_lengths(n->position, n->inverse_mass, n->particle_count, n->links, n->link_count, down,
                            &n->worst, &error))
        fail_msg("%s", error.message);
    for (int i = 0; i < n->particle_count; i++) {
        assert_true(cab_vec3_finite(n->position[i]));
        if (n->inverse_mass[i] == 0) check_same(n->position[i], n->initial[i]);
    }
    double worst = 0;
    for (int i = 0; i < n->link_count; i++) {
        cab_link link = n->links[i];
        double length = cab_vec3_distance(n->position[link.a], n->position[link.b]);
        worst = fmax(worst, fabs(length - link.rest) / link.rest);
    }
    check_close(n->worst, worst, 1e-15 + 1e-12 * worst); /* the same sum, maybe rounded otherwise */
}

/* The promise of cab_project_lengths(). */
static void project_exactly(net *n)
{
    project(n);
    if (!(n->worst < 1e-9)) fail_msg("worst length error %g", n->worst);
}

/* `segments` along x from the origin to `span`, `length` at rest. */
static net chain_make(int segments, double span, double length)
{
    net n = net_make(segments + 1, segments);
    for (int i = 0; i <= segments; i++) n.position[i].x = span * i / segments;
    for (int i = 0; i < segments; i++) net_link(&n, i, i + 1, length / segments);
    return n;
}

static net held_chain(int segments, double span, double length)
{
    net n = chain_make(segments, span, length);
    n.inverse_mass[0] = n.inverse_mass[segments] = 0;
    return n;
}

/* A fixed sequence, the same on every machine; 0 to 1. */
static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static cab_vec3 random_place(uint64_t *seed)
{
    double x = next_random(seed), y = next_random(seed), z = next_random(seed);
    return (cab_vec3){x, y, z};
}

static int random_below(uint64_t *seed, int n)
{
    return (int)(next_random(seed) * n);
}

#endif

/* Formulas of contact and of the direct method, by numbers that follow from them alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define global /* functions are written as kernels */
#define local
#include "kernels/geometry.h"
#include "kernels/press.h"
#include "kernels/stiff.h"
#include "kernels/touch.h"
#undef global
#undef local

/* An overlap may stay, less what is pushed out: no more than push_out, no more than a share of it, and all of what is left of one from
 * the start of the run. */
static void overlaps_are_pushed_out_slowly(void **state)
{
    (void)state;
    near_to((double)cab_allowed(0.01f, 0.002f, 1, 0), 0, 0);
    near_to((double)cab_allowed(-0.001f, 0.002f, 1, 0), 0, 1e-9);
    near_to((double)cab_allowed(-0.01f, 0.002f, 1, 0), -0.008, 1e-9);
    near_to((double)cab_allowed(-0.01f, 0.002f, 0.1f, 0), -0.009, 1e-9);
    near_to((double)cab_allowed(-0.001f, 0.002f, 1, 0.004f), -0.004, 1e-9);
    near_to((double)cab_old_overlap(0.01f, 4, 0.002f), 0.002, 1e-9);
}

/* What a contact begins with at this overlap, m, and with its masses in so many parts; then a pass over it in which nothing moves. */
static cab_contact begun(float overlap, float split, float share)
{
    const cab_yield yield = {2, 0.5f, share, 1};
    const float mass = 3; /* kg, of both sides along the normal */
    cab_contact c = {.nz = 1, .gap = -overlap, .friction = 0.5f, .mass = mass / split, .sink = 0.01f};
    c.fx = 0.002f;
    c.fz = 7; /* along the normal: of another normal, no friction any more */
    cab_begin(&c, yield, split);
    cab_contact next = c;
    vec3 change = cab_touch(&next, vec3_zero(), 1, yield.soft / mass);
    near_to((double)vec3_length(change), 0, 1e-9);
    return c;
}

/* A contact begins with the force of its spring and the friction that it had, as far as that force bears it; at rest passes change
 * nothing. Spring 2: twice the mass; more than CAB_CROWD parts share what they bear; pieces take the share of their substep squared. */
static void a_contact_at_rest_keeps_its_force(void **state)
{
    (void)state;
    cab_contact c = begun(0.001f, 4, 1);
    near_to((double)c.lambda, 0.001 * 2 * 3, 1e-9);
    near_to((double)c.fx, 0.002, 1e-9);
    near_to((double)c.fz, 0, 1e-9);
    c = begun(0.0001f, 4, 1);
    near_to((double)c.lambda, 0.0001 * 2 * 3, 1e-9);
    near_to((double)c.fx, 0.5 * 0.0001 * 2 * 3, 1e-9);
    near_to((double)begun(0.001f, 32, 1).lambda, 0.001 * 2 * 3 / 4, 1e-9);
    near_to((double)begun(0.001f, 4, 0.5f).lambda, 0.001 * 2 * 3 / 4, 1e-9);
    near_to((double)begun(-0.001f, 4, 1).lambda, 0, 0);
}

/* It gives way down to its sink and no further: what is pressed by more is rigid there. What is too deep comes out by the share of a piece,
 * whether the gap tells the whole overlap, as between cables, or that share of it, as with colliders. */
static void a_contact_sinks_so_far(void **state)
{
    (void)state;
    const float mass = 3, soft = 0.5f / mass;
    cab_contact c = {.nz = 1, .gap = -0.01f, .mass = mass, .sink = 0.02f};
    cab_touch(&c, vec3_zero(), 1, soft);
    near_to((double)c.lambda, 0.01 * 3 / 1.5, 1e-8); /* the spring's multiplier */
    c = (cab_contact){.nz = 1, .gap = -0.01f, .mass = mass, .sink = 0.001f};
    cab_touch(&c, vec3_zero(), 1, soft);
    near_to((double)c.lambda, (0.01 - 0.001) * 3, 1e-8);
    const double share = 0.25, overlap = 0.003, deeper = 0.002, stays = 2 * 0.5 * share * share;
    for (int near = 0; near < 2; near++) {
        const double told = near ? share : 1;
        const cab_yield yield = {2, 0.5f, (float)share, (float)told};
        c = (cab_contact){.nz = 1, .gap = (float)(-told * overlap), .mass = mass, .sink = (float)-deeper};
        cab_begin(&c, yield, 4);
        near_to((double)c.gap, -stays * overlap - (1 - stays) * share * deeper, 1e-9);
        near_to((double)c.sink, stays * (overlap - deeper), 1e-9);
        near_to((double)c.lambda, overlap * 2 * share * share * 3 * 4, 1e-8);
    }
    near_to((double)cab_sink(0.1f, 0.01f, soft, 1), 0.0005, 1e-9);
    near_to((double)cab_sink(-0.001f, 0.01f, soft, 1), -0.0005, 1e-9);
    near_to((double)cab_sink(-0.001f, 0.01f, soft, 0), 0, 0);
    near_to((double)cab_sink(-0.001f, 0.01f, 0, 0), 0, 0); /* rigid by another method */
}

/* The edge of a roof whose faces look along (1, 0, 1) and (-1, 0, 1): it counts between these two directions, below them a face is
 * nearer; in a solid it counts on the other side as well, down to the radius. */
static void an_edge_counts_in_its_wedge(void **state)
{
    (void)state;
    /* p and s: directions in which the faces go from the edge */
    const float half = 0.70710678f;
    cab_collider edge = {.px = half, .pz = -half, .sx = -half, .sz = -half, .radius = 0.1f};
    static const struct {
        float x, z;
        bool solid;
        float distance, normal_z; /* 0: it does not count */
    } places[] = {{0, 0.05f, false, 0.05f, 1},      {0.03f, 0.04f, false, 0.05f, 0.8f},
                  {0.05f, 0.04f, false, 0.064f, 0}, {-0.05f, 0.04f, false, 0.064f, 0},
                  {0, -0.05f, false, 0.05f, 0},     {0, -0.05f, true, -0.05f, 1},
                  {0, -0.2f, true, 0.2f, 0}};
    for (int i = 0; i < COUNT_OF(places); i++) {
        edge.solid = places[i].solid;
        cab_outside o = cab_outside_edge(&edge, vec3_make(places[i].x, 0, places[i].z));
        near_to((double)o.normal.z, (double)places[i].normal_z, 1e-6);
        if (places[i].normal_z != 0) near_to((double)o.distance, (double)places[i].distance, 1e-7);
        if (places[i].normal_z == 0) near_to((double)vec3_length(o.normal), 0, 0);
    }
}

/* Tension is stiff across a segment only: t (1 - u u^T) leaves u alone and multiplies by t what is across it. */
static void tension_is_stiff_across(void **state)
{
    (void)state;
    vec3 u = vec3_make(0.6f, 0, 0.8f), across = vec3_make(-0.8f, 0, 0.6f), aside = vec3_make(0, 1, 0);
    cab_sym3 m = cab_stiffness_across(7, u);
    near_to((double)vec3_length(cab_sym3_times(m, u)), 0, 1e-6);
    near_to((double)vec3_length(vec3_sub(cab_sym3_times(m, across), vec3_scale(across, 7))), 0, 2e-6);
    near_to((double)vec3_length(vec3_sub(cab_sym3_times(m, aside), vec3_scale(aside, 7))), 0, 2e-6);
    /* 0 under pressure, where it may buckle */
    cab_stretch pushed = cab_stretch_of(vec3_make(0, 0, 2), 1, 1.5f, 0.25f, 1, -3, -3);
    near_to((double)pushed.across, 0, 0);
    near_to((double)pushed.error, 2 - 1.5 + 0.75, 1e-6);
    cab_stretch pulled = cab_stretch_of(vec3_make(0, 0, 2), 1, 1.5f, 0.25f, 1, 3, 3);
    near_to((double)pulled.across, 1.5, 1e-6);
}

/* L D L^T of three unequal numbers, turned: the inverse gives back what was multiplied, and so does the solution. */
static void matrices_are_inverted(void **state)
{
    (void)state;
    cab_sym3 m = {4, 9, 3, 1.5f, -0.7f, 2.1f};
    vec3 x = vec3_make(0.3f, -1.1f, 0.8f), b = cab_sym3_times(m, x);
    vec3 solved = cab_sym3_solve(m, b), inverted = cab_sym3_times(cab_sym3_inverse(m), b);
    near_to((double)vec3_length(vec3_sub(solved, x)), 0, 2e-6); /* a dozen roundings of numbers up to 10 */
    near_to((double)vec3_length(vec3_sub(inverted, x)), 0, 2e-6);
    cab_sym3 between = cab_sym3_between(cab_sym3_of(2), m);
    near_to((double)vec3_length(vec3_sub(cab_sym3_times(between, x), vec3_scale(b, 4))), 0, 2e-5);
}

/* A particle slows the lengths down where what pulls at it is stiffer than its mass, and only there. */
static void pulls_make_particles_slow(void **state)
{
    (void)state;
    near_to((double)cab_pull_of(-6, 0.5f), 3, 0);
    near_to((double)cab_pull_of(6, 0.5f), 0, 0);
    near_to((double)cab_slow_of(2, 0.25f), 1, 0);
    near_to((double)cab_slow_of(2, 4), 0.125, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_at_rest_keeps_its_force), cmocka_unit_test(a_contact_sinks_so_far),
        cmocka_unit_test(overlaps_are_pushed_out_slowly),    cmocka_unit_test(an_edge_counts_in_its_wedge),
        cmocka_unit_test(tension_is_stiff_across),           cmocka_unit_test(matrices_are_inverted),
        cmocka_unit_test(pulls_make_particles_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

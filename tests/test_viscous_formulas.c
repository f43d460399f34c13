/* The formulas of kernels/viscous.h: what they pull by is the derivative of the work that damping takes, whoever holds the roll of a
 * chain, and whether it resists twisting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "twisted.h"

#include "kernels/viscous.h"
#include "model/model.h"

enum { SEGMENTS = 7, PARTICLES = SEGMENTS - 1 };

/* Between segments are particles. The first and the last segment are what clamps hold, which does not move. */
typedef struct chain {
    cab_viscous_segment segment[SEGMENTS];
    float damping[PARTICLES], share[PARTICLES];
    bool start, end, twists;
    float first, last; /* rad a substep: by what the clamps are rolled */
} chain;

static double drawn(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

static vec3 drawn3(unsigned *seed)
{
    float x = (float)drawn(seed), y = (float)drawn(seed), z = (float)drawn(seed);
    return vec3_make(x, y, z);
}

static vec3 unit(vec3 v)
{
    return vec3_scale(v, 1 / vec3_length(v));
}

static vec3 across(vec3 v, vec3 u)
{
    return vec3_sub_scaled(v, vec3_dot(v, u), u);
}

static chain chain_of(unsigned seed)
{
    chain c = {0};
    float sum = 0;
    for (int i = 0; i < SEGMENTS; i++) {
        vec3 u = unit(vec3_add(vec3_make(1, 0, 0), vec3_scale(drawn3(&seed), 1.6f)));
        c.segment[i] = (cab_viscous_segment){u, across(drawn3(&seed), u)};
    }
    for (int i = 0; i < PARTICLES; i++) {
        c.damping[i] = (float)(1 + drawn(&seed));
        c.share[i] = (float)(0.7 + drawn(&seed));
        sum += c.share[i];
    }
    for (int i = 0; i < PARTICLES; i++) c.share[i] /= sum;
    return c;
}

/* Half of the work a substep that is taken; by[i]: what pulls along the motion of segment i. As direct_viscous.cl does it. */
static double work_of(const chain *c, vec3 by[SEGMENTS])
{
    cab_viscous_along found = cab_viscous_begin(), along;
    cab_viscous_twist twist = {0};
    float changes = 0;
    double work = 0;
    if (c->twists) found.spin = c->first;
    for (int i = 0; i < PARTICLES; i++) {
        cab_viscous_turn t = cab_viscous_turn_of(&c->segment[i], &c->segment[i + 1], 0, &found.spin);
        float torque = cab_viscous_torque(&found, &t, c->damping[i], 1);
        cab_viscous_weigh(&twist, &t, torque, c->damping[i], c->share[i]);
    }
    if (c->twists) {
        changes = c->last - found.spin;
        along = cab_viscous_twisted(&found, &twist, c->first, changes);
    } else {
        along = cab_viscous_again(&found, c->start, c->end);
    }
    for (int i = 0; i < SEGMENTS; i++) by[i] = vec3_zero();
    for (int i = 0; i < PARTICLES; i++) {
        cab_viscous_turn t =
            cab_viscous_turn_of(&c->segment[i], &c->segment[i + 1], changes * c->share[i], &along.spin);
        float behind = along.behind, torque = cab_viscous_torque(&along, &t, c->damping[i], 1);
        vec3 pull = cab_viscous_pull(t.kink, behind, torque), bends = vec3_scale(t.change, c->damping[i]);
        by[i] = vec3_add(by[i], vec3_add(pull, bends));
        by[i + 1] = vec3_add(by[i + 1], vec3_sub(pull, bends));
        work += 0.5 * (double)c->damping[i] * (double)vec3_dot(t.change, t.change);
    }
    return work;
}

/* The work is a square of the motion, so a difference to both sides is its derivative; floats leave 1e-4 of it. */
static void pulls_are_derivatives_of_the_work(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        chain c = chain_of(17u + (unsigned)k);
        vec3 by[SEGMENTS], other[SEGMENTS];
        c.start = k % 4 == 1;
        c.end = k % 4 == 2;
        c.twists = k % 4 == 3;
        if (c.start || c.twists) c.segment[0].change = vec3_zero();
        if (c.end || c.twists) c.segment[SEGMENTS - 1].change = vec3_zero();
        c.first = k & 4 ? 0.3f : 0;
        c.last = k & 8 ? -0.2f : 0;
        double size = work_of(&c, by);
        for (int i = 0; i < SEGMENTS; i++) {
            vec3 u = c.segment[i].tangent, was = c.segment[i].change;
            vec3 axis[2] = {unit(across(vec3_make(0, 0.3f, 1), u)), vec3_zero()};
            axis[1] = vec3_cross(u, axis[0]);
            for (int a = 0; a < 2; a++) {
                double work[2];
                for (int side = 0; side < 2; side++) {
                    c.segment[i].change = vec3_add_scaled(was, side ? 0.25f : -0.25f, axis[a]);
                    work[side] = work_of(&c, other);
                }
                c.segment[i].change = was;
                near_to(-(double)vec3_dot(by[i], axis[a]), (work[1] - work[0]) / 0.5, 2e-4 * (1 + size));
            }
        }
    }
}

/* What turns as a whole, clamps and all, loses nothing, and is pulled by nothing. */
static void what_turns_as_a_whole_is_not_damped(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        chain c = chain_of(5u + (unsigned)k);
        vec3 by[SEGMENTS], turning = vec3_make(0.3f, -0.2f, 0.25f);
        c.twists = k & 1;
        for (int i = 0; i < SEGMENTS; i++) c.segment[i].change = vec3_cross(turning, c.segment[i].tangent);
        c.first = vec3_dot(turning, c.segment[0].tangent);
        c.last = vec3_dot(turning, c.segment[SEGMENTS - 1].tangent);
        at_most(work_of(&c, by), 1e-10);
        for (int i = 0; i < SEGMENTS; i++) at_most((double)vec3_length(by[i]), 1e-5); /* floats */
    }
}

/* Of a rod of two materials between two clamps: half a segment at each end, both halves about a particle, as l/GJ; all add up to 1. */
static void shares_of_twist_go_by_length_over_stiffness(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_model *model;
    cab_material_def soft = twisting("wire", GJ, 0), stiff = twisting("stiff", 4 * GJ, 0);
    soft.bending_damping = stiff.bending_damping = 0.1;
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    add_material(scene, soft);
    add_material(scene, stiff);
    add_two_materials(scene, (cab_vec3){0.8, 0, 0}, "stiff", 0.5, 1);
    clamp_rolled(scene, "a", (cab_place){0}, 0);
    clamp_rolled(scene, "a", at_end(), 1);
    must(cab_model_create(scene, NULL, NULL, &model, &error), &error);
    double whole = 20 + 20 / 4.0, sum = 0;
    assert_int_equal(model->viscous_run_count, 1);
    assert_true(model->viscous_run[0].start == 0 && model->viscous_run[0].end == 1);
    for (int i = 0; i <= 40; i++) {
        double before = i == 0 ? 0 : i <= 20 ? 1 : 0.25, after = i == 40 ? 0 : i < 20 ? 1 : 0.25;
        double share = (double)model->viscous_share[model->viscous_bending[i]];
        near_to(share, 0.5 * (before + after) / whole, 1e-6);
        sum += share;
    }
    near_to(sum, 1, 1e-6);
    cab_model_destroy(model);
    cab_scene_destroy(scene);
}

/* Alike, as in a rigid motion, up to a third less, and more: all. Across it, against it, and where nothing turns: nothing. */
static void turning_counts_as_far_as_the_curvature_follows(void **state)
{
    (void)state;
    vec3 turned = vec3_make(3e-3f, -1e-3f, 2e-3f), across = vec3_make(1e-3f, 3e-3f, 0);
    assert_true(cab_viscous_counts(turned, turned) == 1);
    assert_true(cab_viscous_counts(vec3_scale(turned, 0.7f), turned) == 1);
    assert_true(cab_viscous_counts(vec3_scale(turned, 5), turned) == 1);
    vec3 third = vec3_add(vec3_scale(turned, 1.0f / 3), across);
    near_to((double)cab_viscous_counts(third, turned), 0.5, 1e-6);
    assert_true(cab_viscous_counts(across, turned) == 0);
    assert_true(cab_viscous_counts(vec3_scale(turned, -1), turned) == 0);
    assert_true(cab_viscous_counts(turned, vec3_zero()) == 0);
}

/* Of what is bent or damped little all counts; beyond that a share c of T, and c of its pull, so that c^2 G is the most, with
 * G = 4 k^2/l sqrt(damping/mass). Of what is held, all. */
static void the_moment_counts_as_far_as_it_is_resolved(void **state)
{
    (void)state;
    vec3 kink = vec3_make(0.3f, -0.1f, 0.2f);
    double square = 0.14, stiff = 4 * square * 50 * sqrt(0.04 * 2000);
    assert_true(cab_viscous_share(vec3_scale(kink, 0.01f), 0.04f, 50, 2000) == 1);
    assert_true(cab_viscous_share(kink, 0, 50, 2000) == 1);
    assert_true(cab_viscous_share(kink, 0.04f, 50, 0) == 1);
    near_to((double)cab_viscous_share(kink, 0.04f, 50, 2000), sqrt(0.25 / stiff), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulls_are_derivatives_of_the_work),
        cmocka_unit_test(what_turns_as_a_whole_is_not_damped),
        cmocka_unit_test(shares_of_twist_go_by_length_over_stiffness),
        cmocka_unit_test(turning_counts_as_far_as_the_curvature_follows),
        cmocka_unit_test(the_moment_counts_as_far_as_it_is_resolved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

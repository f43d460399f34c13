/* How sections of cables are rolled (cab_world_read_directors) against known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec3.h"
#include "twisted.h"

enum { NODES = 41 }; /* of all cables, as add_two_materials() makes them */

static cab_error error;

#define DAMPING 2 /* 1/s */

static cab_scene *scene_in(cab_way way)
{
    return twist_scene(20, way, DAMPING);
}

static void clamp(cab_scene *scene, cab_place at, double roll)
{
    clamp_rolled(scene, "a", at, roll);
}

static void add_rod(cab_scene *scene)
{
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.8, 0, 0}, NODES - 1);
}

typedef struct rolled {
    cab_vec3 place[NODES], director[NODES];
    double torque[NODES];
    cab_vec3 clamp[2]; /* directions of the first two attachments */
} rolled;

static cab_vec3 tangent_of(const rolled *r, int segment)
{
    return cab_vec3_unit(cab_vec3_sub(r->place[segment + 1], r->place[segment]));
}

static rolled read_rolled(cab_world *world)
{
    rolled r;
    double director[NODES][3];
    snapshot s = read_world(world);
    assert_int_equal(s.nodes, NODES);
    must(cab_world_read_torque(world, r.torque, &error), &error);
    must(cab_world_read_directors(world, director[0], &error), &error);
    for (int i = 0; i < NODES; i++) {
        r.place[i] = (cab_vec3){s.x[i][0], s.x[i][1], s.x[i][2]};
        r.director[i] = (cab_vec3){director[i][0], director[i][1], director[i][2]};
    }
    snapshot_free(&s);
    cab_attachment_info held[3];
    int count = cab_world_get_attachments(world, held, COUNT_OF(held));
    for (int i = 0; i < count && i < 2; i++) r.clamp[i] = cab_vec3_unit(held[i].direction);
    return r;
}

/* Of a rod along x: how far its director is from z turned right-handed about x by `roll`. */
static double off_roll(const rolled *r, int node, double roll)
{
    return cab_vec3_distance(r->director[node], (cab_vec3){0, -sin(roll), cos(roll)});
}

/* Carried as the shortest turn from a to b does; Rodrigues' formula, in double. */
static cab_vec3 turned_along(cab_vec3 v, cab_vec3 a, cab_vec3 b)
{
    cab_vec3 axis = cab_vec3_cross(a, b);
    double cosine = cab_vec3_dot(a, b);
    cab_vec3 turned = cab_vec3_add(cab_vec3_scale(cosine, v), cab_vec3_cross(axis, v));
    return cab_vec3_add_scaled(turned, cab_vec3_dot(axis, v) / (1 + cosine), axis);
}

static cab_vec3 tangent_at(const rolled *r, int node)
{
    if (node == 0) return r->clamp[0];
    if (node == NODES - 1) return r->clamp[1];
    return cab_vec3_unit(cab_vec3_add(tangent_of(r, node - 1), tangent_of(r, node)));
}

/* The twist from a node to the next one, -pi to pi, rad. */
static double twist_in(const rolled *r, int segment)
{
    cab_vec3 t = tangent_of(r, segment);
    cab_vec3 a = turned_along(r->director[segment], tangent_at(r, segment), t);
    cab_vec3 b = turned_along(r->director[segment + 1], tangent_at(r, segment + 1), t);
    return atan2(cab_vec3_dot(cab_vec3_cross(a, b), t), cab_vec3_dot(a, b));
}

static void are_units_across(const rolled *r)
{
    for (int i = 0; i < NODES; i++) {
        near_to(cab_vec3_length(r->director[i]), 1, 1e-6);
        near_to(cab_vec3_dot(r->director[i], tangent_at(r, i)), 0, 1e-6);
    }
}

static const cab_way ways[] = {CAB_WAY_LANES, CAB_WAY_STAGED};
/* Directors are carried in floats, 1e-7 a node. */
static void a_straight_rod_is_rolled_evenly(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (k > 1 && !have_opencl()) continue;
        cab_scene *scene = scene_in(ways[k & 1]);
        add_rod(scene);
        clamp(scene, (cab_place){0}, -1);
        clamp(scene, at_end(), 40);
        cab_world *world = take(scene, devices[k >> 1], 1);
        for (int frame = 0; frame < 3; frame++) {
            rolled r = read_rolled(world);
            for (int i = 0; i < NODES; i++) at_most(off_roll(&r, i, -1 + 41.0 * i / (NODES - 1)), 1e-4);
            step(world, 1);
        }
        cab_world_destroy(world);
    }
}

/* 10 segments of 5 GJ twist by a fifth. */
static void twist_divides_as_its_stiffness(void **state)
{
    (void)state;
    cab_scene *scene = scene_in(CAB_WAY_AUTO);
    add_material(scene, twisting("stiff", 5 * GJ, DAMPING));
    add_two_materials(scene, (cab_vec3){0.8, 0, 0}, "stiff", 0.5, 0.75);
    clamp(scene, (cab_place){0}, 0);
    clamp(scene, at_end(), 3.2);
    cab_world *world = take(scene, "native", 1);
    step(world, 1);
    rolled r = read_rolled(world);
    for (int i = 0; i < NODES; i++) {
        double soft = i < 20 ? i : i < 30 ? 20 : i - 10, stiff = i < 20 ? 0 : i < 30 ? i - 20 : 10;
        at_most(off_roll(&r, i, 0.1 * (soft + 0.2 * stiff)), 1e-4);
    }
    cab_world_destroy(world);
}

/* A rod that is bent out of a plane, then pushed together while its end is rolled by 11 rad and its start by -2. */
static cab_world *bent(cab_way way)
{
    cab_scene *scene = scene_in(way);
    const cab_vec3 path[] = {{0, 0, 0}, {0.2, 0.1, 0.05}, {0.4, -0.1, 0.1}, {0.6, 0, 0.3}};
    const cab_keyframe nearer[] = {{0, {0.6, 0, 0.3}}, {1, {0.45, 0.1, 0.2}}};
    const cab_roll_keyframe roll[] = {{0, 0}, {1, 11}};
    cab_cable_def cable = straight_of("a", "wire", path, NODES - 1);
    cable.path_count = COUNT_OF(path);
    add_cable(scene, cable);
    clamp(scene, (cab_place){0}, -2);
    clamp_led(scene, nearer, roll);
    return take(scene, "native", 1);
}

/* The twist in all of a rod, rad, which is even. Lengths are met to 1e-6, directors are floats. */
static double twist_of(const rolled *r, double length)
{
    double phi = 0;
    for (int i = 0; i + 1 < NODES; i++) phi += twist_in(r, i);
    for (int i = 0; i + 1 < NODES; i++)
        near_to(twist_in(r, i), phi * cab_vec3_distance(r->place[i], r->place[i + 1]) / length, 1e-5);
    return phi;
}

/* However it moves, each segment has its share of twist, those at the clamps as well, and all of it together is what its moment tells,
 * which is that of the substep before: 0.02 rad. */
static void a_bent_rod_is_twisted_evenly(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        cab_world *world = bent(ways[k]);
        double length = cab_world_get_cable(world, 0).length;
        rolled first = read_rolled(world), r;
        for (int frame = 0; frame < 120; frame++) {
            step(world, 1);
            r = read_rolled(world);
            are_units_across(&r);
            near_to(twist_of(&r, length), r.torque[0] * length / GJ, 2e-2);
        }
        cab_vec3 t = first.clamp[1], d = first.director[NODES - 1];
        cab_vec3 expected = cab_vec3_add_scaled(cab_vec3_scale(cos(11), d), sin(11), cab_vec3_cross(t, d));
        at_most(cab_vec3_distance(r.director[NODES - 1], expected), 1e-4);
        cab_world_destroy(world);
    }
}

/* It rolls with its clamp; without one it is not known how, and what does not resist has none. */
static void a_free_end_goes_along(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        cab_scene *scene = scene_in(CAB_WAY_AUTO);
        if (k == 2) add_material(scene, twisting("limp", 0, DAMPING));
        const cab_vec3 path[2] = {{0, 0, 0}, {0.8, 0, 0}};
        add_cable(scene, straight_of("a", k == 2 ? "limp" : "wire", path, NODES - 1));
        if (k == 0)
            clamp(scene, at_end(), 2);
        else
            hold(scene, "a", at_end(), false);
        cab_world *world = take(scene, "native", 1);
        step(world, 1);
        rolled r = read_rolled(world);
        for (int i = 0; i < NODES; i++) {
            if (k < 2) at_most(off_roll(&r, i, k ? 0 : 2), 1e-4);
            if (k == 2) assert_true(cab_vec3_length(r.director[i]) == 0);
        }
        cab_world_destroy(world);
    }
}

/* Segments 16 to 23 turn freely. */
static void what_turns_freely_keeps_its_sides_apart(void **state)
{
    (void)state;
    cab_scene *scene = scene_in(CAB_WAY_AUTO);
    add_material(scene, twisting("limp", 0, DAMPING));
    add_two_materials(scene, (cab_vec3){0.8, 0, 0}, "limp", 0.4, 0.6);
    clamp(scene, (cab_place){0}, 1);
    clamp(scene, at_end(), 2.5);
    cab_world *world = take(scene, "native", 1);
    step(world, 1);
    rolled r = read_rolled(world);
    for (int i = 0; i < NODES; i++) at_most(off_roll(&r, i, i < 24 ? 1 : 2.5), 1e-4);
    cab_world_destroy(world);
}

/* Each side of a clamp has its own twist. When it lets go there is one for both, and no turn is lost. */
static void a_clamp_that_lets_go_holds_no_roll(void **state)
{
    (void)state;
    cab_scene *scene = scene_in(CAB_WAY_AUTO);
    add_rod(scene);
    clamp(scene, (cab_place){0}, 0);
    cab_attachment_def middle = held_at("a", at_fraction(0.5));
    middle.clamp = true;
    middle.break_force = 0.5;
    middle.roll = 8;
    add_attachment(scene, middle);
    clamp(scene, at_end(), 4);
    cab_load_def load = load_at("a", at_fraction(0.5));
    const cab_keyframe force[] = {{0, {0, 0, 0}}, {0.1, {0, 0, 0}}, {0.2, {0, 0, -1}}, {0.4, {0, 0, 0}}};
    load.force_keyframes = force;
    load.force_keyframe_count = 4;
    add_load(scene, load);
    cab_world *world = take(scene, "native", 1);
    step(world, 2);
    rolled r = read_rolled(world);
    for (int i = 0; i < NODES; i++) at_most(off_roll(&r, i, i < 20 ? 0.4 * i : 8 - 0.2 * (i - 20)), 1e-3);
    step(world, 900);
    r = read_rolled(world);
    for (int i = 0; i < NODES; i++) near_to(off_roll(&r, i, 0.1 * i), 0, 2e-3); /* it still swings */
    cab_world_destroy(world);
}

/* What the user rolls arrives a frame later. */
static void a_clamp_rolled_by_call(void **state)
{
    (void)state;
    cab_scene *scene = scene_in(CAB_WAY_AUTO);
    add_rod(scene);
    clamp(scene, (cab_place){0}, 0);
    clamp(scene, at_end(), 0);
    cab_world *world = take(scene, "native", 1);
    must(cab_world_set_roll(world, 1, 2, &error), &error);
    rolled r = read_rolled(world);
    at_most(off_roll(&r, NODES - 1, 0), 1e-6);
    step(world, 1);
    r = read_rolled(world);
    for (int i = 0; i < NODES; i++) at_most(off_roll(&r, i, 0.05 * i), 1e-4);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_rod_is_rolled_evenly),
        cmocka_unit_test(twist_divides_as_its_stiffness),
        cmocka_unit_test(a_bent_rod_is_twisted_evenly),
        cmocka_unit_test(a_free_end_goes_along),
        cmocka_unit_test(what_turns_freely_keeps_its_sides_apart),
        cmocka_unit_test(a_clamp_that_lets_go_holds_no_roll),
        cmocka_unit_test(a_clamp_rolled_by_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

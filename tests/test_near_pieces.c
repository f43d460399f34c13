/* Frames of contact in lanes in which something is fast: in pieces (carrier/near_pieces.h). Which of them are, that they are as right as stage by
 * stage, and that they depend on the state only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "state.h"
#include "world/pieces.h"
#include "world/world.h"
#include "worlds.h"

#define SPIN 100.0 /* rad/s */
#define SLIDE 4.8  /* m/s */

/* Where substeps may be cut. */
static cab_scene *scene_in_pieces(cab_way way)
{
    cab_scene *scene = scene_by(way);
    cab_scene_settings(scene)->max_substeps = cab_settings_default().max_substeps;
    return scene;
}

/* A cable that falls across a bar, differently for each number. */
static cab_scene *across_a_bar(int number, cab_way way, int substeps)
{
    cab_scene *scene = scene_in_pieces(way);
    cab_scene_settings(scene)->substeps = substeps;
    double x = 0.06 + 0.02 * number, tilt = 0.02 * (number % 5 - 2);
    cab_cable_def cable =
        straight_of("a", "wire", (cab_vec3[2]){{0, 0, 0.25}, {0.4, 0, 0.25 + tilt}}, SEGMENTS);
    cable.velocity = (cab_vec3){0, 0, -0.8 - 0.3 * (number % 4)};
    add_cable(scene, cable);
    add_collider(scene, bar_of((cab_vec3){x, -0.5, 0}, (cab_vec3){x, 0.5, 0}, 0.01 + 0.005 * (number % 3)));
    return scene;
}

/* What falls on a bar differs from run to run as soon as anything differs: with 320 substeps by 0.4 mm from what 640 give, four frames after it has
 * hit. So is judged how far it is from that on the average (of logarithms): in pieces, which are as many in a frame for all, no
 * further than stage by stage; 1.2 allows for the chance in twelve falls, of which each is off by a factor of up to three. */
static void what_falls_on_a_bar_is_as_right(void **state)
{
    (void)state;
    enum { FALLS = 12 };
    double sum = 0;
    for (int number = 0; number < FALLS; number++) {
        cab_world *world = take(across_a_bar(number, CAB_WAY_AUTO, 20), "native", 1),
                  *staged = take(across_a_bar(number, CAB_WAY_STAGED, 20), "native", 1),
                  *fine = take(across_a_bar(number, CAB_WAY_STAGED, 640), "native", 2);
        int hit = 0, near = 0;
        for (int frame = 1; hit == 0 || frame <= hit + 4; frame++) {
            step(world, 1);
            step(staged, 1);
            step(fine, 1);
            near += world->clear.near;
            if (hit == 0 && measure(world).contacts_max > 0) hit = frame;
        }
        assert_true(near >= 4);
        sum += log(difference(world, fine) / difference(staged, fine));
        cab_world_destroy(world);
        cab_world_destroy(staged);
        cab_world_destroy(fine);
    }
    at_most(exp(sum / FALLS), 1.2);
}

/* A cable that is thrown down just above a bar: its first frame is computed stage by stage, in pieces. */
static cab_scene *begun_in_pieces(cab_way way)
{
    cab_scene *scene = scene_in_pieces(way);
    cab_cable_def cable = straight_of("a", "wire", (cab_vec3[2]){{0, 0, 0.06}, {0.4, 0, 0.08}}, SEGMENTS);
    cable.velocity = (cab_vec3){0, 0, -3};
    add_cable(scene, cable);
    add_collider(scene, bar_of((cab_vec3){0.2, -0.5, 0}, (cab_vec3){0.2, 0.5, 0}, 0.02));
    return scene;
}

/* Who is in pieces stage by stage goes on in lanes, in as many, and ends with whole substeps; frames without anything near that come between are in
 * pieces, too. */
static void what_began_in_pieces_goes_on_in_lanes(void **state)
{
    (void)state;
    cab_world *world = take(begun_in_pieces(CAB_WAY_AUTO), "native", 1);
    int staged = 0, cut = 0, whole = 0;
    for (int frame = 0; frame < 30; frame++) {
        step(world, 1);
        at_most(measure(world).stretch_max, 1e-3);
        staged += cab_pieces_any(world);
        assert_true(frame == 0 || !cab_pieces_any(world));
        cut += frame > 0 && world->clear.near && world->clear.near_level > 0;
        whole += frame > 0 && world->clear.near_level == 0;
    }
    assert_int_equal(staged, 1);
    assert_true(cut >= 3 && whole >= 3);
    cab_world_destroy(world);
}

/* A cable that slides lengthwise over a wide drum, to which it is nearly a plane. */
static cab_scene *sliding_over(cab_way way)
{
    cab_scene *scene = scene_in_pieces(way);
    cab_vec3 ends[2] = {{-0.3, 0, RADIUS}, {0.1, 0, RADIUS}};
    cab_cable_def cable = straight_of("a", "wire", ends, SEGMENTS);
    cable.velocity = (cab_vec3){SLIDE, 0, 0};
    add_cable(scene, cable);
    add_collider(scene, bar_of((cab_vec3){0, -0.5, -5}, (cab_vec3){0, 0.5, -5}, 5));
    return scene;
}

/* It comes nearer to that by less than whole substeps allow, but a quarter of its way, 4 mm in a substep, is 2.7 times what whole substeps allow. */
static void what_slides_is_cut(void **state)
{
    (void)state;
    cab_world *world = take(sliding_over(CAB_WAY_AUTO), "native", 1);
    for (int frame = 0; frame < 3; frame++) {
        step(world, 1);
        at_most(measure(world).stretch_max, 1e-3);
        assert_true(frame == 0 || (world->clear.near && world->clear.near_level >= 1));
    }
    cab_world_destroy(world);
}

/* A cable that spins in the air above a floor that it does not reach: nothing is fast beside a collider. */
static cab_scene *spinning(cab_way way)
{
    cab_scene *scene = across_a_bar(0, way, 5);
    cab_cable_def spun = straight_of("b", "wire", (cab_vec3[2]){{-0.1, 2, 0.3}, {0.1, 2, 0.3}}, SEGMENTS / 2);
    const cab_velocity_row rows[2] = {{0, {0, SPIN * 0.1, 0}}, {1, {0, -SPIN * 0.1, 0}}};
    spun.motion.along = rows;
    spun.motion.along_count = 2;
    add_cable(scene, spun);
    add_floor(scene, -0.1);
    return scene;
}

/* A segment that turns by a quarter of a right angle in a substep is off its length after it, wherever it is. */
static void what_turns_is_cut(void **state)
{
    (void)state;
    cab_world *world = take(spinning(CAB_WAY_AUTO), "native", 1);
    int cut = 0;
    for (int frame = 0; frame < 10; frame++) {
        step(world, 1);
        at_most(measure(world).stretch_max, 1e-3);
        cut += world->clear.near && world->clear.near_level > 0;
    }
    assert_true(cut >= 5);
    cab_world_destroy(world);
}

/* The same bytes on both backends, on any number of threads, and after going on from a state at any frame. */
static void the_state_decides(void **state)
{
    (void)state;
    static scene_maker *const maker = begun_in_pieces;
    assert_true(same_everywhere(made_by, &maker, 12, is_near).set >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_on_a_bar_is_as_right),
        cmocka_unit_test(what_began_in_pieces_goes_on_in_lanes),
        cmocka_unit_test(what_slides_is_cut),
        cmocka_unit_test(what_turns_is_cut),
        cmocka_unit_test(the_state_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What cloth, plants and banners of sheets do in a world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sheets.h"

/* A grain and a stick of 0.1 m in a box of 1 m, thrown: they stay inside at every frame and end at rest on
 * the floor, the stick as long as ever. Nothing bounces: no speed is left. */
static void a_stick_in_a_box_comes_to_rest(void **state)
{
    (void)state;
    cab_scene *scene = load("box");
    cab_world *world = native_world(scene);
    for (int frame = 0; frame < 240; frame++) {
        step(world, 1);
        snapshot s = read_world(world);
        for (int p = 0; p < s.nodes; p++) {
            for (int k = 0; k < 3; k++) {
                at_least(s.x[p][k], 0.01 - 1e-4); /* 1 % of the radius */
                at_most(s.x[p][k], 0.99 + 1e-4);
            }
        }
        near_to(distance3(s.x[2], s.x[3]), 0.1 * hypot(0.7, 0.7), 1e-3); /* 1 % while it hits a wall */
        snapshot_free(&s);
    }
    snapshot s = read_world(world);
    for (int p = 0; p < s.nodes; p++) near_to(s.x[p][2], 0.01, 1e-6);
    at_most(measure(world).speed_max, 1e-5);
    snapshot_free(&s);
    cab_world_destroy(world);
    assert_same_everywhere(scene, 60, "box");
    cab_scene_destroy(scene);
}

/* Jakobsen: for cloth one iteration is enough. All of it hangs on two particles, so their links are long; but
 * a mean of 1 % cannot be seen. */
static void a_cloth_of_sticks_needs_one_iteration(void **state)
{
    (void)state;
    cab_scene *scene = load("cloth-sticks");
    assert_int_equal(cab_scene_settings(scene)->iterations, 1);
    cab_world *world = native_world(scene);
    step(world, 180);
    cab_measures m = measure(world);
    at_most(m.stretch_mean, 0.015);
    at_most(m.stretch_max, 0.25);
    snapshot s = read_world(world);
    near_to(distance3(s.x[0], (const double[3]){0, 0, 1}), 0, 1e-6); /* inverse mass 0 */
    at_most(s.x[255][2], 0.2);
    snapshot_free(&s);
    cab_world_destroy(world);
    assert_same_everywhere(scene, 20, "cloth-sticks");
    cab_scene_destroy(scene);
}

static double tip_of_plant(cab_scene *scene, double *aside)
{
    double tip[3];
    cab_world *world = native_world(scene);
    step(world, 180);
    node_place(world, 6, tip);
    *aside = hypot(tip[0], tip[1]);
    cab_world_destroy(world);
    return tip[2];
}

/* Support sticks between vertices that share a neighbour keep a plant upright; with one iteration it gives
 * way to a wind, with more it is stiffer (Jakobsen, section 4). */
static void support_sticks_hold_a_plant(void **state)
{
    (void)state;
    double soft, stiff, lying;
    cab_scene *scene = load("plant");
    at_least(tip_of_plant(scene, &soft), 0.58);
    cab_scene_settings(scene)->iterations = 10;
    at_least(tip_of_plant(scene, &stiff), 0.59);
    at_least(soft, 0.01);
    at_most(stiff, soft / 4);
    cab_scene_settings(scene)->iterations = 1;
    assert_int_equal(scene->sheets[0].stick_count, 86);
    scene->sheets[0].stick_count = 46; /* without the supports, which come last */
    at_most(tip_of_plant(scene, &lying), 0);
    cab_scene_destroy(scene);
}

/* Springs along links, diagonals and second neighbours: total energy goes down only, and the cloth hangs
 * on its two corners. */
static void a_cloth_of_springs_hangs(void **state)
{
    (void)state;
    cab_scene *scene = load("cloth-springs");
    cab_world *world = native_world(scene);
    cab_measures m = measure(world);
    double before = m.kinetic + m.potential, all = before;
    for (int frame = 0; frame < 180; frame++) {
        step(world, 1);
        m = measure(world);
        at_most(m.kinetic + m.potential, before + 1e-3 * all); /* of symplectic Euler's ripple */
        before = m.kinetic + m.potential;
    }
    at_most(m.stretch_max, 0.1);
    at_least(m.stretch_max, 0.01); /* they are springs */
    cab_world_destroy(world);
    assert_same_everywhere(scene, 10, "cloth-springs");
    cab_scene_destroy(scene);
}

static void note_warning(void *user, const char *text)
{
    snprintf(user, 512, "%s", text);
}

/* By Gershgorin 27 substeps are enough, and with 10 the cloth flies apart. */
static void springs_too_stiff_are_warned_of(void **state)
{
    (void)state;
    char text[512] = "";
    cab_error error = {0};
    cab_scene *scene = load("cloth-springs");
    must(cab_scene_check(scene, note_warning, text, &error), &error);
    assert_string_equal(text, "");
    cab_scene_settings(scene)->substeps = 10;
    must(cab_scene_check(scene, note_warning, text, &error), &error);
    assert_string_equal(text,
                        "sheet \"cloth\": springs as stiff as these may diverge with 10 substeps; 27 are "
                        "enough");
    cab_world *world = native_world(scene);
    must_fail(cab_world_step(world, 10, &error), CAB_ERROR_DIVERGED, &error, "cable \"cloth\"");
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* 1 kg and 10 g on a stick, the light one pulled along it by 1.01 N: together they go 1 m/s after 1 s.
 * Weighing corrections by inverse mass keeps momentum; halves would not. */
static void masses_of_one_to_a_hundred_share_momentum(void **state)
{
    (void)state;
    cab_scene *scene = load("mass-ratio");
    cab_world *world = native_world(scene);
    step(world, 60);
    snapshot s = read_world(world);
    near_to((s.v[0][0] + 0.01 * s.v[1][0]) / 1.01, 1, 2e-5); /* 240 substeps of floats */
    near_to(s.v[1][0], s.v[0][0], 1e-4);
    near_to(distance3(s.x[0], s.x[1]), 1, 1e-6);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A banner on two ropes: each sewn to a corner of the cloth shares its particle. */
static cab_scene *banner_scene(void)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->iterations = 4;
    settings->contact.cables = true;
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_error error = {0};
    cab_sheet_def sheet = cab_sheet_default();
    sheet.name = "banner";
    sheet.material = "wire";
    sheet.along = (cab_vec3){1, 0, 0};
    sheet.across = (cab_vec3){0, 0, -0.5};
    sheet.count[0] = 11;
    sheet.count[1] = 6;
    sheet.diagonals = CAB_DIAGONALS_BOTH;
    sheet.area_density = 0.2;
    add_straight(scene, "left", (cab_vec3){-0.5, 0, 0.5}, (cab_vec3){0, 0, 0}, 10);
    add_straight(scene, "right", (cab_vec3){1.5, 0, 0.5}, (cab_vec3){1, 0, 0}, 10);
    must(cab_scene_add_sheet(scene, &sheet, &error), &error);
    for (int i = 0; i < 2; i++) {
        cab_attachment_def sewn = held_at(i ? "right" : "left", at_end());
        hold(scene, sewn.cable, (cab_place){0}, false);
        sewn.to = CAB_TARGET_SHEET;
        sewn.target = "banner";
        sewn.target_at = (cab_place){.kind = CAB_PLACE_CORNER, .particle = i};
        add_attachment(scene, sewn);
    }
    return scene;
}

static void cables_can_be_sewn_to_sheets(void **state)
{
    (void)state;
    cab_scene *scene = banner_scene();
    cab_world *world = native_world(scene);
    cab_world_info info = cab_world_get_info(world);
    assert_int_equal(info.cables, 2);
    assert_int_equal(info.sheets, 1);
    assert_int_equal(info.nodes, 2 * 11 + 66);
    assert_int_equal(info.particles, info.nodes - 2);
    assert_int_equal(info.cells, 50);
    cab_sheet_info sheet = cab_world_get_sheet(world, 0);
    assert_string_equal(sheet.name, "banner");
    assert_true(sheet.first_node == 22 && sheet.node_count == 66 && sheet.cell_count == 50);
    int cells[50][4];
    cab_world_get_cells(world, cells[0]);
    assert_true(cells[0][0] == 22 && cells[0][1] == 23 && cells[0][2] == 34 && cells[0][3] == 33);
    step(world, 120);
    snapshot s = read_world(world);
    assert_memory_equal(s.x[10], s.x[22], sizeof s.x[10]);
    assert_memory_equal(s.x[21], s.x[32], sizeof s.x[21]);
    assert_true(s.tension[22] == 0 && s.tension[5] > 0);
    /* 1 kg/m of rope and 0.1 kg of cloth hang symmetrically; XPBD of 80 iterations a frame */
    near_to(s.x[10][2], s.x[21][2], 2e-3);
    at_most(measure(world).stretch_max, 0.02);
    snapshot_free(&s);
    cab_world_destroy(world);
    assert_same_everywhere(scene, 10, "banner");
    cab_scene_destroy(scene);
}

/* A cloth dropped across a held rope stays on it, though the rope is thinner than its meshes: threads touch
 * it. */
static void a_cloth_lies_over_a_rope(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact.cables = cab_scene_settings(scene)->contact.self = true;
    add_material(scene, wire_of("wire", 0.01, 0));
    add_straight(scene, "rope", (cab_vec3){-0.5, 0, 0}, (cab_vec3){0.5, 0, 0}, 10);
    hold(scene, "rope", (cab_place){0}, false);
    hold(scene, "rope", at_end(), false);
    cab_error error = {0};
    cab_sheet_def sheet = cab_sheet_default();
    sheet.name = "cloth";
    sheet.material = "wire";
    sheet.corner = (cab_vec3){-0.2, -0.2, 0.05};
    sheet.along = (cab_vec3){0.4, 0, 0};
    sheet.across = (cab_vec3){0, 0.4, 0};
    sheet.count[0] = sheet.count[1] = 6;
    sheet.diagonals = CAB_DIAGONALS_ONE;
    sheet.area_density = 0.1;
    must(cab_scene_add_sheet(scene, &sheet, &error), &error);
    cab_world *world = native_world(scene);
    step(world, 90);
    snapshot s = read_world(world);
    double mean = 0;
    for (int i = 11; i < s.nodes; i++) mean += s.x[i][2] / (s.nodes - 11);
    at_least(mean, -0.3); /* free fall would be at -11 m */
    at_most(measure(world).penetration_max, 1e-3);
    snapshot_free(&s);
    cab_world_destroy(world);
    assert_same_everywhere(scene, 20, "cloth on a rope");
    cab_scene_destroy(scene);
}

/* A held corner can be led, and an attachment elsewhere pulls the cloth there. */
static void corners_follow_keyframes(void **state)
{
    (void)state;
    cab_scene *scene = banner_scene();
    const cab_keyframe path[] = {{0, {0, 0, -0.5}}, {1, {0, 0.3, -0.3}}};
    cab_attachment_def led = cab_attachment_default();
    led.sheet = "banner";
    led.at = (cab_place){.kind = CAB_PLACE_CORNER, .particle = 2};
    led.to = CAB_TARGET_KEYFRAMES;
    led.keyframes = path;
    led.keyframe_count = 2;
    add_attachment(scene, led);
    cab_world *world = native_world(scene);
    double corner[3];
    step(world, 60);
    node_place(world, 22 + 55, corner);
    near_to(distance3(corner, (const double[3]){0, 0.3, -0.3}), 0, 1e-6);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stick_in_a_box_comes_to_rest),
        cmocka_unit_test(a_cloth_of_sticks_needs_one_iteration),
        cmocka_unit_test(support_sticks_hold_a_plant),
        cmocka_unit_test(a_cloth_of_springs_hangs),
        cmocka_unit_test(springs_too_stiff_are_warned_of),
        cmocka_unit_test(masses_of_one_to_a_hundred_share_momentum),
        cmocka_unit_test(cables_can_be_sewn_to_sheets),
        cmocka_unit_test(a_cloth_lies_over_a_rope),
        cmocka_unit_test(corners_follow_keyframes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

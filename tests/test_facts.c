/* What became of cables, against known answers: bends, tensions, lengths, sag, clearances. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world/facts.h"
#include "worlds.h"

static const cab_vec3 gravity = {0, 0, -9.81};
static cab_error error;

static cab_scene *scene_with_wire(int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 5;
    add_material(scene, wire);
    return scene;
}

/* An arc of 2 rad that goes over into a straight line: nodes on a circle have its radius, however many. */
static void an_arc_has_its_radius(void **state)
{
    (void)state;
    const double radius = 0.2, angle = 2;
    for (int fine = 0; fine < 2; fine++) {
        enum { MOST = 200 };
        int arc = fine ? 64 : 8, n = arc + 9, before = 5; /* another cable comes first */
        double x[MOST][3], v[MOST][3], tension[MOST] = {0};
        memset(x, 0, sizeof x);
        memset(v, 0, sizeof v);
        double step = angle / arc, side = 2 * radius * sin(step / 2);
        for (int i = 0; i <= arc; i++) {
            double a = (i - arc) * step;
            x[before + i][0] = radius * sin(a);
            x[before + i][2] = radius * (1 - cos(a));
        }
        for (int i = 1; i <= 8; i++) x[before + arc + i][0] = i * side;
        tension[before + 2] = 3;
        tension[before + n - 2] = 2.5;
        tension[0] = 99;
        v[before + 3][1] = -4;
        v[before + 3][2] = 3;
        v[0][0] = 99;
        cab_cable_info cable = {.first_node = before, .node_count = n, .length = 0.7};
        cab_cable_facts facts;
        cab_facts_of(&cable, x[0], v[0], tension, gravity, &facts);
        double length = (arc + 8) * side;
        near_to(facts.rest_length, 0.7, 0);
        near_to(facts.length, length, 1e-12);
        near_to(facts.bend_radius, radius, 1e-12); /* doubles */
        assert_in_range(facts.bend_node, before + 1, before + arc - 1);
        near_to(facts.bend_at, (facts.bend_node - before) * side / length, 1e-12);
        near_to(facts.tension, 3, 0);
        assert_int_equal(facts.tension_node, before + 2);
        near_to(facts.tension_at, 2.5 * side / length, 1e-12);
        near_to(facts.speed, 5, 1e-12);
    }
}

/* Below the straight line from end to end, along gravity: of a bow under a slope, not from its lowest end. */
static void sag_is_counted_from_the_chord(void **state)
{
    (void)state;
    double x[5][3] = {{0, 0, 1}, {0.25, 0, 1.15}, {0.5, 0.1, 1.2}, {0.75, 0, 1.7}, {1, 0, 2}};
    double v[5][3], tension[5] = {0};
    memset(v, 0, sizeof v);
    cab_cable_info cable = {.node_count = 5};
    cab_cable_facts facts;
    cab_facts_of(&cable, x[0], v[0], tension, gravity, &facts);
    near_to(facts.sag, 0.3, 1e-12); /* the line is at 1.5 there */
    assert_int_equal(facts.sag_node, 2);
    cab_facts_of(&cable, x[0], v[0], tension, (cab_vec3){0, 0, 0}, &facts);
    near_to(facts.sag, 0, 0);
    assert_int_equal(facts.sag_node, -1);
    for (int i = 0; i < 5; i++) x[i][0] = x[i][1] = 0; /* upright */
    cab_facts_of(&cable, x[0], v[0], tension, gravity, &facts);
    near_to(facts.sag, 0, 0);
}

/* Hangs from its start: the first segment bears all but half a segment's weight; length and tension at two
 * resolutions, on both backends. */
static void a_hanging_cable_bears_its_weight_at_the_top(void **state)
{
    (void)state;
    char pocl[32];
    const char *devices[2] = {"native", find_device("Portable Computing Language", pocl) ? pocl : NULL};
    for (int k = 0; k < 4; k++) {
        int n = k % 2 ? 40 : 10;
        if (!devices[k / 2]) continue;
        cab_scene *scene = scene_with_wire(20);
        cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
        add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1}, n);
        hold(scene, "a", (cab_place){0}, false);
        cab_world *world = world_on(scene, devices[k / 2], 2);
        step(world, 240);
        cab_cable_facts facts;
        must(cab_world_get_facts(world, &facts, &error), &error);
        double weight = 0.05 * 9.81;
        near_to(facts.tension, weight * (1 - 0.5 / n),
                0.01 * weight); /* what rounding of a rigid length makes of one reading */
        assert_int_equal(facts.tension_node, 0);
        near_to(facts.tension_at, 0.5 / n, 1e-4);
        near_to(facts.length, 1, 1e-4);
        near_to(facts.rest_length, 1, 1e-12);
        at_least(facts.bend_radius, 10);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* One segment has no bend; nodes on one another, as on a drum, neither. */
static void what_has_no_bend_is_straight(void **state)
{
    (void)state;
    const double x[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 0}}, v[4][3] = {{0}};
    const double tension[4] = {0, 0, -1, 0};
    cab_cable_info cable = {.first_node = 2, .node_count = 2};
    cab_cable_facts facts;
    cab_facts_of(&cable, x[0], v[0], tension, gravity, &facts);
    assert_true(isinf(facts.bend_radius));
    assert_int_equal(facts.bend_node, -1);
    near_to(facts.tension, -1, 0);
    near_to(facts.tension_at, 0.5, 0);
    cable.first_node = 0, cable.node_count = 4;
    cab_facts_of(&cable, x[0], v[0], tension, gravity, &facts);
    assert_true(isinf(facts.bend_radius));
    near_to(facts.length, 1, 0);
    cable.node_count = 3;
    cab_facts_of(&cable, x[0], v[0], tension, gravity, &facts); /* no length at all */
    near_to(facts.length, 0, 0);
    near_to(facts.tension_at, 0, 0);
}

/* ---- clearances ---- */

enum { MOST = 8 };
static cab_clearance to_cables[MOST], to_colliders[MOST];

static void clearances(cab_scene *scene, double range)
{
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_world *world = native_world(scene);
    must(cab_world_get_clearances(world, range, to_cables, to_colliders, &error), &error);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Crossing, parallel, end to end, and one too far away; coarse and fine. Floats of 1 m: 1e-6 m. */
static void cables_are_apart_by_what_lies_between_their_surfaces(void **state)
{
    (void)state;
    for (int segments = 1; segments <= 50; segments += 49) {
        cab_scene *scene = scene_with_wire(1);
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, segments);
        add_straight(scene, "crosses", (cab_vec3){0.31, -0.5, 0.02}, (cab_vec3){0.31, 0.5, 0.02}, segments);
        add_straight(scene, "beside", (cab_vec3){0.5, 0.03, 0}, (cab_vec3){1.5, 0.03, 0}, segments);
        add_straight(scene, "ahead", (cab_vec3){-1.01, 0, 0}, (cab_vec3){-0.01, 0, 0}, segments);
        add_straight(scene, "far", (cab_vec3){0, 5, 0}, (cab_vec3){1, 5, 0}, segments);
        clearances(scene, 0.05);
        near_to(to_cables[0].distance, 0.004, 1e-6); /* to the one ahead: 10 mm less two radii */
        assert_int_equal(to_cables[0].other, 3);
        near_to(to_cables[0].place.x, 0, 1e-6);
        near_to(to_cables[1].distance, 0.014, 1e-6);
        assert_int_equal(to_cables[1].other, 0);
        near_to(to_cables[1].place.y, 0, 1e-6);
        near_to(to_cables[2].distance, 0.024, 1e-6);
        near_to(to_cables[3].distance, 0.004, 1e-6);
        assert_int_equal(to_cables[3].other, 0);
        assert_true(isinf(to_cables[4].distance));
        assert_int_equal(to_cables[4].other, -1);
        assert_int_equal(to_cables[4].node, -1);
        for (int i = 0; i < 5; i++) assert_true(isinf(to_colliders[i].distance));
    }
}

/* Neighbours on a cable and through a joint do not count; a loop that closes does. */
static void neighbours_do_not_count(void **state)
{
    (void)state;
    cab_scene *scene = scene_with_wire(1);
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, 20);
    add_straight(scene, "b", (cab_vec3){1, 0, 0}, (cab_vec3){1, 1, 0}, 20);
    join(scene, "b", (cab_place){0}, "a", at_end());
    const cab_vec3 path[5] = {{0, 0, 3}, {0.5, 0, 3}, {0.5, 0.3, 3}, {0.25, 0.3, 3.01}, {0.25, -0.2, 3.02}};
    cab_cable_def loop = straight_of("loop", "wire", path, 600);
    loop.path_count = 5;
    add_cable(scene, loop);
    clearances(scene, 0.05);
    /* no more than 2 r + one segment apart along both: farther along they are at a right angle, 0.056 m of
     * arc away at least, which is 0.039 m less two radii */
    at_least(to_cables[0].distance, 0.03);
    assert_int_equal(to_cables[2].other, 2);
    /* The last leg is 16 mm over the first one. Segments of 2.1 mm cut corners by less than that, on a slope
     * of 1 in 25. */
    near_to(to_cables[2].distance, 0.016 - 0.006, 1e-4);
}

/* A wire over each shape, 20 mm from its surface, and in one of them. */
static void colliders_are_apart_by_what_lies_between(void **state)
{
    (void)state;
    for (int segments = 2; segments <= 40; segments += 38) {
        cab_scene *scene = scene_with_wire(1);
        add_floor(scene, -1);
        cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, 0});
        ball.radius = 0.1;
        add_collider(scene, ball);
        cab_collider_def box = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 3, 0});
        box.half_extents = (cab_vec3){0.1, 0.1, 0.1};
        box.rotation[0] = cos(M_PI / 8), box.rotation[1] = sin(M_PI / 8); /* an edge is on top */
        add_collider(scene, box);
        add_straight(scene, "floor", (cab_vec3){5, 0, -0.977}, (cab_vec3){6, 0, -0.9}, segments);
        add_straight(scene, "ball", (cab_vec3){-0.33, 0, 0.123}, (cab_vec3){0.5, 0, 0.123}, segments);
        add_straight(scene, "box", (cab_vec3){-0.3, 3, 0.1 * sqrt(2) + 0.023},
                     (cab_vec3){0.34, 3, 0.1 * sqrt(2) + 0.023}, segments);
        add_straight(scene, "inside", (cab_vec3){0, -0.05, 0}, (cab_vec3){0, 0.02, 0}, segments);
        clearances(scene, 0.05);
        for (int i = 0; i < 3; i++) near_to(to_colliders[i].distance, 0.02, 2e-6); /* floats of 6 m */
        for (int i = 0; i < 3; i++) assert_int_equal(to_colliders[i].other, i);
        near_to(to_colliders[1].place.x, 0, 2e-3); /* flat there: 1e-6 m nearer over 0.5 mm */
        near_to(to_colliders[3].distance, -0.103, 2e-6);
        assert_true(isinf(to_cables[0].distance));
    }
}

/* A mesh, and one that has been moved; what the cable is attached to counts only farther along it. */
static void meshes_that_have_moved_and_what_is_attached(void **state)
{
    (void)state;
    static cab_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    cab_scene *scene = scene_with_wire(1);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_collider_def mesh = shape_at(CAB_SHAPE_MESH, (cab_vec3){0, 0, 0});
    mesh.mesh = (cab_mesh){.vertices = corners, .vertex_count = 4, .triangles = faces, .triangle_count = 4};
    add_collider(scene, mesh);
    add_straight(scene, "a", (cab_vec3){0.2, -0.023, 0.2}, (cab_vec3){0.2, -0.023, 0.3}, 3);
    cab_world *world = native_world(scene);
    must(cab_world_get_clearances(world, 0.05, NULL, to_colliders, &error), &error);
    near_to(to_colliders[0].distance, 0.02, 1e-4); /* as promised for meshes */
    cab_pose pose = {.position = {0, -0.013, 0}, .rotation = {1, 0, 0, 0}};
    must(cab_world_set_collider(world, 0, pose, &error), &error);
    step(world, 1);
    must(cab_world_get_clearances(world, 0.05, NULL, to_colliders, &error), &error);
    near_to(to_colliders[0].distance, 0.007, 1e-4);
    must_fail(cab_world_get_clearances(world, 0, NULL, to_colliders, &error), CAB_ERROR_INPUT, &error,
              "range");
    must_fail(cab_world_get_clearances(world, NAN, NULL, to_colliders, &error), CAB_ERROR_INPUT, &error,
              "range");
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* The quick search finds what asking each pair finds. */
static void the_grid_finds_what_all_pairs_have(void **state)
{
    (void)state;
    cab_scene *scene = bundle_scene();
    cab_world *world = native_world(scene);
    step(world, 20);
    cab_clearance found[25];
    must(cab_world_get_clearances(world, 0.03, found, NULL, &error), &error);
    snapshot s = read_world(world);
    int near = 0;
    for (int c = 0; c < 25; c++) {
        double best = INFINITY;
        for (int d = 0; d < 25; d++) {
            enum { SAMPLES = 200 };
            cab_cable_info a = cab_world_get_cable(world, c), b = cab_world_get_cable(world, d);
            for (int i = 0; d != c && i < SAMPLES; i++) {
                for (int j = 0; j < SAMPLES; j++) {
                    double p[3], q[3], u = 5.0 * i / SAMPLES, w = 5.0 * j / SAMPLES;
                    int m = a.first_node + (int)u, n = b.first_node + (int)w;
                    for (int k = 0; k < 3; k++) {
                        p[k] = s.x[m][k] + (u - floor(u)) * (s.x[m + 1][k] - s.x[m][k]);
                        q[k] = s.x[n][k] + (w - floor(w)) * (s.x[n + 1][k] - s.x[n][k]);
                    }
                    best = fmin(best, distance3(p, q) - 2 * BUNDLE_RADIUS);
                }
            }
        }
        if (best > 0.03) {
            assert_true(found[c].distance > 0.029);
            continue;
        }
        near++;
        at_most(found[c].distance, best + 1e-6);
        at_least(found[c].distance, best - 0.0015); /* samples are 1.5 mm apart */
    }
    assert_true(near > 5);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_has_its_radius),
        cmocka_unit_test(sag_is_counted_from_the_chord),
        cmocka_unit_test(a_hanging_cable_bears_its_weight_at_the_top),
        cmocka_unit_test(what_has_no_bend_is_straight),
        cmocka_unit_test(cables_are_apart_by_what_lies_between_their_surfaces),
        cmocka_unit_test(neighbours_do_not_count),
        cmocka_unit_test(colliders_are_apart_by_what_lies_between),
        cmocka_unit_test(meshes_that_have_moved_and_what_is_attached),
        cmocka_unit_test(the_grid_finds_what_all_pairs_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

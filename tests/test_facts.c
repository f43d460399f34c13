/* What a panel shows of a cable, against known answers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/facts.h"
#include "worlds.h"

static cab_scene *scene_with(double min_bend_radius)
{
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("other", 0.001, 0));
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.min_bend_radius = min_bend_radius;
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
        double x[MOST][3], tension[MOST] = {0};
        memset(x, 0, sizeof x);
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
        cab_cable_info cable = {.name = "a[1,0,0]",
                                .first_node = before,
                                .node_count = n,
                                .radius = 0.003,
                                .length = 0.7,
                                .material = 1};
        cab_scene *scene = scene_with(fine ? 0.25 : 0.15);
        cab_facts facts;
        cab_facts_of(scene, &cable, x[0], tension, &facts);
        double length = (arc + 8) * side;
        assert_string_equal(facts.name, "a[1,0,0]");
        assert_string_equal(facts.material, "wire");
        near_to(facts.radius, 0.003, 0);
        near_to(facts.rest_length, 0.7, 0);
        near_to(facts.length, length, 1e-12);
        near_to(facts.bend_radius, radius, 1e-12); /* doubles */
        assert_in_range(facts.bend_node, before + 1, before + arc - 1);
        near_to(facts.bend_at, (facts.bend_node - before) * side / length, 1e-12);
        near_to(facts.tension, 3, 0);
        assert_int_equal(facts.tension_node, before + 2);
        near_to(facts.tension_at, 2.5 * side / length, 1e-12);
        near_to(facts.min_bend_radius, fine ? 0.25 : 0.15, 0);
        assert_int_equal(facts.bent_too_far, fine);
        cab_scene_destroy(scene);
    }
}

/* Hangs from its start: the first segment bears all but half a segment's weight; length and tension at two
 * resolutions. */
static void a_hanging_cable_bears_its_weight_at_the_top(void **state)
{
    (void)state;
    for (int fine = 0; fine < 2; fine++) {
        int n = fine ? 40 : 10;
        cab_scene *scene = scene_with(0);
        cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
        add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1}, n);
        hold(scene, "a", (cab_place){0}, false);
        cab_world *world = native_world(scene);
        step(world, 240);
        snapshot s = read_world(world);
        cab_cable_info cable = cab_world_get_cable(world, 0);
        cab_facts facts;
        cab_facts_of(scene, &cable, s.x[0], s.tension, &facts);
        double weight = 0.05 * 9.81;
        near_to(facts.tension, weight * (1 - 0.5 / n),
                0.01 * weight); /* what rounding of a rigid length makes of one reading */
        assert_int_equal(facts.tension_node, 0);
        near_to(facts.tension_at, 0.5 / n, 1e-4);
        near_to(facts.length, 1, 1e-4);
        near_to(facts.rest_length, 1, 1e-12);
        at_least(facts.bend_radius, 10);
        assert_false(facts.bent_too_far);
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* One segment has no bend; nodes on one another, as on a drum, neither. */
static void what_has_no_bend_is_straight(void **state)
{
    (void)state;
    const double x[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 0}};
    const double tension[4] = {0, 0, -1, 0};
    cab_scene *scene = scene_with(0.1);
    cab_cable_info cable = {.name = "a", .first_node = 2, .node_count = 2, .material = 1};
    cab_facts facts;
    cab_facts_of(scene, &cable, x[0], tension, &facts);
    assert_true(isinf(facts.bend_radius));
    assert_int_equal(facts.bend_node, -1);
    near_to(facts.tension, -1, 0);
    near_to(facts.tension_at, 0.5, 0);
    cable.first_node = 0, cable.node_count = 4;
    cab_facts_of(scene, &cable, x[0], tension, &facts);
    assert_true(isinf(facts.bend_radius));
    assert_false(facts.bent_too_far);
    near_to(facts.length, 1, 0);
    cable.node_count = 3;
    cab_facts_of(scene, &cable, x[0], tension, &facts); /* no length at all */
    near_to(facts.length, 0, 0);
    near_to(facts.tension_at, 0, 0);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arc_has_its_radius),
        cmocka_unit_test(a_hanging_cable_bears_its_weight_at_the_top),
        cmocka_unit_test(what_has_no_bend_is_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

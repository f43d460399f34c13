/* Cables of several materials: what a tube over a part weighs, bends and touches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define G 9.81

static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};

static cab_scene *plain_scene(cab_method method, int substeps, double stiffness)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    cab_material_def wire = wire_of("wire", 0.003, stiffness), tube = wire_of("tube", 0.008, 3 * stiffness);
    wire.damping = tube.damping = 6;
    tube.linear_density = 0.1;
    add_material(scene, wire);
    add_material(scene, tube);
    return scene;
}

static void add_covered(cab_scene *scene, cab_vec3 from, cab_vec3 to, int segments,
                        const cab_cover_def *covers, int count)
{
    const cab_vec3 path[2] = {from, to};
    cab_cable_def def = straight_of("a", "wire", path, segments);
    def.covers = covers;
    def.cover_count = count;
    add_cable(scene, def);
}

/* A spring at the top gives by the weight of cable and tube; one instead of the cable weighs alone. */
static void it_weighs_what_lies_over_it(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        bool instead = i & 4;
        const cab_cover_def cover = {.from = 0.3, .to = 0.7, .material = "tube", .instead = instead};
        cab_scene *scene = plain_scene(methods[i & 1], 40, 0);
        add_covered(scene, (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.5}, i & 2 ? 23 : 11, &cover, 1);
        cab_attachment_def spring = held_at("a", (cab_place){0});
        spring.compliance = 5e-2;
        add_attachment(scene, spring);
        cab_world *world = native_world(scene);
        double place[3], mass = 0.5 * 0.05 + 0.2 * (0.1 - (instead ? 0.05 : 0));
        step(world, 360);
        node_place(world, 0, place);
        /* what swings decays at 3/s; XPBD's one iteration leaves a hundredth of the stretch's share */
        near_to(1 - place[2], spring.compliance * mass * G, 2e-3 * spring.compliance * mass * G);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A clamped cable with a tube over its first 0.4: beam of two stiffnesses,
 * d = P/3 ((L^3 - (L-a)^3)/EI_1 + (L-a)^3/EI_2). Returns the tip's deflection over that. */
static double tip(cab_method method, cab_way way, int segments, bool instead)
{
    const double length = 0.5, a = 0.4 * length, rest = length - a, force = 2e-4, ei = 1e-3;
    const cab_cover_def cover = {.from = 0, .to = 0.4, .material = "tube", .instead = instead};
    cab_scene *scene = plain_scene(method, method == CAB_METHOD_XPBD ? 400 : 20, ei);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_scene_settings(scene)->way = way;
    add_covered(scene, (cab_vec3){0, 0, 1}, (cab_vec3){length, 0, 1}, segments, &cover, 1);
    hold(scene, "a", (cab_place){0}, true);
    cab_load_def load = load_at("a", at_end());
    load.force = (cab_vec3){0, 0, -force};
    add_load(scene, load);
    cab_world *world = native_world(scene);
    step(world, 240);
    double place[3];
    node_place(world, segments, place);
    cab_scene_destroy(scene);
    cab_world_destroy(world);
    double stiff = instead ? 3 * ei : 4 * ei;
    double known = force / 3 * ((pow(length, 3) - pow(rest, 3)) / stiff + pow(rest, 3) / ei);
    return (1 - place[2]) / known;
}

static void it_bends_as_a_stepped_beam(void **state)
{
    (void)state;
    for (int instead = 0; instead < 2; instead++) {
        for (int i = 0; i < 2; i++) {
            /* the discrete beam is off by 1/n^2, a few times: 10 and 20 segments */
            double coarse = tip(methods[i], CAB_WAY_AUTO, 10, instead);
            double fine = tip(methods[i], CAB_WAY_AUTO, 20, instead);
            near_to(coarse, 1, 0.03);
            near_to(fine, 1, 0.01);
        }
        near_to(tip(CAB_METHOD_DIRECT, CAB_WAY_STAGED, 20, instead), 1, 0.01);
        near_to(tip(CAB_METHOD_XPBD, CAB_WAY_LANES, 20, instead), 1, 0.01);
        near_to(tip(CAB_METHOD_XPBD, CAB_WAY_COLOURED, 20, instead), 1, 0.01);
    }
}

/* Each part lies on the floor by its own radius. */
static void it_touches_with_its_own_radius(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        int n = i & 2 ? 40 : 20;
        const cab_cover_def cover = {.from = 0.4, .to = 0.7, .material = "tube"};
        cab_scene *scene = plain_scene(methods[i & 1], 30, 0);
        cab_scene_settings(scene)->contact.cables = true;
        add_covered(scene, (cab_vec3){0, 0, 0.02}, (cab_vec3){0.5, 0, 0.02}, n, &cover, 1);
        add_floor(scene, 0);
        cab_world *world = native_world(scene);
        step(world, 120);
        double place[3];
        node_place(world, n / 2, place);
        near_to(place[2], 0.008, 4e-4); /* contact leaves some 0.02 of the radii as overlap */
        node_place(world, n / 10, place);
        near_to(place[2], 0.003, 2e-4);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

static void sections_are_told(void **state)
{
    (void)state;
    const cab_cover_def covers[] = {{0.2, 0.6, "tube", false}, {0.5, 1, "wire", true}};
    cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 10, 1e-3);
    add_covered(scene, (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, 10, covers, 2);
    cab_world *world = native_world(scene);
    cab_section_info s[CAB_RUNS];
    assert_int_equal(cab_world_get_sections(world, 0, s, CAB_RUNS), 4);
    const struct {
        int first, nodes, material;
        double radius, density, stiffness;
    } expected[] = {{0, 3, 0, 0.003, 0.05, 1e-3},
                    {2, 4, 1, 0.008, 0.15, 4e-3},
                    {5, 2, 0, 0.003, 0.05, 1e-3},
                    {6, 5, 0, 0.003, 0.05, 1e-3}};
    for (int i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(s[i].first_node, expected[i].first);
        assert_int_equal(s[i].node_count, expected[i].nodes);
        assert_int_equal(s[i].material, expected[i].material);
        near_to(s[i].radius, expected[i].radius, 0);
        near_to(s[i].linear_density, expected[i].density, 1e-15);
        near_to(s[i].bending_stiffness, expected[i].stiffness, 1e-15);
    }
    cab_scene_destroy(scene);
    cab_world_destroy(world);
}

/* 0.5 m of path, or a length of 0.6 m, and 4 % more. */
static void tolerances_make_it_longer(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 10, 0);
        const cab_vec3 path[2] = {{0, 0, 1}, {0.5, 0, 1}};
        cab_cable_def def = straight_of("a", "wire", path, 10);
        def.length = i ? 0.6 : 0;
        def.length_tolerance = 0.04;
        add_cable(scene, def);
        cab_world *world = native_world(scene);
        near_to(cab_world_get_cable(world, 0).length, (i ? 0.6 : 0.5) * 1.04, 1e-12);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A change of the tube's material changes what it covers. */
static void a_material_can_change(void **state)
{
    (void)state;
    cab_error error = {0};
    const cab_cover_def cover = {.from = 0, .to = 0.5, .material = "tube"};
    cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 40, 0);
    add_covered(scene, (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.5}, 10, &cover, 1);
    cab_attachment_def spring = held_at("a", (cab_place){0});
    spring.compliance = 5e-2;
    add_attachment(scene, spring);
    cab_world *world = native_world(scene);
    cab_material_def tube = wire_of("tube", 0.008, 0);
    tube.linear_density = 0.3;
    tube.damping = 6;
    must(cab_world_set_material(world, &tube, &error), &error);
    step(world, 360);
    double place[3], weight = (0.5 * 0.05 + 0.25 * 0.3) * G;
    node_place(world, 0, place);
    near_to(1 - place[2], spring.compliance * weight, 2e-3 * spring.compliance * weight);
    cab_scene_destroy(scene);
    cab_world_destroy(world);
}

static void devices_and_ways_agree(void **state)
{
    (void)state;
    char pocl[32];
    bool other = find_device(POCL, pocl);
    for (int i = 0; i < 4; i++) {
        const cab_cover_def covers[] = {{0.2, 0.6, "tube", false}, {0.45, 0.9, "tube", true}};
        cab_scene *scene = plain_scene(methods[i & 1], 12, 1e-3);
        bool contact = i & 2;
        add_covered(scene, (cab_vec3){0, 0, 0.1}, (cab_vec3){0.6, 0, 0.2}, 30, covers, 2);
        hold(scene, "a", (cab_place){0}, true);
        if (contact) add_floor(scene, 0.05);
        cab_scene_settings(scene)->contact.cables = contact;
        if (methods[i & 1] == CAB_METHOD_XPBD) cab_scene_settings(scene)->way = CAB_WAY_COLOURED;
        cab_world *world = native_world(scene);
        if (methods[i & 1] == CAB_METHOD_XPBD && !contact) cab_scene_settings(scene)->way = CAB_WAY_FUSED;
        cab_world *rest = world_on(scene, other ? pocl : "native", 2);
        step(world, 20);
        step(rest, 20);
        same_motion(world, rest, "ways and devices");
        cab_scene_destroy(scene);
        cab_world_destroy(world);
        cab_world_destroy(rest);
    }
    if (!other) skip();
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 10, 0);
    cab_cover_def cover = {.from = 0.5, .to = 0.5, .material = "tube"};
    const cab_vec3 path[2] = {{0, 0, 1}, {1, 0, 1}};
    cab_cable_def def = straight_of("a", "wire", path, 10);
    def.covers = &cover;
    def.cover_count = 1;
    must_fail(cab_scene_add_cable(scene, &def, &error), CAB_ERROR_INPUT, &error, "/cables/0/materials/0/to");
    cover.to = 0.52;
    cover.material = "hose";
    must_fail(cab_scene_add_cable(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/cables/0/materials/0/material: expected the name of a material, got \"hose\"");
    cover.material = "tube";
    add_cable(scene, def);
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error,
              "give the cable more segments");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_weighs_what_lies_over_it),    cmocka_unit_test(it_bends_as_a_stepped_beam),
        cmocka_unit_test(it_touches_with_its_own_radius), cmocka_unit_test(sections_are_told),
        cmocka_unit_test(tolerances_make_it_longer),      cmocka_unit_test(a_material_can_change),
        cmocka_unit_test(devices_and_ways_agree),         cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Contact: overlaps at the start, friction, times of stages, switches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact.h"

/* ---- what overlaps at the start ---- */

/* The overlap of a scene fades at no more than PART_SPEED, and does fade. */
static void watch_parting(cab_scene *scene, const cab_collider_def *collider, double start)
{
    cab_world *world = native_world(scene);
    touchables t = {true, true, collider, collider ? 1 : 0};
    double before = deepest_overlap(world, t);
    near_to(before, start, 1e-6);
    near_to(measure(world).penetration_max, start, 1e-6);
    int frames = (int)(start / PART_SPEED * 60) + 4;
    for (int i = 0; i < frames; i++) {
        step(world, 1);
        double now = deepest_overlap(world, t);
        near_to(measure(world).penetration_max, now, 1e-6);
        at_most(before - now, PART_SPEED / 60 * 1.01 + 1e-6);
        at_most(measure(world).speed_max, 2 * PART_SPEED); /* one of the two may take all of the way */
        before = now;
    }
    at_most(before, 0.02 * WIDE);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void overlapping_cables_part_slowly(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        cab_scene *scene = still_scene();
        double gap = kind == 1 ? 0 : 0.004;
        add_straight(scene, "a", (cab_vec3){-0.1, 0, 0}, (cab_vec3){0.1, 0, 0}, 8);
        if (kind == 2) /* side by side */
            add_straight(scene, "b", (cab_vec3){-0.09, 0, gap}, (cab_vec3){0.11, 0, gap}, 8);
        else if (kind == 3) /* end into the side */
            add_straight(scene, "b", (cab_vec3){0.01, 0, gap}, (cab_vec3){0.02, 0, 0.2}, 8);
        else
            add_straight(scene, "b", (cab_vec3){0.01, -0.1, gap}, (cab_vec3){0.02, 0.1, gap}, 8);
        watch_parting(scene, NULL, 2 * WIDE - gap);
    }
}

static void what_overlaps_a_collider_parts_slowly(void **state)
{
    (void)state;
    cab_collider_def shapes[4];
    for (int i = 0; i < 4; i++) {
        shapes[i] = shape_at((cab_shape)i, (cab_vec3){0, 0, 0});
        shapes[i].radius = 0.02;
        shapes[i].half_extents = (cab_vec3){0.5, 0.5, 0.02};
    }
    shapes[CAB_SHAPE_CAPSULE].center.y = -1;
    shapes[CAB_SHAPE_CAPSULE].to.y = 1;
    for (int i = 0; i < 4; i++) {
        double top = shapes[i].shape == CAB_SHAPE_PLANE ? 0 : 0.02, depth = 0.008;
        cab_scene *scene = still_scene();
        add_straight(scene, "a", (cab_vec3){-0.1, 0, top + WIDE - depth},
                     (cab_vec3){0.1, 0, top + WIDE - depth}, 8);
        add_collider(scene, shapes[i]);
        watch_parting(scene, &shapes[i], depth);
    }
}

/* ---- stages ---- */

static void stages_are_booked_apart(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = bundle_scene();
    cab_world *world = NULL;
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.profile = true;
    must(cab_world_create(scene, &def, &world, &error), &error);
    step(world, 2);
    double times[CAB_STAGE_COUNT];
    cab_world_get_times(world, times);
    assert_string_equal(cab_stage_name(CAB_STAGE_NARROW), "narrow");
    assert_string_equal(cab_stage_name(CAB_STAGE_CONTACT), "contact");
    assert_true(times[CAB_STAGE_GRID] > 0 && times[CAB_STAGE_NARROW] > 0 && times[CAB_STAGE_CONTACT] > 0);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- friction ---- */

/* How fast a cable lying across the slope goes after `seconds` on a plane, gravity tilted by atan(slope). */
static double slide(double slope, double cable_friction, double floor_friction, double seconds)
{
    cab_scene *scene = scene_of(20);
    double g = 9.81, tilt = atan(slope);
    cab_scene_settings(scene)->gravity = (cab_vec3){g * sin(tilt), 0, -g * cos(tilt)};
    cab_material_def wire = wire_of("wire", WIDE, 0);
    wire.friction = cable_friction;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, WIDE}, (cab_vec3){0.1, 0, WIDE}, 5);
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.friction = floor_friction;
    add_collider(scene, floor);
    cab_world *world = native_world(scene);
    step(world, (int)(seconds * 60));
    snapshot s = read_world(world);
    double speed = s.v[2][0];
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return speed;
}

static void friction_is_the_geometric_mean(void **state)
{
    (void)state;
    double mu = sqrt(0.8 * 0.2);
    at_most(fabs(slide(0.95 * mu, 0.8, 0.2, 1)), 1e-4); /* holds */
    at_most(fabs(slide(0.95 * mu, 0.2, 0.8, 1)), 1e-4);
    double tilt = atan(0.5), a = 9.81 * (sin(tilt) - mu * cos(tilt));
    near_to(slide(0.5, 0.8, 0.2, 0.5), 0.5 * a, 0.03 * 0.5 * a);
    near_to(slide(0.5, 0, 0.8, 0.5), 0.5 * 9.81 * sin(tilt), 1e-2); /* none without both */
}

/* Four layers across one another, at rest from the start. Lengths and bending come after friction and push a
 * little in each substep: forces F within the pile make it creep by F h / m, 2 mm/s here. */
static void a_pile_at_rest_stays(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(40);
    cab_scene_settings(scene)->contact.cables = cab_scene_settings(scene)->contact.self = true;
    cab_material_def wire = wire_of("wire", WIDE, 1e-3);
    wire.damping = 1;
    add_material(scene, wire);
    for (int layer = 0; layer < 4; layer++) {
        double z = WIDE + 2 * WIDE * layer;
        const cab_vec3 along[2] = {{-0.1, -0.08, z}, {0.1, -0.08, z}};
        const cab_vec3 across[2] = {{-0.08, -0.1, z}, {-0.08, 0.1, z}};
        char name[16];
        snprintf(name, sizeof name, "layer%d", layer);
        cab_cable_def cable = straight_of(name, "wire", layer % 2 ? across : along, 10);
        cable.copies[layer % 2 ? 0 : 1] = 3;
        cable.spacing[layer % 2 ? 0 : 1] = 0.08;
        add_cable(scene, cable);
    }
    add_floor(scene, 0);
    cab_world *world = native_world(scene);
    step(world, 60);
    snapshot settled = read_world(world);
    step(world, 60);
    snapshot later = read_world(world);
    at_most(largest_difference(&settled, &later), 0.5 * WIDE); /* in a second */
    at_most(measure(world).speed_max, 0.02);
    at_most(measure(world).penetration_max, 0.1 * WIDE); /* issue: a tenth of the radius at rest */
    at_least(measure(world).contacts, 9 * 3);            /* crossings */
    snapshot_free(&settled);
    snapshot_free(&later);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- switches ---- */

/* A cable falls on another that is held; a folded one falls on itself; both on a floor. */
static cab_measures run_switches(bool cables, bool self, double *lowest)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact.cables = cables;
    cab_scene_settings(scene)->contact.self = self;
    add_material(scene, wire_of("wire", WIDE, 0));
    add_straight(scene, "bar", (cab_vec3){0, -0.1, 0.1}, (cab_vec3){0, 0.1, 0.1}, 8);
    hold(scene, "bar", (cab_place){0}, false);
    hold(scene, "bar", at_end(), false);
    add_straight(scene, "falls", (cab_vec3){-0.02, 0, 0.12}, (cab_vec3){0.02, 0.0, 0.12}, 2);
    add_straight(scene, "folds", (cab_vec3){1.001, 0, 0.01}, (cab_vec3){1, 0.002, 0.31}, 15);
    add_floor(scene, 0);
    cab_world *world = native_world(scene);
    step(world, 40);
    snapshot s = read_world(world);
    *lowest = s.x[10][2];
    for (int i = 0; i < s.nodes; i++) at_least(s.x[i][2], 0.9 * WIDE); /* the floor is always there */
    cab_measures m = measure(world);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return m;
}

static void contact_can_be_switched_off(void **state)
{
    (void)state;
    double z;
    int floor_only = run_switches(false, false, &z).contacts_max;
    at_most(z, 2 * WIDE); /* through the bar, down to the floor */
    int with_self = run_switches(false, true, &z).contacts_max;
    at_most(z, 2 * WIDE);
    assert_true(with_self > floor_only);
    run_switches(true, false, &z);
    at_least(z, 0.08); /* on the bar, which sags */
    run_switches(true, true, &z);
    at_least(z, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_cables_part_slowly),
        cmocka_unit_test(what_overlaps_a_collider_parts_slowly),
        cmocka_unit_test(stages_are_booked_apart),
        cmocka_unit_test(friction_is_the_geometric_mean),
        cmocka_unit_test(a_pile_at_rest_stays),
        cmocka_unit_test(contact_can_be_switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

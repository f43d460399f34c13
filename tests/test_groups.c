/* Groups: worlds side by side in one. What is of different groups does not touch, and a scene in a merged one
 * gives what it gives alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/merge.h"
#include "model/scene.h"
#include "contact/contact.h"
#include "world/world.h"
#include "worlds.h"

#define RADIUS 0.004
#define SEGMENTS 16

/* ---- who touches whom ---- */

static cab_scene *touching_scene(void)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->contact.cables = true;
    add_material(scene, wire_of("wire", RADIUS, 0));
    return scene;
}

/* Two cables that cross at once, in these groups, and fall. */
static cab_scene *crossing(int first, int second)
{
    cab_scene *scene = touching_scene();
    cab_cable_def a = straight_of("a", "wire", (cab_vec3[2]){{-0.1, 0, 0.5}, {0.1, 0, 0.5}}, SEGMENTS);
    cab_cable_def b = straight_of("b", "wire", (cab_vec3[2]){{0, -0.1, 0.503}, {0, 0.1, 0.503}}, SEGMENTS);
    a.group = first;
    b.group = second;
    add_cable(scene, a);
    add_cable(scene, b);
    return scene;
}

static int contacts_of(cab_scene *scene, const char *device)
{
    cab_world *world = world_on(scene, device, 2);
    step(world, 1);
    int contacts = measure(world).contacts;
    cab_world_destroy(world);
    return contacts;
}

static void cables_of_different_groups_do_not_touch(void **state)
{
    (void)state;
    cab_scene *same = crossing(3, 3), *other = crossing(0, 1);
    assert_true(contacts_of(same, "native") > 0);
    assert_int_equal(contacts_of(other, "native"), 0);
    cab_scene_destroy(same);
    cab_scene_destroy(other);
}

/* Not even candidates, as many as lie in one place. */
static void groups_make_no_candidates(void **state)
{
    (void)state;
    cab_scene *scene = touching_scene();
    cab_scene_settings(scene)->contact.self = true;
    for (int g = 0; g < 200; g++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", g);
        cab_cable_def def = straight_of(name, "wire", (cab_vec3[2]){{0, 0, 1}, {0.3, 0, 1}}, 12);
        def.group = g;
        add_cable(scene, def);
    }
    cab_world *world = native_world(scene);
    step(world, 1);
    assert_int_equal(world->params.pair_count, 0); /* straight: none with itself either */
    assert_int_equal(measure(world).contacts, 0);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A floor of one group, one of all: a cable of group 0 lies on the lower, one of group 2 on the upper. */
static void colliders_are_of_a_group_or_of_all(void **state)
{
    (void)state;
    cab_scene *scene = touching_scene();
    for (int i = 0; i < 2; i++) {
        cab_cable_def def =
            straight_of(i ? "b" : "a", "wire", (cab_vec3[2]){{0, 0, 0.32}, {0.3, 0, 0.32}}, 6);
        def.group = 2 * i;
        add_cable(scene, def);
    }
    cab_collider_def low = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0.1}), high = low;
    low.group = CAB_GROUP_ALL;
    high.center.z = 0.3;
    high.group = 2;
    add_collider(scene, high);
    add_collider(scene, low);
    cab_world *world = native_world(scene);
    step(world, 60);
    double a[3], b[3];
    node_place(world, 3, a);
    node_place(world, 7 + 3, b);
    near_to(a[2], 0.1 + RADIUS, 1e-4); /* what overlaps at rest */
    near_to(b[2], 0.3 + RADIUS, 1e-4);
    cab_clearance to_cables[2], to_colliders[2];
    cab_error error = {0};
    must(cab_world_get_clearances(world, 1, to_cables, to_colliders, &error), &error);
    assert_int_equal(to_colliders[0].other, 1);
    assert_int_equal(to_colliders[1].other, 0);
    assert_true(isinf(to_cables[0].distance));
    float depth[12];
    must(cab_contact_read_depths(world, depth, &error), &error);
    double deepest = 0;
    for (int i = 0; i < 12; i++) deepest = fmax(deepest, depth[i]);
    assert_true(deepest == measure(world).penetration_max);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    cab_scene *scene = touching_scene();
    cab_error error = {0};
    cab_cable_def cable = straight_of("a", "wire", (cab_vec3[2]){{0, 0, 1}, {1, 0, 1}}, 4);
    cable.group = -1;
    must_fail(cab_scene_add_cable(scene, &cable, &error), CAB_ERROR_INPUT, &error, "/cables/0/group");
    cable.group = CAB_GROUP_MAX + 1;
    must_fail(cab_scene_add_cable(scene, &cable, &error), CAB_ERROR_INPUT, &error, "/cables/0/group");
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.group = -2;
    must_fail(cab_scene_add_collider(scene, &floor, &error), CAB_ERROR_INPUT, &error, "/colliders/0/group");
    cab_scene_destroy(scene);
}

/* ---- scenes merged ---- */

/* Two joined cables that fall on a ball, one of them held by it, with a weight; each variant has another
 * length. */
static cab_scene *variant(int i, bool contact)
{
    cab_scene *scene = touching_scene();
    cab_error error = {0};
    cab_scene_settings(scene)->contact.cables = cab_scene_settings(scene)->contact.self = contact;
    double z = 0.45, length = 0.4 + 0.02 * i;
    add_straight(scene, "a", (cab_vec3){-0.2, 0, z}, (cab_vec3){length - 0.2, 0, z}, SEGMENTS);
    add_straight(scene, "b", (cab_vec3){0, 0, z}, (cab_vec3){0, 0.2, z}, 8);
    join(scene, "b", (cab_place){.kind = CAB_PLACE_START}, "a", at_fraction(0.2 / length));
    hold(scene, "a", (cab_place){.kind = CAB_PLACE_START}, true);
    hang_weight(scene, "b", at_end(), 0.01 * (i + 1));
    if (!contact) return scene;
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0.1, 0.02, 0.3});
    ball.name = "ball";
    ball.radius = 0.1;
    add_collider(scene, ball);
    cab_attachment_def stuck = held_at("a", at_end());
    stuck.to = CAB_TARGET_COLLIDER;
    stuck.target = "ball";
    must(cab_scene_add_attachment(scene, &stuck, &error), &error);
    return scene;
}

enum { VARIANTS = 5 };

static cab_scene *merged_of(bool contact, bool share)
{
    cab_scene *variants[VARIANTS], *merged = NULL;
    cab_error error = {0};
    for (int i = 0; i < VARIANTS; i++) variants[i] = variant(i, contact);
    must(cab_scene_merge((const cab_scene *const *)variants, VARIANTS, share, &merged, &error), &error);
    for (int i = 0; i < VARIANTS; i++) cab_scene_destroy(variants[i]);
    return merged;
}

/* The largest difference of a variant in the merged world from the same alone, m. */
static double check_alone(bool contact, bool share, cab_method method, int frames)
{
    cab_scene *merged = merged_of(contact, share);
    cab_scene_settings(merged)->method = method;
    cab_scene_settings(merged)->max_substeps =
        0; /* into how many pieces is decided by a limit, which rounding may cross */
    cab_world *together = native_world(merged);
    step(together, frames);
    assert_true((measure(together).contacts_max > 0) == contact);
    snapshot all = read_world(together);
    assert_true(all.cables == 2 * VARIANTS);
    assert_string_equal(cab_world_get_cable(together, 3).name, "1/b");
    double largest = 0;
    for (int i = 0, node = 0; i < VARIANTS; i++) {
        cab_scene *scene = variant(i, contact);
        cab_scene_settings(scene)->method = method;
        cab_scene_settings(scene)->max_substeps = 0;
        cab_world *world = native_world(scene);
        step(world, frames);
        snapshot one = read_world(world), part = {.nodes = one.nodes, .cables = 2, .x = all.x + node};
        largest = fmax(largest, largest_difference(&part, &one));
        node += one.nodes;
        snapshot_free(&one);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
    snapshot_free(&all);
    cab_world_destroy(together);
    cab_scene_destroy(merged);
    return largest;
}

/* Without contact nothing is common to the variants: bit for bit. */
static void without_contact_a_variant_is_as_alone(void **state)
{
    (void)state;
    assert_true(check_alone(false, false, CAB_METHOD_XPBD, 20) == 0);
    assert_true(check_alone(false, false, CAB_METHOD_DIRECT, 20) == 0);
}

/* With contact the moments at which candidates are listed anew, and the order of a sum, are those of all:
 * rounding. */
static void with_contact_it_differs_by_rounding(void **state)
{
    (void)state;
    for (int share = 0; share < 2; share++) {
        at_most(check_alone(true, share, CAB_METHOD_XPBD, 20), 2e-6);
        at_most(check_alone(true, share, CAB_METHOD_DIRECT, 20), 2e-6);
    }
}

static void shared_colliders_are_there_once(void **state)
{
    (void)state;
    cab_scene *own = merged_of(true, false), *shared = merged_of(true, true);
    assert_int_equal(own->collider_count, VARIANTS);
    assert_string_equal(own->colliders[2].name, "2/ball");
    assert_int_equal(shared->collider_count, 1);
    assert_string_equal(shared->colliders[0].name, "ball");
    assert_int_equal(shared->colliders[0].group, CAB_GROUP_ALL);
    cab_scene_destroy(own);
    cab_scene_destroy(shared);
}

/* A tie goes to each copy of the scene, by the names that its cables have there. */
static void ties_are_merged(void **state)
{
    (void)state;
    cab_scene *one = crossing(0, 0), *merged = NULL;
    cab_error error = {0};
    cab_tie_def tie = cab_tie_default();
    tie.name = "band";
    tie.cables = (const char *[]){"a", "b"};
    tie.cable_count = 2;
    tie.from = at_fraction(0.5);
    must(cab_scene_add_tie(one, &tie, &error), &error);
    must(cab_scene_merge((const cab_scene *[]){one, one}, 2, false, &merged, &error), &error);
    assert_int_equal(merged->tie_count, 2);
    assert_string_equal(merged->ties[1].name, "band");
    assert_string_equal(merged->ties[1].cables[0], "1/a");
    assert_string_equal(merged->ties[1].cables[1], "1/b");
    cab_scene_destroy(one);
    cab_scene_destroy(merged);
}

/* Native and OpenCL give the same bits, with groups too. */
static void devices_agree(void **state)
{
    (void)state;
    char device[32];
    if (!find_device("Portable Computing Language", device)) skip();
    for (int share = 0; share < 2; share++) {
        cab_scene *merged = merged_of(true, share);
        cab_world *native = native_world(merged), *opencl = world_on(merged, device, 0);
        step(native, 20);
        step(opencl, 20);
        snapshot a = read_world(native), b = read_world(opencl);
        same_bytes(&a, &b, "native and OpenCL");
        assert_true(measure(native).contacts_max > 0);
        assert_int_equal(measure(native).contacts_max, measure(opencl).contacts_max);
        snapshot_free(&a);
        snapshot_free(&b);
        cab_world_destroy(native);
        cab_world_destroy(opencl);
        cab_scene_destroy(merged);
    }
}

/* A state belongs to its groups, too. */
static void a_state_of_other_groups_is_refused(void **state)
{
    (void)state;
    cab_scene *same = crossing(0, 0), *other = crossing(0, 1);
    cab_world *a = native_world(same), *b = native_world(other);
    cab_error error = {0};
    void *bytes = NULL;
    size_t size;
    must(cab_world_pack(a, &bytes, &size, &error), &error);
    must_fail(cab_world_unpack(b, bytes, size, &error), CAB_ERROR_INPUT, &error, "another scene");
    free(bytes);
    cab_world_destroy(a);
    cab_world_destroy(b);
    cab_scene_destroy(same);
    cab_scene_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cables_of_different_groups_do_not_touch),
        cmocka_unit_test(groups_make_no_candidates),
        cmocka_unit_test(colliders_are_of_a_group_or_of_all),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(without_contact_a_variant_is_as_alone),
        cmocka_unit_test(with_contact_it_differs_by_rounding),
        cmocka_unit_test(shared_colliders_are_there_once),
        cmocka_unit_test(ties_are_merged),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(a_state_of_other_groups_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

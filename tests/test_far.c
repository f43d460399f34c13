/* Contact that has nothing to do: colliders that nothing comes near, cables far from one another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contact/contact.h"
#include "world/world.h"
#include "worlds.h"

#define RADIUS 0.004
#define SEGMENTS 24
#define CABLES 5

/* Cables held by one end, 2 m apart, that swing; contact of cables where `contact` says so. */
static cab_scene *swinging(bool contact)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact.cables = contact;
    add_material(scene, wire_of("wire", RADIUS, 1e-4));
    for (int i = 0; i < CABLES; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        double x = 2.0 * i, length = 0.4 + 0.1 * i;
        add_straight(scene, name, (cab_vec3){x, 0, 2}, (cab_vec3){x + length, 0.1, 1.9}, SEGMENTS);
        hold(scene, name, (cab_place){.kind = CAB_PLACE_START}, false);
    }
    return scene;
}

static cab_world *world_by(cab_scene *scene, cab_method method, cab_way way, const char *device)
{
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->way = way;
    cab_world *world = world_on(scene, device, 2);
    cab_scene_destroy(scene);
    return world;
}

/* Colliders and cables that are far away do not change a bit. */
static void check_far(const char *device, cab_method method, cab_way way, const char *what)
{
    cab_scene *over = swinging(true);
    add_floor(over, -1);
    cab_world *alone = world_by(swinging(false), method, way, device);
    cab_world *world = world_by(over, method, way, device);
    for (int frame = 0; frame < 10; frame++) {
        step(alone, 2);
        step(world, 2);
        same_motion(alone, world, what);
        assert_false(world->contact.touching);
    }
    assert_int_equal(measure(world).contacts_max, 0);
    cab_world_destroy(alone);
    cab_world_destroy(world);
}

static void what_is_far_changes_nothing(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *device = k ? "opencl" : "native";
        if (k && !have_opencl()) continue;
        check_far(device, CAB_METHOD_DIRECT, CAB_WAY_STAGED, "staged");
        check_far(device, CAB_METHOD_XPBD, CAB_WAY_COLOURED, "coloured");
    }
}

/* What touches one cable does not change the bits of another one that is far from it. */
static void a_contact_elsewhere_changes_nothing(void **state)
{
    (void)state;
    cab_scene *one = swinging(false), *other = swinging(false);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0.25, 0.05, 1.5});
    ball.radius = 0.2;
    add_collider(one, ball);
    cab_world *with = world_by(one, CAB_METHOD_DIRECT, CAB_WAY_STAGED, "native");
    cab_world *without = world_by(other, CAB_METHOD_DIRECT, CAB_WAY_STAGED, "native");
    step(with, 30);
    step(without, 30);
    snapshot a = read_world(with), b = read_world(without);
    int first = cab_world_get_cable(with, 1).first_node;
    assert_true(largest_difference(&a, &b) > 0.01); /* it has been pushed */
    for (int i = first; i < a.nodes; i++) assert_memory_equal(a.x[i], b.x[i], sizeof a.x[i]);
    snapshot_free(&a);
    snapshot_free(&b);
    cab_world_destroy(with);
    cab_world_destroy(without);
}

static double largest_force(cab_world *world)
{
    cab_error error = {0};
    int n = cab_world_get_info(world).particles;
    float *force = calloc((size_t)n, sizeof *force), largest = 0;
    must(world->backend->ops->read(world->backend, CAB_BUFFER_contact_force, 0, (size_t)n * sizeof *force,
                                   force, &error),
         &error);
    for (int i = 0; i < n; i++) largest = force[i] > largest ? force[i] : largest;
    free(force);
    return (double)largest;
}

/* A floor that is drawn away no longer presses. */
static void forces_of_contacts_end_with_them(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(20);
    cab_error error = {0};
    add_material(scene, wire_of("wire", RADIUS, 1e-4));
    add_straight(scene, "rope", (cab_vec3){0, 0, RADIUS}, (cab_vec3){0.4, 0, RADIUS}, 16);
    add_floor(scene, 0);
    cab_world *world = world_by(scene, CAB_METHOD_DIRECT, CAB_WAY_STAGED, "native");
    step(world, 10);
    assert_true(largest_force(world) > 0);
    cab_pose away;
    assert_true(cab_world_get_collider(world, 0, &away));
    away.position.z = -20;
    must(cab_world_set_collider(world, 0, away, &error), &error);
    step(world, 2);
    assert_true(largest_force(world) == 0);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_changes_nothing),
        cmocka_unit_test(a_contact_elsewhere_changes_nothing),
        cmocka_unit_test(forces_of_contacts_end_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

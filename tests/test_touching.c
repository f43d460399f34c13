/* Contact of particles alone, as the thesis on cable simulation has it: what lies between two particles gets through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/world.h"
#include "sheets.h"

/* A cable of 0.5 m that lies 3 cm over a thin bar, across it; with an odd number of segments the bar is between two particles. */
static cab_scene *over_a_bar(cab_method method, int segments, int substeps, cab_touching touching)
{
    cab_scene *scene = scene_of(substeps);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->contact.self = false;
    s->contact.touching = touching;
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.friction = 0.5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){-0.25, 0, 0.03}, (cab_vec3){0.25, 0, 0.03}, segments);
    cab_collider_def bar = bar_of((cab_vec3){0, -0.2, 0}, (cab_vec3){0, 0.2, 0}, 0.005);
    bar.friction = 0.5;
    add_collider(scene, bar);
    return scene;
}

/* A cable of 1 m and 0.4 kg, five balls on a floor, that slides along it at 1 m/s. Colliders are met after the iterations. */
static cab_scene *on_a_floor(cab_method method)
{
    cab_scene *scene = scene_of(10);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->springs.stiffness = method == CAB_METHOD_SPRINGS ? 100 : 0;
    s->contact.touching = CAB_TOUCHING_PARTICLES_AFTER;
    cab_material_def wire = wire_of("wire", 0.01, 0);
    wire.linear_density = 0.4;
    wire.friction = 0.5;
    add_material(scene, wire);
    cab_cable_def cable = straight_of("a", "wire", (cab_vec3[2]){{0, 0, 0.01}, {1, 0, 0.01}}, 4);
    cable.velocity = (cab_vec3){1, 0, 0};
    add_cable(scene, cable);
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.friction = 0.5;
    add_collider(scene, floor);
    return scene;
}

/* Highest place of the cable after so many frames, m. */
static double highest(cab_scene *scene, int frames)
{
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    step(world, frames);
    snapshot now = read_world(world);
    double z = now.x[0][2];
    for (int i = 1; i < now.nodes; i++) z = fmax(z, now.x[i][2]);
    snapshot_free(&now);
    cab_world_destroy(world);
    return z;
}

/* Between two particles there is nothing: the cable falls past the bar, as fast as without it. With a particle over it the bar holds
 * the cable, and so it does wherever segments touch. */
static void what_is_between_particles_gets_through(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int m = 0; m < COUNT_OF(methods); m++) {
        double held = highest(over_a_bar(methods[m], 21, 20, CAB_TOUCHING_SEGMENTS), 8);
        near_to(held, 0.008, 2e-3);
        held = highest(over_a_bar(methods[m], 20, 20, CAB_TOUCHING_PARTICLES), 8);
        near_to(held, 0.008, 2e-3);
        double fallen = highest(over_a_bar(methods[m], 21, 20, CAB_TOUCHING_PARTICLES), 8);
        near_to(fallen, 0.03 - 9.81 * 8 * 8 / 7200, 1e-3); /* first order: g t h/2 = 0.5 mm */
    }
}

/* The thesis's figure 3.20: a cable of infinitely stiff springs, which one iteration cannot keep short, first takes the form of the bar,
 * then stretches, and then falls through, since the bar has come between two particles. Segments hold it. */
static void stiff_springs_fall_through_in_time(void **state)
{
    (void)state;
    near_to(highest(over_a_bar(CAB_METHOD_STIFF_SPRINGS, 20, 4, CAB_TOUCHING_PARTICLES), 30), 0.008, 2e-3);
    at_most(highest(over_a_bar(CAB_METHOD_STIFF_SPRINGS, 20, 4, CAB_TOUCHING_PARTICLES), 120), -1);
    near_to(highest(over_a_bar(CAB_METHOD_STIFF_SPRINGS, 20, 4, CAB_TOUCHING_SEGMENTS), 120), 0.01, 6e-3);
}

/* Balls that are put out of a floor rest on it, their normal forces are the cable's weight, and no friction holds them. */
static void what_is_put_out_rests_with_its_weight(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_SPRINGS, CAB_METHOD_STIFF_SPRINGS, CAB_METHOD_JAKOBSEN,
                                         CAB_METHOD_PBD, CAB_METHOD_JACOBI};
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = on_a_floor(methods[m]);
        cab_world *world = native_world(scene);
        cab_error error = {0};
        step(world, 60);
        snapshot now = read_world(world);
        float force[5];
        double sum = 0;
        must(world->backend->ops->read(world->backend, CAB_BUFFER_contact_force, 0, sizeof force, force,
                                       &error),
             &error);
        for (int i = 0; i < 5; i++) {
            sum += force[i];
            near_to(now.x[i][2], 0.01, 1e-6);
            near_to(now.v[i][0], 1, 1e-4); /* 600 substeps in floats */
        }
        near_to(sum, 0.4 * 9.81, 1e-3 * 0.4 * 9.81);
        snapshot_free(&now);
        cab_world_destroy(world);
        assert_same_everywhere(scene, 5, cab_method_name(methods[m]));
        cab_scene_destroy(scene);
    }
}

static void others_have_contact_among_their_iterations(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = on_a_floor(CAB_METHOD_DIRECT);
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_UNSUPPORTED, &error,
              "/contact/touching: the method \"direct\" has contact among its iterations only; expected "
              "\"segments\" or \"particles\"");
    cab_scene_settings(scene)->method = CAB_METHOD_XPBD;
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_UNSUPPORTED, &error, "\"xpbd\"");
    cab_scene_settings(scene)->contact.touching = CAB_TOUCHING_COUNT;
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error,
              "/contact/touching: expected \"segments\", \"particles\" or \"particles-after\"");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_between_particles_gets_through),
        cmocka_unit_test(stiff_springs_fall_through_in_time),
        cmocka_unit_test(what_is_put_out_rests_with_its_weight),
        cmocka_unit_test(others_have_contact_among_their_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

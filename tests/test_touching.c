/* Contact of particles alone, as the thesis on cable simulation has it: what lies between two particles gets through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

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
    cab_collider_def bar = shape_at(CAB_SHAPE_CAPSULE, (cab_vec3){0, -0.2, 0});
    bar.friction = 0.5;
    bar.to = (cab_vec3){0, 0.2, 0};
    bar.radius = 0.005;
    add_collider(scene, bar);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_between_particles_gets_through),
        cmocka_unit_test(stiff_springs_fall_through_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Heaps by the direct method: they come to rest and stay where they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define RADIUS 0.005 /* m */
#define SIDE 4       /* cables of a layer */

/* Cables of 0.28 m in layers, each across those below, a millimetre above them, the lowest ones over a floor. */
static cab_scene *crossed(int layers, int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_settings *s = cab_scene_settings(scene);
    s->method = CAB_METHOD_DIRECT;
    s->contact.passes = 4;
    cab_material_def cord = wire_of("wire", RADIUS, 7e-5);
    cord.linear_density = 0.05;
    cord.friction = 0.3;
    add_material(scene, cord);
    for (int k = 0; k < layers * SIDE; k++) {
        double across = 0.06 * (k % SIDE) - 0.09, z = RADIUS + 0.001 + 0.011 * (k / SIDE);
        cab_vec3 from = {-0.14, across, z}, to = {0.14, across, z};
        if (k / SIDE % 2 == 1) {
            from = (cab_vec3){across, -0.14, z};
            to = (cab_vec3){across, 0.14, z};
        }
        char name[16];
        snprintf(name, sizeof name, "c%d", k);
        add_straight(scene, name, from, to, 18);
    }
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.friction = 0.3;
    add_collider(scene, floor);
    return scene;
}

/* Two layers after a second: none of their particles moves by more than 0.1 mm/s. Solved from nothing in each substep they crept by
 * 0.2 mm/s. What overlaps bears the layer above: at 20 substeps the spring of a contact is 1,100 N/m (twice the 0.4 g that meet in
 * it over the square of 1/1200 s), and bears 0.03 N at the most by 0.03 mm. */
static void two_layers_rest(void **state)
{
    (void)state;
    for (int substeps = 20; substeps <= 40; substeps += 20) {
        cab_scene *scene = crossed(2, substeps);
        cab_world *world = native_world(scene);
        cab_scene_destroy(scene);
        step(world, 60);
        snapshot before = read_world(world);
        step(world, 15);
        snapshot now = read_world(world);
        double most = 0;
        for (int i = 0; i < now.nodes; i++)
            for (int k = 0; k < 3; k++) most = fmax(most, fabs(now.x[i][k] - before.x[i][k]));
        at_most(most / 0.25, 1e-4);
        at_most(measure(world).penetration_max, 3e-5);
        snapshot_free(&before);
        snapshot_free(&now);
        cab_world_destroy(world);
    }
}

/* The mean height of all particles, m. */
static double height(cab_world *world)
{
    snapshot now = read_world(world);
    double sum = 0;
    for (int i = 0; i < now.nodes; i++) sum += now.x[i][2];
    sum /= now.nodes;
    snapshot_free(&now);
    return sum;
}

/* Twelve layers stand: friction at the bottom bears what it can under the weight of all of them. Half a second after they have been
 * dropped their mean height stays within 3 % for another half: free ends still swing. Solved from nothing in each substep the heap
 * fell apart in that time, by a quarter. */
static void twelve_layers_stand(void **state)
{
    (void)state;
    cab_scene *scene = crossed(12, 20);
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    step(world, 30);
    double before = height(world);
    step(world, 30);
    near_to(height(world), before, 0.03 * before);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_layers_rest),
        cmocka_unit_test(twelve_layers_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

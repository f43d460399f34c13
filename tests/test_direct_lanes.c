/* Equal cables whose lengths lie side by side in tiles (kernels/direct_lanes.cl): each has the bits that it has alone, where
 * there is nothing to fill a tile with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "direct.h"

#define CABLES 9 /* more than half of the lanes of any instruction set: 4, 8, 16 */
#define SEGMENTS 16
#define NODES (SEGMENTS + 1)
#define FRAMES 6

/* Cables `first` to `end` of those, stage by stage and far above a floor. They stretch, so that a pass goes
 * by the multipliers of those before. Some are quiet and need one pass, some are thrown and need several, some are held at both
 * ends, one of them further apart than it is long. */
static cab_scene *cables_of(int first, int end)
{
    cab_scene *scene = direct_scene(4);
    cab_scene_settings(scene)->way = CAB_WAY_STAGED;
    cab_scene_settings(scene)->iterations = 3;
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    wire.stretching_stiffness = 300;
    add_material(scene, wire);
    for (int i = first; i < end; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        cab_cable_def cable =
            straight_of(name, "wire", (const cab_vec3[2]){{0, i, 2}, {0.8, i, 2}}, SEGMENTS);
        if (i % 3 == 1) cable.velocity = (cab_vec3){0, 0.3 * i, 0.5};
        if (i % 3 == 2) cable.length = i == 5 ? 0.79 : 0.9;
        add_cable(scene, cable);
        hold(scene, name, (cab_place){0}, false);
        if (i % 3 == 2) hold(scene, name, at_end(), false);
    }
    add_floor(scene, -9); /* with contact only cables whose lengths are off take a further pass */
    return scene;
}

static snapshot run_cables(int first, int end, const char *device)
{
    cab_scene *scene = cables_of(first, end);
    cab_world *world = world_on(scene, device, 1);
    step(world, FRAMES);
    snapshot s = read_world(world);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return s;
}

static void a_cable_among_others_is_as_alone(void **state)
{
    (void)state;
    snapshot all = run_cables(0, CABLES, "native");
    for (int i = 0; i < CABLES; i++) {
        snapshot alone = run_cables(i, i + 1, "native");
        snapshot one = {NODES, 1, all.x + i * NODES, all.v + i * NODES, all.tension + i * NODES};
        same_bytes(&alone, &one, "alone and among others");
        snapshot_free(&alone);
    }
    snapshot_free(&all);
}

static void all_instruction_sets_and_pocl_agree(void **state)
{
    (void)state;
    snapshot all = run_cables(0, CABLES, "native");
    setenv("CLCABLE_ISA", "baseline", 1);
    snapshot baseline = run_cables(0, CABLES, "native");
    same_bytes(&all, &baseline, "baseline");
    snapshot_free(&baseline);
    unsetenv("CLCABLE_ISA");
    char id[32];
    if (find_device(POCL, id)) {
        snapshot other = run_cables(0, CABLES, id);
        same_bytes(&all, &other, "PoCL");
        snapshot_free(&other);
    }
    snapshot_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cable_among_others_is_as_alone),
        cmocka_unit_test(all_instruction_sets_and_pocl_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Random batches in which cables fall and are drawn aside suddenly, so that substeps of some are cut stage by stage, of some in lanes, while others'
 * are whole: each environment is its scene run alone, bit for bit. Their colliders differ in where they are and how large, of every third in
 * shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "batches.h"
#include "world/world.h"

enum { COUNT = 6, FRAMES = 36, FIRST = 14, SEEDS = 6 }; /* with six, cables of both lengths share tiles */

static uint64_t bits;

static double between(double low, double high)
{
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    return low + (high - low) * (double)(bits >> 11) / 9007199254740992.0;
}

static void add_bar(cab_scene *scene, cab_vec3 from, cab_vec3 to)
{
    cab_collider_def bar = bar_of(from, to, between(0.005, 0.03));
    bar.friction = between(0, 0.6);
    add_collider(scene, bar);
}

/* A cable that hangs by its start, which is led, and a free one of another length that falls. Chance goes on from environment to
 * environment. */
static cab_scene *make(int i)
{
    cab_scene *scene = scene_of(6);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->max_substeps = cab_settings_default().max_substeps;
    cab_scene_settings(scene)->contact.cables = false;
    cab_scene_settings(scene)->contact.self = false;
    cab_material_def wire = wire_of("wire", 0.004, 1e-4);
    wire.damping = 0.3;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 0.5}, (cab_vec3){0.3, 0, 0.45}, 12);
    double z = between(0.07, 0.3);
    cab_cable_def falling = straight_of("b", "wire", (cab_vec3[2]){{0, 1, z}, {0.2, 1, z + 0.01}}, 7);
    falling.velocity = (cab_vec3){between(-1, 1), 0, between(-5, 1)};
    add_cable(scene, falling);
    hold(scene, "a", (cab_place){0}, false);
    cab_collider_def below = shape_at(i % 3 == 0 ? CAB_SHAPE_SPHERE : CAB_SHAPE_PLANE, (cab_vec3){0});
    if (i % 3 == 0) below.center = (cab_vec3){0.1, 1, 0};
    if (i % 3 == 0) below.radius = 0.03;
    below.friction = 0.3;
    add_collider(scene, below);
    add_bar(scene, (cab_vec3){between(0.05, 0.15), -0.2, between(0.02, 0.3)}, (cab_vec3){0.1, 0.2, 0.1});
    add_bar(scene, (cab_vec3){between(0.05, 0.15), 0.8, 0.02}, (cab_vec3){0.1, 1.2, 0.02});
    cab_collider_def box = shape_at(CAB_SHAPE_BOX, (cab_vec3){between(0, 0.2), 1, between(-0.02, 0.01)});
    box.half_extents = (cab_vec3){between(0.05, 0.5), between(0.05, 0.2), 0.02};
    add_collider(scene, box);
    return scene;
}

/* Some are drawn aside within a frame. */
static void draw_aside(cab_batch *batch, cab_world *const *world)
{
    cab_error error = {0};
    for (int i = 0; i < COUNT; i++) {
        if (between(0, 1) > 0.08) continue;
        cab_vec3 to = {between(-0.08, 0.08), between(-0.05, 0.05), between(0.2, 0.6)};
        must(cab_world_set_target(cab_batch_world(batch, i), 0, to, &error), &error);
        must(cab_world_set_target(world[i], 0, to, &error), &error);
    }
}

/* How many frames were taken by a gang in pieces, and how many by nobody in lanes. */
typedef struct ways {
    int cut, staged;
} ways;

static void run(uint64_t seed, ways *w)
{
    cab_scene *scenes[COUNT];
    cab_world *world[COUNT];
    bits = 88172645463325252u + seed;
    for (int i = 0; i < COUNT; i++) scenes[i] = make(i);
    cab_batch *batch = batch_beside(scenes, COUNT, "native", world);
    for (int frame = 0; frame < FRAMES; frame++) {
        draw_aside(batch, world);
        step_beside(batch, world, COUNT, "seed", (int)seed);
        for (int i = 0; i < COUNT; i++) {
            const cab_world *mine = cab_batch_world(batch, i);
            w->cut += mine->clear.near && mine->lanes.resident && mine->clear.near_level > 0;
            w->staged += !mine->clear.near && !mine->clear.now;
        }
    }
    end_beside(batch, world, COUNT);
}

static void each_is_what_it_is_alone(void **state)
{
    (void)state;
    ways w = {0};
    for (uint64_t seed = FIRST; seed < FIRST + SEEDS; seed++) run(seed, &w);
    assert_true(w.cut > SEEDS * COUNT * FRAMES / 20 && w.staged > SEEDS * COUNT * FRAMES / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_what_it_is_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Scenes and worlds of the direct method. Include cmocka first. */
#ifndef CAB_TESTS_DIRECT_H
#define CAB_TESTS_DIRECT_H

#include "scenes.h"

#define G 9.81

static const cab_way ways[2] = {CAB_WAY_LANES, CAB_WAY_STAGED};

static inline cab_scene *direct_scene(int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    return scene;
}

static inline cab_world *world_in(cab_scene *scene, cab_way way)
{
    cab_scene_settings(scene)->way = way;
    cab_world *world = native_world(scene);
    assert_int_equal(cab_world_get_info(world).way, way);
    return world;
}

/* The largest relative error of a length at the ends of the frames of a run. */
static inline double worst_stretch(cab_scene *scene, cab_way way, int frames)
{
    cab_world *world = world_in(scene, way);
    step(world, frames);
    double worst = measure(world).stretch_worst;
    cab_world_destroy(world);
    return worst;
}

/* The mean tension of a segment over some frames: what a rounding of its length makes of a single one, with a
 * weight of 0.2 kg on it, is 0.2 kg 4e-9 m/h_s^2 = 2 mN. */
static inline void mean_tensions(cab_world *world, int frames, int count, double *tension)
{
    for (int i = 0; i < count; i++) tension[i] = 0;
    for (int f = 0; f < frames; f++) {
        step(world, 1);
        snapshot s = read_world(world);
        for (int i = 0; i < count; i++) tension[i] += s.tension[i] / frames;
        snapshot_free(&s);
    }
}

/* Ten segments of 0.1 m that hang down, with a weight and a force at the end. */
#define HUNG 10
#define WEIGHT 0.2 /* kg */
#define PULL 0.7   /* N */

static inline cab_scene *hung_scene(double stretching, double damping)
{
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    wire.stretching_stiffness = stretching;
    wire.damping = damping;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1}, HUNG);
    hold(scene, "a", (cab_place){0}, false);
    cab_load_def load = load_at("a", at_end());
    load.mass = WEIGHT;
    load.force = (cab_vec3){0, 0, -PULL};
    add_load(scene, load);
    return scene;
}

/* What pulls at segment i, N: the particles below it, half a segment at the end. */
static inline double pull_at(int i)
{
    return G * (0.05 * 0.1 * (HUNG - i - 0.5) + WEIGHT) + PULL;
}

#endif

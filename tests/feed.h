/* Scenes with a drum. Include cmocka first. */
#ifndef CAB_TESTS_FEED_H
#define CAB_TESTS_FEED_H

#include "worlds.h"

#define RATE 60.0
#define G 9.81
#define DENSITY 0.05 /* kg/m, of wire_of */
#define WEIGHT 0.2   /* kg */

static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};

/* `iterations` are those of XPBD; the direct method has none. */
static inline cab_scene *scene_by(cab_method method, int substeps, int iterations)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->iterations = method == CAB_METHOD_XPBD ? iterations : 1;
    return scene;
}

/* A weight on 1 m of cable under a drum 2 m up, with half a metre more on it. */
static inline cab_scene *hanging(cab_method method, int segments, bool top, const cab_feed_keyframe *frames,
                                 int count)
{
    cab_scene *scene = scene_by(method, 40, 20);
    add_material(scene, wire_of("wire", 0.003, 0));
    const cab_vec3 ends[2] = {{0, 0, top ? 1 : 2}, {0, 0, top ? 2 : 1}};
    cab_cable_def cable = straight_of("a", "wire", ends, segments);
    cable.feed = (cab_feed_def){frames, count, top, 0.5};
    add_cable(scene, cable);
    hold(scene, "a", top ? at_end() : (cab_place){0}, false);
    hang_weight(scene, "a", top ? (cab_place){0} : at_end(), WEIGHT);
    return scene;
}

/* A slack cable between a drum and a hold; bending, damped. */
static inline cab_scene *slack(cab_method method, int segments, bool top, const cab_feed_keyframe *frames,
                               int count)
{
    cab_scene *scene = scene_by(method, 40, 10);
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    wire.damping = 4;
    add_material(scene, wire);
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.5, 0, 1}}, segments);
    cable.length = 0.7;
    cable.feed = (cab_feed_def){frames, count, top, 0.2};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    return scene;
}

#endif

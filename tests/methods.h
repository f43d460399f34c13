/* What tests of single methods share: small scenes of one method. Include cmocka first. */
#ifndef CAB_TESTS_METHODS_H
#define CAB_TESTS_METHODS_H

#include "scenes.h"

#include "kernels/xpbd.h"
#undef kernel /* words of OpenCL C that are names here */
#undef global
#undef local
#undef constant

#include "backend/native/native.h"
#include "model/method.h"

#define G 9.81

/* A frame is a substep of `h` seconds. */
static inline cab_scene *bare_scene(cab_method method, double h)
{
    cab_scene *scene = scene_of(1);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->frame_rate = 1 / h;
    add_material(scene, wire_of("wire", 0.003, 0));
    return scene;
}

/* A straight cable of 1 m that hangs from its start. */
static inline cab_scene *hanging(cab_method method, double h, int segments)
{
    cab_scene *scene = bare_scene(method, h);
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -1}, segments);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* The scene's world; the scene goes. */
static inline cab_world *world_from(cab_scene *scene)
{
    cab_world *world = native_world(scene);
    cab_scene_destroy(scene);
    return world;
}

static inline double height_of(cab_world *world, int node)
{
    double x[3];
    node_place(world, node, x);
    return x[2];
}

#endif

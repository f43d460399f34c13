/* Scenes in which something touches. Include cmocka first. */
#ifndef CAB_TESTS_CONTACT_H
#define CAB_TESTS_CONTACT_H

#include "geometry.h"

/* The measure is what all pairs by themselves give. */
static inline void check_measure(cab_world *world, touchables t)
{
    near_to(measure(world).penetration_max, deepest_overlap(world, t), 1e-6); /* floats at 1 m */
}

#define PART_SPEED 0.1 /* m/s */
#define WIDE 0.005     /* m, radius */

static inline cab_scene *still_scene(void)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.self = true;
    settings->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire_of("wire", WIDE, 0));
    return scene;
}

#endif

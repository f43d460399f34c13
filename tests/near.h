/* Scenes of cables that touch colliders and nothing else. */
#ifndef CAB_TESTS_NEAR_H
#define CAB_TESTS_NEAR_H

#include "scenes.h"
#include "world/world.h"

#define RADIUS 0.004
#define SEGMENTS 24

/* Without pieces, by `direct`, 20 substeps, no contact of cables. */
static inline cab_scene *scene_by(cab_way way)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->max_substeps = 0; /* what slides would go on stage by stage, in pieces */
    cab_scene_settings(scene)->way = way;
    cab_scene_settings(scene)->contact.cables = false;
    cab_scene_settings(scene)->contact.self = false;
    add_material(scene, wire_of("wire", RADIUS, 1e-4));
    return scene;
}

typedef cab_scene *scene_maker(cab_way way);

/* For same_everywhere(). what: a scene_maker * */
static inline cab_scene *made_by(const void *what)
{
    scene_maker *const *maker = what;
    return (*maker)(CAB_WAY_AUTO);
}

static inline bool is_near(const cab_world *world)
{
    return world->clear.near;
}

#endif

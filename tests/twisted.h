/* Cables that resist twisting, for tests. */
#ifndef CAB_TESTS_TWISTED_H
#define CAB_TESTS_TWISTED_H

#include "base/vec3.h"
#include "worlds.h"

#define EI 1.345e-4 /* N m^2 */
#define GJ 0.789e-4
#define LINEAR 0.02 /* kg/m */

static inline cab_material_def twisting(const char *name, double stiffness, double damping)
{
    cab_material_def def = wire_of(name, 0.001, EI);
    def.linear_density = LINEAR;
    def.twisting_stiffness = stiffness;
    def.damping = damping;
    return def;
}

/* Without gravity, with such a material "wire". */
static inline cab_scene *twist_scene(int substeps, cab_way way, double damping)
{
    cab_scene *scene = scene_of(substeps);
    cab_settings *s = cab_scene_settings(scene);
    s->method = CAB_METHOD_DIRECT;
    s->way = way;
    s->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, twisting("wire", GJ, damping));
    return scene;
}

static inline void clamp_rolled(cab_scene *scene, const char *cable, cab_place at, double roll)
{
    cab_attachment_def def = held_at(cable, at);
    def.clamp = true;
    def.roll = roll;
    add_attachment(scene, def);
}

/* The end of cable "a", led and rolled from one keyframe to the other. */
static inline void clamp_led(cab_scene *scene, const cab_keyframe place[2], const cab_roll_keyframe roll[2])
{
    cab_attachment_def def = held_at("a", at_end());
    def.clamp = true;
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = place;
    def.roll_keyframes = roll;
    def.keyframe_count = def.roll_keyframe_count = 2;
    add_attachment(scene, def);
}

/* A straight cable "a" of 40 segments from the origin, which is of another material in a part. */
static inline void add_two_materials(cab_scene *scene, cab_vec3 to, const char *material, double from,
                                     double until)
{
    const cab_vec3 path[2] = {{0, 0, 0}, to};
    const cab_cover_def cover = {.from = from, .to = until, .material = material, .instead = true};
    cab_cable_def cable = straight_of("a", "wire", path, 40);
    cable.covers = &cover;
    cable.cover_count = 1;
    add_cable(scene, cable);
}

/* Curled at rest as it is drawn. */
static inline cab_material_def curled(double stiffness, double damping)
{
    cab_material_def def = twisting("wire", stiffness, damping);
    def.rest_shape_path = true;
    return def;
}

/* Without gravity, with this material. */
static inline cab_scene *still_scene(int substeps, cab_material_def def)
{
    cab_scene *scene = scene_of(substeps);
    cab_settings *s = cab_scene_settings(scene);
    s->method = CAB_METHOD_DIRECT;
    s->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, def);
    return scene;
}

static inline void add_path(cab_scene *scene, const cab_vec3 *path, int segments, cab_vec3 axis)
{
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = segments + 1;
    cable.section_axis = axis;
    add_cable(scene, cable);
}

static inline cab_vec3 at(const snapshot *s, int i)
{
    return (cab_vec3){s->x[i][0], s->x[i][1], s->x[i][2]};
}

/* Straight at rest, until it is bent by more than the yield, 1/m. */
static inline cab_material_def soft(double yield)
{
    cab_material_def def = twisting("wire", GJ, 20);
    def.yield_curvature = yield;
    return def;
}

/* No world can be made of the scene. Frees it. */
static inline void must_refuse(cab_scene *scene, cab_status status, const char *part)
{
    cab_world_def def = cab_world_default();
    cab_world *world = NULL;
    cab_error error = {0};
    def.device = "native";
    must_fail(cab_world_create(scene, &def, &world, &error), status, &error, part);
    assert_null(world);
    cab_scene_destroy(scene);
}

#endif

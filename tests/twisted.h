/* Cables that resist twisting, for tests. */
#ifndef CAB_TESTS_TWISTED_H
#define CAB_TESTS_TWISTED_H

#include "base/vec3.h"
#include "worlds.h"

#define EI 1.345e-4 /* N m^2 */
#define GJ 0.789e-4
#define LINEAR 0.02 /* kg/m */
#define TURN (2 * acos(-1))

static const char *const devices[] = {"native", "opencl"};

static inline bool can_run(int device)
{
    return device == 0 || have_opencl();
}

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

#define MICHELL (TURN * sqrt(3) * EI / GJ) /* rad; twisted by this a ring leaves its plane */

/* A ring "a" of radius 0.1 m on its plane, but for 1e-5 m, whose ends meet at clamps that hold their direction. */
static inline void add_ring(cab_scene *scene, int segments)
{
    enum { POINTS = 150 };
    const double radius = 0.1, length = TURN * radius / segments;
    cab_vec3 path[POINTS + 4] = {{0, 0, 0}, {length, 0, 0}};
    int count = 2;
    for (int k = 1; k < POINTS; k++) {
        double a = TURN * k / POINTS, x = radius * sin(a), y = radius * (1 - cos(a));
        if (fabs(x) > 1.05 * length || y > radius) path[count++] = (cab_vec3){x, y, 1e-5 * sin(2 * a)};
    }
    path[count++] = (cab_vec3){-length, 0, 0};
    path[count++] = (cab_vec3){0, 0, 0};
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = count;
    add_cable(scene, cable);
}

/* Hangs between clamps, one of which is rolled. */
static inline void add_hanging(cab_scene *scene, int segments, double roll)
{
    const cab_vec3 path[] = {{0, 0, 1}, {0.15, 0.05, 0.8}, {0.3, 0, 1}};
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = 3;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -9.81};
    add_cable(scene, cable);
    clamp_rolled(scene, "a", (cab_place){0}, 0);
    clamp_rolled(scene, "a", at_end(), roll);
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

/* A straight cable "a" of 0.8 m in 40 segments between clamps at both ends and in the middle, rolled to 0, 1 and 4 rad. That in the
 * middle is pulled out by a force from `start` on, which is gone 0.3 s later. */
static inline void add_parted(cab_scene *scene, double start)
{
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.8, 0, 0}, 40);
    clamp_rolled(scene, "a", (cab_place){0}, 0);
    cab_attachment_def middle = held_at("a", at_fraction(0.5));
    middle.clamp = true;
    middle.break_force = 0.5;
    middle.roll = 1;
    add_attachment(scene, middle);
    clamp_rolled(scene, "a", at_end(), 4);
    cab_load_def load = load_at("a", at_fraction(0.5));
    const cab_keyframe force[] = {
        {0, {0, 0, 0}}, {start, {0, 0, 0}}, {start + 0.1, {0, 0, -1}}, {start + 0.3, {0, 0, 0}}};
    load.force_keyframes = force;
    load.force_keyframe_count = 4;
    add_load(scene, load);
}

#endif

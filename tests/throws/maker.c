/* What throws are made of. */
#include "maker.h"

#include <math.h>
#include <stdio.h>

#include "base/vec3.h"

/* splitmix64 (S. Vigna) */
double uniform(maker *m, double low, double high)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) / 9007199254740992.0);
}

double doubling(maker *m, double low, double high)
{
    return low * exp(uniform(m, 0, log(high / low)));
}

static void check(maker *m, cab_status status)
{
    if (status == CAB_OK) return;
    if (!m->failed) fprintf(stderr, "throws: %s\n", m->error.message);
    m->failed = true;
}

void add_material(maker *m, const char *name, double radius)
{
    cab_material_def def = cab_material_default();
    def.name = name;
    def.radius = radius;
    def.linear_density = 5000 * radius * radius; /* kg/m: heavier than water, lighter than copper */
    def.bending_stiffness = uniform(m, 0, 1) < 0.5 ? 0 : 1e-3;
    def.friction = uniform(m, 0, 1) < 0.5 ? 0 : 0.3;
    check(m, cab_scene_add_material(m->scene, &def, &m->error));
}

void add_cable(maker *m, const char *name, const char *material, const cab_vec3 *path, int count,
               int segments, double length, cab_vec3 velocity)
{
    cab_cable_def def = cab_cable_default();
    def.name = name;
    def.material = material;
    def.path = path;
    def.path_count = count;
    def.segments = segments;
    def.length = length;
    def.velocity = velocity;
    check(m, cab_scene_add_cable(m->scene, &def, &m->error));
}

void hold(maker *m, const char *cable, bool end, const cab_keyframe *keyframes, int count)
{
    cab_attachment_def def = cab_attachment_default();
    def.cable = cable;
    def.at.kind = end ? CAB_PLACE_END : CAB_PLACE_START;
    if (count > 0) {
        def.to = CAB_TARGET_KEYFRAMES;
        def.keyframes = keyframes;
        def.keyframe_count = count;
    }
    check(m, cab_scene_add_attachment(m->scene, &def, &m->error));
}

/* A straight cable whose lowest point is `height` above z = 0, over or beside the origin, thrown down; `speed` 0: at rest. */
void throw_down(maker *m, double height, double speed)
{
    double yaw = uniform(m, -0.6, 0.6), tilt = uniform(m, -0.6, 0.6), back = uniform(m, 0.1, 0.9) * m->length;
    cab_vec3 direction = {cos(yaw) * cos(tilt), sin(yaw) * cos(tilt), sin(tilt)};
    cab_vec3 flight = {uniform(m, -0.2, 0.2), uniform(m, -0.2, 0.2), -1};
    /* so high that the cable reaches the origin's height where it will be over the origin */
    double lift = height + m->length * fabs(direction.z);
    cab_vec3 from =
        cab_vec3_add_scaled(cab_vec3_add_scaled((cab_vec3){0, 0, 0}, -back, direction), -lift, flight);
    const cab_vec3 path[2] = {from, cab_vec3_add_scaled(from, m->length, direction)};
    add_cable(m, "thrown", "thrown", path, 2, m->segments, 0,
              cab_vec3_add_scaled((cab_vec3){0, 0, 0}, speed, flight));
}

void add_collider(maker *m, const cab_collider_def *def)
{
    check(m, cab_scene_add_collider(m->scene, def, &m->error));
}

void add_capsule(maker *m, double radius, const cab_pose_keyframe *keyframes, int count)
{
    cab_collider_def def = cab_collider_default();
    def.shape = CAB_SHAPE_CAPSULE;
    def.center = (cab_vec3){0, -0.8, 0};
    def.to = (cab_vec3){0, 0.8, 0};
    def.radius = radius;
    def.keyframes = keyframes;
    def.keyframe_count = count;
    add_collider(m, &def);
}

void add_sphere(maker *m, double radius, const cab_pose_keyframe *keyframes, int count)
{
    cab_collider_def def = cab_collider_default();
    def.shape = CAB_SHAPE_SPHERE;
    def.radius = radius;
    def.keyframes = keyframes;
    def.keyframe_count = count;
    add_collider(m, &def);
}

static void box_mesh(cab_vec3 h, cab_vec3 corner[8], int triangles[36])
{
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 8; i++)
        corner[i] = (cab_vec3){i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z};
    for (int q = 0; q < 6; q++) {
        const int order[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; k++) triangles[6 * q + k] = quads[q][order[k]];
    }
}

void add_box(maker *m, cab_vec3 half, bool mesh, const cab_pose_keyframe *keyframes, int count)
{
    cab_collider_def def = cab_collider_default();
    cab_vec3 corner[8];
    int triangles[36];
    def.shape = mesh ? CAB_SHAPE_MESH : CAB_SHAPE_BOX;
    def.half_extents = half;
    if (mesh) {
        box_mesh(half, corner, triangles);
        def.mesh = (cab_mesh){corner, 8, triangles, 12};
    }
    def.keyframes = keyframes;
    def.keyframe_count = count;
    add_collider(m, &def);
}

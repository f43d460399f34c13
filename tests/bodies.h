/* Scenes with rigid bodies, and what they have. Include cmocka first. */
#ifndef CAB_TESTS_BODIES_H
#define CAB_TESTS_BODIES_H

#include "worlds.h"

#define PI 3.14159265358979323846
#define G 9.81

static const char *const devices[] = {"native", "opencl"};

static inline bool can_run(int device)
{
    return device == 0 || have_opencl();
}

/* A scene of the direct method, with a cable out of the way where there is to be none that matters. */
static inline cab_scene *body_scene(int substeps, double gravity)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -gravity};
    add_material(scene, wire_of("wire", 0.002, 1e-4));
    return scene;
}

static inline void add_body(cab_scene *scene, cab_body_def def)
{
    cab_error error = {0};
    must(cab_scene_add_body(scene, &def, &error), &error);
}

static const cab_body_shape_def block = {
    .kind = CAB_BODY_BOX, .half_extents = {0.1, 0.05, 0.02}, .rotation = {1, 0, 0, 0}};

/* A block of 2 kg. */
static inline cab_body_def block_at(const char *name, cab_vec3 position)
{
    cab_body_def def = cab_body_default();
    def.name = name;
    def.position = position;
    def.mass = 2;
    def.shapes = &block;
    def.shape_count = 1;
    return def;
}

/* Its moments of inertia, kg m^2. */
static const double inertia[3] = {2 * (0.05 * 0.05 + 0.02 * 0.02) / 3, 2 * (0.1 * 0.1 + 0.02 * 0.02) / 3,
                                  2 * (0.1 * 0.1 + 0.05 * 0.05) / 3};

static inline void end_on(cab_scene *scene, const char *cable, cab_place at, const char *body, cab_vec3 point)
{
    cab_attachment_def def = held_at(cable, at);
    def.to = CAB_TARGET_BODY;
    def.target = body;
    def.at_point = true;
    def.point = point;
    add_attachment(scene, def);
}

static inline cab_body_reading read_body(cab_world *world)
{
    cab_error error = {0};
    cab_body_reading readings[8];
    assert_in_range(cab_world_get_bodies(world, NULL, 0), 1, 8);
    must(cab_world_read_bodies(world, readings, &error), &error);
    return readings[0];
}

/* By how much it has turned about an axis, from -pi to pi. */
static inline double turned_about(const cab_body_reading *r, int axis)
{
    return 2 * atan2(r->rotation[1 + axis], r->rotation[0]);
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* What the cables and bodies of a world have. */
typedef struct sums {
    double energy, momentum[3], turning[3]; /* J, kg m/s, kg m^2/s about the origin */
} sums;

static inline void add_to(sums *s, double mass, const double x[3], const double v[3])
{
    double turning[3];
    cross(x, v, turning);
    for (int k = 0; k < 3; k++) {
        s->momentum[k] += mass * v[k];
        s->turning[k] += mass * turning[k];
    }
}

/* What a body has. */
static inline void add_body_to(sums *s, const cab_body_reading *r, const cab_body_info *info)
{
    const double x[3] = {r->center.x, r->center.y, r->center.z},
                 v[3] = {r->velocity.x, r->velocity.y, r->velocity.z};
    add_to(s, info->mass, x, v);
    /* about its own centre: R I R^T w */
    const double q[4] = {r->rotation[0], r->rotation[1], r->rotation[2], r->rotation[3]};
    const double w[3] = {r->spin.x, r->spin.y, r->spin.z};
    double axis[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]),
                          2 * (q[1] * q[3] - q[0] * q[2])},
                         {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                          2 * (q[2] * q[3] + q[0] * q[1])},
                         {0}};
    cross(axis[0], axis[1], axis[2]);
    for (int k = 0; k < 3; k++) {
        double about = 0;
        for (int n = 0; n < 3; n++) about += axis[k][n] * w[n];
        for (int n = 0; n < 3; n++) s->turning[n] += info->inertia[k][k] * about * axis[k][n];
    }
}

static inline sums sums_of_bodies(cab_world *world)
{
    cab_error error = {0};
    cab_body_reading readings[8];
    cab_body_info infos[8];
    sums s = {.energy = measure(world).kinetic + measure(world).potential};
    int count = cab_world_get_bodies(world, infos, 8);
    assert_in_range(count, 1, 8);
    must(cab_world_read_bodies(world, readings, &error), &error);
    for (int i = 0; i < count; i++) add_body_to(&s, &readings[i], &infos[i]);
    return s;
}

static inline sums sums_of(cab_world *world, int segments, double linear_density)
{
    snapshot now = read_world(world);
    sums s = sums_of_bodies(world);
    for (int i = 0; i < now.nodes; i++) {
        bool end = i % (segments + 1) == 0 || i % (segments + 1) == segments;
        add_to(&s, linear_density * 0.4 / segments * (end ? 0.5 : 1), now.x[i], now.v[i]);
    }
    snapshot_free(&now);
    return s;
}

/* A cable out of the way, for a scene must have one. */
static inline void add_far_cable(cab_scene *scene)
{
    add_straight(scene, "far", (cab_vec3){50, 0, 0}, (cab_vec3){50, 1, 0}, 2);
    hold(scene, "far", (cab_place){0}, false);
    hold(scene, "far", at_end(), false);
}

/* The same bytes natively, by two threads, and on OpenCL, of cables and of the one body; skips the test without OpenCL. */
static inline void backends_move_bodies_alike(scene_for_way *make, int frames)
{
    if (!have_opencl()) skip();
    cab_world *native = take(make(CAB_WAY_STAGED), "native", 2),
              *opencl = take(make(CAB_WAY_STAGED), "opencl", 1);
    step(native, frames);
    step(opencl, frames);
    same_motion(native, opencl, "after the same frames");
    cab_body_reading a = read_body(native), b = read_body(opencl);
    assert_memory_equal(&a, &b, sizeof a);
    cab_world_destroy(native);
    cab_world_destroy(opencl);
}

#endif

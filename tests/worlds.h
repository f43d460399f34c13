/* Small scenes and worlds for tests. Include cmocka first. A failing call ends the test with its message. */
#ifndef CAB_TESTS_WORLDS_H
#define CAB_TESTS_WORLDS_H

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/clcable.h>

#include "devices.h"
#include "segments.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static inline void must(cab_status status, const cab_error *error)
{
    if (status) fail_msg("%s: %s", cab_status_name(status), error->message);
}

/* The call has failed so, and says why. */
static inline void must_fail(cab_status status, cab_status expected, const cab_error *error, const char *part)
{
    assert_int_equal(status, expected);
    assert_int_equal(error->status, expected);
    if (!strstr(error->message, part)) fail_msg("no \"%s\" in \"%s\"", part, error->message);
}

static inline void near_to(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is %.3g from %.9g, more than %.3g", value, fabs(value - expected), expected,
                 tolerance);
}

static inline void at_most(double value, double limit)
{
    if (!(value <= limit)) fail_msg("%.9g is more than %.9g", value, limit);
}

static inline void at_least(double value, double limit)
{
    if (!(value >= limit)) fail_msg("%.9g is less than %.9g", value, limit);
}

/* ---- scenes ---- */

/* Without contact of cables; 60 frames a second. */
static inline cab_scene *scene_of(int substeps)
{
    cab_scene *scene = cab_scene_create();
    assert_non_null(scene);
    cab_settings *settings = cab_scene_settings(scene);
    settings->substeps = substeps;
    settings->contact.cables = settings->contact.self = false;
    return scene;
}

static inline void add_material(cab_scene *scene, cab_material_def def)
{
    cab_error error = {0};
    must(cab_scene_add_material(scene, &def, &error), &error);
}

/* 50 g/m. */
static inline cab_material_def wire_of(const char *name, double radius, double bending_stiffness)
{
    cab_material_def def = cab_material_default();
    def.name = name;
    def.radius = radius;
    def.linear_density = 0.05;
    def.bending_stiffness = bending_stiffness;
    return def;
}

static inline cab_cable_def straight_of(const char *name, const char *material, const cab_vec3 ends[2],
                                        int segments)
{
    cab_cable_def def = cab_cable_default();
    def.name = name;
    def.material = material;
    def.path = ends;
    def.path_count = 2;
    def.segments = segments;
    return def;
}

static inline void add_cable(cab_scene *scene, cab_cable_def def)
{
    cab_error error = {0};
    must(cab_scene_add_cable(scene, &def, &error), &error);
}

/* A straight cable of the material "wire". */
static inline void add_straight(cab_scene *scene, const char *name, cab_vec3 from, cab_vec3 to, int segments)
{
    add_cable(scene, straight_of(name, "wire", (cab_vec3[2]){from, to}, segments));
}

static inline cab_place at_end(void)
{
    return (cab_place){.kind = CAB_PLACE_END};
}

static inline cab_place at_fraction(double fraction)
{
    return (cab_place){.kind = CAB_PLACE_FRACTION, .fraction = fraction};
}

static inline cab_place at_particle(int particle)
{
    return (cab_place){.kind = CAB_PLACE_PARTICLE, .particle = particle};
}

static inline void add_attachment(cab_scene *scene, cab_attachment_def def)
{
    cab_error error = {0};
    must(cab_scene_add_attachment(scene, &def, &error), &error);
}

static inline cab_attachment_def held_at(const char *cable, cab_place at)
{
    cab_attachment_def def = cab_attachment_default();
    def.cable = cable;
    def.at = at;
    return def;
}

static inline void hold(cab_scene *scene, const char *cable, cab_place at, bool clamp)
{
    cab_attachment_def def = held_at(cable, at);
    def.clamp = clamp;
    add_attachment(scene, def);
}

static inline cab_attachment_def joined(const char *cable, cab_place at, const char *target,
                                        cab_place target_at)
{
    cab_attachment_def def = held_at(cable, at);
    def.to = CAB_TARGET_CABLE;
    def.target = target;
    def.target_at = target_at;
    return def;
}

static inline void join(cab_scene *scene, const char *cable, cab_place at, const char *target,
                        cab_place target_at)
{
    add_attachment(scene, joined(cable, at, target, target_at));
}

static inline void add_load(cab_scene *scene, cab_load_def def)
{
    cab_error error = {0};
    must(cab_scene_add_load(scene, &def, &error), &error);
}

static inline cab_load_def load_at(const char *cable, cab_place at)
{
    cab_load_def def = cab_load_default();
    def.cable = cable;
    def.at = at;
    return def;
}

static inline void hang_weight(cab_scene *scene, const char *cable, cab_place at, double mass)
{
    cab_load_def def = load_at(cable, at);
    def.mass = mass;
    add_load(scene, def);
}

static inline void add_collider(cab_scene *scene, cab_collider_def def)
{
    cab_error error = {0};
    must(cab_scene_add_collider(scene, &def, &error), &error);
}

static inline cab_collider_def shape_at(cab_shape shape, cab_vec3 center)
{
    cab_collider_def def = cab_collider_default();
    def.shape = shape;
    def.center = center;
    return def;
}

/* A capsule. */
static inline cab_collider_def bar_of(cab_vec3 from, cab_vec3 to, double radius)
{
    cab_collider_def def = shape_at(CAB_SHAPE_CAPSULE, from);
    def.to = to;
    def.radius = radius;
    return def;
}

static inline void add_floor(cab_scene *scene, double height)
{
    add_collider(scene, shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, height}));
}

/* A loose bundle of parallel cables with long segments over a trough of two planes, to be pressed together by
 * it. */
#define BUNDLE_RADIUS 0.004

static inline void bundle_walls(cab_collider_def walls[2])
{
    for (int i = 0; i < 2; i++) {
        walls[i] = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
        walls[i].normal = (cab_vec3){i ? 1 : -1, 0, 1};
        walls[i].friction = 0.1;
    }
}

static inline cab_scene *bundle_scene(void)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact.cables = cab_scene_settings(scene)->contact.self = true;
    cab_material_def wire = wire_of("wire", BUNDLE_RADIUS, 0);
    wire.friction = 0.1;
    add_material(scene, wire);
    for (int i = 0; i < 25; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        double x = 0.035 * (i % 5 - 2) + 0.002 * (i / 5), z = 0.11 + 0.035 * (i / 5), y = 0.003 * (i * 7 % 5);
        add_straight(scene, name, (cab_vec3){x, y - 0.15, z}, (cab_vec3){x, y + 0.15, z}, 5);
    }
    cab_collider_def walls[2];
    bundle_walls(walls);
    for (int i = 0; i < 2; i++) add_collider(scene, walls[i]);
    return scene;
}

/* ---- worlds ---- */

static inline cab_world *world_on(const cab_scene *scene, const char *device, int threads)
{
    cab_error error = {0};
    cab_world *world = NULL;
    cab_world_def def = cab_world_default();
    def.device = device;
    def.threads = threads;
    must(cab_world_create(scene, &def, &world, &error), &error);
    return world;
}

/* The same, and the scene is gone. */
static inline cab_world *take(cab_scene *scene, const char *device, int threads)
{
    cab_world *world = world_on(scene, device, threads);
    cab_scene_destroy(scene);
    return world;
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

/* The same, or the cable cannot be added. held: its start is, if it can. */
static inline void must_refuse_cable(cab_scene *scene, cab_cable_def cable, bool held, const char *part)
{
    cab_error error = {0};
    cab_status status = cab_scene_add_cable(scene, &cable, &error);
    if (status != CAB_OK) {
        must_fail(status, CAB_ERROR_INPUT, &error, part);
        cab_scene_destroy(scene);
        return;
    }
    if (held) hold(scene, cable.name, (cab_place){0}, false);
    must_refuse(scene, CAB_ERROR_INPUT, part);
}

/* Two threads on this machine's cores. */
static inline cab_world *native_world(const cab_scene *scene)
{
    return world_on(scene, "native", 2);
}

static inline void step(cab_world *world, int frames)
{
    cab_error error = {0};
    must(cab_world_step(world, frames, &error), &error);
}

static inline cab_measures measure(cab_world *world)
{
    cab_error error = {0};
    cab_measures measures;
    memset(&measures, 0, sizeof measures);
    must(cab_world_measure(world, &measures, &error), &error);
    return measures;
}

/* Everything that can be read from a world. */
typedef struct snapshot {
    int nodes, cables;
    double (*x)[3], (*v)[3], *tension; /* m, m/s, N */
} snapshot;

static inline snapshot read_world(cab_world *world)
{
    cab_error error = {0};
    cab_world_info info = cab_world_get_info(world);
    snapshot s = {.nodes = info.nodes, .cables = info.cables};
    size_t n = (size_t)info.nodes;
    s.x = calloc(n, sizeof *s.x);
    s.v = calloc(n, sizeof *s.v);
    s.tension = calloc(n, sizeof *s.tension);
    assert_true(s.x && s.v && s.tension);
    must(cab_world_read(world, s.x[0], s.v[0], s.tension, &error), &error);
    return s;
}

/* What a world is after so many frames more; the world is gone. */
static inline snapshot snapshot_after(cab_world *world, int frames)
{
    step(world, frames);
    snapshot s = read_world(world);
    cab_world_destroy(world);
    return s;
}

static inline void snapshot_free(snapshot *s)
{
    free(s->x);
    free(s->v);
    free(s->tension);
}

/* Bit for bit; `what` says which two. */
static inline void same_bytes(const snapshot *a, const snapshot *b, const char *what)
{
    assert_int_equal(a->nodes, b->nodes);
    for (int i = 0; i < a->nodes; i++) {
        if (memcmp(a->x[i], b->x[i], sizeof a->x[i]))
            fail_msg("%s: position of node %d differs, %g m", what, i, distance3(a->x[i], b->x[i]));
        if (memcmp(a->v[i], b->v[i], sizeof a->v[i])) fail_msg("%s: velocity of node %d differs", what, i);
        if (memcmp(&a->tension[i], &b->tension[i], sizeof a->tension[i]))
            fail_msg("%s: tension at node %d differs", what, i);
    }
}

/* The same places, velocities and tensions in two worlds, bit for bit. */
static inline void same_motion(cab_world *a, cab_world *b, const char *what)
{
    snapshot x = read_world(a), y = read_world(b);
    same_bytes(&x, &y, what);
    snapshot_free(&x);
    snapshot_free(&y);
}

static inline double largest_difference(const snapshot *a, const snapshot *b)
{
    double largest = 0;
    assert_int_equal(a->nodes, b->nodes);
    for (int i = 0; i < a->nodes; i++) {
        double d = distance3(a->x[i], b->x[i]);
        if (!(d <= largest)) largest = d;
    }
    return largest;
}

/* The same for where the nodes of two worlds are now. */
static inline double difference(cab_world *world, cab_world *other)
{
    snapshot a = read_world(world), b = read_world(other);
    double largest = largest_difference(&a, &b);
    snapshot_free(&a);
    snapshot_free(&b);
    return largest;
}

/* Where node `i` of the world is, m. */
static inline void node_place(cab_world *world, int i, double place[3])
{
    snapshot s = read_world(world);
    assert_in_range(i, 0, s.nodes - 1);
    memcpy(place, s.x[i], sizeof s.x[i]);
    snapshot_free(&s);
}

/* ---- ways and devices ---- */

/* A scene by the direct method that runs in this way. */
typedef cab_scene *scene_for_way(cab_way way);

/* Both ways compute the same, but for what floats make of another order: 1e-5 m after a quarter of a second. */
static inline void lanes_near_stages(scene_for_way *make)
{
    cab_world *lanes = take(make(CAB_WAY_LANES), "native", 1),
              *staged = take(make(CAB_WAY_STAGED), "native", 1);
    step(lanes, 15);
    step(staged, 15);
    snapshot a = read_world(lanes), b = read_world(staged);
    at_most(largest_difference(&a, &b), 1e-5);
    snapshot_free(&a);
    snapshot_free(&b);
    cab_world_destroy(lanes);
    cab_world_destroy(staged);
}

/* The same bytes natively, by two threads, and on OpenCL, in both ways; skips the test without OpenCL. */
static inline void devices_give_the_same(scene_for_way *make)
{
    static const cab_way each[] = {CAB_WAY_LANES, CAB_WAY_STAGED};
    if (!have_opencl()) skip();
    for (int k = 0; k < COUNT_OF(each); k++) {
        cab_world *native = take(make(each[k]), "native", 2), *opencl = take(make(each[k]), "opencl", 1);
        step(native, 5);
        step(opencl, 5);
        same_motion(native, opencl, "after 5 frames");
        cab_world_destroy(native);
        cab_world_destroy(opencl);
    }
}

/* Saving in the middle of twice so many frames changes nothing, and what is loaded goes on so. */
static inline void state_goes_on(scene_for_way *make, cab_way way, int frames, const char *file)
{
    cab_error error = {0};
    cab_world *world[3];
    for (int k = 0; k < 3; k++) world[k] = take(make(way), "native", 1);
    for (int k = 0; k < 2; k++) step(world[k], frames);
    must(cab_world_save(world[0], file, &error), &error);
    must(cab_world_load(world[2], file, &error), &error);
    for (int k = 0; k < 3; k++) step(world[k], frames);
    same_motion(world[0], world[1], "saved on the way");
    same_motion(world[0], world[2], "loaded");
    assert_true(measure(world[0]).potential == measure(world[2]).potential);
    remove(file);
    for (int k = 0; k < 3; k++) cab_world_destroy(world[k]);
}

#endif

/* The scenes of the throws. */
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "throws.h"

const char *const throw_names[THROW_KINDS] = {
    "plane",          "capsule",       "sphere",      "box",        "mesh",
    "moving-capsule", "moving-sphere", "turning-box", "taut-cable", "slack-cable",
    "meeting-cables", "whip",          "pulled",      "dragged",    "self"};

#define THROWN_SEGMENTS 30

typedef struct maker {
    uint64_t random;
    cab_scene *scene;
    cab_error error;
    bool failed;
    double radius, length, speed;
} maker;

/* splitmix64 (S. Vigna) */
static double uniform(maker *m, double low, double high)
{
    uint64_t z = m->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) / 9007199254740992.0);
}

static void check(maker *m, cab_status status)
{
    if (status == CAB_OK) return;
    if (!m->failed) fprintf(stderr, "throws: %s\n", m->error.message);
    m->failed = true;
}

static void add_material(maker *m, const char *name, double radius)
{
    cab_material_def def = cab_material_default();
    def.name = name;
    def.radius = radius;
    def.linear_density = 5000 * radius * radius; /* kg/m: heavier than water, lighter than copper */
    def.bending_stiffness = uniform(m, 0, 1) < 0.5 ? 0 : 1e-3;
    def.friction = uniform(m, 0, 1) < 0.5 ? 0 : 0.3;
    check(m, cab_scene_add_material(m->scene, &def, &m->error));
}

static void add_cable(maker *m, const char *name, const char *material, const cab_vec3 *path, int count,
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

static void hold(maker *m, const char *cable, bool end, const cab_keyframe *keyframes, int count)
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
static void throw_down(maker *m, double height, double speed)
{
    double yaw = uniform(m, -0.6, 0.6), tilt = uniform(m, -0.6, 0.6), back = uniform(m, 0.1, 0.9) * m->length;
    cab_vec3 direction = {cos(yaw) * cos(tilt), sin(yaw) * cos(tilt), sin(tilt)};
    cab_vec3 flight = {uniform(m, -0.2, 0.2), uniform(m, -0.2, 0.2), -1};
    /* so high that the cable reaches the origin's height where it will be over the origin */
    double lift = height + m->length * fabs(direction.z);
    cab_vec3 from =
        cab_vec3_add_scaled(cab_vec3_add_scaled((cab_vec3){0, 0, 0}, -back, direction), -lift, flight);
    const cab_vec3 path[2] = {from, cab_vec3_add_scaled(from, m->length, direction)};
    add_cable(m, "thrown", "thrown", path, 2, THROWN_SEGMENTS, 0,
              cab_vec3_add_scaled((cab_vec3){0, 0, 0}, speed, flight));
}

static void add_collider(maker *m, const cab_collider_def *def)
{
    check(m, cab_scene_add_collider(m->scene, def, &m->error));
}

static void add_line(throw_core *core, cab_vec3 from, cab_vec3 to)
{
    core->line[core->count][0] = from;
    core->line[core->count++][1] = to;
}

/* Edges of a box, and what joins the middles of its sides. */
static void add_box_lines(throw_core *core, cab_vec3 h)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 4; corner++) {
            double a = corner & 1 ? 1 : -1, b = corner & 2 ? 1 : -1;
            cab_vec3 s[2];
            for (int end = 0; end < 2; end++) {
                double c = end ? 1 : -1, sign[3];
                sign[axis] = c;
                sign[(axis + 1) % 3] = a;
                sign[(axis + 2) % 3] = b;
                s[end] = (cab_vec3){sign[0] * h.x, sign[1] * h.y, sign[2] * h.z};
            }
            add_line(core, s[0], s[1]);
        }
    }
    add_line(core, (cab_vec3){-h.x, 0, 0}, (cab_vec3){h.x, 0, 0});
    add_line(core, (cab_vec3){0, -h.y, 0}, (cab_vec3){0, h.y, 0});
    add_line(core, (cab_vec3){0, 0, -h.z}, (cab_vec3){0, 0, h.z});
}

static void add_capsule(maker *m, throw_case *out, double radius, const cab_pose_keyframe *keyframes,
                        int count)
{
    cab_collider_def def = cab_collider_default();
    def.shape = CAB_SHAPE_CAPSULE;
    def.center = (cab_vec3){0, -0.8, 0};
    def.to = (cab_vec3){0, 0.8, 0};
    def.radius = radius;
    def.keyframes = keyframes;
    def.keyframe_count = count;
    add_collider(m, &def);
    add_line(&out->core, (cab_vec3){0, 0, 0}, cab_vec3_sub(def.to, def.center));
}

static void add_sphere(maker *m, throw_case *out, double radius, const cab_pose_keyframe *keyframes,
                       int count)
{
    cab_collider_def def = cab_collider_default();
    double deep = 0.5 * radius;
    def.shape = CAB_SHAPE_SPHERE;
    def.radius = radius;
    def.keyframes = keyframes;
    def.keyframe_count = count;
    add_collider(m, &def);
    add_line(&out->core, (cab_vec3){-deep, 0, 0}, (cab_vec3){deep, 0, 0});
    add_line(&out->core, (cab_vec3){0, -deep, 0}, (cab_vec3){0, deep, 0});
    add_line(&out->core, (cab_vec3){0, 0, -deep}, (cab_vec3){0, 0, deep});
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

static void add_box(maker *m, throw_case *out, cab_vec3 half, bool mesh, const cab_pose_keyframe *keyframes,
                    int count)
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
    add_box_lines(&out->core, (cab_vec3){0.7 * half.x, 0.7 * half.y, 0.5 * half.z});
}

/* From below, over the throw's time, at its speed; turning: by up to a tenth of a turn on the way. */
static void path_up(maker *m, double from, double time, bool turning, cab_pose_keyframe path[2])
{
    double angle = turning ? uniform(m, -0.3, 0.3) : 0;
    path[0] = (cab_pose_keyframe){0, {{0, 0, from}, {1, 0, 0, 0}}};
    path[1] = (cab_pose_keyframe){time, {{0, 0, from + m->speed * time}, {cos(angle), 0, sin(angle), 0}}};
}

/* At rest across the origin. */
static void lay_down(maker *m)
{
    double yaw = uniform(m, -0.6, 0.6), back = uniform(m, 0.2, 0.8) * m->length;
    cab_vec3 direction = {cos(yaw), sin(yaw), uniform(m, -0.1, 0.1)};
    cab_vec3 from = cab_vec3_add_scaled((cab_vec3){0, 0, 0}, -back, direction);
    const cab_vec3 path[2] = {from, cab_vec3_add_scaled(from, m->length, direction)};
    add_cable(m, "thrown", "thrown", path, 2, THROWN_SEGMENTS, 0, (cab_vec3){0, 0, 0});
    cab_scene_settings(m->scene)->gravity = (cab_vec3){0, 0, 0};
}

static void make_standing(maker *m, throw_kind kind, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03);
    cab_vec3 half = {uniform(m, 0.3, 0.8), uniform(m, 0.3, 0.8), uniform(m, 0.002, 0.02)};
    if (kind == THROW_PLANE) {
        cab_collider_def def = cab_collider_default();
        add_collider(m, &def);
        out->core.plane = true;
        out->core.depth = m->radius;
        wide = 0;
    } else if (kind == THROW_CAPSULE) {
        add_capsule(m, out, wide, NULL, 0);
    } else if (kind == THROW_SPHERE) {
        add_sphere(m, out, wide *= 4, NULL, 0);
    } else {
        add_box(m, out, half, kind == THROW_MESH, NULL, 0);
        wide = half.z;
    }
    throw_down(m, wide + m->radius + uniform(m, 0.01, 0.06), m->speed);
}

static void make_moving(maker *m, throw_kind kind, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), plate = uniform(m, 0.002, 0.01);
    cab_pose_keyframe path[2];
    lay_down(m);
    double below =
        0.12 * m->length + m->radius + uniform(m, 0.01, 0.06); /* clear of a cable that is tilted */
    if (kind == THROW_TURNING_BOX) {
        below += plate + 0.35 * 0.6; /* and of a plate that turns */
        path_up(m, -below, out->duration, true, path);
        add_box(m, out, (cab_vec3){0.6, 0.6, plate}, false, path, 2);
    } else if (kind == THROW_MOVING_SPHERE) {
        path_up(m, -below - 4 * wide, out->duration, false, path);
        add_sphere(m, out, 4 * wide, path, 2);
    } else {
        path_up(m, -below - wide, out->duration, false, path);
        add_capsule(m, out, wide, path, 2);
    }
}

/* A cable along y through the origin, which the thrown one is to meet. */
static void make_cable(maker *m, throw_kind kind)
{
    double radius = uniform(m, 0.0015, 0.005);
    add_material(m, "other", radius);
    const cab_vec3 path[2] = {{0, -0.6, 0}, {0, 0.6, 0}};
    bool meeting = kind == THROW_MEETING;
    cab_vec3 up = {0, 0, meeting ? m->speed : 0};
    add_cable(m, "other", "other", path, 2, 40, kind == THROW_SLACK ? 1.2 * 1.02 : 0, up);
    if (!meeting) {
        hold(m, "other", false, NULL, 0);
        hold(m, "other", true, NULL, 0);
    }
    throw_down(m, 0.1 + m->radius + radius + uniform(m, 0.01, 0.06), m->speed);
}

static void make_whip(maker *m, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), height = wide + m->radius + uniform(m, 0.005, 0.05);
    add_capsule(m, out, wide, NULL, 0);
    double back = uniform(m, 0.2, 0.7) * m->length;
    const cab_vec3 path[2] = {{-back, 0, height}, {m->length - back, uniform(m, -0.2, 0.2), height}};
    add_cable(m, "thrown", "thrown", path, 2, THROWN_SEGMENTS, 0, (cab_vec3){0, 0, -m->speed});
    hold(m, "thrown", false, NULL, 0);
}

/* Both ends are led down beside a bar that the cable lies over; in the end it is still slack. */
static void make_pulled(maker *m, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), height = wide + m->radius + 0.01, down = 0.3;
    add_capsule(m, out, wide, NULL, 0);
    m->length = 1;
    const cab_vec3 path[2] = {{-0.5, 0, height}, {0.5, uniform(m, -0.1, 0.1), height}};
    add_cable(m, "thrown", "thrown", path, 2, THROWN_SEGMENTS, 0, (cab_vec3){0, 0, 0});
    for (int end = 0; end < 2; end++) {
        double time = down / m->speed * (end ? uniform(m, 1, 2) : 1), side = end ? 0.25 : -0.25;
        const cab_keyframe led[2] = {{0, path[end]}, {time, {side, path[end].y, height - down}}};
        hold(m, "thrown", end, led, 2);
    }
}

static void make_dragged(maker *m, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), height = wide + m->radius + uniform(m, 0.005, 0.03);
    add_capsule(m, out, wide, NULL, 0);
    const cab_vec3 path[2] = {{-m->length / 2, 0, height}, {m->length / 2, uniform(m, -0.1, 0.1), height}};
    add_cable(m, "thrown", "thrown", path, 2, THROWN_SEGMENTS, 0, (cab_vec3){0, 0, 0});
    hold(m, "thrown", false, NULL, 0);
    out->pulled = THROWN_SEGMENTS / 2 + (int)uniform(m, 0, THROWN_SEGMENTS / 2);
    out->pull_from = (cab_vec3){0, 0, height};
    out->pull_to = (cab_vec3){uniform(m, -0.3, 0.1), 0, -0.4};
    out->duration = 0.2;
}

/* The upper leg's end is led down through the lower leg, which is held at its start only. */
static void make_self(maker *m, throw_case *out)
{
    double gap = 0.03 + 8 * m->radius, x = uniform(m, 0.3, 0.7) * m->length / 2, leg = m->length / 2;
    const cab_vec3 path[4] = {{0, 0, 0}, {leg, 0, 0}, {leg, 0, gap}, {leg - x, 0, gap}};
    add_cable(m, "thrown", "thrown", path, 4, THROWN_SEGMENTS, 0, (cab_vec3){0, 0, 0});
    double time = (gap + 0.1) / m->speed;
    const cab_keyframe led[2] = {{0, path[3]}, {time, {leg - x, uniform(m, -0.005, 0.005), -0.1}}};
    hold(m, "thrown", false, NULL, 0);
    hold(m, "thrown", true, led, 2);
    cab_scene_settings(m->scene)->contact_self = true;
    out->duration = time + 0.02;
}

bool throw_make(throw_kind kind, uint64_t seed, const throw_options *options, throw_case *out)
{
    maker m = {.random = seed * THROW_KINDS + kind, .scene = cab_scene_create()};
    *out = (throw_case){.scene = m.scene, .pulled = -1};
    if (!m.scene) return false;
    cab_settings *settings = cab_scene_settings(m.scene);
    settings->method = options->method;
    settings->substeps = 1;
    settings->max_substeps = options->max_pieces;
    settings->frame_rate = 60.0 * options->substeps;
    settings->contact_self = uniform(&m, 0, 1) < 0.5;
    m.radius = uniform(&m, 0.0015, 0.005);
    m.length = uniform(&m, 0.2, 1);
    m.speed = uniform(&m, 5, 50);
    out->duration = fmin(0.1, (0.1 + m.length) / m.speed) + 0.02;
    add_material(&m, "thrown", m.radius);
    switch (kind) {
    case THROW_MOVING_CAPSULE:
    case THROW_MOVING_SPHERE:
    case THROW_TURNING_BOX:
        make_moving(&m, kind, out);
        break;
    case THROW_TAUT:
    case THROW_SLACK:
    case THROW_MEETING:
        make_cable(&m, kind);
        break;
    case THROW_WHIP:
        make_whip(&m, out);
        break;
    case THROW_PULLED:
        make_pulled(&m, out);
        break;
    case THROW_DRAGGED:
        make_dragged(&m, out);
        break;
    case THROW_SELF:
        make_self(&m, out);
        break;
    default:
        make_standing(&m, kind, out);
    }
    return !m.failed;
}

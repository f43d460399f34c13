/* The scenes of the throws. */
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "maker.h"

const char *const throw_names[THROW_KINDS] = {
    "plane",         "capsule",     "sphere",     "box",         "mesh",           "moving-capsule",
    "moving-sphere", "turning-box", "taut-cable", "slack-cable", "meeting-cables", "whip",
    "pulled",        "dragged",     "self",       "corner",      "spinning",       "shell",
    "led-cable",     "gap",         "squeezed",   "tangle"};

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
    add_cable(m, "thrown", "thrown", path, 2, m->segments, 0, (cab_vec3){0, 0, 0});
    cab_scene_settings(m->scene)->gravity = (cab_vec3){0, 0, 0};
}

static void make_standing(maker *m, throw_kind kind)
{
    double wide = uniform(m, 0.003, 0.03);
    cab_vec3 half = {uniform(m, 0.3, 0.8), uniform(m, 0.3, 0.8), uniform(m, 0.002, 0.02)};
    if (kind == THROW_PLANE) {
        cab_collider_def def = cab_collider_default();
        add_collider(m, &def);
        wide = 0;
    } else if (kind == THROW_CAPSULE) {
        add_capsule(m, wide, NULL, 0);
    } else if (kind == THROW_SPHERE) {
        add_sphere(m, wide *= 4, NULL, 0);
    } else {
        add_box(m, half, kind == THROW_MESH, NULL, 0);
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
        add_box(m, (cab_vec3){0.6, 0.6, plate}, false, path, 2);
    } else if (kind == THROW_MOVING_SPHERE) {
        path_up(m, -below - 4 * wide, out->duration, false, path);
        add_sphere(m, 4 * wide, path, 2);
    } else {
        path_up(m, -below - wide, out->duration, false, path);
        add_capsule(m, wide, path, 2);
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

static void make_whip(maker *m)
{
    double wide = uniform(m, 0.003, 0.03), height = wide + m->radius + uniform(m, 0.005, 0.05);
    add_capsule(m, wide, NULL, 0);
    double back = uniform(m, 0.2, 0.7) * m->length;
    const cab_vec3 path[2] = {{-back, 0, height}, {m->length - back, uniform(m, -0.2, 0.2), height}};
    add_cable(m, "thrown", "thrown", path, 2, m->segments, 0, (cab_vec3){0, 0, -m->speed});
    hold(m, "thrown", false, NULL, 0);
}

/* Both ends are led down beside a bar that the cable lies over; in the end it is still slack. */
static void make_pulled(maker *m)
{
    double wide = uniform(m, 0.003, 0.03), height = wide + m->radius + 0.01, down = 0.3;
    add_capsule(m, wide, NULL, 0);
    m->length = 1;
    const cab_vec3 path[2] = {{-0.5, 0, height}, {0.5, uniform(m, -0.1, 0.1), height}};
    add_cable(m, "thrown", "thrown", path, 2, m->segments, 0, (cab_vec3){0, 0, 0});
    for (int end = 0; end < 2; end++) {
        double time = down / m->speed * (end ? uniform(m, 1, 2) : 1), side = end ? 0.25 : -0.25;
        const cab_keyframe led[2] = {{0, path[end]}, {time, {side, path[end].y, height - down}}};
        hold(m, "thrown", end, led, 2);
    }
}

static void make_dragged(maker *m, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), height = wide + m->radius + uniform(m, 0.005, 0.03);
    add_capsule(m, wide, NULL, 0);
    const cab_vec3 path[2] = {{-m->length / 2, 0, height}, {m->length / 2, uniform(m, -0.1, 0.1), height}};
    add_cable(m, "thrown", "thrown", path, 2, m->segments, 0, (cab_vec3){0, 0, 0});
    hold(m, "thrown", false, NULL, 0);
    out->pulled = m->segments / 2 + (int)uniform(m, 0, m->segments / 2);
    out->pull_from = (cab_vec3){0, 0, height};
    out->pull_to = (cab_vec3){uniform(m, -0.3, 0.1), 0, -0.4};
    out->duration = 0.2;
}

/* The upper leg's end is led down through the lower leg, which is held at its start only. */
static void make_self(maker *m, throw_case *out)
{
    double gap = 0.03 + 8 * m->radius, x = uniform(m, 0.3, 0.7) * m->length / 2, leg = m->length / 2;
    const cab_vec3 path[4] = {{0, 0, 0}, {leg, 0, 0}, {leg, 0, gap}, {leg - x, 0, gap}};
    add_cable(m, "thrown", "thrown", path, 4, m->segments, 0, (cab_vec3){0, 0, 0});
    double time = (gap + 0.1) / m->speed;
    const cab_keyframe led[2] = {{0, path[3]}, {time, {leg - x, uniform(m, -0.005, 0.005), -0.1}}};
    hold(m, "thrown", false, NULL, 0);
    hold(m, "thrown", true, led, 2);
    cab_scene_settings(m->scene)->contact.self = true;
    out->duration = time + 0.02;
}

/* A throw of other sizes and speeds than most: few segments or many, a thin cable or a thick one. */
static void make_wide(maker *m)
{
    m->segments = (int)doubling(m, 4, 200);
    m->radius = doubling(m, 0.001, 0.01);
    m->speed = doubling(m, 2, 80);
}

bool throw_make(throw_kind kind, uint64_t seed, const throw_options *options, throw_case *out)
{
    maker m = {.random = seed * 15 + kind % 15 + ((uint64_t)(kind / 15) << 40),
               .scene = cab_scene_create(),
               .segments = 30};
    *out = (throw_case){.scene = m.scene, .pulled = -1};
    if (!m.scene) return false;
    cab_settings *settings = cab_scene_settings(m.scene);
    settings->contact.self = uniform(&m, 0, 1) < 0.5;
    m.radius = uniform(&m, 0.0015, 0.005);
    m.length = uniform(&m, 0.2, 1);
    m.speed = uniform(&m, 5, 50);
    if (options->wide) make_wide(&m);
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
        make_whip(&m);
        break;
    case THROW_PULLED:
        make_pulled(&m);
        break;
    case THROW_DRAGGED:
        make_dragged(&m, out);
        break;
    case THROW_SELF:
        make_self(&m, out);
        break;
    case THROW_CORNER:
    case THROW_SPINNING:
    case THROW_SHELL:
    case THROW_LED:
    case THROW_GAP:
    case THROW_SQUEEZED:
    case THROW_TANGLE:
        throw_make_more(&m, kind, out);
        break;
    default:
        make_standing(&m, kind);
    }
    return !m.failed;
}

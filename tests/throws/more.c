/* Throws at things that move in more ways. */
#include <math.h>

#include "base/vec3.h"
#include "maker.h"

static const cab_vec3 origin = {0, 0, 0};

/* A unit quaternion, any as likely as any other (Shoemake, Uniform Random Rotations, 1992). */
static void any_rotation(maker *m, double q[4])
{
    double u = uniform(m, 0, 1), a = uniform(m, 0, 6.283185307179586), b = uniform(m, 0, 6.283185307179586);
    q[0] = sqrt(1 - u) * sin(a);
    q[1] = sqrt(1 - u) * cos(a);
    q[2] = sqrt(u) * sin(b);
    q[3] = sqrt(u) * cos(b);
}

static void make_corner(maker *m)
{
    cab_collider_def def = cab_collider_default();
    def.shape = CAB_SHAPE_BOX;
    def.half_extents = (cab_vec3){uniform(m, 0.01, 0.15), uniform(m, 0.01, 0.15), uniform(m, 0.01, 0.15)};
    any_rotation(m, def.rotation);
    add_collider(m, &def);
    throw_down(m, cab_vec3_length(def.half_extents) + m->radius + 0.02, m->speed);
}

static void add_cable_at(maker *m, const char *name, cab_vec3 middle, cab_vec3 along, cab_vec3 velocity)
{
    cab_vec3 u = cab_vec3_unit(along);
    const cab_vec3 path[2] = {cab_vec3_add_scaled(middle, -m->length / 2, u),
                              cab_vec3_add_scaled(middle, m->length / 2, u)};
    add_cable(m, name, "thrown", path, 2, m->segments, 0, velocity);
}

#define SPINS 9 /* keyframes; poses between two turn by at most a third of a turn */

/* Turns about the vertical through the origin; the cable is upright beside it, or in its way higher up or lower down. */
static void make_spinning(maker *m, throw_case *out)
{
    cab_collider_def def = cab_collider_default();
    cab_pose_keyframe keyframes[SPINS];
    double arm = uniform(m, 0.1, 0.5), wide = uniform(m, 0.003, 0.03), rate = m->speed / arm;
    double time = fmin(out->duration, 2 * (SPINS - 1) / rate), start = uniform(m, 0.3, 1.2);
    for (int k = 0; k < SPINS; k++) {
        double t = time * k / (SPINS - 1), a = 0.5 * rate * t;
        keyframes[k] = (cab_pose_keyframe){t, {{0, 0, 0}, {cos(a), 0, 0, sin(a)}}};
    }
    bool bar = uniform(m, 0, 1) < 0.5;
    def.shape = bar ? CAB_SHAPE_CAPSULE : CAB_SHAPE_BOX;
    def.to = (cab_vec3){arm, 0, 0};
    def.radius = wide;
    def.half_extents = (cab_vec3){arm, wide, uniform(m, 0.003, 0.1)};
    def.keyframes = keyframes;
    def.keyframe_count = SPINS;
    add_collider(m, &def);
    double away = uniform(m, 0.3, 0.95) * arm, clear = asin(fmin(0.9, (wide + m->radius + 0.01) / away));
    cab_vec3 at = {away * cos(start + clear), away * sin(start + clear), uniform(m, -0.3, 0.3) * m->length};
    add_cable_at(m, "thrown", at, (cab_vec3){uniform(m, -0.1, 0.1), uniform(m, -0.1, 0.1), 1}, origin);
    cab_scene_settings(m->scene)->gravity = origin;
}

#define GRID 5
static void make_shell(maker *m, throw_case *out)
{
    cab_vec3 vertex[GRID * GRID];
    int triangles[6 * (GRID - 1) * (GRID - 1)], count = 0;
    double half = uniform(m, 0.2, 0.5), bumps = uniform(m, 0, 0.03);
    for (int i = 0; i < GRID * GRID; i++)
        vertex[i] = (cab_vec3){half * (2.0 * (i % GRID) / (GRID - 1) - 1),
                               half * (2.0 * (int)(i / GRID) / (GRID - 1) - 1), uniform(m, -bumps, bumps)};
    for (int i = 0; i < (GRID - 1) * GRID; i++) {
        if (i % GRID == GRID - 1) continue;
        const int corner[6] = {i, i + 1, i + GRID + 1, i, i + GRID + 1, i + GRID};
        for (int k = 0; k < 6; k++) triangles[count++] = corner[k];
    }
    cab_collider_def def = cab_collider_default();
    double up = uniform(m, 0, 1) < 0.5 ? 0 : uniform(m, 0, 1) * m->speed;
    const cab_pose_keyframe path[2] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}},
                                       {out->duration, {{0, 0, up * out->duration}, {1, 0, 0, 0}}}};
    def.shape = CAB_SHAPE_MESH;
    def.mesh = (cab_mesh){vertex, GRID * GRID, triangles, count / 3};
    if (up > 0) {
        def.keyframes = path;
        def.keyframe_count = 2;
    }
    add_collider(m, &def);
    throw_down(m, bumps + m->radius + uniform(m, 0.01, 0.06), m->speed);
}

static void make_led(maker *m, throw_case *out)
{
    double radius = uniform(m, 0.0015, 0.005), gap = 0.02 + radius + m->radius,
           way = m->speed * out->duration;
    add_material(m, "other", radius);
    add_cable_at(m, "thrown", origin, (cab_vec3){1, uniform(m, -0.5, 0.5), 0}, origin);
    if (uniform(m, 0, 1) < 0.5) hold(m, "thrown", false, NULL, 0);
    const cab_vec3 path[2] = {{0, -0.4, -gap}, {uniform(m, -0.1, 0.1), 0.4, -gap}};
    add_cable(m, "other", "other", path, 2, 40,
              cab_vec3_distance(path[0], path[1]) * uniform(m, 1.0001, 1.003), (cab_vec3){0, 0, m->speed});
    for (int end = 0; end < 2; end++) {
        cab_vec3 to = path[end];
        to.z += way;
        const cab_keyframe led[2] = {{0, path[end]}, {out->duration, to}};
        hold(m, "other", end, led, 2);
    }
}

/* Along x between two bars along y, one of which is higher and further on, so that the cable bends round both. */
static void make_gap(maker *m, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), apart = 2 * wide + uniform(m, 2.2, 5) * m->radius;
    for (int side = 0; side < 2; side++) {
        cab_collider_def def = cab_collider_default();
        def.shape = CAB_SHAPE_CAPSULE;
        def.center = (cab_vec3){side ? 0.1 : 0.05, -0.5, side ? apart / 2 : -apart / 2};
        def.to = (cab_vec3){def.center.x, 0.5, def.center.z};
        def.radius = wide;
        add_collider(m, &def);
    }
    const cab_vec3 path[2] = {{0.15 - m->length, 0, 0}, {0.15, 0, 0}};
    add_cable(m, "thrown", "thrown", path, 2, m->segments, 0, origin);
    out->duration = fmin(0.1, 0.6 * m->length / m->speed) + 0.02;
    cab_vec3 to = {0.15 + m->speed * out->duration, 0, uniform(m, -0.1, 0.1)};
    const cab_keyframe led[2] = {{0, path[1]}, {out->duration, to}};
    hold(m, "thrown", true, led, 2);
}

static void make_squeezed(maker *m, throw_case *out)
{
    double wide = uniform(m, 0.003, 0.03), half = uniform(m, 0.005, 0.02),
           start = half + 2 * m->radius + wide + 0.02;
    cab_collider_def box = cab_collider_default();
    box.shape = CAB_SHAPE_BOX;
    box.half_extents = (cab_vec3){0.6, 0.6, half};
    add_collider(m, &box);
    double close = half + wide + m->radius * uniform(m, 2.02, 2.5), time = (start - close) / m->speed;
    const cab_pose_keyframe path[3] = {{0, {{0, 0, start}, {1, 0, 0, 0}}},
                                       {time, {{0, 0, close}, {1, 0, 0, 0}}},
                                       {2 * time, {{m->speed * time, 0, close}, {1, 0, 0, 0}}}};
    add_capsule(m, wide, path, 3);
    add_cable_at(m, "thrown", (cab_vec3){0, 0, half + m->radius}, (cab_vec3){1, uniform(m, -3, 3), 0},
                 origin);
    out->duration = fmin(0.1, 2 * time + 0.02);
}

static void make_tangle(maker *m)
{
    static const char *const names[5] = {"thrown", "second", "third", "fourth", "fifth"};
    for (int k = 0; k < 5; k++) {
        double a = 6.283185307179586 * (k + uniform(m, -0.2, 0.2)) / 5, away = 0.1 + 0.05 * k;
        cab_vec3 from = {away * cos(a), away * sin(a), 0.05 * k};
        cab_vec3 along = {-sin(a) * uniform(m, -1, 1), cos(a) * uniform(m, -1, 1), 2};
        add_cable_at(m, names[k], from, along, cab_vec3_scale(-m->speed / away, from));
    }
}

void throw_make_more(maker *m, throw_kind kind, throw_case *out)
{
    if (kind == THROW_CORNER) make_corner(m);
    if (kind == THROW_SPINNING) make_spinning(m, out);
    if (kind == THROW_SHELL) make_shell(m, out);
    if (kind == THROW_LED) make_led(m, out);
    if (kind == THROW_GAP) make_gap(m, out);
    if (kind == THROW_SQUEEZED) make_squeezed(m, out);
    if (kind == THROW_TANGLE) make_tangle(m);
}

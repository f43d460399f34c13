/* Contact: nothing passes through, what overlaps parts gently, neighbours never touch, no pair is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "geometry.h"

#define THIN 0.001 /* m, radius */
#define FAST 25.0  /* m/s: 21 mm in a substep of 1/1200 s */

/* A substep is a frame, to be looked at: 60 frames a second of 20 substeps otherwise. */
static cab_scene *fast_scene(void)
{
    cab_scene *scene = scene_of(1);
    cab_scene_settings(scene)->frame_rate = 1200;
    add_material(scene, wire_of("wire", THIN, 0));
    return scene;
}

/* Directions of a thrown cable: level, tilted, end first. */
static const cab_vec3 directions[] = {{1, 0, 0}, {0.9, 0.1, 0.42}, {0.01, 0, 1}};

static void throw_cable(cab_scene *scene, cab_vec3 direction, double height, int segments)
{
    double length = 0.2;
    cab_vec3 ends[2] = {{-direction.x * length / 2, -direction.y * length / 2, height},
                        {direction.x * length / 2, direction.y * length / 2, height + direction.z * length}};
    cab_cable_def cable = straight_of("thrown", "wire", ends, segments);
    cable.velocity = (cab_vec3){0, 0, -FAST};
    add_cable(scene, cable);
}

/* Nothing gains speed by being kept outside: a whipping end may be a little faster than it was thrown. */
static void check_speed(cab_world *world)
{
    at_most(measure(world).speed_max, 1.5 * FAST);
}

/* The measure is what all pairs by themselves give. */
static void check_measure(cab_world *world, touchables t)
{
    near_to(measure(world).penetration_max, deepest_overlap(world, t), 1e-6); /* floats at 1 m */
}

/* ---- nothing passes through ---- */

/* Thrown down on a wall at z = 0 (the middle of it), nothing is ever below. */
static void throw_at_wall(cab_collider_def wall)
{
    for (int k = 0; k < COUNT_OF(directions) * 6; k++) {
        cab_scene *scene = fast_scene();
        throw_cable(scene, directions[k % COUNT_OF(directions)], 0.05 + 0.0035 * (k / COUNT_OF(directions)),
                    12);
        add_collider(scene, wall);
        cab_world *world = native_world(scene);
        for (int i = 0; i < 60; i++) {
            step(world, 1);
            snapshot s = read_world(world);
            for (int node = 0; node < s.nodes; node++)
                if (!(s.x[node][2] > 0))
                    fail_msg("throw %d: node %d is behind after %d substeps", k, node, i);
            snapshot_free(&s);
            check_measure(world, (touchables){.colliders = &wall, .collider_count = 1});
            check_speed(world);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void thrown_at_a_plane(void **state)
{
    (void)state;
    throw_at_wall(shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0}));
}

static void thrown_at_a_thin_box(void **state)
{
    (void)state;
    cab_collider_def box = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 0, 0});
    box.half_extents = (cab_vec3){3, 3, 0.001};
    throw_at_wall(box);
}

/* The thrown cable and a curve along y that nothing passes through: Gauss' integral makes no jump. */
static void watch_crossing(cab_world *world, int thrown, double (*bar)[3], int bar_cable, touchables t)
{
    double before = 0;
    cab_cable_info info = cab_world_get_cable(world, thrown);
    for (int i = 0; i < 40; i++) {
        snapshot s = read_world(world);
        double(*x)[3] = s.x + info.first_node;
        double g = bar ? gauss_of_curves(x, info.node_count - 1, bar, 1)
                       : gauss_of_curves(x, info.node_count - 1,
                                         s.x + cab_world_get_cable(world, bar_cable).first_node,
                                         cab_world_get_cable(world, bar_cable).node_count - 1);
        if (i > 0 && !(fabs(g - before) < 0.5)) fail_msg("passed through in substep %d", i);
        before = g;
        snapshot_free(&s);
        step(world, 1);
        check_measure(world, t);
        check_speed(world);
    }
}

static void thrown_at_a_thin_capsule(void **state)
{
    (void)state;
    double axis[2][3] = {{0.003, -1, 0}, {0.003, 1, 0}};
    for (int k = 0; k < 12; k++) {
        cab_scene *scene = fast_scene();
        cab_collider_def bar = shape_at(CAB_SHAPE_CAPSULE, (cab_vec3){0.003, -1, 0});
        bar.to = (cab_vec3){0.003, 1, 0};
        bar.radius = 0.002;
        add_collider(scene, bar);
        throw_cable(scene, directions[k % 2], 0.05 + 0.0035 * (k / 2), 12);
        cab_world *world = native_world(scene);
        watch_crossing(world, 0, axis, 0, (touchables){.colliders = &bar, .collider_count = 1});
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* Right on its top, where it stays: an axis across the cable through the ball's centre is not passed. */
static void thrown_at_a_small_sphere(void **state)
{
    (void)state;
    double axis[2][3] = {{0, -1, 0}, {0, 1, 0}};
    for (int k = 0; k < 6; k++) {
        cab_scene *scene = fast_scene();
        cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, 0});
        ball.radius = 0.002;
        add_collider(scene, ball);
        throw_cable(scene, directions[0], 0.05 + 0.0035 * k, k % 2 ? 12 : 13);
        cab_world *world = native_world(scene);
        watch_crossing(world, 0, axis, 0, (touchables){.colliders = &ball, .collider_count = 1});
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void thrown_at_a_pinned_cable(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        cab_scene *scene = fast_scene();
        cab_scene_settings(scene)->contact_cables = true;
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        throw_cable(scene, directions[k % 2], 0.05 + 0.0035 * (k / 2), 12);
        add_straight(scene, "pinned", (cab_vec3){0.003, -0.2, 0}, (cab_vec3){0.003, 0.21, 0}, 16);
        hold(scene, "pinned", (cab_place){0}, false);
        hold(scene, "pinned", at_end(), false);
        cab_world *world = native_world(scene);
        watch_crossing(world, 0, NULL, 1, (touchables){.cables = true});
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A taut stretch along y, held at both ends; the rest of the same cable flies at it across. */
static void thrown_at_itself(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        double h = 0.1 + 0.0035 * k;
        const cab_vec3 path[] = {{0, -0.2, 0}, {0, 0.2, 0}, {0.3, 0.2, 0.05}, {0.3, 0, h}, {-0.3, 0, h}};
        cab_scene *scene = fast_scene();
        cab_scene_settings(scene)->contact_self = true;
        cab_cable_def cable = straight_of("a", "wire", path, 60);
        cable.path_count = COUNT_OF(path);
        cable.velocity = (cab_vec3){0, 0, -FAST};
        add_cable(scene, cable);
        hold(scene, "a", (cab_place){0}, false);
        /* 0.4 m of the cable's length */
        double length = 0.4 + sqrt(0.09 + 0.0025) + sqrt(0.04 + pow(h - 0.05, 2)) + 0.6;
        hold(scene, "a", at_fraction(0.4 / length), false);
        cab_world *world = native_world(scene);
        double before = 0;
        int span = (int)ceil(0.4 / length * 60 - 0.5);
        for (int i = 0; i < 20; i++) { /* then it has wound up and hangs together */
            snapshot s = read_world(world);
            double g = gauss_of_curves(s.x, span, s.x + span, 60 - span);
            if (i > 0 && !(fabs(g - before) < 0.5)) fail_msg("throw %d: passed through in substep %d", k, i);
            before = g;
            snapshot_free(&s);
            step(world, 1);
            check_measure(world, (touchables){.self = true});
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- what overlaps at the start ---- */

#define PART_SPEED 0.1 /* m/s */
#define WIDE 0.005     /* m, radius */

/* The overlap of a scene fades at no more than PART_SPEED, and does fade. */
static void watch_parting(cab_scene *scene, const cab_collider_def *collider, double start)
{
    cab_world *world = native_world(scene);
    touchables t = {true, true, collider, collider ? 1 : 0};
    double before = deepest_overlap(world, t);
    near_to(before, start, 1e-6);
    near_to(measure(world).penetration_max, start, 1e-6);
    int frames = (int)(start / PART_SPEED * 60) + 4;
    for (int i = 0; i < frames; i++) {
        step(world, 1);
        double now = deepest_overlap(world, t);
        near_to(measure(world).penetration_max, now, 1e-6);
        at_most(before - now, PART_SPEED / 60 * 1.01 + 1e-6);
        at_most(measure(world).speed_max, 2 * PART_SPEED); /* one of the two may take all of the way */
        before = now;
    }
    at_most(before, 0.02 * WIDE);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static cab_scene *still_scene(void)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact_cables = settings->contact_self = true;
    settings->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire_of("wire", WIDE, 0));
    return scene;
}

static void overlapping_cables_part_slowly(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        cab_scene *scene = still_scene();
        double gap = kind == 1 ? 0 : 0.004;
        add_straight(scene, "a", (cab_vec3){-0.1, 0, 0}, (cab_vec3){0.1, 0, 0}, 8);
        if (kind == 2) /* side by side */
            add_straight(scene, "b", (cab_vec3){-0.09, 0, gap}, (cab_vec3){0.11, 0, gap}, 8);
        else if (kind == 3) /* end into the side */
            add_straight(scene, "b", (cab_vec3){0.01, 0, gap}, (cab_vec3){0.02, 0, 0.2}, 8);
        else
            add_straight(scene, "b", (cab_vec3){0.01, -0.1, gap}, (cab_vec3){0.02, 0.1, gap}, 8);
        watch_parting(scene, NULL, 2 * WIDE - gap);
    }
}

static void what_overlaps_a_collider_parts_slowly(void **state)
{
    (void)state;
    cab_collider_def shapes[4];
    for (int i = 0; i < 4; i++) {
        shapes[i] = shape_at((cab_shape)i, (cab_vec3){0, 0, 0});
        shapes[i].radius = 0.02;
        shapes[i].half_extents = (cab_vec3){0.5, 0.5, 0.02};
    }
    shapes[CAB_SHAPE_CAPSULE].center.y = -1;
    shapes[CAB_SHAPE_CAPSULE].to.y = 1;
    for (int i = 0; i < 4; i++) {
        double top = shapes[i].shape == CAB_SHAPE_PLANE ? 0 : 0.02, depth = 0.008;
        cab_scene *scene = still_scene();
        add_straight(scene, "a", (cab_vec3){-0.1, 0, top + WIDE - depth},
                     (cab_vec3){0.1, 0, top + WIDE - depth}, 8);
        add_collider(scene, shapes[i]);
        watch_parting(scene, &shapes[i], depth);
    }
}

/* ---- neighbours ---- */

/* Nothing touches, nothing moves. */
static void check_untouched(cab_scene *scene)
{
    cab_world *world = native_world(scene);
    snapshot start = read_world(world);
    step(world, 10);
    snapshot end = read_world(world);
    assert_int_equal(measure(world).contacts_max, 0);
    assert_true(measure(world).penetration_worst == 0);
    same_bytes(&start, &end, "still");
    snapshot_free(&start);
    snapshot_free(&end);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Segments of 10 mm, 5 mm of radius: neighbours would overlap if they could. */
static void neighbours_along_a_cable_never_touch(void **state)
{
    (void)state;
    cab_scene *scene = still_scene();
    add_material(scene, wire_of("thick", 0.02, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.3, 0, 0}, 30);
    /* thicker than its segments are long: only the arc keeps them apart */
    const cab_vec3 ends[2] = {{0, 1, 0}, {0.3, 1, 0}};
    add_cable(scene, straight_of("b", "thick", ends, 30));
    /* a right angle: its second neighbours come near */
    const cab_vec3 path[] = {{0, 2, 0}, {0.03, 2, 0}, {0.03, 2.03, 0}};
    cab_cable_def corner = straight_of("c", "wire", path, 6);
    corner.path_count = COUNT_OF(path);
    add_cable(scene, corner);
    check_untouched(scene);
}

static void join_at_right_angles(cab_scene *scene, bool really)
{
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.2, 0, 0}, 20);
    add_straight(scene, "b", (cab_vec3){0.1, 0, 0}, (cab_vec3){0.1, 0.1, 0}, 10);
    add_straight(scene, "c", (cab_vec3){0.1, 0, 0}, (cab_vec3){0.1, -0.1, 0.02}, 10);
    if (!really) return;
    join(scene, "b", (cab_place){0}, "a", at_fraction(0.5));
    join(scene, "c", (cab_place){0}, "a", at_particle(10));
}

static void neighbours_through_joints_never_touch(void **state)
{
    (void)state;
    cab_scene *scene = still_scene();
    join_at_right_angles(scene, true);
    check_untouched(scene);
    scene = still_scene(); /* without the joints they do */
    join_at_right_angles(scene, false);
    cab_world *world = native_world(scene);
    near_to(measure(world).penetration_max, 2 * WIDE, 1e-6);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Far from the joint, joined cables touch as others do. */
static void joined_cables_touch_elsewhere(void **state)
{
    (void)state;
    cab_scene *scene = still_scene();
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.2, 0, 0}, 20);
    const cab_vec3 path[] = {{0.2, 0, 0}, {0.2, 0.05, 0}, {0.1, 0.05, 0}, {0.1, -0.05, 0.006}};
    cab_cable_def b = straight_of("b", "wire", path, 25);
    b.path_count = COUNT_OF(path);
    add_cable(scene, b);
    join(scene, "b", (cab_place){0}, "a", at_end());
    cab_world *world = native_world(scene);
    near_to(measure(world).penetration_max, 2 * WIDE - 0.003 / sqrt(1 + 0.0036),
            1e-5); /* b's slope is 0.06 */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A cable that stands on the floor it is attached to: its first 2 r + one segment may be in it. */
static void attached_to(bool attached, bool to_other)
{
    cab_scene *scene = still_scene();
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.name = "floor";
    add_collider(scene, floor);
    cab_collider_def other = floor;
    other.name = "other";
    other.center.z = -1;
    add_collider(scene, other);
    /* leaves it flat: the first 15 mm are no higher than 2 mm */
    const cab_vec3 path[] = {{0, 0, 0}, {0.015, 0, 0.002}, {0.03, 0, 0.05}, {0.03, 0, 0.2}};
    cab_cable_def a = straight_of("a", "wire", path, 20);
    a.path_count = COUNT_OF(path);
    add_cable(scene, a);
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.to = attached ? CAB_TARGET_COLLIDER : CAB_TARGET_HERE;
    def.target = to_other ? "other" : "floor";
    add_attachment(scene, def);
    if (attached && !to_other) {
        check_untouched(scene);
        return;
    }
    cab_world *world = native_world(scene);
    at_least(measure(world).penetration_max, 0.9 * WIDE);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void segments_near_their_attachment_do_not_touch_it(void **state)
{
    (void)state;
    attached_to(true, false);
    attached_to(false, false); /* held, but not by the floor: they do */
    attached_to(true, true);   /* attached to something else: they do */
}

/* ---- no pair is lost ---- */

static void crowds_keep_all_contacts(void **state)
{
    (void)state;
    cab_scene *scene = bundle_scene();
    cab_collider_def walls[2];
    bundle_walls(walls);
    cab_world *world = native_world(scene);
    size_t start = cab_world_get_info(world).contact_bytes;
    for (int frame = 0; frame < 40; frame++) {
        step(world, 1);
        double deepest = deepest_overlap(world, (touchables){true, true, walls, 2});
        /* two that are parallel to 0.01 are taken in the middle of their common stretch, half of 60 mm away
         * from their nearest points at the most */
        near_to(measure(world).penetration_max, deepest, 0.01 * 0.03);
        at_most(measure(world).penetration_max, BUNDLE_RADIUS); /* nothing is lost in the press */
    }
    at_least(measure(world).contacts_max, 150);
    at_least((double)cab_world_get_info(world).contact_bytes, 1.2 * (double)start); /* the lists have grown */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* All in one place: from the first search on there are far more candidates than room. */
static void many_in_one_place(void **state)
{
    (void)state;
    cab_scene *scene = still_scene();
    for (int i = 0; i < 24; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        double turn = 0.13 * i, lift = 1e-4 * (i * 7 % 24);
        add_straight(scene, name, (cab_vec3){-0.05 * cos(turn), -0.05 * sin(turn), lift},
                     (cab_vec3){0.05 * cos(turn), 0.05 * sin(turn), lift}, 4);
    }
    cab_world *world = native_world(scene);
    check_measure(world, (touchables){.cables = true, .self = true});
    double start = measure(world).penetration_max;
    for (int frame = 0; frame < 20; frame++) {
        step(world, 1);
        check_measure(world, (touchables){.cables = true, .self = true});
        at_most(measure(world).speed_max, 3); /* many push at once, each slowly */
    }
    at_least(measure(world).contacts_max, 24 * 23 / 2);
    at_most(measure(world).penetration_max, 0.7 * start);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Two that fall together and near each other slowly: what they share must not hide, nor the small rest of it
 * be taken for nothing, that they meet. */
static void what_falls_together_meets(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cab_scene *scene = still_scene();
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -9.81};
        double gap = 0.001 + 0.002 * k, nearing = 0.05;
        const cab_vec3 low[2] = {{-0.1, 0, 0}, {0.1, 0, 0}};
        const cab_vec3 high[2] = {{0.01, -0.1, 2 * WIDE + gap}, {0.02, 0.1, 2 * WIDE + gap}};
        add_cable(scene, straight_of("low", "wire", low, 8));
        cab_cable_def above = straight_of("high", "wire", high, 8);
        above.velocity.z = -nearing;
        add_cable(scene, above);
        cab_world *world = native_world(scene);
        int meet = (int)(gap / nearing * 60);
        for (int frame = 0; frame < meet + 15; frame++) {
            step(world, 1);
            check_measure(world, (touchables){.cables = true});
            at_most(measure(world).penetration_max, 0.02 * WIDE);
        }
        snapshot s = read_world(world);
        at_least(s.v[0][2] + s.v[8][2] - s.v[9][2] - s.v[17][2], -1e-2); /* one no longer follows the other */
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- stages ---- */

static void stages_are_booked_apart(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = bundle_scene();
    cab_world *world = NULL;
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.profile = true;
    must(cab_world_create(scene, &def, &world, &error), &error);
    step(world, 2);
    double times[CAB_STAGE_COUNT];
    cab_world_get_times(world, times);
    assert_string_equal(cab_stage_name(CAB_STAGE_NARROW), "narrow");
    assert_string_equal(cab_stage_name(CAB_STAGE_CONTACT), "contact");
    assert_true(times[CAB_STAGE_GRID] > 0 && times[CAB_STAGE_NARROW] > 0 && times[CAB_STAGE_CONTACT] > 0);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- friction ---- */

/* How fast a cable lying across the slope goes after `seconds` on a plane, gravity tilted by atan(slope). */
static double slide(double slope, double cable_friction, double floor_friction, double seconds)
{
    cab_scene *scene = scene_of(20);
    double g = 9.81, tilt = atan(slope);
    cab_scene_settings(scene)->gravity = (cab_vec3){g * sin(tilt), 0, -g * cos(tilt)};
    cab_material_def wire = wire_of("wire", WIDE, 0);
    wire.friction = cable_friction;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, WIDE}, (cab_vec3){0.1, 0, WIDE}, 5);
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.friction = floor_friction;
    add_collider(scene, floor);
    cab_world *world = native_world(scene);
    step(world, (int)(seconds * 60));
    snapshot s = read_world(world);
    double speed = s.v[2][0];
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return speed;
}

static void friction_is_the_geometric_mean(void **state)
{
    (void)state;
    double mu = sqrt(0.8 * 0.2);
    at_most(fabs(slide(0.95 * mu, 0.8, 0.2, 1)), 1e-4); /* holds */
    at_most(fabs(slide(0.95 * mu, 0.2, 0.8, 1)), 1e-4);
    double tilt = atan(0.5), a = 9.81 * (sin(tilt) - mu * cos(tilt));
    near_to(slide(0.5, 0.8, 0.2, 0.5), 0.5 * a, 0.03 * 0.5 * a);
    near_to(slide(0.5, 0, 0.8, 0.5), 0.5 * 9.81 * sin(tilt), 1e-2); /* none without both */
}

/* Four layers across one another, at rest from the start. Lengths and bending come after friction and push a
 * little in each substep: forces F within the pile make it creep by F h / m, 2 mm/s here. */
static void a_pile_at_rest_stays(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(40);
    cab_scene_settings(scene)->contact_cables = cab_scene_settings(scene)->contact_self = true;
    cab_material_def wire = wire_of("wire", WIDE, 1e-3);
    wire.damping = 1;
    add_material(scene, wire);
    for (int layer = 0; layer < 4; layer++) {
        double z = WIDE + 2 * WIDE * layer;
        const cab_vec3 along[2] = {{-0.1, -0.08, z}, {0.1, -0.08, z}};
        const cab_vec3 across[2] = {{-0.08, -0.1, z}, {-0.08, 0.1, z}};
        char name[16];
        snprintf(name, sizeof name, "layer%d", layer);
        cab_cable_def cable = straight_of(name, "wire", layer % 2 ? across : along, 10);
        cable.copies[layer % 2 ? 0 : 1] = 3;
        cable.spacing[layer % 2 ? 0 : 1] = 0.08;
        add_cable(scene, cable);
    }
    add_floor(scene, 0);
    cab_world *world = native_world(scene);
    step(world, 60);
    snapshot settled = read_world(world);
    step(world, 60);
    snapshot later = read_world(world);
    at_most(largest_difference(&settled, &later), 0.5 * WIDE); /* in a second */
    at_most(measure(world).speed_max, 0.02);
    at_most(measure(world).penetration_max, 0.1 * WIDE); /* issue: a tenth of the radius at rest */
    at_least(measure(world).contacts, 9 * 3);            /* crossings */
    snapshot_free(&settled);
    snapshot_free(&later);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- switches ---- */

/* A cable falls on another that is held; a folded one falls on itself; both on a floor. */
static cab_measures run_switches(bool cables, bool self, double *lowest)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact_cables = cables;
    cab_scene_settings(scene)->contact_self = self;
    add_material(scene, wire_of("wire", WIDE, 0));
    add_straight(scene, "bar", (cab_vec3){0, -0.1, 0.1}, (cab_vec3){0, 0.1, 0.1}, 8);
    hold(scene, "bar", (cab_place){0}, false);
    hold(scene, "bar", at_end(), false);
    add_straight(scene, "falls", (cab_vec3){-0.02, 0, 0.12}, (cab_vec3){0.02, 0.0, 0.12}, 2);
    add_straight(scene, "folds", (cab_vec3){1.001, 0, 0.01}, (cab_vec3){1, 0.002, 0.31}, 15);
    add_floor(scene, 0);
    cab_world *world = native_world(scene);
    step(world, 40);
    snapshot s = read_world(world);
    *lowest = s.x[10][2];
    for (int i = 0; i < s.nodes; i++) at_least(s.x[i][2], 0.9 * WIDE); /* the floor is always there */
    cab_measures m = measure(world);
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return m;
}

static void contact_can_be_switched_off(void **state)
{
    (void)state;
    double z;
    int floor_only = run_switches(false, false, &z).contacts_max;
    at_most(z, 2 * WIDE); /* through the bar, down to the floor */
    int with_self = run_switches(false, true, &z).contacts_max;
    at_most(z, 2 * WIDE);
    assert_true(with_self > floor_only);
    run_switches(true, false, &z);
    at_least(z, 0.08); /* on the bar, which sags */
    run_switches(true, true, &z);
    at_least(z, 0.08);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thrown_at_a_plane),
        cmocka_unit_test(thrown_at_a_thin_box),
        cmocka_unit_test(thrown_at_a_thin_capsule),
        cmocka_unit_test(thrown_at_a_small_sphere),
        cmocka_unit_test(thrown_at_a_pinned_cable),
        cmocka_unit_test(thrown_at_itself),
        cmocka_unit_test(overlapping_cables_part_slowly),
        cmocka_unit_test(what_overlaps_a_collider_parts_slowly),
        cmocka_unit_test(neighbours_along_a_cable_never_touch),
        cmocka_unit_test(neighbours_through_joints_never_touch),
        cmocka_unit_test(joined_cables_touch_elsewhere),
        cmocka_unit_test(segments_near_their_attachment_do_not_touch_it),
        cmocka_unit_test(crowds_keep_all_contacts),
        cmocka_unit_test(many_in_one_place),
        cmocka_unit_test(what_falls_together_meets),
        cmocka_unit_test(stages_are_booked_apart),
        cmocka_unit_test(friction_is_the_geometric_mean),
        cmocka_unit_test(a_pile_at_rest_stays),
        cmocka_unit_test(contact_can_be_switched_off),
    };
    return cmocka_run_group_tests_name("contact", tests, NULL, NULL);
}

/* Bodies that are led: fixed, along keyframes, given; and what cables put on bodies, led or not. Unless another source is named, an expected
 * number follows from the laws of mechanics as told beside it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/vec3.h"
#include "bodies.h"

#define LINE 0.1 /* kg/m of the rope here */

static cab_scene *rope_scene(int substeps, double gravity)
{
    cab_scene *scene = body_scene(substeps, gravity);
    cab_material_def rope = wire_of("rope", 0.005, 0);
    rope.linear_density = LINE;
    add_material(scene, rope);
    return scene;
}

static void add_rope(cab_scene *scene, const char *name, cab_vec3 from, cab_vec3 to, int segments)
{
    const cab_vec3 path[] = {from, to};
    cab_cable_def def = cab_cable_default();
    def.name = name;
    def.material = "rope";
    def.path = path;
    def.path_count = 2;
    def.segments = segments;
    add_cable(scene, def);
}

static cab_body_def led_at(const char *name, cab_vec3 position, cab_body_motion motion)
{
    cab_body_def def = cab_body_default();
    def.name = name;
    def.position = position;
    def.motion = motion;
    return def;
}

static void is_near(cab_vec3 v, double x, double y, double z, double within)
{
    assert_true(fabs(v.x - x) <= within);
    assert_true(fabs(v.y - y) <= within);
    assert_true(fabs(v.z - z) <= within);
}

/* A rope of 0.5 m that hangs straight: its weight, at an arm of 0.2 m. Floats and what the solver leaves of lengths: 1e-5 of it. */
static void a_fixed_body_bears_what_hangs_on_it(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_scene *scene = rope_scene(10, G);
        add_body(scene, led_at("hook", (cab_vec3){0, 0, 1}, CAB_BODY_FIXED));
        add_rope(scene, "a", (cab_vec3){0.2, 0, 1}, (cab_vec3){0.2, 0, 0.5}, 20);
        end_on(scene, "a", (cab_place){0}, "hook", (cab_vec3){0.2, 0, 0});
        cab_world *world = take(scene, devices[d], 1);
        is_near(read_body(world).force, 0, 0, 0, 0);
        step(world, 5);
        cab_body_reading now = read_body(world);
        double weight = 0.5 * LINE * G;
        is_near(now.force, 0, 0, -weight, 1e-5 * weight);
        is_near(now.torque, 0, 0.2 * weight, 0, 1e-5 * weight);
        is_near(now.position, 0, 0, 1, 0);
        cab_world_destroy(world);
    }
}

/* An arm of 0.3 m turns at 2 rad/s, its keyframes far apart, and swings a rope that goes round with it, in a straight line: sum of m r w^2
 * over the rope's pieces, each of which has half of its mass at each end. The rope's ends lag behind by what the arm turns in a substep squared:
 * 1 % of a newton of 1.04 at 40 substeps. */
static void an_arm_swings_a_rope(void **state)
{
    const double speed = 2, reach = 0.3, length = 0.4;
    const int segments = 8;
    (void)state;
    double force = 0;
    for (int i = 0; i <= segments; i++)
        force += LINE * length / segments * (i == 0 || i == segments ? 0.5 : 1) * speed * speed *
                 (reach + length * i / segments);
    cab_pose_keyframe frames[9];
    for (int k = 0; k < 9; k++) {
        double half = 0.5 * k;
        frames[k] = (cab_pose_keyframe){2 * half / speed, {{0, 0, 0}, {cos(half), 0, 0, sin(half)}}};
    }
    cab_body_def arm = led_at("arm", (cab_vec3){0, 0, 1}, CAB_BODY_KEYFRAMES);
    arm.keyframes = frames;
    arm.keyframe_count = 9;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_scene *scene = rope_scene(40, 0);
        const cab_velocity_row along[] = {{0, {0, speed * reach, 0}}, {1, {0, speed * (reach + length), 0}}};
        const cab_vec3 path[] = {{reach, 0, 1}, {reach + length, 0, 1}};
        cab_cable_def rope = straight_of("a", "rope", path, segments);
        rope.motion.along = along;
        rope.motion.along_count = 2;
        add_cable(scene, rope);
        add_body(scene, arm);
        end_on(scene, "a", (cab_place){0}, "arm", (cab_vec3){reach, 0, 0});
        cab_world *world = take(scene, devices[d], 1);
        step(world, 30);
        cab_body_reading now = read_body(world);
        double t = 29.5 / 60;
        is_near(now.force, force * cos(speed * t), force * sin(speed * t), 0, 0.01 * force);
        is_near(now.torque, 0, 0, 0, 0.01 * force * reach);
        is_near(now.spin, 0, 0, speed, 1e-9);
        is_near(now.velocity, 0, 0, 0, 1e-9);
        assert_true(fabs(now.rotation[3] - sin(speed * 0.25)) < 1e-9);
        cab_world_destroy(world);
    }
}

/* A brake holds a wheel with a rope over it, 3 kg on one side and 2.8 on the other: the weight of both and of the rope, and torque of the
 * difference, at the wheel's radius and the rope's. Seen: 1e-5 of the weight, 5e-4 of
 * the torque, since the loads still tremble; ten and four times that. */
static void a_braked_wheel_bears_both_loads(void **state)
{
    const double r = 0.055, heavy = 3, light = 2.8, length = 0.6;
    const cab_body_shape_def disc = {
        .kind = CAB_BODY_CYLINDER, .center = {0, -0.02, 0}, .to = {0, 0.02, 0}, .radius = 0.05};
    (void)state;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_scene *scene = rope_scene(20, G);
        cab_body_def wheel = cab_body_default();
        wheel.name = "wheel";
        wheel.position = wheel.point = (cab_vec3){0, 0, 1};
        wheel.shapes = &disc;
        wheel.shape_count = 1;
        wheel.mass = 0.5;
        wheel.motion = CAB_BODY_HINGE;
        wheel.axis = (cab_vec3){0, 1, 0};
        wheel.bearing_friction = 100;
        wheel.friction = 0.6;
        add_body(scene, wheel);
        cab_vec3 path[34];
        int n = 0;
        double round = r + 0.009 * 0.009 / (8 * r);
        path[n++] = (cab_vec3){-round, 0, 1 - length};
        for (int k = 0; k <= 30; k++)
            path[n++] = (cab_vec3){-round * cos(PI * k / 30), 0, 1 + round * sin(PI * k / 30)};
        path[n++] = (cab_vec3){round, 0, 1 - length};
        cab_cable_def rope = cab_cable_default();
        rope.name = "a";
        rope.material = "rope";
        rope.path = path;
        rope.path_count = n;
        rope.segments = 150;
        add_cable(scene, rope);
        for (int k = 0; k < 2; k++) {
            cab_load_def load = cab_load_default();
            load.cable = "a";
            load.at = k ? at_end() : (cab_place){0};
            load.mass = k ? light : heavy;
            cab_error error = {0};
            must(cab_scene_add_load(scene, &load, &error), &error);
        }
        cab_world *world = take(scene, devices[d], 1);
        step(world, 60);
        cab_vec3 force = {0, 0, 0}, torque = {0, 0, 0};
        for (int k = 0; k < 30; k++) {
            step(world, 1);
            cab_body_reading now = read_body(world);
            force = cab_vec3_add(force, now.force);
            torque = cab_vec3_add(torque, now.torque);
        }
        double weight = (heavy + light + LINE * (2 * length + PI * round)) * G;
        double turns = (heavy - light) * G * r;
        is_near(cab_vec3_scale(1 / 30.0, force), 0, 0, -weight, 1e-4 * weight);
        is_near(cab_vec3_scale(1 / 30.0, torque), 0, -turns, 0, 0.002 * turns);
        cab_world_destroy(world);
    }
}

/* ---- what leads ---- */

static const cab_body_shape_def ball = {.kind = CAB_BODY_SPHERE, .center = {0.1, 0, 0}, .radius = 0.05};

/* It goes 0.3 m along y and turns by 1 rad about z, in a second; a ball 0.1 m from its origin. */
static const cab_pose_keyframe way[] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}},
                                        {1, {{0, 0.3, 0}, {0.877582561890373, 0, 0, 0.479425538604203}}}};

static cab_scene *carried_scene(cab_way how, cab_body_motion motion)
{
    cab_scene *scene = rope_scene(20, G);
    cab_scene_settings(scene)->way = how;
    cab_body_def hand = led_at("hand", (cab_vec3){0, 0, 1}, motion);
    hand.shapes = &ball;
    hand.shape_count = 1;
    hand.friction = 0.5;
    if (motion == CAB_BODY_KEYFRAMES) hand.keyframes = way, hand.keyframe_count = 2;
    add_body(scene, hand);
    add_rope(scene, "a", (cab_vec3){0, 0.05, 1}, (cab_vec3){0, 0.05, 0.6}, 16);
    end_on(scene, "a", (cab_place){0}, "hand", (cab_vec3){0, 0.05, 0});
    add_rope(scene, "b", (cab_vec3){0.1, -0.2, 1.056}, (cab_vec3){0.1, 0.2, 1.056}, 30);
    return scene;
}

static cab_scene *carried_by_keyframes(cab_way how)
{
    return carried_scene(how, CAB_BODY_KEYFRAMES);
}

/* The same with a collider and a hold: places between keyframes are those of a straight line and of an even turn. */
static cab_scene *carried_by_others(void)
{
    cab_scene *scene = rope_scene(20, G);
    cab_scene_settings(scene)->way = CAB_WAY_STAGED;
    cab_pose_keyframe frames[61];
    cab_keyframe hold_at[61];
    for (int k = 0; k <= 60; k++) {
        double angle = k / 60.0;
        cab_vec3 shift = {0.1 * (cos(angle) - 1), 0.1 * sin(angle) + 0.3 * angle, 0};
        frames[k] = (cab_pose_keyframe){angle, {shift, {cos(angle / 2), 0, 0, sin(angle / 2)}}};
        hold_at[k] = (cab_keyframe){angle, {-0.05 * sin(angle), 0.05 * cos(angle) + 0.3 * angle, 1}};
    }
    cab_collider_def def = cab_collider_default();
    def.shape = CAB_SHAPE_SPHERE;
    def.center = (cab_vec3){0.1, 0, 1};
    def.radius = 0.05;
    def.friction = 0.5;
    def.keyframes = frames;
    def.keyframe_count = 61;
    add_collider(scene, def);
    add_rope(scene, "a", (cab_vec3){0, 0.05, 1}, (cab_vec3){0, 0.05, 0.6}, 16);
    cab_attachment_def end = held_at("a", (cab_place){0});
    end.to = CAB_TARGET_KEYFRAMES;
    end.keyframes = hold_at;
    end.keyframe_count = 61;
    add_attachment(scene, end);
    add_rope(scene, "b", (cab_vec3){0.1, -0.2, 1.056}, (cab_vec3){0.1, 0.2, 1.056}, 30);
    return scene;
}

static double apart(cab_world *one, cab_world *other)
{
    snapshot a = read_world(one), b = read_world(other);
    double most = 0;
    for (int i = 0; i < a.nodes; i++)
        for (int k = 0; k < 3; k++) most = fmax(most, fabs(a.x[i][k] - b.x[i][k]));
    snapshot_free(&a);
    snapshot_free(&b);
    return most;
}

static cab_pose pose_at(double t)
{
    return (cab_pose){{0, 0.3 * t, 1}, {cos(t / 2), 0, 0, sin(t / 2)}};
}

/* A body along keyframes, the same one given each frame's pose, and a collider with a hold lead alike: what holds goes straight for a frame where
 * keyframes turn, 0.05 (1/60)^2/8 = 2e-6 m off. A rope across a ball soon slips off
 * it, whichever way, and what is off grows tenfold each few frames: 1.3e-5 m after 8. */
static void a_body_leads_as_colliders_and_holds_do(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_world *led = take(carried_by_keyframes(CAB_WAY_AUTO), devices[d], 1);
        cab_world *given = take(carried_scene(CAB_WAY_AUTO, CAB_BODY_GIVEN), devices[d], 1);
        cab_world *others = take(carried_by_others(), devices[d], 1);
        for (int k = 1; k <= 30; k++) {
            cab_error error = {0};
            must(cab_world_set_body_pose(given, 0, pose_at(k / 60.0), &error), &error);
            step(led, 1);
            step(given, 1);
            step(others, 1);
            if (k == 8) assert_true(apart(led, others) < 5e-5);
        }
        assert_true(apart(led, given) < 1e-5);
        cab_body_reading a = read_body(led), b = read_body(given);
        is_near(cab_vec3_sub(a.position, b.position), 0, 0, 0, 1e-12);
        is_near(cab_vec3_sub(a.spin, b.spin), 0, 0, 0, 1e-9);
        is_near(cab_vec3_sub(a.force, b.force), 0, 0, 0, 1e-2);
        step(given, 5); /* without a new pose it stays */
        cab_body_reading still = read_body(given);
        is_near(cab_vec3_sub(still.position, b.position), 0, 0, 0, 0);
        is_near(still.spin, 0, 0, 0, 0);
        is_near(still.velocity, 0, 0, 0, 0);
        cab_world_destroy(led);
        cab_world_destroy(given);
        cab_world_destroy(others);
    }
}

/* A body that turns at 3 rad/s at 10 frames a second, with a mass of 1 kg on its axis by a rope: the torque's arm is that in the middle of the
 * frame, 0.15 rad before its end. The mass hangs straight down on the axis's side at first; with the arm along x it is w r about y. */
static void torque_is_that_of_the_middle(void **state)
{
    const cab_pose_keyframe turning[] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}},
                                         {1, {{0, 0, 0}, {cos(1.5), 0, 0, sin(1.5)}}}};
    (void)state;
    cab_scene *scene = rope_scene(100, 0);
    cab_scene_settings(scene)->frame_rate = 10;
    cab_body_def arm = led_at("arm", (cab_vec3){0, 0, 1}, CAB_BODY_KEYFRAMES);
    arm.keyframes = turning;
    arm.keyframe_count = 2;
    add_body(scene, arm);
    add_rope(scene, "a", (cab_vec3){0.1, 0, 1}, (cab_vec3){0.1, 0, -9}, 10);
    end_on(scene, "a", (cab_place){0}, "arm", (cab_vec3){0.1, 0, 0});
    cab_load_def load = cab_load_default();
    load.cable = "a";
    load.at = at_end();
    load.mass = 1000;
    load.force = (cab_vec3){0, 0, -1000};
    cab_error error = {0};
    must(cab_scene_add_load(scene, &load, &error), &error);
    cab_attachment_def far = held_at("a", at_end());
    far.compliance = 1e-3;
    add_attachment(scene, far);
    cab_world *world = take(scene, "native", 1);
    step(world, 1);
    cab_body_reading now = read_body(world);
    double middle = 0.15, pull = -now.force.z;
    assert_true(pull > 0);
    /* z x: the torque of -pull along z at (cos, sin) r is r pull (-sin, cos, 0); across it pulls with at most some 1 % */
    is_near(now.torque, -0.1 * pull * sin(middle), 0.1 * pull * cos(middle), 0, 0.002 * pull);
    cab_world_destroy(world);
}

/* ---- clamps ---- */

#define EI 0.02  /* N m^2 */
#define SPAN 0.4 /* m */

/* A rod along x, clamped at its start, which is 0.1 m from the origin of the body. */
static cab_scene *rod_scene(int segments, double gravity, cab_body_motion motion)
{
    cab_scene *scene = body_scene(40, gravity);
    cab_material_def rod = wire_of("rod", 0.004, EI);
    rod.linear_density = LINE;
    rod.damping = 3;
    add_material(scene, rod);
    const cab_vec3 path[] = {{0.1, 0, 1}, {0.1 + SPAN, 0, 1}};
    add_cable(scene, straight_of("a", "rod", path, segments));
    cab_body_def hand = led_at("hand", (cab_vec3){0, 0, 1}, motion);
    if (motion == CAB_BODY_KEYFRAMES) hand.keyframes = way, hand.keyframe_count = 2;
    add_body(scene, hand);
    cab_attachment_def end = held_at("a", (cab_place){0});
    end.to = CAB_TARGET_BODY;
    end.target = "hand";
    end.clamp = true;
    add_attachment(scene, end);
    return scene;
}

/* A cantilever under its own weight q: at its clamp the couple q L^2/2, at its end it droops by q L^4/(8 EI), here 0.16 m/m of slope at most, so
 * that straight lines' beam theory is 1 % off (the square of the slope, a third). Half of the last segment's weight acts at the end: with n
 * segments the same to 1/n^2. Places are floats of 1 m: 6e-8 m off at a particle are EI 6e-8/l^3 of force there, 1.2e-3 N with the shorter
 * segments. */
static void a_clamp_on_a_body_bears_a_couple(void **state)
{
    const double q = LINE * G / 4, weight = q * SPAN; /* a quarter of gravity */
    (void)state;
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        int segments = run % 2 ? 40 : 20;
        cab_world *world = take(rod_scene(segments, G / 4, CAB_BODY_FIXED), devices[run / 2], 1);
        step(world, 400);
        cab_body_reading now = read_body(world);
        double l = SPAN / segments, rounding = 6e-8 * EI / (l * l * l);
        is_near(now.force, 0, 0, -weight, 2e-3 * weight + rounding);
        double couple = q * SPAN * SPAN / 2 + weight * 0.1;
        is_near(now.torque, 0, couple, 0, 0.01 * couple);
        snapshot rod = read_world(world);
        double droop = q * SPAN * SPAN * SPAN * SPAN / (8 * EI);
        assert_true(fabs(1 - rod.x[segments][2] - droop) < 0.02 * droop);
        snapshot_free(&rod);
        cab_world_destroy(world);
    }
}

/* A clamp turns with the body that is led: a second after its keyframes have ended a rod without weight points to where the body was turned
 * by 1 rad. */
static void a_clamp_turns_with_its_body(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_world *world = take(rod_scene(20, 0, CAB_BODY_KEYFRAMES), devices[d], 1);
        step(world, 300);
        snapshot rod = read_world(world);
        assert_true(fabs(rod.x[20][0] - 0.5 * cos(1)) < 1e-3);
        assert_true(fabs(rod.x[20][1] - 0.3 - 0.5 * sin(1)) < 1e-3);
        snapshot_free(&rod);
        cab_world_destroy(world);
    }
}

static cab_scene *turned_rod(cab_way how)
{
    cab_scene *scene = rod_scene(20, G, CAB_BODY_KEYFRAMES);
    cab_scene_settings(scene)->way = how;
    return scene;
}

static void clamped_states_and_backends(void **state)
{
    state_goes_on(turned_rod, CAB_WAY_STAGED, 20, "clamped.state");
    backends_move_bodies_alike(turned_rod, 30);
    (void)state;
}

/* ---- ---- */

static void both_backends_give_the_same(void **state)
{
    (void)state;
    backends_move_bodies_alike(carried_by_keyframes, 30);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    state_goes_on(carried_by_keyframes, CAB_WAY_STAGED, 20, "led.state");
}

static void what_cannot_be_led_is_refused(void **state)
{
    (void)state;
    cab_world *world = take(carried_by_keyframes(CAB_WAY_AUTO), "native", 1);
    cab_error error = {0};
    assert_int_equal(cab_world_set_body_pose(world, 0, pose_at(0), &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "\"given\""));
    assert_int_equal(cab_world_set_body_pose(world, 1, pose_at(0), &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "number of a body"));
    cab_world_destroy(world);
    world = take(carried_scene(CAB_WAY_AUTO, CAB_BODY_GIVEN), "native", 1);
    assert_int_equal(cab_world_set_body_pose(world, 0, (cab_pose){{NAN, 0, 0}, {1, 0, 0, 0}}, &error),
                     CAB_ERROR_INPUT);
    assert_int_equal(cab_world_set_body_pose(world, 0, (cab_pose){{0, 0, 0}, {0, 0, 0, 0}}, &error),
                     CAB_ERROR_INPUT);
    cab_world_destroy(world);
    cab_scene *scene = rope_scene(10, G);
    cab_body_def def = led_at("b", (cab_vec3){0, 0, 0}, CAB_BODY_FIXED);
    def.velocity.x = 1;
    assert_int_equal(cab_scene_add_body(scene, &def, &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "/bodies/0/velocity"));
    def = led_at("b", (cab_vec3){0, 0, 0}, CAB_BODY_KEYFRAMES);
    assert_int_equal(cab_scene_add_body(scene, &def, &error), CAB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "/bodies/0/motion/keyframes"));
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_fixed_body_bears_what_hangs_on_it),
                                       cmocka_unit_test(an_arm_swings_a_rope),
                                       cmocka_unit_test(a_braked_wheel_bears_both_loads),
                                       cmocka_unit_test(a_body_leads_as_colliders_and_holds_do),
                                       cmocka_unit_test(torque_is_that_of_the_middle),
                                       cmocka_unit_test(a_clamp_on_a_body_bears_a_couple),
                                       cmocka_unit_test(a_clamp_turns_with_its_body),
                                       cmocka_unit_test(clamped_states_and_backends),
                                       cmocka_unit_test(both_backends_give_the_same),
                                       cmocka_unit_test(a_state_goes_on),
                                       cmocka_unit_test(what_cannot_be_led_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Frames in which nothing can touch anything, which the direct method takes in lanes (carrier/clear.h): that they are taken, that nothing
 * is missed by them, and that they depend on the state only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/world.h"
#include "state.h"
#include "worlds.h"

#define RADIUS 0.004
#define SEGMENTS 24

static cab_scene *scene_by(cab_way way)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->way = way;
    add_material(scene, wire_of("wire", RADIUS, 1e-4));
    return scene;
}

static void add_thrown(cab_scene *scene, const char *name, double x, double height, cab_vec3 velocity)
{
    cab_cable_def def =
        straight_of(name, "wire", (cab_vec3[2]){{x, 0, height}, {x + 0.4, 0, height + 0.1}}, SEGMENTS);
    def.velocity = velocity;
    add_cable(scene, def);
}

/* Cables that fall on a floor from several heights, as far from one another as `apart`; the last is thrown down. */
static cab_scene *falling(cab_way way, double apart, bool cables)
{
    cab_scene *scene = scene_by(way);
    cab_scene_settings(scene)->contact.cables = cables;
    add_thrown(scene, "a", 0, 1, (cab_vec3){0, 0, 0});
    add_thrown(scene, "b", apart, 1.3, (cab_vec3){0, 0, 0});
    add_thrown(scene, "c", 2 * apart, 4, (cab_vec3){0.5, 0, -8});
    add_floor(scene, 0);
    return scene;
}

/* The lowest place of a node, m. */
static double lowest(cab_world *world)
{
    snapshot s = read_world(world);
    double least = INFINITY;
    for (int i = 0; i < s.nodes; i++) least = fmin(least, s.x[i][2]);
    snapshot_free(&s);
    return least;
}

/* How many of `frames` frames were clear; in all others and in these nothing lies in the floor at z = 0. */
static int count_clear(cab_world *world, int frames)
{
    int count = 0;
    for (int i = 0; i < frames; i++) {
        step(world, 1);
        count += world->clear.now;
        at_least(lowest(world), 0.5 * RADIUS);
    }
    return count;
}

/* What falls from afar meets the floor as if contact had always been looked for, but for rounding. */
static void what_falls_meets_the_floor(void **state)
{
    (void)state;
    cab_world *world = take(falling(CAB_WAY_AUTO, 3, true), "native", 2);
    cab_world *always = take(falling(CAB_WAY_STAGED, 3, true), "native", 2);
    int met = 0, clear = 0;
    for (int frame = 0; frame < 40; frame++) {
        clear += count_clear(world, 1);
        assert_int_equal(count_clear(always, 1), 0);
        if (met == 0 && measure(always).contacts_max > 0) met = frame;
        if (met == 0) at_most(difference(world, always), 1e-4);
        assert_true((measure(world).contacts_max > 0) == (measure(always).contacts_max > 0));
    }
    assert_true(met > 0);
    at_most(measure(world).penetration_worst, 0.1 * RADIUS);
    cab_world_destroy(world);
    cab_world_destroy(always);
}

/* Clear frames before anything is near, none while something lies on the floor. */
static void far_frames_are_clear(void **state)
{
    (void)state;
    cab_scene *scene = scene_by(CAB_WAY_AUTO);
    add_thrown(scene, "a", 0, 3, (cab_vec3){0, 0, 0});
    add_floor(scene, 0);
    cab_world *world = take(scene, "native", 2);
    assert_true(count_clear(world, 20) >= 18);
    count_clear(world, 40);
    assert_true(measure(world).contacts_max > 0);
    assert_int_equal(count_clear(world, 5), 0);
    cab_world_destroy(world);
}

/* A held cable that cannot reach the floor has clear frames from the first on, however fast it is. */
static void what_cannot_reach_is_clear(void **state)
{
    (void)state;
    cab_scene *scene = scene_by(CAB_WAY_AUTO);
    add_thrown(scene, "a", 0, 0.6, (cab_vec3){0, 0, -20});
    hold(scene, "a", (cab_place){.kind = CAB_PLACE_START}, false);
    add_floor(scene, 0);
    cab_world *world = take(scene, "native", 2);
    assert_int_equal(count_clear(world, 10), 10);
    cab_world_destroy(world);
}

static cab_scene *three_falling(const void *what)
{
    (void)what;
    return falling(CAB_WAY_AUTO, 3, true);
}

static bool is_clear(const cab_world *world)
{
    return world->clear.now;
}

/* The same bytes on both backends, on any number of threads, and after going on from a state at any frame. */
static void the_state_decides(void **state)
{
    (void)state;
    assert_true(same_everywhere(three_falling, NULL, 45, is_clear).changes >= 2);
}

/* Cables thrown at each other from afar meet. */
static void cables_meet(void **state)
{
    (void)state;
    cab_scene *scene = scene_by(CAB_WAY_AUTO);
    cab_scene_settings(scene)->contact.cables = true;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_cable_def a = straight_of("a", "wire", (cab_vec3[2]){{-0.2, 0, 0}, {0.2, 0, 0}}, SEGMENTS), b = a;
    cab_vec3 across[2] = {{0, -0.2, 2}, {0, 0.2, 2}};
    b.name = "b";
    b.path = across;
    a.velocity = (cab_vec3){0, 0, 4};
    b.velocity = (cab_vec3){0, 0, -4};
    add_cable(scene, a);
    add_cable(scene, b);
    cab_world *world = take(scene, "native", 2);
    int clear = 0;
    for (int frame = 0; frame < 20; frame++) {
        step(world, 1);
        clear += world->clear.now;
    }
    assert_true(clear >= 4);
    assert_true(measure(world).contacts_max > 0);
    cab_world_destroy(world);
}

/* ---- what is led ---- */

/* A hanging cable, and a ball far from it that flies to it along keyframes, or by none. */
static cab_scene *ball_scene(cab_way way, bool keyframed)
{
    cab_scene *scene = scene_by(way);
    cab_scene_settings(scene)->max_substeps =
        0; /* how many pieces an impact takes would magnify rounding once more */
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.5}, SEGMENTS);
    hold(scene, "a", (cab_place){.kind = CAB_PLACE_START}, false);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){-3, 0, 0.7});
    const cab_pose_keyframe keyframes[2] = {{.t = 0.1, .pose = {{0, 0, 0}, {1, 0, 0, 0}}},
                                            {.t = 0.4, .pose = {{3, 0, 0}, {1, 0, 0, 0}}}};
    ball.radius = 0.1;
    if (keyframed) {
        ball.keyframes = keyframes;
        ball.keyframe_count = 2;
    }
    add_collider(scene, ball);
    return scene;
}

static double pushed_to(cab_world *world)
{
    snapshot s = read_world(world);
    double x = s.x[s.nodes - 8][0];
    snapshot_free(&s);
    return x;
}

/* The ball, led by keyframes or by calls at 10 and 15 m/s, pushes it away as if contact had always been looked for. Until it
 * comes both ways differ by rounding (4e-9 m); the impact, by 4 radii a substep, would magnify that without a bound. */
static void check_ball(bool by_call)
{
    cab_error error = {0};
    cab_world *world = take(ball_scene(CAB_WAY_AUTO, !by_call), "native", 2);
    cab_world *always = take(ball_scene(CAB_WAY_STAGED, !by_call), "native", 2);
    cab_pose pose;
    int clear = 0, before = by_call ? 14 : 21;
    for (int frame = 0; frame < (by_call ? 19 : 24); frame++) {
        if (by_call && frame >= 5) {
            assert_true(cab_world_get_collider(world, 0, &pose));
            pose.position.x = fmin(0.25 * (frame - 4), 3);
            must(cab_world_set_collider(world, 0, pose, &error), &error);
            must(cab_world_set_collider(always, 0, pose, &error), &error);
        }
        step(world, 1);
        step(always, 1);
        clear += world->clear.now;
        if (frame == before) at_most(difference(world, always), 1e-7);
    }
    assert_true(clear >= 5);
    at_least(pushed_to(world), 0.09);
    at_least(pushed_to(always), 0.09);
    cab_world_destroy(world);
    cab_world_destroy(always);
}

static void a_ball_that_comes_is_met(void **state)
{
    (void)state;
    check_ball(false);
    check_ball(true);
}

/* A cable whose end is led to the floor lies on it. */
static void a_cable_that_is_led_meets_the_floor(void **state)
{
    (void)state;
    cab_scene *scene = scene_by(CAB_WAY_AUTO);
    const cab_keyframe way[2] = {{.t = 0.1, .position = {0, 0, 2}}, {.t = 0.4, .position = {0, 0, 0.3}}};
    add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0.02, 0, 1.5},
                 SEGMENTS); /* a line would fold in itself */
    cab_attachment_def led = held_at("a", (cab_place){.kind = CAB_PLACE_START});
    led.keyframes = way;
    led.keyframe_count = 2;
    led.to = CAB_TARGET_KEYFRAMES;
    add_attachment(scene, led);
    add_floor(scene, 0);
    cab_world *world = take(scene, "native", 2);
    assert_true(count_clear(world, 10) >= 5);
    assert_true(count_clear(world, 30) < 30);
    assert_true(measure(world).contacts_max > 0);
    cab_world_destroy(world);
}

/* ---- a cable and itself ---- */

/* A straight cable in the air whose ends are led together until it touches itself. */
static cab_scene *folding(cab_way way)
{
    cab_scene *scene = scene_by(way);
    cab_scene_settings(scene)->contact.self = true;
    add_straight(scene, "a", (cab_vec3){-0.3, 0, 1}, (cab_vec3){0.3, 0, 1}, SEGMENTS);
    for (int side = -1; side <= 1; side += 2) {
        const cab_keyframe way_there[2] = {{.t = 0.2, .position = {0.3 * side, 0, 1}},
                                           {.t = 0.5, .position = {-0.1 * side, 0, 1}}};
        cab_attachment_def led = held_at("a", side < 0 ? (cab_place){.kind = CAB_PLACE_START} : at_end());
        led.to = CAB_TARGET_KEYFRAMES;
        led.keyframes = way_there;
        led.keyframe_count = 2;
        add_attachment(scene, led);
    }
    return scene;
}

static void a_cable_that_folds_meets_itself(void **state)
{
    (void)state;
    cab_world *world = take(folding(CAB_WAY_AUTO), "native", 2);
    cab_world *always = take(folding(CAB_WAY_STAGED), "native", 2);
    int clear = 0, last = -1;
    for (int frame = 0; frame < 40; frame++) {
        step(world, 1);
        step(always, 1);
        clear += world->clear.now;
        if (world->clear.now) last = frame;
        if (measure(always).contacts_max > 0) assert_true(last < frame - 3);
    }
    assert_true(clear >= 8);
    assert_true(measure(world).contacts_max > 0 && measure(always).contacts_max > 0);
    at_most(measure(world).penetration_worst, 0.2 * RADIUS);
    cab_world_destroy(world);
    cab_world_destroy(always);
}

static double random_from(uint32_t *seed, double low, double high)
{
    *seed = *seed * 1664525u + 1013904223u; /* Numerical Recipes */
    return low + (high - low) * (double)(*seed >> 8) / (double)(1u << 24);
}

/* A cable that is curved in space, its ends held and led to where it meets itself, or not. floor: one below, so that frames are
 * near rather than clear. */
static cab_scene *curling(cab_way way, uint32_t seed, bool floor)
{
    enum { POINTS = 9 };
    cab_vec3 path[POINTS];
    double turn = random_from(&seed, 2, 5), rise = random_from(&seed, 0.1, 0.3),
           radius = random_from(&seed, 0.15, 0.3);
    for (int i = 0; i < POINTS; i++) {
        double angle = turn * i / (POINTS - 1);
        path[i] = (cab_vec3){radius * cos(angle), radius * sin(angle), 0.02 + rise * i / (POINTS - 1)};
    }
    cab_scene *scene = scene_by(way);
    cab_scene_settings(scene)->contact.self = true;
    cab_scene_settings(scene)->max_substeps = 0;
    cab_cable_def cable = straight_of("a", "wire", path, 24 + (int)(seed >> 28));
    cable.path_count = POINTS;
    cable.curve = CAB_CURVE_CATMULL_ROM;
    add_cable(scene, cable);
    for (int end = 0; end < 2; end++) {
        cab_vec3 from = path[end ? POINTS - 1 : 0], to = path[(int)random_from(&seed, 0, POINTS - 0.01)];
        const cab_keyframe there[2] = {{.t = 0.1, .position = from},
                                       {.t = 0.9, .position = {to.x, to.y, to.z + 0.03 * end}}};
        cab_attachment_def led = held_at("a", end ? at_end() : (cab_place){.kind = CAB_PLACE_START});
        led.to = CAB_TARGET_KEYFRAMES;
        led.keyframes = there;
        led.keyframe_count = 2;
        add_attachment(scene, led);
    }
    if (floor) add_floor(scene, 0);
    return scene;
}

/* Has a cable contact with itself, by its nodes and a radius more? */
static double nearest_to_itself(cab_world *world)
{
    snapshot s = read_world(world);
    double least = INFINITY;
    for (int i = 0; i < s.nodes - 1; i++)
        for (int k = i + 3; k < s.nodes - 1; k++)
            least = fmin(least, segment_to_segment(s.x[i], s.x[i + 1], s.x[k], s.x[k + 1]));
    snapshot_free(&s);
    return least;
}

/* In no frame in lanes, clear or near, is a cable so near to itself that it touches. */
static void what_curls_meets_itself(void **state)
{
    (void)state;
    int in_lanes = 0, met = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        cab_world *world = take(curling(CAB_WAY_AUTO, seed * 7919u, seed % 2), "native", 1);
        bool touched = false;
        for (int frame = 0; frame < 60; frame++) {
            double before = nearest_to_itself(world);
            step(world, 1);
            double least = nearest_to_itself(world);
            bool lanes = world->clear.now || world->clear.near;
            in_lanes += lanes;
            touched = touched || least < 2 * RADIUS;
            if (lanes) at_least(fmin(least, before), 2.2 * RADIUS);
            at_least(least, 1.5 * RADIUS); /* nothing is lost: overlap is what contact allows */
        }
        met += touched;
        cab_world_destroy(world);
    }
    assert_in_range(met, 10, 50);
    at_least(in_lanes, 250);
}

/* ---- where there are none ---- */

static int clear_frames(cab_scene *scene)
{
    return frames_that(is_clear, scene, 4);
}

/* Not where the way was asked for, nor by other methods; but where substeps may be cut, as long as none is. */
static void only_where_auto_may_choose(void **state)
{
    (void)state;
    cab_scene *scene = falling(CAB_WAY_AUTO, 3, true);
    assert_true(clear_frames(scene) == 3); /* all but the first */
    assert_int_equal(clear_frames(falling(CAB_WAY_STAGED, 3, true)), 0);
    scene = falling(CAB_WAY_AUTO, 3, true);
    cab_scene_settings(scene)->max_substeps = 80;
    assert_int_equal(clear_frames(scene), 3);
    scene = falling(CAB_WAY_AUTO, 3, true);
    cab_scene_settings(scene)->method = CAB_METHOD_XPBD;
    assert_int_equal(clear_frames(scene), 0);
    assert_int_equal(clear_frames(falling(CAB_WAY_AUTO, 0.41, true)), 0); /* too near to one another */
    assert_true(clear_frames(falling(CAB_WAY_AUTO, 0.41, false)) == 3);
}

/* After a change of a material a frame is stepped before the next clear one. */
static void changes_are_stepped_first(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_world *world = take(falling(CAB_WAY_AUTO, 3, true), "native", 2);
    step(world, 3);
    assert_true(world->clear.now);
    cab_material_def wire;
    assert_true(cab_world_get_material(world, 0, &wire));
    wire.bending_stiffness *= 100;
    must(cab_world_set_material(world, &wire, &error), &error);
    step(world, 1);
    assert_false(world->clear.now);
    step(world, 1);
    assert_true(world->clear.now);
    must(cab_world_set_gravity(world, (cab_vec3){0, 0, -1e4}, &error), &error);
    step(world, 1);
    assert_false(world->clear.now); /* it could carry everything to the floor */
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_meets_the_floor),
        cmocka_unit_test(far_frames_are_clear),
        cmocka_unit_test(what_cannot_reach_is_clear),
        cmocka_unit_test(the_state_decides),
        cmocka_unit_test(cables_meet),
        cmocka_unit_test(a_ball_that_comes_is_met),
        cmocka_unit_test(a_cable_that_is_led_meets_the_floor),
        cmocka_unit_test(a_cable_that_folds_meets_itself),
        cmocka_unit_test(what_curls_meets_itself),
        cmocka_unit_test(only_where_auto_may_choose),
        cmocka_unit_test(changes_are_stepped_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Substeps in pieces, by island: what is fast near what it may touch takes many, and everything else goes on as if it were not
 * there. That nothing passes through is judged by tests/throws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec3.h"
#include "model/scene.h"
#include "world/sleep.h"
#include "world/world.h"
#include "worlds.h"

#define RADIUS 0.004
#define SEGMENTS 16
#define SUBSTEPS 20
#define FRAMES 4
#define ALL_PIECES (512 * SUBSTEPS)

static cab_scene *scene_by(cab_method method)
{
    cab_scene *scene = scene_of(SUBSTEPS);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->max_substeps = ALL_PIECES;
    s->contact.cables = true;
    s->gravity.z = -3; /* so that the slow ones stay slow */
    add_material(scene, wire_of("wire", RADIUS, 1e-4));
    return scene;
}

/* Thrown at the floor of its group, 5 m aside. */
static void add_fast(cab_scene *scene, double speed)
{
    cab_cable_def fast = straight_of("fast", "wire", (cab_vec3[2]){{5, 0, 0.135}, {5.3, 0, 0.135}}, SEGMENTS);
    fast.velocity = (cab_vec3){0, 0, -speed};
    fast.group = 1;
    add_cable(scene, fast);
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.group = 1;
    add_collider(scene, floor);
}

/* Slow things of all kinds: an end that is led, a force along keyframes, a joint, a ball that comes up under a cable that rests on
 * it, a spring. */
static void add_slow(cab_scene *scene)
{
    static const cab_keyframe led[2] = {{0, {0, 0, 0.4}}, {1, {0.1, 0.05, 0.45}}};
    static const cab_pose_keyframe up[2] = {{0, {{0.6, 0, 0.2}, {1, 0, 0, 0}}},
                                            {1, {{0.6, 0, 0.25}, {1, 0, 0, 0}}}};
    static const cab_keyframe force[2] = {{0, {0, 0, 0}}, {1, {0.05, 0.1, 0}}};
    add_straight(scene, "a", (cab_vec3){0, 0, 0.4}, (cab_vec3){0.3, 0, 0.4}, SEGMENTS);
    add_straight(scene, "b", (cab_vec3){0.15, 0, 0.4}, (cab_vec3){0.15, 0.2, 0.4}, 8);
    join(scene, "b", (cab_place){.kind = CAB_PLACE_START}, "a", at_fraction(0.5));
    cab_attachment_def hand = held_at("a", (cab_place){.kind = CAB_PLACE_START});
    hand.to = CAB_TARGET_KEYFRAMES;
    hand.keyframes = led;
    hand.keyframe_count = 2;
    add_attachment(scene, hand);
    cab_attachment_def spring = held_at("a", at_end());
    spring.compliance = 1e-3;
    add_attachment(scene, spring);
    cab_load_def pull = load_at("b", at_end());
    pull.force_keyframes = force;
    pull.force_keyframe_count = 2;
    add_load(scene, pull);
    add_straight(scene, "c", (cab_vec3){0.5, 0, 0.2545}, (cab_vec3){0.7, 0, 0.2545}, SEGMENTS);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, 0});
    ball.radius = 0.05;
    ball.group = 0;
    ball.keyframes = up;
    ball.keyframe_count = 2;
    add_collider(scene, ball);
}

static cab_world *world_of(cab_scene *scene)
{
    cab_world_def def = {.device = "native", .threads = 1, .forces = true};
    cab_world *world;
    cab_error error = {0};
    must(cab_world_create(scene, &def, &world, &error), &error);
    return world;
}

typedef struct counted {
    int pieces;
} counted;

static void count_piece(void *user, cab_world *world, double part)
{
    (void)world;
    (void)part;
    ((counted *)user)->pieces++;
}

/* The slow ones beside a fast one against the slow ones alone. */
static void check_beside(cab_method method, double speed)
{
    cab_scene *alone = scene_by(method), *both = scene_by(method);
    cab_error error = {0};
    add_slow(alone);
    add_slow(both);
    add_fast(both, speed);
    cab_world *a = world_of(alone), *b = world_of(both);
    counted in_a = {0}, in_b = {0};
    a->pace.watch = b->pace.watch = count_piece;
    a->pace.user = &in_a;
    b->pace.user = &in_b;
    step(a, FRAMES);
    step(b, FRAMES);
    /* slow alone: not cut, but by iterations where these leave a length off by 0.8 % */
    if (method == CAB_METHOD_DIRECT) assert_int_equal(in_a.pieces, FRAMES * SUBSTEPS);
    assert_true(in_b.pieces > in_a.pieces);
    snapshot x = read_world(a), y = read_world(b), part = y;
    part.nodes = x.nodes;
    part.cables = x.cables;
    /* lists are made at other moments: rounding, as in test_groups */
    at_most(largest_difference(&part, &x), 2e-6);
    cab_attachment_info of_a[3], of_b[3];
    assert_int_equal(cab_world_get_attachments(a, of_a, 3), 3);
    assert_int_equal(cab_world_get_attachments(b, of_b, 3), 3);
    for (int i = 0; i < 3;
         i++) { /* means over the frame, of which no piece counts twice and none is left out */
        double bears = cab_vec3_length(of_a[i].force);
        assert_true(bears > 0);
        near_to(cab_vec3_distance(of_b[i].force, of_a[i].force), 0, 1e-3 * bears + 1e-4);
    }
    double *tension[2];
    for (int k = 0; k < 2; k++) {
        cab_world *world = k ? b : a;
        tension[k] = calloc((size_t)cab_world_get_info(world).nodes, sizeof(double));
        must(cab_world_read(world, NULL, NULL, tension[k], &error), &error);
    }
    for (int i = 0; i < SEGMENTS; i++)
        near_to(tension[1][i], tension[0][i], 1e-2 * fabs(tension[0][i]) + 1e-3);
    free(tension[0]);
    free(tension[1]);
    snapshot_free(&x);
    snapshot_free(&y);
    cab_world_destroy(a);
    cab_world_destroy(b);
    cab_scene_destroy(alone);
    cab_scene_destroy(both);
}

static void slow_ones_do_not_notice_a_fast_one(void **state)
{
    (void)state;
    check_beside(CAB_METHOD_DIRECT, 8);
    check_beside(CAB_METHOD_XPBD, 8);
}

/* How many pieces `scene` takes, substeps that are not cut counted, too; none in lanes. near: the last frame went in lanes */
static int pieces_of(cab_scene *scene, int frames, bool *near)
{
    cab_world_def def = {.device = "native", .threads = 1};
    cab_world *world;
    cab_error error = {0};
    counted count = {0};
    must(cab_world_create(scene, &def, &world, &error), &error);
    world->pace.watch = count_piece;
    world->pace.user = &count;
    step(world, frames);
    *near = world->clear.near;
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return count.pieces;
}

/* A cable that lies on a floor without friction, or a radius above it. */
static cab_scene *over_a_floor(cab_vec3 velocity)
{
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT);
    double height = velocity.z < 0 ? 2 * RADIUS : RADIUS;
    cab_cable_def cable =
        straight_of("on it", "wire", (cab_vec3[2]){{0, 0, height}, {0.3, 0, height}}, SEGMENTS);
    cable.velocity = velocity;
    add_cable(scene, cable);
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    floor.friction = 0;
    add_collider(scene, floor);
    cab_scene_settings(scene)->contact.cables = false; /* lanes know of colliders only */
    return scene;
}

/* Two cables side by side, 2.5 radii apart. */
static cab_scene *side_by_side(cab_vec3 velocity)
{
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT);
    cab_cable_def one = straight_of("one", "wire", (cab_vec3[2]){{0, 0, 0}, {0.3, 0, 0}}, SEGMENTS);
    cab_cable_def other =
        straight_of("other", "wire", (cab_vec3[2]){{0, 2.5 * RADIUS, 0}, {0.3, 2.5 * RADIUS, 0}}, SEGMENTS);
    one.velocity = velocity;
    add_cable(scene, one);
    add_cable(scene, other);
    cab_scene_settings(scene)->gravity.z = 0;
    return scene;
}

/* What slides along something is not cut, however fast it is along a plane; what comes nearer at that speed is. */
static void only_what_comes_nearer_is_cut(void **state)
{
    (void)state;
    bool near;
    assert_true(pieces_of(over_a_floor((cab_vec3){10, 0, 0}), FRAMES, &near) <= FRAMES * SUBSTEPS);
    assert_true(near); /* lanes do not refuse it either */
    assert_true(pieces_of(over_a_floor((cab_vec3){10, 0, -1}), 1, &near) > SUBSTEPS);
    /* 0.05 of the sum of the radii in a substep: between a quarter of the limit and the limit itself */
    double speed = 0.05 * 2 * RADIUS * SUBSTEPS * 60;
    assert_true(pieces_of(side_by_side((cab_vec3){speed, 0, 0}), 1, &near) <= SUBSTEPS);
    assert_true(pieces_of(side_by_side((cab_vec3){0, speed, 0}), 1, &near) > SUBSTEPS);
}

/* Two cables far from each other, at the speed of a whip or of a swing; one hangs on a spring, so that none goes in lanes. */
static cab_scene *in_the_air(double speed)
{
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT);
    cab_cable_def whip = straight_of("whip", "wire", (cab_vec3[2]){{0, 0, 0}, {0.3, 0, 0}}, SEGMENTS);
    whip.velocity = (cab_vec3){0, 0, speed};
    add_cable(scene, whip);
    add_attachment(scene, held_at("whip", (cab_place){.kind = CAB_PLACE_START}));
    add_straight(scene, "other", (cab_vec3){5, 0, 0}, (cab_vec3){5.3, 0, 0}, SEGMENTS);
    cab_attachment_def spring = held_at("other", at_end());
    spring.compliance = 1e-3;
    add_attachment(scene, spring);
    return scene;
}

/* Where lists hold nothing, turns alone are what may need pieces. */
static void what_turns_in_the_air_is_cut(void **state)
{
    (void)state;
    bool near;
    assert_true(pieces_of(in_the_air(20), 1, &near) > SUBSTEPS);
    assert_int_equal(pieces_of(in_the_air(0.5), 1, &near), SUBSTEPS);
}

/* What sleeps goes on sleeping while another cable takes pieces, and wakes when it is hit. */
static void sleepers_sleep_on(void **state)
{
    (void)state;
    for (int hit = 0; hit < 2; hit++) {
        cab_scene *scene = scene_by(hit ? CAB_METHOD_XPBD : CAB_METHOD_DIRECT);
        cab_scene_settings(scene)->contact.sleep = true;
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        add_straight(scene, "rest", (cab_vec3){0, 0, 0.1}, (cab_vec3){0.3, 0, 0.1}, SEGMENTS);
        /* through the middle of the other, or a metre beside it, after it has fallen asleep; and at the floor */
        cab_cable_def fast = straight_of(
            "fast", "wire", (cab_vec3[2]){{0.15, hit ? -0.1 : 1, 15.1}, {0.15, hit ? 0.1 : 1.2, 15.1}}, 8);
        fast.velocity = (cab_vec3){0, 0, -10};
        add_cable(scene, fast);
        add_floor(scene, 0);
        cab_world *world = world_of(scene);
        counted count = {0};
        step(world, 80);
        assert_int_equal(cab_sleep_count(world), 1);
        world->pace.watch = count_piece;
        world->pace.user = &count;
        step(world, 12); /* what was hit is back at its height after 15 */
        assert_true(count.pieces > 12 * SUBSTEPS);
        assert_int_equal(cab_sleep_count(world), hit ? 0 : 1);
        double place[3];
        node_place(world, SEGMENTS / 2, place);
        if (hit)
            at_least(fabs(place[2] - 0.1), RADIUS); /* down to the floor, or back from it */
        else
            near_to(place[2], 0.1, 1e-6);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A world in the middle of pieces goes on from its state as if nothing had happened. */
static void a_state_tells_the_pieces(void **state)
{
    (void)state;
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT);
    cab_error error = {0};
    add_slow(scene);
    add_fast(scene, 8);
    cab_world *a = world_of(scene), *b = world_of(scene);
    void *bytes = NULL;
    size_t size;
    step(a, 1);
    assert_true(a->params.cut); /* the frame ends among the pieces, before the floor */
    must(cab_world_pack(a, &bytes, &size, &error), &error);
    must(cab_world_unpack(b, bytes, size, &error), &error);
    step(a, 4);
    step(b, 4);
    same_motion(a, b, "a state");
    free(bytes);
    cab_world_destroy(a);
    cab_world_destroy(b);
    cab_scene_destroy(scene);
}

static void devices_agree(void **state)
{
    (void)state;
    char device[32];
    if (!find_device(POCL, device)) skip();
    for (int method = 0; method < 2; method++) {
        cab_scene *scene = scene_by(method ? CAB_METHOD_XPBD : CAB_METHOD_DIRECT);
        cab_scene_settings(scene)->max_substeps = 16 * SUBSTEPS;
        add_slow(scene);
        add_fast(scene, 10);
        cab_world *native = native_world(scene), *opencl = world_on(scene, device, 0);
        step(native, 2);
        step(opencl, 2);
        assert_true(native->pace.made);
        same_motion(native, opencl, "native and OpenCL");
        cab_world_destroy(native);
        cab_world_destroy(opencl);
        cab_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_ones_do_not_notice_a_fast_one), cmocka_unit_test(only_what_comes_nearer_is_cut),
        cmocka_unit_test(what_turns_in_the_air_is_cut),       cmocka_unit_test(sleepers_sleep_on),
        cmocka_unit_test(a_state_tells_the_pieces),           cmocka_unit_test(devices_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

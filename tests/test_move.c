/* Colliders that move: what lies on them is carried, what is in their way is pushed, what is attached rides.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define RADIUS 0.005
#define G 9.81

/* Keyframes; a test's own, so that scenes can be made in a line. */
static cab_pose_keyframe frames[2048];

static cab_pose_keyframe at_time(double t, double x, double y, double z)
{
    return (cab_pose_keyframe){t, {{x, y, z}, {1, 0, 0, 0}}};
}

/* Along x with acceleration a from rest, a keyframe each substep; then on at the speed reached. */
static void accelerate(cab_collider_def *def, double a, double duration)
{
    int n = (int)(duration * 1200 + 0.5);
    for (int i = 0; i <= n; i++) frames[i] = at_time(i / 1200.0, 0.5 * a * pow(i / 1200.0, 2), 0, 0);
    def->keyframes = frames;
    def->keyframe_count = n + 1;
}

static cab_collider_def box_at(cab_vec3 center, cab_vec3 half_extents)
{
    cab_collider_def def = shape_at(CAB_SHAPE_BOX, center);
    def.half_extents = half_extents;
    def.friction = 0.5;
    return def;
}

static cab_scene *lying(cab_method method, int segments)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = method;
    cab_material_def wire = wire_of("wire", RADIUS, 0);
    wire.friction = 0.5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, -0.2, RADIUS}, (cab_vec3){0, 0.2, RADIUS}, segments);
    return scene;
}

/* mu g = 4.9 m/s^2. Below it the cable goes with the plate, above it it follows at mu g. A plane, a box and a
 * mesh do alike; the belt's first order puts (t + h) for t. */
static void a_plate_carries(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        bool slips = k % 2;
        double a = slips ? 8 : 4, t = 0.25, mu = 0.5;
        cab_scene *scene = lying(k % 4 < 2 ? CAB_METHOD_XPBD : CAB_METHOD_DIRECT, k % 4 < 2 ? 8 + k : 20 + k);
        cab_collider_def plate = k < 4   ? box_at((cab_vec3){0, 0, -0.1}, (cab_vec3){1, 1, 0.1})
                                 : k < 8 ? shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0})
                                         : shape_at(CAB_SHAPE_MESH, (cab_vec3){0, 0, 0});
        cab_vec3 corners[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
        int triangles[6] = {0, 1, 2, 0, 2, 3};
        plate.mesh = (cab_mesh){corners, 4, triangles, 2};
        plate.friction = mu;
        accelerate(&plate, a, t);
        add_collider(scene, plate);
        cab_world *world = native_world(scene);
        step(world, 15);
        snapshot s = read_world(world);
        double distance = 0.5 * (slips ? mu * G : a) * t * t;
        for (int i = 0; i < s.nodes; i++) {
            /* 1 % for t + h, and for the average over contacts at the ends */
            near_to(s.x[i][0], distance, 0.01 * distance);
            near_to(s.x[i][2], RADIUS, 1e-5);
            near_to(s.v[i][0], (slips ? mu * G : a) * t, 0.01 * a * t);
        }
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A plane turns about its normal at 2 rad/s; mu g is 12 times what a circle of 0.1 m asks for. */
static void a_turntable_carries(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = scene_of(20);
        add_material(scene, wire_of("wire", RADIUS, 0));
        add_straight(scene, "a", (cab_vec3){0.1, -0.05, RADIUS}, (cab_vec3){0.1, 0.05, RADIUS}, 5 + 4 * k);
        cab_collider_def table = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
        table.friction = 0.8;
        for (int i = 0; i <= 120; i++) { /* half a turn at most between two, or it would turn back */
            double angle = i < 60 ? pow(i / 60.0, 2) : 1 + 2 * (i / 60.0 - 1);
            frames[i] = (cab_pose_keyframe){i / 60.0, {{0, 0, 0}, {cos(angle / 2), 0, 0, sin(angle / 2)}}};
        }
        table.keyframes = frames;
        table.keyframe_count = 121;
        add_collider(scene, table);
        cab_world *world = native_world(scene);
        step(world, 120); /* 3 rad */
        snapshot s = read_world(world);
        for (int i = 0; i < s.nodes; i++) {
            double y = -0.05 + 0.1 * i / (s.nodes - 1), c = cos(3), d = sin(3);
            /* friction is an average where a particle has many contacts: 1 mm over 0.3 m */
            near_to(s.x[i][0], 0.1 * c - y * d, 1e-3);
            near_to(s.x[i][1], 0.1 * d + y * c, 1e-3);
        }
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* Two boxes `apart` from the middle, with these half extents, come nearer to it, wait and lift what is between them. */
typedef struct jaws {
    double apart, above; /* m; centres at the start */
    cab_vec3 half;
    double nearer, up; /* m */
    double time[4];    /* s: when they begin, are near, begin to lift, are up */
    double friction;
} jaws;

static void add_jaws(cab_scene *scene, const jaws *j)
{
    for (int side = -1; side <= 1; side += 2) {
        cab_collider_def jaw = box_at((cab_vec3){side * j->apart, 0, j->above}, j->half);
        double closed = -side * j->nearer;
        const cab_pose_keyframe path[] = {at_time(j->time[0], 0, 0, 0), at_time(j->time[1], closed, 0, 0),
                                          at_time(j->time[2], closed, 0, 0),
                                          at_time(j->time[3], closed, 0, j->up)};
        jaw.friction = j->friction;
        jaw.keyframes = path;
        jaw.keyframe_count = COUNT_OF(path);
        add_collider(scene, jaw);
    }
}

/* They come a tenth of the cable's radius too near. */
static cab_scene *gripper(cab_method method, int segments, double friction)
{
    cab_scene *scene = lying(method, segments);
    add_floor(scene, 0);
    add_jaws(scene, &(jaws){.apart = 0.05,
                            .above = 0.021,
                            .half = {0.02, 0.3, 0.02},
                            .nearer = 0.03 - 0.95 * RADIUS,
                            .up = 0.2,
                            .time = {0.1, 0.3, 0.4, 0.9},
                            .friction = friction});
    return scene;
}

static void a_gripper_lifts(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cab_scene *scene = gripper(k % 2 ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD, k < 2 ? 8 : 21, 0.5);
        cab_world *world = native_world(scene);
        step(world, 60);
        snapshot s = read_world(world);
        for (int i = 0; i < s.nodes; i++)
            near_to(s.x[i][2], RADIUS + 0.2, 1e-3); /* slips by less than 1 mm */
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
    cab_scene *scene = gripper(CAB_METHOD_XPBD, 8, 0); /* without friction it stays */
    cab_world *world = native_world(scene);
    step(world, 60);
    double x[3];
    node_place(world, 4, x);
    at_most(x[2], 2 * RADIUS);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* scenes/gripper.json: jaws that are shorter than a slanted rope press it by 0.3 mm on each side and lift it. No force can close
 * that overlap. */
static cab_scene *squeezing(int max_substeps)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->method = CAB_METHOD_DIRECT;
    settings->max_substeps = max_substeps;
    cab_material_def rope = wire_of("rope", 0.005, 2e-4);
    rope.linear_density = 0.05;
    rope.damping = 0.5;
    rope.friction = 0.5;
    add_material(scene, rope);
    add_cable(scene,
              straight_of("rope", "rope", (cab_vec3[2]){{0.01, -0.4, 0.005}, {-0.01, 0.4, 0.005}}, 40));
    add_floor(scene, 0);
    add_jaws(scene, &(jaws){.apart = 0.06,
                            .above = 0.022,
                            .half = {0.02, 0.04, 0.02},
                            .nearer = 0.0353,
                            .up = 0.3,
                            .time = {0.2, 0.6, 0.8, 1.8},
                            .friction = 0.8});
    return scene;
}

static void what_is_squeezed_stays(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = squeezing(k ? 0 : CAB_SUBSTEPS_AS_NEEDED);
        cab_world *world = native_world(scene);
        for (int frame = 0; frame < 110; frame++) {
            step(world, 1);
            at_most(measure(world).stretch_max, 1e-4); /* CAB_LENGTH_ERROR */
        }
        at_most(measure(world).penetration_worst,
                0.4e-3); /* and by how much a jaw comes nearer in a substep, 0.07 mm */
        snapshot s = read_world(world);
        near_to(s.x[20][2], 0.305, 2e-3); /* between the jaws; the rest hangs from them */
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* Thin walls come at 25 m/s, 21 mm a substep of 1/1200 s, and push what was at rest in front of them. */
static void nothing_gets_behind_a_moving_wall(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        cab_scene *scene = scene_of(1);
        cab_settings *settings = cab_scene_settings(scene);
        settings->frame_rate = 1200;
        settings->gravity = (cab_vec3){0, 0, 0};
        add_material(scene, wire_of("wire", 0.001, 0));
        add_straight(scene, "a", (cab_vec3){0.3 + 0.004 * k, -0.1, 0}, (cab_vec3){0.35, 0.1, 0.02}, 12);
        cab_collider_def wall = box_at((cab_vec3){0, 0, 0}, (cab_vec3){0.001, 1, 1});
        cab_vec3 corners[4] = {{0, -1, -1}, {0, 1, -1}, {0, 1, 1}, {0, -1, 1}};
        int triangles[6] = {0, 1, 2, 0, 2, 3};
        if (k % 2) {
            wall = shape_at(CAB_SHAPE_MESH, (cab_vec3){0, 0, 0});
            wall.mesh = (cab_mesh){corners, 4, triangles, 2};
        }
        const cab_pose_keyframe path[] = {at_time(0, 0, 0, 0), at_time(1, 25, 0, 0)};
        wall.keyframes = path;
        wall.keyframe_count = 2;
        add_collider(scene, wall);
        cab_world *world = native_world(scene);
        for (int i = 1; i <= 40; i++) {
            step(world, 1);
            snapshot s = read_world(world);
            for (int node = 0; node < s.nodes; node++)
                if (!(s.x[node][0] > 25 * i / 1200.0))
                    fail_msg("wall %d: node %d is behind after %d substeps", k, node, i);
            snapshot_free(&s);
            at_most(measure(world).speed_max, 60); /* an elastic push would give 50 m/s */
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A quarter turn about z and a way: the end goes exactly there, also when led by calls. */
static void attachments_ride_along(void **state)
{
    (void)state;
    for (int by_call = 0; by_call < 2; by_call++) {
        cab_error error = {0};
        cab_scene *scene = scene_of(20);
        add_material(scene, wire_of("wire", RADIUS, 0));
        add_straight(scene, "a", (cab_vec3){0.3, 0, 0.1}, (cab_vec3){0.3, 0, -0.5}, 10);
        cab_collider_def box = box_at((cab_vec3){0.1, 0, 0.1}, (cab_vec3){0.1, 0.1, 0.02});
        cab_pose pose = {{0, 0, 0.05}, {cos(M_PI / 4), 0, 0, sin(M_PI / 4)}};
        const cab_pose_keyframe path[] = {at_time(0, 0, 0, 0), {0.5, pose}};
        box.name = "box";
        box.keyframes = path;
        box.keyframe_count = by_call ? 0 : 2;
        add_collider(scene, box);
        cab_attachment_def ride = held_at("a", (cab_place){0});
        ride.to = CAB_TARGET_COLLIDER;
        ride.target = "box";
        add_attachment(scene, ride);
        cab_world *world = native_world(scene);
        if (by_call) {
            step(world, 1);
            must(cab_world_set_collider(world, 0, pose, &error), &error);
            step(world, 3);
        } else {
            step(world, 15); /* half way: 45 degrees */
            double x[3];
            node_place(world, 0, x);
            near_to(x[0], 0.1 + 0.2 * sqrt(0.5), 1e-6);
            near_to(x[1], 0.2 * sqrt(0.5), 1e-6);
            step(world, 20);
        }
        double x[3];
        node_place(world, 0, x);
        near_to(x[0], 0.1, 1e-6); /* floats at 0.3 m */
        near_to(x[1], 0.2, 1e-6);
        near_to(x[2], 0.15, 1e-6);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A cable that has fallen asleep on a plate is woken when the plate begins to move, by keyframes or by a
 * call, and carried. */
static void a_moving_plate_wakes(void **state)
{
    (void)state;
    for (int by_call = 0; by_call < 2; by_call++) {
        cab_error error = {0};
        cab_scene *scene = lying(CAB_METHOD_XPBD, 8);
        cab_scene_settings(scene)->contact.sleep = true;
        cab_collider_def plate = box_at((cab_vec3){0, 0, -0.1}, (cab_vec3){1, 1, 0.1});
        const cab_pose_keyframe path[] = {at_time(2, 0, 0, 0), at_time(2.5, 0.05, 0, 0)};
        plate.keyframes = path;
        plate.keyframe_count = by_call ? 0 : 2;
        add_collider(scene, plate);
        cab_world *world = native_world(scene);
        double x[3];
        step(world, 120);
        if (by_call) must(cab_world_set_collider(world, 0, at_time(0, 0.005, 0, 0).pose, &error), &error);
        step(world, by_call ? 10 : 60);
        node_place(world, 4, x);
        /* it starts at once at 0.1 m/s, 0.3 m/s by call: slips v^2/(2 mu g), 1 mm and 9 mm at most */
        if (by_call)
            at_least(x[0], 1e-3);
        else
            near_to(x[0], 0.05, 1.5e-3);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = lying(CAB_METHOD_XPBD, 4);
    cab_collider_def def = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    cab_pose_keyframe path[] = {at_time(0, 0, 0, 0), {1, {{0, 0, 0}, {1, 0.1, 0, 0}}}};
    def.keyframes = path;
    def.keyframe_count = 2;
    must_fail(cab_scene_add_collider(scene, &def, &error), CAB_ERROR_UNSUPPORTED, &error,
              "/colliders/0/keyframes/1: a plane has no end and cannot tilt");
    path[1] = at_time(0, 0, 0, 0);
    must_fail(cab_scene_add_collider(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/colliders/0/keyframes/1: expected a time after that of the keyframe before");
    path[1] = (cab_pose_keyframe){1, {{0, 0, 0}, {0, 0, 0, 0}}};
    must_fail(cab_scene_add_collider(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/colliders/0/keyframes/1: expected a vector other than zero");
    path[1] = (cab_pose_keyframe){1, {{0, 0, 0}, {1, 0, 0, 1}}};
    def.name = "table";
    add_collider(scene, def);
    cab_attachment_def ride = held_at("a", (cab_place){0});
    ride.to = CAB_TARGET_COLLIDER;
    ride.target = "table";
    ride.clamp = true;
    add_attachment(scene, ride);
    cab_world *world = NULL;
    cab_world_def options = cab_world_default();
    options.device = "native";
    must_fail(cab_world_create(scene, &options, &world, &error), CAB_ERROR_UNSUPPORTED, &error,
              "/attachments/0/clamp: the collider turns");
    cab_scene_destroy(scene);
    scene = lying(CAB_METHOD_XPBD, 4);
    add_floor(scene, 0);
    world = native_world(scene);
    cab_pose pose = {{0, 0, NAN}, {1, 0, 0, 0}};
    must_fail(cab_world_set_collider(world, 0, pose, &error), CAB_ERROR_INPUT, &error, "/colliders/0");
    pose.position.z = 0;
    must_fail(cab_world_set_collider(world, 1, pose, &error), CAB_ERROR_INPUT, &error, "/colliders/1");
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void the_same_bits(void **state)
{
    (void)state;
    char id[32];
    if (!find_device(POCL, id)) skip();
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = gripper(k ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD, 8, 0.5);
        cab_world *native = native_world(scene), *opencl = world_on(scene, id, 0);
        step(native, 40);
        step(opencl, 40);
        same_motion(native, opencl, "gripper");
        cab_world_destroy(native);
        cab_world_destroy(opencl);
        cab_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_carries),
        cmocka_unit_test(a_turntable_carries),
        cmocka_unit_test(a_gripper_lifts),
        cmocka_unit_test(what_is_squeezed_stays),
        cmocka_unit_test(nothing_gets_behind_a_moving_wall),
        cmocka_unit_test(attachments_ride_along),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_moving_plate_wakes),
        cmocka_unit_test(the_same_bits),
    };
    return cmocka_run_group_tests_name("move", tests, NULL, NULL);
}

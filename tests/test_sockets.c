/* Plugs and sockets: known answers at two resolutions and on both backends; momentum, states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bodies.h"

#define HALF 0.015  /* m, of a plug's length */
#define DEPTH 0.012 /* m */
#define MASS 0.02   /* kg, of a plug */
#define WALL 0.1    /* m, x of the socket's mouth */

static const cab_body_shape_def rod = {
    .kind = CAB_BODY_BOX, .half_extents = {HALF, 0.004, 0.003}, .rotation = {1, 0, 0, 0}};
static const cab_body_shape_def cube = {.kind = CAB_BODY_BOX,
                                        .center = {0.03, 0, 0},
                                        .half_extents = {0.03, 0.02, 0.02},
                                        .rotation = {1, 0, 0, 0}};

/* Its point is `before` m in front of the mouth, and as far beside the axis. */
static cab_body_def plug_at(double before, double beside, double speed)
{
    cab_body_def def = block_at("plug", (cab_vec3){WALL - before - HALF, beside, 0});
    def.mass = MASS;
    def.shapes = &rod;
    def.velocity = (cab_vec3){speed, 0, 0};
    return def;
}

static cab_body_def box_of(cab_body_motion motion)
{
    cab_body_def def = block_at("box", (cab_vec3){WALL, 0, 0});
    def.mass = 0.1;
    def.shapes = &cube;
    def.motion = motion;
    return def;
}

static cab_socket_def socket_of(void)
{
    cab_socket_def def = cab_socket_default();
    def.name = "X1";
    def.plug.body = "plug";
    def.plug.point = (cab_vec3){HALF, 0, 0};
    def.to.body = "box";
    def.to.point = (cab_vec3){DEPTH, 0, 0};
    def.depth = DEPTH;
    return def;
}

static void add_socket(cab_scene *scene, cab_socket_def def)
{
    cab_error error = {0};
    must(cab_scene_add_socket(scene, &def, &error), &error);
}

static cab_socket_reading read_socket(cab_world *world)
{
    cab_error error = {0};
    cab_socket_reading reading;
    assert_int_equal(cab_world_get_sockets(world, NULL, 0), 1);
    must(cab_world_read_sockets(world, &reading, &error), &error);
    return reading;
}

static void everywhere(void (*check)(const char *device, int substeps))
{
    check("native", 20);
    check("native", 80);
    if (have_opencl()) check("opencl", 20); /* the same bytes: one resolution is enough */
}

/* A plug that flies into a socket on a fixed box, without gravity. */
static cab_world *flight(const char *device, int substeps, cab_body_def plug, cab_socket_def socket)
{
    cab_scene *scene = body_scene(substeps, 0);
    add_body(scene, plug);
    if (socket.to.body) add_body(scene, box_of(CAB_BODY_FIXED));
    add_socket(scene, socket);
    add_far_cable(scene);
    return take(scene, device, 1);
}

/* ---- going in ---- */

/* F s = m v^2/2. Friction begins and ends with a substep, of v h = 0.25 mm at 20 of them, 0.06 at 80. */
static void check_braked(const char *device, int substeps)
{
    cab_socket_def socket = socket_of();
    const cab_socket_row_def rows[2] = {{0, 0.1}, {DEPTH, 0.1}};
    double speed = 0.3, way = MASS * speed * speed / 2 / 0.1, step_way = speed / 60 / substeps;
    socket.friction = rows;
    socket.friction_count = 2;
    for (int space = 0; space < 2; space++) { /* of a body, or fixed in space */
        if (space) socket.to.body = NULL, socket.to.point.x += WALL;
        cab_world *world = flight(device, substeps, plug_at(0.003, 0, speed), socket);
        step(world, 20);
        cab_socket_reading r = read_socket(world);
        assert_int_equal(r.phase, CAB_SOCKET_PHASE_GUIDED);
        near_to(r.depth, way, step_way);
        at_most(fabs(read_body(world).velocity.x), 1e-5);
        cab_world_destroy(world);
    }
}

static void friction_brakes_a_plug(void **state)
{
    (void)state;
    everywhere(check_braked);
}

/* From 0 at the mouth to F at home: F s^2/(2 d) = m v^2/2. */
static void check_profile(const char *device, int substeps)
{
    cab_socket_def socket = socket_of();
    const cab_socket_row_def rows[3] = {{0, 0}, {DEPTH / 2, 0.1}, {DEPTH, 0.2}};
    double speed = 0.25, way = speed * sqrt(MASS * DEPTH / 0.2);
    socket.friction = rows;
    socket.friction_count = 3;
    cab_world *world = flight(device, substeps, plug_at(0.003, 0, speed), socket);
    step(world, 30);
    near_to(read_socket(world).depth, way, speed / 60 / substeps); /* as above: a substep's way */
    cab_world_destroy(world);
}

static void friction_goes_by_the_profile(void **state)
{
    (void)state;
    everywhere(check_profile);
}

/* A plug's weight presses it in from above: it stays where friction bears more, and goes down by (g - F/m) t^2/2 where it bears less. */
static double sinks(const char *device, int substeps, double share, int frames)
{
    cab_scene *scene = body_scene(substeps, 0);
    cab_socket_def socket = socket_of();
    const cab_socket_row_def row = {0, share * MASS * G};
    cab_scene_settings(scene)->gravity = (cab_vec3){G, 0, 0};
    socket.friction = &row;
    socket.friction_count = 1;
    add_body(scene, plug_at(-0.002, 0, 0));
    add_body(scene, box_of(CAB_BODY_FIXED));
    add_socket(scene, socket);
    add_far_cable(scene);
    cab_world *world = take(scene, device, 1);
    step(world, frames);
    double depth = read_socket(world).depth;
    cab_world_destroy(world);
    return depth - 0.002;
}

static void check_weight(const char *device, int substeps)
{
    at_most(fabs(sinks(device, substeps, 1.02, 60)), 1e-7);
    double time = 6.0 / 60, way = 0.15 * G * time * time / 2;
    /* first order is half a substep ahead, and the change to it from second order at the start one more */
    near_to(sinks(device, substeps, 0.85, 6), way, way / (6 * substeps) * 3);
}

static void a_weight_stays_or_goes_in(void **state)
{
    (void)state;
    everywhere(check_weight);
}

/* Pushed beside the axis and askew it comes to the axis, straight, and is held there. */
static void check_led(const char *device, int substeps)
{
    cab_body_def plug = plug_at(0.003, 0.0015, 0.2);
    plug.rotation[3] = 0.05; /* 0.1 rad about z; its point is 1.5 mm further beside by that */
    plug.position.y = -0.001;
    cab_world *world = flight(device, substeps, plug, socket_of());
    step(world, 20);
    cab_socket_reading r = read_socket(world);
    cab_body_reading b = read_body(world);
    assert_int_equal(r.phase, CAB_SOCKET_PHASE_MATED);
    near_to(r.depth, DEPTH * (1 - 0.001), DEPTH * 0.0011); /* in the latch's play of 1/500 */
    near_to(b.position.x, WALL + r.depth - HALF, 1e-7);
    near_to(b.position.y, 0, 1e-6);
    near_to(b.position.z, 0, 1e-6);
    for (int k = 1; k < 4; k++) near_to(b.rotation[k], 0, 1e-5);
    cab_world_destroy(world);
}

static void a_plug_is_led_home(void **state)
{
    (void)state;
    everywhere(check_led);
}

/* What is too far beside, or too much askew, bumps against the box, and is never in the socket. */
static void check_missed(const char *device, int substeps)
{
    cab_body_def plug = plug_at(0.003, 0.003, 0.2);
    for (int k = 0; k < 3; k++) {
        cab_socket_def socket = socket_of();
        if (k > 0) plug = plug_at(0.003, 0, 0.2);
        if (k == 1) plug.rotation[1] = 0.15; /* 0.3 rad about the axis */
        if (k == 2) socket.capture_angle = 0.1, plug.rotation[2] = 0.08;
        cab_world *world = flight(device, substeps, plug, socket);
        step(world, 30);
        cab_socket_reading r = read_socket(world);
        assert_int_equal(r.phase, CAB_SOCKET_PHASE_OUT);
        at_most(r.depth, 1e-4);
        cab_world_destroy(world);
    }
}

static void what_misses_the_mouth_stays_out(void **state)
{
    (void)state;
    everywhere(check_missed);
}

/* Round ones turn in their sockets. */
static void check_round(const char *device, int substeps)
{
    cab_socket_def socket = socket_of();
    cab_body_def plug = plug_at(0.003, 0, 0.2);
    socket.keyed = false;
    plug.spin = (cab_vec3){3, 0, 0};
    cab_world *world = flight(device, substeps, plug, socket);
    step(world, 60);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_MATED);
    near_to(read_body(world).spin.x, 3,
            2e-3); /* substeps of first order: the square of the turn of one, some hundred times */
    near_to(read_body(world).velocity.x, 0, 1e-3); /* without friction it rattles between latch and stop */
    cab_world_destroy(world);
}

static void a_round_plug_turns(void **state)
{
    (void)state;
    everywhere(check_round);
}

/* At 30 m/s, 25 mm a substep: it does not fly through. */
static void a_fast_plug_is_caught(void **state)
{
    (void)state;
    for (int device = 0; device < 2 && can_run(device); device++) {
        cab_world *world = flight(devices[device], 20, plug_at(0.06, 0, 30), socket_of());
        step(world, 30);
        at_most(read_socket(world).depth, DEPTH + 1e-4);
        cab_world_destroy(world);
    }
}

/* ---- what a latch bears ---- */

/* A plug in a socket over it, with 1 kg on a cable of 10 g below. */
static cab_world *loaded(const char *device, int substeps, double pull_out_force)
{
    cab_scene *scene = body_scene(substeps, 0);
    cab_socket_def socket = socket_of();
    cab_scene_settings(scene)->gravity = (cab_vec3){-G, 0, 0};
    socket.pull_out_force = pull_out_force;
    add_body(scene, plug_at(-DEPTH, 0, 0));
    add_body(scene, box_of(CAB_BODY_FIXED));
    add_socket(scene, socket);
    double end = WALL + DEPTH - 2 * HALF;
    add_straight(scene, "a", (cab_vec3){end, 0, 0}, (cab_vec3){end - 0.2, 0, 0}, 10);
    end_on(scene, "a", (cab_place){0}, "plug", (cab_vec3){-HALF, 0, 0});
    hang_weight(scene, "a", at_end(), 1);
    return take(scene, device, 1);
}

static void check_loaded(const char *device, int substeps)
{
    double weight = (1 + 0.01 + MASS) * G;
    cab_world *world = loaded(device, substeps, 4 * weight); /* it falls through the latch's play at first */
    step(world, 60);
    cab_socket_reading r = read_socket(world);
    assert_int_equal(r.phase, CAB_SOCKET_PHASE_MATED);
    near_to(r.pull, weight,
            1e-4 * weight); /* 1 kg moves by 1e-9 m of rounding in a substep, of 4e-8 s^2 at 80 of them */
    near_to(r.force.x, weight, 1e-4 * weight);
    near_to(r.depth, DEPTH * (1 - 0.002) - 1e-6 * weight, 1e-8); /* its play and compliance; rounding */
    cab_world_destroy(world);
    world = loaded(device, substeps, 0.9 * weight);
    step(world, 30);
    r = read_socket(world);
    assert_int_equal(r.phase, CAB_SOCKET_PHASE_OUT);
    assert_in_range(r.frame, 1, 10);
    assert_true(read_body(world).position.x < 0); /* it has fallen, by 1 m in 0.46 s */
    cab_world_destroy(world);
}

/* Pulled by 6 N/s a latch of 8 N gives way after 4/3 s, at the end of frame 80; 2 ms later for its smoothing. */
static void check_pulled(const char *device, int substeps)
{
    static const cab_keyframe pull[2] = {{0, {0, 0, 0}}, {2, {-12, 0, 0}}};
    cab_scene *scene = body_scene(substeps, 0);
    cab_socket_def socket = socket_of();
    double end = WALL + DEPTH - 2 * HALF;
    socket.pull_out_force = 8;
    add_body(scene, plug_at(-DEPTH, 0, 0));
    add_body(scene, box_of(CAB_BODY_FIXED));
    add_socket(scene, socket);
    add_straight(scene, "a", (cab_vec3){end, 0, 0}, (cab_vec3){end - 0.2, 0, 0}, 10);
    end_on(scene, "a", (cab_place){0}, "plug", (cab_vec3){-HALF, 0, 0});
    cab_load_def load = load_at("a", at_end());
    load.force_keyframes = pull;
    load.force_keyframe_count = 2;
    add_load(scene, load);
    cab_world *world = take(scene, device, 1);
    step(world, 78);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_MATED);
    step(world, 4);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_OUT);
    cab_world_destroy(world);
}

static void a_latch_gives_way(void **state)
{
    (void)state;
    everywhere(check_pulled);
}

static void a_latch_bears_its_load(void **state)
{
    (void)state;
    everywhere(check_loaded);
}

/* ---- two bodies that nothing holds ---- */

/* A plug of 20 g flies into a socket of 100 g, beside its centre: they go on and turn as one. */
static cab_scene *collision(int substeps)
{
    cab_scene *scene = body_scene(substeps, 0);
    cab_socket_def socket = socket_of();
    cab_body_def plug = plug_at(0.003, 0.0105, 0.5);
    const cab_socket_row_def row = {0, 0.05};
    socket.to.point = (cab_vec3){DEPTH, 0.01, 0.005};
    plug.position.z = 0.005;
    socket.friction = &row;
    socket.friction_count = 1;
    add_body(scene, plug);
    add_body(scene, box_of(CAB_BODY_FREE));
    add_socket(scene, socket);
    add_far_cable(scene);
    return scene;
}

static void check_momentum(const char *device, int substeps)
{
    cab_world *world = take(collision(substeps), device, 1);
    sums before = sums_of_bodies(world);
    double energy = before.energy;
    for (int frame = 0; frame < 30; frame++) {
        step(world, 1);
        double now = sums_of_bodies(world).energy;
        at_most(now, energy + 5e-9); /* J, of 5e-4 and more: it only goes; rounding */
        energy = now;
    }
    sums after = sums_of_bodies(world);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_MATED);
    for (int k = 0; k < 3; k++) {
        /* kg m/s, of 1e-2: rounding */
        near_to(after.momentum[k], before.momentum[k], 5e-7);
        near_to(after.turning[k], before.turning[k],
                3e-7); /* kg m^2/s, of 1e-3: the same a tenth of a metre from the origin */
    }
    cab_error error = {0};
    cab_body_reading r[2];
    must(cab_world_read_bodies(world, r, &error), &error);
    /* they swing against each other on the socket's springs a little */
    near_to(r[0].spin.z, r[1].spin.z, 0.01 * fabs(r[1].spin.z));
    near_to(r[0].spin.y, r[1].spin.y, 0.01 * fabs(r[1].spin.y));
    cab_world_destroy(world);
}

static void momentum_stays(void **state)
{
    (void)state;
    everywhere(check_momentum);
}

/* ---- led by a hand ---- */

/* A plug along keyframes, and a box on a slider that its bearing holds with so many N. */
static cab_world *pushed(const char *device, int substeps, const cab_pose_keyframe *hand, int count,
                         double bearing_friction, cab_socket_def socket)
{
    cab_scene *scene = body_scene(substeps, 0);
    cab_body_def plug = plug_at(0.003, 0, 0), box = box_of(CAB_BODY_SLIDER);
    plug.motion = CAB_BODY_KEYFRAMES;
    plug.keyframes = hand;
    plug.keyframe_count = count;
    box.axis = (cab_vec3){1, 0, 0};
    box.bearing_friction = bearing_friction;
    add_body(scene, plug);
    add_body(scene, box);
    add_socket(scene, socket);
    add_far_cable(scene);
    return take(scene, device, 1);
}

/* A hand goes in, waits, and goes back: the box goes along until the latch gives way. */
static cab_world *led(const char *device, int substeps, double pull_out_force)
{
    static const cab_pose_keyframe hand[] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}},
                                             {0.2, {{0.003 + DEPTH, 0, 0}, {1, 0, 0, 0}}},
                                             {0.3, {{0.003 + DEPTH, 0, 0}, {1, 0, 0, 0}}},
                                             {1.2, {{0.003 + DEPTH - 0.09, 0, 0}, {1, 0, 0, 0}}}};
    const cab_socket_row_def row = {0, 0.2};
    cab_socket_def socket = socket_of();
    socket.friction = &row;
    socket.friction_count = 1;
    socket.pull_out_force = pull_out_force;
    socket.compliance = 1e-8; /* so stiff that the box does not swing on it */
    return pushed(device, substeps, hand, COUNT_OF(hand), 0.5, socket); /* N, more than the socket's */
}

static cab_vec3 place_of_box(cab_world *world)
{
    cab_error error = {0};
    cab_body_reading r[2];
    must(cab_world_read_bodies(world, r, &error), &error);
    return r[1].position;
}

static void check_hand(const char *device, int substeps)
{
    cab_world *world = led(device, substeps, INFINITY);
    step(world, 6);
    near_to(read_socket(world).force.x, -0.2, 1e-3); /* friction against going in, to the spring's 1/1000 */
    step(world, 9);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_MATED);
    step(world, 60);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_MATED);
    /* taken along, in the latch's play */
    near_to(place_of_box(world).x, WALL - 0.09 + 0.001 * DEPTH, 0.0011 * DEPTH);
    near_to(read_socket(world).depth, DEPTH * (1 - 0.001), 0.0011 * DEPTH);
    cab_world_destroy(world);
    world = led(device, substeps, 0.4); /* less than the bearing holds */
    step(world, 75);
    assert_int_equal(read_socket(world).phase, CAB_SOCKET_PHASE_OUT);
    /* The bearing brakes the box, and the plug pulls with 0.2 N. Before, the latch has taken it along through its play and for as long as
     * 0.5 N take to be 0.4 N when they are smoothed over 2 ms, or less, as to speed the box up takes 12 N for a substep. */
    double speed = 0.09 / 0.9, braked = speed * speed / 2 / (0.3 / 0.1),
           before = speed * 2e-3 * log(5) + 0.002 * DEPTH;
    at_most(place_of_box(world).x, WALL - braked + speed / 60 / substeps); /* a substep's way */
    at_least(place_of_box(world).x, WALL - braked - before - speed / 60 / substeps);
    cab_world_destroy(world);
}

static void a_hand_plugs_in_and_pulls_out(void **state)
{
    (void)state;
    everywhere(check_hand);
}

/* In, out and in again: the latch, which gave way, catches anew. */
static void a_latch_catches_again(void **state)
{
    static const cab_pose_keyframe hand[] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}},
                                             {0.2, {{0.003 + DEPTH, 0, 0}, {1, 0, 0, 0}}},
                                             {0.3, {{0.003 + DEPTH, 0, 0}, {1, 0, 0, 0}}},
                                             {0.6, {{-0.02, 0, 0}, {1, 0, 0, 0}}},
                                             {1, {{0.003 + DEPTH, 0, 0}, {1, 0, 0, 0}}}};
    static const struct {
        int frame;
        cab_socket_phase phase;
    } seen[] = {{17, CAB_SOCKET_PHASE_MATED}, {30, CAB_SOCKET_PHASE_OUT}, {62, CAB_SOCKET_PHASE_MATED}};
    (void)state;
    cab_socket_def socket = socket_of();
    socket.pull_out_force = 8;
    cab_world *world = pushed("native", 20, hand, COUNT_OF(hand), 500, socket);
    for (int k = 0, frame = 0; k < COUNT_OF(seen); frame = seen[k++].frame) {
        step(world, seen[k].frame - frame);
        assert_int_equal(read_socket(world).phase, seen[k].phase);
    }
    cab_world_destroy(world);
}

/* ---- copies, states, backends ---- */

static cab_scene *two(cab_way way)
{
    cab_scene *scene = body_scene(20, G);
    cab_body_def plug = plug_at(0.003, 0.001, 0.3), box = box_of(CAB_BODY_FREE);
    cab_socket_def socket = socket_of();
    const cab_socket_row_def rows[2] = {{0, 0.01}, {DEPTH, 0.05}};
    (void)way;
    plug.copies[1] = box.copies[1] = 2;
    plug.spacing[1] = box.spacing[1] = 0.5;
    socket.friction = rows;
    socket.friction_count = 2;
    socket.pull_out_force = 3;
    add_body(scene, plug);
    add_body(scene, box);
    add_socket(scene, socket);
    add_straight(scene, "a", (cab_vec3){WALL - 0.003 - 2 * HALF, 0.001, 0}, (cab_vec3){WALL - 0.3, 0.001, 0},
                 10);
    cab_attachment_def on = held_at("a", (cab_place){0});
    on.to = CAB_TARGET_BODY;
    on.target = "plug[0,0,0]";
    on.at_point = true;
    on.point = (cab_vec3){-HALF, 0, 0};
    add_attachment(scene, on);
    hold(scene, "a", at_end(), false);
    return scene;
}

static void copies_have_their_sockets(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_socket_info info[3];
    cab_socket_reading r[2];
    cab_world *world = take(two(CAB_WAY_STAGED), "native", 1);
    assert_int_equal(cab_world_get_sockets(world, info, 3), 2);
    assert_string_equal(info[1].name, "X1[1]");
    assert_int_equal(info[1].plug, 1);
    assert_int_equal(info[1].to, 3);
    step(world, 8);
    must(cab_world_read_sockets(world, r, &error), &error);
    assert_int_equal(r[1].phase, CAB_SOCKET_PHASE_MATED); /* both fall freely */
    cab_world_destroy(world);
}

static void same_sockets(cab_world *a, cab_world *b)
{
    cab_error error = {0};
    cab_socket_reading x[2], y[2];
    memset(x, 0, sizeof x), memset(y, 0, sizeof y);
    must(cab_world_read_sockets(a, x, &error), &error);
    must(cab_world_read_sockets(b, y, &error), &error);
    assert_memory_equal(x, y, sizeof x);
}

static void backends_agree(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    cab_world *native = take(two(CAB_WAY_STAGED), "native", 2),
              *opencl = take(two(CAB_WAY_STAGED), "opencl", 1);
    for (int k = 0; k < 4; k++) {
        step(native, 8);
        step(opencl, 8);
        same_motion(native, opencl, "after the same frames");
        same_sockets(native, opencl);
    }
    cab_world_destroy(native);
    cab_world_destroy(opencl);
}

static void states_go_on(void **state)
{
    (void)state;
    state_goes_on(two, CAB_WAY_STAGED, 3, "sockets-in.clstate"); /* on its way in */
    state_goes_on(two, CAB_WAY_STAGED, 12, "sockets-home.clstate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_brakes_a_plug),
        cmocka_unit_test(friction_goes_by_the_profile),
        cmocka_unit_test(a_weight_stays_or_goes_in),
        cmocka_unit_test(a_plug_is_led_home),
        cmocka_unit_test(what_misses_the_mouth_stays_out),
        cmocka_unit_test(a_round_plug_turns),
        cmocka_unit_test(a_fast_plug_is_caught),
        cmocka_unit_test(a_latch_bears_its_load),
        cmocka_unit_test(a_latch_gives_way),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(a_hand_plugs_in_and_pulls_out),
        cmocka_unit_test(a_latch_catches_again),
        cmocka_unit_test(copies_have_their_sockets),
        cmocka_unit_test(backends_agree),
        cmocka_unit_test(states_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

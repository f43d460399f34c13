/* Rigid bodies touch colliders and each other: known answers of mechanics at two resolutions and on both backends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bodies.h"

static const cab_body_shape_def ball = {.kind = CAB_BODY_SPHERE, .radius = 0.1, .rotation = {1, 0, 0, 0}};
static const cab_body_shape_def cube = {
    .kind = CAB_BODY_BOX, .half_extents = {0.1, 0.1, 0.1}, .rotation = {1, 0, 0, 0}};
static const cab_body_shape_def can = {.kind = CAB_BODY_CYLINDER,
                                       .center = {0, 0, -0.1},
                                       .to = {0, 0, 0.1},
                                       .radius = 0.1,
                                       .rotation = {1, 0, 0, 0}};

static cab_body_def of_shape(const char *name, const cab_body_shape_def *shape, cab_vec3 position)
{
    cab_body_def def = block_at(name, position);
    def.shapes = shape;
    return def;
}

static void read_all(cab_world *world, cab_body_reading *readings)
{
    cab_error error = {0};
    must(cab_world_read_bodies(world, readings, &error), &error);
}

static cab_vec3 force_on(cab_world *world, int body)
{
    cab_error error = {0};
    cab_vec3 forces[8];
    must(cab_world_read_body_contacts(world, forces, &error), &error);
    return forces[body];
}

/* Kinetic and potential energy of the only body: the taut cable out of the way has some of its own, which is not asked for here. */
static double energy_of(cab_world *world)
{
    cab_body_reading r = read_body(world);
    sums s = sums_of_bodies(world);
    const double x[3] = {r.center.x, r.center.y, r.center.z}, w[3] = {r.spin.x, r.spin.y, r.spin.z};
    double lever[3], sum = 2 * G * r.center.z;
    cross(x, s.momentum, lever);
    for (int k = 0; k < 3; k++)
        sum += s.momentum[k] * s.momentum[k] / (2 * 2) + w[k] * (s.turning[k] - lever[k]) / 2;
    return sum;
}

/* Runs a test at 20 and 80 substeps natively, and at 20 on OpenCL. */
static void everywhere(void (*check)(const char *device, int substeps))
{
    check("native", 20);
    check("native", 80);
    if (have_opencl())
        check("opencl", 20); /* the same bytes, as backends_agree asks: one resolution is enough */
}

/* A plane through the origin that is tilted about y, downhill towards +x. */
static void add_slope(cab_scene *scene, double angle, double friction)
{
    cab_collider_def plane = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0});
    plane.normal = (cab_vec3){sin(angle), 0, cos(angle)};
    plane.friction = friction;
    add_collider(scene, plane);
}

/* A body whose middle is so high above the slope, turned along with it. */
static cab_body_def on_slope(const cab_body_shape_def *shape, double height, double angle, double friction)
{
    cab_body_def def = of_shape("b", shape, (cab_vec3){height * sin(angle), 0, height * cos(angle)});
    def.rotation[0] = cos(angle / 2);
    def.rotation[2] = sin(angle / 2);
    def.friction = friction;
    return def;
}

/* ---- on a plane ---- */

/* It stays where it is, overlaps by less than 0.1 mm, and the floor bears its weight. The force is told to 1e-3: a pass tells it to the reciprocal
 * of the spring's stiffness over the mass; and to what a place is rounded to, two of a float's last places at 0.1 m, 1.5e-8 m of g h^2. */
static void rests(const char *device, int substeps)
{
    const cab_body_shape_def *shapes[] = {&block, &ball, &can};
    const double height[] = {0.02, 0.1, 0.1};
    for (int k = 0; k < 3; k++) {
        cab_scene *scene = body_scene(substeps, G);
        add_far_cable(scene);
        add_floor(scene, 0);
        add_body(scene, of_shape("b", shapes[k], (cab_vec3){0, 0, height[k]}));
        cab_world *world = take(scene, device, 1);
        step(world, 60);
        cab_body_reading r = read_body(world);
        near_to(r.center.x, 0, 1e-6);
        near_to(r.center.y, 0, 1e-6);
        near_to(r.center.z, height[k], 1e-6);
        double h = 1.0 / 60 / substeps;
        near_to(force_on(world, 0).z, 2 * G, 2 * G * (1e-3 + 1.5e-8 / (G * h * h)));
        cab_world_destroy(world);
    }
}

static void a_box_rests_on_a_plane(void **state)
{
    (void)state;
    everywhere(rests);
}

#define MU 0.3

/* At 0.9 of what friction holds it stays; what sticks gives way at 10^-5 m/s at most. At 1.1 it slides by g (sin - mu cos), within 2 %: the difference
 * of two numbers ten times as large. */
static void slides_or_not(const char *device, int substeps)
{
    for (int slides = 0; slides < 2; slides++) {
        double angle = atan((slides ? 1.1 : 0.9) * MU), a = G * (sin(angle) - MU * cos(angle));
        cab_scene *scene = body_scene(substeps, G);
        add_far_cable(scene);
        add_slope(scene, angle, MU);
        add_body(scene, on_slope(&block, 0.02, angle, MU));
        cab_world *world = take(scene, device, 1);
        step(world, 60);
        cab_body_reading r = read_body(world);
        double way = r.center.x * cos(angle) - r.center.z * sin(angle);
        if (slides) near_to(way, a / 2, 0.02 * a / 2);
        if (!slides) near_to(way, 0, 1.5e-5);
        near_to(r.center.x * sin(angle) + r.center.z * cos(angle), 0.02, 1e-5);
        cab_world_destroy(world);
    }
}

static void a_box_slides_on_an_incline_or_not(void **state)
{
    (void)state;
    everywhere(slides_or_not);
}

/* 5/7 g sin without slip; the first substep is of first order: h/2 of 1 s. */
static void rolls(const char *device, int substeps)
{
    double angle = 0.3, a = 5.0 / 7 * G * sin(angle);
    cab_scene *scene = body_scene(substeps, G);
    add_far_cable(scene);
    add_slope(scene, angle, MU);
    add_body(scene, on_slope(&ball, 0.1, angle, MU));
    cab_world *world = take(scene, device, 1);
    step(world, 60);
    cab_body_reading r = read_body(world);
    double way = r.center.x * cos(angle) - r.center.z * sin(angle);
    double speed = sqrt(r.velocity.x * r.velocity.x + r.velocity.z * r.velocity.z);
    near_to(way, a / 2, 3e-3 * a / 2);
    near_to(speed, a, 3e-3 * a);
    near_to(r.spin.y * 0.1, speed, 1e-3 * speed);
    cab_world_destroy(world);
}

static void a_ball_rolls_down(void **state)
{
    (void)state;
    everywhere(rolls);
}

/* A slope so rough that nothing slides: a cube tips over its lower edge where the slope is steeper than 45 degrees. */
static void tips(const char *device, int substeps)
{
    for (int over = 0; over < 2; over++) {
        double angle = (over ? 48 : 42) * PI / 180;
        cab_scene *scene = body_scene(substeps, G);
        add_far_cable(scene);
        add_slope(scene, angle, 3);
        add_body(scene, on_slope(&cube, 0.1, angle, 3));
        cab_world *world = take(scene, device, 1);
        step(world, 40);
        cab_body_reading r = read_body(world);
        double turned = 2 * atan2(r.rotation[2], r.rotation[0]) - angle;
        if (over) at_least(turned, 0.5);
        if (!over) near_to(turned, 0, 1e-4);
        cab_world_destroy(world);
    }
}

static void a_box_tips_over_its_edge_or_not(void **state)
{
    (void)state;
    everywhere(tips);
}

/* A tumbling box that falls on a plane: energy never grows by more than a thousandth of what there was, and at last it rests. */
static void tumbles(const char *device, int substeps)
{
    cab_scene *scene = body_scene(substeps, G);
    add_far_cable(scene);
    add_floor(scene, 0);
    cab_body_def def = of_shape("b", &block, (cab_vec3){0, 0, 0.5});
    def.rotation[1] = 0.3;
    def.rotation[2] = 0.2;
    def.spin = (cab_vec3){3, -2, 5};
    add_body(scene, def);
    cab_world *world = take(scene, device, 1);
    double all = energy_of(world), before = all;
    for (int frame = 0; frame < 60; frame++) {
        step(world, 1);
        double now = energy_of(world);
        at_most(now - before, 1e-3 * all);
        before = now;
    }
    near_to(read_body(world).center.z, 0.02, 1e-4);
    at_most(energy_of(world) - 2 * G * 0.02, 1e-3);
    cab_world_destroy(world);
}

static void a_tumbling_box_comes_to_rest(void **state)
{
    (void)state;
    everywhere(tumbles);
}

/* ---- fast ---- */

/* At 30 m/s, 25 mm in a substep, against a plane and against a plate of 5 mm. */
static void stopped(const char *device, int substeps)
{
    const cab_body_shape_def *shapes[] = {&block, &ball, &can};
    for (int k = 0; k < 6; k++) {
        cab_scene *scene = body_scene(substeps, G);
        cab_collider_def plate = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 0, -0.0025});
        plate.half_extents = (cab_vec3){1, 1, 0.0025};
        add_far_cable(scene);
        if (k < 3) add_floor(scene, 0);
        if (k >= 3) add_collider(scene, plate);
        cab_body_def def = of_shape("b", shapes[k % 3], (cab_vec3){0.01, 0.02, 1.013});
        def.velocity = (cab_vec3){0, 0, -30};
        def.spin = (cab_vec3){2, 3, 1};
        add_body(scene, def);
        cab_world *world = take(scene, device, 1);
        double all = energy_of(world);
        for (int frame = 0; frame < 12; frame++) {
            step(world, 1);
            at_least(read_body(world).center.z, 0.015);
            at_most(energy_of(world), all * (1 + 1e-4));
        }
        cab_world_destroy(world);
    }
}

static void fast_bodies_do_not_get_through(void **state)
{
    (void)state;
    everywhere(stopped);
}

/* ---- with each other ---- */

/* 2 kg at 2 m/s and 1 kg at -1 m/s along a line: both at 1 m/s then, to rounding. */
static void collides(const char *device, int substeps)
{
    cab_scene *scene = body_scene(substeps, 0);
    add_far_cable(scene);
    cab_body_def def = of_shape("a", &ball, (cab_vec3){-0.5, 0, 0});
    def.velocity = (cab_vec3){2, 0, 0};
    add_body(scene, def);
    def = of_shape("b", &ball, (cab_vec3){0.5, 0, 0});
    def.velocity = (cab_vec3){-1, 0, 0};
    def.mass = 1;
    add_body(scene, def);
    cab_world *world = take(scene, device, 1);
    double before = measure(world).kinetic;
    for (int frame = 0; frame < 30; frame++) {
        cab_body_reading r[2];
        step(world, 1);
        read_all(world, r);
        near_to(2 * r[0].velocity.x + r[1].velocity.x, 3, 2e-5); /* floats, 600 substeps */
        at_most(measure(world).kinetic, before * (1 + 1e-6));
        before = measure(world).kinetic;
    }
    near_to(before, 1.5, 1e-3);
    cab_world_destroy(world);
}

static void two_balls_collide(void **state)
{
    (void)state;
    everywhere(collides);
}

/* Two boxes that hit each other askew, spinning, in the air: momentum stays, to rounding. Turning momentum does as far as
 * a substep is short: velocities change over its whole way, of up to 4 mm, so that 10 kg m/s have some 1 mm of lever at 20 substeps, and a
 * quarter of it at 80. Energy does not grow. */
static void askew(const char *device, int substeps)
{
    cab_scene *scene = body_scene(substeps, 0);
    add_far_cable(scene);
    cab_body_def def = of_shape("a", &block, (cab_vec3){-0.3, 0.01, 0.02});
    def.velocity = (cab_vec3){3, 0, 0.2};
    def.spin = (cab_vec3){1, 2, 3};
    add_body(scene, def);
    def = of_shape("b", &block, (cab_vec3){0.3, 0, 0});
    def.velocity = (cab_vec3){-2, 0.3, 0};
    def.spin = (cab_vec3){-2, 1, 4};
    add_body(scene, def);
    cab_world *world = take(scene, device, 1);
    double energy = measure(world).kinetic;
    sums begin = sums_of_bodies(world);
    step(world, 20);
    sums end = sums_of_bodies(world);
    for (int k = 0; k < 3; k++) {
        near_to(end.momentum[k], begin.momentum[k], 2e-4);
        near_to(end.turning[k], begin.turning[k], 1e-2 * 20 / substeps);
    }
    at_most(measure(world).kinetic, energy * (1 + 1e-5));
    at_most(measure(world).kinetic, 0.9 * energy); /* they have met */
    cab_world_destroy(world);
}

static void boxes_collide_askew(void **state)
{
    (void)state;
    everywhere(askew);
}

/* Three boxes, each a little off the one below, stand; the floor bears all, the lowest contact between two of them two. */
static void stands(const char *device, int substeps)
{
    const cab_body_shape_def *shapes[] = {&cube, &can};
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = body_scene(substeps, G);
        add_far_cable(scene);
        add_floor(scene, 0);
        const char *names[] = {"a", "b", "c"};
        for (int i = 0; i < 3; i++)
            add_body(scene, of_shape(names[i], shapes[k], (cab_vec3){0.01 * i, 0, 0.1 + 0.2 * i}));
        cab_world *world = take(scene, device, 1);
        step(world, 60);
        cab_body_reading r[3];
        read_all(world, r);
        for (int i = 0; i < 3; i++) {
            near_to(r[i].center.x, 0.01 * i, 2e-5);
            near_to(r[i].center.z, 0.1 + 0.2 * i, 2e-5);
            double h = 1.0 / 60 / substeps; /* a float's last place at 0.5 m is 6e-8 m of g h^2 */
            near_to(force_on(world, i).z, 2 * G,
                    2 * G * (0.002 + 6e-8 / (G * h * h))); /* of each what it weighs; a force of a substep */
        }
        cab_world_destroy(world);
    }
}

static void a_stack_stands(void **state)
{
    (void)state;
    everywhere(stands);
}

/* ---- with cables ---- */

/* A box of 2 kg on a rope that hangs a little out of plumb is let down on a floor: in the end the floor bears all of it. */
static void let_down(const char *device, int substeps)
{
    cab_scene *scene = body_scene(substeps, G);
    add_floor(scene, 0);
    add_straight(scene, "rope", (cab_vec3){0.02, 0, 1}, (cab_vec3){0, 0, 0.24}, 12);
    add_body(scene, of_shape("b", &cube, (cab_vec3){0, 0, 0.14}));
    end_on(scene, "rope", at_end(), "b", (cab_vec3){0, 0, 0.1});
    static const cab_keyframe way[] = {{.t = 0, .position = {0.02, 0, 1}},
                                       {.t = 0.5, .position = {0.02, 0, 0.95}}};
    cab_attachment_def held = held_at("rope", (cab_place){0});
    held.to = CAB_TARGET_KEYFRAMES;
    held.keyframes = way;
    held.keyframe_count = 2;
    add_attachment(scene, held);
    cab_world *world = take(scene, device, 1);
    step(world, 6);
    near_to(force_on(world, 0).z, 0, 1e-9);
    step(world, 60);
    near_to(read_body(world).center.z, 0.1, 1e-5);
    double mean = 0;
    for (int frame = 0; frame < 30; frame++) {
        step(world, 1);
        mean += force_on(world, 0).z / 30;
    }
    /* The rope bears nothing of it. With its 1 cm too much it stands on the box, bent over l = (EI/w)^(1/3) = 6 cm: by no more than
     * EI (2 pi/l)^2 = 1.1 N. */
    at_least(mean, 2 * G);
    at_most(mean, 2 * G + 1.1);
    cab_world_destroy(world);
}

static void a_box_is_let_down(void **state)
{
    (void)state;
    everywhere(let_down);
}

/* A ball on a cable swings against a wall that it would hang at: it gets there with what its height gives, and hangs there without its
 * energy. The cable, of 1 % of its weight, sways a little: 1 %. */
static void swings(const char *device, int substeps)
{
    double length = 0.5, angle = 0.6, fall = length * (1 - cos(angle));
    cab_scene *scene = body_scene(substeps, G);
    cab_collider_def wall = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0.1, 0, 0});
    wall.normal = (cab_vec3){-1, 0, 0};
    wall.friction = 0;
    add_collider(scene, wall);
    cab_vec3 end = {-length * sin(angle), 0, length * (1 - cos(angle))};
    add_straight(scene, "a", (cab_vec3){0, 0, length}, end, 10);
    hold(scene, "a", (cab_place){0}, false);
    add_body(scene, of_shape("b", &ball, end));
    end_on(scene, "a", at_end(), "b", (cab_vec3){0, 0, 0});
    cab_world *world = take(scene, device, 1);
    double fastest = 0;
    for (int frame = 0; frame < 60; frame++) {
        step(world, 1);
        cab_body_reading r = read_body(world);
        fastest = fmax(fastest, r.velocity.x);
        at_most(r.center.x, 1e-5);
    }
    /* the last frame before the blow may end 1/60 s before it: g cos/l of it are 5 % of the speed at the most */
    at_most(fastest, 1.01 * sqrt(2 * G * fall));
    at_least(fastest, 0.94 * sqrt(2 * G * fall));
    near_to(read_body(world).center.x, 0,
            5e-3); /* the cable that sways draws it off by 3 mm, 10^-4 of the energy */
    at_most(energy_of(world), 0.03 * 2 * G * fall);
    cab_world_destroy(world);
}

static void a_weight_swings_against_a_wall(void **state)
{
    (void)state;
    everywhere(swings);
}

/* A block lies with one end on the floor and near the other one on a taut rope across: the floor bears the lever's part of it. The rope goes on
 * trembling by some per cent of what it bears, so it is the mean of 30 frames. */
static void leans(const char *device, int substeps)
{
    cab_scene *scene = body_scene(substeps, G);
    add_floor(scene, 0);
    double rope = 0.06, tilt = 0.2;
    cab_body_def def = block_at("b", (cab_vec3){0, 0, 0});
    def.damping = 2;
    def.friction = 0.8;
    def.position = (cab_vec3){0, 0, 0.1 * sin(tilt) + 0.02 * cos(tilt) + 1e-4};
    def.rotation[0] = cos(tilt / 2);
    def.rotation[2] = -sin(tilt / 2);
    double under = def.position.z - 0.02 / cos(tilt) + rope * tan(tilt) - 0.0025;
    add_straight(scene, "a", (cab_vec3){rope, -0.2, under}, (cab_vec3){rope, 0.2, under}, 10);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    add_body(scene, def);
    cab_world *world = take(scene, device, 1);
    step(world, 60);
    double floor = 0;
    for (int frame = 0; frame < 30; frame++) {
        step(world, 1);
        floor += force_on(world, 0).z / 30;
    }
    cab_body_reading r = read_body(world);
    double turned = -2 * atan2(r.rotation[2], r.rotation[0]);
    double foot = r.center.x - 0.1 * cos(turned) + 0.02 * sin(turned);
    double expected = 2 * G * (rope - r.center.x) / (rope - foot);
    near_to(floor, expected, 0.05 * 2 * G);
    at_least(turned, 0.05);
    cab_world_destroy(world);
}

static void a_block_lies_on_a_rope_and_a_floor(void **state)
{
    (void)state;
    everywhere(leans);
}

/* ---- who does not ---- */

/* What overlaps at the start never touches: a wheel's hub on its post turns freely. What is told not to collide falls through. */
static void what_overlaps_does_not_touch(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = body_scene(20, G);
        add_far_cable(scene);
        cab_collider_def post = shape_at(CAB_SHAPE_BOX, (cab_vec3){0, 0, 0});
        post.half_extents = (cab_vec3){0.02, 0.02, 0.5};
        add_collider(scene, post);
        add_floor(scene, -1);
        cab_body_def def = of_shape("b", &can, (cab_vec3){0, 0, 0});
        if (k % 2) {
            def.position.x = 1;
            def.collide = false;
        } else {
            def.motion = CAB_BODY_HINGE;
            def.axis = (cab_vec3){0, 0, 1};
            def.spin = (cab_vec3){0, 0, 5};
        }
        add_body(scene, def);
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, 60);
        cab_body_reading r = read_body(world);
        if (k % 2) near_to(r.center.z, -G / 2, 1e-2);
        if (k % 2 == 0) near_to(r.spin.z, 5, 1e-3);
        cab_world_destroy(world);
    }
}

static cab_scene *heap(cab_way way)
{
    cab_scene *scene = body_scene(20, G);
    cab_scene_settings(scene)->way = way;
    add_far_cable(scene);
    add_floor(scene, 0);
    const cab_body_shape_def *shapes[] = {&block, &ball, &can, &cube};
    const char *names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        cab_body_def def =
            of_shape(names[i], shapes[i], (cab_vec3){0.03 * i, 0.02 * (i % 2), 0.1 + 0.25 * i});
        def.rotation[1] = 0.2 * i;
        add_body(scene, def);
    }
    return scene;
}

static void backends_agree(void **state)
{
    (void)state;
    backends_move_bodies_alike(heap, 24);
}

static void states_go_on(void **state)
{
    (void)state;
    state_goes_on(heap, CAB_WAY_STAGED, 20, "bumps.clstate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_rests_on_a_plane),
        cmocka_unit_test(a_box_slides_on_an_incline_or_not),
        cmocka_unit_test(a_ball_rolls_down),
        cmocka_unit_test(a_box_tips_over_its_edge_or_not),
        cmocka_unit_test(a_tumbling_box_comes_to_rest),
        cmocka_unit_test(fast_bodies_do_not_get_through),
        cmocka_unit_test(two_balls_collide),
        cmocka_unit_test(boxes_collide_askew),
        cmocka_unit_test(a_stack_stands),
        cmocka_unit_test(a_box_is_let_down),
        cmocka_unit_test(a_weight_swings_against_a_wall),
        cmocka_unit_test(a_block_lies_on_a_rope_and_a_floor),
        cmocka_unit_test(what_overlaps_does_not_touch),
        cmocka_unit_test(backends_agree),
        cmocka_unit_test(states_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

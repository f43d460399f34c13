/* Rigid bodies on which cables end: known answers of mechanics at two resolutions and on both backends, momentum, bearings, states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bodies.h"

/* ---- bearings ---- */

/* The time, s, at which the angle about an axis changes its sign for the n-th time, by the straight line between two frames. */
static double crossing(cab_world *world, int axis, double offset, int n)
{
    double rate = 60, before = 0;
    for (int frame = 0; frame < 2000; frame++) {
        cab_body_reading r = read_body(world);
        double angle = turned_about(&r, axis) - offset;
        if (frame > 0 && angle * before < 0 && --n == 0)
            return (frame - 1 + before / (before - angle)) / rate;
        before = angle;
        step(world, 1);
    }
    fail_msg("it does not swing");
    return 0;
}

#define SWING 0.1 /* rad */

/* A block on a hinge at one end, let go SWING off the plumb line: T = 2 pi sqrt(J/(m g d)) (1 + SWING^2/16). Over 2.25 periods the
 * straight lines between frames err by less than 1e-5 of it, BDF2 at omega h = 0.01 by omega^2 h^2/3 of the period and less. */
static void a_block_swings_on_its_hinge(void **state)
{
    (void)state;
    double d = 0.1, period = 2 * PI * sqrt((inertia[1] + 2 * d * d) / (2 * G * d)) * (1 + SWING * SWING / 16);
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = body_scene(k % 2 ? 40 : 10, G);
        add_far_cable(scene);
        cab_body_def def = block_at("b", (cab_vec3){d * sin(SWING), 0, -d * cos(SWING)});
        double half = PI / 4 - SWING / 2; /* its long axis, x, hangs down */
        def.rotation[0] = cos(half);
        def.rotation[2] = sin(half);
        def.motion = CAB_BODY_HINGE;
        def.axis = (cab_vec3){0, 1, 0};
        add_body(scene, def);
        cab_world *world = take(scene, devices[k / 2], 1);
        near_to(crossing(world, 1, PI / 2, 5) / 2.25, period, (k % 2 ? 2e-4 : 6e-4) * period);
        cab_world_destroy(world);
    }
}

/* Friction holds 0.98 of what it can, and the block does not move; at 1/0.95 of that it falls as the rest of the torque makes it. */
static void friction_of_a_hinge_holds_or_slides(void **state)
{
    (void)state;
    double d = 0.1, torque = 2 * G * d, J = inertia[1] + 2 * d * d, t = 0.1;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        bool holds = k % 2;
        cab_scene *scene = body_scene(20, G);
        add_far_cable(scene);
        cab_body_def def = block_at("b", (cab_vec3){d, 0, 0});
        def.motion = CAB_BODY_HINGE;
        def.axis = (cab_vec3){0, 1, 0};
        def.bearing_friction = holds ? torque / 0.98 : 0.95 * torque;
        add_body(scene, def);
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, holds ? 120 : 6);
        cab_body_reading r = read_body(world);
        /* held: the first substep moves it by a hundredth of a free fall, 5e-7. Sliding: the arm gets shorter by 1.6e-4, of which the
         * rest of the torque loses twenty times as much, and the first substep is of first order, h/2 of 0.1 s */
        double rest = 0.05 * torque / J * t * t / 2;
        if (holds) at_most(fabs(turned_about(&r, 1)), 1e-6);
        if (!holds) near_to(turned_about(&r, 1), rest, 0.02 * rest);
        cab_world_destroy(world);
    }
}

/* A motor of 0.05 N m gets to 3 rad/s in J 3/0.05 s, and keeps to it: against a load, too, that is below what it gives. */
static void a_motor_keeps_its_speed(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = body_scene(20, 0);
        add_far_cable(scene);
        cab_body_def def = block_at("b", (cab_vec3){0, 0, 0});
        def.motion = CAB_BODY_HINGE;
        def.axis = (cab_vec3){0, 2, 0};
        def.motor_speed = 3;
        def.motor_most = 0.05;
        def.bearing_friction = 0.04;
        add_body(scene, def);
        cab_world *world = take(scene, devices[k], 1);
        step(world, 15); /* 0.25 s; 0.01 N m are left over friction, which slides */
        cab_body_reading r = read_body(world);
        near_to(r.spin.y, 0.01 / inertia[1] * 0.25, 0.01 * 0.01 / inertia[1] * 0.25);
        step(world, 180);
        r = read_body(world);
        near_to(r.spin.y, 3,
                3e-5); /* floats: 1.5e-10 of 0.0025 rad in a substep, over four places of 0.1 m */
        near_to(r.spin.x, 0, 1e-5);
        cab_world_destroy(world);
    }
}

/* It falls along its axis as on an incline without friction, and does not turn. */
static void a_slider_slides(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = body_scene(20, G);
        add_far_cable(scene);
        cab_body_def def = block_at("b", (cab_vec3){0, 0, 0});
        def.motion = CAB_BODY_SLIDER;
        def.axis = (cab_vec3){1, 0, -1};
        def.bearing_friction = 2;
        add_body(scene, def);
        cab_world *world = take(scene, devices[k], 1);
        step(world, 60);
        cab_body_reading r = read_body(world);
        double a = G * sqrt(0.5) - 1,
               way = a / 2 * sqrt(0.5); /* the first substep is of first order: h/2 of 1 s */
        near_to(r.center.x, way, 1.2e-3 * way);
        near_to(r.center.z, -way, 1.2e-3 * way);
        near_to(r.center.y, 0, 1e-6);
        near_to(fabs(r.rotation[0]), 1, 1e-7);
        cab_world_destroy(world);
    }
}

/* ---- free motion ---- */

/* Euler's equations, and the body's axes e_k' = w x e_k: state 0 to 2: w in the body's axes, then the axes. */
static void top_rates(const double s[12], double rate[12])
{
    double w[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        rate[k] = (inertia[i] - inertia[j]) * s[i] * s[j] / inertia[k];
        for (int n = 0; n < 3; n++) w[n] += s[k] * s[3 + 3 * k + n];
    }
    for (int k = 0; k < 3; k++) cross(w, s + 3 + 3 * k, rate + 3 + 3 * k);
}

/* Runge and Kutta's method, 1e-5 s a step: far below what is asked. */
static void turn_top(double s[12], double time)
{
    int steps = (int)(time * 1e5 + 0.5);
    double h = time / steps, k[4][12], at[12];
    for (int n = 0; n < steps; n++) {
        for (int stage = 0; stage < 4; stage++) {
            double by = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            for (int i = 0; i < 12; i++) at[i] = s[i] + (stage ? by * k[stage - 1][i] : 0);
            top_rates(at, k[stage]);
        }
        for (int i = 0; i < 12; i++) s[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* How far the tip of the body's longest axis, 1 m along it, is from where it should be. */
static double top_error(const char *device, int substeps, double time, const double exact[12])
{
    cab_scene *scene = body_scene(substeps, 0);
    add_far_cable(scene);
    cab_body_def def = block_at("b", (cab_vec3){0, 0, 0});
    def.spin = (cab_vec3){1, 4, 1};
    add_body(scene, def);
    cab_world *world = take(scene, device, 1);
    step(world, (int)(time * 60 + 0.5));
    cab_body_reading r = read_body(world);
    const double w = r.rotation[0], x = r.rotation[1], y = r.rotation[2], z = r.rotation[3];
    const double tip[3] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    cab_world_destroy(world);
    return distance3(tip, exact + 3);
}

/* A block that spins about its middle axis tumbles (L. Poinsot). Errors fall as h^2, until rounding is more, which tumbling magnifies. */
static void a_free_block_tumbles(void **state)
{
    (void)state;
    double exact[12] = {1, 4, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1}, time = 2;
    turn_top(exact, time);
    at_most(exact[1], -1); /* it has turned over */
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        double coarse = top_error(devices[k], 1, time, exact), fine = top_error(devices[k], 5, time, exact);
        at_most(coarse, 0.1);
        at_most(fine, coarse / 16); /* of second order it is a twenty-fifth */
    }
}

/* ---- cables on bodies ---- */

/* A plug of 50 g on two cables, all of it free: it spins, and winds them up. */
static cab_scene *plug_scene(cab_way way, int substeps, int segments)
{
    cab_scene *scene = body_scene(substeps, 0);
    cab_scene_settings(scene)->way = way;
    cab_body_def def = block_at("plug", (cab_vec3){0, 0, 0});
    static const cab_body_shape_def small = {
        .kind = CAB_BODY_BOX, .half_extents = {0.02, 0.01, 0.01}, .rotation = {1, 0, 0, 0}};
    def.shapes = &small;
    def.mass = 0.05;
    def.spin = (cab_vec3){1, 2, 8};
    def.velocity = (cab_vec3){0.1, -0.2, 0.3};
    add_body(scene, def);
    add_straight(scene, "a", (cab_vec3){0.02, 0, 0}, (cab_vec3){0.42, 0, 0}, segments);
    add_straight(scene, "b", (cab_vec3){-0.02, 0.01, 0}, (cab_vec3){-0.42, 0.01, 0}, segments);
    end_on(scene, "a", (cab_place){0}, "plug", (cab_vec3){0.02, 0, 0});
    end_on(scene, "b", (cab_place){0}, "plug", (cab_vec3){-0.02, 0.01, 0});
    return scene;
}

/* Linear momentum to rounding, angular momentum to 1e-4 of what is exchanged, and no energy comes from anywhere. */
static void a_plug_and_its_cables_keep_their_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        int segments = k % 2 ? 24 : 12;
        cab_world *world = take(plug_scene(CAB_WAY_STAGED, k % 2 ? 40 : 20, segments), devices[k / 2], 1);
        step(world, 1);
        sums before = sums_of(world, segments, 0.05), most = before;
        for (int frame = 0; frame < 119; frame++) {
            step(world, 1);
            sums now = sums_of(world, segments, 0.05);
            at_most(now.energy, most.energy * (1 + 1e-4));
            for (int n = 0; n < 3; n++) {
                near_to(now.momentum[n], before.momentum[n], 1e-6);
                near_to(now.turning[n], before.turning[n], 4e-6);
            }
        }
        cab_world_destroy(world);
    }
}

/* A ball of 10 kg on a cable of a gram: the slow mode of the double pendulum of the cable's angle p and the ball's t,
 *
 *   (l g - s l^2) p - s l b t = 0      s = omega^2, b from where it hangs to its centre,
 *   -s l b p + (g b - s (b^2 + k^2)) t = 0      k^2 = 2/5 r^2
 *
 * begun at rest in that mode, so that it crosses the plumb line every half period. 1e-3: amplitude (1/16 of 0.05^2), straight lines
 * between frames, and h^2. */
static void a_heavy_ball_swings_on_a_light_cable(void **state)
{
    (void)state;
    double l = 1, b = 0.1, r = 0.1, k2 = 0.4 * r * r;
    /* l^2 k^2 s^2 - (l g (b^2 + k^2) + l^2 g b) s + l g^2 b = 0 */
    double p = l * l * k2, q = l * G * (b * b + k2) + l * l * G * b, c = l * G * G * b;
    double s = (q - sqrt(q * q - 4 * p * c)) / (2 * p), ratio = (l * G - s * l * l) / (s * l * b);
    double cable = 0.05, ball = ratio * cable, period = 2 * PI / sqrt(s);
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = body_scene(k % 2 ? 40 : 20, G);
        cab_material_def light = wire_of("light", 0.001, 0);
        light.linear_density = 1e-3;
        add_material(scene, light);
        cab_vec3 hook = {l * sin(cable), 0, -l * cos(cable)};
        const cab_body_shape_def sphere = {.kind = CAB_BODY_SPHERE, .radius = r};
        cab_body_def def = block_at("b", (cab_vec3){hook.x + b * sin(ball), 0, hook.z - b * cos(ball)});
        def.rotation[0] = cos(ball / 2);
        def.rotation[2] = -sin(ball / 2);
        def.shapes = &sphere;
        def.mass = 10;
        add_body(scene, def);
        add_cable(scene, straight_of("a", "light", (const cab_vec3[2]){{0, 0, 0}, hook}, k % 2 ? 32 : 16));
        hold(scene, "a", (cab_place){0}, false);
        end_on(scene, "a", at_end(), "b", (cab_vec3){0, 0, b});
        cab_world *world = take(scene, devices[k / 2], 1);
        near_to(crossing(world, 1, 0, 4) / 1.75, period, 1e-3 * period);
        at_most(measure(world).stretch_worst, 1e-5);
        cab_world_destroy(world);
    }
}

/* A bar on two cables of length l, a to each side of its middle, turned a little: omega^2 = m g a^2/(I l). */
static void a_bar_turns_on_two_cables(void **state)
{
    (void)state;
    double l = 0.8, a = 0.08, period = 2 * PI / sqrt(2 * G * a * a / (inertia[2] * l)), turn = 0.05;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = body_scene(k % 2 ? 40 : 20, G);
        cab_material_def light = wire_of("light", 0.001, 0);
        light.linear_density = 1e-3;
        add_material(scene, light);
        double lifted = sqrt(l * l - pow(2 * a * sin(turn / 2), 2));
        cab_body_def def = block_at("b", (cab_vec3){0, 0, -lifted});
        def.rotation[0] = cos(turn / 2);
        def.rotation[3] = sin(turn / 2);
        add_body(scene, def);
        for (int side = -1; side < 2; side += 2) {
            const char *name = side < 0 ? "left" : "right";
            const cab_vec3 ends[2] = {{side * a, 0, 0},
                                      {side * a * cos(turn), side * a * sin(turn), -lifted}};
            add_cable(scene, straight_of(name, "light", ends, k % 2 ? 24 : 12));
            hold(scene, name, (cab_place){0}, false);
            end_on(scene, name, at_end(), "b", (cab_vec3){side * a, 0, 0});
        }
        cab_world *world = take(scene, devices[k / 2], 1);
        near_to(crossing(world, 2, 0, 4) / 1.75, period, 2e-3 * period); /* the cables weigh 1.6 g: 0.04 % */
        cab_world_destroy(world);
    }
}

/* A cantilever that bears a block at its end: F L^3/(3 EI), the rod's own weight aside, which is a tenth of a per cent. The block, not the
 * half segment that ends there, resists the rod's bending: at rest both see the same force, on the way only the first keeps it. */
static void a_rod_bears_a_block(void **state)
{
    (void)state;
    double l = 0.3, mass = 0.2, stiffness = 1, droop = mass * G * l * l * l / (3 * stiffness);
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = body_scene(20, G);
        cab_material_def rod = wire_of("rod", 0.002, stiffness);
        rod.linear_density = 1e-3;
        rod.damping = 5;
        add_material(scene, rod);
        cab_body_def def = block_at("b", (cab_vec3){l, 0, -0.02});
        def.mass = mass;
        def.damping = 5;
        add_body(scene, def);
        add_cable(scene, straight_of("a", "rod", (const cab_vec3[2]){{0, 0, 0}, {l, 0, 0}}, k % 2 ? 24 : 12));
        hold(scene, "a", (cab_place){0}, true);
        end_on(scene, "a", at_end(), "b", (cab_vec3){0, 0, 0.02});
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, 240);
        near_to(0 - read_body(world).center.z - 0.02, droop, 0.01 * droop);
        cab_world_destroy(world);
    }
}

/* A block that is drawn askew has the inertia of one that is: it spins about its own long axis, and stays at that. */
static void what_is_drawn_askew_spins_about_its_axis(void **state)
{
    (void)state;
    cab_scene *scene = body_scene(20, 0);
    add_far_cable(scene);
    cab_body_def def = block_at("b", (cab_vec3){0, 0, 0});
    double half = PI / 8, w = 5;
    def.rotation[0] = cos(half);
    def.rotation[3] = sin(half);
    def.spin = (cab_vec3){w * cos(2 * half), w * sin(2 * half), 0};
    add_body(scene, def);
    cab_world *world = take(scene, "native", 1);
    step(world, 30);
    cab_body_reading r = read_body(world);
    near_to(measure(world).kinetic, inertia[0] * w * w / 2, 1e-4 * inertia[0] * w * w / 2);
    near_to(r.spin.x, def.spin.x, 1e-3);
    near_to(r.spin.y, def.spin.y, 1e-3);
    near_to(r.spin.z, 0, 1e-3);
    cab_world_destroy(world);
}

/* A cable from one body to another one. Both hang still: tension is the weight below, but for what rounding lengths of 0.06 m makes of
 * it in a substep, 6e-9 m over h_s^2, 0.2 % of g. */
static void bodies_hang_one_below_the_other(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = body_scene(20, G);
        add_body(scene, block_at("upper", (cab_vec3){0, 0, -0.5}));
        add_body(scene, block_at("lower", (cab_vec3){0, 0, -1}));
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -0.48}, 8);
        add_straight(scene, "b", (cab_vec3){0, 0, -0.52}, (cab_vec3){0, 0, -0.98}, 8);
        hold(scene, "a", (cab_place){0}, false);
        end_on(scene, "a", at_end(), "upper", (cab_vec3){0, 0, 0.02});
        end_on(scene, "b", (cab_place){0}, "upper", (cab_vec3){0, 0, -0.02});
        end_on(scene, "b", at_end(), "lower", (cab_vec3){0, 0, 0.02});
        cab_world *world = take(scene, devices[k], 1);
        step(world, 60);
        snapshot s = read_world(world);
        double below = 0.46 * 0.05 * 7.5 / 8; /* of cable b under the middle of its first segment, kg */
        near_to(s.tension[9], (2 + below) * G, 5e-3 * 2 * G);
        near_to(s.tension[0], (4 + 0.46 * 0.05 + 0.48 * 0.05 * 7.5 / 8) * G, 5e-3 * 4 * G);
        at_most(measure(world).speed_max, 1e-4);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* Copies fall as one alone does, and each cable ends on its own body. */
static void copies_are_alike(void **state)
{
    (void)state;
    cab_scene *scenes[2];
    for (int k = 0; k < 2; k++) {
        scenes[k] = body_scene(20, G);
        cab_body_def def = block_at("b", (cab_vec3){0.5, 0, 0});
        cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 0}, {0.4, 0, 0}}, 8);
        if (k) {
            def.copies[0] = cable.copies[0] = 3;
            def.spacing[0] = cable.spacing[0] = 4;
        }
        add_body(scenes[k], def);
        add_cable(scenes[k], cable);
        hold(scenes[k], "a", (cab_place){0}, false);
        end_on(scenes[k], "a", at_end(), "b", (cab_vec3){-0.1, 0, 0});
    }
    cab_world *one = take(scenes[0], "native", 1), *three = take(scenes[1], "native", 1);
    cab_error error = {0};
    cab_body_reading alone, copies[3];
    cab_body_info infos[3];
    step(one, 30);
    step(three, 30);
    assert_int_equal(cab_world_get_bodies(three, infos, 3), 3);
    assert_string_equal(infos[2].name, "b[2,0,0]");
    must(cab_world_read_bodies(one, &alone, &error), &error);
    must(cab_world_read_bodies(three, copies, &error), &error);
    for (int i = 0; i < 3; i++) {
        near_to(copies[i].center.x, alone.center.x + 4 * i,
                5e-6); /* floats: segments are differences at 8 m, 5e-7 m each */
        near_to(copies[i].center.z, alone.center.z, 5e-6);
    }
    cab_world_destroy(one);
    cab_world_destroy(three);
}

/* ---- what breaks, is saved, and is the same ---- */

static void what_breaks_lets_the_body_fall(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = body_scene(20, G);
        add_body(scene, block_at("b", (cab_vec3){0, 0, -0.52}));
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -0.5}, 8);
        hold(scene, "a", (cab_place){0}, false);
        cab_attachment_def def = held_at("a", at_end());
        def.to = CAB_TARGET_BODY;
        def.target = "b";
        def.break_force = 10;
        add_attachment(scene, def);
        cab_world *world = take(scene, devices[k], 1);
        int broken;
        step(world, 1);
        assert_int_equal(cab_world_get_broken(world, &broken, NULL, 1), 1);
        cab_body_reading r = read_body(world);
        double start = r.center.z;
        step(world, 30);
        r = read_body(world);
        near_to(r.center.z - start, -G * 0.5 * 0.5 / 2,
                5e-3 * G / 8); /* it fell from a standstill, at first order */
        cab_world_destroy(world);
    }
}

static cab_scene *swinging_plug(cab_way way)
{
    cab_scene *scene = plug_scene(way, 20, 12);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -G};
    hold(scene, "a", at_end(), false);
    cab_body_def wheel = block_at("wheel", (cab_vec3){1, 0, 0});
    wheel.motion = CAB_BODY_HINGE;
    wheel.point = (cab_vec3){1, 0, 0};
    wheel.motor_speed = 2;
    wheel.motor_most = 0.1;
    wheel.bearing_friction = 0.05;
    add_body(scene, wheel);
    add_straight(scene, "c", (cab_vec3){1.1, 0, 0}, (cab_vec3){1.1, 0, -0.4}, 12);
    end_on(scene, "c", (cab_place){0}, "wheel", (cab_vec3){0.1, 0, 0});
    hang_weight(scene, "c", at_end(), 0.1);
    return scene;
}

static void both_backends_give_the_same(void **state)
{
    (void)state;
    backends_move_bodies_alike(swinging_plug, 40);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    state_goes_on(swinging_plug, CAB_WAY_STAGED, 20, "bodies.state");
}

/* A cable that begins inside a ball is cut into pieces, and a second ball is near: the tables that follow from who is near are made again
 * within a substep, once it is put in, and must leave the lengths that its pieces solve for. */
static cab_scene *within_a_ball(cab_way way)
{
    (void)way;
    static const cab_body_shape_def ball = {.kind = CAB_BODY_SPHERE, .radius = 0.03};
    cab_scene *scene = body_scene(1, G);
    add_material(scene, wire_of("thick", 0.007, 0));
    const cab_vec3 ends[] = {{0.0187, -0.0009, 0.3564}, {-0.125, 0.1821, 0.4308}};
    add_cable(scene, straight_of("a", "thick", ends, 2));
    for (int k = 0; k < 2; k++) {
        cab_body_def def = block_at(k ? "near" : "ball", (cab_vec3){0.25 * k, 0, k ? 0.278 : 0.342});
        def.shapes = &ball;
        def.mass = 0.8;
        add_body(scene, def);
    }
    return scene;
}

static void a_state_within_pieces_goes_on(void **state)
{
    (void)state;
    for (int frames = 1; frames < 4; frames++)
        state_goes_on(within_a_ball, CAB_WAY_STAGED, frames, "bodies-pieces.state");
}

/* ---- what is refused ---- */

static void what_cannot_end_on_a_body_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = body_scene(20, G);
    add_body(scene, block_at("block", (cab_vec3){0, 0, 0}));
    cab_body_def twin = block_at("block", (cab_vec3){0, 0, 0});
    must_fail(cab_scene_add_body(scene, &twin, &error), CAB_ERROR_INPUT, &error, "/bodies/1/name");
    add_straight(scene, "a", (cab_vec3){0.1, 0, 0}, (cab_vec3){1, 0, 0}, 4);
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.to = CAB_TARGET_BODY;
    def.target = "block";
    def.compliance = 1e-3;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/attachments/0/compliance");
    def.compliance = 0;
    def.target = "blok";
    add_attachment(scene, def);
    must_refuse(scene, CAB_ERROR_INPUT,
                "/attachments/0/to/body: no body is called \"blok\"; did you mean \"block\"?");
    scene = swinging_plug(CAB_WAY_LANES);
    must_refuse(scene, CAB_ERROR_INPUT, "cables end on bodies");
    scene = plug_scene(CAB_WAY_AUTO, 20, 12);
    cab_scene_settings(scene)->method = CAB_METHOD_XPBD;
    must_refuse(scene, CAB_ERROR_UNSUPPORTED, "/bodies: the method \"xpbd\" does not know bodies");
    scene = swinging_plug(CAB_WAY_STAGED);
    end_on(scene, "a", at_end(), "wheel", (cab_vec3){0, 0, 0});
    must_refuse(scene, CAB_ERROR_INPUT, "/attachments/4: this place is held by /attachments/2 already");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_swings_on_its_hinge),
        cmocka_unit_test(friction_of_a_hinge_holds_or_slides),
        cmocka_unit_test(a_motor_keeps_its_speed),
        cmocka_unit_test(a_slider_slides),
        cmocka_unit_test(a_free_block_tumbles),
        cmocka_unit_test(a_plug_and_its_cables_keep_their_momentum),
        cmocka_unit_test(a_heavy_ball_swings_on_a_light_cable),
        cmocka_unit_test(a_bar_turns_on_two_cables),
        cmocka_unit_test(a_rod_bears_a_block),
        cmocka_unit_test(what_is_drawn_askew_spins_about_its_axis),
        cmocka_unit_test(bodies_hang_one_below_the_other),
        cmocka_unit_test(copies_are_alike),
        cmocka_unit_test(what_breaks_lets_the_body_fall),
        cmocka_unit_test(both_backends_give_the_same),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(a_state_within_pieces_goes_on),
        cmocka_unit_test(what_cannot_end_on_a_body_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

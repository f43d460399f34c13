/* Cables clamped to rigid bodies that forces move: beams with known deflections and frequencies, momentum, states, breakage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bodies.h"

#define EI 0.02  /* N m^2 */
#define SPAN 0.3 /* m */

/* Rods that weigh next to nothing beside what they carry. */
static cab_scene *rod_scene(int substeps, double gravity, double damping)
{
    cab_scene *scene = body_scene(substeps, gravity);
    cab_material_def rod = wire_of("rod", 0.002, EI);
    rod.linear_density = 1e-3;
    rod.damping = damping;
    add_material(scene, rod);
    return scene;
}

static void clamp_to(cab_scene *scene, const char *cable, cab_place at, const char *body)
{
    cab_attachment_def def = held_at(cable, at);
    def.to = CAB_TARGET_BODY;
    def.target = body;
    def.clamp = true;
    add_attachment(scene, def);
}

/* A body without shapes, which nothing touches. */
static cab_body_def weight_at(const char *name, cab_vec3 place, double mass, cab_vec3 moments)
{
    cab_body_def def = cab_body_default();
    def.name = name;
    def.position = place;
    def.mass = mass;
    def.inertia = moments;
    return def;
}

/* A rod along x, clamped at the origin and to a body at its end. */
static cab_scene *tip_scene(cab_body_def def, int substeps, int segments, double gravity, double damping)
{
    cab_scene *scene = rod_scene(substeps, gravity, damping);
    const cab_vec3 path[] = {{0, 0, 0}, {SPAN, 0, 0}};
    add_cable(scene, straight_of("a", "rod", path, segments));
    add_body(scene, def);
    hold(scene, "a", (cab_place){0}, true);
    clamp_to(scene, "a", at_end(), def.name);
    return scene;
}

static double slope_of(const cab_body_reading *r)
{
    return 2 * atan2(r->rotation[2], r->rotation[0]);
}

/* ---- frequencies ---- */

static double height_of(const cab_body_reading *r)
{
    return r->position.z;
}

static double spin_of(const cab_body_reading *r)
{
    return r->spin.z;
}

/* The time between two changes of the sign of what is looked at, s: the mean of so many. */
static double half_period(cab_world *world, double look(const cab_body_reading *), int count)
{
    cab_body_reading r = read_body(world);
    double first = 0, before = look(&r);
    for (int frame = 1, n = 0; frame < 1000; frame++) {
        step(world, 1);
        r = read_body(world);
        double now = look(&r);
        if (before * now < 0) {
            double t = (frame - 1 + before / (before - now)) / 60;
            if (n == 0) first = t;
            if (n++ == count) return (t - first) / count;
        }
        before = now;
    }
    fail_msg("it does not turn back");
    return 0;
}

#define TIP 0.1      /* kg */
#define GYRATION 0.2 /* m: a body as wide as the rod is long */

/* The tip of a beam with deflection z and slope p = -dz/dx (about y) of its end resists with EI/L^3 [12, 6 L; 6 L, 4 L^2]. With m and m k^2
 * there are two modes; the slower one, begun with its own velocities, swings with its period. A body that only hung on the end would swing
 * with sqrt(3 EI/(m L^3)), off by a fifth and more. n segments err by some 1/n^2, the rod's own mass of 0.3 g by a part in a thousand, straight lines between frames by less. */
static void a_wide_body_swings_on_a_rod(void **state)
{
    (void)state;
    double k = EI / (SPAN * SPAN * SPAN), a = 12 * k / TIP, b = 6 * k * SPAN / TIP;
    double c = b / (GYRATION * GYRATION), d = 4 * k * SPAN * SPAN / (TIP * GYRATION * GYRATION);
    double square = (a + d) / 2 - sqrt((a - d) * (a - d) / 4 + b * c), ratio = (square - a) / b;
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        double moment = TIP * GYRATION * GYRATION;
        cab_body_def tip = weight_at("tip", (cab_vec3){SPAN, 0, 0}, TIP, (cab_vec3){moment, moment, moment});
        tip.velocity.z = 0.02;
        tip.spin.y = ratio * tip.velocity.z;
        cab_world *world =
            take(tip_scene(tip, run % 2 ? 40 : 20, run % 2 ? 40 : 20, 0, 0), devices[run / 2], 1);
        double known = 2 * PI / sqrt(square);
        near_to(2 * half_period(world, height_of, 4), known, (run % 2 ? 3e-3 : 5e-3) * known);
        cab_world_destroy(world);
    }
}

/* ---- at rest ---- */

/* A weight whose centre is e beyond the rod's end: z = -W (L^3/3 + e L^2/2)/EI there, slope W (L^2/2 + e L)/EI; small ones, so that straight
 * beams' theory is within the square of the slope, a thousandth. What the rod bears is told as force and torque. */
static void a_weight_bends_the_rod_that_it_is_clamped_to(void **state)
{
    (void)state;
    const double e = 0.05, pull = 0.03, weight = TIP * pull,
                 slope = weight * (SPAN * SPAN / 2 + e * SPAN) / EI;
    const double sinks = weight * (SPAN * SPAN * SPAN / 3 + e * SPAN * SPAN / 2) / EI + e * slope;
    const cab_vec3 moments[] = {{1e-5, 1e-5, 1e-5},
                                {4e-4, 2.1e-4, 2.1e-4}}; /* a small ball, a thin plate across the rod */
    for (int run = 0; run < 8; run++) {
        if (!can_run(run / 4)) continue;
        cab_body_def tip = weight_at("tip", (cab_vec3){SPAN + e, 0, 0}, TIP, moments[run / 2 % 2]);
        tip.damping = 5;
        int segments = run % 2 ? 40 : 20;
        cab_world *world = take(tip_scene(tip, 40, segments, pull, 5), devices[run / 4], 1);
        step(world, 300);
        cab_body_reading now = read_body(world);
        double off = 2.0 / (segments * segments) + 2e-3;
        near_to(-now.position.z, sinks, off * sinks);
        near_to(slope_of(&now), slope, off * slope);
        near_to(now.force.z, weight, 0.02 * weight);
        near_to(now.torque.y, 0, 0.02 * weight * e);
        cab_world_destroy(world);
    }
}

/* Two rods, and between them a plug of 2 g that is much lighter than the couples on it would have it: one beam, whose end with a
 * force F on it sinks by F (2 L)^3/(3 EI). */
static void a_light_plug_between_two_rods_is_no_joint(void **state)
{
    (void)state;
    const double force = 2e-3, sinks = force * 8 * SPAN * SPAN * SPAN / (3 * EI), moment = 2e-3 * 1e-5;
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        int segments = run % 2 ? 30 : 15;
        cab_body_def plug =
            weight_at("plug", (cab_vec3){SPAN, 0, 0}, 2e-3, (cab_vec3){moment, moment, moment});
        plug.damping = 5;
        cab_scene *scene = tip_scene(plug, 40, segments, 0, 5);
        const cab_vec3 path[] = {{SPAN, 0, 0}, {2 * SPAN, 0, 0}};
        add_cable(scene, straight_of("b", "rod", path, segments));
        clamp_to(scene, "b", (cab_place){0}, "plug");
        cab_load_def load = load_at("b", at_end());
        load.force.z = -force;
        add_load(scene, load);
        cab_world *world = take(scene, devices[run / 2], 1);
        step(world, 300);
        snapshot now = read_world(world);
        near_to(-now.x[now.nodes - 1][2], sinks, (run % 2 ? 5e-3 : 1e-2) * sinks);
        snapshot_free(&now);
        cab_world_destroy(world);
    }
}

/* A rod along x to a body, and from that one upwards, whose end is pulled by F along x: F L turns the body by F L^2/EI, and the upper end goes
 * along by L times that and F L^3/(3 EI) more. Clamps in two directions: all of the body's motion is among the unknowns. */
static void a_corner_of_two_rods_keeps_its_angle(void **state)
{
    (void)state;
    const double force = 2e-3, slope = force * SPAN * SPAN / EI, goes = slope * SPAN + slope * SPAN / 3;
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        int segments = run % 2 ? 30 : 15;
        cab_body_def hub = weight_at("hub", (cab_vec3){SPAN, 0, 0}, 0.02, (cab_vec3){2e-6, 3e-6, 4e-6});
        hub.damping = 5;
        cab_scene *scene = tip_scene(hub, 40, segments, 0, 5);
        const cab_vec3 path[] = {{SPAN, 0, 0}, {SPAN, 0, SPAN}};
        add_cable(scene, straight_of("b", "rod", path, segments));
        clamp_to(scene, "b", (cab_place){0}, "hub");
        cab_load_def load = load_at("b", at_end());
        load.force.x = force;
        add_load(scene, load);
        cab_world *world = take(scene, devices[run / 2], 1);
        step(world, 300);
        snapshot now = read_world(world);
        cab_body_reading turned = read_body(world);
        near_to(slope_of(&turned), slope, 0.01 * slope);
        near_to(now.x[now.nodes - 1][0] - SPAN, goes, 0.01 * goes);
        snapshot_free(&now);
        cab_world_destroy(world);
    }
}

/* ---- bearings ---- */

/* A slider does not turn: a rod clamped to it is guided at its end, which sinks by W L^3/(12 EI). The other end gives way, so that the rod need
 * not be stretched; of what it is pulled by then, T L^2/EI, a thousandth is left. */
static void a_slider_guides_the_end_of_a_rod(void **state)
{
    (void)state;
    const double pull = 0.1, soft = 1e-3, weight = TIP * pull;
    const double sinks = weight * (SPAN * SPAN * SPAN / (12 * EI) + soft);
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        cab_body_def slide = weight_at("slide", (cab_vec3){SPAN, 0, 0}, TIP, (cab_vec3){1e-4, 1e-4, 1e-4});
        slide.motion = CAB_BODY_SLIDER;
        slide.axis = (cab_vec3){0, 0, 1};
        slide.damping = 5;
        cab_scene *scene = rod_scene(40, pull, 5);
        const cab_vec3 path[] = {{0, 0, 0}, {SPAN, 0, 0}};
        add_cable(scene, straight_of("a", "rod", path, run % 2 ? 40 : 20));
        add_body(scene, slide);
        cab_attachment_def wall = held_at("a", (cab_place){0});
        wall.clamp = true;
        wall.compliance = soft;
        add_attachment(scene, wall);
        clamp_to(scene, "a", at_end(), "slide");
        cab_world *world = take(scene, devices[run / 2], 1);
        step(world, 300);
        near_to(-read_body(world).position.z, sinks, (run % 2 ? 4e-3 : 8e-3) * sinks);
        cab_world_destroy(world);
    }
}

/* A lever on a hinge with a rod clamped to it, whose other end is pulled across by F all at once, so that its couple swings up to twice F L at
 * first: friction of 2.2 F L holds, and the rod droops as a cantilever; friction of 0.9 F L does not. */
static void a_braked_hinge_bears_the_couple_of_a_clamp(void **state)
{
    (void)state;
    const double force = 0.01, droop = force * SPAN * SPAN * SPAN / (3 * EI);
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        cab_body_def lever = weight_at("lever", (cab_vec3){0, 0, 0}, TIP, (cab_vec3){1e-4, 1e-4, 1e-4});
        lever.motion = CAB_BODY_HINGE;
        lever.point = lever.position;
        lever.axis = (cab_vec3){0, 1, 0};
        lever.bearing_friction = (run % 2 ? 2.2 : 0.9) * force * SPAN;
        cab_scene *scene = rod_scene(40, 0, 5);
        const cab_vec3 path[] = {{0, 0, 0}, {SPAN, 0, 0}};
        add_cable(scene, straight_of("a", "rod", path, 30));
        add_body(scene, lever);
        clamp_to(scene, "a", (cab_place){0}, "lever");
        cab_load_def load = load_at("a", at_end());
        load.force.z = -force;
        add_load(scene, load);
        cab_world *world = take(scene, devices[run / 2], 1);
        step(world, 180);
        cab_body_reading now = read_body(world);
        snapshot rod = read_world(world);
        if (run % 2) {
            at_most(fabs(slope_of(&now)), 1e-4);
            near_to(-rod.x[rod.nodes - 1][2], droop, 0.01 * droop);
        } else
            at_least(slope_of(&now), 0.1);
        snapshot_free(&rod);
        cab_world_destroy(world);
    }
}

/* A light body on a ball joint beside its centre, whose rod is much stiffer than inertia over a substep's square, and begins beside the line
 * from the joint: nothing comes from nowhere. What ends on the body counts in all products of its unknowns. */
static void a_rod_on_a_ball_joint_gains_no_energy(void **state)
{
    (void)state;
    for (int run = 0; run < 4; run++) {
        if (!can_run(run / 2)) continue;
        cab_body_def ball =
            weight_at("ball", (cab_vec3){-0.01, 0.0005, 0}, 0.02, (cab_vec3){6e-6, 3.3e-6, 3.7e-6});
        ball.motion = CAB_BODY_BALL;
        ball.spin = (cab_vec3){2.8, -1.9, 0.2};
        cab_scene *scene = body_scene(run % 2 ? 40 : 10, 0);
        cab_material_def rod = wire_of("rod", 0.002, EI / 2);
        rod.linear_density = 0.01;
        add_material(scene, rod);
        const cab_vec3 path[] = {{-0.018, 0.0045, 0}, {-0.12, 0.0536, 0.004}};
        add_cable(scene, straight_of("a", "rod", path, 20));
        add_body(scene, ball);
        clamp_to(scene, "a", (cab_place){0}, "ball");
        cab_world *world = take(scene, devices[run / 2], 1);
        step(world, 1);
        double most = sums_of_bodies(world).energy;
        for (int frame = 0; frame < 59; frame++) {
            step(world, 1);
            at_most(sums_of_bodies(world).energy, most * 1.01); /* the mutant of it gains a third */
        }
        cab_world_destroy(world);
    }
}

/* ---- momentum ---- */

/* A hub of 50 g with three rods of 20 g each clamped to it in three directions, all of it free, spinning. */
static cab_scene *hub_scene(cab_way way)
{
    cab_scene *scene = body_scene(40, 0);
    cab_scene_settings(scene)->way = way;
    cab_body_def hub = weight_at("hub", (cab_vec3){0, 0, 0}, 0.05, (cab_vec3){2e-6, 5e-6, 6e-6});
    hub.velocity = (cab_vec3){0.1, -0.2, 0.3};
    hub.spin = (cab_vec3){3, 2, 8};
    add_body(scene, hub);
    const cab_vec3 way_out[] = {{1, 0, 0}, {-0.6, 0.8, 0}, {0, -0.6, 0.8}};
    const char *const name[] = {"a", "b", "c"};
    for (int k = 0; k < 3; k++) {
        cab_vec3 u = way_out[k], from = {0.02 * u.x, 0.02 * u.y, 0.02 * u.z};
        add_straight(scene, name[k], from, (cab_vec3){0.42 * u.x, 0.42 * u.y, 0.42 * u.z}, 12);
        clamp_to(scene, name[k], (cab_place){0}, "hub");
    }
    return scene;
}

/* As test_bodies has it of a plug without clamps: momentum to rounding, no energy from anywhere. */
static void a_hub_and_its_rods_keep_their_momentum(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_world *world = take(hub_scene(CAB_WAY_STAGED), devices[d], 1);
        step(world, 1);
        sums before = sums_of(world, 12, 0.05), most = before;
        for (int frame = 0; frame < 119; frame++) {
            step(world, 1);
            sums now = sums_of(world, 12, 0.05);
            at_most(now.energy, most.energy * (1 + 1e-4));
            for (int n = 0; n < 3; n++) {
                near_to(now.momentum[n], before.momentum[n], 1e-6);
                near_to(now.turning[n], before.turning[n], 4e-6);
            }
        }
        cab_world_destroy(world);
    }
}

static void states_and_backends(void **state)
{
    state_goes_on(hub_scene, CAB_WAY_STAGED, 20, "hub.state");
    backends_move_bodies_alike(hub_scene, 30);
    (void)state;
}

/* ---- twist ---- */

#define GJ 0.01    /* N m^2 */
#define ABOUT 2e-5 /* kg m^2, of the bodies about the rod */

/* Without the rod. */
static cab_scene *twisting_scene(int substeps, double gravity)
{
    cab_scene *scene = body_scene(substeps, gravity);
    cab_material_def rod = wire_of("rod", 0.002, EI);
    rod.linear_density = 1e-3;
    rod.twisting_stiffness = GJ;
    add_material(scene, rod);
    return scene;
}

/* A rod along -z that resists twisting: "a". */
static cab_scene *twisted_scene(int substeps, int segments, double gravity)
{
    cab_scene *scene = twisting_scene(substeps, gravity);
    const cab_vec3 path[] = {{0, 0, 0}, {0, 0, -SPAN}};
    add_cable(scene, straight_of("a", "rod", path, segments));
    return scene;
}

/* The same one of two halves, joined by a clamp: "a", whose start is above, and "b", whose start is below. */
static cab_scene *halved_scene(int substeps, int segments, double gravity)
{
    cab_scene *scene = twisting_scene(substeps, gravity);
    const cab_vec3 upper[] = {{0, 0, 0}, {0, 0, -SPAN / 2}}, lower[] = {{0, 0, -SPAN}, {0, 0, -SPAN / 2}};
    add_cable(scene, straight_of("a", "rod", upper, segments / 2));
    add_cable(scene, straight_of("b", "rod", lower, segments / 2));
    cab_attachment_def joint = joined("b", at_end(), "a", at_end());
    joint.clamp = true;
    add_attachment(scene, joint);
    return scene;
}

static void add_bob(cab_scene *scene, const char *name, double z, double spin)
{
    cab_body_def bob = weight_at(name, (cab_vec3){0, 0, z}, TIP, (cab_vec3){1e-4, 1e-4, ABOUT});
    bob.spin.z = spin;
    add_body(scene, bob);
}

/* A body on a rod that hangs from a clamp turns back and forth with 2 pi sqrt(I L/GJ); two of them at the ends of one that floats, against each
 * other, with half of I. A rod of two halves does as one does. 20 and 80 substeps: omega h is 0.034 and 0.009; straight lines between frames shift what they cross alike. */
static void bodies_turn_on_a_twisted_rod(void **state)
{
    (void)state;
    for (int run = 0; run < 16; run++) {
        if (!can_run(run / 8)) continue;
        bool pair = run / 2 % 2, halves = run / 4 % 2;
        cab_scene *scene =
            (halves ? halved_scene : twisted_scene)(run % 2 ? 80 : 20, run % 2 ? 20 : 10, pair ? 0 : G);
        add_bob(scene, "low", -SPAN, 3);
        if (pair) add_bob(scene, "high", 0, -3);
        if (pair)
            clamp_to(scene, "a", (cab_place){0}, "high");
        else
            hold(scene, "a", (cab_place){0}, true);
        clamp_to(scene, halves ? "b" : "a", halves ? (cab_place){0} : at_end(), "low");
        cab_world *world = take(scene, devices[run / 8], 1);
        double known = PI * sqrt(ABOUT * SPAN / GJ / (pair ? 2 : 1));
        near_to(half_period(world, spin_of, 20), known, (run % 2 ? 4e-4 : 8e-4) * known);
        cab_world_destroy(world);
    }
}

/* A plug that a substep's twist would turn back a hundred times over comes to rest instead of being thrown. */
static void a_light_plug_is_turned_back(void **state)
{
    (void)state;
    cab_scene *scene = twisted_scene(20, 10, G);
    cab_body_def plug = weight_at("plug", (cab_vec3){0, 0, -SPAN}, TIP, (cab_vec3){1e-4, 1e-4, 1e-9});
    plug.spin.z = 3;
    add_body(scene, plug);
    hold(scene, "a", (cab_place){0}, true);
    clamp_to(scene, "a", at_end(), "plug");
    cab_world *world = take(scene, "native", 1);
    step(world, 30);
    at_most(fabs(read_body(world).spin.z), 1e-3);
    cab_world_destroy(world);
}

/* A hand turns the upper end of a rod, of one piece or two, by 8 rad, more than a turn; the lower one is clamped. M = GJ 8/L, which is the hand's torque, the other
 * way; and the section at the hand has turned by as much. */
static void a_hand_twists_a_rod(void **state)
{
    (void)state;
    cab_pose_keyframe turns[5];
    for (int k = 0; k < 5; k++) turns[k] = (cab_pose_keyframe){0.25 * k, {{0, 0, 0}, {cos(k), 0, 0, sin(k)}}};
    for (int run = 0; run < 4; run++) {
        bool halves = run % 2;
        if (!can_run(run / 2)) continue;
        cab_scene *scene =
            (halves ? halved_scene : twisted_scene)(80, 10, 0); /* so many resolve a moment of 0.27 N m */
        cab_body_def hand = cab_body_default();
        hand.name = "hand";
        hand.motion = CAB_BODY_KEYFRAMES;
        hand.keyframes = turns;
        hand.keyframe_count = 5;
        add_body(scene, hand);
        clamp_to(scene, "a", (cab_place){0}, "hand");
        hold(scene, halves ? "b" : "a", halves ? (cab_place){0} : at_end(), true);
        cab_world *world = take(scene, devices[run / 2], 1);
        cab_error error = {0};
        double torque[12], before[12][3], now[12][3];
        must(cab_world_read_directors(world, before[0], &error), &error);
        step(world, 70);
        must(cab_world_read_torque(world, torque, &error), &error);
        must(cab_world_read_directors(world, now[0], &error), &error);
        near_to(fabs(torque[5]), GJ * 8 / SPAN, 1e-4 * GJ * 8 / SPAN);
        near_to(read_body(world).torque.z, -GJ * 8 / SPAN, 1e-4 * GJ * 8 / SPAN); /* it is turned back */
        double along = 0, across = before[0][0] * now[0][1] - before[0][1] * now[0][0];
        for (int k = 0; k < 3; k++) along += before[0][k] * now[0][k];
        near_to(along, cos(8), 1e-5);
        near_to(across, sin(8), 1e-5);
        cab_world_destroy(world);
    }
}

/* Two bodies with a twisted rod between them, out of line, all of it free. */
static cab_scene *twisted_pair(cab_way way)
{
    cab_scene *scene = body_scene(40, 0);
    cab_scene_settings(scene)->way = way;
    cab_material_def rod = wire_of("twisted", 0.002, 1e-3);
    rod.linear_density = 0.05;
    rod.twisting_stiffness = 2e-3;
    add_material(scene, rod);
    const cab_vec3 path[] = {{0.02, 0.01, 0}, {0.42, 0.01, 0}};
    add_cable(scene, straight_of("a", "twisted", path, 12));
    cab_body_def left = weight_at("left", (cab_vec3){0, 0, 0}, 0.05, (cab_vec3){2e-5, 5e-5, 6e-5});
    left.spin = (cab_vec3){9, 1, 0.5};
    left.velocity.z = 0.1;
    add_body(scene, left);
    add_body(scene, weight_at("right", (cab_vec3){0.45, 0, 0.01}, 0.08, (cab_vec3){3e-5, 5e-5, 4e-5}));
    clamp_to(scene, "a", (cab_place){0}, "left");
    clamp_to(scene, "a", at_end(), "right");
    return scene;
}

/* Twist turns by a moment of the substep's start, so turning momentum is kept to first order of the turn in a substep. */
static void a_twisted_pair_keeps_its_momentum(void **state)
{
    (void)state;
    for (int d = 0; d < 2; d++) {
        if (!can_run(d)) continue;
        cab_world *world = take(twisted_pair(CAB_WAY_STAGED), devices[d], 1);
        step(world, 1);
        sums before = sums_of(world, 12, 0.05), most = before;
        for (int frame = 0; frame < 59; frame++) {
            step(world, 1);
            sums now = sums_of(world, 12, 0.05);
            at_most(now.energy, most.energy * (1 + 1e-3));
            for (int n = 0; n < 3; n++) {
                near_to(now.momentum[n], before.momentum[n], 1e-6);
                near_to(now.turning[n], before.turning[n], 4e-6);
            }
        }
        cab_world_destroy(world);
    }
}

static void twisted_states_and_backends(void **state)
{
    state_goes_on(twisted_pair, CAB_WAY_STAGED, 20, "twisted.state");
    backends_move_bodies_alike(twisted_pair, 30);
    (void)state;
}

/* ---- what lets go, what is refused ---- */

/* A clamp that breaks lets go of place and direction: the body falls, and the rod swings back. */
static void a_clamp_that_breaks_lets_the_body_fall(void **state)
{
    (void)state;
    cab_body_def tip = weight_at("tip", (cab_vec3){SPAN, 0, 0}, TIP, (cab_vec3){1e-4, 1e-4, 1e-4});
    cab_scene *scene = rod_scene(20, G, 1);
    const cab_vec3 path[] = {{0, 0, 0}, {SPAN, 0, 0}};
    add_cable(scene, straight_of("a", "rod", path, 20));
    add_body(scene, tip);
    hold(scene, "a", (cab_place){0}, true);
    cab_attachment_def def = held_at("a", at_end());
    def.to = CAB_TARGET_BODY;
    def.target = "tip";
    def.clamp = true;
    def.break_force = 0.3;
    add_attachment(scene, def);
    cab_world *world = take(scene, "native", 1);
    step(world, 60);
    assert_true(read_body(world).position.z < -1);
    step(world, 300);
    snapshot rod = read_world(world);
    at_most(fabs(rod.x[20][2]), 1e-3); /* q L^4/(8 EI) of its own gram a metre: 0.5 mm */
    snapshot_free(&rod);
    cab_world_destroy(world);
}

/* What goes by the turn of sections, or has a frame for each of them, does not know of bodies that move. */
static void damped_bending_and_ribbons_are_refused(void **state)
{
    (void)state;
    for (int ribbon = 0; ribbon < 2; ribbon++) {
        cab_scene *scene = body_scene(20, G);
        cab_material_def rod = wire_of("rod", 0.002, EI);
        if (ribbon) {
            rod.twisting_stiffness = GJ;
            rod.second_bending_stiffness = 2 * EI;
        } else
            rod.bending_damping = 0.01;
        add_material(scene, rod);
        const cab_vec3 path[] = {{0, 0, 0}, {SPAN, 0, 0}};
        add_cable(scene, straight_of("a", "rod", path, 10));
        add_body(scene, weight_at("tip", (cab_vec3){SPAN, 0, 0}, TIP, (cab_vec3){1e-4, 1e-4, 1e-4}));
        hold(scene, "a", (cab_place){0}, true);
        clamp_to(scene, "a", at_end(), "tip");
        must_refuse(scene, CAB_ERROR_UNSUPPORTED, "/attachments/");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_wide_body_swings_on_a_rod),
                                       cmocka_unit_test(a_weight_bends_the_rod_that_it_is_clamped_to),
                                       cmocka_unit_test(a_light_plug_between_two_rods_is_no_joint),
                                       cmocka_unit_test(a_corner_of_two_rods_keeps_its_angle),
                                       cmocka_unit_test(a_slider_guides_the_end_of_a_rod),
                                       cmocka_unit_test(a_braked_hinge_bears_the_couple_of_a_clamp),
                                       cmocka_unit_test(a_rod_on_a_ball_joint_gains_no_energy),
                                       cmocka_unit_test(a_hub_and_its_rods_keep_their_momentum),
                                       cmocka_unit_test(states_and_backends),
                                       cmocka_unit_test(bodies_turn_on_a_twisted_rod),
                                       cmocka_unit_test(a_light_plug_is_turned_back),
                                       cmocka_unit_test(a_hand_twists_a_rod),
                                       cmocka_unit_test(a_twisted_pair_keeps_its_momentum),
                                       cmocka_unit_test(twisted_states_and_backends),
                                       cmocka_unit_test(a_clamp_that_breaks_lets_the_body_fall),
                                       cmocka_unit_test(damped_bending_and_ribbons_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

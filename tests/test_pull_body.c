/* The pull of a hand at a rigid body: a damped spring from a place of it to a point. Expected numbers follow from the laws of
 * mechanics as told beside them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/quaternion.h"
#include "base/vec3.h"
#include "pulleys.h"

#define REACTION 0.1 /* s; k = M / REACTION^2, c = k REACTION */
#define MASS 2       /* kg, of the block */

static const cab_vec3 middle = {0, 0, 0}, tip = {0.1, 0, 0};

static void pull(cab_world *world, int body, cab_vec3 at, cab_vec3 point, double stiffness)
{
    cab_error error = {0};
    must(cab_world_pull_body(world, body, at, point, stiffness, &error), &error);
}

static void let_go(cab_world *world)
{
    cab_error error = {0};
    must(cab_world_let_go(world, &error), &error);
}

/* A block at `place`, by itself. */
static cab_world *block_world(const char *device, int substeps, double gravity, cab_body_motion motion)
{
    cab_scene *scene = body_scene(substeps, gravity);
    add_far_cable(scene);
    cab_body_def def = block_at("b", (cab_vec3){0, 0, 1});
    def.motion = motion;
    def.point = (cab_vec3){0, 0, 1};
    def.axis = (cab_vec3){0, 1, 0};
    add_body(scene, def);
    return take(scene, device, 1);
}

/* Where a place of its own axes is. */
static cab_vec3 place_of(const cab_body_reading *r, cab_vec3 at)
{
    return cab_vec3_add(r->position, cab_quaternion_rotate(cab_quaternion_unit(r->rotation), at));
}

/* m x'' + c x' + k (x - to) = 0 from rest at 0. */
static double damped(double m, double k, double to, double t)
{
    double c = k * REACTION, w0 = sqrt(k / m), zeta = c / (2 * sqrt(k * m)), w = w0 * sqrt(1 - zeta * zeta);
    return to * (1 - exp(-zeta * w0 * t) * (cos(w * t) + zeta * w0 / w * sin(w * t)));
}

/* The worst of half a second, as a part of the way; steps of BDF2 after one of first order, whose share of this is (w0 h)^2. */
static double error_of_a_pull(const char *device, int substeps, cab_vec3 at, double gravity, double stiffness)
{
    cab_world *world = block_world(device, substeps, gravity, CAB_BODY_FREE);
    double k = stiffness > 0 ? stiffness : MASS / (REACTION * REACTION), arm = at.x, worst = 0;
    double weight = 1.0 / MASS + arm * arm / inertia[1], to = gravity > 0 ? -MASS * gravity / k : 2e-4;
    cab_vec3 begun = cab_vec3_add((cab_vec3){0, 0, 1}, at);
    pull(world, 0, at, cab_vec3_add(begun, (cab_vec3){0, 0, gravity > 0 ? 0 : to}), stiffness);
    for (int frame = 1; frame <= 30; frame++) {
        step(world, 1);
        cab_body_reading r = read_body(world);
        cab_vec3 off = cab_vec3_sub(place_of(&r, at), begun);
        worst = fmax(worst, fabs(off.z - damped(1 / weight, k, to, frame / 60.0)) / fabs(to));
        at_most(fabs(off.y), 1e-6);
    }
    cab_world_destroy(world);
    return worst;
}

/* At its middle it is a mass on a spring, which gravity stretches. */
static void it_swings_as_a_mass_on_a_damped_spring(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        double coarse = error_of_a_pull(devices[k], 20, middle, G, 0),
               fine = error_of_a_pull(devices[k], 40, middle, G, 0);
        at_most(coarse, 1e-4);
        at_most(fine, 0.3 * coarse + 1e-6);
    }
}

/* At its end what is pulled is lighter, 1/(1/m + a^2/J): it turns. For small ways that is a mass on a spring: 2e-4 m are 2e-3 rad, whose
 * square is below the tolerance. Floats of a metre are 6e-8, 3e-4 of the way, but what rounding leaves out is kept. */
static void at_its_end_it_turns(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        double coarse = error_of_a_pull(devices[k], 20, tip, 0, 50),
               fine = error_of_a_pull(devices[k], 40, tip, 0, 50);
        at_most(coarse, 1e-4);
        at_most(fine, 0.3 * coarse + 1e-6);
    }
}

/* On a hinge it comes to rest where its torque is that of the spring: the middle hangs below the hinge, pulled aside at its end. */
static void on_a_hinge_torques_balance(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = body_scene(k % 2 ? 40 : 20, G);
        add_far_cable(scene);
        cab_body_def def = block_at("b", (cab_vec3){0, 0, 1});
        def.motion = CAB_BODY_HINGE;
        def.axis = (cab_vec3){0, 1, 0};
        def.point = (cab_vec3){-0.1, 0, 1};
        add_body(scene, def);
        cab_world *world = take(scene, devices[k / 2], 1);
        const cab_vec3 to = {0.05, 0, 1.02}; /* from the hinge 0.15 along x and 0.02 up */
        const double stiffness = 400;
        pull(world, 0, tip, to, stiffness);
        step(world, 300);
        cab_body_reading r = read_body(world);
        cab_vec3 pivot = place_of(&r, (cab_vec3){-0.1, 0, 0}), arm = cab_vec3_sub(r.center, pivot),
                 at = cab_vec3_sub(place_of(&r, tip), pivot);
        cab_vec3 force = cab_vec3_scale(stiffness, cab_vec3_sub(to, cab_vec3_add(pivot, at)));
        double weight = cab_vec3_cross(arm, (cab_vec3){0, 0, -MASS * G}).y;
        near_to(cab_vec3_distance(pivot, (cab_vec3){-0.1, 0, 1}), 0, 1e-6);
        near_to(cab_vec3_cross(at, force).y + weight, 0,
                2e-4 * fabs(weight)); /* floats of 1 m times 400 N/m */
        assert_true(fabs(weight) > 1);
        cab_world_destroy(world);
    }
}

/* A rough wheel that a rope with 0.5 and 0.6 kg would turn is held by its rim: the spring's torque is that of the rope, which goes
 * along. So contact, body and hand are in balance, with a rope that is stiff on its way. */
static void a_wheel_is_held_against_its_rope(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        const double density = 0.02, stiffness = 200;
        const cab_vec3 rim = {0, 0, R};
        cab_scene *scene = rope_scene(20, density, 0.5);
        hang_over(scene, wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, 0.5), 0.6, 0.5, 0.6, k % 2 ? 80 : 40);
        cab_world *world = take(scene, devices[k / 2], 1);
        pull(world, 0, rim, (cab_vec3){-0.02, 0, R}, stiffness);
        step(world, 240);
        cab_body_reading r = read_body(world);
        cab_vec3 at = place_of(&r, rim),
                 force = cab_vec3_scale(stiffness, cab_vec3_sub((cab_vec3){-0.02, 0, R}, at));
        double turned = turned_about(&r, 1), rope = RADIUS * G * (0.6 - 0.5 + 2 * density * RADIUS * turned);
        assert_true(fabs(turned) > 0.05);
        /* where sides touch is nearer than corners by (segment/radius)^2/8, as for test_pulleys */
        near_to(cab_vec3_cross(at, force).y + rope, 0, (k % 2 ? 0.01 : 0.02) * rope);
        cab_world_destroy(world);
    }
}

/* From further away than 0.3 m it pulls no harder than from there: a = 0.3 k/m, which the damper brakes. */
static void it_pulls_no_harder_from_far_away(void **state)
{
    (void)state;
    cab_world *world = block_world("native", 20, 0, CAB_BODY_FREE);
    const double rate = 1 / REACTION, a = 0.3 / (REACTION * REACTION);
    pull(world, 0, middle, (cab_vec3){9, 0, 1}, 0);
    step(world, 6);
    /* v' = a - c/m v, c/m = 1/REACTION: 0.1 s later v = a REACTION (1 - 1/e) */
    near_to(read_body(world).velocity.x, a / rate * (1 - exp(-0.1 * rate)), 0.01 * a / rate);
    cab_world_destroy(world);
}

/* A thousand times stiffer than a substep resolves: it goes where it is led, and stays. */
static void no_stiffness_makes_it_unstable(void **state)
{
    (void)state;
    const cab_body_motion motions[] = {CAB_BODY_FREE, CAB_BODY_HINGE, CAB_BODY_BALL};
    for (int i = 0; i < COUNT_OF(motions); i++) {
        cab_world *world = block_world("native", 20, G, motions[i]);
        cab_vec3 to = cab_vec3_add((cab_vec3){0, 0, 1}, (cab_vec3){0.1 * cos(0.5), 0, -0.1 * sin(0.5)});
        pull(world, 0, tip, to, 1e10);
        step(world, 240);
        cab_body_reading r = read_body(world);
        at_most(cab_vec3_distance(place_of(&r, tip), to), 1e-4); /* g h^2 and less in each substep: 7e-6 m */
        at_most(cab_vec3_length(r.velocity),
                motions[i] == CAB_BODY_FREE ? 3 : 0.01); /* it swings below the hand */
        cab_world_destroy(world);
    }
}

/* A body on a cable: by default it hangs M g/k = g (0.1 s)^2 below the hand, M with the cable. Let go, it falls freely. */
static void it_lifts_what_hangs_on_it(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = body_scene(20, G);
        cab_material_def slow = wire_of("slow", 0.002, 0);
        slow.damping = 5;
        slow.linear_density = 0.5;
        add_material(scene, slow);
        const cab_vec3 ends[] = {{0, 0, 0.98}, {0, 0, 0.38}};
        cab_cable_def cable = cab_cable_default();
        cable.name = "a";
        cable.material = "slow";
        cable.path = ends;
        cable.path_count = 2;
        cable.segments = 12;
        add_cable(scene, cable);
        add_body(scene, block_at("b", (cab_vec3){0, 0, 1}));
        end_on(scene, "a", (cab_place){0}, "b", (cab_vec3){0, 0, -0.02});
        cab_world *world = take(scene, devices[k], 1);
        pull(world, 0, middle, (cab_vec3){0, 0, 1.2}, 0);
        step(world, 480);
        cab_body_reading r = read_body(world);
        /* swings die down by exp(-5 t); floats of 1 m times k */
        near_to(1.2 - r.center.z, G * REACTION * REACTION, 2e-5);
        at_most(cab_vec3_length(r.velocity), 1e-4);
        let_go(world);
        step(world, 6);
        /* the cable's damping is 5/s of 0.3 in 2.3 kg; what a substep gives more or less counts as off */
        double c = 5 * 0.3 / 2.3;
        near_to(read_body(world).velocity.z, -G / c * (1 - exp(-0.1 * c)), G / 1200);
        cab_world_destroy(world);
    }
}

static cab_scene *hinged(cab_way way)
{
    (void)way;
    cab_scene *scene = body_scene(20, G);
    cab_body_def def = block_at("b", (cab_vec3){0, 0, 1});
    def.motion = CAB_BODY_HINGE;
    def.point = (cab_vec3){0, 0, 1};
    def.axis = (cab_vec3){0, 1, 0};
    add_body(scene, def);
    add_straight(scene, "a", (cab_vec3){0.1, 0, 1}, (cab_vec3){0.5, 0, 1}, 8);
    end_on(scene, "a", (cab_place){0}, "b", tip);
    return scene;
}

static void both_backends_pull_alike(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    cab_world *worlds[] = {take(hinged(CAB_WAY_STAGED), "native", 2),
                           take(hinged(CAB_WAY_STAGED), "opencl", 1)};
    for (int k = 0; k < 2; k++) {
        pull(worlds[k], 0, (cab_vec3){-0.1, 0.05, 0}, (cab_vec3){-0.1, 0, 1.1}, 0);
        step(worlds[k], 5);
        pull(worlds[k], 0, (cab_vec3){-0.1, 0.05, 0}, (cab_vec3){-0.1, 0, 1.2}, 0);
        step(worlds[k], 5);
    }
    same_motion(worlds[0], worlds[1], "pulled by a hand");
    cab_body_reading a = read_body(worlds[0]), b = read_body(worlds[1]);
    assert_memory_equal(&a, &b, sizeof a);
    at_least(fabs(a.rotation[2]), 1e-3);
    for (int k = 0; k < 2; k++) cab_world_destroy(worlds[k]);
}

/* From a body to a node, and back. */
static void one_hand_pulls_one_thing(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_world *world = take(hinged(CAB_WAY_STAGED), "native", 1),
              *other = take(hinged(CAB_WAY_STAGED), "native", 1);
    pull(world, 0, tip, (cab_vec3){0.1, 0, 1.3}, 0);
    must(cab_world_pull(world, 5, (cab_vec3){0.3, 0, 1}, 0, &error), &error);
    must(cab_world_pull(other, 5, (cab_vec3){0.3, 0, 1}, 0, &error), &error);
    step(world, 5);
    step(other, 5);
    same_motion(world, other, "a body pulled before, for no time");
    pull(world, 0, tip, (cab_vec3){0.1, 0, 1.3}, 0);
    let_go(world);
    let_go(other);
    step(world, 5);
    step(other, 5);
    same_motion(world, other, "let go");
    cab_world_destroy(world);
    cab_world_destroy(other);
}

static void what_cannot_be_pulled_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_world *world = block_world("native", 20, 0, CAB_BODY_FIXED);
    must_fail(cab_world_pull_body(world, 0, middle, middle, 0, &error), CAB_ERROR_INPUT, &error,
              "pull: no force moves the body \"b\"");
    must_fail(cab_world_pull_body(world, 1, middle, middle, 0, &error), CAB_ERROR_INPUT, &error,
              "pull: there is no body 1; expected 0 to 0");
    must_fail(cab_world_pull_body(world, -1, middle, middle, 0, &error), CAB_ERROR_INPUT, &error,
              "pull: there is no body -1");
    cab_world_destroy(world);
    world = block_world("native", 20, 0, CAB_BODY_FREE);
    must_fail(cab_world_pull_body(world, 0, (cab_vec3){NAN, 0, 0}, middle, 0, &error), CAB_ERROR_INPUT,
              &error, "pull: expected a place of the body of three finite numbers");
    must_fail(cab_world_pull_body(world, 0, middle, (cab_vec3){0, INFINITY, 0}, 0, &error), CAB_ERROR_INPUT,
              &error, "pull: expected a point of three finite numbers");
    must_fail(cab_world_pull_body(world, 0, middle, middle, -1, &error), CAB_ERROR_INPUT, &error,
              "pull: expected a stiffness of 0 or more, got -1");
    step(world, 1); /* nothing has changed */
    near_to(read_body(world).center.z, 1, 0);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_swings_as_a_mass_on_a_damped_spring),
        cmocka_unit_test(at_its_end_it_turns),
        cmocka_unit_test(on_a_hinge_torques_balance),
        cmocka_unit_test(a_wheel_is_held_against_its_rope),
        cmocka_unit_test(it_pulls_no_harder_from_far_away),
        cmocka_unit_test(no_stiffness_makes_it_unstable),
        cmocka_unit_test(it_lifts_what_hangs_on_it),
        cmocka_unit_test(both_backends_pull_alike),
        cmocka_unit_test(one_hand_pulls_one_thing),
        cmocka_unit_test(what_cannot_be_pulled_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

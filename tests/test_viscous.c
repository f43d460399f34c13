/* Damping of bending (bending_damping) against known answers: how fast modes decay, that neither what hangs still nor what moves
 * without bending feels it, that it never gives energy, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define LINEAR 0.05      /* kg/m, of wire_of() */
#define FIRST_MODE 3.516 /* of a clamped rod: omega = 3.516 sqrt(EI / mu L^4) */

static cab_error error;

static cab_scene *direct_scene(int substeps, double stiffness, double time, double damping)
{
    cab_scene *scene = scene_of(substeps);
    cab_material_def wire = wire_of("wire", 0.002, stiffness);
    wire.bending_damping = time;
    wire.damping = damping;
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    add_material(scene, wire);
    return scene;
}

/* ---- a rod that swings ---- */

enum { CORNERS = 16 };

/* Pushes the rod's end around once in a period, and then no more: it goes around in a circle. Or only up, for half a period. */
static void push(cab_scene *scene, double omega, bool around)
{
    cab_keyframe frame[CORNERS + 2];
    double turn = 2 * acos(-1);
    for (int k = 0; k <= CORNERS; k++) {
        double phase = turn * k / CORNERS, up = 0.2 * sin(phase), side = 0.2 * (1 - cos(phase)) / 2;
        frame[k] = (cab_keyframe){phase / omega, {0, around ? side : 0, up}};
    }
    frame[CORNERS].position = (cab_vec3){0, 0, 0};
    cab_load_def load = load_at("a", at_end());
    load.force_keyframes = frame;
    load.force_keyframe_count = CORNERS + 1;
    add_load(scene, load);
}

/* Of the end: the square of the amplitude, and what goes around, as a square, too. */
typedef struct swing {
    double square, around;
} swing;

static swing swing_of(cab_world *world, double omega)
{
    snapshot s = read_world(world);
    const double *x = s.x[s.nodes - 1], *v = s.v[s.nodes - 1];
    swing now = {x[1] * x[1] + x[2] * x[2] + (v[1] * v[1] + v[2] * v[2]) / (omega * omega),
                 2 * fabs(x[1] * v[2] - x[2] * v[1]) / omega};
    snapshot_free(&s);
    return now;
}

/* The mode decays by tau omega^2 / 2, its square by twice that. The tolerance of 1 % holds what the second mode has left after the
 * push (it decays 39 times as fast), and 16 segments, whose omega is 0.2 % off. */
static void decays(const char *device, int segments, bool around)
{
    const double stiffness = 1, time = 0.01, omega = FIRST_MODE * sqrt(stiffness / LINEAR);
    cab_scene *scene = direct_scene(20, stiffness, time, 0);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, segments);
    hold(scene, "a", (cab_place){0}, true);
    push(scene, omega, around);
    cab_world *world = take(scene, device, 1);
    step(world, 48);
    swing before = swing_of(world, omega);
    step(world, 60);
    swing after = swing_of(world, omega);
    near_to(log(before.square / after.square), time * omega * omega, 0.01 * time * omega * omega);
    if (around) {
        at_least(before.around, 0.5 * before.square); /* it does go around */
        near_to(log(before.around / after.around), time * omega * omega, 0.01 * time * omega * omega);
    }
    cab_world_destroy(world);
}

static void a_rod_decays_as_known(void **state)
{
    (void)state;
    decays("native", 16, false);
    decays("native", 48, false);
}

static void also_where_it_goes_around(void **state)
{
    (void)state;
    decays("native", 16, true);
    decays("native", 48, true);
}

static void and_on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    decays("opencl", 16, true);
}

/* ---- what does not bend ---- */

static cab_world *hanging(int substeps, double time, bool both)
{
    cab_scene *scene = direct_scene(substeps, 0.3, time, 3);
    const cab_vec3 path[] = {{0, 0, 1}, {0.5, 0, 0.9}, {1, 0, 1}};
    cab_cable_def cable = straight_of("a", "wire", path, 32);
    cable.path_count = COUNT_OF(path);
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, true);
    if (both) hold(scene, "a", at_end(), false);
    hang_weight(scene, "a", at_fraction(0.5), 0.1);
    return take(scene, "native", 1);
}

/* A rod that hangs still is where it is without damping, held at one end or both, with a weight: 5e-6 m are the floats of places of
 * 1 m, through which forces of mu l 6e-8/h^2 move its end. Were it damped by what the bending sees before lengths are solved,
 * it would be 3e-4 m with 20 substeps. */
static void what_hangs_still_is_not_bent(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        for (int substeps = 20; substeps <= 80; substeps *= 4) {
            cab_world *without = hanging(substeps, 0, both), *with = hanging(substeps, 0.1, both);
            step(with, 1200);
            step(without, 1200);
            snapshot a = read_world(without), b = read_world(with);
            at_most(a.x[both ? 16 : 32][2], 0.95); /* it does bend */
            at_most(largest_difference(&a, &b), 5e-6);
            snapshot_free(&a);
            snapshot_free(&b);
            cab_world_destroy(with);
            cab_world_destroy(without);
        }
    }
}

/* A bent rod, curved at rest, is spun by two forces for a tenth of a second and then left alone. */
static cab_world *spun(double time, int segments, cab_vec3 force)
{
    static const cab_vec3 path[] = {
        {0, 0, 0}, {0.1, 0, 0}, {0.15, 0.1, 0.02}, {0.1, 0.2, 0.1}, {0, 0.2, 0.15}};
    cab_scene *scene = scene_of(800);
    cab_material_def wire = wire_of("wire", 0.002, 0.1);
    wire.bending_damping = time;
    wire.rest_shape_path = true;
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire);
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = COUNT_OF(path);
    cable.curve = CAB_CURVE_CATMULL_ROM;
    add_cable(scene, cable);
    for (int end = 0; end < 2; end++) {
        double sign = end ? -1 : 1;
        const cab_keyframe frame[] = {
            {0, {0, 0, 0}}, {0.05, {sign * force.x, sign * force.y, sign * force.z}}, {0.1, {0, 0, 0}}};
        cab_load_def load = load_at("a", end ? at_end() : (cab_place){0});
        load.force_keyframes = frame;
        load.force_keyframe_count = COUNT_OF(frame);
        add_load(scene, load);
    }
    return take(scene, "native", 1);
}

/* About the center of mass; all particles but the ends have the same mass. */
static void turning(cab_world *world, double out[3])
{
    snapshot s = read_world(world);
    double center[3] = {0}, speed[3] = {0}, all = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 3; k++) out[k] = 0;
        for (int i = 0; i < s.nodes; i++) {
            double w = i == 0 || i == s.nodes - 1 ? 0.5 : 1, x[3], v[3], l[3];
            for (int k = 0; k < 3; k++) {
                if (pass == 0) center[k] += w * s.x[i][k];
                if (pass == 0) speed[k] += w * s.v[i][k];
                x[k] = s.x[i][k] - center[k];
                v[k] = s.v[i][k] - speed[k];
            }
            all += pass ? 0 : w;
            cross3(x, v, l);
            for (int k = 0; k < 3; k++) out[k] += w * l[k];
        }
        for (int k = 0; k < 3 && pass == 0; k++) {
            center[k] /= all;
            speed[k] /= all;
        }
    }
    snapshot_free(&s);
}

/* A rod that turns without bending keeps its energy and its angular momentum. It was bent when it was spun, by forces in the plane of
 * its middle and across it, and its vibrations have gone in a second. Floats leave lengths 6e-8 off, which in substeps of 2e-5 s look
 * like bending by 1e-2 rad/s: that turns it by up to 3 % in a second. Were the turning damped, it would be gone in
 * I / (EI tau kappa^2 L) = 1 ms. */
static void what_turns_is_not_damped(void **state)
{
    (void)state;
    static const cab_vec3 force[] = {{0, 0, 0.3}, {0.3, -0.1, 0}, {0.1, 0.2, 0.2}};
    for (int k = 0; k < COUNT_OF(force); k++) {
        for (int segments = 12; segments <= 24; segments *= 2) {
            cab_world *world = spun(0.05, segments, force[k]);
            double before[3], after[3];
            step(world, 60);
            cab_measures m = measure(world);
            turning(world, before);
            at_least(m.kinetic, 1e-3);
            step(world, 60);
            near_to(measure(world).kinetic / m.kinetic, 1, 0.03);
            turning(world, after);
            for (int c = 0; c < 3; c++) near_to(after[c], before[c], 0.03 * sqrt(dot3(before, before)));
            cab_world_destroy(world);
        }
    }
}

/* ---- what always holds ---- */

/* A clamped rod falls from above, for 2 s: energy goes, and never comes, but for what floats make of it. (Without damping it comes
 * back by 0.4 % of what moves with these 80 substeps.) */
static void energy_only_goes(void **state)
{
    (void)state;
    static const double time[] = {0.001, 0.01, 0.1, 1};
    for (int k = 0; k < COUNT_OF(time); k++) {
        cab_scene *scene = direct_scene(80, 1e-3, time[k], 0);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.8, 0.1, 1.2}, 40);
        hold(scene, "a", (cab_place){0}, true);
        cab_world *world = take(scene, "native", 1);
        cab_measures m = measure(world);
        double last = m.kinetic + m.potential, moved = 0;
        for (int frame = 0; frame < 120; frame++) {
            step(world, 1);
            m = measure(world);
            moved = fmax(moved, m.kinetic);
            at_most(m.kinetic + m.potential - last, 1e-5 * moved);
            last = fmin(last, m.kinetic + m.potential);
        }
        at_least(moved, 0.05);
        cab_world_destroy(world);
    }
}

/* A state carries on with the same bytes, and what has slept or was stopped does not count. */
static void a_state_goes_on_with_the_same_bytes(void **state)
{
    (void)state;
    cab_world *world[2];
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = direct_scene(10, 0.01, 0.05, 0);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0.1, 1}, 20);
        hold(scene, "a", (cab_place){0}, true);
        hold(scene, "a", at_fraction(0.5), true);
        world[k] = take(scene, "native", 1);
    }
    step(world[0], 10);
    must(cab_world_save(world[0], "viscous.state", &error), &error);
    must(cab_world_load(world[1], "viscous.state", &error), &error);
    same_motion(world[0], world[1], "after a state");
    step(world[0], 10);
    step(world[1], 10);
    same_motion(world[0], world[1], "ten frames later");
    remove("viscous.state");
    for (int k = 0; k < 2; k++) cab_world_destroy(world[k]);
}

/* Cables of two lengths, free, held and clamped at either end or both, and one that is not damped. */
static cab_scene *many(cab_way way)
{
    cab_scene *scene = direct_scene(10, 0.01, 0.05, 0);
    cab_scene_settings(scene)->way = way;
    add_material(scene, wire_of("plain", 0.002, 0.01));
    for (int k = 0; k < 10; k++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", k);
        const cab_vec3 path[] = {{0, 0.1 * k, 1}, {0.3, 0.1 * k, 1.1}, {0.5, 0.1 * k + 0.05, 1}};
        cab_cable_def cable = straight_of(name, k == 9 ? "plain" : "wire", path, k % 2 ? 12 : 17);
        cable.path_count = COUNT_OF(path);
        add_cable(scene, cable);
        if (k & 1) hold(scene, name, (cab_place){0}, k & 4);
        if (k & 2) hold(scene, name, at_end(), k & 4);
    }
    return scene;
}

static void lanes_do_as_stages(void **state)
{
    (void)state;
    lanes_near_stages(many);
}

static void devices_agree(void **state)
{
    (void)state;
    devices_give_the_same(many);
}

/* Also where saving brings tiles into the buffers. */
static void lanes_go_on_with_the_same_bytes(void **state)
{
    (void)state;
    state_goes_on(many, CAB_WAY_LANES, 4, "viscous_lanes.state");
}

static void other_methods_refuse_it(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(10, 0.01, 0.05, 0);
    cab_scene_settings(scene)->method = CAB_METHOD_XPBD;
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0.1, 1}, 20);
    cab_world_def def = cab_world_default();
    cab_world *world = NULL;
    def.device = "native";
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_UNSUPPORTED, &error,
              "/materials/wire/bending_damping: the method \"xpbd\" does not damp bending");
    cab_scene_destroy(scene);
}

static void a_drum_refuses_it(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(10, 0.01, 0.05, 0);
    static const cab_feed_keyframe keyframes[] = {{0, 0}, {1, 0.1}};
    const cab_vec3 path[] = {{0, 0, 1}, {0.5, 0, 1}};
    cab_feed_def feed = {.keyframes = keyframes, .keyframe_count = COUNT_OF(keyframes), .stored = 0.2};
    cab_cable_def cable = straight_of("a", "wire", path, 20);
    cable.feed = feed;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    cab_world_def def = cab_world_default();
    cab_world *world = NULL;
    def.device = "native";
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error,
              "a material without bending_damping");
    cab_scene_destroy(scene);
}

/* What is damped at the start may be damped more or less later; what is not, may not. */
static void materials_change(void **state)
{
    (void)state;
    for (int damped = 0; damped < 2; damped++) {
        cab_scene *scene = direct_scene(10, 0.01, damped ? 0.05 : 0, 0);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0.1, 1}, 20);
        hold(scene, "a", (cab_place){0}, true);
        cab_world *world = take(scene, "native", 1);
        cab_material_def wire = wire_of("wire", 0.002, 0.01);
        wire.bending_damping = 0.2;
        step(world, 2);
        if (damped) {
            must(cab_world_set_material(world, &wire, &error), &error);
            step(world, 2);
        } else {
            must_fail(cab_world_set_material(world, &wire, &error), CAB_ERROR_INPUT, &error,
                      "material \"wire\": damping of bending cannot be switched on");
        }
        cab_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_decays_as_known),
        cmocka_unit_test(also_where_it_goes_around),
        cmocka_unit_test(and_on_opencl),
        cmocka_unit_test(what_hangs_still_is_not_bent),
        cmocka_unit_test(what_turns_is_not_damped),
        cmocka_unit_test(energy_only_goes),
        cmocka_unit_test(a_state_goes_on_with_the_same_bytes),
        cmocka_unit_test(lanes_do_as_stages),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(lanes_go_on_with_the_same_bytes),
        cmocka_unit_test(other_methods_refuse_it),
        cmocka_unit_test(a_drum_refuses_it),
        cmocka_unit_test(materials_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The direct method: lengths, tensions and motion against known answers, both ways, and what changes on the way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scenes.h"

#include "backend/backend.h"

#define G 9.81

static const cab_way ways[2] = {CAB_WAY_LANES, CAB_WAY_STAGED};

static cab_scene *direct_scene(int substeps)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    return scene;
}

static cab_world *world_in(cab_scene *scene, cab_way way)
{
    cab_scene_settings(scene)->way = way;
    cab_world *world = native_world(scene);
    assert_int_equal(cab_world_get_info(world).way, way);
    return world;
}

static snapshot after(cab_scene *scene, cab_way way, int frames)
{
    cab_world *world = world_in(scene, way);
    step(world, frames);
    snapshot s = read_world(world);
    cab_world_destroy(world);
    return s;
}

/* The largest relative error of a length over the frames of a run. */
static double worst_stretch(cab_world *world, int frames)
{
    step(world, frames);
    return measure(world).stretch_worst;
}

/* ---- the two ways ---- */

static void lanes_are_staged(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        if (!test_scenes[i].lanes) continue;
        cab_scene *scene = test_scenes[i].make();
        cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
        snapshot lanes = after(scene, CAB_WAY_LANES, 12), staged = after(scene, CAB_WAY_STAGED, 12);
        double far = 0;
        for (int k = 0; k < lanes.nodes; k++) far = fmax(far, fabs(lanes.tension[k] - staged.tension[k]));
        print_message("%s %g m, %g N\n", test_scenes[i].name, largest_difference(&lanes, &staged), far);
        snapshot_free(&lanes);
        snapshot_free(&staged);
        cab_scene_destroy(scene);
    }
}

/* ---- lengths ---- */

static void lengths_stay_through_a_fall(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        for (int bends = 0; bends < 2; bends++) {
            cab_scene *scene = direct_scene(20);
            add_material(scene, wire_of("wire", 0.003, bends * 1e-4));
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0.1, 1.2}, 64);
            hold(scene, "a", (cab_place){0}, false);
            cab_world *world = world_in(scene, ways[w]);
            print_message("fall %g\n", worst_stretch(world, 120));
            cab_world_destroy(world);
            cab_scene_destroy(scene);
        }
    }
}

/* ---- tension ---- */

/* Ten segments of 0.1 m that hang down, with a weight and a force at the end. */
#define HUNG 10
#define WEIGHT 0.2 /* kg */
#define PULL 0.7   /* N */

static cab_scene *hung_scene(double stretching, double damping)
{
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    wire.stretching_stiffness = stretching;
    wire.damping = damping;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 2}, (cab_vec3){0, 0, 1}, HUNG);
    hold(scene, "a", (cab_place){0}, false);
    cab_load_def load = load_at("a", at_end());
    load.mass = WEIGHT;
    load.force = (cab_vec3){0, 0, -PULL};
    add_load(scene, load);
    return scene;
}

/* What pulls at segment i, N: the particles below it, half a segment at the end. */
static double pull_at(int i)
{
    return G * (0.05 * 0.1 * (HUNG - i - 0.5) + WEIGHT) + PULL;
}

static void tension_is_what_hangs_below(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = hung_scene(INFINITY, 0);
        snapshot s = after(scene, ways[w], 30);
        double worst = 0;
        for (int i = 0; i < HUNG; i++) worst = fmax(worst, fabs(s.tension[i] / pull_at(i) - 1));
        print_message("tension %g moved %g\n", worst, s.x[HUNG][2] - 1);
        snapshot_free(&s);
        cab_scene_destroy(scene);
    }
}

static void elastic_cables_stretch_as_they_must(void **state)
{
    (void)state;
    const double stiffness = 100;
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = hung_scene(stiffness, 30);
        snapshot s = after(scene, ways[w], 300);
        double worst = 0, worst_t = 0;
        for (int i = 0; i < HUNG; i++) {
            double strain = distance3(s.x[i], s.x[i + 1]) / 0.1 - 1;
            worst = fmax(worst, fabs(strain / (pull_at(i) / stiffness) - 1));
            worst_t = fmax(worst_t, fabs(s.tension[i] / pull_at(i) - 1));
        }
        print_message("elastic %g %g\n", worst, worst_t);
        snapshot_free(&s);
        cab_scene_destroy(scene);
    }
}

/* A cable hangs from a hold down to a floor where most of it lies: contact passes and lengths take turns. */
static void tension_above_a_floor(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact_cables = settings->contact_self = true;
    cab_material_def wire = wire_of("wire", 0.003, 1e-5);
    wire.damping = 10;
    wire.stretching_stiffness = 20;
    add_material(scene, wire);
    const cab_vec3 path[] = {{0, 0, 0.503}, {0, 0, 0.003}, {0.5, 0, 0.003}};
    cab_cable_def cable = straight_of("a", "wire", path, 50);
    cable.path_count = 3;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    add_floor(scene, 0);
    snapshot s = after(scene, CAB_WAY_STAGED, 240);
    print_message("floor: tension %g weight %g strain %g\n", s.tension[0], 0.05 * G * s.x[0][2],
                  distance3(s.x[0], s.x[1]) / 0.02 - 1);
    snapshot_free(&s);
    cab_scene_destroy(scene);
}

/* ---- damping ---- */

static void damped_fall(void **state)
{
    (void)state;
    const double rate = 4;
    for (int w = 0; w < 2; w++) {
        cab_scene *scene = direct_scene(20);
        cab_material_def wire = wire_of("wire", 0.003, 1e-4);
        wire.damping = rate;
        add_material(scene, wire);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 10);
        for (int frames = 15; frames <= 300; frames *= 20) {
            snapshot s = after(scene, ways[w], frames);
            double v = -G / rate * (1 - exp(-rate * frames / 60.0));
            print_message("damped %g %g\n", s.v[3][2], s.v[3][2] / v - 1);
            snapshot_free(&s);
        }
        cab_scene_destroy(scene);
    }
}

static void damping_leaves_the_static_shape(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        snapshot shape[2];
        for (int k = 0; k < 2; k++) {
            cab_scene *scene = direct_scene(20);
            cab_material_def wire = wire_of("wire", 0.003, 1e-2);
            wire.damping = k ? 60 : 15;
            add_material(scene, wire);
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 20);
            hold(scene, "a", (cab_place){0}, true);
            shape[k] = after(scene, ways[w], 600);
            cab_scene_destroy(scene);
        }
        print_message("shape %g drop %g\n", largest_difference(&shape[0], &shape[1]), shape[0].x[20][2]);
        snapshot_free(&shape[0]);
        snapshot_free(&shape[1]);
    }
}

/* ---- joined cables ---- */

/* Three branches meet at a junction of `ratio` times the mass of a particle; one is held. */
static cab_scene *tree_scene(double ratio, bool held)
{
    cab_scene *scene = direct_scene(20);
    add_material(scene, wire_of("wire", 0.003, 1e-5));
    const cab_vec3 ends[3] = {{0, 0, 1.5}, {0.35, 0.1, 1}, {-0.3, 0.2, 1.1}};
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        add_straight(scene, name, (cab_vec3){0, 0, 1}, ends[i], 16);
        if (i > 0) join(scene, name, (cab_place){0}, "b0", (cab_place){0});
    }
    if (held) hold(scene, "b0", at_end(), false);
    hang_weight(scene, "b0", (cab_place){0}, ratio * 0.05 * 0.5 / 16);
    return scene;
}

static void a_tree_keeps_its_lengths(void **state)
{
    (void)state;
    cab_scene *scene = tree_scene(850, true);
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    print_message("tree %g\n", worst_stretch(world, 120));
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void a_junction_is_in_balance(void **state)
{
    (void)state;
    cab_scene *scene = direct_scene(20);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 8;
    add_material(scene, wire);
    const cab_vec3 ends[3] = {{0.4, 0, 1.4}, {-0.3, 0.1, 1.5}, {0, 0, 0.7}};
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        add_straight(scene, name, (cab_vec3){0, 0, 1}, ends[i], 12);
        if (i > 0) join(scene, name, (cab_place){0}, "b0", (cab_place){0});
        if (i < 2) hold(scene, name, at_end(), false);
    }
    hang_weight(scene, "b2", at_end(), 0.3);
    snapshot s = after(scene, CAB_WAY_STAGED, 600);
    double sum[3] = {0, 0, 0}, mass = 0;
    for (int b = 0; b < 3; b++) {
        int n = 13 * b;
        double length = distance3(s.x[n], s.x[n + 1]);
        for (int k = 0; k < 3; k++) sum[k] += s.tension[n] * (s.x[n + 1][k] - s.x[n][k]) / length;
        mass += 0.05 * length / 2;
    }
    print_message("junction %g %g %g t %g %g %g\n", sum[0], sum[1], sum[2] - mass * G, s.tension[0], s.tension[13],
                  s.tension[26]);
    snapshot_free(&s);
    cab_scene_destroy(scene);
}

static double momentum_error(cab_scene *scene, double mass, double time, const double start[3])
{
    (void)mass;
    (void)time;
    (void)start;
    (void)scene;
    return 0;
}

/* The momentum of nodes, each with the mass of its half segments; weights by the scene. */
static void a_free_tree_keeps_its_momentum(void **state)
{
    (void)state;
    (void)momentum_error;
    cab_scene *scene = tree_scene(850, false);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_error error = {0};
    cab_load_def load = load_at("b1", at_end());
    load.force = (cab_vec3){0.1, 0.3, -0.2};
    add_load(scene, load);
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    const double rest[3] = {0.5, sqrt(0.35 * 0.35 + 0.01), sqrt(0.09 + 0.04 + 0.01)};
    double heavy = 850 * 0.05 * 0.5 / 16;
    for (int f = 1; f <= 60; f++) {
        step(world, 1);
        snapshot s = read_world(world);
        double p[3] = {0, 0, 0}, size = 0;
        for (int b = 0; b < 3; b++) {
            for (int i = 0; i <= 16; i++) {
                double m = 0.05 * rest[b] / 16 * (i == 0 || i == 16 ? 0.5 : 1) + (b == 0 && i == 0 ? heavy : 0);
                for (int k = 0; k < 3; k++) p[k] += m * s.v[17 * b + i][k];
                size += m * sqrt(pow(s.v[17 * b + i][0], 2) + pow(s.v[17 * b + i][1], 2) + pow(s.v[17 * b + i][2], 2));
            }
        }
        double t = f / 60.0;
        if (f % 10 == 0)
            print_message("momentum %g %g %g of %g %g\n", p[0] - 0.1 * t, p[1] - 0.3 * t, p[2] + 0.2 * t, size,
                          measure(world).stretch_worst);
        snapshot_free(&s);
    }
    (void)error;
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void rings_keep_their_lengths(void **state)
{
    (void)state;
    cab_scene *scene = make_rings();
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->substeps = 20;
    cab_world *world = world_in(scene, CAB_WAY_STAGED);
    print_message("rings %g\n", worst_stretch(world, 120));
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- lengths that cannot be met ---- */

static void holds_too_far_apart_stay_calm(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        for (int led = 0; led < 2; led++) {
            cab_scene *scene = direct_scene(20);
            add_material(scene, wire_of("wire", 0.003, 1e-4));
            cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.99, 0, 1}}, 32);
            cable.length = 1;
            add_cable(scene, cable);
            hold(scene, "a", (cab_place){0}, false);
            cab_attachment_def end = held_at("a", at_end());
            const cab_keyframe frames[] = {{0, {0.99, 0, 1}}, {0.5, {1.05, 0, 1}}};
            end.to = led ? CAB_TARGET_KEYFRAMES : CAB_TARGET_POINT;
            end.point = (cab_vec3){1.05, 0, 1};
            end.keyframes = frames;
            end.keyframe_count = 2;
            add_attachment(scene, end);
            cab_world *world = world_in(scene, ways[w]);
            double fastest = 0, first = 0;
            for (int f = 0; f < 240; f++) {
                step(world, 1);
                double v = measure(world).speed_max;
                if (f < 60) first = fmax(first, v);
                else fastest = fmax(fastest, v);
            }
            print_message("apart way %d led %d: %g m/s, then %g, stretch %g\n", w, led, first, fastest,
                          measure(world).stretch_max);
            cab_world_destroy(world);
            cab_scene_destroy(scene);
        }
    }
}

/* ---- order ---- */

static void the_error_is_of_second_order(void **state)
{
    (void)state;
    for (int w = 0; w < 2; w++) {
        for (int held = 0; held < 2; held++) {
            snapshot s[4];
            for (int k = 0; k < 4; k++) {
                cab_scene *scene = direct_scene(5 << k);
                add_material(scene, wire_of("wire", 0.003, 1e-3));
                cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.5, 0, 1}}, 8);
                cable.velocity = (cab_vec3){0, 0, held ? 0 : 1};
                add_cable(scene, cable);
                if (held) hold(scene, "a", (cab_place){0}, false);
                else {
                    cab_load_def load = load_at("a", at_end());
                    load.force = (cab_vec3){0, 0.1, 0};
                    add_load(scene, load);
                }
                s[k] = after(scene, ways[w], 15);
                cab_scene_destroy(scene);
            }
            for (int k = 0; k < 2; k++)
                print_message("order way %d held %d: %g / %g = %g\n", w, held, largest_difference(&s[k], &s[k + 1]),
                              largest_difference(&s[k + 1], &s[k + 2]),
                              largest_difference(&s[k], &s[k + 1]) / largest_difference(&s[k + 1], &s[k + 2]));
            for (int k = 0; k < 4; k++) snapshot_free(&s[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_staged),
        cmocka_unit_test(lengths_stay_through_a_fall),
        cmocka_unit_test(tension_is_what_hangs_below),
        cmocka_unit_test(elastic_cables_stretch_as_they_must),
        cmocka_unit_test(tension_above_a_floor),
        cmocka_unit_test(damped_fall),
        cmocka_unit_test(damping_leaves_the_static_shape),
        cmocka_unit_test(a_tree_keeps_its_lengths),
        cmocka_unit_test(a_junction_is_in_balance),
        cmocka_unit_test(a_free_tree_keeps_its_momentum),
        cmocka_unit_test(rings_keep_their_lengths),
        cmocka_unit_test(holds_too_far_apart_stay_calm),
        cmocka_unit_test(the_error_is_of_second_order),
    };
    return cmocka_run_group_tests_name("direct", tests, NULL, NULL);
}

/* Long held cables whose spans lie side by side in tiles (kernels/spans.cl): the bits of the way branch by branch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "direct.h"

#define SPANS 5
#define PER_SPAN 136 /* segments; more than CAB_STIFF_LONG, so that a span has the stiffness of its tension */
#define NODES (SPANS * PER_SPAN + 1)
#define FRAMES 8

/* A line over SPANS + 1 masts that swings, with an end that hangs free; a short cable at height 0, and
 * a floor: in contact there are more passes over lengths than without colliders. */
static cab_scene *line_scene(double floor)
{
    cab_scene *scene = direct_scene(20);
    cab_scene_settings(scene)->way = CAB_WAY_STAGED;
    add_material(scene, wire_of("wire", 0.003, 1e-3));
    cab_cable_def line =
        straight_of("line", "wire", (const cab_vec3[2]){{0, 0, 5}, {6.8, 0, 5}}, NODES - 1 + 20);
    line.length = 7.06;
    line.velocity = (cab_vec3){0, 0.2, 0};
    add_cable(scene, line);
    for (int i = 0; i <= SPANS; i++) hold(scene, "line", at_particle(i * PER_SPAN), false);
    add_straight(scene, "lying", (cab_vec3){0, 3, 0.003}, (cab_vec3){0.2, 3, 0.003}, 4);
    add_floor(scene, floor);
    return scene;
}

/* The first nodes of a run's last frame. */
static snapshot line_of(cab_scene *scene, const char *device)
{
    cab_world *world = world_on(scene, device, 2);
    step(world, FRAMES);
    /* kept to a tenth of what counts as a length that cannot be met, so that tension is a stiffness throughout */
    at_most(measure(world).stretch_worst, 1e-4);
    snapshot s = read_world(world);
    s.nodes = NODES + 20;
    cab_world_destroy(world);
    return s;
}

/* While a collider is near anything all cables go branch by branch. What lies on the floor, or falls to it, is far from the
 * line, and is not joined to it. */
static void tiles_have_the_bits_of_branches(void **state)
{
    (void)state;
    cab_scene *apart = line_scene(-9), *near = line_scene(0);
    snapshot tiles = line_of(apart, "native"), branches = line_of(near, "native");
    same_bytes(&tiles, &branches, "side by side and branch by branch");
    snapshot_free(&branches);
    static const char *const sets[] = {"baseline", "avx2", "avx512"}; /* lanes: 4, 8, 16 */
    for (int i = 0; i < COUNT_OF(sets); i++) {
        cab_error error = {0};
        setenv("CLCABLE_ISA", sets[i], 1);
        cab_world_def def = cab_world_default();
        cab_world *world = NULL;
        def.device = "native";
        bool has = cab_world_create(apart, &def, &world, &error) == CAB_OK;
        cab_world_destroy(world);
        if (!has) continue;
        snapshot other = line_of(apart, "native");
        same_bytes(&tiles, &other, sets[i]);
        snapshot_free(&other);
    }
    unsetenv("CLCABLE_ISA");
    char id[32];
    if (find_device(POCL, id)) {
        snapshot other = line_of(apart, id);
        same_bytes(&tiles, &other, "PoCL");
        snapshot_free(&other);
    }
    snapshot_free(&tiles);
    cab_scene_destroy(apart);
    cab_scene_destroy(near);
}

/* A cable cut at its hold still bends as one: a stiff beam over three supports whose first span is loaded in the middle
 * by P lifts the middle of the second by 9/1536 P L^3/EI, clamped at neither end (three moments: M = -3 P L/32 at
 * the middle support; without its bending across the hold, by nothing). */
static void bends_across_its_hold(void **state)
{
    (void)state;
    const double span = 1, stiffness = 2, force = 0.2;
    const int segments = 130;
    cab_scene *scene = direct_scene(20);
    cab_scene_settings(scene)->way = CAB_WAY_STAGED;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    cab_material_def wire = wire_of("wire", 0.003, stiffness);
    wire.damping = 20;
    wire.stretching_stiffness = 1; /* as good as none, so that the beam may bend between its supports */
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){2 * span, 0, 1}, 2 * segments);
    for (int i = 0; i < 3; i++) hold(scene, "a", at_particle(i * segments), false);
    cab_load_def load = load_at("a", at_particle(segments / 2));
    load.force = (cab_vec3){0, 0, -force};
    add_load(scene, load);
    cab_world *world = native_world(scene);
    step(world, 90);
    double lifted[3];
    node_place(world, segments + segments / 2, lifted);
    double expected = 9.0 / 1536 * force * span * span * span / stiffness;
    near_to(lifted[2] - 1, expected, 0.02 * expected);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- whole frames ---- */

/* The line by itself, in frames of spans (AUTO) or stage by stage. Its spans differ in length, the cable is bent where it
 * is held, one hold moves; some masts are higher. */
static cab_scene *frame_scene(cab_way way)
{
    cab_scene *scene = direct_scene(20);
    cab_scene_settings(scene)->way = way;
    add_material(scene, wire_of("wire", 0.003, 1e-3));
    cab_cable_def line =
        straight_of("line", "wire", (const cab_vec3[2]){{0, 0, 5}, {6.8, 0, 5}}, NODES - 1 + 20);
    line.length = 7.06;
    line.velocity = (cab_vec3){0, 0.2, 0};
    add_cable(scene, line);
    const double x = 6.8 * PER_SPAN / (NODES - 1 + 20);
    const cab_keyframe frames[] = {{0, {x, 0, 5}}, {0.1, {x, 0.02, 5.01}}};
    for (int i = 0; i <= SPANS; i++) {
        if (i != 1) {
            hold(scene, "line", at_particle(i * PER_SPAN + (i == 3 ? 4 : 0)), false);
            continue;
        }
        cab_attachment_def led = held_at("line", at_particle(PER_SPAN));
        led.to = CAB_TARGET_KEYFRAMES;
        led.keyframes = frames;
        led.keyframe_count = COUNT_OF(frames);
        add_attachment(scene, led);
    }
    return scene;
}

/* The whole line after a run. looked: somebody reads the places after each frame. */
static snapshot framed(cab_scene *scene, const char *device, int threads, bool looked)
{
    cab_world *world = world_on(scene, device, threads);
    for (int f = 0; f < FRAMES; f++) {
        step(world, 1);
        if (!looked) continue;
        snapshot seen = read_world(world);
        snapshot_free(&seen);
    }
    at_most(measure(world).stretch_worst, 2e-5);
    snapshot s = read_world(world);
    cab_world_destroy(world);
    return s;
}

/* Same bits of a frame, whoever computes it, and looks at it; the way stage by stage goes where they go, as far as both keep
 * their lengths: an error of 1e-5 of these is one of 1e-4 of a span's sag, 6 cm. */
static void frames_of_spans(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512"};
    cab_scene *frames = frame_scene(CAB_WAY_AUTO), *stages = frame_scene(CAB_WAY_STAGED);
    snapshot one = framed(frames, "native", 1, false), two = framed(frames, "native", 2, true);
    same_bytes(&one, &two, "threads, looked at");
    snapshot_free(&two);
    for (int i = 0; i < COUNT_OF(sets); i++) {
        cab_error error = {0};
        setenv("CLCABLE_ISA", sets[i], 1);
        cab_world_def def = cab_world_default();
        cab_world *world = NULL;
        def.device = "native";
        bool has = cab_world_create(frames, &def, &world, &error) == CAB_OK;
        cab_world_destroy(world);
        if (!has) continue;
        snapshot other = framed(frames, "native", 2, false);
        same_bytes(&one, &other, sets[i]);
        snapshot_free(&other);
    }
    unsetenv("CLCABLE_ISA");
    char id[32];
    if (find_device(POCL, id)) {
        snapshot other = framed(frames, id, 2, false);
        same_bytes(&one, &other, "PoCL");
        snapshot_free(&other);
    }
    snapshot staged = framed(stages, "native", 2, false);
    double worst = largest_difference(&one, &staged);
    at_most(worst, 2e-5);
    assert_true(worst > 0); /* it is another order of operations: else these were no frames of spans */
    snapshot_free(&staged);
    snapshot_free(&one);
    cab_scene_destroy(frames);
    cab_scene_destroy(stages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_have_the_bits_of_branches),
        cmocka_unit_test(bends_across_its_hold),
        cmocka_unit_test(frames_of_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

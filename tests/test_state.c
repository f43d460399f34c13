/* States: what is read back goes on bit for bit, scene by scene, method by method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "state.h"

/* Every few frames another world takes over the state, and goes along for some frames; the last to the end.
 */
static void resumes(const test_scene *scene, test_way way, const char *device, const char *other)
{
    char what[160];
    snprintf(what, sizeof what, "%s, %s, %s to %s", scene->name, way.name, device, other);
    cab_world *whole = world_of(scene, way, device);
    int part = scene->frames / 4;
    for (int frame = 0; frame < scene->frames; frame += part) {
        bytes saved = pack(whole);
        cab_world *rest = world_of(scene, way, other);
        unpack(rest, saved);
        same_worlds(whole, rest, what);
        bool last = frame + 2 * part > scene->frames;
        if (last) part = scene->frames - frame;
        step(whole, part);
        step(rest, part);
        same_worlds(whole, rest, what);
        if (last) assert_int_equal(cab_world_get_broken(rest, NULL, NULL, 0), scene->broken);
        free(saved.data);
        cab_world_destroy(rest);
    }
    cab_world_destroy(whole);
}

/* With the ways that test_scenes leave out. */
static int all_ways(const test_scene *scene, test_way out[WAYS_MAX + 2])
{
    int count = ways_of(scene, out);
    if (!scene->lanes) return count;
    out[count++] = (test_way){CAB_METHOD_XPBD, CAB_WAY_LANES, "xpbd in lanes"};
    return count;
}

static void every_scene_goes_on_bit_for_bit(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        test_way ways[WAYS_MAX + 2];
        int count = all_ways(&test_scenes[i], ways);
        for (int k = 0; k < count; k++) resumes(&test_scenes[i], ways[k], "native", "native");
    }
}

static cab_scene *make_plain(void)
{
    cab_scene *scene = make_swing();
    cab_settings *s = cab_scene_settings(scene);
    add_floor(scene, 0.7);
    s->substeps = 40;
    s->relaxation.dampening = 0.001;
    return scene;
}

/* The methods of the coloured engine; some end their iterations early, which the means tell. */
static void every_method_goes_on_bit_for_bit(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_STIFF_SPRINGS, CAB_METHOD_JAKOBSEN, CAB_METHOD_PBD,
                                         CAB_METHOD_JACOBI};
    for (int i = 0; i < COUNT_OF(methods); i++) {
        cab_scene *scene = make_plain();
        cab_settings *settings = cab_scene_settings(scene);
        settings->method = methods[i];
        if (i > 0) {
            settings->iterations = 8;
            settings->tolerance.move = 1e-5;
        }
        cab_world *whole = native_world(scene), *rest = native_world(scene);
        step(whole, 11);
        bytes saved = pack(whole);
        unpack(rest, saved);
        step(whole, 9);
        step(rest, 9);
        same_worlds(whole, rest, "method");
        free(saved.data);
        cab_scene_destroy(scene);
        cab_world_destroy(whole);
        cab_world_destroy(rest);
    }
}

/* Chunks count: where a cable is cut decides what comes first. */
static void chunks_go_on_with_as_many(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = make_swing();
    cab_settings *settings = cab_scene_settings(scene);
    settings->way = CAB_WAY_CHUNKS;
    settings->chunks.count = 3;
    cab_world *whole = native_world(scene), *rest = native_world(scene);
    step(whole, 5);
    bytes saved = pack(whole);
    unpack(rest, saved);
    step(whole, 5);
    step(rest, 5);
    same_worlds(whole, rest, "chunks");
    cab_world_destroy(rest);
    settings->chunks.count = 2;
    rest = native_world(scene);
    must_fail(cab_world_unpack(rest, saved.data, saved.size, &error), CAB_ERROR_INPUT, &error, "the state: ");
    free(saved.data);
    cab_scene_destroy(scene);
    cab_world_destroy(whole);
    cab_world_destroy(rest);
}

static void another_device_goes_on_bit_for_bit(void **state)
{
    (void)state;
    static const char *const names[] = {"mixed", "keyframes", "pile", "heap", "breaking", "harness on floor"};
    char pocl[32];
    if (!find_device(POCL, pocl)) skip();
    for (int i = 0; i < COUNT_OF(names); i++) {
        const test_scene *scene = scene_called(names[i]);
        test_way ways[WAYS_MAX + 2];
        int count = all_ways(scene, ways);
        for (int k = 0; k < count; k++) {
            resumes(scene, ways[k], "native", pocl);
            resumes(scene, ways[k], pocl, "native");
        }
    }
}

static void coloured_and_fused_take_each_others_states(void **state)
{
    (void)state;
    const test_scene *scene = scene_called("clamps");
    cab_world *fused = world_of(scene, (test_way){CAB_METHOD_XPBD, CAB_WAY_FUSED, ""}, "native");
    cab_world *coloured = world_of(scene, (test_way){CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""}, "native");
    step(fused, 5);
    bytes saved = pack(fused);
    unpack(coloured, saved);
    step(fused, 5);
    step(coloured, 5);
    same_motion(fused, coloured, "fused, then coloured");
    free(saved.data);
    cab_world_destroy(fused);
    cab_world_destroy(coloured);
}

/* Two stiff cables, joined at an angle and thrown apart, which touch and are off their lengths now and then: substeps are taken again. */
static cab_world *thrown_angle(void)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->contact.cables = true;
    add_material(scene, wire_of("wire", 0.0077, 0.01));
    const cab_vec3 path[3] = {{0.1279, 0.0648, 0.0825}, {0.0821, 0.0311, 0.2113}, {0.1466, 0.132, 0.2999}};
    const cab_vec3 velocity[2] = {{0.237, 2.292, -0.767}, {0.247, 0.844, -2.669}};
    for (int k = 0; k < 2; k++) {
        cab_cable_def def = straight_of(k ? "b" : "a", "wire", path + k, k ? 13 : 7);
        def.velocity = velocity[k];
        add_cable(scene, def);
    }
    cab_attachment_def def = held_at("b", (cab_place){0});
    def.to = CAB_TARGET_CABLE;
    def.target = "a";
    def.target_at = at_end();
    add_attachment(scene, def);
    return take(scene, "native", 1);
}

/* A world whose state is told in each frame goes on as one that is never asked. */
static void who_asks_for_states_changes_nothing(void **state)
{
    (void)state;
    cab_world *alone = thrown_angle(), *asked = thrown_angle();
    for (int frame = 0; frame < 12; frame++) {
        step(alone, 1);
        step(asked, 1);
        same_motion(alone, asked, "asked for its state");
        free(pack(asked).data);
    }
    cab_world_destroy(alone);
    cab_world_destroy(asked);
}

static void calm_frames_are_counted(void **state)
{
    (void)state;
    cab_scene *scene = make_swing();
    cab_scene_settings(scene)->gravity.z = 0;
    cab_world *world = native_world(scene);
    assert_int_equal(measure(world).calm, 0);
    step(world, 3);
    assert_int_equal(measure(world).calm, 3);
    cab_error error = {0};
    must(cab_world_set_gravity(world, (cab_vec3){0, 0, -9.81}, &error), &error);
    step(world, 1);
    assert_int_equal(measure(world).calm, 0);
    cab_scene_destroy(scene);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_goes_on_bit_for_bit),
        cmocka_unit_test(another_device_goes_on_bit_for_bit),
        cmocka_unit_test(every_method_goes_on_bit_for_bit),
        cmocka_unit_test(chunks_go_on_with_as_many),
        cmocka_unit_test(coloured_and_fused_take_each_others_states),
        cmocka_unit_test(who_asks_for_states_changes_nothing),
        cmocka_unit_test(calm_frames_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

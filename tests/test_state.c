/* States: a world that is saved and loaded goes on bit for bit; what is no whole state of the scene is
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes.h"

#define HEADER 40 /* bytes before the first array; the checksum of all arrays at 32, of the header at 36 */

typedef struct bytes {
    void *data;
    size_t size;
} bytes;

static bytes pack(cab_world *world)
{
    cab_error error = {0};
    bytes b = {0};
    must(cab_world_pack(world, &b.data, &b.size, &error), &error);
    return b;
}

static void unpack(cab_world *world, bytes b)
{
    cab_error error = {0};
    must(cab_world_unpack(world, b.data, b.size, &error), &error);
}

/* All that a state holds, contact lists and worst errors included. */
static void same_state(cab_world *a, cab_world *b, const char *what)
{
    bytes x = pack(a), y = pack(b);
    if (x.size != y.size) fail_msg("%s: %zu and %zu bytes", what, x.size, y.size);
    const char *a_bytes = x.data, *b_bytes = y.data;
    for (size_t at = HEADER; at < x.size;) {
        struct {
            char tag[8];
            uint64_t count;
            uint32_t size, unused;
        } array;
        memcpy(&array, a_bytes + at, sizeof array);
        size_t size = sizeof array + (array.count * array.size + 7) / 8 * 8;
        for (size_t i = 0; i < size; i++) {
            if (a_bytes[at + i] != b_bytes[at + i])
                fail_msg("%s, frame %d: \"%.8s\" differs at byte %zu of %zu", what,
                         cab_world_get_info(a).frame, array.tag, i, size);
        }
        at += size;
    }
    free(x.data);
    free(y.data);
}

static cab_world *world_of(const test_scene *scene, test_way way, const char *device)
{
    cab_scene *made = scene->make();
    cab_scene_settings(made)->method = way.method;
    cab_scene_settings(made)->way = way.way;
    cab_world *world = world_on(made, device, 2);
    cab_scene_destroy(made);
    return world;
}

/* All that can be read, too. */
static void same_worlds(cab_world *a, cab_world *b, const char *what)
{
    same_state(a, b, what);
    cab_measures x = measure(a), y = measure(b);
    assert_memory_equal(&x, &y, sizeof x);
    snapshot s = read_world(a), t = read_world(b);
    same_bytes(&s, &t, what);
    snapshot_free(&s);
    snapshot_free(&t);
}

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
    out[count++] = (test_way){CAB_METHOD_DIRECT, CAB_WAY_CYCLIC, "cyclic"};
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
    s->dampening = 0.001;
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
            settings->tolerance = 1e-5;
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
    settings->chunks = 3;
    cab_world *whole = native_world(scene), *rest = native_world(scene);
    step(whole, 5);
    bytes saved = pack(whole);
    unpack(rest, saved);
    step(whole, 5);
    step(rest, 5);
    same_worlds(whole, rest, "chunks");
    cab_world_destroy(rest);
    settings->chunks = 2;
    rest = native_world(scene);
    must_fail(cab_world_unpack(rest, saved.data, saved.size, &error), CAB_ERROR_INPUT, &error, "the state: ");
    free(saved.data);
    cab_scene_destroy(scene);
    cab_world_destroy(whole);
    cab_world_destroy(rest);
}

static const test_scene *scene_called(const char *name)
{
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        if (strcmp(test_scenes[i].name, name) == 0) return &test_scenes[i];
    }
    fail_msg("no scene is called %s", name);
    return NULL;
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
    snapshot a = read_world(fused), b = read_world(coloured);
    same_bytes(&a, &b, "fused, then coloured");
    snapshot_free(&a);
    snapshot_free(&b);
    free(saved.data);
    cab_world_destroy(fused);
    cab_world_destroy(coloured);
}

static void other_ways_are_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    const test_scene *scene = scene_called("clamps");
    cab_world *lanes = world_of(scene, (test_way){CAB_METHOD_DIRECT, CAB_WAY_LANES, ""}, "native");
    cab_world *staged = world_of(scene, (test_way){CAB_METHOD_DIRECT, CAB_WAY_STAGED, ""}, "native");
    bytes saved = pack(lanes);
    must_fail(cab_world_unpack(staged, saved.data, saved.size, &error), CAB_ERROR_INPUT, &error, "\"lanes\"");
    free(saved.data);
    cab_world_destroy(lanes);
    cab_world_destroy(staged);
}

static cab_material_def changed_wire(double linear_density, double air_drag)
{
    cab_material_def def = wire_of("wire", 0.004, 3e-4);
    def.linear_density = linear_density;
    def.damping = 0.7;
    def.friction = 0.6;
    def.air_drag = air_drag;
    return def;
}

/* Materials before, between and after what breaks; gravity; a target on its way. */
static void what_changed_on_the_way_is_kept(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int i = 0; i < 4; i++) {
        cab_error error = {0};
        cab_way way = i % 2 ? CAB_WAY_STAGED : CAB_WAY_COLOURED;
        test_way wished = {methods[i % 2], way, ""};
        cab_world *whole = world_of(scene_called("breaking"), wished, "native");
        cab_material_def wire = changed_wire(0.08, 0);
        if (i < 2) must(cab_world_set_material(whole, &wire, &error), &error);
        step(whole, 12);
        wire.linear_density = 0.03;
        wire.air_drag = 1;
        wire.air_drag_along = 0.1;
        must(cab_world_set_material(whole, &wire, &error), &error);
        must(cab_world_set_gravity(whole, (cab_vec3){1, 0, -9}, &error), &error);
        must(cab_world_set_wind(whole, (cab_vec3){0, 2, 0}, &error), &error);
        if (cab_world_get_broken(whole, NULL, NULL, 0) == 0)
            must(cab_world_set_target(whole, 0, (cab_vec3){0.1, 0, 0.4}, &error), &error);
        for (int frame = 0; frame < 3; frame++) {
            bytes saved = pack(whole);
            cab_world *rest = world_of(scene_called("breaking"), wished, "native");
            unpack(rest, saved);
            step(whole, 6);
            step(rest, 6);
            same_state(whole, rest, "changed");
            free(saved.data);
            cab_world_destroy(rest);
        }
        cab_world_destroy(whole);
    }
}

/* A state from before a material was changed has the scene's. */
static void a_material_goes_back(void **state)
{
    (void)state;
    cab_error error = {0};
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene_called("breaking"), way, "native");
    cab_world *fresh = world_of(scene_called("breaking"), way, "native");
    bytes start = pack(world);
    cab_material_def wire = changed_wire(0.08, 0.5), now;
    must(cab_world_set_material(world, &wire, &error), &error);
    assert_true(cab_world_get_material(world, 0, &now));
    assert_string_equal(now.name, "wire");
    assert_true(now.linear_density == 0.08 && now.air_drag == 0.5);
    assert_false(cab_world_get_material(world, 1, &now));
    assert_false(cab_world_get_material(world, -1, &now));
    step(world, 2);
    unpack(world, start);
    step(world, 5);
    step(fresh, 5);
    same_worlds(world, fresh, "the scene's material");
    free(start.data);
    cab_world_destroy(world);
    cab_world_destroy(fresh);
}

/* A state from before a target was set holds what it held then. */
static void a_target_goes_back(void **state)
{
    (void)state;
    static const test_way ways[] = {{CAB_METHOD_XPBD, CAB_WAY_COLOURED, "coloured"},
                                    {CAB_METHOD_XPBD, CAB_WAY_FUSED, "fused"},
                                    {CAB_METHOD_DIRECT, CAB_WAY_LANES, "lanes"},
                                    {CAB_METHOD_DIRECT, CAB_WAY_CYCLIC, "cyclic"},
                                    {CAB_METHOD_DIRECT, CAB_WAY_STAGED, "staged"}};
    for (int i = 0; i < COUNT_OF(ways); i++) {
        cab_error error = {0};
        cab_world *world = world_of(scene_called("clamps"), ways[i], "native");
        cab_world *fresh = world_of(scene_called("clamps"), ways[i], "native");
        bytes start = pack(world);
        must(cab_world_set_target(world, 1, (cab_vec3){0, 1.1, 1.1}, &error), &error);
        step(world, 4);
        unpack(world, start);
        for (int k = 0; k < 2; k++) { /* and once more, the target set again after the state */
            step(world, 4);
            step(fresh, 4);
            same_worlds(world, fresh, ways[i].name);
            must(cab_world_set_target(world, 1, (cab_vec3){0, 1, 1.1}, &error), &error);
            must(cab_world_set_target(fresh, 1, (cab_vec3){0, 1, 1.1}, &error), &error);
        }
        free(start.data);
        cab_world_destroy(world);
        cab_world_destroy(fresh);
    }
}

/* Air drag on the way ends the fast ways. */
static void a_world_that_left_its_way_is_kept(void **state)
{
    (void)state;
    const test_scene *scene = scene_called("elastic");
    for (int i = 0; i < 2; i++) {
        cab_error error = {0};
        test_way wished = {i ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD, CAB_WAY_AUTO, ""};
        cab_world *whole = world_of(scene, wished, "native"), *rest = world_of(scene, wished, "native");
        cab_way before = cab_world_get_info(whole).way;
        step(whole, 4);
        cab_material_def wire = wire_of("wire", 0.003, 1e-4);
        wire.stretching_stiffness = 50;
        wire.air_drag = 1;
        must(cab_world_set_material(whole, &wire, &error), &error);
        assert_int_not_equal(cab_world_get_info(whole).way, before);
        step(whole, 2);
        bytes saved = pack(whole);
        unpack(rest, saved);
        step(whole, 5);
        step(rest, 5);
        same_state(whole, rest, "left its way");
        free(saved.data);
        cab_world_destroy(whole);
        cab_world_destroy(rest);
    }
}

/* Back and forth in one world, as long as nothing breaks in between. */
static void a_world_goes_back(void **state)
{
    (void)state;
    cab_error error = {0};
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene_called("pile"), way, "native");
    step(world, 10);
    bytes early = pack(world);
    step(world, 10);
    bytes late = pack(world), again;
    unpack(world, early);
    assert_int_equal(cab_world_get_info(world).frame, 10);
    step(world, 10);
    again = pack(world);
    assert_int_equal(again.size, late.size);
    assert_memory_equal(again.data, late.data, late.size);
    free(early.data);
    free(late.data);
    free(again.data);
    cab_world_destroy(world);
    world = world_of(scene_called("breaking"), way, "native");
    early = pack(world);
    step(world, 30);
    must_fail(cab_world_unpack(world, early.data, early.size, &error), CAB_ERROR_INPUT, &error,
              "have broken");
    step(world, 1); /* it is as it was */
    free(early.data);
    cab_world_destroy(world);
}

static void a_state_fits_its_scene_only(void **state)
{
    (void)state;
    cab_error error = {0};
    const test_scene *scene = scene_called("keyframes");
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene, way, "native");
    bytes saved = pack(world);
    cab_world_destroy(world);
    for (int i = 0; i < 6; i++) {
        cab_scene *made = scene->make();
        cab_settings *settings = cab_scene_settings(made);
        settings->way = CAB_WAY_COLOURED;
        if (i == 0) settings->substeps++;
        if (i == 1) settings->gravity.z = -9;
        if (i == 2) hang_weight(made, "a[0,2,0]", at_end(), 0.001);
        if (i == 3) add_straight(made, "b", (cab_vec3){0, 5, 1}, (cab_vec3){0.1, 5, 1}, 4);
        if (i == 4) hold(made, "a[0,2,0]", at_particle(5), false);
        if (i == 5) settings->duration = 77; /* the only one that does not matter */
        world = world_on(made, "native", 2);
        cab_status status = cab_world_unpack(world, saved.data, saved.size, &error);
        if (i < 5)
            must_fail(status, CAB_ERROR_INPUT, &error, "another scene");
        else
            must(status, &error);
        step(world, 1); /* refused, it is as it was */
        cab_scene_destroy(made);
        cab_world_destroy(world);
    }
    free(saved.data);
}

/* Every cut, and every byte changed. */
static void damage_is_noticed(void **state)
{
    (void)state;
    cab_error error = {0};
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene_called("breaking"), way, "native");
    step(world, 8);
    bytes saved = pack(world);
    for (size_t size = 0; size < saved.size; size++) {
        void *cut = malloc(size + !size); /* so that a sanitizer sees a read behind it */
        assert_non_null(cut);
        memcpy(cut, saved.data, size);
        must_fail(cab_world_unpack(world, cut, size, &error), CAB_ERROR_INPUT, &error, "the state: ");
        free(cut);
    }
    for (size_t i = 0; i < saved.size; i++) {
        ((unsigned char *)saved.data)[i] ^= 1 << i % 8;
        must_fail(cab_world_unpack(world, saved.data, saved.size, &error), CAB_ERROR_INPUT, &error,
                  "the state: ");
        ((unsigned char *)saved.data)[i] ^= 1 << i % 8;
    }
    unpack(world, saved);
    step(world, 1);
    free(saved.data);
    cab_world_destroy(world);
}

static uint32_t crc32_of(const unsigned char *byte, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= byte[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Checksums made to fit: nonsense that passes them must not crash, neither now nor in the next frame. */
static void nonsense_does_not_crash(void **state)
{
    (void)state;
    cab_error error = {0};
    test_way way = {CAB_METHOD_DIRECT, CAB_WAY_STAGED, ""};
    cab_world *world = world_of(scene_called("breaking"), way, "native");
    step(world, 14);
    bytes saved = pack(world);
    cab_world_destroy(world);
    assert_int_equal(crc32_of((const unsigned char *)"123456789", 9), 0xCBF43926u); /* the known check */
    unsigned random = 1;
    int refused = 0, taken = 0;
    for (int round = 0; round < 400; round++) {
        unsigned char *bad = malloc(saved.size);
        memcpy(bad, saved.data, saved.size);
        for (int k = 0; k < 1 + round % 3; k++) {
            random = random * 1664525u + 1013904223u;
            /* half of them where the host's numbers and tags are */
            size_t payload = saved.size - HEADER, span = round % 2 && payload > 1200 ? 1200 : payload;
            bad[HEADER + (random >> 4) % span] = (unsigned char)(round % 5 ? random >> 24 : 0xff);
        }
        uint32_t crc = crc32_of(bad + HEADER, saved.size - HEADER);
        memcpy(bad + 32, &crc, sizeof crc);
        crc = crc32_of(bad, 36);
        memcpy(bad + 36, &crc, sizeof crc);
        world = world_of(scene_called("breaking"), way, "native");
        cab_status status = cab_world_unpack(world, bad, saved.size, &error);
        if (status) {
            assert_true(status == CAB_ERROR_INPUT || status == CAB_ERROR_UNSUPPORTED);
            refused++;
        } else {
            taken++;
            status = cab_world_step(world, 1, &error);
            assert_true(status == CAB_OK || status == CAB_ERROR_DIVERGED);
        }
        cab_world_destroy(world);
        free(bad);
    }
    assert_true(refused > 20 && taken > 20); /* both kinds were tried */
    free(saved.data);
}

static void files(void **state)
{
    (void)state;
    cab_error error = {0};
    char folder[] = "/tmp/clcable-state-XXXXXX", path[64], none[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.state", folder);
    snprintf(none, sizeof none, "%s/none/run.state", folder);
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    cab_world *world = world_of(scene_called("pile"), way, "native"),
              *rest = world_of(scene_called("pile"), way, "native");
    for (int i = 0; i < 2; i++) { /* the second replaces the first */
        step(world, 6);
        must(cab_world_save(world, path, &error), &error);
    }
    must(cab_world_load(rest, path, &error), &error);
    same_state(world, rest, "by a file");
    must_fail(cab_world_save(world, none, &error), CAB_ERROR_IO, &error, none);
    must_fail(cab_world_load(rest, none, &error), CAB_ERROR_IO, &error, none);
    must_fail(cab_world_load(rest, folder, &error), CAB_ERROR_IO, &error, folder);
    assert_int_equal(truncate(path, 100), 0);
    must_fail(cab_world_load(rest, path, &error), CAB_ERROR_INPUT, &error, "run.state: it is not whole");
    same_state(world, rest, "after all that");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else was left there */
    cab_world_destroy(world);
    cab_world_destroy(rest);
}

static void a_failed_world_has_no_state(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = make_swing();
    cab_scene_settings(scene)->gravity.z = -1e6;
    cab_world *world = native_world(scene);
    void *data = NULL;
    size_t size = 0;
    assert_int_equal(cab_world_step(world, 10, &error), CAB_ERROR_DIVERGED);
    must_fail(cab_world_pack(world, &data, &size, &error), CAB_ERROR_DEVICE, &error, "failed");
    must_fail(cab_world_unpack(world, "", 0, &error), CAB_ERROR_DEVICE, &error, "failed");
    cab_scene_destroy(scene);
    cab_world_destroy(world);
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
        cmocka_unit_test(other_ways_are_refused),
        cmocka_unit_test(what_changed_on_the_way_is_kept),
        cmocka_unit_test(a_material_goes_back),
        cmocka_unit_test(a_target_goes_back),
        cmocka_unit_test(a_world_that_left_its_way_is_kept),
        cmocka_unit_test(a_world_goes_back),
        cmocka_unit_test(a_state_fits_its_scene_only),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(nonsense_does_not_crash),
        cmocka_unit_test(files),
        cmocka_unit_test(a_failed_world_has_no_state),
        cmocka_unit_test(calm_frames_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

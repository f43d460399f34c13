/* States that do not fit, are damaged, or cannot be had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "state.h"

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

/* Makes the checksums fit the bytes. */
static void sign(unsigned char *state, size_t size)
{
    uint32_t crc = crc32_of(state + HEADER, size - HEADER);
    memcpy(state + 32, &crc, sizeof crc);
    crc = crc32_of(state, 36);
    memcpy(state + 36, &crc, sizeof crc);
}

/* States written when clips were called guides. */
static void a_former_tag_is_read(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = make_swing();
    cab_attachment_def def = cab_clip_default();
    def.cable = "a";
    def.at = at_particle(5);
    must(cab_scene_add_attachment(scene, &def, &error), &error);
    cab_world *world = native_world(scene), *rest = native_world(scene);
    step(world, 5);
    bytes saved = pack(world);
    unsigned char *tag = saved.data, *end = tag + saved.size - 8;
    while (tag < end && memcmp(tag, "clip\0\0\0", 8) != 0) tag += 8;
    assert_true(tag < end);
    memcpy(tag, "guide", 5);
    sign(saved.data, saved.size);
    unpack(rest, saved);
    same_state(world, rest, "from a former tag");
    memcpy(tag, "hoop\0", 5);
    sign(saved.data, saved.size);
    must_fail(cab_world_unpack(rest, saved.data, saved.size, &error), CAB_ERROR_INPUT, &error,
              "expected an array \"clip\"");
    free(saved.data);
    cab_scene_destroy(scene);
    cab_world_destroy(world);
    cab_world_destroy(rest);
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
        sign(bad, saved.size);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_ways_are_refused),      cmocka_unit_test(a_state_fits_its_scene_only),
        cmocka_unit_test(damage_is_noticed),           cmocka_unit_test(a_former_tag_is_read),
        cmocka_unit_test(nonsense_does_not_crash),     cmocka_unit_test(files),
        cmocka_unit_test(a_failed_world_has_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

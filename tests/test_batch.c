/* Batches: an environment is its scene run alone, bit for bit, whatever happens in the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "scenes.h"

#define ENVIRONMENTS 5

/* Contexts of OpenCL that were made. */
static int contexts;

#ifdef COUNT_CONTEXTS
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
typedef void CL_CALLBACK notify(const char *text, const void *info, size_t size, void *user);
cl_context __real_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                  const cl_device_id *devices, notify *call, void *user, cl_int *code);
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                  const cl_device_id *devices, notify *call, void *user, cl_int *code);
cl_context __wrap_clCreateContext(const cl_context_properties *properties, cl_uint count,
                                  const cl_device_id *devices, notify *call, void *user, cl_int *code)
{
    contexts++;
    return __real_clCreateContext(properties, count, devices, call, user, code);
}
#endif

static const test_scene *scene_called(const char *name)
{
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        if (strcmp(test_scenes[i].name, name) == 0) return &test_scenes[i];
    }
    fail_msg("no scene is called %s", name);
    return NULL;
}

/* The scene of environment i: gravity and the first material differ. */
static cab_scene *variant(const test_scene *of, test_way way, int i)
{
    cab_scene *scene = of->make();
    cab_settings *settings = cab_scene_settings(scene);
    settings->method = way.method;
    settings->way = way.way;
    settings->gravity.x = 0.5 * i;
    scene->materials[0].linear_density *= 1 + 0.1 * i;
    return scene;
}

static cab_batch *batch_of(const test_scene *of, test_way way, const char *device, int threads)
{
    cab_error error = {0};
    cab_batch *batch = NULL;
    cab_scene *scenes[ENVIRONMENTS];
    cab_world_def def = cab_world_default();
    def.device = device;
    def.threads = threads;
    for (int i = 0; i < ENVIRONMENTS; i++) scenes[i] = variant(of, way, i);
    must(cab_batch_create((const cab_scene *const *)scenes, ENVIRONMENTS, &def, &batch, &error), &error);
    for (int i = 0; i < ENVIRONMENTS; i++) cab_scene_destroy(scenes[i]);
    return batch;
}

static cab_world *alone(const test_scene *of, test_way way, int i, const char *device)
{
    cab_scene *scene = variant(of, way, i);
    cab_world *world = world_on(scene, device, 1);
    cab_scene_destroy(scene);
    return world;
}

static void step_batch(cab_batch *batch, int frames)
{
    cab_error error = {0};
    must(cab_batch_step(batch, frames, &error), &error);
}

/* What can be read of an environment through the batch, and the state, are those of the world. */
static void same_as(cab_batch *batch, int i, cab_world *world, const char *what)
{
    cab_error error = {0};
    cab_world_info info = cab_world_get_info(world);
    size_t nodes = (size_t)info.nodes;
    double *x = calloc(3 * nodes * ENVIRONMENTS, sizeof *x), *v = calloc(3 * nodes * ENVIRONMENTS, sizeof *v),
           *t = calloc(nodes * ENVIRONMENTS, sizeof *t);
    assert_true(x && v && t);
    must(cab_batch_read(batch, x, v, t, &error), &error);
    size_t at = (size_t)i * nodes;
    snapshot a = {.nodes = info.nodes,
                  .x = (double(*)[3])(x + 3 * at),
                  .v = (double(*)[3])(v + 3 * at),
                  .tension = t + at};
    snapshot b = read_world(world);
    same_bytes(&a, &b, what);
    void *mine, *other;
    size_t size, other_size;
    must(cab_batch_pack(batch, i, &mine, &size, &error), &error);
    must(cab_world_pack(world, &other, &other_size, &error), &error);
    assert_int_equal(size, other_size);
    if (memcmp(mine, other, size)) fail_msg("%s: the state of environment %d differs", what, i);
    free(mine);
    free(other);
    free(x);
    free(v);
    free(t);
    snapshot_free(&b);
}

static const char *const names[] = {"mixed", "keyframes", "pile", "heap", "breaking", "harness on floor"};

/* Under sanitizers a pile takes as long as all others together, and runs no line that they do not. */
static bool is_long(const char *name)
{
    return getenv("CLCABLE_SANITIZED") && strcmp(name, "pile") == 0;
}

static void equal_on(const char *device, int threads)
{
    for (int k = 0; k < COUNT_OF(names); k++) {
        if (is_long(names[k])) continue;
        const test_scene *scene = scene_called(names[k]);
        test_way ways[WAYS_MAX];
        int count = ways_of(scene, ways);
        for (int w = 0; w < count; w++) {
            cab_batch *batch = batch_of(scene, ways[w], device, threads);
            step_batch(batch, 6);
            step_batch(batch, 6);
            for (int i = 0; i < ENVIRONMENTS; i += 2) {
                cab_world *world = alone(scene, ways[w], i, device);
                step(world, 12);
                same_as(batch, i, world, scene->name);
                cab_world_destroy(world);
            }
            cab_batch_destroy(batch);
        }
    }
}

static void an_environment_is_its_scene_alone(void **state)
{
    (void)state;
    equal_on("native", 1);
    equal_on("native", 3);
}

/* All in one context, whose first owner goes: what breaks is replaced when it is reset. */
static void on_opencl_too(void **state)
{
    (void)state;
    char pocl[32];
    if (!find_device(POCL, pocl)) skip();
    static const char *const few[] = {"pile", "breaking"};
    for (int k = 0; k < COUNT_OF(few); k++) {
        cab_error error = {0};
        const test_scene *scene = scene_called(few[k]);
        test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
        int before = contexts;
        cab_batch *batch = batch_of(scene, way, pocl, 0);
        memset(pocl, '?', sizeof pocl - 1); /* the caller's text may go */
        step_batch(batch, 25);
        must(cab_batch_reset(batch, NULL, &error), &error);
        step_batch(batch, 25);
        assert_int_equal(contexts - before, 1);
        for (int i = 0; i < ENVIRONMENTS; i += 4) {
            cab_world *world = alone(scene, way, i, "native");
            step(world, 25);
            if (k == 1) assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 2);
            same_as(batch, i, world, "OpenCL");
            cab_world_destroy(world);
        }
        cab_batch_destroy(batch);
        assert_true(find_device(POCL, pocl));
    }
}

/* Some are reset while the others go on; also after something has broken, and after numbers were changed. */
static void some_begin_again(void **state)
{
    (void)state;
    const bool mask[ENVIRONMENTS] = {false, true, false, true, true};
    for (int k = 0; k < COUNT_OF(names); k++) {
        if (is_long(names[k])) continue;
        cab_error error = {0};
        const test_scene *scene = scene_called(names[k]);
        test_way ways[WAYS_MAX];
        int count = ways_of(scene, ways);
        for (int w = 0; w < count; w++) {
            cab_batch *batch = batch_of(scene, ways[w], "native", 2);
            must(cab_world_set_gravity(cab_batch_world(batch, 1), (cab_vec3){0, 1, 0}, &error), &error);
            cab_scene *third = variant(scene, ways[w], 3);
            cab_material_def wire = third->materials[0];
            wire.linear_density *= 2;
            must(cab_world_set_material(cab_batch_world(batch, 3), &wire, &error), &error);
            cab_scene_destroy(third);
            step_batch(batch, 9);
            must(cab_batch_reset(batch, mask, &error), &error);
            step_batch(batch, 5);
            for (int i = 0; i < ENVIRONMENTS; i++) {
                cab_world *world = alone(scene, ways[w], i, "native");
                step(world, mask[i] ? 5 : 14);
                same_as(batch, i, world, scene->name);
                cab_world_destroy(world);
            }
            cab_batch_destroy(batch);
        }
    }
}

/* Targets and loads by environment, in those that the mask names. */
static void each_is_led_by_itself(void **state)
{
    (void)state;
    cab_error error = {0};
    const test_scene *scene = scene_called("loads");
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    const bool mask[ENVIRONMENTS] = {true, false, true, true, true};
    double points[ENVIRONMENTS][3], forces[ENVIRONMENTS][3];
    cab_batch *batch = batch_of(scene, way, "native", 3);
    for (int i = 0; i < ENVIRONMENTS; i++) {
        for (int k = 0; k < 3; k++) points[i][k] = 0.01 * (i + k) + (k == 2);
        for (int k = 0; k < 3; k++) forces[i][k] = 0.1 * (i - k);
    }
    step_batch(batch, 3);
    must(cab_batch_set_targets(batch, 0, points[0], mask, &error), &error);
    must(cab_batch_set_loads(batch, 1, forces[0], mask, &error), &error);
    step_batch(batch, 3);
    for (int i = 0; i < ENVIRONMENTS; i++) {
        cab_world *world = alone(scene, way, i, "native");
        step(world, 3);
        if (mask[i]) {
            cab_vec3 p = {points[i][0], points[i][1], points[i][2]};
            cab_vec3 f = {forces[i][0], forces[i][1], forces[i][2]};
            must(cab_world_set_target(world, 0, p, &error), &error);
            must(cab_world_set_load(world, 1, f, &error), &error);
        }
        step(world, 3);
        same_as(batch, i, world, "led");
        cab_world_destroy(world);
    }
    must_fail(cab_batch_set_targets(batch, 7, points[0], mask, &error), CAB_ERROR_INPUT, &error,
              "environment 0: /attachments/7");
    must_fail(cab_batch_set_loads(batch, 2, forces[0], NULL, &error), CAB_ERROR_INPUT, &error,
              "environment 0: /loads/2");
    cab_batch_destroy(batch);
}

/* One leaves the range of numbers; the others do not notice, and it can begin again. */
static void one_diverges(void **state)
{
    (void)state;
    cab_error error = {0};
    const test_scene *scene = scene_called("loads");
    test_way way = {CAB_METHOD_XPBD, CAB_WAY_COLOURED, ""};
    const bool second[ENVIRONMENTS] = {false, true};
    double forces[ENVIRONMENTS][3] = {{0}, {1e30, 0, 0}};
    bool diverged[ENVIRONMENTS];
    void *before;
    size_t size;
    cab_batch *batch = batch_of(scene, way, "native", 2);
    step_batch(batch, 2);
    must(cab_batch_pack(batch, 1, &before, &size, &error), &error);
    must(cab_batch_set_loads(batch, 1, forces[0], second, &error), &error);
    step_batch(batch, 4);
    step_batch(batch, 1);
    cab_batch_get_diverged(batch, diverged);
    for (int i = 0; i < ENVIRONMENTS; i++) assert_int_equal(diverged[i], i == 1);
    must_fail(cab_batch_unpack(batch, 1, before, size - 1, &error), CAB_ERROR_INPUT, &error, "state");
    cab_batch_get_diverged(batch, diverged);
    assert_true(diverged[1]);
    for (int again = 0; again < 2; again++) {
        if (again)
            must(cab_batch_reset(batch, second, &error), &error);
        else
            must(cab_batch_unpack(batch, 1, before, size, &error), &error);
        cab_batch_get_diverged(batch, diverged);
        assert_false(diverged[1]);
        step_batch(batch, 2);
        for (int i = 0; i < ENVIRONMENTS; i++) {
            cab_world *world = alone(scene, way, i, "native");
            step(world, i == 1 ? (again ? 2 : 4) : 9 + 2 * again);
            same_as(batch, i, world, "beside one that diverged");
            cab_world_destroy(world);
        }
    }
    free(before);
    cab_batch_destroy(batch);
}

/* Scenes whose arrays do not fit together; no scene at all; one that is wrong. */
static void misfits_are_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_batch *batch = NULL;
    cab_world_def def = cab_world_default();
    def.device = "native";
    cab_scene *a = make_swing(), *b = make_clamps(), *wrong = make_swing();
    const cab_scene *scenes[2] = {a, b};
    must_fail(cab_batch_create(scenes, 2, &def, &batch, &error), CAB_ERROR_INPUT, &error,
              "environment 1: expected as many nodes");
    must_fail(cab_batch_create(scenes, 0, &def, &batch, &error), CAB_ERROR_INPUT, &error, "got 0");
    cab_scene_settings(wrong)->substeps = 0;
    scenes[1] = wrong;
    must_fail(cab_batch_create(scenes, 2, &def, &batch, &error), CAB_ERROR_INPUT, &error, "environment 1: ");
    def.device = "no such device";
    must_fail(cab_batch_create(scenes, 1, &def, &batch, &error), CAB_ERROR_INPUT, &error, "environment 0: ");
    assert_null(batch);
    cab_scene_destroy(a);
    cab_scene_destroy(b);
    cab_scene_destroy(wrong);
    cab_batch_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_environment_is_its_scene_alone),
        cmocka_unit_test(on_opencl_too),
        cmocka_unit_test(some_begin_again),
        cmocka_unit_test(each_is_led_by_itself),
        cmocka_unit_test(one_diverges),
        cmocka_unit_test(misfits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

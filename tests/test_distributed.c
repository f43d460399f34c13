/* Worlds on several devices at once (backend/distributed): byte for byte what the first device computes alone, whatever is looked at,
 * changed, saved and restored on the way, and however the work is shared out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "backend/distributed/owners.h"
#include "devices.h"
#include "scenes.h"
#include "world/device.h"
#include "world/world.h"

enum { MANY = 75, FRAMES = 16 };

static cab_world *world_on_several(const cab_scene *scene, const char *const *devices, int count, int threads)
{
    cab_error error = {0};
    cab_world *world = NULL;
    cab_world_def def = cab_world_default();
    def.devices = devices;
    def.device_count = count;
    def.threads = threads;
    must(cab_world_create(scene, &def, &world, &error), &error);
    assert_int_equal(world->backend->members, count);
    return world;
}

typedef struct many_kind {
    cab_method method;
    bool twists;
    double damping; /* of the bending, s */
    bool floor;
    bool fused;
    bool joined; /* see make_joined() */
} many_kind;

/* Cables of three lengths, with and without bending, two of them with weights of their own: tiles of all kinds, some of them full. */
static cab_scene *make_many(const many_kind *k)
{
    cab_scene *scene = scene_of(k->method == CAB_METHOD_XPBD ? 20 : 6);
    cab_scene_settings(scene)->method = k->method;
    if (!k->floor) cab_scene_settings(scene)->way = k->fused ? CAB_WAY_FUSED : CAB_WAY_LANES;
    cab_material_def wire = wire_of("wire", 0.004, 1e-4), limp = wire_of("limp", 0.003, 0);
    wire.damping = limp.damping = 0.5;
    wire.bending_damping = k->damping;
    wire.twisting_stiffness = k->twists ? 1e-4 : 0;
    add_material(scene, wire);
    add_material(scene, limp);
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        double y = 0.1 * i, x = i % 3 == 2 ? 0.5 : 0.3;
        const cab_vec3 path[2] = {{0, y, 1}, {x, y, 1 - 0.002 * i}};
        add_cable(scene, straight_of(name, i % 4 == 3 ? "limp" : "wire", path, 5 + 3 * (i % 3)));
        if (i % 5 != 4) hold(scene, name, (cab_place){0}, i % 4 != 3);
        if (k->twists && i % 4 != 3 && i % 5 != 4) hold(scene, name, at_end(), true);
        if (k->fused || (i != 10 && i != 60)) continue;
        cab_load_def load = load_at(name, at_end());
        load.force = (cab_vec3){0, 0, 0.01};
        load.mass = 0.005;
        add_load(scene, load);
    }
    if (!k->floor) return scene;
    cab_collider_def floor = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, 0.8});
    floor.friction = 0.3;
    add_collider(scene, floor);
    return scene;
}

/* Three cables each that are joined at a point. */
static cab_scene *make_joined(void)
{
    cab_scene *scene = scene_of(6);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    add_material(scene, wire_of("wire", 0.004, 1e-4));
    for (int i = 0; i < MANY; i++) {
        char name[16], trunk[16];
        snprintf(name, sizeof name, "c%d", i);
        snprintf(trunk, sizeof trunk, "c%d", i / 3 * 3);
        double y = 0.5 * (i / 3), side = 0.1 * (i % 3 == 1 ? 1 : -1);
        if (i % 3 == 0) {
            add_straight(scene, name, (cab_vec3){0, y, 1}, (cab_vec3){0.3, y, 1}, 6 + i % 4);
            hold(scene, name, (cab_place){0}, false);
        } else {
            add_straight(scene, name, (cab_vec3){0.3, y, 1}, (cab_vec3){0.5, y + side, 1}, 5 + i % 2);
            join(scene, name, (cab_place){0}, trunk, at_end());
        }
        if (i != 10) continue;
        cab_load_def load = load_at(name, at_end());
        load.mass = 0.005;
        add_load(scene, load);
    }
    return scene;
}

/* The same to both worlds before frame `frame`. */
static void change(cab_world *world, int frame, const many_kind *k)
{
    cab_error error = {0};
    if (frame >= 2 && frame < 8 && !k->joined)
        must(cab_world_set_target(world, 3, (cab_vec3){0.002 * frame, 0.3, 1.001}, &error), &error);
    if (frame == 5 && !k->floor) must(cab_world_set_gravity(world, (cab_vec3){0, 1, -9}, &error), &error);
    if (frame == 7 && !k->fused) must(cab_world_set_load(world, 0, (cab_vec3){0, 0.02, 0}, &error), &error);
    if (k->twists && frame > 2) must(cab_world_set_roll(world, 2, 0.05 * frame, &error), &error);
    if (frame == 9) {
        cab_material_def wire = world->model->scene->materials[0];
        wire.linear_density *= 1.2;
        must(cab_world_set_material(world, &wire, &error), &error);
    }
}

static void same_measures(cab_world *a, cab_world *b)
{
    cab_measures x = measure(a), y = measure(b);
    assert_memory_equal(&x, &y, sizeof x);
}

/* Any stretch of a buffer that the host does not read anyhow is the same, whoever has which part of it. */
static void same_stretches(cab_world *a, cab_world *b)
{
    enum { MOST = 256 };
    float4 x[MOST], y[MOST];
    cab_error error = {0};
    int n = 3 * a->model->particle_count;
    if (a->model->settings.method == CAB_METHOD_XPBD) return; /* which has no such steps */
    for (int first = 0; first < n; first += 61) {
        int count = first % 4 == 0 ? 1 : n - first < MOST ? n - first : MOST;
        size_t at = (size_t)first * sizeof *x, bytes = (size_t)count * sizeof *x;
        must(cab_world_fetch(a, CAB_BUFFER_step, at, bytes, x, &error), &error);
        must(cab_world_fetch(b, CAB_BUFFER_step, at, bytes, y, &error), &error);
        assert_memory_equal(x, y, bytes);
    }
}

static void run_many(const many_kind *k, const char *const *devices, int count)
{
    cab_error error = {0};
    cab_scene *scene = k->joined ? make_joined() : make_many(k);
    cab_world *alone = world_on(scene, devices[0], 1), *shared = world_on_several(scene, devices, count, 1);
    void *state = NULL;
    size_t size = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        change(alone, frame, k);
        change(shared, frame, k);
        step(alone, 1);
        step(shared, 1);
        same_measures(alone, shared);
        if (frame % 4 == 0) same_stretches(alone, shared);
        if (frame % 3 == 1 || frame > 8) same_motion(alone, shared, "alone and shared");
        if (frame == 6) must(cab_world_pack(shared, &state, &size, &error), &error);
        if (frame == 12) {
            must(cab_world_unpack(shared, state, size, &error), &error);
            must(cab_world_unpack(alone, state, size, &error), &error);
        }
    }
    void *other;
    size_t other_size;
    free(state);
    must(cab_world_pack(shared, &state, &size, &error), &error);
    must(cab_world_pack(alone, &other, &other_size, &error), &error);
    assert_int_equal(size, other_size);
    assert_memory_equal(state, other, size);
    assert_true(shared->backend->shared > FRAMES / 2);
    free(state);
    free(other);
    cab_world_destroy(alone);
    cab_world_destroy(shared);
    cab_scene_destroy(scene);
}

static const many_kind kinds[] = {{.method = CAB_METHOD_DIRECT},
                                  {.method = CAB_METHOD_XPBD},
                                  {.method = CAB_METHOD_DIRECT, .twists = true},
                                  {.method = CAB_METHOD_DIRECT, .damping = 0.05},
                                  {.method = CAB_METHOD_DIRECT, .floor = true},
                                  {.method = CAB_METHOD_XPBD, .fused = true},
                                  {.method = CAB_METHOD_DIRECT, .joined = true}};

static void many_cables(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "native", "native", "native", "native"};
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        run_many(&kinds[k], devices, 2);
        run_many(&kinds[k], devices, 5);
    }
}

/* More devices than there are tiles. */
static void more_devices_than_work(void **state)
{
    (void)state;
    const char *devices[40];
    for (int i = 0; i < COUNT_OF(devices); i++) devices[i] = "native";
    run_many(&kinds[0], devices, COUNT_OF(devices));
}

/* Does a device compute as many cables side by side as native does? Not where that is built for an older processor. */
static bool as_wide(const char *device)
{
    cab_scene *scene = make_many(&kinds[0]);
    cab_world *a = world_on(scene, "native", 1), *b = world_on(scene, device, 1);
    bool same = a->backend->tile_width == b->backend->tile_width;
    cab_world_destroy(a);
    cab_world_destroy(b);
    cab_scene_destroy(scene);
    return same;
}

static void native_beside_opencl(void **state)
{
    (void)state;
    char pocl[32];
    if (!find_device(POCL, pocl) || !as_wide(pocl)) skip();
    const char *const devices[] = {"native", pocl}, *const other[] = {pocl, "native", pocl};
    for (int k = 0; k < COUNT_OF(kinds); k++) run_many(&kinds[k], devices, 2);
    run_many(&kinds[2], other, 3);
    run_many(&kinds[4], other, 3);
}

/* All that can be simulated, whether or not it is shared out. */
static void all_scenes(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "native"};
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        test_way ways[WAYS_MAX];
        int count = ways_of(&test_scenes[i], ways);
        for (int w = 0; w < count; w++) {
            cab_scene *scene = test_scenes[i].make();
            cab_scene_settings(scene)->method = ways[w].method;
            cab_scene_settings(scene)->way = ways[w].way;
            cab_world *alone = world_on(scene, "native", 1), *shared = world_on_several(scene, devices, 2, 1);
            step(alone, test_scenes[i].frames);
            step(shared, test_scenes[i].frames);
            same_motion(alone, shared, test_scenes[i].name);
            same_measures(alone, shared);
            cab_world_destroy(alone);
            cab_world_destroy(shared);
            cab_scene_destroy(scene);
        }
    }
}

/* The thesis' chunks are as many as a device has cores: of the first. */
static void chunks_are_those_of_the_first(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "native", "native"};
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->method = CAB_METHOD_XPBD;
    cab_scene_settings(scene)->way = CAB_WAY_CHUNKS;
    add_material(scene, wire_of("wire", 0.004, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){1, 0, 1}, 200);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *alone = world_on(scene, "native", 1), *shared = world_on_several(scene, devices, 3, 1);
    step(alone, 5);
    step(shared, 5);
    same_motion(alone, shared, "in chunks");
    cab_world_destroy(alone);
    cab_world_destroy(shared);
    cab_scene_destroy(scene);
}

/* Whatever the shares are, each tile has one owner, and so has each byte that tiles or cables have of a buffer. */
static void everything_has_one_owner(void **state)
{
    (void)state;
    static const double shares[][3] = {{1, 1, 1}, {1, 0, 0}, {0.02, 0.5, 0.48}, {0, 0.9, 0.1}};
    static const cab_buffer buffers[] = {CAB_BUFFER_tile_kept, CAB_BUFFER_position, CAB_BUFFER_step,
                                         CAB_BUFFER_chain_errors, CAB_BUFFER_distance_lambda};
    cab_error error = {0};
    cab_scene *scene = make_many(&kinds[0]);
    cab_world *world = world_on(scene, "native", 2);
    size_t whole[] = {0, world->backend->bytes[CAB_BUFFER_position], world->backend->bytes[CAB_BUFFER_step],
                      world->backend->bytes[CAB_BUFFER_chain_errors],
                      (size_t)world->model->segment_count * sizeof(float)};
    whole[0] =
        (size_t)world->lanes.tiles.kept * CAB_SLOTS_KEPT * (size_t)world->backend->tile_width * sizeof(float);
    for (int s = 0; s < COUNT_OF(shares); s++) {
        cab_owners owners;
        must(cab_owners_start(&owners, 3, world->backend->tile_width, &error), &error);
        double sum = shares[s][0] + shares[s][1] + shares[s][2];
        for (int m = 0; m < 3; m++) owners.share[m] = shares[s][m] / sum;
        must(cab_owners_read(&owners, world->backend, world->backend->bytes, &error), &error);
        for (int b = 0; b < COUNT_OF(buffers); b++) {
            unsigned char *seen = calloc(whole[b] + 1, 1);
            size_t bytes = 0;
            assert_non_null(seen);
            for (int m = 0; m < 3; m++) {
                const cab_extents *parts =
                    cab_owners_extents(&owners, CAB_PARTITION_LANES, buffers[b], m, &error);
                assert_non_null(parts);
                for (int i = 0; i < parts->count; i++) {
                    bytes += parts->at[i].bytes;
                    assert_true(parts->at[i].offset + parts->at[i].bytes <= whole[b]);
                    for (size_t at = 0; at < parts->at[i].bytes; at++)
                        assert_int_equal(seen[parts->at[i].offset + at]++, 0);
                }
            }
            assert_int_equal(bytes, whole[b]);
            free(seen);
        }
        cab_owners_end(&owners);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void what_cannot_be(void **state)
{
    (void)state;
    static const char *const devices[] = {"native", "nonsense"};
    cab_error error = {0};
    cab_world *world = NULL;
    cab_batch *batch = NULL;
    cab_world_def def = cab_world_default();
    cab_scene *scene = make_many(&kinds[0]);
    def.devices = devices;
    def.device_count = 2;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error,
              "no device \"nonsense\"");
    def.device_count = -1;
    must_fail(cab_world_create(scene, &def, &world, &error), CAB_ERROR_INPUT, &error, "-1 devices");
    static const char *const two[] = {"native", "native"};
    const cab_scene *scenes[] = {scene, scene};
    def.devices = two;
    def.device_count = 2;
    must_fail(cab_batch_create(scenes, 2, &def, &batch, &error), CAB_ERROR_UNSUPPORTED, &error, "one device");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_cables),
        cmocka_unit_test(more_devices_than_work),
        cmocka_unit_test(native_beside_opencl),
        cmocka_unit_test(all_scenes),
        cmocka_unit_test(chunks_are_those_of_the_first),
        cmocka_unit_test(everything_has_one_owner),
        cmocka_unit_test(what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

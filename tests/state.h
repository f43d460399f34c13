/* States of worlds as bytes, and worlds to compare. Include cmocka first. */
#ifndef CAB_TESTS_STATE_H
#define CAB_TESTS_STATE_H

#include "scenes.h"

#define HEADER 40 /* bytes before the first array; the checksum of all arrays at 32, of the header at 36 */

typedef struct bytes {
    void *data;
    size_t size;
} bytes;

static inline bytes pack(cab_world *world)
{
    cab_error error = {0};
    bytes b = {0};
    must(cab_world_pack(world, &b.data, &b.size, &error), &error);
    return b;
}

static inline void unpack(cab_world *world, bytes b)
{
    cab_error error = {0};
    must(cab_world_unpack(world, b.data, b.size, &error), &error);
}

/* All that a state holds, contact lists and worst errors included. */
static inline void same_state(cab_world *a, cab_world *b, const char *what)
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

static inline cab_world *world_of(const test_scene *scene, test_way way, const char *device)
{
    cab_scene *made = scene->make();
    cab_scene_settings(made)->method = way.method;
    cab_scene_settings(made)->way = way.way;
    cab_world *world = world_on(made, device, 2);
    cab_scene_destroy(made);
    return world;
}

/* All that can be read, too. Measured first: energy is judged then, and what it is judged against is in the state. */
static inline void same_worlds(cab_world *a, cab_world *b, const char *what)
{
    cab_measures x = measure(a), y = measure(b);
    same_state(a, b, what);
    assert_memory_equal(&x, &y, sizeof x);
    same_motion(a, b, what);
}

typedef cab_scene *scene_source(const void *what);
typedef bool world_flag(const cab_world *world);

/* Frames of a run after which a flag was set, and how often it changed. */
typedef struct flag_count {
    int set, changes;
} flag_count;

/* The same bytes on one thread, on OpenCL where there is one, and after going on from the state of each frame. */
static inline flag_count same_everywhere(scene_source *make, const void *what, int frames, world_flag *flag)
{
    bool opencl = have_opencl();
    cab_world *world = take(make(what), "native", 2), *alone = take(make(what), "native", 1);
    cab_world *resumed = take(make(what), "native", 2),
              *other = opencl ? take(make(what), "opencl", 2) : NULL;
    flag_count count = {0};
    for (int frame = 0; frame < frames; frame++) {
        bool before = flag(world);
        bytes saved = pack(world);
        unpack(resumed, saved);
        free(saved.data);
        step(world, 1);
        step(alone, 1);
        step(resumed, 1);
        same_worlds(world, alone, "threads");
        same_worlds(world, resumed, "resumed");
        count.set += flag(world);
        count.changes += flag(world) != before;
        if (!opencl) continue;
        step(other, 1);
        same_worlds(world, other, "backends");
    }
    cab_world_destroy(world);
    cab_world_destroy(alone);
    cab_world_destroy(resumed);
    if (opencl) cab_world_destroy(other);
    return count;
}

/* How many of the first frames set a flag. Takes the scene. */
static inline int frames_that(world_flag *flag, cab_scene *scene, int frames)
{
    cab_world *world = take(scene, "native", 2);
    int count = 0;
    for (int i = 0; i < frames; i++) {
        step(world, 1);
        count += flag(world);
    }
    cab_world_destroy(world);
    return count;
}

static inline const test_scene *scene_called(const char *name)
{
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        if (strcmp(test_scenes[i].name, name) == 0) return &test_scenes[i];
    }
    fail_msg("no scene is called %s", name);
    return NULL;
}

#endif

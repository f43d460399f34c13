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

/* All that can be read, too. */
static inline void same_worlds(cab_world *a, cab_world *b, const char *what)
{
    same_state(a, b, what);
    cab_measures x = measure(a), y = measure(b);
    assert_memory_equal(&x, &y, sizeof x);
    same_motion(a, b, what);
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

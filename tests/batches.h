/* Batches beside worlds that run the same scenes alone, which gives the same bits. */
#ifndef CAB_TESTS_BATCHES_H
#define CAB_TESTS_BATCHES_H

#include "scenes.h"

/* A batch on `device`, by one thread, of scenes[count], which are freed, and world[count] of the same; these are native: PoCL takes seconds
 * to begin, and gives the same. */
static inline cab_batch *batch_beside(cab_scene *const *scenes, int count, const char *device,
                                      cab_world **world)
{
    cab_error error = {0};
    cab_batch *batch;
    cab_world_def def = cab_world_default();
    def.device = device;
    def.threads = 1;
    must(cab_batch_create((const cab_scene *const *)scenes, count, &def, &batch, &error), &error);
    for (int i = 0; i < count; i++) {
        world[i] = world_on(scenes[i], "native", 1);
        cab_scene_destroy(scenes[i]);
    }
    return batch;
}

/* All take a frame, and are where they are alone. what: of the failure, and its number */
static inline void step_beside(cab_batch *batch, cab_world *const *world, int count, const char *what,
                               int number)
{
    cab_error error = {0};
    must(cab_batch_step(batch, 1, &error), &error);
    for (int i = 0; i < count; i++) {
        char where[64];
        snprintf(where, sizeof where, "environment %d, %s %d", i, what, number);
        must(cab_world_step(world[i], 1, &error), &error);
        snapshot a = read_world(cab_batch_world(batch, i)), b = read_world(world[i]);
        same_bytes(&a, &b, where);
        snapshot_free(&a);
        snapshot_free(&b);
    }
}

static inline void end_beside(cab_batch *batch, cab_world *const *world, int count)
{
    for (int i = 0; i < count; i++) cab_world_destroy(world[i]);
    cab_batch_destroy(batch);
}

#endif

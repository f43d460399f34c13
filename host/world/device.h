/* Running kernels, filling buffers, logging: what everything else in a world is made of. */
#ifndef CAB_WORLD_DEVICE_H
#define CAB_WORLD_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/constraint_kind.h"
#include "world/world.h"

/* Runs a kernel over first ... first + count - 1; with profiling, waits for it and books the time on `stage`. `scratch`: bytes of
 * local memory of a group kernel. */
cab_status cab_world_run(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                         int argument, size_t scratch, cab_error *error);

/* (Re)allocates a buffer and writes `count` elements of `size` bytes into it; data NULL = zeros. */
cab_status cab_world_upload(cab_world *world, cab_buffer id, const void *data, size_t count, size_t size,
                            cab_error *error);

/* A buffer and what it begins with. */
typedef struct cab_table {
    cab_buffer id;
    const void *data; /* NULL = zeros */
    size_t count, size;
} cab_table;

/* The same of `count` tables, in their order. */
cab_status cab_world_upload_tables(cab_world *world, const cab_table *tables, int count, cab_error *error);
#define CAB_UPLOAD(world, tables, error)                                                                     \
    cab_world_upload_tables(world, tables, (int)(sizeof(tables) / sizeof *(tables)), error)

/* The same of one buffer that the next frame depends on: a state keeps it. tag: its name there, at most 8 characters. */
cab_status cab_world_upload_kept(cab_world *world, const char *tag, cab_buffer id, const void *data,
                                 size_t count, size_t size, cab_error *error);
/* A state keeps `count` elements of a buffer from now on; 0 = none. */
void cab_world_keep(cab_world *world, cab_buffer id, const char *tag, size_t count, size_t size);

/* What a kind of constraint keeps on the host, as large as its data_size says. */
void *cab_kind_data(const cab_world *world, const cab_constraint_kind *kind);

/* The parameters of all kernels, as they are in world->params. */
cab_status cab_world_upload_params(cab_world *world, cab_error *error);

/* One float4 of each particle, [particles]; free it. */
cab_status cab_world_read_particles(cab_world *world, cab_buffer id, float4 **rows, cab_error *error);

/* What `velocity` holds of the damping of a free particle: the factor of a substep, or with the direct method rate times h. */
float cab_world_damping(const cab_world *world, int particle);

/* A place as floats, and what rounding has left out of them. The volatile keeps gcc 12 from taking (double)(float)x for x when it
 * makes vectors of this. */
static inline void cab_split_place(cab_vec3 x, float4 *place, float4 *rest)
{
    volatile float high[3] = {(float)x.x, (float)x.y, (float)x.z};
    *place = (float4){high[0], high[1], high[2], 0};
    *rest = (float4){(float)(x.x - high[0]), (float)(x.y - high[1]), (float)(x.z - high[2]), 0};
}

void cab_world_log(const cab_world *world, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

/* Running kernels, filling buffers, logging. */
#ifndef CAB_WORLD_DEVICE_H
#define CAB_WORLD_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/constraint_kind.h"
#include "world/world.h"

/* Brings the buffers of particles up to date where the carrier keeps what it computes elsewhere. change: they are
 * about to be changed, and the carrier takes them from there again. All below that reads, writes or runs does it. */
cab_status cab_world_flush(cab_world *world, bool change, cab_error *error);

/* Runs a kernel over first ... first + count - 1. With profiling it waits for the end and adds the time to
 * `stage`. `scratch`: bytes of local memory of a group kernel. */
cab_status cab_world_run(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                         int argument, size_t scratch, cab_error *error);

/* The same for kernels that neither read nor write the buffers of particles. */
cab_status cab_world_launch(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                            int argument, size_t scratch, cab_error *error);

/* Reads from a buffer, writes to a buffer. */
cab_status cab_world_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                           cab_error *error);
cab_status cab_world_put(cab_world *world, cab_buffer id, size_t offset, size_t bytes, const void *data,
                         cab_error *error);

/* Reads the first `count` elements of a buffer into a new array, which the caller frees. It is NULL if there is no memory. */
#define CAB_READ_NEW(world, id, array, count, error)                                                         \
    (CAB_NEW(array, count, error) == CAB_OK                                                                  \
         ? (world)->backend->ops->read((world)->backend, id, 0, (size_t)(count) * sizeof *(array), array,    \
                                       error)                                                                \
         : CAB_ERROR_MEMORY)

/* A buffer and its first content. */
typedef struct cab_table {
    cab_buffer id;
    const void *data; /* NULL = zeros */
    size_t count, size;
} cab_table;

/* Allocates a buffer anew and writes `count` elements of `size` bytes; data NULL = zeros. */
cab_status cab_world_upload(cab_world *world, cab_buffer id, const void *data, size_t count, size_t size,
                            cab_error *error);
/* The same for a device that is no world's. */
cab_status cab_device_upload(cab_backend *backend, const cab_table *table, cab_error *error);

/* The same for `count` tables, in their order. */
cab_status cab_world_upload_tables(cab_world *world, const cab_table *tables, int count, cab_error *error);
#define CAB_UPLOAD(world, tables, error)                                                                     \
    cab_world_upload_tables(world, tables, (int)(sizeof(tables) / sizeof *(tables)), error)

/* The same for a buffer that states keep, under the name `tag` of at most 8 characters. */
cab_status cab_world_upload_kept(cab_world *world, const char *tag, cab_buffer id, const void *data,
                                 size_t count, size_t size, cab_error *error);
/* From now on states keep `count` elements of a buffer; 0 = none. */
void cab_world_keep(cab_world *world, cab_buffer id, const char *tag, size_t count, size_t size);

/* The data of a kind of constraint on the host, of its data_size. */
void *cab_kind_data(const cab_world *world, const cab_constraint_kind *kind);

/* Uploads world->params, the parameters of all kernels. */
cab_status cab_world_upload_params(cab_world *world, cab_error *error);

/* Measures in the buffers of particles and reads what comes out: a row for each block of constraints and particles. */
cab_status cab_world_measure_blocks(cab_world *world, cab_errors *rows, int blocks, cab_error *error);

/* Reads a float4 per particle, [particles]; the caller frees it. */
cab_status cab_world_read_particles(cab_world *world, cab_buffer id, float4 **rows, cab_error *error);

/* The damping of a free particle as the buffer `velocity` holds it in w: the factor of the velocity in a
 * substep; with the direct method the damping rate times h. */
float cab_world_damping(const cab_world *world, int particle);

/* Writes it for all particles, whose velocities stay. */
cab_status cab_world_upload_damping(cab_world *world, cab_error *error);

/* Splits a place into floats and what rounding has left out. volatile: gcc 12 takes (double)(float)x for x
 * when it vectorises this. */
static inline void cab_split_place(cab_vec3 x, float4 *place, float4 *rest)
{
    volatile float high[3] = {(float)x.x, (float)x.y, (float)x.z};
    *place = (float4){high[0], high[1], high[2], 0};
    *rest = (float4){(float)(x.x - high[0]), (float)(x.y - high[1]), (float)(x.z - high[2]), 0};
}

void cab_world_log(const cab_world *world, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

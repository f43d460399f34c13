/* What a device must be able to do: hold buffers, run kernels over a range. Everything above (host/world) is
 * written once against this table and does not know which device it talks to.
 */
#ifndef CAB_BACKEND_H
#define CAB_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/world.h>

#include "backend/kernels.h"
#include "kernels/types.h"

typedef struct cab_backend cab_backend;

typedef struct cab_backend_ops {
    /* Gives buffer `id` at least `bytes` (16 at the least) of zeroed memory, what it held is lost. */
    cab_status (*allocate)(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error);
    cab_status (*write)(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, const void *data,
                        cab_error *error);
    /* Waits for all that was run before. */
    cab_status (*read)(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                       cab_error *error);
    /* Item kernel: one work-item for each of first ... first+count-1. Group kernel: one group each, with
     * `scratch` bytes of local memory. Returns at once; runs follow one another. count 0 does nothing. */
    cab_status (*run)(cab_backend *backend, cab_kernel kernel, int first, int count, int argument,
                      size_t scratch, cab_error *error);
    /* Compiles the user's expressions into the kernels `own`: `count` kinds, each with its part of `ops`.
     * NULL where kernels read the operations from the buffer own_op. */
    cab_status (*express)(cab_backend *backend, const cab_own_kind *kinds, int count, const cab_own_op *ops,
                          cab_error *error);
    /* Waits until everything has run. */
    cab_status (*finish)(cab_backend *backend, cab_error *error);
    /* Where `shares_gl`, else NULL. OpenGL's buffer `name` of at least `bytes` stands in for buffer `id`, to
     * be written only, from acquire to release, which waits. OpenGL must not touch it in between; it keeps
     * nothing of what `id` held. A failing acquire leaves nothing to release. */
    cab_status (*acquire)(cab_backend *backend, cab_buffer id, unsigned name, size_t bytes, cab_error *error);
    cab_status (*release)(cab_backend *backend, cab_buffer id, cab_error *error);
    void (*forget)(cab_backend *backend, unsigned name); /* OpenGL will delete or change the buffer */
    void (*destroy)(cab_backend *backend);
} cab_backend_ops;

/* Each backend starts with this. */
struct cab_backend {
    const cab_backend_ops *ops;
    cab_device_info info;
    size_t bytes[CAB_BUFFER_COUNT]; /* held per buffer */
    int tile_width;                 /* cables to a tile of the lanes kernels */
    bool doubles;                   /* it calculates in 64 bits */
    bool shares_gl;                 /* OpenGL's buffers can be acquired */
    char shares_not[256];           /* else why they cannot, if there was a context to ask for */
};

/* The CPU itself. */
cab_device_info cab_native_info(void);
cab_status cab_native_create(const cab_world_def *def, cab_backend **backend, cab_error *error);
#ifdef CAB_HAVE_OPENCL
/* platform and device index as in the id "opencl:P.D". */
cab_status cab_opencl_create(const cab_world_def *def, int platform, int device, cab_backend **backend,
                             cab_error *error);
/* In the context of another OpenCL backend. */
cab_status cab_opencl_create_beside(const cab_world_def *def, const cab_backend *other, cab_backend **backend,
                                    cab_error *error);
/* Appends what there is; returns the count. Never fails: no platform is no device. */
int cab_opencl_devices(cab_device_info *devices, int capacity);
#endif

/* Opens the device that def->device names (cab_world_def). */
cab_status cab_backend_open(const cab_world_def *def, cab_backend **backend, cab_error *error);

/* Opens the device of `other` once more; on OpenCL in the same context, whose memory many can share. def->gl
 * must be NULL. Either may end first. */
cab_status cab_backend_open_beside(const cab_world_def *def, const cab_backend *other, cab_backend **backend,
                                   cab_error *error);

#endif

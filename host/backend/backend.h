/* What a device must be able to do: hold buffers, run kernels over a range. Everything else in the library
 * calls this table and does not know which device it uses. */
#ifndef CAB_BACKEND_H
#define CAB_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/world.h>

#include "backend/kernels.h"
#include "kernels/types.h"

typedef struct cab_backend cab_backend;

typedef struct cab_backend_ops {
    /* Gives buffer `id` at least `bytes` (and at least 16) of zeroed memory. What it held is lost. */
    cab_status (*allocate)(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error);
    cab_status (*write)(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, const void *data,
                        cab_error *error);
    /* Waits for all runs before. */
    cab_status (*read)(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                       cab_error *error);
    /* Puts aside a copy of a buffer, or (back) fetches what was put aside last. A copy is of the size that the buffer has then, and
     * lasts until the next one. */
    cab_status (*aside)(cab_backend *backend, cab_buffer id, bool back, cab_error *error);
    /* Copies a part of a buffer from the same buffer of a backend that was opened beside this one (or beside which this one was), after
     * all that either of them has been asked for. */
    cab_status (*copy)(cab_backend *to, size_t to_offset, const cab_backend *from, size_t from_offset,
                       cab_buffer id, size_t bytes, cab_error *error);
    /* Item kernel: a work-item for each of first ... first+count-1. Group kernel: a group for each, with
     * `scratch` bytes of local memory. Returns at once; runs follow one another. A count of 0 does nothing.
     */
    cab_status (*run)(cab_backend *backend, cab_kernel kernel, int first, int count, int argument,
                      size_t scratch, cab_error *error);
    /* Compiles the user's expressions into the kernels `own`: `count` kinds, each with its part of `ops`.
     * NULL for a backend whose kernels read the operations from the buffer own_op. */
    cab_status (*express)(cab_backend *backend, const cab_own_kind *kinds, int count, const cab_own_op *ops,
                          cab_error *error);
    /* Waits until everything has run. */
    cab_status (*finish)(cab_backend *backend, cab_error *error);
    /* NULL unless `shares_gl`. From acquire to release, which waits, OpenGL's buffer `name` of at least
     * `bytes` replaces buffer `id`, for writing only; the old content of `id` is not copied. OpenGL must not
     * use its buffer meanwhile. If acquire fails there is nothing to release. */
    cab_status (*acquire)(cab_backend *backend, cab_buffer id, unsigned name, size_t bytes, cab_error *error);
    cab_status (*release)(cab_backend *backend, cab_buffer id, cab_error *error);
    void (*forget)(cab_backend *backend,
                   unsigned name); /* call it before OpenGL deletes or changes the buffer */
    void (*destroy)(cab_backend *backend);
} cab_backend_ops;

/* The first member of each backend's own struct. */
struct cab_backend {
    const cab_backend_ops *ops;
    cab_device_info info;
    size_t bytes[CAB_BUFFER_COUNT]; /* bytes of each buffer */
    int tile_width;                 /* cables in a tile of the lanes kernels */
    int members;   /* several devices that share its work (cab_distributed_create); 0 = it is one device */
    long shared;   /* launches that they have shared out */
    int all_units; /* compute units of them all, */
    bool any_gpu;  /* and is one of them a GPU */
    bool
        without_meshes; /* no collider is a mesh: set before the first run of a kernel that asks for colliders,
                                     * and so is as long as the backend is. Kernels may be made for it */
    bool doubles;       /* it can calculate in 64 bits */
    bool shares_gl;     /* OpenGL's buffers can be acquired */
    char shares_not[256]; /* else the reason, if there was a context */
};

cab_device_info cab_native_info(void);
cab_status cab_native_create(const cab_world_def *def, cab_backend **backend, cab_error *error);
/* The memory of a buffer of a native backend, until it is allocated anew. */
void *cab_native_memory(const cab_backend *backend, cab_buffer id);
#ifdef CAB_HAVE_OPENCL
/* platform and device index as in the id "opencl:P.D". */
cab_status cab_opencl_create(const cab_world_def *def, int platform, int device, cab_backend **backend,
                             cab_error *error);
/* The same in the context of another OpenCL backend. */
cab_status cab_opencl_create_beside(const cab_world_def *def, const cab_backend *other, cab_backend **backend,
                                    cab_error *error);
/* Writes the devices that there are and returns their number. No OpenCL platform is no error. */
int cab_opencl_devices(cab_device_info *devices, int capacity);
#endif

/* Devices that may share a world. */
#define CAB_MEMBERS_MOST 1024
/* Makes a backend of others, its members, 2 to CAB_MEMBERS_MOST, and takes them over, also where it fails: distributed/. CAB_ERROR_UNSUPPORTED:
 * their tiles have different widths; CAB_ERROR_MEMORY. */
cab_status cab_distributed_create(const cab_world_def *def, cab_backend *const *members, int count,
                                  cab_backend **backend, cab_error *error);

/* The process whose device the word "rank:N" names, -1 = it names none; opening that: remote/. Errors as below, and CAB_ERROR_INPUT: there is
 * no such process. */
int cab_remote_rank_of(const char *word);
cab_status cab_remote_create(int rank, cab_backend **backend, cab_error *error);

/* Opens the device that def->device names (cab_world_def), or those of def->devices as one. */
cab_status cab_backend_open(const cab_world_def *def, cab_backend **backend, cab_error *error);

/* Opens the device of `other` once more; with OpenCL in the same context and queue, with the programs that one of them has built.
 * def->gl must be NULL, def->kernel_dir that of the other. Either backend may be closed first. */
cab_status cab_backend_open_beside(const cab_world_def *def, const cab_backend *other, cab_backend **backend,
                                   cab_error *error);

#endif

#include <string.h>

#include "base/error.h"
#include "backend/opencl/opencl.h"

/* bytes of the widest vector that a kernel reads */
enum { GRAIN = 16 };

static void release(cab_opencl *opencl, cab_buffer id)
{
    if (opencl->buffers[id].memory) clReleaseMemObject(opencl->buffers[id].memory);
    opencl->buffers[id].memory = NULL;
    opencl->base.bytes[id] = 0;
}

static cab_status check_room(const cab_opencl *opencl, cab_buffer id, size_t bytes, cab_error *error)
{
    const char *name = cab_buffer_names[id];
    if (opencl->max_allocation && bytes > opencl->max_allocation) {
        return cab_fail(error, CAB_ERROR_MEMORY, "%s needs %s in one piece, %s gives at most %s", name,
                        cab_opencl_size(bytes).text, opencl->base.info.name,
                        cab_opencl_size(opencl->max_allocation).text);
    }
    unsigned long long total = bytes;
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) total += opencl->base.bytes[i];
    if (opencl->memory && total > opencl->memory) {
        return cab_fail(error, CAB_ERROR_MEMORY, "%s needs %s, %s in all, %s has %s", name,
                        cab_opencl_size(bytes).text, cab_opencl_size(total).text, opencl->base.info.name,
                        cab_opencl_size(opencl->memory).text);
    }
    return CAB_OK;
}

static cab_status create(cab_opencl *opencl, cab_buffer id, size_t bytes, cab_error *error)
{
    release(opencl, id);
    cab_status status = check_room(opencl, id, bytes, error);
    if (status) return status;
    cl_int code = CL_SUCCESS;
    opencl->buffers[id].memory = clCreateBuffer(opencl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        opencl->buffers[id].memory = NULL;
        return cab_opencl_fail(error, code, "clCreateBuffer", "%s (%s)", cab_buffer_names[id],
                               cab_opencl_size(bytes).text);
    }
    opencl->buffers[id].generation++;
    opencl->base.bytes[id] = bytes;
    return CAB_OK;
}

cab_status cab_opencl_allocate(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    const unsigned char zeros[GRAIN] = {0};
    if (bytes > (size_t)-1 - GRAIN) return cab_fail_memory(error, cab_buffer_names[id], bytes);
    bytes = bytes < GRAIN ? GRAIN : (bytes + GRAIN - 1) / GRAIN * GRAIN;
    if (bytes != backend->bytes[id]) {
        cab_status status = create(opencl, id, bytes, error);
        if (status) return status;
    }
    cl_int code =
        clEnqueueFillBuffer(opencl->queue, opencl->buffers[id].memory, zeros, GRAIN, 0, bytes, 0, NULL, NULL);
    if (code == CL_SUCCESS) return CAB_OK;
    release(opencl, id);
    return cab_opencl_fail(error, code, "clEnqueueFillBuffer", "%s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

static cab_status check_range(const cab_backend *backend, cab_buffer id, size_t offset, size_t bytes,
                              cab_error *error)
{
    size_t held = backend->bytes[id];
    if (offset <= held && bytes <= held - offset) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "buffer %s holds %zu bytes, asked for %zu from byte %zu on",
                    cab_buffer_names[id], held, bytes, offset);
}

/* Where the queue finds `data` after the caller has gone on, so that a short write takes its turn among the
 * launches without the host waiting for those before it. What is too long to be copied is waited for. NULL:
 * the queue failed. */
static const void *stage(cab_opencl *opencl, const void *data, size_t bytes, bool *waits, cab_error *error)
{
    *waits = bytes > CAB_OPENCL_STAGED / 8;
    if (*waits) return data;
    if (bytes > CAB_OPENCL_STAGED - opencl->staged_bytes && cab_opencl_finish(&opencl->base, error) != CAB_OK)
        return NULL;
    void *place = opencl->staged + opencl->staged_bytes;
    opencl->staged_bytes += bytes;
    return memcpy(place, data, bytes);
}

cab_status cab_opencl_write(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes,
                            const void *data, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cab_status status = check_range(backend, id, offset, bytes, error);
    if (status || bytes == 0) return status;
    bool waits = false;
    data = stage(opencl, data, bytes, &waits, error);
    if (!data) return CAB_ERROR_DEVICE;
    cl_int code = clEnqueueWriteBuffer(opencl->queue, opencl->buffers[id].memory, waits, offset, bytes, data,
                                       0, NULL, NULL);
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clEnqueueWriteBuffer", "%s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

cab_status cab_opencl_read(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                           cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cab_status status = check_range(backend, id, offset, bytes, error);
    if (status) return status;
    if (bytes == 0) return cab_opencl_finish(backend, error);
    cl_int code = clEnqueueReadBuffer(opencl->queue, opencl->buffers[id].memory, CL_TRUE, offset, bytes, data,
                                      0, NULL, NULL);
    if (code == CL_SUCCESS) opencl->staged_bytes = 0; /* all that was before the read has run */
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clEnqueueReadBuffer", "%s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

/* The buffer that holds a copy, of the size that the buffer has now. */
static cab_status make_aside(cab_opencl *opencl, cab_buffer id, cab_error *error)
{
    cab_opencl_buffer *b = &opencl->buffers[id];
    size_t bytes = opencl->base.bytes[id];
    cl_int code = CL_SUCCESS;
    if (b->aside && b->aside_bytes == bytes) return CAB_OK;
    if (b->aside) clReleaseMemObject(b->aside);
    b->aside = clCreateBuffer(opencl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS) {
        b->aside_bytes = bytes;
        return CAB_OK;
    }
    b->aside = NULL;
    return cab_opencl_fail(error, code, "clCreateBuffer", "a copy of %s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

cab_status cab_opencl_aside(cab_backend *backend, cab_buffer id, bool back, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cab_opencl_buffer *b = &opencl->buffers[id];
    size_t bytes = backend->bytes[id];
    if (back && (!b->aside || b->aside_bytes != bytes)) return CAB_OK;
    cab_status status = back ? CAB_OK : make_aside(opencl, id, error);
    if (status != CAB_OK) return status;
    cl_int code = clEnqueueCopyBuffer(opencl->queue, back ? b->aside : b->memory, back ? b->memory : b->aside,
                                      0, 0, bytes, 0, NULL, NULL);
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clEnqueueCopyBuffer", "%s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

cab_status cab_opencl_copy(cab_backend *to, size_t to_offset, const cab_backend *from, size_t from_offset,
                           cab_buffer id, size_t bytes, cab_error *error)
{
    const cab_opencl *mine = (const cab_opencl *)to, *other = (const cab_opencl *)from;
    cab_status status = check_range(to, id, to_offset, bytes, error);
    if (status == CAB_OK) status = check_range(from, id, from_offset, bytes, error);
    if (status != CAB_OK || bytes == 0) return status;
    cl_int code = clEnqueueCopyBuffer(mine->queue, other->buffers[id].memory, mine->buffers[id].memory,
                                      from_offset, to_offset, bytes, 0, NULL, NULL);
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clEnqueueCopyBuffer", "%s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

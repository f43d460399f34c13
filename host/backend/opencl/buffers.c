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

cab_status cab_opencl_write(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes,
                            const void *data, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cab_status status = check_range(backend, id, offset, bytes, error);
    if (status || bytes == 0) return status;
    cl_int code = clEnqueueWriteBuffer(opencl->queue, opencl->buffers[id].memory, CL_TRUE, offset, bytes,
                                       data, 0, NULL, NULL);
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
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clEnqueueReadBuffer", "%s (%s)", cab_buffer_names[id],
                           cab_opencl_size(bytes).text);
}

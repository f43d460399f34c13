#include "base/clock.h"
#include "base/error.h"
#include "backend/opencl/opencl.h"

static cab_status set(cab_opencl_kernel *kernel, const char *name, int index, size_t size, const void *value,
                      cab_error *error)
{
    cl_int code = clSetKernelArg(kernel->kernel, (cl_uint)index, size, value);
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clSetKernelArg", "argument %d of %s", index, name);
}

static cab_status set_scalars(cab_opencl_kernel *kernel, const cab_binding *binding, const int scalars[3],
                              size_t scratch, cab_error *error)
{
    bool group = binding->kind == CAB_BINDING_group;
    bool bound = kernel->bound;
    kernel->bound = false; /* until all arguments are set */
    for (int i = 0; i < 3; i++) {
        if (bound && kernel->scalars[i] == scalars[i]) continue;
        cab_status status = set(kernel, binding->name, i, sizeof scalars[i], &scalars[i], error);
        if (status) return status;
        kernel->scalars[i] = scalars[i];
    }
    if (group && !(bound && kernel->scratch == scratch)) {
        cab_status status = set(kernel, binding->name, 3, scratch, NULL, error);
        if (status) return status;
        kernel->scratch = scratch;
    }
    kernel->bound = true;
    return CAB_OK;
}

static cab_status set_buffers(cab_opencl *opencl, cab_opencl_kernel *kernel, const cab_binding *binding,
                              cab_error *error)
{
    int before = binding->kind == CAB_BINDING_group ? 4 : 3;
    for (int i = 0; i < binding->buffer_count; i++) {
        cab_buffer id = (cab_buffer)binding->buffers[i];
        cab_opencl_buffer *buffer = &opencl->buffers[id];
        cab_status status = CAB_OK;
        if (!buffer->memory) status = cab_opencl_allocate(&opencl->base, id, 0, error);
        if (status) return status;
        if (kernel->generation[id] == buffer->generation) continue;
        status = set(kernel, binding->name, before + i, sizeof buffer->memory, &buffer->memory, error);
        if (status) return status;
        kernel->generation[id] = buffer->generation;
    }
    return CAB_OK;
}

/* The first run of a kernel that PoCL has not compiled yet, and with it the compilation. */
static cl_int run_fresh(cab_opencl *opencl, cab_opencl_kernel *kernel, const char *name, size_t total,
                        size_t size)
{
    double start = cab_processor_now();
    cab_opencl_compile_begin(opencl);
    cl_int code =
        clEnqueueNDRangeKernel(opencl->queue, kernel->kernel, 1, NULL, &total, &size, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(opencl->queue);
    cab_opencl_compile_end(opencl);
    kernel->fresh = false;
    cab_opencl_log(opencl, 1, "%s: compiled and run in %.3f s of processor time", name,
                   cab_processor_now() - start);
    return code;
}

cab_status cab_opencl_run(cab_backend *backend, cab_kernel id, int first, int count, int argument,
                          size_t scratch, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cab_opencl_kernel *kernel = &opencl->kernels[id];
    const cab_binding *binding = &cab_bindings[id];
    const int scalars[3] = {first, count, argument};
    if (count <= 0) return CAB_OK;
    if (scratch < sizeof(cl_float4)) scratch = sizeof(cl_float4); /* OpenCL refuses 0 */
    if (opencl->max_scratch && scratch > opencl->max_scratch) {
        return cab_fail(error, CAB_ERROR_DEVICE, "kernel %s needs %s of local memory, %s has %s",
                        binding->name, cab_opencl_size(scratch).text, backend->info.name,
                        cab_opencl_size(opencl->max_scratch).text);
    }
    cab_status status = kernel->kernel ? CAB_OK : cab_opencl_build(opencl, id, error);
    if (!status) status = set_scalars(kernel, binding, scalars, scratch, error);
    if (!status) status = set_buffers(opencl, kernel, binding, error);
    if (status) return status;

    bool group = binding->kind == CAB_BINDING_group;
    size_t size = group                                ? opencl->group_size
                  : binding->kind == CAB_BINDING_block ? opencl->block_size
                                                       : opencl->item_size;
    size_t groups = group ? (size_t)count : ((size_t)count + size - 1) / size;
    size_t total = groups * size;
    cl_int code = kernel->fresh ? run_fresh(opencl, kernel, binding->name, total, size)
                                : clEnqueueNDRangeKernel(opencl->queue, kernel->kernel, 1, NULL, &total,
                                                         &size, 0, NULL, NULL);
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clEnqueueNDRangeKernel", "%s (%zu groups of %zu)", binding->name,
                           groups, size);
}

cab_status cab_opencl_finish(cab_backend *backend, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cl_int code = clFinish(opencl->queue);
    if (code == CL_SUCCESS) opencl->staged_bytes = 0;
    if (code == CL_SUCCESS) return CAB_OK;
    return cab_opencl_fail(error, code, "clFinish", "%s", backend->info.name);
}

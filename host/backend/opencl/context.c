#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "backend/folder.h"
#include "backend/opencl/opencl.h"

/* Work-items per group; the defaults in kernels/dialect.h are the same. */
enum { ITEM_SIZE = 64, BLOCK_SIZE = 32, GROUP_SIZE = 32 };

static size_t at_most(size_t size, size_t limit)
{
    while (size > limit && size > 1) size /= 2;
    return size;
}

/* Cables per work-item of the lanes kernels: the vector's width on a CPU, 1 on a GPU. */
static int choose_vector(const cab_opencl *opencl)
{
    cl_uint width = 1;
    cl_int code =
        clGetDeviceInfo(opencl->device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof width, &width, NULL);
    if (code != CL_SUCCESS || opencl->group_size > 1) return 1;
    return width >= 16 ? 16 : width >= 8 ? 8 : width >= 4 ? 4 : 1;
}

static cab_status choose_options(cab_opencl *opencl, cab_error *error)
{
    size_t limit = 0;
    cl_device_fp_config config = 0;
    cl_int code = clGetDeviceInfo(opencl->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof limit, &limit, NULL);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clGetDeviceInfo", "%s", opencl->base.info.name);
    opencl->item_size = at_most(ITEM_SIZE, limit);
    /* On a CPU one work-item walks through a group, vectorised and without barriers. */
    opencl->block_size = opencl->base.info.gpu ? at_most(BLOCK_SIZE, limit) : 1;
    opencl->group_size = opencl->base.info.gpu ? at_most(GROUP_SIZE, limit) : 1;

    int vector = choose_vector(opencl);
    opencl->base.tile_width = (int)opencl->group_size * vector;

    code = clGetDeviceInfo(opencl->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clGetDeviceInfo", "%s", opencl->base.info.name);
    cl_device_fp_config doubles = 0;
    code = clGetDeviceInfo(opencl->device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL);
    opencl->base.doubles = code == CL_SUCCESS && doubles != 0;
    bool rounded = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    if (!rounded) {
        cab_opencl_log(
            opencl, 0,
            "%s does not round division and square root correctly: results may differ in the last bits",
            opencl->base.info.name);
    }
    /* PoCL's sqrt is a call, which keeps loops from being vectorised; clang's is an instruction. */
    bool pocl = cab_opencl_is_pocl(opencl);
    snprintf(
        opencl->options, sizeof opencl->options,
        "-cl-std=CL1.2%s -DCAB_ITEM_SIZE=%zu -DCAB_BLOCK_SIZE=%zu -DCAB_GROUP_SIZE=%zu -DCAB_VECTOR=%d%s",
        rounded ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", opencl->item_size, opencl->block_size,
        opencl->group_size, vector, pocl ? " -DCAB_SQRT=__builtin_sqrtf" : "");
    return CAB_OK;
}

/* Opens a context that shares with OpenGL if that is wanted and possible. */
static void open_shared_context(cab_opencl *opencl, const cab_gl *gl)
{
    cl_context_properties properties[CAB_GL_PROPERTIES];
    cl_int code = CL_SUCCESS;
    if (!cab_opencl_share_wanted(opencl, gl, properties)) return;
    opencl->context = clCreateContext(properties, 1, &opencl->device, NULL, NULL, &code);
    opencl->base.shares_gl = code == CL_SUCCESS;
    if (code == CL_SUCCESS) return;
    opencl->context = NULL;
    snprintf(opencl->base.shares_not, sizeof opencl->base.shares_not, "clCreateContext: %s (%d)",
             cab_opencl_code(code), (int)code);
}

static cab_status open_context(cab_opencl *opencl, const cab_gl *gl, cab_error *error)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)opencl->platform,
                                                0};
    cl_int code = CL_SUCCESS;
    open_shared_context(opencl, gl);
    if (!opencl->context)
        opencl->context = clCreateContext(properties, 1, &opencl->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clCreateContext", "%s", opencl->base.info.name);
    return cab_opencl_begin_common(opencl, error);
}

/* Takes over the context of another backend, what is known about its device, where its sources are, what both have in common. */
static cab_status take_context(cab_opencl *opencl, const cab_opencl *from, cab_error *error)
{
    opencl->base.info = from->base.info;
    opencl->base.tile_width = from->base.tile_width;
    opencl->base.doubles = from->base.doubles;
    opencl->platform = from->platform;
    opencl->device = from->device;
    opencl->memory = from->memory;
    opencl->max_allocation = from->max_allocation;
    opencl->max_scratch = from->max_scratch;
    opencl->item_size = from->item_size;
    opencl->block_size = from->block_size;
    opencl->group_size = from->group_size;
    memcpy(opencl->options, from->options, sizeof opencl->options);
    cl_int code = clRetainContext(from->context);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clRetainContext", "%s", opencl->base.info.name);
    opencl->context = from->context;
    cab_opencl_share_common(opencl, from);
    return CAB_OK;
}

static void destroy(cab_backend *backend)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    if (opencl->queue) clFinish(opencl->queue);
    cab_opencl_compile_note(opencl);
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) {
        if (opencl->kernels[i].kernel) clReleaseKernel(opencl->kernels[i].kernel);
    }
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) {
        if (opencl->buffers[i].memory) clReleaseMemObject(opencl->buffers[i].memory);
        if (opencl->buffers[i].aside) clReleaseMemObject(opencl->buffers[i].aside);
    }
    cab_opencl_share_end(opencl);
    cab_opencl_end_common(opencl);
    if (opencl->context) clReleaseContext(opencl->context);
    CAB_FREE(opencl->kernel_dir, opencl->cache_dir, opencl->expressions, opencl);
}

static const cab_backend_ops operations = {
    .allocate = cab_opencl_allocate,
    .write = cab_opencl_write,
    .read = cab_opencl_read,
    .aside = cab_opencl_aside,
    .copy = cab_opencl_copy,
    .run = cab_opencl_run,
    .express = cab_opencl_express,
    .finish = cab_opencl_finish,
    .acquire = cab_opencl_acquire,
    .release = cab_opencl_release,
    .forget = cab_opencl_forget,
    .destroy = destroy,
};

/* Makes a backend without a device. */
static cab_status create(const cab_world_def *def, cab_opencl **out, cab_error *error)
{
    cab_opencl *opencl = calloc(1, sizeof *opencl);
    if (!opencl) return cab_fail_memory(error, "the OpenCL backend", sizeof *opencl);
    opencl->base.ops = &operations;
    opencl->log = def->log;
    opencl->user = def->user;
    opencl->cache_dir = cab_cache_folder(def->cache_dir);
    opencl->own_folder = def->cache_dir != NULL || getenv("CLCABLE_KEEP_BINARIES");
    if (def->kernel_dir) opencl->kernel_dir = strdup(def->kernel_dir);
    *out = opencl;
    if (!def->kernel_dir || opencl->kernel_dir) return CAB_OK;
    return cab_fail_memory(error, "the kernel folder's name", strlen(def->kernel_dir));
}

/* Hands the backend to the caller, or frees it if `status` is an error. */
static cab_status finish(cab_opencl *opencl, cab_status status, cab_backend **backend)
{
    if (status == CAB_OK)
        *backend = &opencl->base;
    else if (opencl)
        destroy(&opencl->base);
    return status;
}

cab_status cab_opencl_create(const cab_world_def *def, int platform, int device, cab_backend **backend,
                             cab_error *error)
{
    cab_opencl *opencl = NULL;
    cab_status status = create(def, &opencl, error);
    if (!status) status = cab_opencl_find(platform, device, opencl, error);
    if (!status) status = choose_options(opencl, error);
    if (!status) status = open_context(opencl, def->gl, error);
    return finish(opencl, status, backend);
}

cab_status cab_opencl_create_beside(const cab_world_def *def, const cab_backend *other, cab_backend **backend,
                                    cab_error *error)
{
    cab_opencl *opencl = NULL;
    cab_status status = create(def, &opencl, error);
    if (!status) status = take_context(opencl, (const cab_opencl *)other, error);
    return finish(opencl, status, backend);
}

/* For the run under oclgrind. What a run steps is drawn, too, each quantity: without OpenGL nothing else of
 * the command line draws. And a hand pulls at the first body.
 *
 * Oclgrind 21.10 takes memory filled by clEnqueueFillBuffer for uninitialised, and after a write to a part of
 * a buffer all that was in the rest of it, too. Linked with --wrap, both become writes of whole buffers.
 *
 * Each kernel's first launch prints a line "ran NAME".
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clcable/clcable.h>

cl_int __real_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                   size_t size, const void *data, cl_uint count, const cl_event *list,
                                   cl_event *event);
cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                   size_t size, const void *data, cl_uint count, const cl_event *list,
                                   cl_event *event);
cl_int __wrap_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                  size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                  const cl_event *list, cl_event *event);

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint count, const cl_event *list, cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint count, const cl_event *list, cl_event *event);

#define NAMES 256 /* more than there are kernels */

static void tell_once(const char *name)
{
    static char told[NAMES][64];
    int i = 0;
    while (i < NAMES && told[i][0] && strcmp(told[i], name) != 0) i++;
    if (i == NAMES || told[i][0]) return;
    snprintf(told[i], sizeof told[i], "%s", name);
    printf("ran %s\n", name);
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint count, const cl_event *list, cl_event *event)
{
    char name[64] = "";
    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS)
        tell_once(name);
    return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, list,
                                         event);
}

/* The buffer's content, to be freed. */
static unsigned char *read_all(cl_command_queue queue, cl_mem buffer, size_t *size)
{
    if (clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof *size, size, NULL) != CL_SUCCESS) return NULL;
    unsigned char *all = malloc(*size);
    if (all && clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, *size, all, 0, NULL, NULL) == CL_SUCCESS)
        return all;
    free(all);
    return NULL;
}

cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                   size_t size, const void *data, cl_uint count, const cl_event *list,
                                   cl_event *event)
{
    size_t whole;
    (void)blocking;
    unsigned char *all = read_all(queue, buffer, &whole);
    if (!all || offset > whole || size > whole - offset) {
        free(all);
        return CL_INVALID_VALUE;
    }
    memcpy(all + offset, data, size);
    cl_int code = __real_clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, whole, all, count, list, event);
    free(all);
    return code;
}

cl_int __wrap_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                  size_t pattern_size, size_t offset, size_t size, cl_uint count,
                                  const cl_event *list, cl_event *event)
{
    unsigned char *data = malloc(size);
    if (!data) return CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; i < size; i++) data[i] = ((const unsigned char *)pattern)[i % pattern_size];
    cl_int code = __wrap_clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, size, data, count, list, event);
    free(data);
    return code;
}

cab_status __real_cab_world_step(cab_world *world, int frames, cab_error *error);
cab_status __wrap_cab_world_step(cab_world *world, int frames, cab_error *error);

cab_status __wrap_cab_world_step(cab_world *world, int frames, cab_error *error)
{
    const cab_vec3 middle = {0, 0, 0}, above = {0, 0, 0.1};
    cab_status status = CAB_OK;
    if (cab_world_get_bodies(world, NULL, 0) > 0)
        status = cab_world_pull_body(world, 0, middle, above, 0, error);
    if (status == CAB_OK) status = __real_cab_world_step(world, frames, error);
    float *rows = malloc((size_t)cab_world_get_info(world).nodes * 4 * sizeof *rows);
    if (!rows) return CAB_ERROR_MEMORY;
    for (int q = 0; status == CAB_OK && q < CAB_QUANTITY_COUNT; q++)
        status = cab_world_draw(world, (cab_quantity)q, rows, error);
    free(rows);
    return status;
}

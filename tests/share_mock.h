/* What OpenCL would do with buffers of OpenGL: PoCL shares none, so its calls are wrapped (LINKER:--wrap), and what is
 * asked of them is noted. Include cmocka first. */
#ifndef CAB_TESTS_SHARE_MOCK_H
#define CAB_TESTS_SHARE_MOCK_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_gl.h>

#include "worlds.h"

#define BUFFERS 8 /* of OpenGL: names 1 to 7 */
#define BINDINGS 16

typedef struct binding { /* of an OpenGL buffer to a kernel's argument */
    cl_kernel kernel;
    cl_uint index;
    cl_mem memory;
} binding;

static struct {
    /* what it is told to do */
    bool no_extension;                                              /* the device has none, */
    const char *extension;                                          /* or the list is this */
    const char *missing;                                            /* call that the platform does not give */
    bool other_device;                                              /* the OpenGL context is on */
    cl_int info, context, create, acquire, kernel, release, finish; /* codes of failing calls */
    size_t size[BUFFERS];                                           /* bytes of OpenGL's buffers */
    /* what it has seen */
    char log[4096];
    cl_context_properties asked[16], made[16]; /* properties of the query and of the context */
    cl_mem memory[BUFFERS];
    bool acquired[BUFFERS];
    int creations[BUFFERS], shared_contexts, context_releases;
    bool watching; /* notes kernels and waits, too */
    binding bindings[BINDINGS];
    const char *fault;
} mock;

static inline void note(const char *word)
{
    strncat(mock.log, mock.log[0] ? " " : "", sizeof mock.log - strlen(mock.log) - 1);
    strncat(mock.log, word, sizeof mock.log - strlen(mock.log) - 1);
}

static inline int name_of(cl_mem memory)
{
    for (int i = 1; memory && i < BUFFERS; i++) {
        if (mock.memory[i] == memory) return i;
    }
    return 0;
}

static inline void must_be_acquired(cl_mem memory, const char *fault)
{
    int name = name_of(memory);
    if (name && !mock.acquired[name]) mock.fault = fault;
}

static inline void keep_properties(cl_context_properties to[16], const cl_context_properties *from)
{
    memset(to, 0, 16 * sizeof *to);
    for (int i = 0; i < 14 && from[i]; i += 2) {
        to[i] = from[i];
        to[i + 1] = from[i + 1];
    }
}

/* 0 = not there */
static inline cl_context_properties property(const cl_context_properties list[16], cl_context_properties name)
{
    for (int i = 0; i < 14 && list[i]; i += 2) {
        if (list[i] == name) return list[i + 1];
    }
    return 0;
}

static inline cl_int CL_API_CALL context_info(const cl_context_properties *properties,
                                              cl_gl_context_info what, size_t size, void *value,
                                              size_t *size_ret)
{
    keep_properties(mock.asked, properties);
    if (mock.info) return mock.info;
    if (what != CL_DEVICES_FOR_GL_CONTEXT_KHR) return CL_INVALID_VALUE;
    cl_device_id devices[2] = {NULL, NULL};
    cl_platform_id platform = (cl_platform_id)property(properties, CL_CONTEXT_PLATFORM);
    if (!mock.other_device) clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &devices[1], NULL);
    if (size < sizeof devices) return CL_INVALID_VALUE;
    memcpy(value, devices, sizeof devices);
    *size_ret = sizeof devices;
    return CL_SUCCESS;
}

static inline cl_mem CL_API_CALL create(cl_context context, cl_mem_flags flags, cl_GLuint buffer,
                                        cl_int *code)
{
    assert_in_range(buffer, 1, BUFFERS - 1);
    assert_int_equal(flags, CL_MEM_WRITE_ONLY);
    note("create");
    *code = mock.create;
    if (mock.create) return NULL;
    mock.creations[buffer]++;
    /* a buffer of OpenGL's can be read by OpenGL, here by the test */
    mock.memory[buffer] = clCreateBuffer(context, CL_MEM_READ_WRITE, mock.size[buffer], NULL, code);
    return mock.memory[buffer];
}

static inline cl_int CL_API_CALL acquire(cl_command_queue queue, cl_uint count, const cl_mem *objects,
                                         cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)waits, (void)wait, (void)event;
    assert_int_equal(count, 1);
    note("acquire");
    int name = name_of(*objects);
    if (!name || mock.acquired[name]) mock.fault = "acquired twice, or what is not OpenGL's";
    if (!mock.acquire) mock.acquired[name] = true;
    return mock.acquire;
}

static inline cl_int CL_API_CALL release(cl_command_queue queue, cl_uint count, const cl_mem *objects,
                                         cl_uint waits, const cl_event *wait, cl_event *event)
{
    (void)queue, (void)waits, (void)wait, (void)event;
    assert_int_equal(count, 1);
    note("release");
    int name = name_of(*objects);
    if (!name || !mock.acquired[name]) mock.fault = "released, but not acquired";
    mock.acquired[name] = false;
    return mock.release;
}

void *__wrap_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name);
void *__wrap_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    static const struct {
        const char *name;
        void (*call)(void);
    } calls[] = {{"clGetGLContextInfoKHR", (void (*)(void))context_info},
                 {"clCreateFromGLBuffer", (void (*)(void))create},
                 {"clEnqueueAcquireGLObjects", (void (*)(void))acquire},
                 {"clEnqueueReleaseGLObjects", (void (*)(void))release}};
    void *found = NULL;
    assert_non_null(platform);
    for (int i = 0; i < COUNT_OF(calls); i++) {
        bool missing = mock.missing && !strcmp(name, mock.missing);
        if (!missing && !strcmp(name, calls[i].name)) memcpy(&found, &calls[i].call, sizeof found);
    }
    return found;
}

#define WRAP(type, name, ...)                                                                                \
    type __real_##name(__VA_ARGS__);                                                                         \
    type __wrap_##name(__VA_ARGS__);                                                                         \
    type __wrap_##name(__VA_ARGS__)

WRAP(cl_int, clGetDeviceInfo, cl_device_id device, cl_device_info what, size_t size, void *value,
     size_t *size_ret)
{
    if (what != CL_DEVICE_EXTENSIONS) return __real_clGetDeviceInfo(device, what, size, value, size_ret);
    const char *list = mock.no_extension ? "cl_khr_fp64"
                       : mock.extension  ? mock.extension
                                         : "cl_khr_fp64 cl_khr_gl_sharing_more cl_khr_gl_sharing cl_khr_icd";
    if (size_ret) *size_ret = strlen(list) + 1;
    if (value && size <= strlen(list)) return CL_INVALID_VALUE;
    if (value) memcpy(value, list, strlen(list) + 1);
    return CL_SUCCESS;
}

typedef void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);

WRAP(cl_context, clCreateContext, const cl_context_properties *properties, cl_uint count,
     const cl_device_id *devices, notify call, void *user, cl_int *code)
{
    cl_context_properties plain[] = {CL_CONTEXT_PLATFORM, 0, 0};
    keep_properties(mock.made, properties);
    plain[1] = property(mock.made, CL_CONTEXT_PLATFORM);
    bool shared = property(mock.made, CL_GL_CONTEXT_KHR) != 0;
    if (shared && mock.context) {
        *code = mock.context;
        return NULL;
    }
    mock.shared_contexts += shared;
    return __real_clCreateContext(plain, count, devices, call, user, code);
}

WRAP(cl_int, clReleaseContext, cl_context context)
{
    for (int i = 1; i < BUFFERS; i++) {
        if (mock.memory[i]) mock.fault = "the context goes before OpenGL's buffers";
    }
    mock.context_releases++;
    memset(mock.bindings, 0, sizeof mock.bindings); /* kernels go, too */
    return __real_clReleaseContext(context);
}

WRAP(cl_int, clReleaseMemObject, cl_mem memory)
{
    int name = name_of(memory);
    if (name && mock.acquired[name]) mock.fault = "let go of while acquired";
    if (name) mock.memory[name] = NULL;
    return __real_clReleaseMemObject(memory);
}

/* An argument that is OpenGL's stays in the list until it is set to something else. */
WRAP(cl_int, clSetKernelArg, cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_mem memory = NULL;
    if (size == sizeof memory && value) memcpy(&memory, value, size);
    int at = 0;
    while (at < BINDINGS && mock.bindings[at].kernel &&
           !(mock.bindings[at].kernel == kernel && mock.bindings[at].index == index))
        at++;
    assert_true(at < BINDINGS);
    if (name_of(memory) || mock.bindings[at].kernel)
        mock.bindings[at] = (binding){kernel, index, name_of(memory) ? memory : NULL};
    return __real_clSetKernelArg(kernel, index, size, value);
}

WRAP(cl_int, clEnqueueNDRangeKernel, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
     const size_t *offset, const size_t *total, const size_t *group, cl_uint waits, const cl_event *wait,
     cl_event *event)
{
    char name[64] = "";
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    if (mock.watching) note(name);
    for (int i = 0; i < BINDINGS; i++) {
        if (mock.bindings[i].kernel == kernel)
            must_be_acquired(mock.bindings[i].memory, "a kernel writes what is OpenGL's");
    }
    if (mock.kernel && !strcmp(name, "cab_draw")) return mock.kernel;
    return __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, total, group, waits, wait, event);
}

WRAP(cl_int, clEnqueueReadBuffer, cl_command_queue queue, cl_mem memory, cl_bool wait, size_t offset,
     size_t bytes, void *data, cl_uint waits, const cl_event *list, cl_event *event)
{
    if (name_of(memory)) mock.fault = "what is OpenGL's is read";
    if (mock.watching) note("read");
    return __real_clEnqueueReadBuffer(queue, memory, wait, offset, bytes, data, waits, list, event);
}

WRAP(cl_int, clFinish, cl_command_queue queue)
{
    if (mock.watching) note("clFinish");
    if (mock.watching && mock.finish) return mock.finish;
    return __real_clFinish(queue);
}

#endif

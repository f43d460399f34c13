/* Buffers that OpenCL shares with OpenGL by cl_khr_gl_sharing. Its functions are looked up by name, since the
 * loader need not have them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "backend/opencl/opencl.h"

enum { MAX_GL_DEVICES = 16 };

/* Does the device have this extension? The list of extensions may be longer than other texts. */
static bool has_extension(cl_device_id device, const char *word)
{
    size_t size = 0, length = strlen(word);
    if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) return false;
    char *list = calloc(size + 1, 1);
    bool found = false;
    if (list && clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, list, NULL) == CL_SUCCESS) {
        for (const char *at = list; !found && (at = strstr(at, word)); at += length)
            found = (at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0);
    }
    free(list);
    return found;
}

static bool find_calls(const cab_opencl *opencl, cab_gl_calls *calls)
{
    struct {
        const char *name;
        void *to;
    } table[] = {{"clGetGLContextInfoKHR", &calls->context_info},
                 {"clCreateFromGLBuffer", &calls->create},
                 {"clEnqueueAcquireGLObjects", &calls->acquire},
                 {"clEnqueueReleaseGLObjects", &calls->release}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        void *found = clGetExtensionFunctionAddressForPlatform(opencl->platform, table[i].name);
        if (!found) return false;
        memcpy(table[i].to, &found, sizeof found); /* C has no cast from an object to a function */
    }
    return true;
}

/* Can the OpenCL device share with the OpenGL context? */
static bool check_device(cab_opencl *opencl, const cl_context_properties *properties)
{
    cab_backend *base = &opencl->base;
    cl_device_id devices[MAX_GL_DEVICES];
    size_t size = 0;
    cl_int code = opencl->gl.calls.context_info(properties, CL_DEVICES_FOR_GL_CONTEXT_KHR, sizeof devices,
                                                devices, &size);
    if (code != CL_SUCCESS) {
        snprintf(base->shares_not, sizeof base->shares_not, "clGetGLContextInfoKHR: %s (%d)",
                 cab_opencl_code(code), (int)code);
        return false;
    }
    for (size_t i = 0; i < size / sizeof *devices && i < MAX_GL_DEVICES; i++) {
        if (devices[i] == opencl->device) return true;
    }
    snprintf(base->shares_not, sizeof base->shares_not, "the OpenGL context is not on %.200s",
             base->info.name);
    return false;
}

bool cab_opencl_share_wanted(cab_opencl *opencl, const cab_gl *gl,
                             cl_context_properties properties[CAB_GL_PROPERTIES])
{
    cab_backend *base = &opencl->base;
    if (!gl || gl->interop == CAB_INTEROP_OFF) return false;
    const cl_context_properties display =
        gl->platform == CAB_GL_GLX ? CL_GLX_DISPLAY_KHR : CL_EGL_DISPLAY_KHR;
    const cl_context_properties all[CAB_GL_PROPERTIES] = {CL_CONTEXT_PLATFORM,
                                                          (cl_context_properties)opencl->platform,
                                                          CL_GL_CONTEXT_KHR,
                                                          (cl_context_properties)gl->context,
                                                          display,
                                                          (cl_context_properties)gl->display,
                                                          0};
    memcpy(properties, all, sizeof all);
    if (!has_extension(opencl->device, "cl_khr_gl_sharing")) {
        snprintf(base->shares_not, sizeof base->shares_not, "%.200s has no cl_khr_gl_sharing",
                 base->info.name);
        return false;
    }
    if (!find_calls(opencl, &opencl->gl.calls)) {
        snprintf(base->shares_not, sizeof base->shares_not, "%.180s does not give all of cl_khr_gl_sharing",
                 base->info.platform);
        return false;
    }
    return check_device(opencl, properties);
}

/* ---- buffers ---- */

static void drop(cab_gl_buffer *buffer)
{
    if (buffer->memory) clReleaseMemObject(buffer->memory);
    *buffer = (cab_gl_buffer){0};
}

void cab_opencl_forget(cab_backend *backend, unsigned name)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    for (int i = 0; i < CAB_GL_BUFFERS; i++) {
        if (opencl->gl.buffers[i].name == name) drop(&opencl->gl.buffers[i]);
    }
}

void cab_opencl_share_end(cab_opencl *opencl)
{
    for (int i = 0; i < CAB_GL_BUFFERS; i++) drop(&opencl->gl.buffers[i]);
}

static cab_status check_size(cl_mem memory, unsigned name, size_t bytes, cab_error *error)
{
    size_t size = 0;
    cl_int code = clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clGetMemObjectInfo", "OpenGL buffer %u", name);
    if (size >= bytes) return CAB_OK;
    return cab_fail(error, CAB_ERROR_INPUT, "OpenGL buffer %u has %s, %s are drawn", name,
                    cab_opencl_size(size).text, cab_opencl_size(bytes).text);
}

/* OpenCL's object for OpenGL's buffer: one that was made before, or a new one in place of the oldest. */
static cab_status find_buffer(cab_opencl *opencl, unsigned name, size_t bytes, cl_mem *memory,
                              cab_error *error)
{
    cab_opencl_gl *gl = &opencl->gl;
    for (int i = 0; i < CAB_GL_BUFFERS; i++) {
        *memory = gl->buffers[i].memory;
        if (*memory && gl->buffers[i].name == name) return CAB_OK;
    }
    cl_int code = CL_SUCCESS;
    cl_mem made = gl->calls.create(opencl->context, CL_MEM_WRITE_ONLY, name, &code);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clCreateFromGLBuffer", "OpenGL buffer %u", name);
    cab_status status = check_size(made, name, bytes, error);
    if (status != CAB_OK) {
        clReleaseMemObject(made);
        return status;
    }
    drop(&gl->buffers[gl->next]);
    gl->buffers[gl->next] = (cab_gl_buffer){name, made};
    gl->next = (gl->next + 1) % CAB_GL_BUFFERS;
    *memory = made;
    return CAB_OK;
}

/* Makes `memory` the memory of buffer `id`. The new generation makes kernels bind it. */
static void put_in_place(cab_opencl *opencl, cab_buffer id, cl_mem memory)
{
    opencl->buffers[id].memory = memory;
    opencl->buffers[id].generation++;
}

cab_status cab_opencl_acquire(cab_backend *backend, cab_buffer id, unsigned name, size_t bytes,
                              cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cl_mem memory = NULL;
    cab_status status = find_buffer(opencl, name, bytes, &memory, error);
    if (status != CAB_OK) return status;
    cl_int code = opencl->gl.calls.acquire(opencl->queue, 1, &memory, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        cab_opencl_forget(backend, name);
        return cab_opencl_fail(error, code, "clEnqueueAcquireGLObjects", "OpenGL buffer %u", name);
    }
    opencl->gl.own = opencl->buffers[id].memory;
    put_in_place(opencl, id, memory);
    return CAB_OK;
}

cab_status cab_opencl_release(cab_backend *backend, cab_buffer id, cab_error *error)
{
    cab_opencl *opencl = (cab_opencl *)backend;
    cl_mem memory = opencl->buffers[id].memory;
    put_in_place(opencl, id, opencl->gl.own);
    opencl->gl.own = NULL;
    cl_int code = opencl->gl.calls.release(opencl->queue, 1, &memory, 0, NULL, NULL);
    cl_int done = clFinish(opencl->queue); /* even if releasing failed: the kernel may still run */
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clEnqueueReleaseGLObjects", "%s", backend->info.name);
    if (done != CL_SUCCESS) return cab_opencl_fail(error, done, "clFinish", "%s", backend->info.name);
    return CAB_OK;
}

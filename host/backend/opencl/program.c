#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/text.h"

/* The compiler's messages, or NULL. The caller frees them. */
static char *build_log(const cab_opencl *opencl, cl_program program)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, opencl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS) {
        return NULL;
    }
    char *text = calloc(size + 1, 1);
    if (!text) return NULL;
    cl_int code = clGetProgramBuildInfo(program, opencl->device, CL_PROGRAM_BUILD_LOG, size, text, NULL);
    if (code == CL_SUCCESS && text[strspn(text, " \t\r\n")]) return text;
    free(text);
    return NULL;
}

/* Files that are compiled together. With PoCL a program takes a tenth of a second whatever is in it, so these are files that most
 * scenes need together, or not at all; what few of them need stays by itself, since all of a program is read, needed or not. */
#define MOST_FILES 5
static const char *const together[][MOST_FILES + 1] = {
    {"measure.cl", "predict.cl", "distance.cl", "finish.cl"},
    {"grid.cl", "sort.cl", "overlap.cl", "contact.cl"},
    {"direct_motion.cl", "direct_bend.cl", "direct_lengths.cl", "far.cl"},
    {"stiff.cl", "press.cl"},
};

static bool is_in(const char *const *files, const char *file)
{
    while (*files && strcmp(*files, file)) files++;
    return *files != NULL;
}

/* The files of the program that this one is in, up to a NULL. `alone`: room for it. */
static const char *const *program_of(const char *file, const char *alone[2])
{
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        if (is_in(together[i], file)) return together[i];
    alone[0] = file;
    alone[1] = NULL;
    return alone;
}

/* Makes the kernel. `fresh`: PoCL compiles it when it runs first. */
static cab_status make_kernel(cab_opencl *opencl, cl_program program, cab_kernel kernel, bool fresh,
                              cab_error *error)
{
    const cab_binding *binding = &cab_bindings[kernel];
    cl_int code = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program, binding->call, &code);
    if (code != CL_SUCCESS)
        return cab_opencl_fail(error, code, "clCreateKernel", "%s in %s", binding->call, binding->file);
    opencl->kernels[kernel] = (cab_opencl_kernel){.kernel = made, .fresh = fresh};
    return CAB_OK;
}

/* Loads the program and makes the kernel from the cache; false if that is not possible. */
static bool load(cab_opencl *opencl, const char *const *files, const char *key, cab_kernel kernel)
{
    size_t size = 0;
    cl_int code = CL_SUCCESS, loaded = CL_SUCCESS;
    unsigned char *binary = cab_opencl_cache_load(opencl, key, &size);
    if (!binary) return false;
    cl_program program = clCreateProgramWithBinary(opencl->context, 1, &opencl->device, &size,
                                                   (const unsigned char **)&binary, &loaded, &code);
    bool ok = code == CL_SUCCESS && loaded == CL_SUCCESS;
    ok = ok && clBuildProgram(program, 1, &opencl->device, opencl->options, NULL, NULL) == CL_SUCCESS;
    ok = ok && make_kernel(opencl, program, kernel, false, NULL) == CAB_OK;
    if (ok) cab_opencl_keep_program(opencl, *files, program, false);
    if (code == CL_SUCCESS) clReleaseProgram(program);
    free(binary);
    if (!ok)
        cab_opencl_log(opencl, 1, "program cache: the driver does not take the binary of %s, built again",
                       *files);
    return ok;
}

static void keep(cab_opencl *opencl, cl_program program, const char *key)
{
    size_t size = 0;
    if (!opencl->cache_dir) return;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS ||
        size == 0) {
        cab_opencl_log(opencl, 1, "program cache: the driver gives no binary");
        return;
    }
    unsigned char *binary = malloc(size);
    if (!binary) return;
    cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    if (code == CL_SUCCESS)
        cab_opencl_cache_store(opencl, key, binary, size);
    else
        cab_opencl_log(opencl, 1, "program cache: clGetProgramInfo: %s", cab_opencl_code(code));
    free(binary);
}

/* Reports a failed build: with a part of the compiler's messages in the error, and all of them in the log. */
static cab_status fail_build(cab_opencl *opencl, cl_program program, const char *file, cl_int code,
                             cab_error *error)
{
    char *words = build_log(opencl, program);
    if (words) cab_opencl_log(opencl, 1, "%s: %s", file, words);
    cab_status status = cab_fail(error, CAB_ERROR_DEVICE, "clBuildProgram for %s: %s (%d): %.700s", file,
                                 cab_opencl_code(code), (int)code, words ? words : "the driver says no more");
    free(words);
    return status;
}

/* What PoCL has in its own cache is built in some hundredths of a second, anything else takes 0.2 s or more. */
#define BUILT_FROM_CACHE 0.1 /* s of processor time */

/* `noted`: PoCL has compiled it before, so it is built without a word, unless it takes its time after all. */
static cab_status compile(cab_opencl *opencl, const char *const *files, const char *source, const char *key,
                          cab_kernel kernel, bool *noted, cab_error *error)
{
    const char *file = *files;
    cl_int code = CL_SUCCESS;
    double start = cab_processor_now();
    cl_program program = clCreateProgramWithSource(opencl->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS) return cab_opencl_fail(error, code, "clCreateProgramWithSource", "%s", file);
    bool told = !*noted, keeps = cab_opencl_keeps_binaries(opencl);
    if (told) cab_opencl_compile_begin(opencl);
    code = clBuildProgram(program, 1, &opencl->device, opencl->options, NULL, NULL);
    *noted = *noted && cab_processor_now() - start < BUILT_FROM_CACHE;
    cab_status status = CAB_OK;
    if (code != CL_SUCCESS) status = fail_build(opencl, program, file, code, error);
    bool fresh = !*noted && cab_opencl_is_pocl(opencl);
    if (!status) status = make_kernel(opencl, program, kernel, fresh, error);
    if (!status) cab_opencl_keep_program(opencl, file, program, fresh);
    if (!status && keeps) keep(opencl, program, key);
    if (!status && !keeps && !*noted) cab_opencl_cache_note(opencl, key);
    if (told) cab_opencl_compile_end(opencl);
    clReleaseProgram(program);
    return status;
}

static cab_status build(cab_opencl *opencl, cab_kernel kernel, cab_error *error)
{
    const char *alone[2], *file = cab_bindings[kernel].file;
    const char *const *files = program_of(file, alone);
    const cab_opencl_program *kept = cab_opencl_find_program(opencl, *files);
    if (kept) return make_kernel(opencl, kept->program, kernel, kept->fresh, error);
    double start = cab_processor_now();
    const cab_opencl_sources from = {opencl->kernel_dir, opencl->expressions, opencl->base.without_meshes};
    char *source = cab_opencl_source(&from, files, error);
    if (!source) return error ? error->status : CAB_ERROR_IO;
    char *key = cab_opencl_cache_key(opencl, source);
    bool keeps = cab_opencl_keeps_binaries(opencl);
    bool cached = key && keeps && load(opencl, files, key, kernel);
    bool noted = key && !keeps && cab_opencl_cache_noted(opencl, key);
    cab_status status = CAB_OK;
    if (!key)
        status = cab_fail_memory(error, file, strlen(source));
    else if (!cached)
        status = compile(opencl, files, source, key, kernel, &noted, error);
    if (!status) {
        cab_opencl_log(opencl, 1, "%s: %s in %.3f s of processor time", file,
                       cached  ? "taken from the cache"
                       : noted ? "taken from PoCL's cache"
                               : "built",
                       cab_processor_now() - start);
    }
    free(key);
    free(source);
    return status;
}

cab_status cab_opencl_build(cab_opencl *opencl, cab_kernel kernel, cab_error *error)
{
    pthread_mutex_lock(&opencl->common->lock);
    cab_status status = build(opencl, kernel, error);
    pthread_mutex_unlock(&opencl->common->lock);
    return status;
}

cab_status cab_opencl_build_all(cab_opencl *opencl, cab_error *error)
{
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) {
        if (opencl->kernels[i].kernel) continue;
        cab_status status = cab_opencl_build(opencl, (cab_kernel)i, error);
        if (status) return status;
    }
    return CAB_OK;
}

/* The native backend: a buffer is memory, a launch is a loop that threads share. */
#include "backend/backend.h"
#include "backend/native/native.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#define MAX_THREADS 1024

typedef struct cab_native {
    cab_backend base;
    const cab_native_isa *isa;
    cab_pool *pool;
    void *buffer[CAB_BUFFER_COUNT];
    void *aside[CAB_BUFFER_COUNT]; /* copies put aside, */
    size_t aside_bytes[CAB_BUFFER_COUNT];
    float **scratch; /* [threads] */
    size_t scratch_bytes;
} cab_native;

typedef struct cab_launch {
    cab_native *native;
    cab_native_run *run;
    int first, argument;
} cab_launch;

static cab_status native_allocate(cab_backend *backend, cab_buffer id, size_t bytes, cab_error *error)
{
    cab_native *native = (cab_native *)backend;
    free(native->buffer[id]);
    backend->bytes[id] = 0;
    if (bytes < 16) bytes = 16;
    native->buffer[id] = cab_native_allocate(native->pool, bytes);
    if (!native->buffer[id]) return cab_fail_memory(error, "a buffer", bytes);
    backend->bytes[id] = bytes;
    return CAB_OK;
}

void *cab_native_memory(const cab_backend *backend, cab_buffer id)
{
    return ((const cab_native *)backend)->buffer[id];
}

static cab_status native_write(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes,
                               const void *data, cab_error *error)
{
    (void)error;
    cab_native *native = (cab_native *)backend;
    if (bytes > 0) memcpy((char *)native->buffer[id] + offset, data, bytes);
    return CAB_OK;
}

static cab_status native_read(cab_backend *backend, cab_buffer id, size_t offset, size_t bytes, void *data,
                              cab_error *error)
{
    (void)error;
    cab_native *native = (cab_native *)backend;
    if (bytes > 0) memcpy(data, (char *)native->buffer[id] + offset, bytes);
    return CAB_OK;
}

static cab_status native_aside(cab_backend *backend, cab_buffer id, bool back, cab_error *error)
{
    cab_native *native = (cab_native *)backend;
    size_t bytes = backend->bytes[id];
    if (back) {
        if (native->aside_bytes[id] == bytes) memcpy(native->buffer[id], native->aside[id], bytes);
        return CAB_OK;
    }
    if (native->aside_bytes[id] != bytes) {
        free(native->aside[id]);
        native->aside_bytes[id] = 0;
        native->aside[id] = malloc(bytes);
        if (!native->aside[id]) return cab_fail_memory(error, "a copy of a buffer", bytes);
        native->aside_bytes[id] = bytes;
    }
    memcpy(native->aside[id], native->buffer[id], bytes);
    return CAB_OK;
}

static cab_status native_copy(cab_backend *to, size_t to_offset, const cab_backend *from, size_t from_offset,
                              cab_buffer id, size_t bytes, cab_error *error)
{
    (void)error;
    memcpy((char *)((cab_native *)to)->buffer[id] + to_offset,
           (const char *)((const cab_native *)from)->buffer[id] + from_offset, bytes);
    return CAB_OK;
}

static void run_slice(void *context, int thread, int begin, int end)
{
    cab_launch *launch = context;
    launch->run(launch->native->buffer, launch->first + begin, launch->first + end, launch->argument,
                launch->native->scratch[thread]);
}

static cab_status grow_scratch(cab_native *native, size_t bytes, cab_error *error)
{
    if (bytes <= native->scratch_bytes) return CAB_OK;
    for (int i = 0; i < cab_pool_threads(native->pool); i++) {
        free(native->scratch[i]);
        native->scratch[i] = cab_native_allocate(native->pool, bytes);
        if (!native->scratch[i]) return cab_fail_memory(error, "scratch memory", bytes);
    }
    native->scratch_bytes = bytes;
    return CAB_OK;
}

static cab_status native_run(cab_backend *backend, cab_kernel kernel, int first, int count, int argument,
                             size_t scratch, cab_error *error)
{
    cab_native *native = (cab_native *)backend;
    if (count <= 0) return CAB_OK;
    cab_status status = grow_scratch(native, scratch, error);
    if (status != CAB_OK) return status;
    const cab_native_kernel *k = &native->isa->kernels[kernel];
    cab_launch launch = {native, k->run, first, argument};
    cab_pool_run(native->pool, count, k->grain, run_slice, &launch);
    return CAB_OK;
}

static cab_status native_finish(cab_backend *backend, cab_error *error)
{
    (void)backend;
    (void)error;
    return CAB_OK;
}

static void native_destroy(cab_backend *backend)
{
    cab_native *native = (cab_native *)backend;
    if (!native) return;
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) {
        free(native->buffer[i]);
        free(native->aside[i]);
    }
    for (int i = 0; native->scratch && i < cab_pool_threads(native->pool); i++) free(native->scratch[i]);
    free(native->scratch);
    cab_pool_destroy(native->pool);
    free(native);
}

static const cab_backend_ops native_ops = {
    .allocate = native_allocate,
    .write = native_write,
    .read = native_read,
    .aside = native_aside,
    .copy = native_copy,
    .run = native_run,
    .finish = native_finish,
    .destroy = native_destroy,
};

/* The processor's name as Linux tells it; "CPU" elsewhere. It is read without memory of its own: reports have it. */
static void read_cpu_name(char *name, size_t size)
{
    static const char key[] = "model name";
    char text[4096]; /* of the first processor, and more */
    snprintf(name, size, "CPU");
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    char *line = strstr(text, key), *value = line ? strstr(line, ": ") : NULL;
    if (!value) return;
    value[strcspn(value, "\n")] = '\0';
    snprintf(name, size, "%s", value + 2);
}

static cab_device_info describe(const cab_native_isa *isa)
{
    cab_device_info info = {.backend = CAB_BACKEND_NATIVE};
    snprintf(info.id, sizeof info.id, "native");
    read_cpu_name(info.name, sizeof info.name);
    snprintf(info.platform, sizeof info.platform, "clcable");
    snprintf(info.version, sizeof info.version, "C11, %s, %s", cab_version(), isa->name);
    info.compute_units = cab_pool_cores();
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) info.memory = (size_t)pages * (size_t)page;
    return info;
}

cab_device_info cab_native_info(void)
{
    const cab_native_isa *isa;
    cab_native_choose_isa(&isa, NULL); /* opening the device reports a set that cannot be had */
    return describe(isa);
}

static cab_status native_start(cab_native *native, int threads, cab_error *error)
{
    native->pool = cab_pool_create(threads);
    if (!native->pool)
        return cab_fail(error, CAB_ERROR_MEMORY, "native: could not start %d threads", threads);
    native->scratch = calloc((size_t)threads, sizeof *native->scratch);
    if (!native->scratch) return cab_fail_memory(error, "threads", sizeof *native->scratch * (size_t)threads);
    for (int i = 0; i < CAB_BUFFER_COUNT; i++) {
        cab_status status = native_allocate(&native->base, (cab_buffer)i, 16, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

cab_status cab_native_create(const cab_world_def *def, cab_backend **backend, cab_error *error)
{
    const cab_native_isa *isa;
    cab_status status = cab_native_choose_isa(&isa, error);
    if (status != CAB_OK) return status;
    cab_native *native = calloc(1, sizeof *native);
    if (!native) return cab_fail_memory(error, "the native backend", sizeof *native);
    native->base.ops = &native_ops;
    native->base.info = describe(isa);
    native->isa = isa;
    native->base.tile_width = isa->vector;
    native->base.doubles = true;
    snprintf(native->base.shares_not, sizeof native->base.shares_not, "native runs on the CPU");
    int threads = def->threads > 0 ? def->threads : native->base.info.compute_units;
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    status = native_start(native, threads, error);
    if (status != CAB_OK) {
        if (native->pool)
            native_destroy(&native->base);
        else
            free(native);
        return status;
    }
    *backend = &native->base;
    return CAB_OK;
}

/* A backend on the first OpenCL device, with a folder of its own. Every test is skipped where there is no such device.
 * Include cmocka first. */
#ifndef CAB_TESTS_OPENCL_FIXTURE_H
#define CAB_TESTS_OPENCL_FIXTURE_H

#include <ftw.h> /* nftw: a test begins with #define _GNU_SOURCE */
#include <stdio.h>
#include <string.h>

#include "backend/folder.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/source.h"
#undef kernel /* words of OpenCL C that are names here */
#undef global
#undef local
#undef constant

typedef struct fixture {
    char folder[256];  /* for this test only */
    char cache[300];   /* in it */
    char kernels[300]; /* in it */
    char log[8192];
    cab_error error;
    cab_world_def def;
} fixture;

static inline void keep_log(void *user, int level, const char *text)
{
    fixture *f = user;
    size_t used = strlen(f->log);
    snprintf(f->log + used, sizeof f->log - used, "[%d] %s\n", level, text);
}

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    const char *temporary = getenv("TMPDIR");
    snprintf(f->folder, sizeof f->folder, "%s/clcable-test-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(f->folder)) return -1;
    snprintf(f->cache, sizeof f->cache, "%s/made/on/demand", f->folder);
    snprintf(f->kernels, sizeof f->kernels, "%s/kernels", f->folder);
    mkdir(f->kernels, 0700);
    f->def.device = "opencl";
    f->def.cache_dir = f->cache;
    f->def.log = keep_log;
    f->def.user = f;
    *state = f;
    return 0;
}

static inline int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(f);
    return 0;
}

/* The test's fixture; ends the test where there is no device. */
static inline fixture *begin(void **state)
{
    if (cab_opencl_devices(NULL, 0) == 0) skip();
    return *state;
}

static inline cab_backend *open_backend(fixture *f)
{
    cab_backend *backend = NULL;
    f->log[0] = 0;
    if (cab_backend_open(&f->def, &backend, &f->error)) fail_msg("%s", f->error.message);
    return backend;
}

static inline void succeed(fixture *f, cab_status status)
{
    if (status) fail_msg("%s: %s", cab_status_name(status), f->error.message);
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no \"%s\" in \"%s\"", part, text);
}

/* `name` may have a folder of its own. */
static inline void write_text(const char *folder, const char *name, const char *text)
{
    char path[600];
    const char *slash = strchr(name, '/');
    snprintf(path, sizeof path, "%s/%.*s", folder, slash ? (int)(slash - name) : 0, name);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Uses a folder of kernels: all built-in files, but for `name`, which is `text`. */
static inline void use_kernel(fixture *f, const char *name, const char *text)
{
    for (int i = 0; i < cab_kernel_sources_count; i++) {
        write_text(f->kernels, cab_kernel_sources[i].name, cab_kernel_sources[i].text);
    }
    write_text(f->kernels, name, text);
    f->def.kernel_dir = f->kernels;
}

static inline cab_buffer first_buffer(cab_kernel kernel)
{
    return (cab_buffer)cab_bindings[kernel].buffers[0];
}

#endif

/* The OpenCL backend by itself: devices, buffers, launches, kernel sources, the program cache. Every test is
 * skipped where there is no OpenCL device.
 */
#define _GNU_SOURCE /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernels/types.h"
#undef kernel /* words of OpenCL C that are names here */
#undef global
#undef local
#undef constant
#include "backend/folder.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/source.h"

typedef struct fixture {
    char folder[256];  /* for this test only */
    char cache[300];   /* in it */
    char kernels[300]; /* in it */
    char log[8192];
    cab_error error;
    cab_world_def def;
} fixture;

static void keep_log(void *user, int level, const char *text)
{
    fixture *f = user;
    size_t used = strlen(f->log);
    snprintf(f->log + used, sizeof f->log - used, "[%d] %s\n", level, text);
}

static int set_up(void **state)
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

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

static int tear_down(void **state)
{
    fixture *f = *state;
    nftw(f->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(f);
    return 0;
}

/* The test's fixture; ends the test where there is no device. */
static fixture *begin(void **state)
{
    if (cab_opencl_devices(NULL, 0) == 0) skip();
    return *state;
}

static cab_backend *open_backend(fixture *f)
{
    cab_backend *backend = NULL;
    f->log[0] = 0;
    if (cab_backend_open(&f->def, &backend, &f->error)) fail_msg("%s", f->error.message);
    return backend;
}

static void succeed(fixture *f, cab_status status)
{
    if (status) fail_msg("%s: %s", cab_status_name(status), f->error.message);
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no \"%s\" in \"%s\"", part, text);
}

/* `name` may have a folder of its own. */
static void write_text(const char *folder, const char *name, const char *text)
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
static void use_kernel(fixture *f, const char *name, const char *text)
{
    for (int i = 0; i < cab_kernel_sources_count; i++) {
        write_text(f->kernels, cab_kernel_sources[i].name, cab_kernel_sources[i].text);
    }
    write_text(f->kernels, name, text);
    f->def.kernel_dir = f->kernels;
}

/* Replaces the file that holds `kernel` by kernels of the same arguments, all buffers ints, with this body.
 */
static void use_body(fixture *f, cab_kernel kernel, const char *body)
{
    char text[16384] = "#include \"dialect.h\"\n";
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) {
        const cab_binding *b = &cab_bindings[i];
        if (strcmp(b->file, cab_bindings[kernel].file)) continue;
        size_t n = strlen(text);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s(%s",
                              b->kind == CAB_BINDING_group ? "CAB_GROUP_KERNEL" : "CAB_KERNEL", b->name);
        for (int k = 0; k < b->buffer_count; k++) {
            n += (size_t)snprintf(text + n, sizeof text - n, ", global int *a%d", k);
        }
        snprintf(text + n, sizeof text - n, ")\n{\n%s\n}\n", i == (int)kernel ? body : "");
    }
    use_kernel(f, cab_bindings[kernel].file, text);
}

static cab_buffer first_buffer(cab_kernel kernel)
{
    return (cab_buffer)cab_bindings[kernel].buffers[0];
}

static void devices_are_listed_native_first(void **state)
{
    (void)begin(state);
    cab_device_info devices[32];
    int count = cab_devices(devices, 32);
    assert_in_range(count, 2, 32);
    assert_int_equal(cab_devices(NULL, 0), count);
    assert_string_equal(devices[0].id, "native");
    for (int i = 1; i < count; i++) {
        int p = -1, d = -1;
        assert_int_equal(sscanf(devices[i].id, "opencl:%d.%d", &p, &d), 2);
        assert_int_equal(devices[i].backend, CAB_BACKEND_OPENCL);
        assert_true(devices[i].name[0] && devices[i].platform[0] && devices[i].version[0]);
        assert_true(devices[i].compute_units > 0 && devices[i].memory > 0 && devices[i].local_memory > 0);
    }
}

static void a_device_goes_by_id_and_by_part_of_its_name(void **state)
{
    fixture *f = begin(state);
    cab_device_info devices[2];
    cab_devices(devices, 2);
    char part[8] = {0};
    memcpy(part, devices[1].name, 6);
    for (char *c = part; *c; c++) *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
    const char *words[] = {"opencl", devices[1].id, devices[1].name, part};
    for (int i = 0; i < 4; i++) {
        f->def.device = words[i];
        cab_backend *backend = open_backend(f);
        assert_string_equal(backend->info.id, devices[1].id);
        backend->ops->destroy(backend);
    }
    f->def.device = "native";
    cab_backend *backend = open_backend(f);
    assert_string_equal(backend->info.id, "native");
    backend->ops->destroy(backend);
    f->def.device = NULL;
    backend = open_backend(f);
    assert_int_equal(backend->info.backend, CAB_BACKEND_OPENCL);
    backend->ops->destroy(backend);
}

static void an_unknown_device_is_bad_input_and_the_known_ones_are_named(void **state)
{
    fixture *f = begin(state);
    const char *words[] = {
        "no such thing", "opencl:31.0", "opencl:0.99", "opencl:x", "opencl:0.0 ", "OPENCL:", ""};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cab_backend *backend = NULL;
        f->def.device = words[i];
        assert_int_equal(cab_backend_open(&f->def, &backend, &f->error), CAB_ERROR_INPUT);
        assert_null(backend);
        assert_contains(f->error.message, "native");
        assert_contains(f->error.message, "opencl:");
    }
    cab_backend *backend = NULL;
    assert_int_equal(cab_opencl_create(&f->def, 31, 0, &backend, &f->error), CAB_ERROR_DEVICE);
    assert_null(backend);
}

static void buffers_start_zeroed_and_keep_what_is_written(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    const cab_backend_ops *ops = backend->ops;
    int in[100], out[100];
    for (int i = 0; i < 100; i++) in[i] = i * i - 7;
    for (int round = 0; round < 3; round++) { /* again at the same size, then at another */
        size_t bytes = round < 2 ? sizeof in : sizeof in + 4;
        memset(out, 1, sizeof out);
        succeed(f, ops->allocate(backend, CAB_BUFFER_position, bytes, &f->error));
        assert_in_range(backend->bytes[CAB_BUFFER_position], bytes, bytes + 15);
        succeed(f, ops->read(backend, CAB_BUFFER_position, 0, sizeof out, out, &f->error));
        for (int i = 0; i < 100; i++) assert_int_equal(out[i], 0);
        succeed(f, ops->write(backend, CAB_BUFFER_position, 0, sizeof in, in, &f->error));
        succeed(f, ops->write(backend, CAB_BUFFER_position, 40, 8, in, &f->error));
        succeed(f, ops->read(backend, CAB_BUFFER_position, 36, 16, out, &f->error));
        assert_int_equal(out[0], in[9]);
        assert_int_equal(out[1], in[0]);
        assert_int_equal(out[2], in[1]);
        assert_int_equal(out[3], in[12]);
    }
    succeed(f, ops->allocate(backend, CAB_BUFFER_position, 0, &f->error));
    assert_int_equal(backend->bytes[CAB_BUFFER_position], 16);
    assert_int_equal(ops->read(backend, CAB_BUFFER_position, 8, 12, out, &f->error), CAB_ERROR_INPUT);
    assert_contains(f->error.message, "position");
    assert_int_equal(ops->write(backend, CAB_BUFFER_position, 17, 0, in, &f->error), CAB_ERROR_INPUT);
    succeed(f, ops->write(backend, CAB_BUFFER_position, 16, 0, in, &f->error));
    backend->ops->destroy(backend);
}

static void too_large_a_buffer_says_how_much_is_needed_and_there(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    size_t huge = (size_t)1 << 60;
    assert_int_equal(backend->ops->allocate(backend, CAB_BUFFER_position, huge, &f->error), CAB_ERROR_MEMORY);
    assert_contains(f->error.message, "position needs 1.0 EiB");
    assert_contains(f->error.message, backend->info.name);
    assert_int_equal(backend->bytes[CAB_BUFFER_position], 0);
    assert_int_equal(backend->ops->allocate(backend, CAB_BUFFER_position, SIZE_MAX, &f->error),
                     CAB_ERROR_MEMORY);
    succeed(f, backend->ops->allocate(backend, CAB_BUFFER_position, 64, &f->error));
    backend->ops->destroy(backend);
}

static void an_item_kernel_runs_over_its_range_only(void **state)
{
    fixture *f = begin(state);
    use_body(f, CAB_KERNEL_layout, "CAB_ITEM(i);\na0[i] = argument + i;");
    cab_backend *backend = open_backend(f);
    cab_buffer buffer = first_buffer(CAB_KERNEL_layout);
    int out[300];
    succeed(f, backend->ops->run(backend, CAB_KERNEL_layout, 0, 0, 5, 0, &f->error));
    for (int round = 0; round < 2; round++) { /* the second time, the buffer is another one */
        succeed(f, backend->ops->allocate(backend, buffer, sizeof out + 64u * (unsigned)round, &f->error));
        succeed(f, backend->ops->run(backend, CAB_KERNEL_layout, 3, 200, 1000, 0, &f->error));
        succeed(f, backend->ops->run(backend, CAB_KERNEL_layout, 290, 1, 7, 0, &f->error));
        succeed(f, backend->ops->finish(backend, &f->error));
        succeed(f, backend->ops->read(backend, buffer, 0, sizeof out, out, &f->error));
        for (int i = 0; i < 300; i++) {
            assert_int_equal(out[i], i >= 3 && i < 203 ? 1000 + i : i == 290 ? 297 : 0);
        }
    }
    backend->ops->destroy(backend);
}

/* The first group kernel of the list, CAB_KERNEL_COUNT when there is none. */
static cab_kernel find_group_kernel(void)
{
    int i = 0;
    while (i < CAB_KERNEL_COUNT && cab_bindings[i].kind != CAB_BINDING_group) i++;
    return (cab_kernel)i;
}

static void a_group_kernel_has_lanes_scratch_and_barriers(void **state)
{
    fixture *f = begin(state);
    cab_kernel kernel = find_group_kernel();
    if (kernel == CAB_KERNEL_COUNT) skip();
    use_body(f, kernel,
             "CAB_GROUP(g);\n"
             "CAB_LANES(i, 100) { scratch[i] = i; }\n"
             "CAB_BARRIER_LOCAL();\n"
             "CAB_LANES(i, 100) { a0[100 * g + i] = argument + (int)scratch[99 - i]; }");
    cab_backend *backend = open_backend(f);
    cab_buffer buffer = first_buffer(kernel);
    int out[500];
    succeed(f, backend->ops->allocate(backend, buffer, sizeof out, &f->error));
    succeed(f, backend->ops->run(backend, kernel, 1, 3, 40, 100 * sizeof(float), &f->error));
    succeed(f, backend->ops->read(backend, buffer, 0, sizeof out, out, &f->error));
    for (int i = 0; i < 500; i++) assert_int_equal(out[i], i >= 100 && i < 400 ? 40 + 99 - i % 100 : 0);

    cab_status status = backend->ops->run(backend, kernel, 0, 1, 0, (size_t)1 << 40, &f->error);
    assert_int_equal(status, CAB_ERROR_DEVICE);
    assert_contains(f->error.message, "1.0 TiB of local memory");
    backend->ops->destroy(backend);
}

static void every_built_in_kernel_builds(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    cab_opencl *opencl = (cab_opencl *)backend;
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) assert_null(opencl->kernels[i].kernel); /* only when needed */
    succeed(f, cab_opencl_build_all(opencl, &f->error));
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) assert_non_null(opencl->kernels[i].kernel);
    backend->ops->destroy(backend);
}

static cl_program build_with_names(cab_opencl *opencl, const char *file, cab_error *error)
{
    char options[256];
    cl_int code = CL_SUCCESS;
    snprintf(options, sizeof options, "%s -cl-kernel-arg-info", opencl->options);
    char *source = cab_opencl_source(NULL, NULL, file, error);
    if (!source) fail_msg("%s", error->message);
    cl_program program = clCreateProgramWithSource(opencl->context, 1, (const char **)&source, NULL, &code);
    free(source);
    assert_int_equal(code, CL_SUCCESS);
    assert_int_equal(clBuildProgram(program, 1, &opencl->device, options, NULL, NULL), CL_SUCCESS);
    return program;
}

static void check_argument(cl_kernel kernel, int index, const char *expected, const char *call)
{
    char name[256] = "";
    cl_int code = clGetKernelArgInfo(kernel, (cl_uint)index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL);
    assert_int_equal(code, CL_SUCCESS);
    /* PoCL's headers rename what is also a built-in function, such as `distance`. */
    const char *plain = strncmp(name, "_cl_", 4) ? name : name + 4;
    if (strcmp(plain, expected))
        fail_msg("%s: argument %d is %s, the list says %s", call, index, name, expected);
}

static void arguments_are_named_as_in_the_list(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) {
        const cab_binding *b = &cab_bindings[i];
        cl_int code = CL_SUCCESS;
        cl_uint count = 0;
        cl_program program = build_with_names((cab_opencl *)backend, b->file, &f->error);
        cl_kernel kernel = clCreateKernel(program, b->call, &code);
        if (code != CL_SUCCESS) fail_msg("%s is not in %s", b->call, b->file);
        int before = b->kind == CAB_BINDING_group ? 4 : 3;
        assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL), CL_SUCCESS);
        if ((int)count != before + b->buffer_count) fail_msg("%s has %u arguments", b->call, count);
        check_argument(kernel, 2, "argument", b->call);
        if (before == 4) check_argument(kernel, 3, "scratch", b->call);
        for (int k = 0; k < b->buffer_count; k++) {
            check_argument(kernel, before + k, cab_buffer_names[b->buffers[k]], b->call);
        }
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    backend->ops->destroy(backend);
}

static void a_buffer_that_was_never_allocated_holds_16_bytes(void **state)
{
    fixture *f = begin(state);
    use_body(f, CAB_KERNEL_layout, "CAB_ITEM(i);\na0[i] = argument + i;");
    cab_backend *backend = open_backend(f);
    cab_buffer buffer = first_buffer(CAB_KERNEL_layout);
    int out[4];
    succeed(f, backend->ops->run(backend, CAB_KERNEL_layout, 0, 3, 9, 0, &f->error));
    succeed(f, backend->ops->read(backend, buffer, 0, sizeof out, out, &f->error));
    for (int i = 0; i < 4; i++) assert_int_equal(out[i], i < 3 ? 9 + i : 0);
    backend->ops->destroy(backend);
}

static void a_missing_kernel_file_is_named(void **state)
{
    fixture *f = begin(state);
    f->def.kernel_dir = f->kernels; /* empty */
    cab_backend *backend = open_backend(f);
    cab_status status = backend->ops->run(backend, CAB_KERNEL_layout, 0, 1, 0, 0, &f->error);
    assert_int_equal(status, CAB_ERROR_IO);
    assert_contains(f->error.message, "kernels/layout.cl: No such file");
    backend->ops->destroy(backend);
}

static void a_kernel_that_does_not_compile_shows_file_and_line(void **state)
{
    fixture *f = begin(state);
    use_kernel(f, "layout.cl",
               "#include \"types.h\"\nkernel void cab_layout(\n    nonsense *layout)\n{\n}\n");
    cab_backend *backend = open_backend(f);
    cab_status status = backend->ops->run(backend, CAB_KERNEL_layout, 0, 1, 0, 0, &f->error);
    assert_int_equal(status, CAB_ERROR_DEVICE);
    assert_contains(f->error.message, "clBuildProgram for layout.cl: CL_BUILD_PROGRAM_FAILURE");
    assert_contains(f->error.message, "nonsense");
    assert_contains(f->log, "nonsense");
    if (strcmp(backend->info.platform, "Oclgrind")) { /* it counts the lines of the whole text */
        assert_contains(f->error.message, "layout.cl:3");
        assert_contains(f->log, "layout.cl:3");
    }
    backend->ops->destroy(backend);
}

static void a_header_is_put_in_once(void **state)
{
    fixture *f = begin(state);
    write_text(f->kernels, "once.h", "int once;\n#include \"inner.h\"\nint twice;");
    write_text(f->kernels, "inner.h", "int inner;\n");
    write_text(f->kernels, "main.cl",
               "int a;\n  #  include \"once.h\"\n#include \"inner.h\"\n#include <x.h>\nint b;");
    char *text = cab_opencl_source(f->kernels, NULL, "main.cl", &f->error);
    assert_non_null(text);
    assert_string_equal(text, "#line 1 \"main.cl\"\nint a;\n"
                              "#line 1 \"once.h\"\nint once;\n"
                              "#line 1 \"inner.h\"\nint inner;\n"
                              "#line 3 \"once.h\"\nint twice;\n"
                              "#line 3 \"main.cl\"\n\n#include <x.h>\nint b;\n");
    free(text);
}

static void a_header_is_looked_for_beside_the_file_that_includes_it(void **state)
{
    fixture *f = begin(state);
    write_text(f->kernels, "main.cl", "#include \"part/types.h\"\n#include \"types.h\"");
    write_text(f->kernels, "types.h", "int outer;");
    write_text(f->kernels, "part/types.h", "#include \"../types.h\"\n#include \"more.h\"");
    write_text(f->kernels, "part/more.h", "int more;");
    char *text = cab_opencl_source(f->kernels, NULL, "main.cl", &f->error);
    assert_non_null(text);
    assert_string_equal(text, "#line 1 \"main.cl\"\n"
                              "#line 1 \"part/types.h\"\n"
                              "#line 1 \"types.h\"\nint outer;\n"
                              "#line 2 \"part/types.h\"\n"
                              "#line 1 \"part/more.h\"\nint more;\n"
                              "#line 3 \"part/types.h\"\n"
                              "#line 2 \"main.cl\"\n\n");
    free(text);
    write_text(f->kernels, "main.cl", "\n#include \"../types.h\"");
    assert_null(cab_opencl_source(f->kernels, NULL, "main.cl", &f->error));
    assert_contains(f->error.message, "main.cl:2: cannot include \"../types.h\"");
}

/* Builds one small program and checks the answer; what the log said of it is in f->log. */
static void run_layout(fixture *f)
{
    cab_backend *backend = open_backend(f);
    int out[40] = {0}; /* all that the kernel writes */
    succeed(f, backend->ops->allocate(backend, first_buffer(CAB_KERNEL_layout), sizeof out, &f->error));
    succeed(f, backend->ops->run(backend, CAB_KERNEL_layout, 0, 1, 0, 0, &f->error));
    succeed(f, backend->ops->read(backend, first_buffer(CAB_KERNEL_layout), 0, sizeof out, out, &f->error));
    assert_int_equal(out[0], sizeof(cab_params));
    backend->ops->destroy(backend);
}

/* The path of the only file in the cache. */
static void find_kept(const fixture *f, char path[600])
{
    DIR *folder = opendir(f->cache);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, 600, "%s/%s", f->cache, entry->d_name);
        count++;
    }
    closedir(folder);
    assert_int_equal(count, 1);
}

static void a_program_is_built_once(void **state)
{
    fixture *f = begin(state);
    char path[600];
    run_layout(f);
    assert_contains(f->log, "layout.cl: built");
    find_kept(f, path);
    run_layout(f);
    assert_contains(f->log, "layout.cl: taken from the cache");
    use_kernel(f, "layout.cl",
               "#include \"types.h\"\n"
               "CAB_KERNEL(layout, global int *layout) { layout[0] = (int)sizeof(cab_params); }");
    run_layout(f);
    assert_contains(f->log, "layout.cl: built"); /* another source, another program */
}

static void no_cache_is_kept_when_none_is_wanted(void **state)
{
    fixture *f = begin(state);
    f->def.cache_dir = "";
    run_layout(f);
    run_layout(f);
    assert_contains(f->log, "layout.cl: built");
}

/* Spoils the kept file, and expects it to be replaced without an error. */
static void spoil(fixture *f, long length, long at, const char *word)
{
    char path[600];
    run_layout(f);
    find_kept(f, path);
    if (at >= 0) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, at, SEEK_SET);
        fputs("spoilt", file);
        fclose(file);
    }
    if (length >= 0) assert_int_equal(truncate(path, length), 0);
    run_layout(f);
    assert_contains(f->log, word);
    assert_contains(f->log, "layout.cl: built");
    assert_null(strstr(f->log, "[0] program"));
    run_layout(f);
    assert_contains(f->log, "layout.cl: taken from the cache");
}

static void a_broken_cache_is_built_again(void **state)
{
    fixture *f = begin(state);
    spoil(f, 0, -1, "is too short");
    spoil(f, 20, -1, "is too short");
    spoil(f, 100, -1, "has the wrong length");
    spoil(f, -1, 0, "is of another kind");
    spoil(f, -1, 18, "has the wrong length");
    spoil(f, -1, 60, "belongs to another program");
    spoil(f, -1, 40 + 3000, "program"); /* in the key or, past it, in the binary */
    char path[600];
    find_kept(f, path);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    spoil(f, -1, (long)status.st_size - 6, "is damaged");
}

static void a_binary_that_the_driver_refuses_is_built_again(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    if (!strcmp(backend->info.platform, "rusticl")) { /* Mesa 22.3 ends the process */
        backend->ops->destroy(backend);
        skip();
    }
    char *source = cab_opencl_source(NULL, NULL, "layout.cl", &f->error);
    char *key = cab_opencl_cache_key((cab_opencl *)backend, source);
    cab_opencl_cache_store((cab_opencl *)backend, key, (const unsigned char *)"not a program", 13);
    free(key);
    free(source);
    backend->ops->destroy(backend);
    run_layout(f);
    assert_contains(f->log, "the driver does not take the binary of layout.cl");
    assert_contains(f->log, "layout.cl: built");
    run_layout(f);
    assert_contains(f->log, "layout.cl: taken from the cache");
}

static void a_cache_that_cannot_be_written_is_no_error(void **state)
{
    fixture *f = begin(state);
    char below_a_file[400];
    write_text(f->folder, "file", "");
    snprintf(below_a_file, sizeof below_a_file, "%s/file/cache", f->folder);
    f->def.cache_dir = below_a_file; /* holds for root too, whom permissions do not stop */
    run_layout(f);
    assert_contains(f->log, "[1] program cache");
    assert_contains(f->log, "not kept: Not a directory");
}

static void set_variable(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void check_folder(const char *given, const char *own, const char *xdg, const char *expected)
{
    set_variable("CLCABLE_CACHE_DIR", own);
    set_variable("XDG_CACHE_HOME", xdg);
    char *folder = cab_cache_folder(given);
    if (expected)
        assert_string_equal(folder ? folder : "none", expected);
    else
        assert_null(folder);
    free(folder);
}

static void the_cache_folder_follows_the_environment(void **state)
{
    (void)begin(state);
    const char *names[] = {"CLCABLE_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    char *before[3];
    for (int i = 0; i < 3; i++) before[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
    set_variable("HOME", "/h");
    check_folder("/g", "/o", "/x", "/g");
    check_folder("", "/o", "/x", NULL);
    check_folder(NULL, "/o", "/x", "/o");
    check_folder(NULL, "", "/x", NULL);
    check_folder(NULL, NULL, "/x", "/x/clcable");
    check_folder(NULL, NULL, "relative", "/h/.cache/clcable"); /* XDG: ignore relative paths */
    check_folder(NULL, NULL, NULL, "/h/.cache/clcable");
    set_variable("HOME", NULL);
    check_folder(NULL, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        set_variable(names[i], before[i]);
        free(before[i]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(devices_are_listed_native_first),
        TEST(a_device_goes_by_id_and_by_part_of_its_name),
        TEST(an_unknown_device_is_bad_input_and_the_known_ones_are_named),
        TEST(buffers_start_zeroed_and_keep_what_is_written),
        TEST(too_large_a_buffer_says_how_much_is_needed_and_there),
        TEST(an_item_kernel_runs_over_its_range_only),
        TEST(a_group_kernel_has_lanes_scratch_and_barriers),
        TEST(a_buffer_that_was_never_allocated_holds_16_bytes),
        TEST(every_built_in_kernel_builds),
        TEST(arguments_are_named_as_in_the_list),
        TEST(a_missing_kernel_file_is_named),
        TEST(a_kernel_that_does_not_compile_shows_file_and_line),
        TEST(a_header_is_put_in_once),
        TEST(a_header_is_looked_for_beside_the_file_that_includes_it),
        TEST(a_program_is_built_once),
        TEST(no_cache_is_kept_when_none_is_wanted),
        TEST(a_broken_cache_is_built_again),
        TEST(a_binary_that_the_driver_refuses_is_built_again),
        TEST(a_cache_that_cannot_be_written_is_no_error),
        TEST(the_cache_folder_follows_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The OpenCL backend by itself: kernel sources and what they are built to. */
#define _GNU_SOURCE /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backend/distributed/split.h"
#include "opencl_fixture.h"

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
    char *source = cab_opencl_source(&(cab_opencl_sources){0}, (const char *const[]){file, NULL}, error);
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

/* What a distributed backend goes by: which buffers no kernel writes, and which kernels write none that members share. */
static void check_writes(cl_kernel kernel, int index, const cab_binding *b, cab_buffer id)
{
    cab_kernel which = (cab_kernel)(b - cab_bindings);
    cl_kernel_arg_type_qualifier type = 0;
    cl_int code =
        clGetKernelArgInfo(kernel, (cl_uint)index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type, NULL);
    assert_int_equal(code, CL_SUCCESS);
    if (type & CL_KERNEL_ARG_TYPE_CONST) return;
    cab_row_kind rows = cab_rows_of(id).kind;
    bool split = cab_split_of(which).unit != CAB_SPLIT_NONE;
    if (rows == CAB_ROW_FIXED || (rows == CAB_ROW_TABLE && split))
        fail_msg("%s may write %s, a table", b->call, cab_buffer_names[id]);
    bool takes = split && !cab_split_is_beside(cab_split_of(which)) &&
                 cab_split_of(which).only >= 0; /* see lanes_take */
    if (rows != CAB_ROW_NONE && !takes && !cab_kernel_writes(which, id))
        fail_msg("%s may write %s, and is said not to", b->call, cab_buffer_names[id]);
    if (split && rows == CAB_ROW_NONE)
        fail_msg("%s may write %s, which has no owners", b->call, cab_buffer_names[id]);
}

static void check_kernel(cl_program program, const cab_binding *b)
{
    cl_int code = CL_SUCCESS;
    cl_uint count = 0;
    cl_kernel kernel = clCreateKernel(program, b->call, &code);
    if (code != CL_SUCCESS) fail_msg("%s is not in %s", b->call, b->file);
    int before = b->kind == CAB_BINDING_group ? 4 : 3;
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL), CL_SUCCESS);
    if ((int)count != before + b->buffer_count) fail_msg("%s has %u arguments", b->call, count);
    check_argument(kernel, 2, "argument", b->call);
    if (before == 4) check_argument(kernel, 3, "scratch", b->call);
    for (int k = 0; k < b->buffer_count; k++) {
        check_argument(kernel, before + k, cab_buffer_names[b->buffers[k]], b->call);
        check_writes(kernel, before + k, b, (cab_buffer)b->buffers[k]);
    }
    clReleaseKernel(kernel);
}

static void arguments_are_named_as_in_the_list(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    bool checked[CAB_KERNEL_COUNT] = {false};
    for (int first = 0; first < CAB_KERNEL_COUNT; first++) {
        const char *file = cab_bindings[first].file;
        if (checked[first]) continue;
        cl_program program = build_with_names((cab_opencl *)backend, file, &f->error);
        for (int i = first; i < CAB_KERNEL_COUNT; i++) {
            if (strcmp(cab_bindings[i].file, file)) continue;
            check_kernel(program, &cab_bindings[i]);
            checked[i] = true;
        }
        clReleaseProgram(program);
    }
    for (int i = 0; i < CAB_KERNEL_COUNT; i++) assert_true(checked[i]);
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
    char *text = cab_opencl_source(&(cab_opencl_sources){.folder = f->kernels},
                                   (const char *const[]){"main.cl", NULL}, &f->error);
    assert_non_null(text);
    assert_string_equal(text, "#line 1 \"main.cl\"\nint a;\n"
                              "#line 1 \"once.h\"\nint once;\n"
                              "#line 1 \"inner.h\"\nint inner;\n"
                              "#line 3 \"once.h\"\nint twice;\n"
                              "#line 3 \"main.cl\"\n\n#include <x.h>\nint b;\n");
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_built_in_kernel_builds),   TEST(arguments_are_named_as_in_the_list),
        TEST(a_missing_kernel_file_is_named), TEST(a_kernel_that_does_not_compile_shows_file_and_line),
        TEST(a_header_is_put_in_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

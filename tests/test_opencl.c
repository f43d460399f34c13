/* The OpenCL backend by itself: devices, buffers, launches. */
#define _GNU_SOURCE /* nftw */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "opencl_fixture.h"

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
    assert_true(backend->info.gpu || backend->info.backend == CAB_BACKEND_NATIVE);
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

/* What the caller writes may be gone when the device comes to it, and there is more of it than is kept. */
static void writes_take_their_turn_with_what_they_were_given(void **state)
{
    fixture *f = begin(state);
    use_body(f, CAB_KERNEL_layout, "CAB_ITEM(i);\na0[64 + argument] = a0[63];");
    cab_backend *backend = open_backend(f);
    const cab_backend_ops *ops = backend->ops;
    enum { WRITES = 3 * CAB_OPENCL_STAGED / 256 };
    int *out = calloc(64 + WRITES, sizeof *out);
    assert_non_null(out);
    cab_buffer id = (cab_buffer)cab_bindings[CAB_KERNEL_layout].buffers[0];
    succeed(f, ops->allocate(backend, id, (64 + WRITES) * sizeof *out, &f->error));
    for (int i = 0; i < WRITES; i++) {
        int in[64] = {[63] = 1000 + i};
        succeed(f, ops->write(backend, id, 0, sizeof in, in, &f->error));
        memset(in, 0xff, sizeof in);
        succeed(f, ops->run(backend, CAB_KERNEL_layout, 0, 1, i, 0, &f->error));
    }
    succeed(f, ops->read(backend, id, 0, (64 + WRITES) * sizeof *out, out, &f->error));
    for (int i = 0; i < WRITES; i++) assert_int_equal(out[64 + i], 1000 + i);
    free(out);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(devices_are_listed_native_first),
        TEST(a_device_goes_by_id_and_by_part_of_its_name),
        TEST(an_unknown_device_is_bad_input_and_the_known_ones_are_named),
        TEST(buffers_start_zeroed_and_keep_what_is_written),
        TEST(writes_take_their_turn_with_what_they_were_given),
        TEST(too_large_a_buffer_says_how_much_is_needed_and_there),
        TEST(an_item_kernel_runs_over_its_range_only),
        TEST(a_group_kernel_has_lanes_scratch_and_barriers),
        TEST(a_buffer_that_was_never_allocated_holds_16_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Buffers shared with OpenGL, on a device that has no cl_khr_gl_sharing: the calls that matter go through
 * here (linked with --wrap), which notes their order and makes of an OpenGL buffer one of OpenCL, so that
 * rows can be looked at. What is OpenGL's at the time must not be touched. Skipped where there is no OpenCL
 * device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_gl.h>

#include "worlds.h"

/* ---- the mock ---- */

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

static void note(const char *word)
{
    strncat(mock.log, mock.log[0] ? " " : "", sizeof mock.log - strlen(mock.log) - 1);
    strncat(mock.log, word, sizeof mock.log - strlen(mock.log) - 1);
}

static int name_of(cl_mem memory)
{
    for (int i = 1; memory && i < BUFFERS; i++) {
        if (mock.memory[i] == memory) return i;
    }
    return 0;
}

static void must_be_acquired(cl_mem memory, const char *fault)
{
    int name = name_of(memory);
    if (name && !mock.acquired[name]) mock.fault = fault;
}

static void keep_properties(cl_context_properties to[16], const cl_context_properties *from)
{
    memset(to, 0, 16 * sizeof *to);
    for (int i = 0; i < 14 && from[i]; i += 2) {
        to[i] = from[i];
        to[i + 1] = from[i + 1];
    }
}

/* 0 = not there */
static cl_context_properties property(const cl_context_properties list[16], cl_context_properties name)
{
    for (int i = 0; i < 14 && list[i]; i += 2) {
        if (list[i] == name) return list[i + 1];
    }
    return 0;
}

static cl_int CL_API_CALL context_info(const cl_context_properties *properties, cl_gl_context_info what,
                                       size_t size, void *value, size_t *size_ret)
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

static cl_mem CL_API_CALL create(cl_context context, cl_mem_flags flags, cl_GLuint buffer, cl_int *code)
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

static cl_int CL_API_CALL acquire(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint waits,
                                  const cl_event *wait, cl_event *event)
{
    (void)queue, (void)waits, (void)wait, (void)event;
    assert_int_equal(count, 1);
    note("acquire");
    int name = name_of(*objects);
    if (!name || mock.acquired[name]) mock.fault = "acquired twice, or what is not OpenGL's";
    if (!mock.acquire) mock.acquired[name] = true;
    return mock.acquire;
}

static cl_int CL_API_CALL release(cl_command_queue queue, cl_uint count, const cl_mem *objects, cl_uint waits,
                                  const cl_event *wait, cl_event *event)
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

/* ---- the tests' own ---- */

typedef struct uploads {
    int finishes, count;
    unsigned buffer;
    size_t bytes;
    float rows[64][4];
} uploads;

static void gl_finish(void *user)
{
    uploads *u = user;
    u->finishes++;
    note("finish");
}

static void gl_upload(void *user, unsigned buffer, size_t bytes, const void *data)
{
    uploads *u = user;
    note("upload");
    u->count++;
    u->buffer = buffer;
    u->bytes = bytes;
    assert_true(bytes <= sizeof u->rows);
    memcpy(u->rows, data, bytes);
}

typedef struct fixture {
    cab_scene *scene;
    uploads uploads;
    cab_gl gl;
    char log[8192];
    cab_world_def def;
    cab_error error;
    cab_world *world;
} fixture;

static void keep_log(void *user, int level, const char *text)
{
    fixture *f = user;
    size_t used = strlen(f->log);
    if (strstr(text, "OpenGL")) snprintf(f->log + used, sizeof f->log - used, "[%d] %s\n", level, text);
}

#define NODES 17
#define BYTES (16 * NODES)

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    memset(&mock, 0, sizeof mock);
    for (int i = 0; i < BUFFERS; i++) mock.size[i] = BYTES;
    f->scene = scene_of(4);
    add_material(f->scene, wire_of("wire", 0.003, 1e-4));
    add_straight(f->scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.4, 0, 1.1}, NODES - 1);
    hold(f->scene, "a", (cab_place){0}, false);
    f->gl = (cab_gl){.display = (void *)(uintptr_t)0x1230,
                     .context = (void *)(uintptr_t)0x4560,
                     .finish = gl_finish,
                     .upload = gl_upload,
                     .user = &f->uploads};
    f->def = cab_world_default();
    f->def.device = "opencl";
    f->def.log = keep_log;
    f->def.user = f;
    f->def.gl = &f->gl;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    cab_world_destroy(f->world);
    cab_scene_destroy(f->scene);
    free(f);
    return mock.fault ? -1 : 0;
}

/* Skips the test without a device. The def's gl is gone afterwards: it must have been copied. */
static void make(fixture *f)
{
    char id[32];
    if (!find_device("", id)) skip();
    cab_gl *gl = malloc(sizeof *gl);
    assert_non_null(gl);
    *gl = f->gl;
    f->def.gl = gl;
    cab_status status = cab_world_create(f->scene, &f->def, &f->world, &f->error);
    memset(gl, 0xff, sizeof *gl);
    free(gl);
    f->def.gl = &f->gl;
    must(status, &f->error);
}

static void no_fault(void)
{
    if (mock.fault) fail_msg("%s", mock.fault);
}

static void holds(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no \"%s\" in \"%s\"", part, text);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) count++;
    return count;
}

/* Draws, and notes what was called meanwhile. */
static cab_status draw_into(fixture *f, unsigned buffer, cab_quantity quantity)
{
    mock.log[0] = 0;
    mock.watching = true;
    cab_status status = cab_world_draw_into(f->world, buffer, quantity, &f->error);
    mock.watching = false;
    no_fault();
    for (int i = 0; i < BUFFERS; i++) assert_false(mock.acquired[i]); /* it is OpenGL's again */
    return status;
}

static void rows_are(fixture *f, const void *rows, cab_quantity quantity)
{
    float expected[NODES][4];
    must(cab_world_draw(f->world, quantity, expected[0], &f->error), &f->error);
    no_fault();
    assert_memory_equal(rows, expected, BYTES);
}

/* As OpenGL would see them. */
static void shared_rows_are(fixture *f, int buffer, cab_quantity quantity)
{
    float rows[NODES][4];
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_int code = CL_SUCCESS;
    clGetMemObjectInfo(mock.memory[buffer], CL_MEM_CONTEXT, sizeof context, &context, NULL);
    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    assert_int_equal(code, CL_SUCCESS);
    code = __real_clEnqueueReadBuffer(queue, mock.memory[buffer], CL_TRUE, 0, BYTES, rows, 0, NULL, NULL);
    assert_int_equal(code, CL_SUCCESS);
    clReleaseCommandQueue(queue);
    rows_are(f, rows, quantity);
}

/* ---- contexts ---- */

static void contexts_ask_for_egl_and_glx(void **state)
{
    fixture *f = *state;
    for (int glx = 0; glx < 2; glx++) {
        f->gl.platform = glx ? CAB_GL_GLX : CAB_GL_EGL;
        make(f);
        assert_true(cab_world_shares_gl(f->world));
        const cl_context_properties *lists[] = {mock.asked, mock.made};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(property(lists[i], CL_GL_CONTEXT_KHR), 0x4560);
            assert_int_equal(property(lists[i], CL_EGL_DISPLAY_KHR), glx ? 0 : 0x1230);
            assert_int_equal(property(lists[i], CL_GLX_DISPLAY_KHR), glx ? 0x1230 : 0);
            assert_true(property(lists[i], CL_CONTEXT_PLATFORM) != 0);
        }
        cab_world_destroy(f->world);
        f->world = NULL;
    }
    assert_int_equal(mock.shared_contexts, 2);
    assert_int_equal(count_of(f->log, "[1] OpenGL's buffers are drawn into on the device"), 2);
}

static void off_asks_nothing(void **state)
{
    fixture *f = *state;
    f->gl.interop = CAB_INTEROP_OFF;
    make(f);
    assert_false(cab_world_shares_gl(f->world));
    assert_int_equal(property(mock.asked, CL_CONTEXT_PLATFORM), 0);
    assert_int_equal(mock.shared_contexts, 0);
    assert_string_equal(f->log, "");
    must(draw_into(f, 3, CAB_QUANTITY_SPEED), &f->error);
    assert_int_equal(f->uploads.count, 1);
    assert_int_equal(f->uploads.finishes, 0);
}

static void no_context_asks_nothing(void **state)
{
    fixture *f = *state;
    char id[32];
    if (!find_device("", id)) skip();
    f->def.gl = NULL;
    must(cab_world_create(f->scene, &f->def, &f->world, &f->error), &f->error);
    assert_false(cab_world_shares_gl(f->world));
    assert_int_equal(mock.shared_contexts, 0);
    must_fail(draw_into(f, 1, CAB_QUANTITY_NONE), CAB_ERROR_INPUT, &f->error, "cab_world_def.gl");
    cab_world_forget_buffer(f->world, 1);
}

/* What is in the way of sharing, and what is said of it. */
typedef struct obstacle {
    const char *name;
    bool no_extension;
    const char *extension;
    const char *missing;
    bool other_device;
    cl_int info, context;
    const char *reason;
} obstacle;

static const obstacle obstacles[] = {
    {.name = "no extension", .no_extension = true, .reason = "has no cl_khr_gl_sharing"},
    {.name = "another", .extension = "cl_khr_gl_sharing_more", .reason = "has no cl_khr_gl_sharing"},
    {.name = "none", .extension = "", .reason = "has no cl_khr_gl_sharing"},
    {.name = "no query", .missing = "clGetGLContextInfoKHR", .reason = "does not give all of"},
    {.name = "no acquire", .missing = "clEnqueueAcquireGLObjects", .reason = "does not give all of"},
    {.name = "other device", .other_device = true, .reason = "the OpenGL context is not on"},
    {.name = "no share group",
     .info = CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR,
     .reason = "clGetGLContextInfoKHR: CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR (-1000)"},
    {.name = "no context",
     .context = CL_INVALID_OPERATION,
     .reason = "clCreateContext: CL_INVALID_OPERATION"},
};

static void put_up(const obstacle *o)
{
    mock.no_extension = o->no_extension;
    mock.extension = o->extension;
    mock.missing = o->missing;
    mock.other_device = o->other_device;
    mock.info = o->info;
    mock.context = o->context;
}

static void auto_falls_back_and_says_so_once(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < COUNT_OF(obstacles); i++) {
        put_up(&obstacles[i]);
        f->log[0] = 0;
        f->uploads.count = 0;
        make(f);
        assert_false(cab_world_shares_gl(f->world));
        for (int k = 0; k < 3; k++) {
            step(f->world, 1);
            must(draw_into(f, 5, CAB_QUANTITY_TENSION), &f->error);
            assert_string_equal(mock.log, "cab_draw read upload");
            assert_int_equal(f->uploads.count, k + 1);
            assert_int_equal(f->uploads.buffer, 5);
            assert_int_equal(f->uploads.bytes, BYTES);
            rows_are(f, f->uploads.rows, CAB_QUANTITY_TENSION);
        }
        holds(f->log, obstacles[i].reason);
        holds(f->log, "[1] no buffers shared with OpenGL, drawing copies");
        assert_int_equal(count_of(f->log, "\n"), 1);
        cab_world_destroy(f->world);
        f->world = NULL;
    }
}

static void on_fails_and_says_why(void **state)
{
    fixture *f = *state;
    char id[32];
    if (!find_device("", id)) skip();
    f->gl.interop = CAB_INTEROP_ON;
    for (int i = 0; i < COUNT_OF(obstacles); i++) {
        put_up(&obstacles[i]);
        must_fail(cab_world_create(f->scene, &f->def, &f->world, &f->error), CAB_ERROR_UNSUPPORTED, &f->error,
                  obstacles[i].reason);
        assert_null(f->world);
    }
    f->def.device = "native";
    must_fail(cab_world_create(f->scene, &f->def, &f->world, &f->error), CAB_ERROR_UNSUPPORTED, &f->error,
              "native runs on the CPU");
}

static void native_copies(void **state)
{
    fixture *f = *state;
    f->def.device = "native";
    must(cab_world_create(f->scene, &f->def, &f->world, &f->error), &f->error);
    assert_false(cab_world_shares_gl(f->world));
    holds(f->log, "[1] no buffers shared with OpenGL, drawing copies: native runs on the CPU");
    step(f->world, 2);
    must(draw_into(f, 1, CAB_QUANTITY_CURVATURE), &f->error);
    rows_are(f, f->uploads.rows, CAB_QUANTITY_CURVATURE);
    cab_world_forget_buffer(f->world, 1);
}

static void without_upload_there_is_no_copy(void **state)
{
    fixture *f = *state;
    mock.no_extension = true;
    f->gl.upload = NULL;
    make(f);
    must_fail(draw_into(f, 1, CAB_QUANTITY_NONE), CAB_ERROR_UNSUPPORTED, &f->error, "cab_gl.upload");
}

/* ---- drawing ---- */

#define FIRST_ORDER "finish create acquire cab_draw release clFinish"
#define ORDER "finish acquire cab_draw release clFinish"

static void acquire_kernel_release(void **state)
{
    fixture *f = *state;
    make(f);
    for (int frame = 0; frame < 4; frame++) {
        for (int q = 0; q < CAB_QUANTITY_COUNT; q++) {
            must(draw_into(f, 2, (cab_quantity)q), &f->error);
            assert_string_equal(mock.log, frame + q == 0 ? FIRST_ORDER : ORDER);
            shared_rows_are(f, 2, (cab_quantity)q); /* the world draws into its own memory in between */
        }
        step(f->world, 1);
        no_fault();
    }
    assert_int_equal(mock.creations[2], 1);
    assert_int_equal(f->uploads.count, 0);
}

static void without_finish_the_caller_has_seen_to_it(void **state)
{
    fixture *f = *state;
    f->gl.finish = NULL;
    make(f);
    must(draw_into(f, 2, CAB_QUANTITY_SPEED), &f->error);
    assert_string_equal(mock.log, "create acquire cab_draw release clFinish");
}

/* More buffers than are kept; each is written, the oldest makes room. */
static void many_buffers(void **state)
{
    fixture *f = *state;
    make(f);
    for (int turn = 0; turn < 2; turn++) {
        for (int b = 1; b < BUFFERS; b++) {
            step(f->world, 1);
            must(draw_into(f, (unsigned)b, CAB_QUANTITY_SPEED), &f->error);
            must(draw_into(f, (unsigned)b, CAB_QUANTITY_SPEED), &f->error);
            assert_string_equal(mock.log, ORDER);
            shared_rows_are(f, b, CAB_QUANTITY_SPEED);
            int kept = 0;
            for (int i = 1; i < BUFFERS; i++) kept += mock.memory[i] != NULL;
            assert_true(kept <= 4);
        }
    }
}

static void a_forgotten_buffer_is_made_again(void **state)
{
    fixture *f = *state;
    make(f);
    must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error);
    cab_world_forget_buffer(f->world, 2); /* never seen */
    cab_world_forget_buffer(f->world, 0);
    must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error);
    assert_int_equal(mock.creations[1], 1);
    cab_world_forget_buffer(f->world, 1);
    assert_null(mock.memory[1]);
    mock.size[1] = 4 * BYTES;
    must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error);
    assert_int_equal(mock.creations[1], 2);
    shared_rows_are(f, 1, CAB_QUANTITY_SPEED);
}

static void buffers_go_before_the_context(void **state)
{
    fixture *f = *state;
    make(f);
    for (unsigned b = 1; b < 4; b++) must(draw_into(f, b, CAB_QUANTITY_NONE), &f->error);
    int before = mock.context_releases;
    cab_world_destroy(f->world);
    f->world = NULL;
    assert_int_equal(mock.context_releases, before + 1);
    no_fault();
    for (int i = 1; i < BUFFERS; i++) assert_null(mock.memory[i]);
}

static void a_small_buffer_is_an_error(void **state)
{
    fixture *f = *state;
    make(f);
    mock.size[1] = BYTES - 16;
    must_fail(draw_into(f, 1, CAB_QUANTITY_NONE), CAB_ERROR_INPUT, &f->error,
              "OpenGL buffer 1 has 256 bytes, 272 bytes are drawn");
    assert_null(mock.memory[1]);
    assert_true(cab_world_shares_gl(f->world)); /* sharing itself works */
    mock.size[1] = BYTES;
    must(draw_into(f, 1, CAB_QUANTITY_NONE), &f->error);
}

static void a_wrong_quantity_touches_nothing(void **state)
{
    fixture *f = *state;
    make(f);
    must_fail(draw_into(f, 1, CAB_QUANTITY_COUNT), CAB_ERROR_INPUT, &f->error, "quantity");
    assert_string_equal(mock.log, "");
}

/* ---- failures on the way ---- */

static void a_failing_kernel_still_releases(void **state)
{
    fixture *f = *state;
    make(f);
    mock.kernel = CL_INVALID_WORK_GROUP_SIZE;
    must_fail(draw_into(f, 1, CAB_QUANTITY_SPEED), CAB_ERROR_DEVICE, &f->error,
              "clEnqueueNDRangeKernel for draw");
    assert_string_equal(mock.log, FIRST_ORDER);
    mock.release = CL_INVALID_GL_OBJECT; /* the first error is the one that is told */
    must_fail(draw_into(f, 1, CAB_QUANTITY_SPEED), CAB_ERROR_DEVICE, &f->error,
              "clEnqueueNDRangeKernel for draw");
    mock.kernel = mock.release = 0;
    must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error);
    shared_rows_are(f, 1, CAB_QUANTITY_SPEED);
}

static void a_failing_release_is_told(void **state)
{
    fixture *f = *state;
    make(f);
    mock.release = CL_INVALID_GL_OBJECT;
    must_fail(draw_into(f, 1, CAB_QUANTITY_SPEED), CAB_ERROR_DEVICE, &f->error,
              "clEnqueueReleaseGLObjects for");
    holds(f->error.message, "CL_INVALID_GL_OBJECT (-60)");
    assert_string_equal(mock.log, FIRST_ORDER); /* waited for all the same */
    mock.release = 0;
    mock.finish = CL_INVALID_COMMAND_QUEUE;
    must_fail(draw_into(f, 1, CAB_QUANTITY_SPEED), CAB_ERROR_DEVICE, &f->error, "clFinish for");
    mock.finish = 0;
    must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error);
}

typedef struct failure {
    cl_int *code;
    const char *call;
} failure;

static const failure failures[] = {{&mock.create, "clCreateFromGLBuffer for OpenGL buffer 1"},
                                   {&mock.acquire, "clEnqueueAcquireGLObjects for OpenGL buffer 1"}};

static void auto_copies_after_a_failure(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < COUNT_OF(failures); i++) {
        f->log[0] = 0;
        make(f);
        must(draw_into(f, 2, CAB_QUANTITY_SPEED), &f->error);
        *failures[i].code = CL_INVALID_GL_OBJECT;
        for (int k = 0; k < 2; k++) {
            step(f->world, 1);
            must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error);
            rows_are(f, f->uploads.rows, CAB_QUANTITY_SPEED);
            assert_false(cab_world_shares_gl(f->world));
        }
        assert_string_equal(mock.log, "cab_draw read upload");
        assert_int_equal(count_of(f->log, "[1] no buffers shared with OpenGL any more, drawing copies: "), 1);
        holds(f->log, failures[i].call);
        holds(f->log, "CL_INVALID_GL_OBJECT");
        *failures[i].code = 0;
        cab_world_destroy(f->world);
        f->world = NULL;
        no_fault();
    }
}

static void on_fails_after_a_failure(void **state)
{
    fixture *f = *state;
    f->gl.interop = CAB_INTEROP_ON;
    make(f);
    for (int i = 0; i < COUNT_OF(failures); i++) {
        *failures[i].code = CL_INVALID_GL_OBJECT;
        must_fail(draw_into(f, 1, CAB_QUANTITY_SPEED), CAB_ERROR_DEVICE, &f->error, failures[i].call);
        assert_null(mock.memory[1]); /* whatever was wrong with it, the next time it is made anew */
        *failures[i].code = 0;
        assert_true(cab_world_shares_gl(f->world));
        must(draw_into(f, 1, CAB_QUANTITY_SPEED), &f->error); /* the next time it may work */
        cab_world_forget_buffer(f->world, 1);
    }
    assert_int_equal(f->uploads.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(contexts_ask_for_egl_and_glx),
        TEST(off_asks_nothing),
        TEST(no_context_asks_nothing),
        TEST(auto_falls_back_and_says_so_once),
        TEST(on_fails_and_says_why),
        TEST(native_copies),
        TEST(without_upload_there_is_no_copy),
        TEST(acquire_kernel_release),
        TEST(without_finish_the_caller_has_seen_to_it),
        TEST(many_buffers),
        TEST(a_forgotten_buffer_is_made_again),
        TEST(buffers_go_before_the_context),
        TEST(a_small_buffer_is_an_error),
        TEST(a_wrong_quantity_touches_nothing),
        TEST(a_failing_kernel_still_releases),
        TEST(a_failing_release_is_told),
        TEST(auto_copies_after_a_failure),
        TEST(on_fails_after_a_failure),
    };
    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}

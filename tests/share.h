/* A world on PoCL with buffers of a made-up OpenGL. Include cmocka first. */
#ifndef CAB_TESTS_SHARE_H
#define CAB_TESTS_SHARE_H

#include "share_mock.h"

typedef struct uploads {
    int finishes, count;
    unsigned buffer;
    size_t bytes;
    float rows[64][4];
} uploads;

static inline void gl_finish(void *user)
{
    uploads *u = user;
    u->finishes++;
    note("finish");
}

static inline void gl_upload(void *user, unsigned buffer, size_t bytes, const void *data)
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

static inline void keep_log(void *user, int level, const char *text)
{
    fixture *f = user;
    size_t used = strlen(f->log);
    if (strstr(text, "OpenGL")) snprintf(f->log + used, sizeof f->log - used, "[%d] %s\n", level, text);
}

#define NODES 17
#define BYTES (16 * NODES)

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
    fixture *f = *state;
    cab_world_destroy(f->world);
    cab_scene_destroy(f->scene);
    free(f);
    return mock.fault ? -1 : 0;
}

/* Skips the test without a device. The def's gl is gone afterwards: it must have been copied. */
static inline void make(fixture *f)
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

static inline void no_fault(void)
{
    if (mock.fault) fail_msg("%s", mock.fault);
}

static inline void holds(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no \"%s\" in \"%s\"", part, text);
}

static inline int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) count++;
    return count;
}

/* Draws, and notes what was called meanwhile. */
static inline cab_status draw_into(fixture *f, unsigned buffer, cab_quantity quantity)
{
    mock.log[0] = 0;
    mock.watching = true;
    cab_status status = cab_world_draw_into(f->world, buffer, quantity, &f->error);
    mock.watching = false;
    no_fault();
    for (int i = 0; i < BUFFERS; i++) assert_false(mock.acquired[i]); /* it is OpenGL's again */
    return status;
}

static inline void rows_are(fixture *f, const void *rows, cab_quantity quantity)
{
    float expected[NODES][4];
    must(cab_world_draw(f->world, quantity, expected[0], &f->error), &f->error);
    no_fault();
    assert_memory_equal(rows, expected, BYTES);
}

/* As OpenGL would see them. */
static inline void shared_rows_are(fixture *f, int buffer, cab_quantity quantity)
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

#endif

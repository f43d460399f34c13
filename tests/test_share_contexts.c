/* Buffers shared with OpenGL: whether a context can be shared, and what is done where not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "share.h"

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(contexts_ask_for_egl_and_glx),     TEST(off_asks_nothing),      TEST(no_context_asks_nothing),
        TEST(auto_falls_back_and_says_so_once), TEST(on_fails_and_says_why), TEST(native_copies),
        TEST(without_upload_there_is_no_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Buffers shared with OpenGL: the order of calls, many buffers, failures on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "share.h"

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
    return cmocka_run_group_tests(tests, NULL, NULL);
}

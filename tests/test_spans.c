/* Which straight pieces cables are drawn with: how far they are off, how many they are. No OpenGL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worlds.h"

#include <cglm/cglm.h>

#include "view/shapes/spans.h"

enum { NODES = 257 };

static cab_error error;

/* From straight above, parallel, `across` m from edge to edge. */
static cab_spans_view view_of(float across, float pixel, float most_error)
{
    cab_spans_view view = {.pixel = pixel, .orthographic = true, .error = most_error, .longest = 1e9f};
    glm_ortho(-across / 2, across / 2, -across / 2, across / 2, -10, 10, view.clip);
    return view;
}

/* A circle of radius 1 m; bend = 0 is a straight line of its length from (-1, 0). */
static void lay(float rows[][4], bool straight)
{
    for (int i = 0; i < NODES; i++) {
        float angle = 2 * (float)M_PI * (float)i / (NODES - 1);
        rows[i][0] = straight ? angle - 1 : cosf(angle);
        rows[i][1] = straight ? 0 : sinf(angle);
        rows[i][2] = rows[i][3] = 0;
    }
}

/* Every strand once from its first to its last node, without gaps. */
static void check_whole(const cab_spans *spans, int strands)
{
    int at = 0;
    for (int s = 0; s < strands; s++) {
        float end = 0;
        for (; at < spans->count && (int)spans->list[at].strand == s; at++) {
            near_to(spans->list[at].from, end, 0);
            assert_true(spans->list[at].to > end);
            end = spans->list[at].to;
        }
        near_to(end, spans->strands[s].count - 1, 0);
    }
    assert_int_equal(at, spans->count);
}

static void start(cab_spans *spans, const cab_strand *strand, float rows[][4], bool straight)
{
    lay(rows, straight);
    must(cab_spans_create(spans, strand, 1, &error), &error);
    cab_spans_measure(spans, (const float(*)[4])rows);
}

static const cab_strand whole = {.step = 1, .count = NODES, .radius = 0.01f};

static void test_straight_cables_take_few(void **state)
{
    (void)state;
    static float rows[NODES][4];
    cab_spans spans;
    start(&spans, &whole, rows, true);
    cab_spans_view view = view_of(100, 0.01f, 0.25f);
    must(cab_spans_choose(&spans, &view, &error), &error);
    check_whole(&spans, 1);
    assert_int_equal(spans.count, 4); /* a stretch has 64 segments */
    view.longest = 10;                /* pixels of 1 cm; a segment has 2.45 cm */
    must(cab_spans_choose(&spans, &view, &error), &error);
    check_whole(&spans, 1);
    assert_int_equal(spans.count, 256 / 4);
    cab_spans_free(&spans);
}

/* A chord over the angle a is off by 1 - cos(a / 2). */
static void test_pieces_of_a_circle_are_near_enough(void **state)
{
    (void)state;
    static float rows[NODES][4];
    cab_spans spans;
    start(&spans, &whole, rows, false);
    for (float pixel = 1e-6f; pixel < 0.3f; pixel *= 3) {
        cab_spans_view view = view_of(100, pixel, 0.25f);
        must(cab_spans_choose(&spans, &view, &error), &error);
        check_whole(&spans, 1);
        float longest = 0;
        for (int i = 0; i < spans.count; i++) longest = fmaxf(longest, spans.list[i].to - spans.list[i].from);
        double off = 1 - cos(M_PI * (double)longest / (NODES - 1));
        bool at_most_pieces = spans.count == 8 * (NODES - 1);
        if (!at_most_pieces) at_most(off, 0.25 * (double)pixel * 1.01);
        /* not many more than needed: an arc is taken for a kink, which is off by twice as much */
        double needed = M_PI / acos(1 - fmin(0.25 * (double)pixel, 1.9)) + 4;
        if (pixel > 1e-5f) at_most(spans.count, 2.1 * needed);
    }
    cab_spans_free(&spans);
}

static void test_what_is_outside_is_left_out(void **state)
{
    (void)state;
    static float rows[NODES][4];
    cab_spans spans;
    start(&spans, &whole, rows, true);
    cab_spans_view view = view_of(1, 0.01f, 0.25f); /* sees x from -0.5 to 0.5, the second 64 begin at 0.57 */
    must(cab_spans_choose(&spans, &view, &error), &error);
    assert_int_equal(spans.count, 1);
    near_to(spans.list[0].to, 64, 0);
    cab_spans_forget(&spans); /* then nobody knows */
    must(cab_spans_choose(&spans, &view, &error), &error);
    check_whole(&spans, 1);
    assert_int_equal(spans.count, 3 * (NODES - 1));
    cab_spans_measure(&spans, (const float(*)[4])rows);
    must(cab_spans_choose(&spans, &view, &error), &error);
    assert_int_equal(spans.count, 1);
    cab_spans_free(&spans);
}

/* Close by more pieces than far away, as a pixel there is smaller. */
static void test_perspective(void **state)
{
    (void)state;
    static float rows[NODES][4];
    cab_spans spans;
    int before = 1 << 20;
    start(&spans, &whole, rows, false);
    for (float distance = 3; distance < 1000; distance *= 4) {
        cab_spans_view view = {.pixel = 0.001f, .error = 0.25f, .longest = 1e9f, .forward = {0, 0, -1}};
        mat4 camera, projection;
        view.eye[2] = distance;
        glm_look(view.eye, view.forward, (vec3){0, 1, 0}, camera);
        glm_perspective(1.5f, 1, 0.1f, 2000, projection);
        glm_mat4_mul(projection, camera, view.clip);
        must(cab_spans_choose(&spans, &view, &error), &error);
        check_whole(&spans, 1);
        assert_true(spans.count < before);
        before = spans.count;
    }
    cab_spans_free(&spans);
}

static void test_strands_of_all_kinds(void **state)
{
    (void)state;
    static float rows[NODES][4];
    /* two nodes, backwards; 66 nodes; the rest */
    const cab_strand strands[] = {{.first = 9, .step = -5, .count = 2},
                                  {.step = 1, .count = 66},
                                  {.first = 66, .step = 1, .count = NODES - 66}};
    cab_spans spans;
    lay(rows, false);
    must(cab_spans_create(&spans, strands, COUNT_OF(strands), &error), &error);
    cab_spans_measure(&spans, (const float(*)[4])rows);
    for (float pixel = 1e-6f; pixel < 1; pixel *= 10) {
        cab_spans_view view = view_of(100, pixel, 0.25f);
        must(cab_spans_choose(&spans, &view, &error), &error);
        check_whole(&spans, COUNT_OF(strands));
    }
    cab_spans_free(&spans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_cables_take_few),
        cmocka_unit_test(test_pieces_of_a_circle_are_near_enough),
        cmocka_unit_test(test_what_is_outside_is_left_out),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_strands_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

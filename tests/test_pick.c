/* What a ray hits: known answers on geometry made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "view/shapes/pick.h"
#include "worlds.h"

/* Two nodes each. */
static cab_strand strand_of(int a, float radius, uint32_t cable)
{
    return (cab_strand){.first = a, .step = 1, .count = 2, .radius = radius, .cable = cable};
}

static bool shoot(const cab_geometry *geometry, const float rows[][4], cab_vec3 from, cab_vec3 to,
                  cab_pick_tolerance tolerance, cab_pick *pick)
{
    const float origin[3] = {(float)from.x, (float)from.y, (float)from.z};
    const float direction[3] = {(float)(to.x - from.x), (float)(to.y - from.y), (float)(to.z - from.z)};
    return cab_pick_ray(geometry, rows[0], origin, direction, tolerance, pick);
}

static const cab_pick_tolerance none = {0, 0};

/* Along x from 0 to 1 at z = 0 (cable 7), across it above at z = 1 (cable 8). */
static const float cross_rows[4][4] = {{0, 0, 0}, {1, 0, 0}, {0.5f, -1, 1}, {0.5f, 1, 1}};

static cab_geometry cross_of(cab_strand strands[2], float radius)
{
    strands[0] = strand_of(0, radius, 7);
    strands[1] = strand_of(2, radius, 8);
    return (cab_geometry){.strands = strands, .strand_count = 2};
}

static void it_enters_sides_ends_and_what_comes_first(void **state)
{
    (void)state;
    cab_strand strands[2];
    cab_geometry g = cross_of(strands, 0.1f);
    cab_pick pick;
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.2, 0, 5}, (cab_vec3){0.2, 0, 0}, none, &pick));
    assert_int_equal(pick.cable, 7);
    assert_int_equal(pick.strand, 0);
    assert_int_equal(pick.triangle, -1);
    assert_int_equal(pick.node, 0);
    near_to(pick.part, 0.2, 1e-6);
    near_to(pick.distance, 4.9, 1e-6); /* some units in the last place of 5 */
    near_to(pick.point[2], 0.1, 1e-6);
    /* beside the middle: sqrt(r^2 - 0.06^2) = 0.08 high */
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.8, 0.06, 5}, (cab_vec3){0.8, 0.06, 0}, none, &pick));
    assert_int_equal(pick.node, 1);
    near_to(pick.distance, 4.92, 1e-6);
    /* both: the upper one comes first; from below the other */
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.5, 0, 5}, (cab_vec3){0.5, 0, 0}, none, &pick));
    assert_int_equal(pick.cable, 8);
    near_to(pick.distance, 3.9, 1e-6);
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.5, 0, -5}, (cab_vec3){0.5, 0, 0}, none, &pick));
    assert_int_equal(pick.cable, 7);
    /* end on, from either side; slanting into an end's sphere */
    assert_true(shoot(&g, cross_rows, (cab_vec3){-3, 0, 0}, (cab_vec3){0, 0, 0}, none, &pick));
    near_to(pick.distance, 2.9, 1e-6);
    assert_int_equal(pick.node, 0);
    assert_true(shoot(&g, cross_rows, (cab_vec3){3, 0.06, 0}, (cab_vec3){0, 0.06, 0}, none, &pick));
    near_to(pick.distance, 1.92, 1e-6);
    assert_int_equal(pick.node, 1);
    assert_true(shoot(&g, cross_rows, (cab_vec3){-1, -1, 0}, (cab_vec3){0, 0, 0}, none, &pick));
    near_to(pick.distance, sqrt(2) - 0.1, 1e-6);
    /* from the inside; beside; behind; the direction's length does not matter */
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.2, 0, 0}, (cab_vec3){0.2, 0, 5}, none, &pick));
    near_to(pick.distance, 0, 0);
    assert_false(shoot(&g, cross_rows, (cab_vec3){0.2, 0.11, 5}, (cab_vec3){0.2, 0.11, 0}, none, &pick));
    assert_false(shoot(&g, cross_rows, (cab_vec3){1.11, 0, 5}, (cab_vec3){1.11, 0, 0}, none, &pick));
    assert_false(shoot(&g, cross_rows, (cab_vec3){0.2, 0, 5}, (cab_vec3){0.2, 0, 9}, none, &pick));
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.2, 0, 5}, (cab_vec3){0.2, 0, -1e4}, none, &pick));
    near_to(pick.distance, 4.9, 1e-5);
}

/* A pixel or two beside a thin cable; what is under the mouse wins, else what is nearest to it on the
 * picture.
 */
static void thin_cables_are_hit_within_the_tolerance(void **state)
{
    (void)state;
    cab_strand strands[2];
    cab_geometry g = cross_of(strands, 0.001f);
    cab_pick pick;
    const cab_pick_tolerance spread = {0, 0.01f}, width = {0.05f, 0};
    cab_vec3 eye = {0.2, 0, 5};
    /* at 5 m it is 0.05 m wide to each side; along the ray */
    assert_true(shoot(&g, cross_rows, eye, (cab_vec3){0.2, 0.04, 0}, spread, &pick));
    assert_int_equal(pick.cable, 7);
    near_to(pick.point[1], 0, 0); /* on the middle line */
    near_to(pick.distance, 5, 1e-3);
    assert_false(shoot(&g, cross_rows, eye, (cab_vec3){0.2, 0.06, 0}, spread, &pick));
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.2, 0.04, 50}, (cab_vec3){0.2, 0.04, 0}, width, &pick));
    assert_false(shoot(&g, cross_rows, (cab_vec3){0.2, 0.06, 50}, (cab_vec3){0.2, 0.06, 0}, width, &pick));
    /* beside the upper one, through the lower one: that */
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.52, 0, 5}, (cab_vec3){0.52, 0, 0}, width, &pick));
    assert_int_equal(pick.cable, 7);
    near_to(pick.distance, 4.999, 2e-5); /* floats at 5 m, for a radius of 1 mm */
    /* 0.02 beside the upper, 0.03 beside the lower one, which is nearer to it on the picture: the upper */
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.52, 0.03, 5}, (cab_vec3){0.52, 0.03, 0}, width, &pick));
    assert_int_equal(pick.cable, 8);
    assert_true(shoot(&g, cross_rows, (cab_vec3){0.53, 0.02, 5}, (cab_vec3){0.53, 0.02, 0}, width, &pick));
    assert_int_equal(pick.cable, 7);
}

/* A sheet of two triangles, and a stick of another, as cab_geometry_make() has them. */
static void sheets_are_hit_on_faces_and_threads(void **state)
{
    (void)state;
    static const float rows[6][4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {3, 0, 0}, {3, 1, 0}};
    cab_strand stick = strand_of(4, 0.05f, UINT32_MAX);
    cab_triangle_nodes triangles[2] = {{.node = {0, 1, 2}, .sheet = 0}, {.node = {0, 2, 3}, .sheet = 0}};
    cab_geometry g = {&stick, triangles, 1, 2};
    const struct {
        double x, y;
        int triangle, node;
    } cases[] = {{0.7, 0.1, 0, 1}, {0.9, 0.8, 0, 2}, {0.2, 0.1, 0, 0}, {0.1, 0.9, 1, 3}};
    cab_pick pick;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < COUNT_OF(cases); i++) {
            cab_vec3 to = {cases[i].x, cases[i].y, 0}, from = {to.x, to.y, 2 * side};
            assert_true(shoot(&g, rows, from, to, none, &pick));
            assert_int_equal(pick.triangle, cases[i].triangle);
            assert_int_equal(pick.node, cases[i].node);
            assert_int_equal(pick.cable, -1);
            near_to(pick.distance, 2, 1e-6);
        }
    }
    assert_true(shoot(&g, rows, (cab_vec3){3.02, 0.8, 2}, (cab_vec3){3.02, 0.8, 0}, none, &pick));
    assert_int_equal(pick.strand, 0);
    assert_int_equal(pick.cable, -1);
    assert_int_equal(pick.node, 5);
    assert_false(shoot(&g, rows, (cab_vec3){1.5, 0.5, 2}, (cab_vec3){1.5, 0.5, 0}, none, &pick));
    assert_false(shoot(&g, rows, (cab_vec3){0.5, 0.5, 2}, (cab_vec3){0.5, 0.5, 3}, none, &pick));
    cab_geometry nothing = {0};
    assert_false(shoot(&nothing, rows, (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0}, none, &pick));
}

/* What has no length, or is not finite, is not hit, and does not hide what is. */
static void odd_rows_do_no_harm(void **state)
{
    (void)state;
    static const float rows[6][4] = {{0, 0, 0}, {0, 0, 0}, {NAN, 0, 0}, {1, 0, 0}, {-1, 0, -1}, {1, 0, -1}};
    cab_strand strands[3] = {strand_of(2, 0.1f, 1), strand_of(0, 0.1f, 0), strand_of(4, 0.1f, 2)};
    cab_triangle_nodes flat = {.node = {0, 1, 3}, .sheet = 0};
    cab_geometry g = {strands, &flat, 3, 1};
    cab_pick pick;
    assert_true(shoot(&g, rows, (cab_vec3){0, 0, 5}, (cab_vec3){0, 0, 0}, none, &pick));
    assert_int_equal(pick.cable, 0); /* a ball */
    near_to(pick.distance, 4.9, 1e-6);
    assert_true(shoot(&g, rows, (cab_vec3){0.9, 0, 5}, (cab_vec3){0.9, 0, 0}, none, &pick));
    assert_int_equal(pick.cable, 2);
}

/* 4,096 cables of 64 nodes: the middle of each segment is found from straight above. */
static void large_scenes_are_quick(void **state)
{
    (void)state;
    enum { SIDE = 64, NODES = SIDE * SIDE * 64 };
    float(*rows)[4] = calloc(NODES, sizeof *rows);
    cab_strand *strands = calloc(NODES, sizeof *strands);
    assert_true(rows && strands);
    cab_geometry g = {.strands = strands};
    for (int i = 0; i < NODES; i++) {
        int cable = i / 64, node = i % 64;
        rows[i][0] = 0.05f * (float)(cable % SIDE) + 0.0005f * (float)node;
        rows[i][1] = 0.05f * (float)(cable / SIDE);
        rows[i][2] = 0.01f * (float)node;
        if (node < 63) strands[g.strand_count++] = strand_of(i, 0.003f, (uint32_t)cable);
    }
    cab_pick pick;
    clock_t start = clock();
    for (int i = 0; i < 20; i++) {
        int cable = 200 * i + 17;
        double y = 0.05 * (cable / SIDE), x = 0.05 * (cable % SIDE);
        assert_true(shoot(&g, rows, (cab_vec3){x + 0.0157, y, 5}, (cab_vec3){x + 0.0157, y, 0}, none, &pick));
        assert_int_equal(pick.cable, cable);
    }
    print_message("%.2f ms a ray, %d strands\n", 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC / 20,
                  g.strand_count);
    free(rows);
    free(strands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_enters_sides_ends_and_what_comes_first),
        cmocka_unit_test(thin_cables_are_hit_within_the_tolerance),
        cmocka_unit_test(sheets_are_hit_on_faces_and_threads),
        cmocka_unit_test(odd_rows_do_no_harm),
        cmocka_unit_test(large_scenes_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

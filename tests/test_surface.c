/* Surfaces of colliders, bodies and marks, before OpenGL sees them: closed, with normals that are right. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cube.h"
#include "worlds.h"

#include <cglm/cglm.h>

#include "view/shapes/surface.h"

static cab_error error;

/* Of a closed surface whose triangles go round counter-clockwise, m^3. */
static double volume_of(const cab_surface *s)
{
    double sum = 0;
    for (int i = 0; i < s->index_count; i += 3) {
        vec3 cross;
        float *a = s->vertices[s->indices[i]].place, *b = s->vertices[s->indices[i + 1]].place;
        glm_vec3_cross(b, s->vertices[s->indices[i + 2]].place, cross);
        sum += (double)glm_vec3_dot(a, cross) / 6;
    }
    return sum;
}

static void unit_normals(const cab_surface *s)
{
    for (int i = 0; i < s->vertex_count; i++) near_to(glm_vec3_norm(s->vertices[i].normal), 1, 1e-5);
}

static void test_ball(void **state)
{
    (void)state;
    cab_surface s = {0};
    must(cab_surface_add_ball(&s, 0.5f, 64, &error), &error);
    unit_normals(&s);
    /* what is cut off between 64 sides and 32 rings: (2 pi / 64)^2 / 6 of each, doubled for safety */
    near_to(volume_of(&s), 4 * M_PI / 3 * 0.125, 0.0065 * 4 * M_PI / 3 * 0.125);
    for (int i = 0; i < s.vertex_count; i++)
        near_to(glm_vec3_dot(s.vertices[i].place, s.vertices[i].normal), 0.5, 1e-5);
    cab_surface_free(&s);
}

static void test_capsule_lies_between_its_ends(void **state)
{
    (void)state;
    cab_surface s = {0};
    const vec3 to = {1, -2, 2};
    must(cab_surface_add_capsule(&s, to, 0.5f, 64, &error), &error);
    unit_normals(&s);
    double expected = 3 * M_PI * 0.25 + 4 * M_PI / 3 * 0.125;
    near_to(volume_of(&s), expected, 0.0065 * expected); /* as the ball */
    for (int i = 0; i < s.vertex_count; i++) { /* every point is 0.5 m from the line from end to end */
        float t = glm_clamp(glm_vec3_dot(s.vertices[i].place, (float *)to) / 9, 0, 1);
        vec3 nearest;
        glm_vec3_scale((float *)to, t, nearest);
        near_to(glm_vec3_distance(nearest, s.vertices[i].place), 0.5, 1e-5);
    }
    cab_surface_free(&s);
}

static void test_cylinder_has_flat_ends(void **state)
{
    (void)state;
    cab_surface s = {0};
    const vec3 to = {1, -2, 2};
    must(cab_surface_add_cylinder(&s, to, 0.5f, 0, 64, &error), &error);
    unit_normals(&s);
    near_to(volume_of(&s), 3 * M_PI * 0.25,
            0.0033 * 3 * M_PI * 0.25); /* 64 sides: (2 pi / 64)^2 / 6, doubled */
    cab_surface_free(&s);
    must(cab_surface_add_cylinder(&s, to, 0.5f, 0.05f, 64, &error), &error);
    unit_normals(&s);
    for (int i = 0; i < s.vertex_count;
         i++) { /* no point is beyond either end, or further than 0.5 m from the axis */
        float along = glm_vec3_dot(s.vertices[i].place, (float *)to) / 9;
        vec3 nearest;
        glm_vec3_scale((float *)to, along, nearest);
        at_most(-along, 1e-6);
        at_most(along, 1 + 1e-6);
        at_most(glm_vec3_distance(nearest, s.vertices[i].place), 0.5 + 1e-5); /* floats, as of the capsule */
    }
    /* an edge loses a triangle of b^2/2 that goes round at r - b/3 (Pappus) */
    double lost = 2 * 0.05 * 0.05 / 2 * 2 * M_PI * (0.5 - 0.05 / 3);
    near_to(volume_of(&s), 3 * M_PI * 0.25 - lost, 0.0033 * 3 * M_PI * 0.25);
    cab_surface_free(&s);
}

static void test_box_is_closed_and_bevelled(void **state)
{
    (void)state;
    cab_surface s = {0};
    must(cab_surface_add_box(&s, (vec3){1, 2, 3}, 0, &error), &error);
    near_to(volume_of(&s), 48, 1e-4);
    cab_surface_free(&s);
    must(cab_surface_add_box(&s, (vec3){1, 2, 3}, 0.1f, &error), &error);
    unit_normals(&s);
    /* an edge loses b^2/2 of its section; at a corner what its three edges lose more than once: 2 b^3 / 3 */
    near_to(volume_of(&s), 48 - 0.005 * 4 * (2 + 4 + 6) + 8 * 2e-3 / 3, 1e-4);
    cab_surface_free(&s);
}

static void test_cube_keeps_its_edges(void **state)
{
    (void)state;
    cab_surface s = {0};
    cab_mesh mesh = repeated(cube, cube_triangles, 12);
    must(cab_surface_add_mesh(&s, &mesh, 2, 0.6, &error), &error);
    assert_int_equal(s.vertex_count,
                     24); /* each corner once for each of its faces, whatever their diagonals */
    near_to(volume_of(&s), 8, 1e-5);
    for (int i = 0; i < s.index_count; i++) { /* normals are those of the faces */
        const float *n = s.vertices[s.indices[i]].normal;
        near_to(fabs((double)n[0]) + fabs((double)n[1]) + fabs((double)n[2]), 1, 1e-6);
    }
    cab_surface_free(&s);
    must(cab_surface_add_mesh(&s, &mesh, 2, 1.6, &error), &error); /* a right angle counts as smooth */
    assert_int_equal(s.vertex_count, 8);
    for (int i = 0; i < 8;
         i++) { /* by angle, the diagonals do not matter: all corners look out along theirs */
        for (int k = 0; k < 3; k++) near_to(fabs((double)s.vertices[i].normal[k]), sqrt(1.0 / 3), 1e-5);
    }
    cab_surface_free(&s);
    cab_mesh_free(&mesh);
}

/* A prism of n sides: round where its sides meet at less than the crease, with edges at its ends. */
static void test_prism_is_round_if_it_has_sides_enough(void **state)
{
    (void)state;
    enum { MOST = 24 };
    for (int n = 6; n <= MOST; n += MOST - 6) {
        cab_vec3 vertices[2 * MOST];
        int triangles[6 * MOST];
        for (int i = 0; i < n; i++) {
            double angle = 2 * M_PI * i / n;
            int j = (i + 1) % n;
            vertices[2 * i] = (cab_vec3){cos(angle), sin(angle), 0};
            vertices[2 * i + 1] = (cab_vec3){cos(angle), sin(angle), 1};
            const int two[6] = {2 * i, 2 * j, 2 * j + 1, 2 * i, 2 * j + 1, 2 * i + 1};
            memcpy(triangles + 6 * i, two, sizeof two);
        }
        cab_mesh mesh = repeated(vertices, triangles, 2 * n);
        cab_surface s = {0};
        must(cab_surface_add_mesh(&s, &mesh, 1, 0.6, &error), &error);
        assert_int_equal(s.vertex_count, n == MOST ? 2 * n : 4 * n);
        for (int i = 0; n == MOST && i < s.vertex_count;
             i++) /* along the radius: the sum is symmetric, floats */
            near_to(glm_vec3_dot(s.vertices[i].place, s.vertices[i].normal), 1, 1e-5);
        cab_surface_free(&s);
        cab_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_capsule_lies_between_its_ends),
        cmocka_unit_test(test_cylinder_has_flat_ends),
        cmocka_unit_test(test_box_is_closed_and_bevelled),
        cmocka_unit_test(test_cube_keeps_its_edges),
        cmocka_unit_test(test_prism_is_round_if_it_has_sides_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sheets as models: particles, links and masses of rectangles and of meshes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sheets.h"

static cab_model *model_of(const cab_scene *scene)
{
    cab_error error = {0};
    cab_model *model = NULL;
    must(cab_model_create(scene, NULL, NULL, &model, &error), &error);
    return model;
}

static cab_model *model_from(const char *text)
{
    cab_error error = {0};
    cab_scene *scene;
    must(parse(text, &scene, &error), &error);
    cab_model *model = model_of(scene);
    cab_scene_destroy(scene);
    return model;
}

static double total_mass(const cab_model *m)
{
    double sum = 0;
    for (int i = 0; i < m->particle_count; i++) sum += m->mass[i];
    return sum;
}

/* ---- the model ---- */

static void rectangles_have_rows_columns_and_diagonals(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int links, colours;
    } kinds[] = {
        {SHEET(RECTANGLE) "}", 5 * 4 + 6 * 3, 4},
        {SHEET(RECTANGLE ", \"diagonals\": \"one\"") "}", 5 * 4 + 6 * 3 + 5 * 3, 6},
        {SHEET(RECTANGLE ", \"diagonals\": \"both\"") "}", 5 * 4 + 6 * 3 + 2 * 5 * 3, 8},
    };
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        cab_model *m = model_from(kinds[k].text);
        assert_int_equal(m->particle_count, 24);
        assert_int_equal(m->segment_count, kinds[k].links);
        assert_int_equal(m->distance_count, kinds[k].links);
        assert_int_equal(m->distance_colour_count, kinds[k].colours);
        assert_int_equal(m->cell_count, 15);
        for (int i = 0; i < m->distance_count; i++) {
            cab_vec3 a = m->place[m->distance[i].a], b = m->place[m->distance[i].b];
            near_to(m->distance[i].rest, hypot(a.x - b.x, a.y - b.y), 1e-7); /* a float's share of 0.3 */
        }
        cab_model_destroy(m);
    }
}

static void double_distances_are_second_neighbours(void **state)
{
    (void)state;
    cab_model *m =
        model_from(SHEET(RECTANGLE) ", \"method\": {\"name\": \"xpbd\", \"double_distance\": true}}");
    assert_int_equal(m->segment_count, 38);
    assert_int_equal(m->distance_count - m->segment_count, 4 * 4 + 6 * 2);
    cab_model_destroy(m);
}

/* A net weighs its threads, a cloth its area: a corner gets a quarter of a cell, as exactly as doubles add.
 */
static void masses_are_of_threads_or_of_area(void **state)
{
    (void)state;
    cab_model *threads = model_from(SHEET(RECTANGLE) "}");
    near_to(total_mass(threads), 0.05 * (4 * 1 + 6 * 0.6), 1e-12);
    near_to(threads->mass[0], 0.05 * (0.2 + 0.2) / 2, 1e-12);
    cab_model_destroy(threads);
    cab_model *area = model_from(SHEET(RECTANGLE ", \"diagonals\": \"both\", \"area_density\": 0.3") "}");
    near_to(total_mass(area), 0.3 * 0.6, 1e-12);
    near_to(area->mass[0], 0.3 * 0.2 * 0.2 / 4, 1e-12);
    near_to(area->mass[7], 0.3 * 0.2 * 0.2, 1e-12);
    cab_model_destroy(area);
}

static cab_scene *obj_scene(const char *obj, const char *more)
{
    char text[1024];
    cab_error error = {0};
    cab_scene *scene;
    char *path = write_obj(obj);
    snprintf(text, sizeof text, SHEET("\"name\": \"s\", \"material\": \"wire\", \"file\": \"%s\"") "%s}",
             path, more);
    cab_status status = parse(text, &scene, &error);
    unlink(path);
    must(status, &error);
    return scene;
}

#define DOUBLES ", \"method\": {\"name\": \"xpbd\", \"double_distance\": true}"

/* Two triangles share an edge: five links, and one between their far corners. */
static void faces_share_edges(void **state)
{
    (void)state;
    cab_scene *scene = obj_scene("# two triangles\nv 0 0 0\nv 1 0 0 1\nv 1 1 0\n  v 0 1 0\nvt 0 0\n"
                                 "f 1/1 2//1 3/1/1\nf -4 3 -1\n",
                                 DOUBLES);
    cab_model *m = model_of(scene);
    assert_int_equal(m->segment_count, 5);
    assert_int_equal(m->distance_count, 6);
    const cab_edge *far = &m->edge[5];
    assert_true(far->a == 1 && far->b == 3);
    near_to(far->rest, sqrt(2), 1e-15);
    assert_int_equal(m->cell[1].node[3], -1);
    near_to(m->cell[0].area, 0.5, 1e-15);
    cab_model_destroy(m);
    cab_scene_destroy(scene);
}

/* A cloth of triangles weighs its area, too: a corner has a third of each triangle there. */
static void triangles_weigh_their_area(void **state)
{
    (void)state;
    cab_scene *scene = obj_scene("v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nf 1 2 3\nf 1 3 4\n", "");
    scene->sheets[0].area_density = 0.4;
    cab_model *m = model_of(scene);
    near_to(total_mass(m), 0.4 * 6, 1e-12);
    near_to(m->mass[0], 0.4 * 6 / 3, 1e-12);
    near_to(m->mass[1], 0.4 * 3 / 3, 1e-12);
    cab_model_destroy(m);
    cab_scene_destroy(scene);
}

static int by_nodes(const void *x, const void *y)
{
    const cab_edge *a = x, *b = y;
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

/* A rectangle by its faces in a file has the same links as by its count. */
static void a_grid_of_faces_is_a_rectangle(void **state)
{
    (void)state;
    char obj[4096];
    int used = 0;
    for (int p = 0; p < 24; p++)
        used += snprintf(obj + used, sizeof obj - (size_t)used, "v %g %g 1\n", p % 6 * 0.2, p / 6 * 0.2);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 5; i++) {
            int p = 1 + i + 6 * j;
            used +=
                snprintf(obj + used, sizeof obj - (size_t)used, "f %d %d %d %d\n", p, p + 1, p + 7, p + 6);
        }
    }
    cab_scene *scene = obj_scene(obj, DOUBLES);
    cab_model *file = model_of(scene), *count = model_from(SHEET(RECTANGLE) DOUBLES "}");
    assert_int_equal(file->segment_count, count->segment_count);
    assert_int_equal(file->distance_count, count->distance_count);
    cab_model *both[2] = {file, count};
    for (int k = 0; k < 2; k++) {
        int n = both[k]->segment_count;
        qsort(both[k]->edge, (size_t)n, sizeof *both[k]->edge, by_nodes);
        qsort(both[k]->edge + n, (size_t)(both[k]->distance_count - n), sizeof *both[k]->edge, by_nodes);
    }
    for (int i = 0; i < count->distance_count; i++) {
        assert_int_equal(file->edge[i].a, count->edge[i].a);
        assert_int_equal(file->edge[i].b, count->edge[i].b);
        near_to(file->edge[i].rest, count->edge[i].rest, 1e-12);
    }
    cab_model_destroy(file);
    cab_model_destroy(count);
    cab_scene_destroy(scene);
}

static void lines_are_sticks(void **state)
{
    (void)state;
    cab_scene *scene = obj_scene("v 0 0 0\nv 0 0 1\nv 0 0 2\nl 1 2 3\nl 1 3\n", "");
    cab_model *m = model_of(scene);
    assert_int_equal(m->segment_count, 3);
    assert_int_equal(m->cell_count, 3);
    near_to(total_mass(m), 0.05 * 4, 1e-12);
    cab_model_destroy(m);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_have_rows_columns_and_diagonals),
        cmocka_unit_test(double_distances_are_second_neighbours),
        cmocka_unit_test(masses_are_of_threads_or_of_area),
        cmocka_unit_test(triangles_weigh_their_area),
        cmocka_unit_test(faces_share_edges),
        cmocka_unit_test(a_grid_of_faces_is_a_rectangle),
        cmocka_unit_test(lines_are_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

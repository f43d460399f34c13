/* Writers: what is in the files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output.h"

static void csv_has_nine_digits_and_quotes(void **state)
{
    (void)state;
    cab_world world = {.frame = 0};
    cab_error error;
    assert_int_equal(write_once("last.csv", &world, &error), CAB_OK);
    size_t size;
    char *text = slurp("last.csv", &size);
    assert_string_equal(text, "cable,particle,x,y,z,vx,vy,vz,tension\n"
                              "a,0,0,0.333333333,-2.5e-07,0,-1,-2,10\n"
                              "a,1,3,4,5,-3,-4,-5,11\n"
                              "a,2,6,7,8,-6,-7,-8,0\n"
                              "\"b \"\"x\"\"[0,1,0]\",0,9,10,11,-9,-10,-11,13\n"
                              "\"b \"\"x\"\"[0,1,0]\",1,12,13,14,-12,-13,-14,0\n");
    free(text);
    assert_int_equal(empty_folder(), 1);
}

/* The raw block that belongs to an array of this name. */
static const char *find_block(const char *text, size_t size, const char *name, uint64_t *bytes)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
    const char *array = strstr(text, wanted);
    assert_non_null(array);
    unsigned long offset = strtoul(strstr(array, "offset=\"") + strlen("offset=\""), NULL, 10);
    const char *start = strstr(text, "encoding=\"raw\">\n_");
    assert_non_null(start);
    start += strlen("encoding=\"raw\">\n_") + offset;
    memcpy(bytes, start, sizeof *bytes);
    assert_true(start + sizeof *bytes + *bytes <= text + size);
    return start + sizeof *bytes;
}

static void check_reals(const char *text, size_t size, const char *name, const float *expected, int count)
{
    uint64_t bytes;
    const char *block = find_block(text, size, name, &bytes);
    assert_int_equal(bytes, (size_t)count * sizeof *expected);
    assert_memory_equal(block, expected, bytes);
}

static void check_integers(const char *text, size_t size, const char *name, const int32_t *expected,
                           int count)
{
    uint64_t bytes;
    const char *block = find_block(text, size, name, &bytes);
    assert_int_equal(bytes, (size_t)count * sizeof *expected);
    assert_memory_equal(block, expected, bytes);
}

static void vtp_holds_lines_and_values(void **state)
{
    (void)state;
    cab_world world = {.frame = 32};
    cab_error error;
    assert_int_equal(write_once("last.vtp", &world, &error), CAB_OK);
    size_t size;
    char *text = slurp("last.vtp", &size);
    float points[3 * NODES], velocity[3 * NODES];
    for (int i = 0; i < 3 * NODES; i++) {
        points[i] = (float)position_at(&world, i);
        velocity[i] = (float)-i;
    }
    check_reals(text, size, "points", points, 3 * NODES);
    check_reals(text, size, "velocity", velocity, 3 * NODES);
    check_reals(text, size, "tension", (const float[]){10, 11, 0, 13, 0}, NODES);
    check_reals(text, size, "curvature", (const float[]){40, 41, 42, 43, 44}, NODES);
    check_reals(text, size, "contact", (const float[]){20, 21, 22, 23, 24}, NODES);
    check_reals(text, size, "radius", (const float[]){0.25f, 0.25f, 0.25f, 0.5f, 0.5f}, NODES);
    check_integers(text, size, "cable", (const int32_t[]){0, 1}, CABLES);
    check_integers(text, size, "connectivity", (const int32_t[]){0, 1, 2, 3, 4}, NODES);
    check_integers(text, size, "offsets", (const int32_t[]){3, 5}, CABLES);
    assert_non_null(strstr(text, "NumberOfPoints=\"5\""));
    assert_non_null(strstr(text, "NumberOfLines=\"2\""));
    assert_non_null(strstr(text, "format=\"ascii\">0.5<"));
    static const char tail[] = "\n</AppendedData>\n</VTKFile>\n";
    assert_string_equal(text + size - strlen(tail), tail);
    free(text);
    assert_int_equal(empty_folder(), 1);
}

/* Sheets come after the cables: rows; sticks as lines, faces as polygons. */
static void sheets_are_written(void **state)
{
    (void)state;
    cab_world world = {.sheets = true};
    cab_error error;
    size_t size;
    assert_int_equal(write_once("last.csv", &world, &error), CAB_OK);
    char *text = slurp("last.csv", &size);
    assert_non_null(strstr(text, "\na,2,6,7,8,-6,-7,-8,0\ncloth,0,9,10,11,-9,-10,-11,13\n"
                                 "cloth,1,12,13,14,-12,-13,-14,0\n"));
    free(text);
    assert_int_equal(write_once("last.vtp", &world, &error), CAB_OK);
    text = slurp("last.vtp", &size);
    check_reals(text, size, "radius", (const float[]){0.25f, 0.25f, 0.25f, 0.125f, 0.125f}, NODES);
    check_integers(text, size, "cable", (const int32_t[]){0, 1, 1, 1}, 4);
    check_integers(text, size, "connectivity", (const int32_t[]){0, 1, 2, 3, 4}, 5);
    check_integers(text, size, "offsets", (const int32_t[]){3, 5}, 2);
    assert_non_null(strstr(text, "NumberOfLines=\"2\""));
    assert_non_null(strstr(text, "NumberOfPolys=\"2\""));
    const char *polys = strstr(text, "<Polys>");
    const int32_t corners[] = {0, 1, 4, 3, 1, 2, 4}, ends[] = {4, 7};
    assert_non_null(polys);
    uint64_t bytes;
    const char *raw = strstr(text, "encoding=\"raw\">\n_") + strlen("encoding=\"raw\">\n_");
    const char *block = raw + strtoul(strstr(polys, "offset=\"") + strlen("offset=\""), NULL, 10);
    memcpy(&bytes, block, sizeof bytes);
    assert_int_equal(bytes, sizeof corners);
    assert_memory_equal(block + sizeof bytes, corners, sizeof corners);
    block += sizeof bytes + bytes;
    memcpy(&bytes, block, sizeof bytes);
    assert_int_equal(bytes, sizeof ends);
    assert_memory_equal(block + sizeof bytes, ends, sizeof ends);
    free(text);
    assert_int_equal(empty_folder(), 2);
}

static void pvd_lists_its_frames(void **state)
{
    (void)state;
    cab_world world = {0};
    cab_output *output = open_in_folder("a&b.pvd");
    write_frames(output, &world, 3);
    assert_false(is_there("a&b_0000.vtp")); /* no name before the end */
    assert_int_equal(cab_output_close(output, &world, true, NULL), CAB_OK);
    assert_true(is_there("a&b_0000.vtp") && is_there("a&b_0001.vtp") && is_there("a&b_0002.vtp"));
    size_t size;
    char *text = slurp("a&b.pvd", &size);
    assert_non_null(strstr(text, "timestep=\"0\" group=\"\" part=\"0\" file=\"a&amp;b_0000.vtp\""));
    assert_non_null(strstr(text, "timestep=\"0.03125\" group=\"\" part=\"0\" file=\"a&amp;b_0002.vtp\""));
    assert_null(strstr(text, "_0003"));
    free(text);
    text = slurp("a&b_0002.vtp", &size);
    assert_non_null(strstr(text, ">0.03125<"));
    free(text);
    assert_int_equal(empty_folder(), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_has_nine_digits_and_quotes),
        cmocka_unit_test(vtp_holds_lines_and_values),
        cmocka_unit_test(sheets_are_written),
        cmocka_unit_test(pvd_lists_its_frames),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

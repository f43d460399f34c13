/* Sheets that are refused, and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sheets.h"

static void files_are_refused_with_their_line(void **state)
{
    (void)state;
    const struct {
        const char *obj, *part;
    } bad[] = {
        {"v 0 0\n", "line 1: expected a number from -1e+06 to 1e+06, got nothing more"},
        {"v 0 0 0\nv 1 0 0\nf 1 2 3\n", "line 3: expected the index of a point given before, got \"3\""},
        {"v 0 0 0\nv 1 0 0\nf 1 2\n", "line 3: expected a face of at least 3 corners, got nothing more"},
        {"v 0 0 0\nf 1 1 1 1 1\n", "line 2: expected a face of at most 4 corners, got \"1\""},
        {"v 0 0 0\nsurf 0 1 0 1 1\n", "line 2: expected points, polygons and lines, no free-form surfaces"},
        {"v 0 0 0\nl 1 0\n", "line 2: expected the index of a point given before, got \"0\""},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n", "/sheets/0/faces/0/2: expected a point named once"},
        {"", "/sheets/0/points: expected 2 to 10000000 points"},
    };
    for (int i = 0; i < COUNT_OF(bad); i++) {
        char text[1024];
        cab_error error = {0};
        cab_scene *scene;
        char *path = write_obj(bad[i].obj);
        snprintf(text, sizeof text, SHEET("\"name\": \"s\", \"material\": \"wire\", \"file\": \"%s\"") "}",
                 path);
        cab_status status = parse(text, &scene, &error);
        unlink(path);
        must_fail(status, CAB_ERROR_INPUT, &error, bad[i].part);
    }
}

/* What the reader, or at the latest the model, says no to. */
typedef struct refusal {
    const char *text, *part;
    cab_status status;
} refusal;

static void check_refusals(const refusal *bad, int count)
{
    for (int i = 0; i < count; i++) {
        cab_error error = {0};
        cab_scene *scene;
        cab_model *model = NULL;
        cab_status status = parse(bad[i].text, &scene, &error);
        if (status == CAB_OK) status = cab_model_create(scene, NULL, NULL, &model, &error);
        if (status != bad[i].status) fail_msg("%d: %s", i, bad[i].part);
        must_fail(status, bad[i].status, &error, bad[i].part);
        cab_scene_destroy(scene);
    }
}

static void bad_sheets_are_refused(void **state)
{
    (void)state;
    const refusal bad[] = {
        {HEAD "\"sheets\": []}", "/cables: expected an array of at least one cable", CAB_ERROR_INPUT},
        {SHEET("\"name\": \"s\", \"material\": \"wier\", \"corner\": [0, 0, 0], \"along\": [1, 0, 0], "
               "\"across\": [0, 1, 0], \"count\": [2, 2]") "}",
         "/sheets/0/material: expected the name of a material, got \"wier\"", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE ", \"sticks\": [[0, 1]]") "}", "/sheets/0", CAB_ERROR_INPUT},
        {SHEET("\"name\": \"s\", \"material\": \"wire\", \"corner\": [0, 0, 1], \"along\": [1, 0, 0], "
               "\"across\": [2, 0, 0], \"count\": [6, 4]") "}",
         "/sheets/0/across: expected a direction other than that of along", CAB_ERROR_INPUT},
        {SHEET("\"name\": \"s\", \"material\": \"wire\", \"corner\": [0, 0, 1], \"along\": [1, 0, 0], "
               "\"across\": [0, 1, 0], \"count\": [6, 1]") "}",
         "/sheets/0/count/1: expected an integer from 2 to 1000000", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE ", \"diagonals\": \"three\"") "}", "/sheets/0/diagonals", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE ", \"area_density\": -1") "}", "/sheets/0/area_density", CAB_ERROR_INPUT},
        {SHEET(POINTS ", \"sticks\": []") "}", "/sheets/0/sticks", CAB_ERROR_INPUT},
        {SHEET(POINTS ", \"sticks\": [[0, 1], [1, 3]]") "}", "/sheets/0/sticks/1/1", CAB_ERROR_INPUT},
        {SHEET(POINTS ", \"sticks\": [[0, 1], [1, 1]]") "}",
         "/sheets/0/sticks/1/1: expected a point named once", CAB_ERROR_INPUT},
        {SHEET(POINTS ", \"sticks\": [[0, 1]], \"area_density\": 1") "}",
         "/sheets/0/area_density: expected 0 where there are no faces", CAB_ERROR_INPUT},
        {SHEET(POINTS ", \"sticks\": [[0, 1]]") "}", "/sheets/0: particle 2 has no face and no stick",
         CAB_ERROR_INPUT},
        {SHEET("\"name\": \"s\", \"material\": \"wire\", \"points\": [[0, 0, 1], [0, 0, 1]], "
               "\"sticks\": [[0, 1]]") "}",
         "/sheets/0: particles 0 and 1 are linked and lie at the same place", CAB_ERROR_INPUT},
        {SHEET("\"name\": \"s\", \"material\": \"wire\", \"file\": \"no such file\"") "}",
         "/sheets/0/file: no such file: cannot read it", CAB_ERROR_INPUT},
        {HEAD "\"sheets\": [{" RECTANGLE "}, {" RECTANGLE "}]}",
         "/sheets/1/name: expected a unique name, \"s\" is taken by /sheets/0", CAB_ERROR_INPUT},
        {HEAD "\"cables\": [{\"name\": \"s\", \"material\": \"wire\", \"path\": [[0, 0, 0], [1, 0, 0]]}], "
              "\"sheets\": [{" RECTANGLE "}]}",
         "/sheets/0/name: expected a unique name, \"s\" is taken by /cables/0", CAB_ERROR_INPUT},
        {"{\"clcable\": 1, \"materials\": {\"wire\": {\"radius\": 0.01, \"linear_density\": 0.05, "
         "\"bending_stiffness\": 1}}, \"sheets\": [{" RECTANGLE "}]}",
         "/sheets/0/material: expected one without bending_stiffness", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"method\": \"direct\"}", "the method \"direct\" does not simulate sheets",
         CAB_ERROR_UNSUPPORTED},
    };
    check_refusals(bad, COUNT_OF(bad));
}

static void bad_attachments_and_loads_of_sheets_are_refused(void **state)
{
    (void)state;
    const refusal bad[] = {
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"t\", \"at\": {\"particle\": 0}, "
                          "\"to\": \"here\"}]}",
         "/attachments/0/sheet: no sheet is called \"t\"", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"s\", \"at\": \"start\", \"to\": \"here\"}]}",
         "/attachments/0/at: expected {\"particle\": i} or {\"corner\"", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"s\", \"at\": {\"corner\": [0, 2]}, "
                          "\"to\": \"here\"}]}",
         "/attachments/0/at/corner/1: expected an integer from 0 to 1", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"s\", \"at\": {\"particle\": 24}, "
                          "\"to\": \"here\"}]}",
         "/attachments/0/at/particle: expected an integer from 0 to 23, got 24", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"s\", \"at\": {\"particle\": 0}, "
                          "\"to\": \"here\", \"clamp\": true}]}",
         "/attachments/0/clamp: expected false", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"s\", \"at\": {\"particle\": 0}, "
                          "\"to\": \"here\", \"break_force\": 1}]}",
         "/attachments/0/break_force: expected none", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"attachments\": [{\"sheet\": \"s\", \"at\": {\"particle\": 0}, "
                          "\"to\": \"here\", \"compliance\": 1, \"release_distance\": 1}]}",
         "/attachments/0/release_distance: expected none", CAB_ERROR_INPUT},
        {SHEET(POINTS ", \"sticks\": [[0, 1], [1, 2]]") ", \"attachments\": [{\"sheet\": \"s\", "
                                                        "\"at\": {\"corner\": [0, 0]}, \"to\": \"here\"}]}",
         "/attachments/0/at/corner: expected {\"particle\": i}: only rectangles have corners",
         CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"loads\": [{\"sheet\": \"s\", \"at\": {\"particle\": 0}, "
                          "\"moment\": [1, 0, 0]}]}",
         "/loads/0/moment: expected none on a sheet", CAB_ERROR_INPUT},
        {SHEET(RECTANGLE) ", \"loads\": [{\"sheet\": \"s\", \"cable\": \"a\", \"at\": {\"particle\": 0}}]}",
         "/loads/0", CAB_ERROR_INPUT},
        {HEAD
         "\"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0, 0, 1], [0, 0, 2]]}], "
         "\"sheets\": [{" RECTANGLE "}], \"attachments\": ["
         "{\"cable\": \"a\", \"at\": \"start\", \"to\": {\"sheet\": \"s\", \"at\": {\"corner\": [0, 0]}}, "
         "\"break_force\": 5}]}",
         "/attachments/0/break_force: expected none", CAB_ERROR_INPUT},
    };
    check_refusals(bad, COUNT_OF(bad));
}

/* A joint that can break, where a sheet is sewn on as well. */
static void what_breaks_must_not_carry_a_sheet(void **state)
{
    (void)state;
    const char *text = HEAD
        "\"cables\": [{\"name\": \"a\", \"material\": \"wire\", \"path\": [[0, 0, 1], [0, 0, 2]]}, "
        "{\"name\": \"b\", \"material\": \"wire\", \"path\": [[0, 0, 1], [0, -1, 1]]}], "
        "\"sheets\": [{" RECTANGLE "}], \"attachments\": ["
        "{\"cable\": \"a\", \"at\": \"start\", \"to\": {\"sheet\": \"s\", \"at\": {\"corner\": [0, 0]}}}, "
        "{\"cable\": \"b\", \"at\": \"start\", \"to\": {\"cable\": \"a\", \"at\": \"start\"}, "
        "\"break_force\": 5}]}";
    cab_error error = {0};
    cab_scene *scene;
    cab_model *model = NULL;
    must(parse(text, &scene, &error), &error);
    must_fail(cab_model_create(scene, NULL, NULL, &model, &error), CAB_ERROR_INPUT, &error,
              "/attachments/1/break_force: expected none where a sheet is sewn on");
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_refused_with_their_line),
        cmocka_unit_test(bad_sheets_are_refused),
        cmocka_unit_test(bad_attachments_and_loads_of_sheets_are_refused),
        cmocka_unit_test(what_breaks_must_not_carry_a_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

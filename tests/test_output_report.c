/* The report of a run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output.h"

static json_t *write_report(cab_report *report, cab_world *world)
{
    char path[128];
    in_folder("r.json", path);
    cab_error error = {0};
    if (cab_report_collect(report, world, &error)) fail_msg("%s", error.message);
    if (cab_report_write(report, path, &error)) fail_msg("%s", error.message);
    cab_report_free(report);
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    assert_int_equal(empty_folder(), 1);
    return root;
}

static double number_at(const json_t *root, const char *outer, const char *inner)
{
    const json_t *part = json_object_get(root, outer);
    const json_t *value = inner ? json_object_get(part, inner) : part;
    if (!json_is_number(value)) fail_msg("no number at %s %s", outer, inner ? inner : "");
    return json_number_value(value);
}

static const char *text_at(const json_t *root, const char *key)
{
    const char *text = json_string_value(json_object_get(root, key));
    return text ? text : "(none)";
}

static cab_report plain_report(void)
{
    return (cab_report){.scene = "loom.json",
                        .method = "xpbd",
                        .substeps = 20,
                        .iterations = 1,
                        .wall_total = 5,
                        .wall_setup = 1,
                        .wall_step = 4,
                        .wall_output = 0.5,
                        .status = "ok"};
}

static void report_says_what_was_run(void **state)
{
    (void)state;
    cab_world world = {.frame = 120};
    world.measures = (cab_measures){.stretch_max = 0.5,
                                    .stretch_mean = 0.25,
                                    .stretch_worst = 0.75,
                                    .penetration_max = 0.125,
                                    .penetration_worst = 2,
                                    .kinetic = 3,
                                    .potential = -4,
                                    .contacts = 5,
                                    .contacts_max = 6};
    cab_report report = plain_report();
    report.profiled = true;
    json_t *root = write_report(&report, &world);
    assert_string_equal(text_at(root, "clcable"), cab_version());
    assert_string_equal(text_at(root, "scene"), "loom.json");
    assert_string_equal(text_at(root, "device"), "test device");
    assert_string_equal(text_at(root, "backend"), "native");
    assert_string_equal(text_at(root, "method"), "xpbd");
    assert_string_equal(text_at(root, "way"), "fused");
    assert_string_equal(text_at(root, "status"), "ok");
    assert_true(number_at(root, "cables", NULL) == 2 && number_at(root, "particles", NULL) == 4);
    assert_true(number_at(root, "frames", NULL) == 120 && number_at(root, "substeps", NULL) == 20);
    assert_true(number_at(root, "wall_s", "total") == 5 && number_at(root, "wall_s", "setup") == 1);
    assert_true(number_at(root, "wall_s", "step") == 4 && number_at(root, "wall_s", "output") == 0.5);
    /* 4 particles, 120 frames, 20 substeps, 4 s */
    assert_true(number_at(root, "particle_substeps_per_s", NULL) == 2400);
    assert_true(number_at(root, "stages_s", "distance") == CAB_STAGE_DISTANCE);
    assert_true(number_at(root, "stretch", "max") == 0.5 && number_at(root, "stretch", "mean") == 0.25);
    assert_true(number_at(root, "stretch", "worst_over_run") == 0.75);
    assert_true(number_at(root, "penetration", "max") == 0.125);
    assert_true(number_at(root, "penetration", "worst_over_run") == 2);
    assert_true(number_at(root, "energy", "kinetic") == 3 && number_at(root, "energy", "potential") == -4);
    assert_true(number_at(root, "contacts", "max") == 6 && number_at(root, "iterations", NULL) == 1);
    assert_int_equal(json_array_size(json_object_get(root, "broken_attachments")), 0);
    assert_true(json_is_array(json_object_get(root, "warnings")));
    assert_null(json_object_get(root, "frame"));
    assert_null(json_object_get(root, "sockets"));
    json_decref(root);
}

static void report_of_a_bad_run(void **state)
{
    (void)state;
    cab_world world = {.frame = 3, .broken = 2, .sockets = 1};
    world.measures.stretch_max = NAN;
    world.measures.kinetic = INFINITY;
    static const char *const warnings[] = {"too soft", "not \xff UTF-8"};
    cab_report report = plain_report();
    report.status = "diverged", report.message = "it flew", report.diverged_frame = 4;
    report.diverged_cable = "a", report.warnings = warnings, report.warning_count = 2;
    json_t *root = write_report(&report, &world);
    assert_string_equal(text_at(root, "status"), "diverged");
    assert_string_equal(text_at(root, "message"), "it flew");
    assert_string_equal(text_at(root, "cable"), "a");
    assert_true(number_at(root, "frame", NULL) == 4);
    assert_true(json_is_null(json_object_get(json_object_get(root, "stretch"), "max")));
    assert_true(json_is_null(json_object_get(json_object_get(root, "energy"), "kinetic")));
    assert_int_equal(json_object_size(json_object_get(root, "stages_s")), 0);
    json_t *broken = json_object_get(root, "broken_attachments");
    assert_int_equal(json_array_size(broken), 2);
    assert_true(number_at(json_array_get(broken, 1), "attachment", NULL) == 8);
    assert_string_equal(text_at(json_array_get(broken, 1), "cable"), "b \"x\"[0,1,0]");
    const json_t *event = json_array_get(json_object_get(root, "events"), 1);
    assert_int_equal(json_array_size(json_object_get(root, "events")), 2);
    assert_string_equal(text_at(event, "kind"), "broke");
    assert_string_equal(text_at(event, "cable"), "b \"x\"[0,1,0]");
    assert_true(number_at(event, "frame", NULL) == 3 && number_at(event, "force", NULL) == 20);
    assert_true(json_is_null(json_object_get(event, "text")));
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 2);
    const json_t *socket = json_array_get(json_object_get(root, "sockets"), 0);
    assert_string_equal(text_at(socket, "name"), "X \"1\"");
    assert_string_equal(text_at(socket, "phase"), "mated");
    assert_true(number_at(socket, "frame", NULL) == 5 && number_at(socket, "depth", NULL) == 0.125);
    assert_true(number_at(socket, "force", NULL) == 5 && number_at(socket, "pull", NULL) == 2);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_says_what_was_run),
        cmocka_unit_test(report_of_a_bad_run),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

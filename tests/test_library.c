/* Libraries that are loaded when used (host/library): found by any of their names, or one clear line. The C library's
 * mathematics stands in for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "library/library.h"

typedef struct table {
    double (*sqrt)(double x);
    double (*fabs)(double x);
} table;
static table functions;

static const char *const files[] = {"libclcable-none.so.1", "libm.so.6", NULL};
static const char *const no_files[] = {"libclcable-none.so.1", "libclcable-none.so.2", NULL};
static const cab_library_symbol symbols[] = {
    {"sqrt", offsetof(table, sqrt)}, {"fabs", offsetof(table, fabs)}, {NULL, 0}};
static const cab_library_symbol strange[] = {
    {"sqrt", offsetof(table, sqrt)}, {"cab_none", offsetof(table, fabs)}, {NULL, 0}};

static cab_library any(void)
{
    functions = (table){NULL, NULL};
    return (cab_library){.name = "Math",
                         .package = "libc6 in Debian",
                         .files = files,
                         .symbols = symbols,
                         .table = &functions,
                         .versions = "2 or later"};
}

static bool is_old(char *found, size_t size)
{
    snprintf(found, size, "1.5");
    return false;
}

static void assert_refused(cab_library library, const char *words)
{
    cab_error error = {0};
    assert_int_equal(cab_library_load(&library, "a.out", &error), CAB_ERROR_UNSUPPORTED);
    assert_false(library.loaded);
    if (!strstr(error.message, words)) fail_msg("%s", error.message);
    assert_non_null(strstr(error.message, "install libc6 in Debian"));
}

static void found_by_its_second_name_once(void **state)
{
    (void)state;
    cab_library library = any();
    cab_error error;
    assert_int_equal(cab_library_load(&library, "a.out", &error), CAB_OK);
    assert_true(library.loaded && functions.sqrt(4) == 2 && functions.fabs(-3) == 3);
    library.files = no_files; /* nothing is looked for again */
    assert_int_equal(cab_library_load(&library, "a.out", &error), CAB_OK);
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    cab_library library = any();
    library.files = no_files;
    assert_refused(library, "a.out: needs Math, which is not there (libclcable-none.so.1: ");
}

static void another_library_of_that_name_is_refused(void **state)
{
    (void)state;
    cab_library library = any();
    library.symbols = strange;
    assert_refused(library, "cab_none");
}

static void the_version_is_checked(void **state)
{
    (void)state;
    cab_library library = any();
    library.check = is_old;
    assert_refused(library, "a.out: needs Math 2 or later, found 1.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_by_its_second_name_once),
        cmocka_unit_test(what_is_not_there_is_named),
        cmocka_unit_test(another_library_of_that_name_is_refused),
        cmocka_unit_test(the_version_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

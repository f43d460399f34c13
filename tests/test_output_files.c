/* Writers: files are whole or not there. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "output.h"

static void nothing_is_left_without_commit(void **state)
{
    (void)state;
    static const char *const names[] = {"x.pvd", "x.csv", "x.vtp"};
    for (int i = 0; i < 3; i++) {
        cab_world world = {0};
        put(names[i], "old");
        cab_output *output = open_in_folder(names[i]);
        write_frames(output, &world, 3);
        assert_int_equal(cab_output_close(output, NULL, false, NULL), CAB_OK);
        size_t size;
        char *text = slurp(names[i], &size);
        assert_string_equal(text, "old");
        free(text);
        assert_int_equal(empty_folder(), 1);
    }
    assert_int_equal(cab_output_close(NULL, NULL, false, NULL), CAB_OK);
}

static void nothing_is_left_when_the_device_fails(void **state)
{
    (void)state;
    cab_world world = {.fails = true};
    cab_error error = {0};
    assert_int_equal(write_once("x.csv", &world, &error), CAB_ERROR_DEVICE);
    assert_string_equal(error.message, "no read today");
    assert_int_equal(write_once("x.pvd", &world, &error), CAB_ERROR_DEVICE);
    assert_int_equal(empty_folder(), 0);
}

static void assert_not_opened(const char *path, cab_status status, const char *message)
{
    cab_output *output = NULL;
    cab_error error = {0};
    assert_int_equal(cab_output_open(path, NULL, NULL, &output, &error), status);
    assert_string_equal(error.message, message);
    assert_null(output);
}

static void endings_are_known_unbuilt_or_wrong(void **state)
{
    (void)state;
#if defined CAB_HAVE_HDF5 && defined CAB_HAVE_LIBZIP
#define BUILT ".csv, .vtp, .pvd, .usda, .usd, .obj, .vtkhdf and .npz"
    assert_not_opened("a.json", CAB_ERROR_UNSUPPORTED,
                      "a.json: the format .json is not built yet, built are " BUILT);
    assert_not_opened("a.doc", CAB_ERROR_INPUT, "a.doc: unknown format .doc, built are " BUILT);
    assert_not_opened("a.b/c", CAB_ERROR_INPUT,
                      "a.b/c: expected an ending that tells the format, built are " BUILT);
#endif
#ifndef CAB_HAVE_HDF5
    assert_not_opened("a.VTKHDF", CAB_ERROR_UNSUPPORTED,
                      "a.VTKHDF: this clcable was built without HDF5, which .vtkhdf needs");
#endif
#ifndef CAB_HAVE_LIBZIP
    assert_not_opened("a.npz", CAB_ERROR_UNSUPPORTED,
                      "a.npz: this clcable was built without libzip, which .npz needs");
#endif
}

static void bad_places_are_told_before_the_run(void **state)
{
    (void)state;
    assert_not_opened("/no/such/place/a.csv", CAB_ERROR_IO,
                      "/no/such/place/a.csv: cannot write it: No such file or directory");
    char path[128], message[256];
    in_folder("folder.csv", path);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(message, sizeof message, "%s: cannot write it: Is a directory", path);
    assert_not_opened(path, CAB_ERROR_IO, message);
    rmdir(path);
    in_folder("plain", path);
    put("plain", "");
    strcat(path, "/a.csv");
    snprintf(message, sizeof message, "%s: cannot write it: Not a directory", path);
    assert_not_opened(path, CAB_ERROR_IO, message);
    assert_int_equal(cab_file_check(path, NULL), CAB_ERROR_IO);
    in_folder("report.json", path);
    assert_int_equal(cab_file_check(path, NULL), CAB_OK);
    assert_int_equal(empty_folder(), 1);
}

/* A file may be no longer than `bytes` while `write` runs: as good as a full disk. */
static cab_status with_file_limit(rlim_t bytes, const char *name, cab_world *world, cab_error *error)
{
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = bytes;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    cab_status status = write_once(name, world, error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    return status;
}

static void full_disk_is_one_line_and_keeps_the_old_file(void **state)
{
    (void)state;
    static const char *const names[] = {"x.csv", "x.vtp", "x.pvd"};
    for (int i = 0; i < 3; i++) {
        cab_world world = {0};
        cab_error error = {0};
        put(names[i], "old");
        assert_int_equal(with_file_limit(100, names[i], &world, &error), CAB_ERROR_IO);
        assert_non_null(strstr(error.message, ": cannot write it: File too large"));
        assert_non_null(strstr(error.message, folder));
        size_t size;
        char *text = slurp(names[i], &size);
        assert_string_equal(text, "old");
        free(text);
        assert_int_equal(empty_folder(), 1);
    }
}

static void devices_are_written_straight_and_links_followed(void **state)
{
    (void)state;
    cab_world world = {0};
    cab_error error = {0};
    char path[128], target[128], message[256];
    in_folder("full.csv", path);
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(write_once("full.csv", &world, &error), CAB_ERROR_IO);
    snprintf(message, sizeof message, "%s: cannot write it: No space left on device", path);
    assert_string_equal(error.message, message);
    assert_true(is_there("full.csv"));
    in_folder("link.csv", path);
    in_folder("target", target);
    put("target", "old");
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(write_once("link.csv", &world, &error), CAB_OK);
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    size_t size;
    char *text = slurp("target", &size);
    assert_memory_equal(text, "cable,", 6);
    free(text);
    assert_int_equal(empty_folder(), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_without_commit),
        cmocka_unit_test(nothing_is_left_when_the_device_fails),
        cmocka_unit_test(endings_are_known_unbuilt_or_wrong),
        cmocka_unit_test(bad_places_are_told_before_the_run),
        cmocka_unit_test(full_disk_is_one_line_and_keeps_the_old_file),
        cmocka_unit_test(devices_are_written_straight_and_links_followed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

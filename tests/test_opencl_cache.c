/* The OpenCL backend by itself: the cache of programs. */
#define _GNU_SOURCE /* nftw */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "opencl_fixture.h"

#define ONE(name, bytes) +1

/* Builds one small program and checks the answer; what the log said of it is in f->log. */
static void run_layout(fixture *f)
{
    cab_backend *backend = open_backend(f);
    int out[0 CAB_SHARED_STRUCTS(ONE)] = {0}; /* all that the kernel writes */
    succeed(f, backend->ops->allocate(backend, first_buffer(CAB_KERNEL_layout), sizeof out, &f->error));
    succeed(f, backend->ops->run(backend, CAB_KERNEL_layout, 0, 1, 0, 0, &f->error));
    succeed(f, backend->ops->read(backend, first_buffer(CAB_KERNEL_layout), 0, sizeof out, out, &f->error));
    assert_int_equal(out[0], sizeof(cab_params));
    backend->ops->destroy(backend);
}

/* The path of the only program in the cache. */
static void find_kept(const fixture *f, char path[600])
{
    DIR *folder = opendir(f->cache);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, ".seconds"))
            continue; /* a busy machine's time to compile */
        snprintf(path, 600, "%s/%s", f->cache, entry->d_name);
        count++;
    }
    closedir(folder);
    assert_int_equal(count, 1);
}

static void a_program_is_built_once(void **state)
{
    fixture *f = begin(state);
    char path[600];
    run_layout(f);
    assert_contains(f->log, "layout.cl: built");
    find_kept(f, path);
    run_layout(f);
    assert_contains(f->log, "layout.cl: taken from the cache");
    use_kernel(f, "layout.cl",
               "#include \"types.h\"\n"
               "CAB_KERNEL(layout, global int *layout) { layout[0] = (int)sizeof(cab_params); }");
    run_layout(f);
    assert_contains(f->log, "layout.cl: built"); /* another source, another program */
}

/* In the user's folder. PoCL keeps binaries by itself: there is a note, and the second time nobody is told to wait. */
static void who_waits_is_told_and_only_once(void **state)
{
    fixture *f = begin(state);
    char *before = getenv("CLCABLE_CACHE_DIR"), path[600];
    before = before ? strdup(before) : NULL;
    setenv("CLCABLE_CACHE_DIR", f->cache, 1);
    f->def.cache_dir = NULL;
    run_layout(f);
    const char *begun = strstr(f->log, "[2] 0.0 0.0 ");
    assert_non_null(begun);
    assert_non_null(strstr(begun, "[2] \n"));
    assert_contains(f->log, "layout.cl: built");
    find_kept(f, path);
    f->log[0] = 0;
    run_layout(f);
    assert_null(strstr(f->log, "[2]"));
    assert_null(strstr(f->log, "built"));
    assert_contains(f->log, "cache");
    if (before) setenv("CLCABLE_CACHE_DIR", before, 1);
    if (!before) unsetenv("CLCABLE_CACHE_DIR");
    free(before);
}

/* How long it took is told the next time. */
static void how_long_it_took_is_kept(void **state)
{
    fixture *f = begin(state);
    cab_opencl *opencl = (cab_opencl *)open_backend(f);
    assert_true(cab_opencl_cache_seconds(opencl) == 0);
    opencl->compiled = 0.5; /* too short to be worth it */
    cab_opencl_compile_note(opencl);
    assert_true(cab_opencl_cache_seconds(opencl) == 0);
    opencl->compiled = 12.5;
    cab_opencl_compile_note(opencl);
    assert_true(cab_opencl_cache_seconds(opencl) == 12.5);
    opencl->compiled = 0;
    opencl->base.ops->destroy(&opencl->base);
    run_layout(f);
    assert_contains(f->log, "[2] 12.5 0.0 ");
}

static void no_cache_is_kept_when_none_is_wanted(void **state)
{
    fixture *f = begin(state);
    f->def.cache_dir = "";
    run_layout(f);
    run_layout(f);
    assert_contains(f->log, "layout.cl: built");
}

/* Spoils the kept file, and expects it to be replaced without an error. */
static void spoil(fixture *f, long length, long at, const char *word)
{
    char path[600];
    run_layout(f);
    find_kept(f, path);
    if (at >= 0) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, at, SEEK_SET);
        fputs("spoilt", file);
        fclose(file);
    }
    if (length >= 0) assert_int_equal(truncate(path, length), 0);
    run_layout(f);
    assert_contains(f->log, word);
    assert_contains(f->log, "layout.cl: built");
    assert_null(strstr(f->log, "[0] program"));
    run_layout(f);
    assert_contains(f->log, "layout.cl: taken from the cache");
}

static void a_broken_cache_is_built_again(void **state)
{
    fixture *f = begin(state);
    spoil(f, 0, -1, "is too short");
    spoil(f, 20, -1, "is too short");
    spoil(f, 100, -1, "has the wrong length");
    spoil(f, -1, 0, "is of another kind");
    spoil(f, -1, 18, "has the wrong length");
    spoil(f, -1, 60, "belongs to another program");
    spoil(f, -1, 40 + 3000, "program"); /* in the key or, past it, in the binary */
    char path[600];
    find_kept(f, path);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    spoil(f, -1, (long)status.st_size - 6, "is damaged");
}

static void a_binary_that_the_driver_refuses_is_built_again(void **state)
{
    fixture *f = begin(state);
    cab_backend *backend = open_backend(f);
    if (!strcmp(backend->info.platform, "rusticl")) { /* Mesa 22.3 ends the process */
        backend->ops->destroy(backend);
        skip();
    }
    char *source =
        cab_opencl_source(&(cab_opencl_sources){0}, (const char *const[]){"layout.cl", NULL}, &f->error);
    char *key = cab_opencl_cache_key((cab_opencl *)backend, source);
    cab_opencl_cache_store((cab_opencl *)backend, key, (const unsigned char *)"not a program", 13);
    free(key);
    free(source);
    backend->ops->destroy(backend);
    run_layout(f);
    assert_contains(f->log, "the driver does not take the binary of layout.cl");
    assert_contains(f->log, "layout.cl: built");
    run_layout(f);
    assert_contains(f->log, "layout.cl: taken from the cache");
}

static void a_cache_that_cannot_be_written_is_no_error(void **state)
{
    fixture *f = begin(state);
    char below_a_file[400];
    write_text(f->folder, "file", "");
    snprintf(below_a_file, sizeof below_a_file, "%s/file/cache", f->folder);
    f->def.cache_dir = below_a_file; /* holds for root too, whom permissions do not stop */
    run_layout(f);
    assert_contains(f->log, "[1] program cache");
    assert_contains(f->log, "not kept: Not a directory");
}

static void set_variable(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void check_folder(const char *given, const char *own, const char *xdg, const char *expected)
{
    set_variable("CLCABLE_CACHE_DIR", own);
    set_variable("XDG_CACHE_HOME", xdg);
    char *folder = cab_cache_folder(given);
    if (expected)
        assert_string_equal(folder ? folder : "none", expected);
    else
        assert_null(folder);
    free(folder);
}

static void the_cache_folder_follows_the_environment(void **state)
{
    (void)begin(state);
    const char *names[] = {"CLCABLE_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    char *before[3];
    for (int i = 0; i < 3; i++) before[i] = getenv(names[i]) ? strdup(getenv(names[i])) : NULL;
    set_variable("HOME", "/h");
    check_folder("/g", "/o", "/x", "/g");
    check_folder("", "/o", "/x", NULL);
    check_folder(NULL, "/o", "/x", "/o");
    check_folder(NULL, "", "/x", NULL);
    check_folder(NULL, NULL, "/x", "/x/clcable");
    check_folder(NULL, NULL, "relative", "/h/.cache/clcable"); /* XDG: ignore relative paths */
    check_folder(NULL, NULL, NULL, "/h/.cache/clcable");
    set_variable("HOME", NULL);
    check_folder(NULL, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        set_variable(names[i], before[i]);
        free(before[i]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_program_is_built_once),
        TEST(who_waits_is_told_and_only_once),
        TEST(how_long_it_took_is_kept),
        TEST(no_cache_is_kept_when_none_is_wanted),
        TEST(a_broken_cache_is_built_again),
        TEST(a_binary_that_the_driver_refuses_is_built_again),
        TEST(a_cache_that_cannot_be_written_is_no_error),
        TEST(the_cache_folder_follows_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

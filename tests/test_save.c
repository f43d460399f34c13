/* Scene files written anew. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "io/json_text.h"
#include "worlds.h"

static char folder[] = "/tmp/clcable-save-XXXXXX";
static char inner[64]; /* a folder in it */

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    snprintf(inner, sizeof inner, "%s/inner", folder);
    return mkdir(inner, 0777);
}

/* How many files are in it; removes them. */
static int empty(const char *path)
{
    char name[512];
    int count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        if (e->d_type == DT_DIR) continue;
        count++;
        unlink(name);
    }
    closedir(dir);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    empty(inner);
    empty(folder);
    rmdir(inner);
    return rmdir(folder);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char *slurp(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

static json_t *document_of(const char *path)
{
    json_error_t fault;
    json_t *root = json_load_file(path, 0, &fault);
    if (!root) fail_msg("%s: line %d: %s", path, fault.line, fault.text);
    return root;
}

static const char *scenes(void)
{
    const char *path = getenv("CLCABLE_SCENES");
    return path ? path : "scenes";
}

static void assert_lines(const char *path)
{
    char *text = slurp(path), *line = text;
    for (char *end = strchr(line, '\n'); end; line = end + 1, end = strchr(line, '\n')) {
        if (end - line > 110)
            fail_msg("%s: %d columns: %.*s", path, (int)(end - line), (int)(end - line), line);
        if (end > line && end[-1] == ' ')
            fail_msg("%s: a space at the end: %.*s", path, (int)(end - line), line);
        assert_null(memchr(line, '\t', (size_t)(end - line)));
    }
    assert_int_equal(*line, 0);
    free(text);
}

/* Saved beside, saved again: the same values with all keys in their order, the same text the second time. In
 * another folder: the same world, to the last bit of where everything is. */
static void every_scene_reads_back_as_it_was(void **state)
{
    (void)state;
    int count = 0;
    DIR *dir = opendir(scenes());
    assert_non_null(dir);
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        char in[1024], out[1024], again[1024];
        cab_error error = {0};
        size_t length = strlen(e->d_name);
        if (length < 5 || strcmp(e->d_name + length - 5, ".json") || strstr(e->d_name, "schema")) continue;
        snprintf(in, sizeof in, "%s/%s", scenes(), e->d_name);
        snprintf(out, sizeof out, "%s/out.json", inner);
        snprintf(again, sizeof again, "%s/again.json", folder);
        must(cab_scene_save(in, NULL, 0, out, &error), &error);
        must(cab_scene_save(out, NULL, 0, again, &error), &error);
        must(cab_scene_save(out, NULL, 0, out, &error), &error);
        assert_lines(out);
        cab_scene *before, *after;
        must(cab_scene_load(in, NULL, 0, &before, &error), &error);
        must(cab_scene_load(again, NULL, 0, &after, &error), &error);
        if (!getenv("CLCABLE_SANITIZED")) { /* making worlds is the business of others there */
            cab_world *a = native_world(before), *b = native_world(after);
            same_motion(a, b, e->d_name);
            cab_world_destroy(a);
            cab_world_destroy(b);
        }
        cab_scene_destroy(before);
        cab_scene_destroy(after);

        json_t *old = document_of(in), *new = document_of(out), *item;
        size_t i;
        json_object_del(old, "$schema");
        json_object_del(new, "$schema");
        json_array_foreach(json_object_get(old, "colliders"), i, item)
        {
            json_t *moved = json_array_get(json_object_get(new, "colliders"), i);
            if (json_object_get(item, "file")) json_object_set(moved, "file", json_object_get(item, "file"));
        }
        if (!json_equal(old, new)) fail_msg("%s: other values", in);
        char *first = json_dumps(old, 0), *second = json_dumps(new, 0); /* keys in their order */
        assert_string_equal(first, second);
        free(first);
        free(second);
        json_decref(old);
        json_decref(new);
        count++;
    }
    closedir(dir);
    assert_true(count > 30);
    empty(inner);
    empty(folder);
}

static const char small[] =
    "{\"clcable\": 1, \"materials\": {\"wire\": {\"radius\": 0.003, \"linear_density\": 5e-2}},\n"
    "\"cables\": [{\"path\": [[0,0,1],[0.1,0.30000000000000004,1],[1,0,1.0],[1,1,2]], \"name\": \"a\","
    "\"material\": \"wire\", \"segments\": 12}]}";

/* A control point is moved: that changes and nothing else. */
static void an_edit_changes_what_it_names(void **state)
{
    (void)state;
    char in[128], out[128];
    cab_error error = {0};
    snprintf(in, sizeof in, "%s/in.json", folder);
    snprintf(out, sizeof out, "%s/out.json", folder);
    put(in, small);
    const char *edits[] = {"/cables/0/path/1=[0.1, 0.25, 1.5]", "/materials/wire/friction=0.1"};
    must(cab_scene_save(in, edits, 2, out, &error), &error);
    char *text = slurp(out);
    assert_string_equal(
        text, "{\n"
              "  \"clcable\": 1,\n"
              "  \"materials\": {\n"
              "    \"wire\": { \"radius\": 0.003, \"linear_density\": 0.05, \"friction\": 0.1 }\n"
              "  },\n"
              "  \"cables\": [\n"
              "    { \"path\": [[0, 0, 1], [0.1, 0.25, 1.5], [1, 0, 1.0], [1, 1, 2]], \"name\": \"a\", "
              "\"material\": \"wire\",\n"
              "      \"segments\": 12 }\n"
              "  ]\n"
              "}\n");
    free(text);
    /* onto itself; the number that needs 17 digits has them */
    must(cab_scene_save(in, edits + 1, 1, in, &error), &error);
    text = slurp(in);
    assert_non_null(strstr(text, "[0.1, 0.30000000000000004, 1]"));
    free(text);
    assert_int_equal(empty(folder), 2);
}

/* Number and layout, by themselves. */
static void numbers_are_short_and_exact(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"1e-4", "1e-4"},
        {"0.00015", "1.5e-4"},
        {"0.001", "0.001"},
        {"0.0125", "0.0125"},
        {"1.0", "1.0"},
        {"100.0", "100.0"},
        {"0.1", "0.1"},
        {"-2.50", "-2.5"},
        {"-0.0", "-0.0"},
        {"1234567.0", "1234567.0"},
        {"1e30", "1e30"},
        {"1.25e7", "1.25e7"},
        {"0.1e1", "1.0"},
        {"12345.678", "12345.678"},
        {"4.9406564584124654e-324", "5e-324"},
        {"1.7976931348623157e308", "1.7976931348623157e308"},
        {"3.141592653589793", "3.141592653589793"},
        {"9007199254740993", "9007199254740993"},
        {"-7", "-7"},
        {"true", "true"},
        {"null", "null"},
        {"\"a\\n\\\"\\u00e9\"", "\"a\\n\\\"\xc3\xa9\""},
        {"[]", "[]"},
        {"{}", "{}"},
    };
    for (int i = 0; i < COUNT_OF(cases); i++) {
        cab_error error = {0};
        cab_text text;
        json_t *value = json_loads(cases[i].in, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        must(cab_json_text(value, &text, &error), &error);
        text.bytes[text.size - 1] = '\0';
        assert_string_equal(text.bytes, cases[i].out);
        json_t *back = json_loads(text.bytes, JSON_DECODE_ANY, NULL);
        assert_true(json_equal(value, back));
        json_decref(value);
        json_decref(back);
        free(text.bytes);
    }
    unsigned long long bits = 88172645463325252ull;
    for (int i = 0; i < 20000; i++) { /* xorshift */
        double value;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        cab_error error = {0};
        cab_text text;
        json_t *number = json_real(value), *back;
        must(cab_json_text(number, &text, &error), &error);
        back = json_loads(text.bytes, JSON_DECODE_ANY, NULL);
        assert_true(json_is_real(back) && json_real_value(back) == value);
        json_decref(number);
        json_decref(back);
        free(text.bytes);
    }
}

static void names_of_files_follow_the_folder(void **state)
{
    (void)state;
    char in[128], out[128], ring[128], edit[160], absolute[256];
    cab_error error = {0};
    snprintf(in, sizeof in, "%s/in.json", folder);
    snprintf(out, sizeof out, "%s/out.json", inner);
    snprintf(ring, sizeof ring, "%s/t.obj", folder);
    put(in,
        "{\"$schema\": \"scene.schema.json\", \"clcable\": 1, \"materials\": {\"wire\": {\"radius\": 0.003,"
        "\"linear_density\": 0.05}}, \"cables\": [{\"path\": [[0,0,5],[1,0,5]], \"name\": \"a\", "
        "\"material\": \"wire\", \"segments\": 2}], \"sheets\": [{\"name\": \"s\", \"material\": \"wire\","
        "\"file\": \"t.obj\"}], \"colliders\": [{\"shape\": \"mesh\", \"file\": \"./t.obj\"}]}");
    put(ring, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    must(cab_scene_save(in, NULL, 0, out, &error), &error);
    char *text = slurp(out);
    assert_non_null(strstr(text, "\"file\": \"../t.obj\""));
    assert_non_null(strstr(text, "\"file\": \".././t.obj\""));
    assert_non_null(strstr(text, "\"$schema\": \"../scene.schema.json\""));
    free(text);
    must(cab_scene_save(out, NULL, 0, in, &error), &error); /* and back */
    text = slurp(in);
    assert_non_null(strstr(text, "\"file\": \"inner/../t.obj\""));
    free(text);
    snprintf(edit, sizeof edit, "/colliders/0/file=%s", ring);
    snprintf(absolute, sizeof absolute, "\"file\": \"%s\"", ring);
    const char *edits[] = {edit, "/$schema=https://example.org/s.json"};
    must(cab_scene_save(in, edits, 2, out, &error), &error);
    text = slurp(out);
    assert_non_null(strstr(text, absolute));
    assert_non_null(strstr(text, "\"https://example.org/s.json\""));
    free(text);
    empty(inner);
    empty(folder);
}

static void what_fails_leaves_nothing(void **state)
{
    (void)state;
    char in[128], out[160], message[400];
    cab_error error = {0};
    const char *wrong = "/cables/0/segments=0", *nowhere = "/cables/7/segments=3";
    snprintf(in, sizeof in, "%s/in.json", folder);
    snprintf(out, sizeof out, "%s/out.json", folder);
    put(in, small);
    must_fail(cab_scene_save(in, &wrong, 1, out, &error), CAB_ERROR_INPUT, &error, "/cables/0/segments");
    must_fail(cab_scene_save(in, &nowhere, 1, out, &error), CAB_ERROR_INPUT, &error,
              "--set /cables/7/segments");
    must_fail(cab_scene_save(out, NULL, 0, out, &error), CAB_ERROR_IO, &error, "cannot read it");
    snprintf(out, sizeof out, "%s/none/out.json", folder);
    must_fail(cab_scene_save(in, NULL, 0, out, &error), CAB_ERROR_IO, &error,
              "cannot write it: No such file");
    snprintf(out, sizeof out, "%s/out.json", inner);
    if (geteuid() != 0) {
        assert_int_equal(chmod(inner, 0555), 0);
        snprintf(message, sizeof message, "%s: cannot write it: Permission denied", out);
        must_fail(cab_scene_save(in, NULL, 0, out, &error), CAB_ERROR_IO, &error, message);
        assert_int_equal(chmod(inner, 0777), 0);
    }
    /* A file may be no longer than 100 bytes: as good as a full disk. */
    struct rlimit old, few;
    put(out, "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    few = old;
    few.rlim_cur = 100;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    cab_status status = cab_scene_save(in, NULL, 0, out, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    snprintf(message, sizeof message, "%s: cannot write it: File too large", out);
    must_fail(status, CAB_ERROR_IO, &error, message);
    char *text = slurp(out);
    assert_string_equal(text, "old");
    free(text);
    assert_int_equal(empty(inner), 1);
    assert_int_equal(empty(folder), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_reads_back_as_it_was),
        cmocka_unit_test(an_edit_changes_what_it_names),
        cmocka_unit_test(numbers_are_short_and_exact),
        cmocka_unit_test(names_of_files_follow_the_folder),
        cmocka_unit_test(what_fails_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

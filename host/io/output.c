#include "io/output.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/path.h"

struct cab_output {
    const cab_output_kind *kind;
    void *writer;
};

static const cab_output_kind *const built[] = {
    &cab_output_csv,    &cab_output_vtp, &cab_output_pvd, &cab_output_usda, &cab_output_obj,
#ifdef CAB_HAVE_HDF5
    &cab_output_vtkhdf,
#endif
#ifdef CAB_HAVE_LIBZIP
    &cab_output_npz,
#endif
};
enum { BUILT_COUNT = sizeof built / sizeof built[0] };

/* Formats that need a library, which a build may be without. */
static const struct {
    const char *ending, *library;
} optional[] = {{".vtkhdf", "HDF5"}, {".npz", "libzip"}};
enum { OPTIONAL_COUNT = sizeof optional / sizeof optional[0] };

/* Does it stand in the list, whole? */
static bool is_listed(const char *endings, const char *ending)
{
    size_t length = strlen(ending);
    for (const char *at = endings; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncasecmp(at, ending, length) == 0) return true;
    return false;
}

/* What may be opened: the library's kinds and the program's, or those of something else alone. */
typedef struct choice {
    const cab_output_kind *kind[BUILT_COUNT + 1];
    int count;
    const char *what; /* something else: its name; NULL = cables */
} choice;

/* ".csv, .vtp and .pvd" */
static void list_endings(const choice *from, char *text, size_t size)
{
    char all[128] = "";
    for (int i = 0; i < from->count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i > 0 ? " " : "",
                 from->kind[i]->endings);
    *text = '\0';
    for (char *at = all; *at;) {
        size_t length = strcspn(at, " "), used = strlen(text);
        bool last = !at[length], before_last = !last && !strchr(at + length + 1, ' ');
        snprintf(text + used, size - used, "%.*s%s", (int)length, at,
                 last          ? ""
                 : before_last ? " and "
                               : ", ");
        at += length + !last;
    }
}

static cab_status find_kind(const char *path, const choice *from, const cab_output_kind **kind,
                            cab_error *error)
{
    static const char planned[] = ".json";
    const char *ending = cab_path_ending(path);
    char known[160];
    list_endings(from, known, sizeof known);
    if (!ending)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: expected an ending that tells the format, built are %s",
                        path, known);
    for (int i = from->count - 1; i >= 0;
         i--) { /* the program's kind, which is last, comes before one of the library's */
        if (!is_listed(from->kind[i]->endings, ending)) continue;
        *kind = from->kind[i];
        return CAB_OK;
    }
    if (from->what)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: %s are written as %s", path, from->what, known);
    for (int i = 0; i < OPTIONAL_COUNT; i++) {
        if (is_listed(optional[i].ending, ending))
            return cab_fail(error, CAB_ERROR_UNSUPPORTED,
                            "%s: this clcable was built without %s, which %s needs", path,
                            optional[i].library, optional[i].ending);
    }
    if (is_listed(planned, ending))
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%s: the format %s is not built yet, built are %s",
                        path, ending, known);
    return cab_fail(error, CAB_ERROR_INPUT, "%s: unknown format %s, built are %s", path, ending, known);
}

/* Numbers have points in all formats, whatever the program around us has chosen. */
static locale_t use_plain_numbers(locale_t *plain)
{
    *plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return *plain ? uselocale(*plain) : (locale_t)0;
}

static void use_old_numbers(locale_t plain, locale_t old)
{
    if (!plain) return;
    uselocale(old);
    freelocale(plain);
}

static cab_status open_kind(const char *path, const cab_scene *scene, const choice *from, cab_output **out,
                            cab_error *error)
{
    const cab_output_kind *kind = NULL;
    cab_status status = find_kind(path, from, &kind, error);
    if (status) return status;
    cab_output *output = calloc(1, sizeof *output);
    if (!output) return cab_fail_memory(error, "an output", sizeof *output);
    output->kind = kind;
    status = kind->open(kind->user, path, scene, &output->writer, error);
    if (!status) {
        *out = output;
        return CAB_OK;
    }
    free(output);
    return status;
}

cab_status cab_output_open(const char *path, const cab_scene *scene, const cab_output_kind *extra,
                           cab_output **output, cab_error *error)
{
    choice from = {.count = 0};
    for (int i = 0; i < BUILT_COUNT; i++) from.kind[from.count++] = built[i];
    if (extra) from.kind[from.count++] = extra;
    return open_kind(path, scene, &from, output, error);
}

cab_status cab_output_open_of(const char *what, const char *path, const cab_output_kind *kinds, int count,
                              cab_output **output, cab_error *error)
{
    choice from = {.what = what};
    for (int i = 0; i < count && i < BUILT_COUNT; i++) from.kind[from.count++] = &kinds[i];
    return open_kind(path, NULL, &from, output, error);
}

bool cab_output_looks_ahead(const cab_output *output)
{
    return output->kind->looks_ahead && output->kind->looks_ahead(output->writer);
}

cab_status cab_output_look_ahead(cab_output *output, cab_world *world, cab_error *error)
{
    return output->kind->look_ahead(output->writer, world, error);
}

cab_status cab_output_frame(cab_output *output, cab_world *world, cab_error *error)
{
    if (!output->kind->frame) return CAB_OK;
    locale_t plain, old = use_plain_numbers(&plain);
    cab_status status = output->kind->frame(output->writer, world, error);
    use_old_numbers(plain, old);
    return status;
}

cab_status cab_output_close(cab_output *output, cab_world *world, bool commit, cab_error *error)
{
    if (!output) return CAB_OK;
    locale_t plain, old = use_plain_numbers(&plain);
    cab_status status = output->kind->close(output->writer, world, commit, error);
    use_old_numbers(plain, old);
    free(output);
    return status;
}

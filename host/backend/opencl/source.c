#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/source.h"
#include "backend/opencl/text.h"

enum { MAX_FILES = 64, NAME_SIZE = 128 };

typedef struct reader {
    cab_opencl_sources from;
    cab_text text;
    char seen[MAX_FILES][NAME_SIZE];
    int seen_count;
    cab_error *error;
} reader;

static char *copy(const reader *in, const char *name, const char *text)
{
    char *made = strdup(text);
    if (!made) cab_fail_memory(in->error, name, strlen(text));
    return made;
}

/* A copy of the file, or NULL with an error. */
static char *read_one(const reader *in, const char *name)
{
    if (in->from.expressions && !strcmp(name, "expressions.h")) return copy(in, name, in->from.expressions);
    if (in->from.without_meshes && !strcmp(name, "with_meshes.h"))
        return copy(in, name, "#define CAB_WITH_MESHES 0\n");
    if (in->from.folder) {
        char path[4096];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", in->from.folder, name);
        char *text = cab_text_read_file(path, &size);
        if (!text) cab_fail(in->error, CAB_ERROR_IO, "%s: %s", path, strerror(errno));
        return text;
    }
    for (int i = 0; i < cab_kernel_sources_count; i++) {
        if (strcmp(cab_kernel_sources[i].name, name)) continue;
        return copy(in, name, cab_kernel_sources[i].text);
    }
    cab_fail(in->error, CAB_ERROR_DEVICE, "kernel file %s is not built in", name);
    return NULL;
}

/* The name in `#include "name"`; false for any other line. */
static bool included_name(const char *line, char name[NAME_SIZE])
{
    line += strspn(line, " \t");
    if (*line++ != '#') return false;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7)) return false;
    line += 7 + strspn(line + 7, " \t");
    if (*line++ != '"') return false;
    size_t length = strcspn(line, "\"\n");
    if (line[length] != '"' || length == 0 || length >= NAME_SIZE) return false;
    memcpy(name, line, length);
    name[length] = 0;
    return true;
}

/* True the first time. */
static bool is_new(reader *in, const char *name)
{
    for (int i = 0; i < in->seen_count; i++) {
        if (!strcmp(in->seen[i], name)) return false;
    }
    if (in->seen_count == MAX_FILES)
        in->text.failed = true;
    else
        snprintf(in->seen[in->seen_count++], NAME_SIZE, "%s", name);
    return true;
}

/* The file that `from` includes as `name`: as in C, a path relative to the folder of `from`. "planar/math.h"
 * including "../plane.h" means "plane.h". False if it leads out of the kernels' folder or is too long. */
static bool included_path(const char *from, const char *name, char path[NAME_SIZE])
{
    const char *slash = strrchr(from, '/');
    int folder = slash ? (int)(slash + 1 - from) : 0;
    for (; strncmp(name, "../", 3) == 0; name += 3) {
        if (folder == 0) return false;
        for (folder--; folder > 0 && from[folder - 1] != '/';) folder--;
    }
    return snprintf(path, NAME_SIZE, "%.*s%s", folder, from, name) < NAME_SIZE;
}

/* Adds the file's text, with its headers where they are included, each once. #line keeps line numbers. */
static bool add_file(reader *in, const char *name)
{
    char given[NAME_SIZE], header[NAME_SIZE];
    char *text = read_one(in, name);
    if (!text) return false;
    bool ok = true;
    cab_text_format(&in->text, "#line 1 \"%s\"\n", name);
    int number = 1;
    for (const char *line = text; *line && ok && !in->text.failed; number++) {
        size_t length = strcspn(line, "\n");
        if (!included_name(line, given)) {
            cab_text_add(&in->text, line, length);
            cab_text_add(&in->text, "\n", 1);
        } else if (!included_path(name, given, header)) {
            cab_fail(in->error, CAB_ERROR_IO, "%s:%d: cannot include \"%s\"", name, number, given);
            ok = false;
        } else if (is_new(in, header)) {
            ok = add_file(in, header);
            cab_text_format(&in->text, "#line %d \"%s\"\n", number + 1, name);
        } else {
            cab_text_add(&in->text, "\n", 1);
        }
        line += length + (line[length] == '\n');
    }
    free(text);
    return ok;
}

/* The path of a kernel file, which is listed without a folder: it is the same as among the built-in
 * sources. */
static const char *path_of(const char *file)
{
    for (int i = 0; i < cab_kernel_sources_count; i++) {
        const char *slash = strrchr(cab_kernel_sources[i].name, '/');
        if (slash && strcmp(slash + 1, file) == 0) return cab_kernel_sources[i].name;
    }
    return file;
}

char *cab_opencl_source(const cab_opencl_sources *from, const char *const *files, cab_error *error)
{
    reader *in = calloc(1, sizeof *in);
    if (!in) {
        cab_fail_memory(error, *files, sizeof *in);
        return NULL;
    }
    in->from = *from;
    in->error = error;
    bool ok = true;
    for (const char *const *file = files; *file && ok; file++) {
        const char *path = path_of(*file);
        is_new(in, path);
        ok = add_file(in, path);
    }
    char *source = cab_text_take(&in->text);
    if (ok && !source) cab_fail_memory(error, *files, 0);
    if (!ok) free(source);
    free(in);
    return ok ? source : NULL;
}

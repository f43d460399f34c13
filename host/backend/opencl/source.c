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
    const char *folder;      /* NULL = built in */
    const char *expressions; /* replaces expressions.h; NULL = use that */
    cab_text text;
    char seen[MAX_FILES][NAME_SIZE];
    int seen_count;
    cab_error *error;
} reader;

/* A copy of the file, or NULL with an error. */
static char *read_one(const reader *in, const char *name)
{
    if (in->expressions && !strcmp(name, "expressions.h")) {
        char *text = strdup(in->expressions);
        if (!text) cab_fail_memory(in->error, name, strlen(in->expressions));
        return text;
    }
    if (in->folder) {
        char path[4096];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", in->folder, name);
        char *text = cab_text_read_file(path, &size);
        if (!text) cab_fail(in->error, CAB_ERROR_IO, "%s: %s", path, strerror(errno));
        return text;
    }
    for (int i = 0; i < cab_kernel_sources_count; i++) {
        if (strcmp(cab_kernel_sources[i].name, name)) continue;
        char *text = strdup(cab_kernel_sources[i].text);
        if (!text) cab_fail_memory(in->error, name, strlen(cab_kernel_sources[i].text));
        return text;
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

char *cab_opencl_source(const char *kernel_dir, const char *expressions, const char *file, cab_error *error)
{
    reader *in = calloc(1, sizeof *in);
    char *source = NULL;
    if (in) {
        in->folder = kernel_dir;
        in->expressions = expressions;
        in->error = error;
        const char *path = path_of(file);
        is_new(in, path);
        bool ok = add_file(in, path);
        source = cab_text_take(&in->text);
        if (ok && !source) cab_fail_memory(error, file, 0);
        if (!ok) free(source);
        if (!ok) source = NULL;
        free(in);
    } else {
        cab_fail_memory(error, file, sizeof *in);
    }
    return source;
}

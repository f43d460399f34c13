#include "io/read_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/open.h"
#include "io/inputs.h"

#define FILE_MAX ((size_t)1 << 30)

static cab_status fail_read(const char *path, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot read it: %s", path, strerror(errno));
}

/* Grows with what comes, so that pipes can be read too. */
static cab_status read_all(int file, const char *path, char **text, size_t *size, cab_error *error)
{
    size_t capacity = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *larger = realloc(*text, capacity);
            if (!larger) return cab_fail_memory(error, "a file's text", capacity);
            *text = larger;
        }
        long got = cab_read_some(file, *text + *size, capacity - *size);
        if (got < 0) return fail_read(path, error);
        if (got == 0) return CAB_OK;
        *size += (size_t)got;
        if (*size > FILE_MAX) return cab_fail(error, CAB_ERROR_INPUT, "%s: larger than 1 GiB", path);
    }
}

cab_status cab_read_file(const char *path, char **text, size_t *size, cab_error *error)
{
    *text = NULL;
    *size = 0;
    int file = cab_open_to_read(path);
    if (file < 0) return fail_read(path, error);
    struct stat about;
    cab_status status = CAB_OK;
    if (fstat(file, &about) != 0)
        status = fail_read(path, error);
    else if (S_ISREG(about.st_mode) && (unsigned long long)about.st_size > FILE_MAX)
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: larger than 1 GiB", path);
    else
        status = read_all(file, path, text, size, error);
    if (!status) cab_inputs_note(file);
    if (!status) cab_inputs_note_content(*text, *size);
    close(file);
    return status;
}

char *cab_path_beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    size_t folder = name[0] == '/' || !slash ? 0 : (size_t)(slash - file) + 1;
    char *path = malloc(folder + strlen(name) + 1);
    if (!path) return NULL;
    memcpy(path, file, folder);
    strcpy(path + folder, name);
    return path;
}

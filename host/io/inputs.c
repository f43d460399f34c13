#include "io/inputs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/path.h"

typedef struct identity {
    dev_t device;
    ino_t number;
} identity;

/* Of the process: who reads a mesh does not know what is written in the end. */
static struct {
    bool on;
    identity *list;
    int count;
    uint64_t content;
} inputs;

void cab_inputs_record(void)
{
    inputs.on = true;
}

void cab_inputs_note(int descriptor)
{
    struct stat about;
    if (!inputs.on || fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) return;
    if (CAB_ONE_MORE(inputs.list, inputs.count, NULL) != CAB_OK) return;
    inputs.list[inputs.count++] = (identity){about.st_dev, about.st_ino};
}

/* FNV-1a (G. Fowler, L. Noll, K.-P. Vo). */
uint64_t cab_inputs_sum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    sum ^= 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) sum = (sum ^ from[i]) * 0x100000001b3u;
    return sum;
}

void cab_inputs_note_content(const void *bytes, size_t size)
{
    if (inputs.on) inputs.content = cab_inputs_sum(inputs.content, bytes, size);
}

uint64_t cab_inputs_content(void)
{
    return inputs.content;
}

bool cab_inputs_has(const char *path)
{
    struct stat about;
    if (!inputs.on || stat(path, &about) != 0) return false;
    for (int i = 0; i < inputs.count; i++)
        if (inputs.list[i].device == about.st_dev && inputs.list[i].number == about.st_ino) return true;
    return false;
}

/* The folder of a name. */
static bool folder_of(const char *path, struct stat *about)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 1;
    if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >= (int)sizeof folder)
        return false;
    return stat(folder, about) == 0;
}

bool cab_inputs_same(const char *one, const char *other)
{
    struct stat a, b;
    bool there = stat(one, &a) == 0, other_there = stat(other, &b) == 0;
    if (there != other_there) return false;
    if (there) return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    if (strcmp(cab_path_name(one), cab_path_name(other)) != 0 || !folder_of(one, &a) || !folder_of(other, &b))
        return false;
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

cab_status cab_inputs_check_twice(const char *const *paths, int count, cab_error *error)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; paths[i] && k < i; k++)
            if (paths[k] && cab_inputs_same(paths[i], paths[k]))
                return cab_fail(error, CAB_ERROR_INPUT,
                                "%s: it would be written twice, as %s, too; expected another name", paths[i],
                                paths[k]);
    return CAB_OK;
}

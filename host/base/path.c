#include "base/path.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *cab_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *cab_path_ending(const char *path)
{
    return strrchr(cab_path_name(path), '.');
}

bool cab_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

void cab_path_stem(const char *path, char *text, int size)
{
    const char *name = cab_path_name(path), *dot = strrchr(name, '.');
    snprintf(text, (size_t)size, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

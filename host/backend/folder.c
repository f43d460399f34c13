#include "backend/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(const char *folder, const char *rest)
{
    size_t size = strlen(folder) + strlen(rest) + 1;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s%s", folder, rest);
    return path;
}

char *cab_cache_folder(const char *cache_dir)
{
    const char *own = getenv("CLCABLE_CACHE_DIR");
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const char *given = cache_dir ? cache_dir : own;
    if (given) return *given ? join(given, "") : NULL;
    if (xdg && xdg[0] == '/') return join(xdg, "/clcable");
    return home && home[0] == '/' ? join(home, "/.cache/clcable") : NULL;
}

void cab_make_folder(const char *path)
{
    char *part = join(path, "");
    if (!part) return;
    for (char *slash = part; *slash && (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(part, 0700);
        *slash = '/';
    }
    mkdir(part, 0700);
    free(part);
}

/* What a killed run has left beside its outputs. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/file.h"

#define PART ".part-"

/* The number at *at, which moves behind it; -1 = none. */
static long number(const char **at)
{
    char *end;
    if (!isdigit((unsigned char)**at)) return -1;
    errno = 0;
    long value = strtol(*at, &end, 10);
    *at = end;
    return errno ? -1 : value;
}

/* Is `before`, `length` long, the output's name, or that of one of its frames: NAME_0012.ending? */
static bool belongs(const char *before, size_t length, const char *name)
{
    if (strlen(name) == length && strncmp(before, name, length) == 0) return true;
    const char *hole = strchr(name, '%'), *rest = hole ? strchr(hole, 'd') : NULL;
    if (rest) { /* a numbered series: NAME_%04d.ending */
        const char *at = before + (hole - name);
        return length > (size_t)(hole - name) && strncmp(before, name, (size_t)(hole - name)) == 0 &&
               number(&at) >= 0 && strlen(rest + 1) == length - (size_t)(at - before) &&
               strncmp(at, rest + 1, strlen(rest + 1)) == 0;
    }
    const char *ending = strrchr(name, '.');
    size_t stem = ending ? (size_t)(ending - name) : strlen(name);
    if (length <= stem + 1 || strncmp(before, name, stem) != 0 || before[stem] != '_') return false;
    const char *at = before + stem + 1;
    return number(&at) >= 0 && *at == '.';
}

/* Nothing, or a point and six characters: as libzip adds while it writes beside the file that it will replace, and
 * cab_file_scratch(). */
static bool is_end(const char *at)
{
    if (!*at) return true;
    if (*at++ != '.') return false;
    for (int i = 0; i < 6; i++)
        if (!isalnum((unsigned char)at[i])) return false;
    return !at[6];
}

/* Of which process it is; 0 = it is nothing of this output. */
static long owner_of(const char *entry, const char *name)
{
    const char *part = NULL;
    for (const char *at = entry; (at = strstr(at, PART)); at++) part = at;
    if (!part || !belongs(entry, (size_t)(part - entry), name)) return 0;
    const char *at = part + strlen(PART);
    long process = number(&at);
    if (process <= 0 || *at++ != '-' || number(&at) < 0 || !is_end(at)) return 0;
    return process;
}

/* Locks it; false: somebody else has locked it and keeps it so. A process that was killed with its program may need a moment to be
 * gone when the machine is busy. */
static bool lock(int file)
{
    const struct timespec moment = {.tv_nsec = 10 * 1000 * 1000};
    for (int i = 0; i < 50; i++) {
        if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK) return false;
        nanosleep(&moment, NULL);
    }
    return false;
}

/* Nobody has it any more: its process is gone, and it is not locked, as by one in another container that writes HDF5. */
static bool is_left(int folder, const char *entry, long process)
{
    if (kill((pid_t)process, 0) == 0 || errno != ESRCH) return false;
    int file = openat(folder, entry, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat about;
    bool left = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && lock(file);
    if (file >= 0) close(file);
    return left;
}

void cab_file_clean(const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real) && snprintf(real, sizeof real, "%s", path) >= (int)sizeof real) return;
    char *slash = strrchr(real, '/');
    const char *name = slash ? slash + 1 : real;
    if (slash) *slash = 0;
    DIR *folder = opendir(!slash ? "." : slash == real ? "/" : real);
    if (!folder) return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        long process = owner_of(entry->d_name, name);
        if (process > 0 && is_left(dirfd(folder), entry->d_name, process))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
}

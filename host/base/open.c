#define _GNU_SOURCE /* fopencookie() */
#include "base/open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_EVERY 20000000L /* ns */

int cab_open_to_read(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0 || !S_ISFIFO(about.st_mode)) return file;
    /* Nobody may have opened its other end yet: poll() waits for that, too, and a signal ends it. */
    struct pollfd wait = {.fd = file, .events = POLLIN};
    if (poll(&wait, 1, -1) >= 0) return file;
    int errnum = errno;
    close(file);
    errno = errnum;
    return -1;
}

long cab_read_some(int file, void *data, size_t size)
{
    for (;;) {
        ssize_t got = read(file, data, size);
        if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return (long)got;
        struct pollfd wait = {.fd = file, .events = POLLIN};
        if (poll(&wait, 1, -1) < 0) return -1;
    }
}

/* How often a reader is looked for once the program is to end, LOOK_EVERY apart: for a second. */
#define LOOKS_LAST 50

static bool (*asked_to_end)(void);

void cab_open_ask(bool (*asked)(void))
{
    asked_to_end = asked;
}

/* Counts looks since the program was asked to end; true once there have been enough. */
static bool is_over(int *looks)
{
    if (!asked_to_end || !asked_to_end()) return false;
    errno = EINTR;
    return ++*looks > LOOKS_LAST;
}

int cab_open_to_write(const char *path)
{
    int file, looks = 0;
    /* a pipe that nobody reads yet is waited for until there is a signal */
    while ((file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == ENXIO) {
        struct timespec pause = {.tv_nsec = LOOK_EVERY};
        if (nanosleep(&pause, NULL) != 0 || is_over(&looks)) return -1;
    }
    return file;
}

/* All of it, or 0 with errno: less counts as a failure. */
static ssize_t write_pipe(void *stream, const char *bytes, size_t size)
{
    int file = *(int *)stream, looks = 0;
    for (size_t done = 0; done < size;) {
        ssize_t some = write(file, bytes + done, size - done);
        if (some > 0) {
            done += (size_t)some;
            looks = 0;
            continue;
        }
        if (some < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return 0;
        struct pollfd wait = {.fd = file, .events = POLLOUT};
        poll(&wait, 1, LOOK_EVERY / 1000000);
        if (is_over(&looks)) return 0;
    }
    return (ssize_t)size;
}

static int close_pipe(void *stream)
{
    int file = *(int *)stream;
    free(stream);
    return close(file);
}

FILE *cab_stream_to_write(int file)
{
    struct stat about;
    int flags = fcntl(file, F_GETFL);
    if (fstat(file, &about) != 0 || !S_ISFIFO(about.st_mode)) {
        if (flags >= 0) fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
        return fdopen(file, "wb");
    }
    int *stream = malloc(sizeof *stream);
    if (!stream) return NULL;
    *stream = file;
    FILE *opened =
        fopencookie(stream, "wb", (cookie_io_functions_t){.write = write_pipe, .close = close_pipe});
    if (!opened) free(stream);
    return opened;
}

FILE *cab_open_regular(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (file < 0) return NULL;
    bool regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    FILE *stream = regular ? fdopen(file, "rb") : NULL;
    int errnum = regular ? errno : EINVAL;
    if (!stream) {
        close(file);
        errno = errnum;
    }
    return stream;
}

#include "base/open.h"

#include <stdbool.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

int cab_open_to_write(const char *path)
{
    int file;
    /* a pipe that nobody reads yet is waited for until there is a signal */
    while ((file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == ENXIO) {
        struct timespec pause = {.tv_nsec = LOOK_EVERY};
        if (nanosleep(&pause, NULL) != 0) return -1;
    }
    if (file >= 0) fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
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

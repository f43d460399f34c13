/* Opening files that may be pipes or devices: nothing here waits where a signal does not end it. */
#ifndef CAB_OPEN_H
#define CAB_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A descriptor for cab_read_some(); waits for who writes a pipe. -1 with errno; EINTR: a signal came. */
int cab_open_to_read(const char *path);
/* As read(), but waits for data; -1 with errno, EINTR: a signal came. */
long cab_read_some(int file, void *data, size_t size);

/* What is there already, a pipe or a device; waits for who reads a pipe. -1 with errno; EINTR: a signal came. */
int cab_open_to_write(const char *path);
/* A stream that writes to what cab_open_to_write() or open() gave, and closes it. To a pipe whose reader takes nothing it fails
 * with EINTR a second after the program has been asked to end. NULL with errno. */
FILE *cab_stream_to_write(int file);
/* How to know that the program has been asked to end, as by a signal; without this call it never is. */
void cab_open_ask(bool (*asked_to_end)(void));

/* A file for reading that is no pipe and no device: NULL with errno, EINVAL where it is one. */
FILE *cab_open_regular(const char *path);

#endif

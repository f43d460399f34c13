/* Opening files that may be pipes or devices: nothing here waits where a signal does not end it. */
#ifndef CAB_OPEN_H
#define CAB_OPEN_H

#include <stddef.h>
#include <stdio.h>

/* A descriptor for cab_read_some(); waits for who writes a pipe. -1 with errno; EINTR: a signal came. */
int cab_open_to_read(const char *path);
/* As read(), but waits for data; -1 with errno, EINTR: a signal came. */
long cab_read_some(int file, void *data, size_t size);

/* What is there already, a pipe or a device; waits for who reads a pipe. */
int cab_open_to_write(const char *path);

/* A file for reading that is no pipe and no device: NULL with errno, EINVAL where it is one. */
FILE *cab_open_regular(const char *path);

#endif

/* Files that are whole or not there: written beside their place under another name, then renamed. */
#ifndef CAB_FILE_H
#define CAB_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <clcable/status.h>

typedef struct cab_file {
    char *name;      /* as the user gave it, for messages */
    char *path;      /* where it will be; a link is followed */
    char *temporary; /* where it is until then; NULL for a pipe or a device, which is written straight */
    FILE *stream;    /* NULL once finished */
    int errnum;      /* of the first write that failed; 0 = none */
    bool durable;    /* set after opening: wait until the disk has it, before renaming and after; false */
} cab_file;

/* Fails when `path` could not be replaced, so that a run need not be waited for to know. */
cab_status cab_file_open(cab_file *file, const char *path, cab_error *error);

/* These remember a failure until the end, so that a writer need not ask at every number. */
void cab_file_write(cab_file *file, const void *data, size_t size);
void cab_file_print(cab_file *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A text in XML or HTML: <, >, & and " stand for themselves. */
void cab_file_print_xml(cab_file *file, const char *text);

/* The bytes of an array that is written in pieces, from byte `at` on: where they lie until the next call, and how many
 * there are in *left. NULL after an error. */
typedef const void *cab_file_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error);

/* Everything is on its way to the disk, but still under the temporary name. The file is closed. */
cab_status cab_file_finish(cab_file *file, cab_error *error);

/* Gives a finished file its name. */
cab_status cab_file_rename(cab_file *file, cab_error *error);

/* Frees it; what was not renamed is removed. */
void cab_file_close(cab_file *file);

/* Can a file be written there? For asking before a run; leaves nothing behind. */
cab_status cab_file_check(const char *path, cab_error *error);

/* Removes what runs that were killed have left beside `path`, and beside the frames of an animation of that name. */
void cab_file_clean(const char *path);

/* A whole file: of bytes, or of what `content` writes of `of`. */
cab_status cab_file_put(const char *path, const void *bytes, size_t size, bool durable, cab_error *error);
typedef void cab_file_content(cab_file *file, const void *of);
cab_status cab_file_make(const char *path, cab_file_content *content, const void *of, cab_error *error);

/* A file for numbers on the way to the one of this name: it lies beside it, has no name and goes with the program. NULL,
 * with errno, when there is none. */
FILE *cab_file_scratch(const char *path);

#endif

/* A whole file in memory, and where it is. */
#ifndef CAB_READ_FILE_H
#define CAB_READ_FILE_H

#include <stddef.h>

#include <clcable/status.h>

/* Pipes too; 1 GiB at most. *text and *size are set whatever the status; *text is to be freed, is NULL when nothing
 * was read, and does not end with a zero. */
cab_status cab_read_file(const char *path, char **text, size_t *size, cab_error *error);

/* `name` as seen from the folder that `file` lies in; to be freed. NULL when there is no memory. */
char *cab_path_beside(const char *file, const char *name);

#endif

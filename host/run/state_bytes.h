/* The bytes of a state: a header, then named arrays one behind the other (docs/formats.md). Writing grows,
 * reading never looks beyond the end. */
#ifndef CAB_STATE_BYTES_H
#define CAB_STATE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clcable/status.h>

/* A state that is being written. After a failure nothing is added any more. */
typedef struct cab_state_writer {
    unsigned char *bytes;
    size_t size, room;
    cab_status status;
    cab_error *error;
} cab_state_writer;

void cab_state_begin(cab_state_writer *writer, cab_error *error);

/* Appends an array and returns where its zeroed content is to be put before the next call; NULL on failure.
 * `tag` has at most 8 characters. */
void *cab_state_add(cab_state_writer *writer, const char *tag, size_t count, size_t size);

/* Fills in the header. The bytes are the caller's then, or freed when something has failed. */
cab_status cab_state_end(cab_state_writer *writer, uint64_t scene, void **bytes, size_t *size);

/* A state that is being read. After a failure every array is NULL. */
typedef struct cab_state_reader {
    const unsigned char *bytes;
    size_t size;
    const char *name; /* for messages */
    cab_status status;
    cab_error *error;
} cab_state_reader;

/* Checks all that the header can tell: that it is a whole, undamaged state of this version, and of the scene
 * with this hash. */
cab_status cab_state_open(cab_state_reader *reader, const void *bytes, size_t size, uint64_t scene,
                          const char *name, cab_error *error);

/* The array `tag`; *count gets how many there are. */
const void *cab_state_take_any(cab_state_reader *reader, const char *tag, size_t size, size_t *count);
/* The same where there must be `count` of them. */
const void *cab_state_take(cab_state_reader *reader, const char *tag, size_t count, size_t size);

/* Something in it cannot be. */
cab_status cab_state_refuse(cab_state_reader *reader, const char *what);

#endif

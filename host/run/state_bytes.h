/* The bytes of a state: a header, then named arrays one behind the other (docs/formats.md). Reading never
 * goes beyond the end. */
#ifndef CAB_STATE_BYTES_H
#define CAB_STATE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clcable/status.h>

/* A state that is being written. After a failure nothing more is added. */
typedef struct cab_state_writer {
    unsigned char *bytes;
    size_t size, room;
    cab_status status;
    cab_error *error;
} cab_state_writer;

void cab_state_begin(cab_state_writer *writer, cab_error *error);

/* Appends a zeroed array and returns where to write its content before the next call; NULL on failure. `tag`
 * has at most 8 characters. */
void *cab_state_add(cab_state_writer *writer, const char *tag, size_t count, size_t size);

/* Fills in the header and hands the bytes to the caller, or frees them after a failure. */
cab_status cab_state_end(cab_state_writer *writer, uint64_t scene, void **bytes, size_t *size);

/* A state that is being read. After a failure every array is NULL. */
typedef struct cab_state_reader {
    const unsigned char *bytes;
    size_t size;
    const char *name; /* for messages */
    cab_status status;
    cab_error *error;
} cab_state_reader;

/* Checks that this is a whole, undamaged state of this version and of the scene with this hash. */
cab_status cab_state_open(cab_state_reader *reader, const void *bytes, size_t size, uint64_t scene,
                          const char *name, cab_error *error);

/* The array `tag`; *count becomes its number of elements. */
const void *cab_state_take_any(cab_state_reader *reader, const char *tag, size_t size, size_t *count);
/* The same where there must be `count` of them. */
const void *cab_state_take(cab_state_reader *reader, const char *tag, size_t count, size_t size);

/* Reports that the state contains something impossible. */
cab_status cab_state_refuse(cab_state_reader *reader, const char *what);

#endif

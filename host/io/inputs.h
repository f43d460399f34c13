/* What a program has read must not be overwritten by what it writes: files are known by what they are, not by their names. */
#ifndef CAB_INPUTS_H
#define CAB_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clcable/status.h>

/* From now on what cab_read_file() reads is remembered, and cab_file_open() refuses to replace it. For programs that are
 * started for one thing; an editor writes what it has read. Not for several threads. */
void cab_inputs_record(void);
/* Remembers an open file, if it is a regular one. */
void cab_inputs_note(int descriptor);
/* Remembers what was in a file. */
void cab_inputs_note_content(const void *bytes, size_t size);
/* A number for the contents of all that was read, in that order; of nothing 0, and so where nothing is remembered. */
uint64_t cab_inputs_content(void);
/* Goes on with such a number; 0 to begin with. */
uint64_t cab_inputs_sum(uint64_t sum, const void *bytes, size_t size);
/* Is there a file of this name that was read? False where nothing is remembered. */
bool cab_inputs_has(const char *path);

/* Are both names those of one file, or of one that would be made? Devices and pipes may be written twice. */
bool cab_inputs_same(const char *one, const char *other);

/* Fails where one of `count` paths (NULL = none) would be written twice. */
cab_status cab_inputs_check_twice(const char *const *paths, int count, cab_error *error);

#endif

/* A value of a JSON document together with where it stands, so that every message can name it. */
#ifndef CAB_CURSOR_H
#define CAB_CURSOR_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/scene.h>
#include <jansson.h>

#include "model/limits.h"

/* What all cursors of a document share. */
typedef struct cab_reader {
    const char *file;
    cab_scene *scene;
    cab_error *error;
} cab_reader;

/* Lives no longer than the cursor it was taken from. */
typedef struct cab_cursor {
    json_t *value; /* NULL = missing */
    const cab_reader *reader;
    const struct cab_cursor *up; /* NULL = the document itself */
    const char *key;             /* NULL = an item of an array */
    size_t index;
} cab_cursor;

cab_cursor cab_cursor_key(const cab_cursor *object, const char *key);
cab_cursor cab_cursor_item(const cab_cursor *array, size_t index);

/* "FILE: POINTER: expected EXPECTED, got ...", the latter in short. */
cab_status cab_cursor_fail(const cab_cursor *cursor, const char *expected);

/* "FILE: POINTER: REASON" */
cab_status cab_cursor_refuse(const cab_cursor *cursor, cab_status status, const char *reason);

/* For a word that is none of `words`: names the nearest of them, or else all. */
cab_status cab_cursor_fail_word(const cab_cursor *cursor, const char *const *words, int count);

/* Is it an object whose keys are all among `keys`? */
cab_status cab_cursor_check_keys(const cab_cursor *object, const char *const *keys, int count);

/* Each reads a value that must be there. */
cab_status cab_read_number(const cab_cursor *cursor, cab_limit limit, double *value);
cab_status cab_read_integer(const cab_cursor *cursor, cab_limit limit, int *value);
cab_status cab_read_numbers(const cab_cursor *cursor, cab_limit limit, double *values, int count);
cab_status cab_read_vec3(const cab_cursor *cursor, cab_limit limit, cab_vec3 *value);
cab_status cab_read_bool(const cab_cursor *cursor, bool *value);
/* Not empty; as long-lived as the document. */
cab_status cab_read_text(const cab_cursor *cursor, const char *expected, const char **value);
/* The index of the word in `words`. */
cab_status cab_read_word(const cab_cursor *cursor, const char *const *words, int count, int *value);
/* A number of a def struct. */
cab_status cab_read_field(const cab_cursor *cursor, const cab_field *field, void *def);
/* Those of `fields` that `object` has. */
cab_status cab_read_fields(const cab_cursor *object, const cab_field *fields, int count, void *def);

/* Calls `read` for each item of the array `key`, which may be missing. */
cab_status cab_read_list(const cab_cursor *document, const char *key,
                         cab_status (*read)(const cab_cursor *item));

#endif

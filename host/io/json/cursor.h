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

typedef cab_status cab_item_reader(const cab_cursor *cursor, void *into);

/* Calls `read` for each object in the array `key`, which may be missing. */
cab_status cab_read_list(const cab_cursor *object, const char *key, cab_item_reader *read, void *into);

/* An array whose items are of one size. */
typedef struct cab_array_form {
    size_t least, most; /* items */
    size_t size;        /* bytes of one */
    const char *expected;
    cab_limit limit;       /* of the doubles that an item is made of */
    cab_item_reader *read; /* NULL, or reads an item that is something else */
} cab_array_form;

enum { CAB_ARRAY_MAX = 100000000 };

/* items: where the pointer to them is; to be freed, whatever the status. */
cab_status cab_read_array(const cab_cursor *list, const cab_array_form *form, void *items, int *count);

/* What stands at a key of an object, and is read into a member of a struct. */
typedef enum cab_key_kind {
    CAB_KEY_OTHER = 0, /* read by other code */
    CAB_KEY_NUMBER,    /* a double, or an int where the limit says so */
    CAB_KEY_PAIR,      /* doubles */
    CAB_KEY_POINT,
    CAB_KEY_QUATERNION,
    CAB_KEY_BOOL,
    CAB_KEY_TEXT,  /* as long-lived as the document */
    CAB_KEY_WORD,  /* an enum: the index of one of `words` */
    CAB_KEY_FLAG,  /* a bool: true is the second of two words */
    CAB_KEY_ARRAY, /* a pointer to items of `form`, to be freed, whatever the status, and their count */
    CAB_KEY_READ   /* by `read`, into the member */
} cab_key_kind;

typedef struct cab_key {
    const char *key;
    size_t offset; /* of the member */
    cab_key_kind kind;
    bool required;
    cab_limit limit;          /* of numbers */
    const char *expected;     /* of a text: "a name" */
    const char *const *words; /* with a NULL behind the last */
    const cab_array_form *form;
    size_t count; /* where the count of an array is, an int */
    cab_item_reader *read;
} cab_key;

/* Keys of a table, called as the member of the struct that they go to, but for CAB_KEY_AS. Further members of cab_key may follow. */
#define CAB_KEY(type, member) .key = #member, .offset = offsetof(type, member)
#define CAB_KEY_AS(word, type, member) .key = word, .offset = offsetof(type, member)
#define CAB_VALUE(type, member, ...) CAB_KEY(type, member), .kind = CAB_KEY_NUMBER, .limit = __VA_ARGS__
#define CAB_PAIR(type, member, ...) CAB_KEY(type, member), .kind = CAB_KEY_PAIR, .limit = __VA_ARGS__
#define CAB_POINT(type, member, ...) CAB_KEY(type, member), .kind = CAB_KEY_POINT, .limit = __VA_ARGS__
#define CAB_BOOL(type, member) CAB_KEY(type, member), .kind = CAB_KEY_BOOL
#define CAB_TEXT(type, member, ...) CAB_KEY(type, member), .kind = CAB_KEY_TEXT, .expected = __VA_ARGS__
#define CAB_WORD(type, member, ...) CAB_KEY(type, member), .kind = CAB_KEY_WORD, .words = __VA_ARGS__
#define CAB_READ(type, member, ...) CAB_KEY(type, member), .kind = CAB_KEY_READ, .read = __VA_ARGS__
#define CAB_ITEMS(type, member, counter, ...)                                                                \
    CAB_KEY(type, member), .kind = CAB_KEY_ARRAY, .count = offsetof(type, counter), .form = __VA_ARGS__
#define CAB_NEEDED .required = true

/* Reads those of the keys that an object has into a struct, in their order. */
cab_status cab_read_keys(const cab_cursor *object, const cab_key *keys, int count, void *def);
/* Is it an object that has no other keys? */
cab_status cab_check_object(const cab_cursor *object, const cab_key *keys, int count);
/* Both: checks an object, then reads it. */
cab_status cab_read_object(const cab_cursor *object, const cab_key *keys, int count, void *def);

#define CAB_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif

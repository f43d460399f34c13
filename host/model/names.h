/* Names: finding them, what a mistyped one may have meant, and how they stand in a JSON pointer. */
#ifndef CAB_NAMES_H
#define CAB_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <clcable/status.h>

/* Finds items by name: a hash table of index + 1, 0 = free. */
typedef struct cab_name_table {
    int *slots;
    int size; /* 0 or a power of two */
} cab_name_table;

/* Index of the item called `name`, or -1. Items are `stride` bytes each and begin with their name. */
int cab_name_table_find(const cab_name_table *table, const void *items, size_t stride, const char *name);

/* Enters item `index`, the last of `items`. */
cab_status cab_name_table_add(cab_name_table *table, const void *items, size_t stride, int index,
                              cab_error *error);

/* Reads "a[1,0,2]": the length of "a" and the three numbers; false when `name` does not end so. */
bool cab_name_split_copy(const char *name, size_t *base_length, int copy[3]);

/* `key` as a part of a JSON pointer (RFC 6901): "~" and "/" escaped, long ones cut. */
void cab_pointer_escape(const char *key, char *text, size_t size);

/* The name among `names` (count of them) nearest to `word` by edit distance; NULL when none is near. */
const char *cab_nearest(const char *word, const char *const *names, int count);

/* Fails: at this pointer of the scene from `source` a `kind`, "cable", is named that there is not. Suggests the nearest of `count` items,
 * which are as for cab_name_table_find(). */
cab_status cab_fail_unknown(cab_error *error, const char *source, const char *pointer, const char *kind,
                            const char *name, const void *items, size_t stride, int count);

#endif

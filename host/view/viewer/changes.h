/* Changes of a scene, as of `--set`: POINTER=VALUE, in the order of application; each pointer once. */
#ifndef CAB_CHANGES_H
#define CAB_CHANGES_H

#include <stdbool.h>

/* Zero at first. */
typedef struct cab_changes {
    char **text;
    int count;
} cab_changes;

/* Copies a list. These two return false when memory is out; the list can only be freed then. */
bool cab_changes_copy(cab_changes *copy, const char *const *text, int count);
/* Adds a change at the end, in the place of one with the same pointer. */
bool cab_changes_put(cab_changes *changes, const char *pointer, const char *value);
/* Removes the change with this pointer, if there is one. */
void cab_changes_drop(cab_changes *changes, const char *pointer);
void cab_changes_free(cab_changes *changes);

#endif

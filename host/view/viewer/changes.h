/* Changes of a scene, as of `--set`: POINTER=VALUE, each pointer once; later ones are applied later. */
#ifndef CAB_CHANGES_H
#define CAB_CHANGES_H

#include <stdbool.h>

/* Zero at first. */
typedef struct cab_changes {
    char **text;
    int count;
} cab_changes;

/* False when memory is out; the list may be freed then. So of the next two. */
bool cab_changes_copy(cab_changes *copy, const char *const *text, int count);
/* One more, or one replaced. */
bool cab_changes_put(cab_changes *changes, const char *pointer, const char *value);
void cab_changes_drop(cab_changes *changes, const char *pointer);
void cab_changes_free(cab_changes *changes);

#endif

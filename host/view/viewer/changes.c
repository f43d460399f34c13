#include "view/viewer/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool add_change(cab_changes *changes, char *text)
{
    if (!text || CAB_ONE_MORE(changes->text, changes->count, NULL)) {
        free(text);
        return false;
    }
    changes->text[changes->count++] = text;
    return true;
}

bool cab_changes_copy(cab_changes *copy, const char *const *text, int count)
{
    *copy = (cab_changes){0};
    for (int i = 0; i < count; i++) {
        if (add_change(copy, strdup(text[i]))) continue;
        cab_changes_free(copy);
        return false;
    }
    return true;
}

void cab_changes_drop(cab_changes *changes, const char *pointer)
{
    size_t length = strlen(pointer);
    int kept = 0;
    for (int i = 0; i < changes->count; i++) {
        char *text = changes->text[i];
        if (strncmp(text, pointer, length) == 0 && text[length] == '=')
            free(text);
        else
            changes->text[kept++] = text;
    }
    changes->count = kept;
}

bool cab_changes_put(cab_changes *changes, const char *pointer, const char *value)
{
    size_t size = strlen(pointer) + strlen(value) + 2;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s=%s", pointer, value);
    cab_changes_drop(changes, pointer);
    return add_change(changes, text);
}

void cab_changes_free(cab_changes *changes)
{
    for (int i = 0; i < changes->count; i++) free(changes->text[i]);
    free(changes->text);
    *changes = (cab_changes){0};
}

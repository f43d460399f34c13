/* The scene files of some folders, for a list to choose from. */
#ifndef CAB_SCENE_LIST_H
#define CAB_SCENE_LIST_H

#include <stdbool.h>

typedef struct cab_scene_list {
    char **paths; /* [count] sorted by name, each once */
    int count;
} cab_scene_list;

/* Looks anew: *.json in the folder scenes/, where there is one, and in the folder of `opened`. Schemas are
 * left out. What cannot be read, or memory that is out, makes the list shorter. */
void cab_scene_list_fill(cab_scene_list *list, const char *opened);
/* Zero afterwards, as at first. */
void cab_scene_list_free(cab_scene_list *list);

/* The last part of a path, and the same without its ending. */
const char *cab_path_name(const char *path);
void cab_path_stem(const char *path, char *text, int size);

#endif

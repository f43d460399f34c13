/* The scene files of some folders, for a list to choose from. */
#ifndef CAB_SCENE_LIST_H
#define CAB_SCENE_LIST_H

#include <stdbool.h>

typedef struct cab_scene_list {
    char **paths; /* [count] folder by folder, each sorted by name */
    int count;
    int beside; /* of the folder of the opened one: they come first */
} cab_scene_list;

/* Looks anew: *.json in the folder of `opened`, then in scenes/, scenes/particles/ and scenes/planar/, where
 * they are. Schemas are left out. What cannot be read, or memory that is out, makes the list shorter. */
void cab_scene_list_fill(cab_scene_list *list, const char *opened);
/* For who chooses: without ending, and of other folders than that of the opened one with the folder's name.
 */
void cab_scene_list_name(const cab_scene_list *list, int index, char *text, int size);
/* Zero afterwards, as at first. */
void cab_scene_list_free(cab_scene_list *list);

#endif

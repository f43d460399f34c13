/* The scene files of some folders, for a list to choose from. */
#ifndef CAB_SCENE_LIST_H
#define CAB_SCENE_LIST_H

#include <stdbool.h>

typedef struct cab_scene_list {
    char **paths; /* [count] folder by folder, each sorted by name */
    int count;
    int beside; /* how many are in the folder of the opened scene; they come first */
} cab_scene_list;

/* Fills the list: *.json in the folder of `opened`, then in scenes/, scenes/particles/ and scenes/planar/, as
 * far as they exist. Schemas are left out. Folders that cannot be read are left out, too, and so is what
 * memory does not suffice for. */
void cab_scene_list_fill(cab_scene_list *list, const char *opened);
/* The name in a list: without its ending; with its folder's name when that is not the opened scene's. */
void cab_scene_list_name(const cab_scene_list *list, int index, char *text, int size);
/* The list is zero afterwards, as it is at first. */
void cab_scene_list_free(cab_scene_list *list);

#endif

/* Scenes side by side in one: as if each were a world of its own. */
#ifndef CAB_MERGE_H
#define CAB_MERGE_H

#include <stdbool.h>

#include <clcable/scene.h>

/* Makes one scene of `count` others. Scene i is its group i, so nothing of it touches the others, and its
 * items are called "i/NAME". Settings are those of the first: the caller has seen to it that they are the
 * same. Items come scene by scene, so the cables of scene 0 are the first of the world, those of scene 1
 * follow.
 *
 * share_colliders  the colliders of all scenes are the same: those of the first are there once, for all, and
 * keep their names */
cab_status cab_scene_merge(const cab_scene *const *scenes, int count, bool share_colliders,
                           cab_scene **merged, cab_error *error);

/* For who changes scenes before they are merged: is what a pointer names one of the scene's lists or settings, such as "colliders"? */
bool cab_pointer_is_of(const char *pointer, const char *key);
/* A setting, of which a world has only one value: gravity, wind, time, method, contact. */
bool cab_pointer_is_setting(const char *pointer);

#endif

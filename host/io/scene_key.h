/* Kinds of scenes beside cables: each has a key of its own at the top of the document. */
#ifndef CAB_SCENE_KEY_H
#define CAB_SCENE_KEY_H

/* "particles" or "planar"; NULL for cables, and for what cannot be read: their reader tells why. */
const char *cab_scene_key(const char *path);

#endif

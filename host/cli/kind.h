/* Kinds of scenes beside cables: each has a key of its own at the top of the document. */
#ifndef CAB_KIND_H
#define CAB_KIND_H

#include "cli/options.h"

typedef struct cab_scene_kind {
    const char *key;
    int (*run)(const char *path, const cab_options *options); /* both return the exit code */
    int (*check)(const char *path, const cab_options *options);
} cab_scene_kind;

/* The kind of the scene in a file; NULL for cables, and for what cannot be read: their reader tells why. */
const cab_scene_kind *cab_scene_kind_of(const char *path);

#endif

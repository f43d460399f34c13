/* What `clcable tune` has found: the fastest way by device, method and size of the scene. A small JSON file
 * in the cache folder; a scene's size is the number of its cables and of their particles, each rounded down
 * to a power of two. */
#ifndef CAB_TUNED_H
#define CAB_TUNED_H

#include <clcable/world.h>

typedef struct cab_tuned_key {
    const char *device; /* its name, and version */
    const char *version;
    cab_method method;
    int cables;    /* powers of two */
    int particles; /* of a cable */
} cab_tuned_key;

cab_tuned_key cab_tuned_key_of(const cab_device_info *device, cab_method method, int cables, int particles);

/* CAB_WAY_AUTO where nothing is known. *chunks: how many of a cable, with CAB_WAY_CHUNKS. *fault (may stay
 * NULL): what is wrong with the file; static. */
cab_way cab_tuned_read(const char *path, const cab_tuned_key *key, int *chunks, const char **fault);

/* Notes the way in the file in place of what stood there for that key. Makes file and folder. */
cab_status cab_tuned_write(const char *path, const cab_tuned_key *key, cab_way way, int chunks,
                           cab_error *error);

/* Path of the file, to be freed; NULL where nothing is kept. */
char *cab_tuned_path(const char *cache_dir);

#endif

/* The results of `clcable tune`: the fastest way by device, method and size of the scene, in a small JSON
 * file in the cache folder. A scene's size is the number of its cables and of particles per cable, each
 * rounded down to a power of two. */
#ifndef CAB_TUNED_H
#define CAB_TUNED_H

#include <clcable/world.h>

typedef struct cab_tuned_key {
    const char *device; /* the device's name and version */
    const char *version;
    cab_method method;
    int cables;
    int particles; /* per cable */
} cab_tuned_key;

cab_tuned_key cab_tuned_key_of(const cab_device_info *device, cab_method method, int cables, int particles);

/* The way in the file; CAB_WAY_AUTO where nothing is known. *chunks: chunks per cable, for CAB_WAY_CHUNKS.
 * *fault: what is wrong with the file, a static text; unchanged if nothing is. */
cab_way cab_tuned_read(const char *path, const cab_tuned_key *key, int *chunks, const char **fault);

/* Writes the way to the file, in place of an older entry with this key. Makes the file and its folder. */
cab_status cab_tuned_write(const char *path, const cab_tuned_key *key, cab_way way, int chunks,
                           cab_error *error);

/* The path of the file, or NULL where nothing is kept. The caller frees it. */
char *cab_tuned_path(const char *cache_dir);

#endif

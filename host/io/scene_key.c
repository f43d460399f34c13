#include "io/scene_key.h"

#include <jansson.h>
#include <sys/stat.h>

const char *cab_scene_key(const char *path)
{
    static const char *const keys[] = {"particles", "planar"};
    struct stat status;
    const char *found = NULL;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return NULL; /* a pipe is read once */
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !found; i++)
        if (json_is_object(root) && json_object_get(root, keys[i])) found = keys[i];
    json_decref(root);
    return found;
}

#include "cli/kind.h"

#include <jansson.h>
#include <sys/stat.h>

#include "cli/particles.h"
#include "cli/planar.h"

static const cab_scene_kind kinds[] = {
    {"particles", cab_run_particles, cab_check_particles},
    {"planar", cab_run_planar, cab_check_planar},
};

const cab_scene_kind *cab_scene_kind_of(const char *path)
{
    struct stat status;
    const cab_scene_kind *found = NULL;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return NULL; /* a pipe is read once */
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !found; i++) {
        if (json_is_object(root) && json_object_get(root, kinds[i].key)) found = &kinds[i];
    }
    json_decref(root);
    return found;
}

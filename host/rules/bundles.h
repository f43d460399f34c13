/* What bundles are made of, and what each part gives to their stiffness. */
#ifndef CAB_BUNDLES_H
#define CAB_BUNDLES_H

#include <clcable/scene.h>
#include <jansson.h>

#include "io/file.h"

/* A section of a page; nothing where no cable of the scene tells what it is made of. */
void cab_bundles_html(const cab_scene *scene, cab_file *file);
/* A list, empty where none does; NULL without memory. */
json_t *cab_bundles_json(const cab_scene *scene);
/* A table of plain text, to standard output. */
void cab_bundles_print(const cab_scene *scene);

#endif

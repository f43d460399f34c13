/* Parts of a .usda file. */
#ifndef CAB_USDA_H
#define CAB_USDA_H

#include <clcable/scene.h>

#include "io/file.h"
#include "io/record.h"

/* A text in quotes. */
void cab_usda_write_text(cab_file *file, const char *text);

/* A collider as a Gprim, where the record has it: a prim `collider_INDEX` in a scope four spaces deep. What
 * moves has a time sample a frame. */
void cab_usda_write_collider(cab_file *file, const cab_scene *scene, cab_record *record, int index);

/* A rigid body as an Xform `body_INDEX` at its place frame by frame, with its shapes in it. index: of the world's, as of
 * cab_world_get_bodies(); def: its scene's. */
void cab_usda_write_body(cab_file *file, const cab_body_def *def, const char *name, cab_record *record,
                         int index);

#endif

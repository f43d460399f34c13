/* What `-o FILE` writes. The format goes by the ending: .csv, .vtp and .obj hold the last frame, .vtkhdf,
 * .usda and .npz all of them, so does .pvd (NAME.pvd and beside it NAME_0000.vtp, NAME_0001.vtp, ...). A
 * program may bring kinds of its own, such as pictures: the library draws none. Nothing has its name before
 * all of it is written. */
#ifndef CAB_OUTPUT_H
#define CAB_OUTPUT_H

#include <stdbool.h>

#include <clcable/world.h>

#include "io/output_kind.h"

typedef struct cab_output cab_output;

/* Before the run: an ending that is unknown (CAB_ERROR_INPUT) or not built yet (CAB_ERROR_UNSUPPORTED) and a
 * folder that cannot be written (CAB_ERROR_IO) are told now.
 *
 * @param scene  outlives the output; may be NULL without `extra`: colliders are not shown then
 * @param extra  the program's kind; NULL = none */
cab_status cab_output_open(const char *path, const cab_scene *scene, const cab_output_kind *extra,
                           cab_output **output, cab_error *error);

/* The same for what is no world of cables, such as a study: of its own kinds alone. `world` is NULL in all calls.
 *
 * @param what  for messages: "scenes of \"planar\"" */
cab_status cab_output_open_of(const char *what, const char *path, const cab_output_kind *kinds, int count,
                              cab_output **output, cab_error *error);

/* With looks_ahead true, look_ahead comes once for each frame of a rehearsal, before the first
 * cab_output_frame; without the calls the output does with what the run shows. */
bool cab_output_looks_ahead(const cab_output *output);
cab_status cab_output_look_ahead(cab_output *output, cab_world *world, cab_error *error);

/* After every frame, and once before the first. */
cab_status cab_output_frame(cab_output *output, cab_world *world, cab_error *error);

/* Writes what is left to write from the world as it is now, and gives the files their names. With commit
 * false nothing is left behind, and world may be NULL. Frees the output always; NULL is allowed. */
cab_status cab_output_close(cab_output *output, cab_world *world, bool commit, cab_error *error);

#endif

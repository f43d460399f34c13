/* What `-o FILE` writes. The format goes by the ending: .csv and .vtp hold the last frame, .pvd all of them
 * (NAME.pvd and beside it NAME_0000.vtp, NAME_0001.vtp, ...). Nothing has its name before all of it is
 * written.
 */
#ifndef CAB_OUTPUT_H
#define CAB_OUTPUT_H

#include <stdbool.h>

#include <clcable/world.h>

typedef struct cab_output cab_output;

/* Before the run: an ending that is unknown (CAB_ERROR_INPUT) or not built yet (CAB_ERROR_UNSUPPORTED) and a
 * folder that cannot be written (CAB_ERROR_IO) are told now. */
cab_status cab_output_open(const char *path, cab_output **output, cab_error *error);

/* After every frame, and once before the first. */
cab_status cab_output_frame(cab_output *output, cab_world *world, cab_error *error);

/* Writes what is left to write from the world as it is now, and gives the files their names. With commit
 * false nothing is left behind, and world may be NULL. Frees the output, whatever the status; NULL is
 * allowed. */
cab_status cab_output_close(cab_output *output, cab_world *world, bool commit, cab_error *error);

/* As given to cab_output_open. */
const char *cab_output_path(const cab_output *output);

#endif

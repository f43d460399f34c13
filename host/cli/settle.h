/* --settle: a world is put to rest before its first frame. */
#ifndef CAB_CLI_SETTLE_H
#define CAB_CLI_SETTLE_H

#include "cli/options.h"

/* As cab_world_settle_each(), with a bar, until Ctrl-C; then *interrupted, which may be NULL, is true and the rest is not found. */
cab_status cab_cli_settle(const cab_options *options, cab_world *world, cab_equilibrium *rest, bool *moving,
                          bool *interrupted, cab_error *error);

/* Prints what is wrong with it: which cable is worst where it is not settled; what was let go where it is. `path`: of the scene. */
void cab_cli_tell_rest(const char *path, const cab_world *world, const cab_equilibrium *rest, bool quiet);

#endif

/* Which of the scenes that share a world have diverged. */
#ifndef CAB_CLI_DIVERGED_H
#define CAB_CLI_DIVERGED_H

#include <stdbool.h>

#include <clcable/world.h>

/* gone [groups] becomes true where the world has named a cable of that group (model/merge.h). */
cab_status cab_cli_find_diverged(const cab_world *world, bool *gone, cab_error *error);

#endif

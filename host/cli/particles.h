/* Scenes of particles on the command line. */
#ifndef CAB_CLI_PARTICLES_H
#define CAB_CLI_PARTICLES_H

#include "cli/options.h"

/* `clcable run` and `clcable check` of one; return the exit code. */
int cab_run_particles(const char *path, const cab_options *options);
int cab_check_particles(const char *path, const cab_options *options);

#endif

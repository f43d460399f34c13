/* A run that processes started together, by mpirun, share: rank 0 carries the command out, the others lend it their devices. */
#ifndef CAB_TOGETHER_H
#define CAB_TOGETHER_H

#include "cli/options.h"

typedef int cab_together_work(const cab_options *options, const char *path);

/* Carries `work` out, where this process is alone or the first of several; else serves the first one until it has done so. Returns the exit
 * code. */
int cab_together(cab_together_work *work, const cab_options *options, const char *path);

/* The devices of a world: those of --device, or with several processes this one's and those of the others. */
cab_status cab_together_devices(const cab_options *options, cab_world_def *def, cab_error *error);

#endif

/* Planar scenes on the command line. */
#ifndef CAB_CLI_PLANAR_H
#define CAB_CLI_PLANAR_H

#include <clcable/clcable.h>

#include "cli/options.h"

/* `clcable run` and `clcable check` of one; return the exit code. */
int cab_run_planar(const char *path, const cab_options *options);
int cab_check_planar(const char *path, const cab_options *options);

#endif

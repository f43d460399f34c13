/* A run that draws, in a process of its own: a driver of OpenGL that crashes ends that process, not the program. */
#ifndef CAB_GUARD_H
#define CAB_GUARD_H

#include <stdbool.h>

#include "cli/options.h"

/* Where an output of `options` is a picture, a film or a page with pictures, the program forks here, and the call returns
 * in both processes. False: go on with the run; this is the new process, now or since a call before, or nothing is drawn, or there is no room for
 * another process and the run has no guard. True: this is the program, and the run is over. *code is its exit code; where
 * it crashed, CAB_EXIT_FAILED, after a line on stderr and with nothing half-written left. `path` is the scene's.
 *
 * Signals that ask the program to end are passed on to the run; one that kills the run then ends the program, too.
 * To be called after cab_interrupt_install() and before anything of OpenCL or OpenGL, which do not survive a fork. */
bool cab_guard_draws(const cab_options *options, const char *path, int *code);

#endif

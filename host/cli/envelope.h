/* --envelope: the volume that cables sweep, as a file and in words. */
#ifndef CAB_CLI_ENVELOPE_H
#define CAB_CLI_ENVELOPE_H

#include "cli/options.h"
#include "envelope/motion.h"
#include "io/report.h"

/* Before anything is run: can what is asked for be written? CAB_OK where nothing is asked for. */
cab_status cab_cli_check_envelope(const cab_options *options, cab_error *error);

/* Writes the file and tells what is in it. Where no cell was asked for it is made so large that a scene can have the mesh as a
 * collider; a larger one than was asked for is told on stderr. Fails where nothing is in it. */
cab_status cab_cli_write_envelope(const cab_options *options, cab_envelope *envelope,
                                  cab_report_envelope *told, cab_error *error);

/* "envelope 0.00123 m^3 (cells of 1 mm), 12.3 mm from collider "ball"" */
void cab_cli_print_envelope(const cab_report_envelope *told);

#endif

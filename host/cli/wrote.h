/* What a command has written, for its last line. */
#ifndef CAB_WROTE_H
#define CAB_WROTE_H

#include <stdio.h>
#include <time.h>

#include "cli/options.h"

/* ", wrote last.csv knot.png (1280 x 720, 143 KiB) knot_%04d.png (121 pictures, 12.3 MiB) report.json" of the files that
 * the options name; nothing where there are none. `outputs`: they are there, not only the report.
 * `last`: the last frame of numbered pictures, of which those count that are not older than `since`. */
void cab_cli_print_wrote(const cab_options *options, bool outputs, int last, time_t since, FILE *stream);

#endif

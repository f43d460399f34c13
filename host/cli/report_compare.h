/* clcable report NEW.json --compare OLD.json */
#ifndef CAB_REPORT_COMPARE_H
#define CAB_REPORT_COMPARE_H

#include "cli/options.h"

/* Compares, tells and writes; the exit code: 1 where something is beyond a limit that was not. */
int cab_cli_report_compare(const cab_options *options, const char *now_file);

#endif

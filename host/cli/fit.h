/* clcable fit: numbers of a scene that make it come nearest to measured tracks. */
#ifndef CAB_CLI_FIT_H
#define CAB_CLI_FIT_H

#include <clcable/fit.h>

#include "cli/options.h"

typedef struct cab_fit_command {
    const cab_options *options;
    cab_fit_sought sought[CAB_FIT_VALUES];
    char *pointer[CAB_FIT_VALUES]; /* of what is sought, to be freed */
    int count;
    cab_fit_clip *clips;
    cab_tracks *tracks; /* of the clips */
    int clip_count;
    cab_fit_found found;
    double wall; /* s */
} cab_fit_command;

/* fit_write.c */
void cab_fit_print(const cab_fit_command *fit);
cab_status cab_fit_write_report(const cab_fit_command *fit, const char *path, cab_error *error);

#endif

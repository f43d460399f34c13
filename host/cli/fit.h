/* clcable fit: numbers of a scene that make it come nearest to measured tracks. */
#ifndef CAB_CLI_FIT_H
#define CAB_CLI_FIT_H

#include <clcable/fit.h>

#include "cli/options.h"
#include "cli/queue.h"
#include "fit/job.h"

typedef struct cab_fit_command {
    const cab_options *options;
    cab_fit_sought sought[CAB_FIT_VALUES];
    char *pointer[CAB_FIT_VALUES]; /* of what is sought, to be freed */
    int count;
    cab_fit_clip *clips;
    cab_tracks *tracks; /* of the clips */
    int clip_count;
    cab_fit_found found;
    double wall;     /* s */
    char *folder;    /* where several processes share it; NULL = this one is alone, */
    cab_queue queue; /* and the work there: file >= 0 */
    int pieces;      /* of the queue, that are over */
} cab_fit_command;

/* fit_share.c */
/* Finds out whether several processes share it, and joins them. It reads the scenes, with what is sought
 * at the start of its range. */
cab_status cab_fit_join(cab_fit_command *fit, const cab_fit_def *def, cab_error *error);
cab_fit_sharing cab_fit_sharing_of(cab_fit_command *fit);

/* fit_write.c */
void cab_fit_print(const cab_fit_command *fit);
cab_status cab_fit_write_report(const cab_fit_command *fit, const char *path, cab_error *error);

#endif

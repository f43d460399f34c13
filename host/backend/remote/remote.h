/* Devices of other processes: what mpirun starts together is one program with the devices of all. Rank 0 runs the command; the others
 * serve it (cab_remote_serve), each with a device that it opens for itself, and know nothing of scenes. "rank:N" names the device
 * of rank N. A backend of such a device sends what it is asked for as a message; reads wait for the answer, all else does not. */
#ifndef CAB_REMOTE_H
#define CAB_REMOTE_H

#include "backend/backend.h"

/* Joins the other processes, `count` with this one; once, before anything else of this file. CAB_ERROR_UNSUPPORTED: there is no Open MPI;
 * CAB_ERROR_INPUT: the processes do not find each other. */
cab_status cab_remote_join(int count, int *rank, cab_error *error);

/* Serves rank 0, with the devices that `words` name in turn, until it has ended. */
void cab_remote_serve(int rank, const cab_world_def *def, const char *const *words, int count);

/* What this process has told others and heard of them until now. */
typedef struct cab_remote_traffic {
    long messages; /* heads and data each */
    double bytes;
} cab_remote_traffic;
cab_remote_traffic cab_remote_traffic_now(void);

/* Of rank 0: the others end. Also where the run has failed. */
void cab_remote_leave(void);

#endif

/* A world's state at one moment, read back for a writer. */
#ifndef CAB_SNAPSHOT_H
#define CAB_SNAPSHOT_H

#include <clcable/world.h>

typedef struct cab_snapshot {
    const cab_world *world;
    cab_world_info info;
    double *position; /* [nodes][3] m */
    double *velocity; /* [nodes][3] m/s */
    double *tension;  /* [nodes] N */
} cab_snapshot;

cab_status cab_snapshot_take(cab_world *world, cab_snapshot *snapshot, cab_error *error);
void cab_snapshot_free(cab_snapshot *snapshot);

#endif

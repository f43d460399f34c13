#include "io/snapshot.h"

#include <stdlib.h>

#include "model/error.h"

cab_status cab_snapshot_take(cab_world *world, cab_snapshot *snapshot, cab_error *error)
{
    *snapshot = (cab_snapshot){.world = world, .info = cab_world_get_info(world)};
    size_t nodes = (size_t)snapshot->info.nodes;
    snapshot->position = calloc(nodes, 3 * sizeof(double));
    snapshot->velocity = calloc(nodes, 3 * sizeof(double));
    snapshot->tension = calloc(nodes, sizeof(double));
    cab_status status;
    if (!snapshot->position || !snapshot->velocity || !snapshot->tension)
        status = cab_fail_memory(error, "a frame", nodes * 7ull * sizeof(double));
    else
        status = cab_world_read(world, snapshot->position, snapshot->velocity, snapshot->tension, error);
    if (status) cab_snapshot_free(snapshot);
    return status;
}

void cab_snapshot_free(cab_snapshot *snapshot)
{
    free(snapshot->position);
    free(snapshot->velocity);
    free(snapshot->tension);
    *snapshot = (cab_snapshot){0};
}

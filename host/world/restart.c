#include "world/restart.h"

#include "model/constraint_kind.h"
#include "world/device.h"
#include "world/loads.h"
#include "world/pieces.h"
#include "world/sleep.h"

cab_status cab_world_restart_carrier(cab_world *world, cab_error *error)
{
    world->clear = (cab_clear){0};
    cab_status status = cab_pieces_restart(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->upload && (kind->whole_frames || !world->carrier->whole_frames))
            status = kind->upload(world, error);
    }
    if (status == CAB_OK) status = cab_loads_upload(world, error);
    if (status == CAB_OK) status = world->carrier->start(world, error);
    return status == CAB_OK && !world->carrier->whole_frames ? cab_sleep_start(world, error) : status;
}

#include "cli/diverged.h"

#include "base/array.h"
#include "world/world.h"

cab_status cab_cli_find_diverged(const cab_world *world, bool *gone, cab_error *error)
{
    int count = cab_world_get_events(world, NULL, 0);
    cab_event *events;
    cab_status status = CAB_NEW(events, count, error);
    if (!status) cab_world_get_events(world, events, count);
    for (int i = 0; i < count && !status; i++)
        if (events[i].kind == CAB_EVENT_DIVERGED && events[i].cable >= 0)
            gone[world->model->bodies[events[i].cable].group] = true;
    CAB_FREE(events);
    return status;
}

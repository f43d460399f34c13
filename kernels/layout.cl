/* layout: what this device's compiler makes of the shared structs, so that a test can compare. */
#include "types.h"

CAB_KERNEL(layout, global int *layout)
{
    CAB_ITEM(i);
    if (i > 0) return;
    layout[0] = (int)sizeof(cab_params);
    layout[1] = (int)sizeof(cab_distance_constraint);
    layout[2] = (int)sizeof(cab_bending_constraint);
    layout[3] = (int)sizeof(cab_segment);
    layout[4] = (int)sizeof(cab_load_force);
    layout[5] = (int)sizeof(cab_collider);
    layout[6] = (int)sizeof(cab_contact);
    layout[7] = (int)sizeof(cab_chain);
    layout[8] = (int)sizeof(cab_errors);
    layout[11] = (int)sizeof(cab_effect);
    layout[10] = (int)sizeof(cab_chain_node);
    layout[9] = (int)sizeof(cab_breakable);
    layout[12] = (int)sizeof(cab_tile);
    layout[13] = (int)sizeof(cab_tile_move);
    layout[14] = (int)sizeof(cab_cyclic_chain);
}

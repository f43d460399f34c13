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
    layout[11] = (int)sizeof(cab_share);
    layout[10] = (int)sizeof(cab_chain_node);
    layout[9] = (int)sizeof(cab_breakable);
    layout[12] = (int)sizeof(cab_tile);
    layout[13] = (int)sizeof(cab_tile_move);
    layout[14] = (int)sizeof(cab_branch);
    layout[15] = (int)sizeof(cab_branch_node);
    layout[16] = (int)sizeof(cab_branch_factor);
    layout[17] = (int)sizeof(cab_condensed);
    layout[18] = (int)sizeof(cab_joined);
    layout[19] = (int)sizeof(cab_separator);
    layout[20] = (int)sizeof(cab_junction);
    layout[21] = (int)sizeof(cab_block);
    layout[22] = (int)sizeof(cab_block_term);
    layout[23] = (int)sizeof(cab_cyclic_chain);
    layout[24] = (int)sizeof(cab_overlap);
    layout[25] = (int)sizeof(cab_own_op);
    layout[26] = (int)sizeof(cab_own_kind);
    layout[27] = (int)sizeof(cab_own_constraint);
    layout[28] = (int)sizeof(cab_soft);
    layout[29] = (int)sizeof(cab_mesh_node);
    layout[30] = (int)sizeof(cab_triangle);
    layout[31] = (int)sizeof(cab_mesh_edge);
    layout[32] = (int)sizeof(cab_feed_link);
    layout[33] = (int)sizeof(cab_feed_step);
    layout[34] = (int)sizeof(cab_draw_node);
    layout[35] = (int)sizeof(cab_guide);
}

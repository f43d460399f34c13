#include "backend/distributed/split.h"

#include "model/tiles.h"

cab_split cab_split_of(cab_kernel kernel)
{
    enum { BY_ARGUMENT = -1, ALL = -1 };
    switch (kernel) {
    case CAB_KERNEL_lanes_lengths:
    case CAB_KERNEL_lanes_xpbd_lengths:
        return (cab_split){CAB_SPLIT_GROUPS, CAB_TILE_LENGTHS, ALL};
    case CAB_KERNEL_lanes_bending:
    case CAB_KERNEL_lanes_xpbd_bending:
    case CAB_KERNEL_lanes_viscous:
        return (cab_split){CAB_SPLIT_GROUPS, CAB_TILE_BENDING, ALL};
    case CAB_KERNEL_lanes_mixed:
    case CAB_KERNEL_lanes_xpbd_mixed:
    case CAB_KERNEL_lanes_viscous_mixed:
    case CAB_KERNEL_lanes_twist:
    case CAB_KERNEL_near_mixed:
        return (cab_split){CAB_SPLIT_GROUPS, CAB_TILE_MIXED, ALL};
    case CAB_KERNEL_near_equal:
        return (cab_split){CAB_SPLIT_GROUPS, BY_ARGUMENT, ALL};
    case CAB_KERNEL_lanes_take:
    case CAB_KERNEL_near_take:
        return (cab_split){CAB_SPLIT_TILES, 0, CAB_BUFFER_tile_kept};
    case CAB_KERNEL_viscous_take:
        return (cab_split){CAB_SPLIT_TILES, 0, CAB_BUFFER_tile_constrained};
    case CAB_KERNEL_lanes_give:
    case CAB_KERNEL_viscous_give:
    case CAB_KERNEL_near_back:
        return (cab_split){CAB_SPLIT_TILES, 0, ALL};
    case CAB_KERNEL_nets_frame:
    case CAB_KERNEL_nets_look:
    case CAB_KERNEL_nets_back:
        return (cab_split){CAB_SPLIT_NETS, 0, ALL};
    case CAB_KERNEL_nets_take:
        return (cab_split){CAB_SPLIT_NET_TILES, 0, CAB_BUFFER_tile_kept};
    case CAB_KERNEL_nets_give:
        return (cab_split){CAB_SPLIT_NET_TILES, 0, ALL};
    case CAB_KERNEL_fused:
        return (cab_split){CAB_SPLIT_CABLES, 0, ALL};
    case CAB_KERNEL_far_chains:
        return (cab_split){CAB_SPLIT_LANE_CABLES, 0, CAB_BUFFER_far_chain};
    case CAB_KERNEL_far_straight:
        return (cab_split){CAB_SPLIT_LANE_CABLES, 0, CAB_BUFFER_far_cosine};
    case CAB_KERNEL_far_parts:
        return (cab_split){CAB_SPLIT_LANE_CABLES, 0, CAB_BUFFER_far_part};
    case CAB_KERNEL_contact_force:
        return (cab_split){CAB_SPLIT_LANE_PARTICLES, 0, CAB_BUFFER_contact_force};
    default:
        return (cab_split){CAB_SPLIT_NONE, 0, ALL};
    }
}

cab_partition cab_split_partition(cab_split split)
{
    return split.unit == CAB_SPLIT_CABLES                                      ? CAB_PARTITION_CABLES
           : split.unit == CAB_SPLIT_NETS || split.unit == CAB_SPLIT_NET_TILES ? CAB_PARTITION_NETS
                                                                               : CAB_PARTITION_LANES;
}

bool cab_kernel_writes(cab_kernel kernel, cab_buffer id)
{
    int only = cab_split_of(kernel).only;
    cab_row_kind rows = cab_rows_of(id).kind;
    if (kernel == CAB_KERNEL_measure_chains || kernel == CAB_KERNEL_measure || kernel == CAB_KERNEL_draw)
        return false;
    return only >= 0 ? (int)id == only : rows != CAB_ROW_NONE && rows != CAB_ROW_FIXED;
}

cab_rows cab_rows_of(cab_buffer id)
{
    static const cab_rows rows[CAB_BUFFER_COUNT] = {
        [CAB_BUFFER_params] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_tile] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_tile_chain] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_tile_move] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_lane_constant] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_chain] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_chain_node] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_segment] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_component] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_tile_twist] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_twist_roll] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_net] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_net_tile] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_net_lane] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_net_constant] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_net_item] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_joined] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_separator] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_separator_row] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_separator_factor] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_junction] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_block] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_block_term] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_exclude_start] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_exclude] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_moving] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_group_collider] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_incident_start] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_incident] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_mesh_node] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_mesh_triangle] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_branch_node] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_bending_target] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_target] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_collider] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_collider_path] = {CAB_ROW_TABLE, 0},
        [CAB_BUFFER_near_part] = {CAB_ROW_FIXED, 0},
        [CAB_BUFFER_tile_memory] = {CAB_ROW_SCRATCH, 0},
        [CAB_BUFFER_tile_kept] = {CAB_ROW_TILE, CAB_SLOTS_KEPT * sizeof(float)},
        [CAB_BUFFER_tile_back] = {CAB_ROW_TILE, CAB_SLOTS_BACK * sizeof(float)},
        [CAB_BUFFER_tile_constrained] = {CAB_ROW_TILE, 3 * sizeof(float)},
        [CAB_BUFFER_net_memory] = {CAB_ROW_NET, sizeof(float)},
        [CAB_BUFFER_chain_errors] = {CAB_ROW_CABLE, sizeof(cab_errors)},
        [CAB_BUFFER_chain_near] = {CAB_ROW_CABLE, sizeof(int)},
        [CAB_BUFFER_far_chain] = {CAB_ROW_CABLE, CAB_FAR_NUMBERS * sizeof(float)},
        [CAB_BUFFER_far_cosine] = {CAB_ROW_CABLE, sizeof(float)},
        [CAB_BUFFER_far_part] = {CAB_ROW_CABLE, CAB_PART_NUMBERS * sizeof(float)},
        [CAB_BUFFER_contact_force] = {CAB_ROW_PARTICLE, sizeof(float)},
        [CAB_BUFFER_position] = {CAB_ROW_PARTICLE, sizeof(float4)},
        [CAB_BUFFER_residual] = {CAB_ROW_PARTICLE, sizeof(float4)},
        [CAB_BUFFER_velocity] = {CAB_ROW_PARTICLE, sizeof(float4)},
        [CAB_BUFFER_constrained] = {CAB_ROW_PARTICLE, sizeof(float4)},
        [CAB_BUFFER_slow] = {CAB_ROW_PARTICLE, sizeof(float)},
        [CAB_BUFFER_step] = {CAB_ROW_STEP, sizeof(float4)},
        [CAB_BUFFER_pressing] = {CAB_ROW_SEGMENT, sizeof(float)},
        [CAB_BUFFER_end_pressing] = {CAB_ROW_SEGMENT, 2 * sizeof(float)},
        [CAB_BUFFER_distance_lambda] = {CAB_ROW_DISTANCE, sizeof(float)},
        [CAB_BUFFER_order] = {CAB_ROW_COMPONENT, sizeof(int)},
        [CAB_BUFFER_twist] = {CAB_ROW_HOLD, sizeof(float4)},
    };
    return rows[id];
}

#include "carrier/carriers.h"

extern const cab_carrier cab_fused_carrier, cab_coloured_carrier, cab_lanes_carrier, cab_staged_carrier,
    cab_chunks_carrier;

const cab_carrier *const cab_carriers[CAB_WAY_COUNT] = {
    [CAB_WAY_FUSED] = &cab_fused_carrier,   [CAB_WAY_COLOURED] = &cab_coloured_carrier,
    [CAB_WAY_LANES] = &cab_lanes_carrier,   [CAB_WAY_STAGED] = &cab_staged_carrier,
    [CAB_WAY_CHUNKS] = &cab_chunks_carrier,
};

/* Which kernels a distributed backend splits, and what that means for each buffer. */
#ifndef CAB_SPLIT_H
#define CAB_SPLIT_H

#include "backend/backend.h"

/* What is shared out to members. Each way to share has owners of its own, so what it has computed is brought home before
 * another one goes on. */
typedef enum cab_partition {
    CAB_PARTITION_LANES = 0, /* groups of tiles of lanes */
    CAB_PARTITION_NETS,      /* nets, one after the other */
    CAB_PARTITION_CABLES,    /* cables, one after the other */
    CAB_PARTITION_COUNT
} cab_partition;

/* What a work-group of a kernel computes. */
typedef enum cab_split_unit {
    CAB_SPLIT_NONE = 0,  /* the kernel is not split: the first member runs it whole */
    CAB_SPLIT_GROUPS,    /* a share of the tiles of lanes of a kind */
    CAB_SPLIT_TILES,     /* a tile of lanes */
    CAB_SPLIT_NETS,      /* a net */
    CAB_SPLIT_NET_TILES, /* a tile of nets */
    CAB_SPLIT_CABLES,    /* a cable */
    /* what lies with the owners of tiles of lanes anyhow; a kernel of these is split only then: */
    CAB_SPLIT_LANE_CABLES,   /* each work-item a cable */
    CAB_SPLIT_LANE_PARTICLES /* a particle */
} cab_split_unit;

typedef struct cab_split {
    cab_split_unit unit;
    int kind; /* of the tiles, where `unit` is GROUPS; -1 = by CAB_FRAME_BENDS of the argument */
    int only; /* the only buffer that it writes of those that members have; -1 = all that have owners */
} cab_split;

/* How a kernel is split. */
cab_split cab_split_of(cab_kernel kernel);
cab_partition cab_split_partition(cab_split split);

/* Is it split only where what it reads lies with the owners of tiles of lanes? */
static inline bool cab_split_is_beside(cab_split split)
{
    return split.unit >= CAB_SPLIT_LANE_CABLES;
}

/* May a kernel write this buffer, which several members have? */
bool cab_kernel_writes(cab_kernel kernel, cab_buffer id);

/* What the parts of a buffer are. */
typedef enum cab_row_kind {
    CAB_ROW_NONE = 0, /* no kernel that is split has it: only the first member does */
    CAB_ROW_TABLE,    /* each member has all of it, and kernels that are split only read it */
    CAB_ROW_FIXED,    /* the same, and no other kernel writes it either */
    CAB_ROW_SCRATCH,  /* each member has it for itself */
    /* each part belongs to a member: */
    CAB_ROW_TILE,  /* `size` for each lane of each particle of a tile */
    CAB_ROW_NET,   /* what nets have of net_memory */
    CAB_ROW_CABLE, /* of a cable */
    CAB_ROW_PARTICLE,
    CAB_ROW_STEP, /* [3][P] of particles */
    CAB_ROW_SEGMENT,
    CAB_ROW_DISTANCE,  /* the multiplier of a segment's length */
    CAB_ROW_COMPONENT, /* of a cable that is joined to nothing */
    CAB_ROW_HOLD       /* the place that holds the roll at a cable's start */
} cab_row_kind;

typedef struct cab_rows {
    cab_row_kind kind;
    size_t size; /* bytes of a row */
} cab_rows;

cab_rows cab_rows_of(cab_buffer id);

/* Do members have parts of it? */
static inline bool cab_rows_have_owners(cab_rows rows)
{
    return rows.kind >= CAB_ROW_TILE;
}

#endif

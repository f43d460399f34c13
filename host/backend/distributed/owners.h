/* Which member of a distributed backend computes what, and so which parts of buffers lie with it. A member owns a run of the groups of
 * a launch over tiles, hence the tiles of these groups, the cables in them, and their particles, segments and multipliers; a run of
 * the nets; a run of the cables. What a cable comes to does not depend on who owns it. */
#ifndef CAB_OWNERS_H
#define CAB_OWNERS_H

#include "backend/distributed/split.h"
#include "model/tiles.h"

/* A part of a buffer, bytes. */
typedef struct cab_extent {
    size_t offset, bytes;
} cab_extent;

typedef struct cab_extents {
    cab_extent *at;
    int count, room;
    bool known; /* they have been found */
} cab_extents;

/* Consecutive work-groups of a launch. */
typedef struct cab_units {
    int first, count;
} cab_units;

typedef struct cab_owners {
    int members, width; /* width: cables in a tile */
    double *share;      /* [members], of the work; their sum is 1 */
    /* from the buffers of the same names: */
    cab_tile *tile;
    int *tile_chain;
    cab_chain *chain;
    cab_chain_node *chain_node;
    int *component;
    float *tile_twist;
    cab_net *net;
    cab_net_tile *net_tile;
    cab_net_lane *net_lane;
    cab_branch_node *branch_node;
    size_t twists, memory; /* floats of tile_twist, of net_memory */
    int chains, nets, net_tiles;
    int first[CAB_TILE_KIND_COUNT + 1], groups, particles, net_rows;
    cab_extents *extents; /* [CAB_PARTITION_COUNT][CAB_BUFFER_COUNT][members] */
    cab_units *runs;
    int runs_room;
} cab_owners;

/* All members own the same share at first. CAB_ERROR_MEMORY. */
cab_status cab_owners_start(cab_owners *owners, int members, int width, cab_error *error);
void cab_owners_end(cab_owners *owners);

/* Is the buffer one of those from which owners are found? Do these parameters differ from those they have been found from? */
bool cab_owners_ask(cab_buffer id);
bool cab_owners_differ(const cab_owners *owners, const cab_params *params);
/* Reads these buffers; forgets all extents. Also due when shares have changed. bytes: of each buffer, as it was asked for. */
cab_status cab_owners_read(cab_owners *owners, cab_backend *home, const size_t *bytes, cab_error *error);

/* How many work-groups a launch of everything has; -1 = there is nothing of that kind. */
int cab_owners_units(const cab_owners *owners, cab_split split, int argument);
/* The work-groups of such a launch that are a member's: their number, and where they are, until the next call, in *runs; -1:
 * no memory. */
int cab_owners_runs(cab_owners *owners, cab_split split, int argument, int member, const cab_units **runs);

/* The parts of a buffer that a member owns, in order; NULL: no memory. Valid until the next cab_owners_read(). */
const cab_extents *cab_owners_extents(cab_owners *owners, cab_partition partition, cab_buffer id, int member,
                                      cab_error *error);

#endif

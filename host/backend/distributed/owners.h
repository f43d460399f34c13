/* Which member of a distributed backend computes which tiles of lanes, and so which parts of buffers lie with it. A member owns a
 * run of the groups of a launch over tiles, hence the tiles of these groups, the cables in them, and their particles, segments
 * and multipliers. What a cable comes to does not depend on who owns it. */
#ifndef CAB_OWNERS_H
#define CAB_OWNERS_H

#include "backend/backend.h"
#include "model/tiles.h"

/* How a kernel is shared out. */
typedef enum cab_split_unit {
    CAB_SPLIT_NONE = 0, /* it is not: the first member runs it whole */
    CAB_SPLIT_GROUPS,   /* its work-groups, each of which takes a share of the tiles of a kind */
    CAB_SPLIT_TILES     /* its work-groups, one for each tile */
} cab_split_unit;

typedef struct cab_split {
    cab_split_unit unit;
    int kind;   /* of the tiles, where `unit` is groups; -1 = by CAB_FRAME_BENDS of the argument */
    bool takes; /* it writes only what tiles keep, all else it reads */
} cab_split;

/* How a kernel is shared out. */
cab_split cab_split_of(cab_kernel kernel);

/* What becomes of a buffer where kernels are shared out. */
typedef enum cab_split_buffer {
    CAB_BUFFER_AT_HOME = 0, /* no kernel that is shared out has it: only the first member does */
    CAB_BUFFER_TABLE,       /* each member has all of it; such kernels only read it */
    CAB_BUFFER_SCRATCH,     /* each member has it for itself */
    CAB_BUFFER_OF_TILES,    /* each part belongs to who owns the tile; so it does in the next kind */
    CAB_BUFFER_OF_CABLES
} cab_split_buffer;

cab_split_buffer cab_split_buffer_of(cab_buffer id);

/* Does only the host write it? */
bool cab_buffer_is_fixed(cab_buffer id);
/* Does a kernel that is not shared out only read all that is OF_CABLES? */
bool cab_kernel_only_reads(cab_kernel kernel);

/* A part of a buffer, bytes. */
typedef struct cab_extent {
    size_t offset, bytes;
} cab_extent;

typedef struct cab_extents {
    cab_extent *at;
    int count, room;
    bool known;
} cab_extents;

/* Consecutive groups or tiles. */
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
    size_t twists; /* floats of tile_twist */
    int first[CAB_TILE_KIND_COUNT + 1], groups, particles;
    cab_extents *extents; /* [CAB_BUFFER_COUNT][members] */
    cab_units *runs;      /* room for one a tile */
} cab_owners;

/* All members own the same share at first. CAB_ERROR_MEMORY. */
cab_status cab_owners_start(cab_owners *owners, int members, int width, cab_error *error);
void cab_owners_end(cab_owners *owners);

/* Is the buffer one of those from which owners are found? */
bool cab_owners_ask(cab_buffer id);
/* Reads these buffers; forgets all extents. Also due when shares have changed. */
cab_status cab_owners_read(cab_owners *owners, cab_backend *home, cab_error *error);

/* How many units a launch of all tiles has; -1 = the argument is none of such a launch. */
int cab_owners_units(const cab_owners *owners, cab_split split, int argument);
/* The groups or tiles that a member computes in a launch; their number, and where they are, until the next call, in *runs. */
int cab_owners_runs(cab_owners *owners, cab_split split, int argument, int member, const cab_units **runs);

/* The parts of a buffer, which is of tiles or of cables, that a member owns, in order; NULL: no memory. Valid until the next
 * cab_owners_read(). */
const cab_extents *cab_owners_extents(cab_owners *owners, cab_buffer id, int member, cab_error *error);

#endif

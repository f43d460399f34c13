/* What the kernels of nets in lanes (nets.cl) share with the host. */
#ifndef CAB_NET_TYPES_H
#define CAB_NET_TYPES_H

#include "dialect.h"

#define CAB_NET_PASSES 6       /* Newton passes at most; then the frame is computed stage by stage */
#define CAB_NET_LANES_MOST 256 /* of a net: limits are kept for all pairs of its lanes */
#define CAB_NET_LEASH 1e-3f    /* m; unit in which a frame is told how far anything may move in it */

/* Components side by side that one work-item computes: tiles of branches, a lane each. Places in net_memory are those of
 * their first float; places in net_item those of their first int. */
typedef struct cab_net {
    int tile, tile_count;
    int row, row_count; /* rows of its tiles: nodes of all lanes */
    int component, component_count;
    int joined, joined_count;
    int lanes; /* tile_count times the lanes of a tile */
    /* in net_memory: */
    int number; /* [CAB_NET_NUMBERS][lanes] */
    int limit;  /* [lanes][lanes] m; see net_apart.h */
    int turn;   /* [pairs] the same for pairs of lanes that meet, rad */
    int spike; /* [rows][lanes of a tile] of the elimination of lengths: the entry of the end, over the pivot */
    int off;   /* [components] 1 = a length is still off */
    int separator;             /* [separators][3] right sides of the bending, then displacements */
    int move, diagonal, block; /* [junctions][3], [junctions][6], [blocks][9] as in direct_junction.cl */
    /* in net_item: */
    int pair,
        pair_count; /* [pairs] 4 numbers: two lanes that meet, and which end of each, 0 or 1; -1 = a lane with itself */
    int copy; /* [separators + 1] where copies of each begin, then these: places in tile_memory */
    int junction_item, block_item; /* as the buffers of that name, lanes instead of branches */
    int unused;
} cab_net;

typedef struct cab_net_tile {
    int row, count;  /* its first row; nodes of its longest branch */
    int constants;   /* first float in net_constant, of second order: [count][CAB_CONSTANTS][lanes], then
                        [count][CAB_NET_CONSTANTS][lanes] */
    int order_apart; /* floats to those of first order */
} cab_net_tile;

/* A lane: a branch that is a whole cable. */
typedef struct cab_net_lane {
    int first, count;     /* nodes */
    int live;             /* 0: it only fills its tile */
    int start, end;       /* junctions at its ends; -1 = none, or held */
    int component;        /* of its net */
    int segment;          /* its first */
    int give, give_count; /* nodes that it writes: of several with a particle the first does */
    int number; /* place in net_memory of its CAB_NET_TRAVEL; its next number stands `lanes` further */
    int lanes;  /* of its net */
    int unused;
} cab_net_lane;

/* Constants of a node beside CAB_CONSTANTS */
#define CAB_NET_SPIKE                                                                                        \
    0 /* entries of the separators at the start, and next to it, in the factor of the bending */
#define CAB_NET_SPIKE_NEXT 1
#define CAB_NET_PER_REST 2 /* 1/rest^2 of the segment that starts here; 0 = none */
#define CAB_NET_CONSTANTS 3

#define CAB_NET_BEND 3 /* CAB_SLOT_BEND in tile_memory: the host lists copies of separators */

/* Numbers of a lane. The branch condensed to its ends, as in cab_condensed: */
#define CAB_NET_START 0
#define CAB_NET_END 3
#define CAB_NET_START_START 6
#define CAB_NET_START_END 7
#define CAB_NET_END_END 8
#define CAB_NET_START_PULL 9
#define CAB_NET_END_PULL 10
/* in this net: nodes; 1 where a junction is at its end; radius, m */
#define CAB_NET_NODES 11
#define CAB_NET_JOINS 12
#define CAB_NET_RADIUS 13
/* 1 = to be solved in this Newton pass */
#define CAB_NET_TODO 14
/* since limits were set: ways of its fastest nodes, m; turns of its fastest segments, rad; the way at which a collider may be touched */
#define CAB_NET_TRAVEL 15
#define CAB_NET_TURN 16
#define CAB_NET_GAP 17
#define CAB_NET_STEP 18 /* m; the way in the last substep */
#define CAB_NET_LOW 19  /* a box around it, m */
#define CAB_NET_HIGH 22
#define CAB_NET_NUMBERS 25

/* What a net tells the host after a frame: net_memory begins with these. */
#define CAB_NET_FAILED 0 /* it has to be computed stage by stage */
#define CAB_NET_MOVED 1  /* m; the sum of the longest ways in substeps */
#define CAB_NET_LEFT 2   /* m; how far anything may move before it may touch a collider */
#define CAB_NET_BOX 3    /* low, high: around all of it, m */
#define CAB_NET_SHARED 9 /* between work-items */
#define CAB_NET_REPORT 16

#endif

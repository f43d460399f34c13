/* What the direct method's kernels share with the host. */
#ifndef CAB_DIRECT_TYPES_H
#define CAB_DIRECT_TYPES_H

#include "dialect.h"
#include "launch_types.h"

#define CAB_LENGTH_ERROR 1e-4f /* relative error of a length above which there is a second Newton pass, */
#define CAB_NEWTON_PASSES 3    /* and a third; */
/* Long held branches have as many as CAB_TAUT_PASSES, for lengths within CAB_TAUT_ERROR. At the start they do not know
 * their tension. Later, an error of all lengths is one of the sag: a cable that is a share s longer than its span
 * sags by sqrt(3/8 s) of it, so that an error of s makes it half as deep again, or straight. */
#define CAB_TAUT_PASSES 16
#define CAB_TAUT_ERROR 1e-5f

/* Pivots of the lengths are larger by this share of the inverse masses. This damps the Newton step slightly,
 * and keeps the equations solvable where lengths contradict each other. */
#define CAB_REGULARISATION 1e-4f
/* The same for a single cable that is held at most once. Its lengths can always be met, and in a long cable a
 * larger regularisation would outweigh the pivots of the slow modes, (pi/2n)^2 of w. */
#define CAB_REGULARISATION_FREE 1e-7f
/* Where lengths contradict each other, as between two holds that are too far apart, multipliers grow as far
 * as CAB_REGULARISATION lets them. A particle that they pull by more than its own inertia, w (lambda/l +
 * lambda/l) > 1, would be thrown from one side to the other. Where lengths cannot be met such a particle
 * counts as heavier by that factor: its inverse mass is multiplied by `slow`. */

/* Values of `stiff`: a component is not, it takes the next Newton pass, it needs no further one. */
#define CAB_STIFF_NOT 0
#define CAB_STIFF_MOVES 1
#define CAB_STIFF_SETTLED 2
#define CAB_STIFF_COUPLED 3 /* it is solved together with its bending (coupled.cl), in every pass */

/* Nodes: longer branches that are held need tension's stiffness for their lengths. The tests' program for
 * oclgrind, where every node costs seconds, has a smaller limit. */
#ifndef CAB_STIFF_LONG
#define CAB_STIFF_LONG 128
#endif
/* Nodes: from here on that matters more than the speed of lanes, which have none. */
#define CAB_LANES_LONG 300
#define CAB_STIFF_SOFTER 1e-4f /* with it so much of CAB_REGULARISATION is enough */
#define CAB_STIFF_LOST 1e-3f   /* relative error of a length at the end of a substep, which cannot be met */
#define CAB_STIFF_HARD                                                                                       \
    0.3f /* of a segment's inertia: so much stiffness of its tension outweighs that in a substep */
#define CAB_STIFF_OFTEN 3 /* when that happens in so many substeps in a row */
/* What a branch has come to at the end of a substep: a contact presses on it; it overlaps a collider by more than
 * CAB_STIFF_DEEP; a length is off by more than CAB_STIFF_LOST. */
#define CAB_OUTCOME_PRESSED 1
#define CAB_OUTCOME_DEEP 2
#define CAB_OUTCOME_OFF 4
#define CAB_STIFF_DEEP 0.05f /* of the radius: an overlap that lengths have pulled it into */

#define CAB_ORDER_ASLEEP 2 /* value of `order` for a component that sleeps; 0 = second order, 1 = first */

/* Are contacts with colliders inside the equations of a component, and change in each pass? */
CAB_INLINE int cab_stiff_presses(int stiff)
{
    return stiff == CAB_STIFF_MOVES || stiff == CAB_STIFF_COUPLED;
}

/* Does a component take no part in a Newton pass? flags: CAB_NEWTON_...; order, stiff: one of those values */
CAB_INLINE int cab_newton_skips(int flags, int order, int stiff, int off)
{
    if (order == CAB_ORDER_ASLEEP) return 1;
    if (flags & CAB_NEWTON_STIFF && stiff != CAB_STIFF_NOT) return stiff != CAB_STIFF_MOVES;
    if (flags & CAB_NEWTON_TAUT) return 1;
    return flags & CAB_NEWTON_WHERE_OFF && !off;
}

#define CAB_TAUT_RIGID 2

/* A branch is the part of a cable between two ends or junctions: nodes first ... first + count - 1. */
typedef struct cab_branch {
    int first, count;
    int run, run_count; /* the nodes that are not separators */
    int start, end;     /* junctions at its start and end; -1 = none, or held */
    int component;
    int segment; /* the first of its segments */
    /* particles at the start, next to it, next to the end, at the end; -1 = none */
    int separator[4];
    int taut; /* it is long, or nearly straight between two holds: it needs the stiffness of its tension. CAB_TAUT_RIGID: a
                 rigid body is in its component */
    int span; /* 1: it lies in a tile of spans (kernels/spans.cl), */
    int lane; /* or of branches side by side (kernels/direct_lanes.cl) */
    int fed;  /* 1: a drum pays it out and reels it in; it lies in no tile */
} cab_branch;

/* Branches that end at no junction, side by side. span_branch[l + lanes * tile] is the branch in lane l; ~branch where
 * the lane only fills the tile and writes nothing. The rest is for whole frames (span_frame.cl). There the constants of node i
 * are the row span_row[i + first] in span_table, of first order span_row[i + first_order]: twice its first float,
 * and 1 more where it has numbers for each lane. Rows are shared by nodes with the same numbers. */
typedef struct cab_span_tile {
    int first;           /* node of the tile's first in span_constant, span_memory and tile_kept */
    int count, shortest; /* nodes of the longest branch and of the shortest */
    int first_order;
    int spikes; /* nodes from which on the separator at the start is not felt */
    int move, move_count;
    int turned; /* 1: some bending has a target */
} cab_span_tile;

/* A hold between two spans, and the bending about it: as CAB_CONSTANT_BEFORE and so on, of second order, then of first. */
typedef struct cab_span_hold {
    int before, after; /* branches; before = -1: there is none */
    float before_factor, after_factor;
    float stiff_before[2], stiff_after[2];
    float target[2][3];
    int unused[2];
} cab_span_hold;

/* Floats of a node of such a tile for each lane: constants, as in cab_branch_node and cab_branch_factor, */
#define CAB_SPAN_REST 0
#define CAB_SPAN_COMPLIANCE 1
#define CAB_SPAN_REGULARISATION 2
#define CAB_SPAN_WEIGHT 3 /* of second order, then of first */
#define CAB_SPAN_CONSTANTS 5
/* and work memory, which a Newton pass leaves to the next one. */
#define CAB_SPAN_U 0         /* unit vector of the segment that starts here */
#define CAB_SPAN_LENGTH 3    /* of that segment before the pass, m */
#define CAB_SPAN_STIFFNESS 4 /* tension of the last substep over that, kg; 0 under pressure */
#define CAB_SPAN_INVERSE 5   /* as in cab_stiff_node */
#define CAB_SPAN_Y 11
#define CAB_SPAN_Z 14
#define CAB_SPAN_PULL 17
#define CAB_SPAN_LAST 18  /* tension of the last substep, kg m */
#define CAB_SPAN_TOTAL 19 /* multiplier in this substep so far, kg m */
#define CAB_SPAN_PIVOT 20 /* as in cab_stiff_node */
#define CAB_SPAN_SLOTS 21

/* Branches with the same number of nodes, side by side. branch_lane[l + lanes * tile] is the branch in lane l; ~branch
 * where the lane only fills the tile. */
typedef struct cab_branch_tile {
    int first; /* node of the tile's first in branch_memory */
    int count; /* nodes of each branch */
} cab_branch_tile;

/* Floats of a node of such a tile for each lane: of the substep, */
#define CAB_BRANCH_PLACE 0      /* m */
#define CAB_BRANCH_WEIGHT 3     /* inverse mass, with `slow`, 1/kg */
#define CAB_BRANCH_WANTED 4     /* as in cab_branch_node */
#define CAB_BRANCH_COMPLIANCE 5 /* over h_s^2, 1/kg */
#define CAB_BRANCH_REGULARISATION 6
#define CAB_BRANCH_TOTAL 7    /* multiplier so far, kg m; */
#define CAB_BRANCH_OFFSET 8   /* and of a pass: m */
#define CAB_BRANCH_INVERSE 11 /* 1/length, 1/m */
#define CAB_BRANCH_RIGHT 12   /* right side over pivot, kg m */
#define CAB_BRANCH_BAND 13
#define CAB_BRANCH_PUSH 11       /* in the same place before that: kg m, what contacts push by */
#define CAB_BRANCH_MASS 14       /* inverse mass, 0 asleep, 1/kg */
#define CAB_BRANCH_SLOTS 15      /* odd: neighbours lie in different sets of a cache */
#define CAB_BRANCH_LANES_LEAST 2 /* of a tile's lanes one in so many is used at least */

/* A node of a branch: its particle, and the segment that starts there. */
typedef struct cab_branch_node {
    int particle;
    int distance;         /* index of its constraint; -1 = none */
    float rest;           /* m */
    float compliance;     /* divided by h^2, 1/kg */
    float regularisation; /* CAB_REGULARISATION of the inverse masses of both ends, 1/kg */
    int segment;          /* index of the segment; -1 = none */
    float wanted; /* m; the length to solve for: rest, and in pieces of a substep what pace_lengths leaves */
    /* m; of what the length was off by at the substep's start, that which goes over all its pieces */
    float kept;
} cab_branch_node;

/* Constants of a node for an order of time integration, for the bending and the lengths. */
typedef struct cab_branch_factor {
    float band, band_next;   /* entries of the next two nodes */
    float pivot;             /* 1/D, 1/kg */
    float spike, spike_next; /* entries of the separators at the start and next to it */
    float weight;            /* inverse mass / (1 + damping h_s), 1/kg; 0 = held or a junction */
    int unused[2];
} cab_branch_factor;

/* A branch condensed to its two ends; see direct_lengths.cl. */
typedef struct cab_condensed {
    float start_x, start_y, start_z, end_x, end_y, end_z; /* unit vectors of the first and the last segment */
    float start_start, start_end, end_end;                /* kg */
    float start_pull, end_pull;                           /* kg m */
    int unused;
} cab_condensed;

/* The same of a component that is stiff: the blocks that a branch adds to the equations of the junctions at its
 * ends, and its right sides. */
typedef struct cab_stiff_condensed {
    float start[6], end[6];             /* symmetric diagonal blocks, kg */
    float cross[9];                     /* row: its end, column: its start; kg */
    float start_right[3], end_right[3]; /* kg m */
    int unused;
} cab_stiff_condensed;

/* What an inner node of a branch leaves for the node before when it is eliminated by stiff_condense. */
typedef struct cab_stiff_node {
    float u[3];        /* unit vector of the segment that starts here */
    float length;      /* of that segment before the pass, m */
    float coupling[6]; /* with the next node, kg */
    float inverse[6];  /* 1/kg */
    float y[3];        /* displacement for a change of length of the segment before */
    float pivot;       /* kg */
    float z[3];        /* displacement while the next node is at rest, m */
    float pull;        /* change of tension of the segment before while the next node is at rest, kg m */
} cab_stiff_node;

/* What the contacts of a segment with colliders add to the equations of its two ends. */
typedef struct cab_press {
    float at_a[6], at_b[6], between[6]; /* symmetric blocks, kg */
    float force_a[3], force_b[3];       /* kg m */
} cab_press;

/* Cables that touch each other where one of them pulls hard (kernels/cluster.cl): of a component. Each contact has a row in
 * the Delassus operator of each of its cables. */
typedef struct cab_cluster {
    int first, count; /* of a cluster's lowest component: the cluster's contacts in cluster_list */
    int next;         /* the next component of the cluster; -1 = none */
    int row, rows;    /* its own rows */
    int matrix;       /* the first float of its operator in delassus */
} cab_cluster;

/* CAB_CLUSTER_GROUP rows side by side are of one block of the operator of one component. */
typedef struct cab_cluster_rows {
    int component;
    int first, count; /* the block's rows */
    int matrix;       /* its first float in delassus */
    int parts;        /* blocks of the component */
} cab_cluster_rows;

/* A component cannot be in a cluster; it can; it is in pieces of a substep, which ask for one that is small; and it pulls so
 * hard at a contact that there has to be one. */
#define CAB_BURDEN_UNFIT 0
#define CAB_BURDEN_LIGHT 1
#define CAB_BURDEN_FAST 2
#define CAB_BURDEN_HARD 3
/* In a cluster of more contacts at least half of the cables must pull hard; and the same in a piece of a substep, in which masses
 * would let things through. */
#define CAB_CLUSTER_SMALL 64
#define CAB_CLUSTER_SMALL_PIECE 256
#define CAB_CLUSTER_LOAD                                                                                     \
    0.05f /* of a segment's stiffness across it, T/l, to its inertia, m/h^2: from here on it pulls hard */
#define CAB_CLUSTER_OFTEN 60 /* substeps in a row that miss its lengths, after which a cable goes by masses */
#define CAB_CLUSTER_GROUP 32
#define CAB_CLUSTER_BLOCK 512        /* rows of a block at most, */
#define CAB_CLUSTER_LEAST_BLOCK 32   /* and where there is little room for many, */
#define CAB_CLUSTER_FLOATS (1 << 25) /* floats of all operators at most */
#define CAB_CLUSTER_SWEEPS 200       /* at most of a small cluster, */
#define CAB_CLUSTER_LEAST 40         /* of any, */
#define CAB_CLUSTER_WORK 819200      /* and in between so many rows' blocks in all */
#define CAB_CLUSTER_STATE 32         /* floats of a contact in cluster_state */
#define CAB_CLUSTER_ROW_STATE 9      /* and of a row in cluster_slide */
/* In cluster_row: the contact is in no cluster, or its second cable is its first one; and it has no number yet. */
#define CAB_CLUSTER_NO_ROW -1
#define CAB_CLUSTER_NOT_YET -2

/* Floats of a node in `mobility`: how it is moved by a force on it, how that changes the tension of the segment before,
 * and how a change of length of that segment does. */
#define CAB_MOBILITY 10
#define CAB_MOBILITY_PULLS 6
#define CAB_MOBILITY_STRETCHES 9

/* Numbers in cluster_count: clusters, contacts in them, groups of rows, floats of operators, rows of a block. */
#define CAB_CLUSTERS_FOUND 0
#define CAB_CLUSTERS_CONTACTS 1
#define CAB_CLUSTERS_GROUPS 2
#define CAB_CLUSTERS_FLOATS 3
#define CAB_CLUSTERS_BLOCK 4
#define CAB_CLUSTERS_NUMBERS 5

/* How many floats lie between neighbours of a column of a block. */
CAB_INLINE int cab_cluster_stride(int rows)
{
    return (rows + 15) / 16 * 16;
}

/* Floats of the operator of a cable with so many rows, in blocks of at most `block`; -1: more than there is room for. */
CAB_INLINE int cab_cluster_floats(int rows, int block)
{
    int whole = rows / block, rest = rows % block;
    if (whole > CAB_CLUSTER_FLOATS / (9 * block * block)) return -1;
    return whole * 9 * block * block + rest * 9 * cab_cluster_stride(rest);
}

/* The separators and junctions of cables that are joined to each other. */
typedef struct cab_joined {
    int component;
    int separator, separator_count;
    int junction, junction_count;
    int rigid, rigid_count; /* rigid bodies */
    int unused;
} cab_joined;

/* A particle at or next to a junction: a column of the bending's factor. Its lists end where those of the
 * next separator begin. */
typedef struct cab_separator {
    int particle;
    int row;                  /* first entry in separator_row and separator_factor */
    int item;                 /* first in separator_item: 4 branch + which of the branch's separators */
    float pivot, pivot_first; /* 1/D of second and first order, 1/kg */
    int unused[3];
} cab_separator;

/* A particle of several branches, in the order of elimination. Its lists end where those of the next junction
 * begin. */
typedef struct cab_junction {
    int particle;
    int item;               /* first in junction_item: 4 branch + (0 its start, 1 its end, 2 both) */
    int block;              /* first block of its column */
    int update;             /* first in block_term */
    float mass, mass_first; /* mass (1 + damping h_s) of second and first order, kg; 0 = a rigid body's */
    int rigid; /* 1: it is three of the six unknowns of a rigid body, and moves no particle by itself */
    int unused;
} cab_junction;

/* A block of a column. */
typedef struct cab_block {
    int row;  /* the row's junction */
    int item; /* first in block_item: 2 branch + (1: its end is at the row's junction) */
} cab_block;

/* A term of the elimination of a column: target -= row column^T. */
typedef struct cab_block_term {
    int row, column; /* blocks */
    int target;      /* block; -1 - junction = a diagonal one */
    int unused;
} cab_block_term;

#endif

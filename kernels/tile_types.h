/* What the kernels of the ways lanes and fused share with the host. */
#ifndef CAB_TILE_TYPES_H
#define CAB_TILE_TYPES_H

#include "dialect.h"

/* A tile: cables side by side, as many as a work-group of the lanes kernels has lanes. tile_chain[l + lanes *
 * tile] is the chain in lane l; ~chain where the lane only fills the tile and writes nothing back. */
typedef struct cab_tile {
    int count;       /* particles of the longest chain */
    int constants;   /* index of the first in lane_constant, [order][particle][CAB_CONSTANTS][1 or lanes] */
    int order_apart; /* floats between the constants of second and of first order */
    int move, move_count;
    int kept; /* where its part of tile_kept begins, in particles */
    int unused[2];
} cab_tile;

/* A held particle of a tile that moves; sorted by particle. */
typedef struct cab_tile_move {
    int particle, lane;
    int moving; /* index of its target */
    int unused;
} cab_tile_move;

/* Slots of a tile whose cables resist twisting (twist_sweep.h): what does not change; vectors take three. */
#define CAB_TWIST_START 0  /* direction and director of the clamp at the start, */
#define CAB_TWIST_END 6    /* and at the end */
#define CAB_TWIST_STIFF 12 /* GJ/L, N m; 0 = the lane's cable does not resist */
#define CAB_TWIST_MOST 13  /* N m */
#define CAB_TWIST_LAST 14  /* the last particle */
#define CAB_TWIST_HOLD                                                                                       \
    15 /* place that holds the roll at the start, in twist and twist_roll; the end is the next */
#define CAB_TWIST_SLOTS 16
#define CAB_TWIST_NEVER 1e9f

/* Constants of a particle for an order of time integration; h_s is 2h/3, or h at first order. */
#define CAB_CONSTANT_WEIGHT 0     /* inverse mass over 1 + damping h_s, 1/kg; 0 = held */
#define CAB_CONSTANT_STEP 1       /* factors of the last three displacements in the prediction; 0 = held */
#define CAB_CONSTANT_FALL 4       /* x, y, z: what gravity and constant forces add to the prediction, m */
#define CAB_CONSTANT_REST 7       /* rest length of the segment that starts here, m */
#define CAB_CONSTANT_COMPLIANCE 8 /* compliance of that segment over h_s^2, 1/kg */
#define CAB_CONSTANT_DIAGONAL 19  /* that and CAB_REGULARISATION of both ends' inverse masses, 1/kg */
#define CAB_CONSTANT_BAND 9       /* factor L of the bending: entries of the next two particles, */
#define CAB_CONSTANT_PIVOT 11     /* and 1/D, 1/kg */
#define CAB_CONSTANT_BEFORE 12    /* bending centred here: ga and gc of cab_bending_constraint, 1/m */
#define CAB_CONSTANT_AFTER 13
#define CAB_CONSTANT_STIFF_BEFORE 14 /* ga and gc times stiffness times h_s^2, kg m */
#define CAB_CONSTANT_STIFF_AFTER 15
#define CAB_CONSTANT_TARGET 16  /* x, y, z: its target times stiffness times h_s^2, kg m^2 */
#define CAB_CONSTANT_VISCOUS 20 /* EI tau/(cell h_s) h_s^2 of the bending centred here, kg m^2 */
#define CAB_CONSTANTS 21
#define CAB_CONSTANT_REGULARISATION 21 /* in rows of spans: as in cab_branch_node, */
#define CAB_CONSTANT_SPIKE 22 /* and the factor's entry of the separator beside the hold at the start */
#define CAB_CONSTANT_MASS 23  /* 1/CAB_CONSTANT_WEIGHT, kg; 0 = held */
#define CAB_SPAN_ROW 24

/* Floats of a particle in a tile (kernels/tile.h): what stays there between launches, and work memory. */
#define CAB_SLOTS_KEPT 17
#define CAB_SLOTS_WORK 10
#define CAB_SLOTS_NEAR 69 /* more work memory where cables may touch colliders (kernels/near.h), */
#define CAB_SLOTS_BACK                                                                                       \
    (CAB_SLOTS_KEPT + 2) /* and what leads back to the start of the frame (lanes_near.cl) */

/* How a cable lies in the local memory of the fused kernel: particle p in row p mod 6, column p / 6. Two or
 * three neighbours are in different rows, at the same column or the next one. So every colour of distances
 * (2) and bendings (3) walks along rows. */
#define CAB_FUSED_ROWS 6
/* columns are rounded up to a multiple of this, so that CPUs need no remainder loops */
#define CAB_FUSED_VECTOR 8
#define CAB_FUSED_COLUMNS(n)                                                                                 \
    (((n) + CAB_FUSED_ROWS * CAB_FUSED_VECTOR - 1) / (CAB_FUSED_ROWS * CAB_FUSED_VECTOR) * CAB_FUSED_VECTOR)
#define CAB_FUSED_ARRAYS 27
/* floats of local memory for n particles; one column is added for neighbours in the next column */
#define CAB_FUSED_FLOATS(n) (CAB_FUSED_ARRAYS * CAB_FUSED_ROWS * (CAB_FUSED_COLUMNS(n) + 1))

#endif

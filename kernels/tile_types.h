/* What the kernels of whole cables share with the host: tiles of cables in lanes, a cable in the fused kernel's local memory. */
#ifndef CAB_TILE_TYPES_H
#define CAB_TILE_TYPES_H

#include "dialect.h"

/* A tile: equally many chains as a work-group of the lanes kernels has lanes, side by side. Lane l's chain is
 * tile_chain[l + lanes of a tile * its index], ~chain where the lane only fills up and writes nothing back. */
typedef struct cab_tile {
    int count;       /* particles of the longest chain */
    int constants;   /* first float of them, [order][particle][CAB_CONSTANTS][1 or lanes of a tile] */
    int order_apart; /* floats between the constants of second and of first order */
    int move, move_count;
    int unused[3];
} cab_tile;

/* A held particle of a tile that moves; sorted by particle. */
typedef struct cab_tile_move {
    int particle, lane;
    int moving; /* index among the moving ones */
    int unused;
} cab_tile_move;

/* Constants of a particle of a tile for one order of time integration; h_s is 2h/3, or h at first order. */
#define CAB_CONSTANT_WEIGHT 0     /* inverse mass over 1 + damping h_s, 1/kg; 0 = held */
#define CAB_CONSTANT_STEP 1       /* what of the last three steps the prediction takes; 0 = held */
#define CAB_CONSTANT_FALL 4       /* x, y, z: what gravity and constant forces add to it, m */
#define CAB_CONSTANT_REST 7       /* length of the segment that starts here, m */
#define CAB_CONSTANT_COMPLIANCE 8 /* of it, over h_s^2, 1/kg */
#define CAB_CONSTANT_DIAGONAL 19  /* that and CAB_REGULARISATION of the inverse masses at its ends, 1/kg */
#define CAB_CONSTANT_BAND 9       /* bending's factor L: entries of the next particle and the one after, */
#define CAB_CONSTANT_PIVOT 11     /* and 1/D, 1/kg */
#define CAB_CONSTANT_BEFORE 12    /* of the bending here, 1/m: ga and gc of cab_bending_constraint, */
#define CAB_CONSTANT_AFTER 13
#define CAB_CONSTANT_STIFF_BEFORE 14 /* the same times its stiffness times h_s^2, kg m, */
#define CAB_CONSTANT_STIFF_AFTER 15
#define CAB_CONSTANT_TARGET 16 /* x, y, z: and its target times that, kg m^2 */
#define CAB_CONSTANTS 20

#define CAB_SLOTS 27 /* of a particle in a tile; kernels/tile.h says which */

/* How a cable lies in the fused kernel's local memory: particle p in row p mod 6, column p / 6. Two
 * neighbours, and three, are then in different rows at the same column or one off, so that every colour of
 * distances (2) and bendings (3) walks along rows. */
#define CAB_FUSED_ROWS 6
#define CAB_FUSED_VECTOR 8 /* columns are rounded up to this, so that CPUs need no remainder loops */
#define CAB_FUSED_COLUMNS(n)                                                                                 \
    (((n) + CAB_FUSED_ROWS * CAB_FUSED_VECTOR - 1) / (CAB_FUSED_ROWS * CAB_FUSED_VECTOR) * CAB_FUSED_VECTOR)
#define CAB_FUSED_ARRAYS 27
/* floats of local memory; a column more than walked, for the neighbour one off */
#define CAB_FUSED_FLOATS(n) (CAB_FUSED_ARRAYS * CAB_FUSED_ROWS * (CAB_FUSED_COLUMNS(n) + 1))

#endif

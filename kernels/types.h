/* Structs that host and device share: scalars of 4 bytes only, so that both compilers lay them out alike. The
 * sizes are pinned here for C and reported by the kernel `layout` for a test to compare.
 */
#ifndef CAB_TYPES_H
#define CAB_TYPES_H

#include "dialect.h"

/* Constants of a run; rewritten when a setting changes. */
typedef struct cab_params {
    float h;           /* substep, s */
    float inverse_h;   /* 1/s */
    float gx, gy, gz;  /* gravity, m/s^2 */
    float push_out;    /* how far an overlap may be pushed apart in one substep, m */
    float part_slowly; /* the same for what overlapped at the start of the run, m */
    float relaxation;  /* over-relaxation of the normal contact correction, 1 to 2 */
    float fast;        /* of the radius: what moves farther in a substep is swept */
    float static_way;  /* what slides less in a substep is held whatever pulls, m; 0 with Coulomb friction */
    float cell;        /* edge of a grid cell, m */
    float skin;        /* pairs are listed up to this gap, m */
    float near_skin;   /* colliders are listed up to this gap, m */
    float drift_x, drift_y,
        drift_z;    /* about how far all particles have moved together since pairs were listed, m */
    int table_mask; /* buckets of the grid - 1; a power of two - 1 */
    int particle_count;
    int node_count;
    int segment_count;
    int distance_count;
    int collider_count;
    int contact_cables; /* 1: segments of different cables collide */
    int contact_self;   /* 1: segments of one cable collide */
    int iterations;     /* per substep */
    int substeps;       /* per frame */
    int fused_substeps; /* of them in one launch of the fused kernel */
    int moving_count;
    int curved; /* 1: some cable is curved at rest */
    float sway_x, sway_y,
        sway_z;     /* about how far all particles have moved together since pairs were last looked at, m */
    int pair_count; /* candidates */
    int sort_count; /* keys to sort */
    int slot_count; /* candidates that a segment has room for while lists are made */
    int tile_first[4];      /* tiles of each kind; the last: all */
    int tile_groups;        /* groups that share the tiles of a kind, */
    int tile_floats;        /* each with this much memory */
    float equal_weight;     /* inverse mass that all free particles count with, 1/kg; 0 = each its own */
    float spring_damping;   /* c h^2, N s^3/m */
    float averaging_weight; /* of a particle's own place in averaged Jacobi */
    float wind_x, wind_y, wind_z; /* m/s */
    int length_count;             /* distances, double ones included */
    float quiet_way;              /* within which a component is quiet, m */
    int sleeping;                 /* 1: something sleeps */
} cab_params;

/* How constraints are solved: bits of a launch's argument. */
#define CAB_SOLVE_FIRST 1     /* a substep's first iteration: multipliers start from 0 */
#define CAB_SOLVE_FORGET 2    /* an iteration does not know what those before have done (PBD) */
#define CAB_SOLVE_ROOTLESS 4  /* length by one Newton step from the rest length */
#define CAB_SOLVE_AT_MOST 8   /* inequality: only what is too long, */
#define CAB_SOLVE_AT_LEAST 16 /* or too short is corrected */
#define CAB_SOLVE_HALVES 32   /* each end takes half, even where the other one is held and stays */
#define CAB_SOLVE_COLOURS 6   /* from this bit on: number of merged colours */

/* Keep two particles at a length: C = |x_b - x_a| - rest. */
typedef struct cab_distance_constraint {
    int a, b;
    float rest;       /* m */
    float compliance; /* alpha / h^2, 1/kg: l / (EA h^2); 0 = rigid. PBD: (1 - k)/k, a share of w */
} cab_distance_constraint;

/* Keep a curvature: C = ga (x_a - x_b) + gc (x_c - x_b) - target, a vector. a or c may be -1, its weight is 0
 * then. */
typedef struct cab_bending_constraint {
    int a, b, c;
    int target;       /* index of a vector; -1 = none */
    float ga, gc;     /* 1/m */
    float compliance; /* alpha / h^2, 1/(kg m^2): l / (EI h^2); 0 = rigid */
    float rest;       /* length of C at rest; 0 = straight */
} cab_bending_constraint;

/* A piece of cable between two particles: a capsule. */
typedef struct cab_segment {
    int a, b;
    int cable;
    int owner;      /* bit 0, bit 1: contacts of particle a, of b with colliders belong to this segment;
                       CAB_SEGMENT_THINS; from bit CAB_SEGMENT_GROUP on: its group */
    float radius;   /* m; the most that it can be */
    float rest;     /* m */
    float arc;      /* where it starts along its cable, m */
    float friction; /* Coulomb coefficient */
} cab_segment;

#define CAB_SEGMENT_THINS 4   /* in owner: keeps its volume, so it is thinner when stretched; cab_radius_of */
#define CAB_SEGMENT_GROUP 8   /* groups do not touch one another */
#define CAB_RADIUS_LEAST 0.5f /* of the radius: thinner it never is */

/* A constant force, or a couple that turns with its segment, on one particle. */
typedef struct cab_load_force {
    int particle;
    int far;       /* couple: the segment's other particle; -1 = a force */
    float lever;   /* couple: +1/l on the segment's second particle, -1/l on its first; 1/m */
    float x, y, z; /* N, or N m */
    int source;    /* index in the scene's loads */
    int unused;
} cab_load_force;

/* Air drag on each end of a segment, over the square of the speed; kg/m. */
typedef struct cab_segment_drag {
    float across, along; /* C rho r l / 2 */
} cab_segment_drag;

typedef struct cab_collider {
    int shape; /* cab_shape */
    float friction;
    float radius;         /* sphere, capsule; edge: how far below it a cable is still pushed out; m */
    float cx, cy, cz;     /* a point of the plane, centre, from; m */
    float tx, ty, tz;     /* plane: unit normal; capsule, edge: to - from; box: half extents */
    float qw, qx, qy, qz; /* box, mesh: unit quaternion */
    int node;             /* mesh: the root of its tree */
    int solid;            /* mesh: 1 = watertight */
    float px, py, pz;     /* edge: unit vector into the face on one side, at right angles to the edge */
    float sx, sy, sz;     /* on the other side; 0 = no face there */
    int moves;            /* 1: in this substep, to the pose above, by */
    float mx, my, mz;     /* the way of its point c, m, */
    float rw, rx, ry, rz; /* and a turn about that point, a unit quaternion */
    float unused[3];
} cab_collider;

#define CAB_SHAPE_IS_PLANE 0
#define CAB_SHAPE_IS_SPHERE 1
#define CAB_SHAPE_IS_CAPSULE 2
#define CAB_SHAPE_IS_BOX 3
#define CAB_SHAPE_IS_MESH 4
#define CAB_SHAPE_IS_EDGE 5 /* a bent or open edge of a mesh, for what lies across it */

/* A box of a mesh's tree, around its triangles. Children lie side by side. */
typedef struct cab_mesh_node {
    float lx, ly, lz; /* lower corner, m, in the mesh's own axes */
    int first;        /* child, or triangle of a leaf */
    float hx, hy, hz; /* upper corner, m */
    int count;        /* triangles of a leaf; 0 = inner */
} cab_mesh_node;
#define CAB_MESH_DEPTH 32 /* levels of a tree at most */

/* A triangle a, a + u, a + v, and which way is out at each of its parts. */
typedef struct cab_triangle {
    float ax, ay, az; /* m, in the mesh's own axes */
    float ux, uy, uz;
    float vx, vy, vz;
    float normal[21]; /* x, y, z of each: face; edges u, v and the third; corners a, a + u, a + v */
    float unused[2];
} cab_triangle;

/* An edge of a mesh that a cable can lie across: not flat, nor (in a solid) a valley. */
typedef struct cab_mesh_edge {
    int collider;
    float ax, ay, az; /* m, in the mesh's own axes */
    float ux, uy, uz; /* to its other end */
    float px, py, pz; /* as in cab_collider */
    float sx, sy, sz;
    float unused[3];
} cab_mesh_edge;

/* A touching or nearly touching pair, linearised for the substep:
 * gap(e) = gap + n . (e_second - e_first), e interpolated at `s` on the first segment and `t` on the second.
 * Of two segments the one that owns the pair is the first. With a collider there is no first; t is the
 * place. */
typedef struct cab_contact {
    float nx, ny, nz; /* unit normal, from first to second, or out of the collider */
    float gap;        /* m, for e = 0; the allowed overlap is already in it */
    float s, t;       /* 0 to 1 */
    int other;        /* the other segment */
    float friction;
    float sx, sy, sz; /* e_second - e_first at the start of the substep: where slip is counted from, m */
    float lambda;     /* normal multiplier so far in this substep, kg m */
    float fx, fy, fz; /* friction multiplier so far, kg m */
    float mass; /* of the pair along n, kg; from the first pass on divided by how crowded its particles are */
} cab_contact;

/* Contacts of cables with cables lie in rows: CAB_ROW of them side by side, number by number, so that lanes
 * read neighbours. The numbers are those of cab_contact, in this order. */
#define CAB_ROW 512   /* pairs, and contacts, that are one group's */
#define CAB_CHUNK 128 /* of them at a time */
#define CAB_CONTACT_GAP 3
#define CAB_CONTACT_S 4
#define CAB_CONTACT_T 5
#define CAB_CONTACT_FRICTION 6
#define CAB_CONTACT_START 7
#define CAB_CONTACT_LAMBDA 10
#define CAB_CONTACT_FORCE 11
#define CAB_CONTACT_MASS 14
#define CAB_CONTACT_NUMBERS 15
#define CAB_ROD_SIZE 6                                     /* float4 of a segment in the narrow phase */
#define CAB_RODS_FLOATS (20 * CAB_CHUNK)                   /* of local memory that making them needs */
#define CAB_FIND_FLOATS (2 * CAB_ROW + 23 * CAB_CHUNK + 8) /* finding contacts */
#define CAB_SOLVE_FLOATS (4 * CAB_CHUNK)                   /* and a pass over them */

/* What a segment has with others, those of its pairs that it owns. */
typedef struct cab_overlap {
    float deepest; /* m */
    int touching;
} cab_overlap;

/* What a contact does to one of its two segments: these parts of its effect to the segment's ends. */
typedef struct cab_share {
    int contact;
    float a, b; /* negative on the first segment, which takes up the opposite */
    int unused;
} cab_share;

/* A piece of a cable that one work-item goes along, and the seam to the next piece of the cable. */
typedef struct cab_chunk {
    int item;      /* first of its own constraints in chunk_item, */
    int seam_item; /* of those across the seam, */
    int end_item;  /* and past them */
    int seam;      /* the length that crosses the seam; -1 = none, or it is among the others */
    float weight;  /* inverse mass of the whole chunk, 1/kg; 0 = something in it is held */
    int unused[3];
} cab_chunk;
#define CAB_CHUNK_LEAST 8 /* particles */

/* A cable for the fused kernel. */
typedef struct cab_chain {
    int first_particle, particle_count;
} cab_chain;

/* What starts at or is centred on a particle of such a cable: a segment and a bending, 0 where there is none.
 */
typedef struct cab_chain_node {
    float rest, compliance; /* of the segment to the next particle, as in cab_distance_constraint */
    float ga, gc;           /* of the bending, as in cab_bending_constraint */
    float bending_compliance;
    float bending_rest;
    int target;   /* of the bending; -1 = none */
    int distance; /* index of the segment's distance constraint; -1 = none */
} cab_chain_node;

/* A node of a fed cable, counted from its drum, and its segment on the drum's side. */
typedef struct cab_feed_link {
    int particle;
    int distance; /* -1 = the drum itself */
    int bending;  /* centred at the node; -1 = none */
    int feed;     /* the drum */
} cab_feed_link;

/* A drum at the end of a substep: the first node that is free, and the one after it. */
typedef struct cab_feed_step {
    int drum;                     /* in feed_link */
    int first;                    /* that is free */
    int count;                    /* of the numbers below: 1 where the cable's last one is the first */
    int released;                 /* 1: the first has come off the drum in this substep */
    float along;                  /* where, of the way to the next */
    float speed;                  /* at which cable comes off, m/s */
    float decay;                  /* what damping leaves of its velocity in a substep */
    float rest[2], compliance[2]; /* of the segments on the drum's side, as in cab_distance_constraint */
    float weight[2];              /* inverse masses, 1/kg */
    float ga[2], gc[2];           /* of the bendings, as in cab_bending_constraint */
    float bending_compliance[2];
    int unused;
} cab_feed_step;

/* A tile: equally many chains as a work-group of the lanes kernels has lanes, side by side. Lane l's chain is
 * tile_chain[l + lanes of a tile * its index], ~chain where the lane only fills up and writes nothing back.
 */
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
#define CAB_CONSTANT_EASE 19      /* that and CAB_EASE of the inverse masses at its ends, 1/kg */
#define CAB_CONSTANT_BAND 9       /* bending's factor L: entries of the next particle and the one after, */
#define CAB_CONSTANT_PIVOT 11     /* and 1/D, 1/kg */
#define CAB_CONSTANT_BEFORE                                                                                  \
    12 /* of the bending about this particle, 1/m: ga and gc of cab_bending_constraint, */
#define CAB_CONSTANT_AFTER 13
#define CAB_CONSTANT_STIFF_BEFORE 14 /* the same times its stiffness times h_s^2, kg m, */
#define CAB_CONSTANT_STIFF_AFTER 15
#define CAB_CONSTANT_TARGET 16 /* x, y, z: and its target times that, kg m^2 */
#define CAB_CONSTANTS 20

#define CAB_SLOTS 27           /* of a particle in a tile; kernels/direct.h says which */
#define CAB_LENGTH_ERROR 1e-4f /* relative; a larger error takes a second Newton pass, */
#define CAB_NEWTON_PASSES 3    /* and a third where it is still off */

/* Pivots of the lengths are larger by this share of the inverse masses: a slightly damped Newton step. */
#define CAB_EASE 1e-4f
/* The same for a lone cable that is held once at most: its lengths can always be met, and in a long one the
 * ease would outweigh the slow modes' own pivots, (pi/2n)^2 of w. */
#define CAB_EASE_FREE 1e-7f
/* Where lengths contradict each other, as between two holds that are too far apart, multipliers grow as far
 * as CAB_EASE lets them; a particle that they pull by more than its own inertia, w (lambda/l + lambda/l) > 1,
 * would be thrown from one side to the other. Where lengths cannot be met such a particle counts as heavier
 * by that factor, its inverse mass is multiplied by `slow`. */

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

/* A cable for the cyclic kernel. */
typedef struct cab_cyclic_chain {
    int constants; /* first float of them, [2 orders][CAB_CONSTANTS][particles] */
    int bending; /* first float4 of the reduction's coefficients, [2 orders][steps + 1][CAB_CYCLIC_PADDED] */
    int steps;   /* of it; -1 = no bending */
    int turned;  /* 1: some bending has a target */
} cab_cyclic_chain;

#define CAB_CYCLIC_PADDED(n) (((n) + 1) / 2 * 2) /* particles, in pairs */
#define CAB_CYCLIC_ARRAYS 28
/* floats of local memory; one more for each work-item */
#define CAB_CYCLIC_FLOATS(n, items) (CAB_CYCLIC_ARRAYS * CAB_CYCLIC_PADDED(n) + (items))

/* Errors of a block of constraints and particles. */
typedef struct cab_errors {
    float stretch_max, stretch_sum;
    float speed_max;       /* m/s; CAB_NOT_FINITE when something is not a number */
    float penetration_max; /* m */
    int worst_distance;    /* constraint with the largest stretch */
    int worst_particle;    /* the fastest */
    int contacts;
    int unused;
} cab_errors;
#define CAB_NOT_FINITE 3e38f

/* A node as it is drawn; also CAB_DRAW_... below. */
typedef struct cab_draw_node {
    int particle;
    int distance; /* of the segment that starts there, at a cable's last node of its last one; -1 = none */
    int centre;   /* the node in the middle of the three whose curvature it has; -1 = none */
    int unused;
} cab_draw_node;

/* argument of draw: the quantity, as cab_quantity of clcable/draw.h */
#define CAB_DRAW_NONE 0
#define CAB_DRAW_TENSION 1
#define CAB_DRAW_CURVATURE 2
#define CAB_DRAW_SPEED 3
#define CAB_DRAW_CONTACT 4

/* argument of contact_force: who has contacts, and whether particles have orders of time integration */
#define CAB_FORCE_CABLES 1
#define CAB_FORCE_COLLIDERS 2
#define CAB_FORCE_DIRECT 4

/* A soft attachment, or the pull of a hand: a damped spring, k and c, implicit in both. The damper is a
 * spring to where the particle comes from, so both are one spring of K = k h_s^2 + c h_s (kg) to a place
 * between there and the target. */
typedef struct cab_soft {
    int particle;
    int moving;         /* index of its target among the moving ones */
    float compliance;   /* 1/K of a whole substep, 1/kg */
    float inverse_mass; /* of the particle, 1/kg */
    float pull,
        pull_first; /* direct, of second and of first order: how far the prediction goes to the place */
    float weight, weight_first; /* and 1 / (m + K), 1/kg */
    float share, share_first;   /* k h_s^2 / K, the target's part in the place; XPBD takes the latter */
    float reach;                /* the spring pulls as if its target were no farther than this, m */
    float unused;
} cab_soft;
#define CAB_REACH_ANY 1e18f

/* A clip: a soft attachment whose target slides along an axis. */
typedef struct cab_guide {
    int soft;         /* its row; -1 = it has let go */
    float ax, ay, az; /* the axis, a unit vector */
    float play;       /* across the axis, m */
    float friction;   /* Coulomb coefficient along it */
    float grip;       /* how far the spring is drawn out by the friction that is always there, m */
    float travel;     /* how far the target may slide, m */
} cab_guide;

/* Which constraints pull at a breakable attachment on its cable's side; -1 = none. */
typedef struct cab_breakable {
    int particle;
    int distance[2];
    int bending[5];
} cab_breakable;

/* argument of a Newton pass of the direct method: */
#define CAB_PASS_GOES_ON 1   /* multipliers go on from what they are in this substep */
#define CAB_PASS_WHERE_OFF 2 /* only where lengths are off */
#define CAB_PASS_LAST 4      /* of the substep */

/* For the direct method stage by stage (direct.cl).  */

#define CAB_ORDER_ASLEEP 2 /* in `order`, beside 0 = second and 1 = first: the component sleeps */

/* A piece of cable between its ends or junctions: nodes first ... first + count - 1. */
typedef struct cab_branch {
    int first, count;
    int run, run_count; /* the nodes among them that are no separators */
    int start, end;     /* junctions there; -1 = none, or held */
    int component;
    int unused;
    int separator[4]; /* particles: start, next to it, next to the end, end; in the order of the run's bands;
                         -1 = none */
} cab_branch;

/* Of a node: its particle, and the segment that starts there. */
typedef struct cab_branch_node {
    int particle;
    int distance;     /* its constraint; -1 = none */
    float rest;       /* m */
    float compliance; /* over h^2, 1/kg */
    float ease;       /* CAB_EASE of the inverse masses of both ends, 1/kg */
    int unused[3];
} cab_branch_node;

/* Of a node and an order of time integration: the bending's factor, and the weight in the lengths. */
typedef struct cab_branch_factor {
    float band, band_next;   /* entries of the next node and the one after */
    float pivot;             /* 1/D, 1/kg */
    float spike, spike_next; /* entries of the separators at the start and next to it */
    float weight;            /* inverse mass over 1 + damping h_s, 1/kg; 0 = held or a junction */
    int unused[2];
} cab_branch_factor;

/* A branch as its ends feel it; see direct.cl. */
typedef struct cab_condensed {
    float start_x, start_y, start_z, end_x, end_y, end_z; /* directions of the first and the last segment */
    float start_start, start_end, end_end;                /* kg */
    float start_pull, end_pull;                           /* kg m */
    int unused;
} cab_condensed;

/* Joined cables: their separators and junctions. */
typedef struct cab_joined {
    int component;
    int separator, separator_count;
    int junction, junction_count;
    int unused[3];
} cab_joined;

/* A particle at or next to a junction: a column of the bending's factor. Its lists end where the next one's
 * begin. */
typedef struct cab_separator {
    int particle;
    int row;                  /* first in separator_row and separator_factor */
    int item;                 /* first in separator_item: 4 branch + (which of its separators) */
    float pivot, pivot_first; /* 1/D of second and first order, 1/kg */
    int unused[3];
} cab_separator;

/* A particle of several branches, in the order of elimination. Its lists end where the next one's begin. */
typedef struct cab_junction {
    int particle;
    int item;               /* first in junction_item: 4 branch + (0 its start, 1 its end, 2 both) */
    int block;              /* first of its column's blocks */
    int update;             /* first in block_term */
    float mass, mass_first; /* kg (1 + damping h_s), second and first order */
    int unused[2];
} cab_junction;

/* Of a column: */
typedef struct cab_block {
    int row;  /* junction */
    int item; /* first in block_item: 2 branch + (1: its end is at the row's junction) */
} cab_block;

/* target -= row column^T when their column is eliminated */
typedef struct cab_block_term {
    int row, column; /* blocks */
    int target;      /* block; -1 - junction = a diagonal one */
    int unused;
} cab_block_term;

/* The user's own constraints (own.cl). An expression is a list of operations; a and b are results of earlier
 * ones. In this order: without operands, of one result, of two, of three. */
#define CAB_OWN_CONSTANT 0 /* value */
#define CAB_OWN_INPUT 1    /* coordinate a of the stencil, m */
#define CAB_OWN_REST 2     /* rest length of a segment, m */
#define CAB_OWN_NEGATE 3
#define CAB_OWN_SQRT 4
#define CAB_OWN_FLOOR 5
#define CAB_OWN_ADD 6
#define CAB_OWN_SUBTRACT 7
#define CAB_OWN_MULTIPLY 8
#define CAB_OWN_DIVIDE 9
#define CAB_OWN_MIN 10
#define CAB_OWN_MAX 11
#define CAB_OWN_CHOOSE 12 /* b where a < 0, else c */
#define CAB_OWN_FIRST_OF_RESULTS CAB_OWN_NEGATE
#define CAB_OWN_FIRST_OF_TWO CAB_OWN_ADD

typedef struct cab_own_op {
    int op;
    int a, b, c;
    float value;
} cab_own_op;

#define CAB_OWN_OPS 256                        /* of an expression, at most */
#define CAB_OWN_PARTICLES 8                    /* of a stencil, at most */
#define CAB_OWN_INPUTS (3 * CAB_OWN_PARTICLES) /* its coordinates */
#define CAB_OWN_LANES (2 * CAB_OWN_INPUTS + 8) /* evaluations for a gradient, in whole vectors */

/* What the constraints of one entry in the scene have in common. */
typedef struct cab_own_kind {
    int first_op, op_count;
    int particles;    /* of the stencil */
    int inequality;   /* 1: C >= 0; 0: C = 0 */
    int relative;     /* 1: places are counted from the stencil's first particle, not from the origin */
    float compliance; /* alpha / h^2, h the substep */
} cab_own_kind;

typedef struct cab_own_constraint {
    int kind;
    int origin;  /* places are counted from there */
    float rest;  /* mean rest length of the stencil's segments, m */
    float apart; /* central differences look so far to both sides, m */
    int particle[CAB_OWN_PARTICLES];
} cab_own_constraint;

/* The device's limits, as measured by kernels/limits.cl. */
#define CAB_LIMIT_LANES 32   /* work-items of a group of limit_arithmetic */
#define CAB_LIMIT_FLOATS 192 /* numbers that each of them works on */
#define CAB_LIMIT_BLOCK 4096 /* floats of each array that a group of limit_stream walks */

#define CAB_BLOCK 256 /* particles, constraints or segments that one work-item of a reduction walks */

#ifndef __OPENCL_VERSION__
_Static_assert(sizeof(cab_params) == 200, "shared with kernels");
_Static_assert(sizeof(cab_distance_constraint) == 16, "shared with kernels");
_Static_assert(sizeof(cab_bending_constraint) == 32, "shared with kernels");
_Static_assert(sizeof(cab_segment) == 32, "shared with kernels");
_Static_assert(sizeof(cab_load_force) == 32, "shared with kernels");
_Static_assert(sizeof(cab_collider) == 128, "shared with kernels");
_Static_assert(sizeof(cab_mesh_node) == 32, "shared with kernels");
_Static_assert(sizeof(cab_triangle) == 128, "shared with kernels");
_Static_assert(sizeof(cab_mesh_edge) == 64, "shared with kernels");
_Static_assert(sizeof(cab_contact) == 64, "shared with kernels");
_Static_assert(sizeof(cab_share) == 16, "shared with kernels");
_Static_assert(sizeof(cab_chunk) == 32, "shared with kernels");
_Static_assert(sizeof(cab_overlap) == 8, "shared with kernels");
_Static_assert(sizeof(cab_chain) == 8, "shared with kernels");
_Static_assert(sizeof(cab_feed_link) == 16, "shared with kernels");
_Static_assert(sizeof(cab_feed_step) == 80, "shared with kernels");
_Static_assert(sizeof(cab_chain_node) == 32, "shared with kernels");
_Static_assert(sizeof(cab_branch) == 48, "shared with kernels");
_Static_assert(sizeof(cab_branch_node) == 32, "shared with kernels");
_Static_assert(sizeof(cab_branch_factor) == 32, "shared with kernels");
_Static_assert(sizeof(cab_condensed) == 48, "shared with kernels");
_Static_assert(sizeof(cab_joined) == 32, "shared with kernels");
_Static_assert(sizeof(cab_separator) == 32, "shared with kernels");
_Static_assert(sizeof(cab_junction) == 32, "shared with kernels");
_Static_assert(sizeof(cab_block) == 8, "shared with kernels");
_Static_assert(sizeof(cab_block_term) == 16, "shared with kernels");
_Static_assert(sizeof(cab_tile) == 32, "shared with kernels");
_Static_assert(sizeof(cab_tile_move) == 16, "shared with kernels");
_Static_assert(sizeof(cab_cyclic_chain) == 16, "shared with kernels");
_Static_assert(sizeof(cab_errors) == 32, "shared with kernels");
_Static_assert(sizeof(cab_soft) == 48, "shared with kernels");
_Static_assert(sizeof(cab_guide) == 32, "shared with kernels");
_Static_assert(sizeof(cab_draw_node) == 16, "shared with kernels");
_Static_assert(sizeof(cab_breakable) == 32, "shared with kernels");
_Static_assert(sizeof(cab_own_op) == 20, "shared with kernels");
_Static_assert(sizeof(cab_own_kind) == 24, "shared with kernels");
_Static_assert(sizeof(cab_own_constraint) == 48, "shared with kernels");
#endif
#endif

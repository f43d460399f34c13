/* Structs that host and device share: scalars of 4 bytes only, so that both compilers lay them out alike. Their
 * sizes are pinned at the end for C and reported by the kernel `layout` for a test to compare.
 */
#ifndef CAB_TYPES_H
#define CAB_TYPES_H

#include "contact_types.h"
#include "dialect.h"
#include "direct_types.h"
#include "launch_types.h"
#include "own_types.h"
#include "tile_types.h"

/* Constants of a run; rewritten when a setting changes. */
typedef struct cab_params {
    float h;           /* substep, s */
    float inverse_h;   /* 1/s */
    float gx, gy, gz;  /* gravity, m/s^2 */
    float push_out;    /* how far an overlap may be pushed apart in one substep, m */
    float part_slowly; /* the same for what overlapped at the start of the run, m */
    float relaxation;  /* over-relaxation of the normal contact correction, 1 to 2 */
    float fast;        /* of the radius: what moves farther in a substep is swept */
    float static_slip; /* what slides less in a substep is held whatever pulls, m; 0 with Coulomb friction */
    float cell;        /* edge of a grid cell, m */
    float skin;        /* pairs are listed up to this gap, m */
    float near_skin;   /* colliders are listed up to this gap, m */
    /* about how far all particles have moved together since pairs were listed, m */
    float drift_x, drift_y, drift_z;
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
    /* about how far all particles have moved together since pairs were last looked at, m */
    float recent_drift_x, recent_drift_y, recent_drift_z;
    int pair_count;         /* candidates */
    int sort_count;         /* keys to sort */
    int slot_count;         /* candidates that a segment has room for while lists are made */
    int tile_first[4];      /* tiles of each kind; the last: all */
    int tile_groups;        /* groups that share the tiles of a kind, */
    int tile_floats;        /* each with this much memory */
    float equal_weight;     /* inverse mass that all free particles count with, 1/kg; 0 = each its own */
    float spring_damping;   /* c h^2, N s^3/m */
    float averaging_weight; /* of a particle's own place in averaged Jacobi */
    float wind_x, wind_y, wind_z; /* m/s */
    int length_count;             /* distances, double ones included */
    float quiet_distance;         /* within which a component is quiet, m */
    int sleeping;                 /* 1: something sleeps */
} cab_params;

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
    int owner;      /* CAB_SEGMENT_OWNS_A, _OWNS_B, _THINS; from bit CAB_SEGMENT_GROUP on: its group */
    float radius;   /* m; the most that it can be */
    float rest;     /* m */
    float arc;      /* where it starts along its cable, m */
    float friction; /* Coulomb coefficient */
} cab_segment;

#define CAB_SEGMENT_OWNS_A 1  /* in owner: contacts of particle a with colliders belong to this segment, */
#define CAB_SEGMENT_OWNS_B 2  /* and those of b */
#define CAB_SEGMENT_THINS 4   /* it keeps its volume, so it is thinner when stretched; cab_radius_of */
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

/* What starts at or is centred on a particle of such a cable: a segment and a bending, 0 where there is none. */
typedef struct cab_chain_node {
    float rest, compliance; /* of the segment to the next particle, as in cab_distance_constraint */
    float ga, gc;           /* of the bending, as in cab_bending_constraint */
    float bending_compliance;
    float bending_rest;
    int target;   /* of the bending; -1 = none */
    int distance; /* index of the segment's distance constraint; -1 = none */
} cab_chain_node;

/* A node of a cable on a drum, and the segment that joins the node to its neighbour on the drum's side. The
 * rows of a drum begin with the node that the drum itself holds. */
typedef struct cab_drum_row {
    int particle;
    int distance; /* the segment's distance constraint; -1 = this is the node at the drum */
    int bending;  /* the bending constraint centred at the node; -1 = none */
    int drum;
} cab_drum_row;

/* A drum at the end of a substep: values for the first node that is not on the drum, and for the next one. */
typedef struct cab_drum_step {
    int row;                      /* the drum's first row in drum_node */
    int first_free;               /* row in drum_node of the first node that is not on the drum */
    int count;                    /* of nodes below: 2; 1 when the first free node is the cable's last one */
    int released;                 /* 1: the first free node has left the drum in this substep */
    float along;                  /* where it is between the drum (0) and the next node (1) */
    float speed;                  /* at which cable leaves the drum, m/s */
    float decay;                  /* factor by which damping reduces the velocity in a substep */
    float rest[2], compliance[2]; /* of the segments on the drum's side, as in cab_distance_constraint */
    float weight[2];              /* inverse masses, 1/kg */
    float ga[2], gc[2];           /* of the bendings, as in cab_bending_constraint */
    float bending_compliance[2];
    int unused;
} cab_drum_step;

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

/* A node as it is drawn; also CAB_DRAW_... (launch_types.h). */
typedef struct cab_draw_node {
    int particle;
    int distance; /* of the segment that starts there, at a cable's last node of its last one; -1 = none */
    int centre;   /* the node in the middle of the three whose curvature it has; -1 = none */
    int unused;
} cab_draw_node;

/* A soft attachment, or the pull of a hand: a damped spring, k and c, implicit in both. The damper is a
 * spring to where the particle comes from, so both are one spring of K = k h_s^2 + c h_s (kg) to a place
 * between there and the target. */
typedef struct cab_soft {
    int particle;
    int moving;                 /* index of its target among the moving ones */
    float compliance;           /* 1/K of a whole substep, 1/kg */
    float inverse_mass;         /* of the particle, 1/kg */
    float pull, pull_first;     /* direct, second and first order: how far the prediction goes to the place */
    float weight, weight_first; /* and 1 / (m + K), 1/kg */
    float share, share_first;   /* k h_s^2 / K, the target's part in the place; XPBD takes the latter */
    float reach;                /* the spring pulls as if its target were no farther than this, m */
    float unused;
} cab_soft;
#define CAB_REACH_ANY 1e18f

/* A clip: a soft attachment whose target slides along an axis. */
typedef struct cab_clip {
    int soft;         /* its row; -1 = it has let go */
    float ax, ay, az; /* the axis, a unit vector */
    float play;       /* across the axis, m */
    float friction;   /* Coulomb coefficient along it */
    float grip;       /* how far the spring is drawn out by the friction that is always there, m */
    float travel;     /* how far the target may slide, m */
} cab_clip;

/* Which constraints pull at a breakable attachment on its cable's side; -1 = none. */
typedef struct cab_breakable {
    int particle;
    int distance[2];
    int bending[5];
} cab_breakable;

/* The device's limits, as measured by kernels/limits.cl. */
#define CAB_LIMIT_LANES 32   /* work-items of a group of limit_arithmetic */
#define CAB_LIMIT_FLOATS 192 /* numbers that each of them works on */
#define CAB_LIMIT_BLOCK 4096 /* floats of each array that a group of limit_stream walks */

#define CAB_BLOCK 256 /* particles, constraints or segments that one work-item of a reduction walks */

/* X(struct, bytes) */
/* clang-format off */
#define CAB_SHARED_STRUCTS(X)                                                                                \
    X(cab_params, 200) X(cab_distance_constraint, 16) X(cab_bending_constraint, 32) X(cab_segment, 32)       \
    X(cab_load_force, 32) X(cab_collider, 128) X(cab_contact, 64) X(cab_chain, 8) X(cab_errors, 32)          \
    X(cab_breakable, 32) X(cab_chain_node, 32) X(cab_share, 16) X(cab_tile, 32) X(cab_tile_move, 16)         \
    X(cab_branch, 48) X(cab_branch_node, 32) X(cab_branch_factor, 32) X(cab_condensed, 48)                   \
    X(cab_joined, 32) X(cab_separator, 32) X(cab_junction, 32) X(cab_block, 8) X(cab_block_term, 16)         \
    X(cab_overlap, 8) X(cab_own_op, 20) X(cab_own_kind, 24)                          \
    X(cab_own_constraint, 48) X(cab_soft, 48) X(cab_mesh_node, 32) X(cab_triangle, 128)                      \
    X(cab_mesh_edge, 64) X(cab_drum_row, 16) X(cab_drum_step, 80) X(cab_draw_node, 16) X(cab_clip, 32)       \
    X(cab_chunk, 32)
/* clang-format on */
#ifndef __OPENCL_VERSION__
#define CAB_PIN(name, bytes) _Static_assert(sizeof(name) == (bytes), "shared with kernels");
CAB_SHARED_STRUCTS(CAB_PIN)
#endif
#endif

/* Structs that host and device share. They have scalars of 4 bytes only, so that all compilers lay them out
 * alike. Their sizes are checked at the end in C, and reported by the kernel `layout` for a test to compare.
 */
#ifndef CAB_TYPES_H
#define CAB_TYPES_H

#include "contact_types.h"
#include "coupled_types.h"
#include "dialect.h"
#include "direct_types.h"
#include "rigid_contact_types.h"
#include "socket_types.h"
#include "rigid_types.h"
#include "launch_types.h"
#include "net_types.h"
#include "own_types.h"
#include "tile_types.h"

/* Constants of all kernels; written anew when a setting changes. */
typedef struct cab_params {
    float h;           /* substep, s */
    float inverse_h;   /* 1/s */
    float gx, gy, gz;  /* gravity, m/s^2 */
    float push_out;    /* how far an overlap may be pushed apart in one substep, m */
    float push_share;  /* the largest part of an overlap that is: 1 over the number of pieces of a substep */
    float part_slowly; /* the same for overlaps from the start of the run, m */
    float
        contact_spring; /* stiffness of a contact, in the mass that meets in it over the square of a whole substep; 0 = it is rigid */
    float contact_soft; /* compliance of its multiplier, over the inverse of that mass; 0 where it is rigid */
    float relaxation;   /* over-relaxation of the normal contact correction, 1 to 2 */
    float fast;         /* of the radius: what moves farther in a substep is swept */
    float near_fast;    /* of the radius: what moves farther near a collider ends a frame in lanes */
    float slip_least;   /* below this slip in a substep friction is a damper, m */
    float static_slip;  /* contacts that slip by less in a substep stick, m; 0 = Coulomb friction */
    float cell;         /* side length of a grid cell, m */
    float skin;         /* largest gap of listed pairs, m */
    float near_skin;    /* largest gap of listed colliders, m */
    /* common displacement of all particles since pairs were listed, approximately, m */
    float drift_x, drift_y, drift_z;
    int table_mask; /* number of buckets of the grid - 1; a power of two - 1 */
    int particle_count;
    int node_count;
    int segment_count;
    int distance_count;
    int collider_count;
    int rigid_shape_count; /* of these the last ones, which are shapes of bodies */
    int near_stretches;    /* 1: near_stretch tells what is near to segments */
    int contact_cables;    /* 1: segments of different cables collide */
    int contact_self;      /* 1: segments of one cable collide */
    int touch_between;     /* 1: colliders are touched between particles, too */
    int iterations;        /* per substep */
    int substeps;          /* per frame */
    int fused_substeps;    /* substeps in a launch of the fused kernel */
    int moving_count;
    int curved; /* 1: some cable is curved at rest */
    /* the same since pairs were last looked at, m */
    float recent_drift_x, recent_drift_y, recent_drift_z;
    int pair_count;               /* candidate pairs */
    int sort_count;               /* keys to sort */
    int slot_count;               /* places for candidates of a segment while lists are made */
    int tile_first[4];            /* first tile of each kind; the last entry: number of tiles */
    int tile_groups;              /* work-groups that share the tiles of a kind, */
    int tile_floats;              /* floats of work memory of each */
    int constants_from;           /* where the constants of this substep begin in lane_constant */
    float equal_weight;           /* if above 0: the inverse mass of all free particles, 1/kg */
    float spring_damping;         /* c h^2, N s^3/m */
    float averaging_weight;       /* weight of a particle's own place in averaged Jacobi */
    float wind_x, wind_y, wind_z; /* m/s */
    int length_count;             /* number of distances, double ones included */
    float quiet_distance;         /* a component is quiet while its particles move by less, m */
    int sleeping;                 /* 1: something sleeps */
    float pace_h;                 /* a substep of the settings, s */
    float
        pace_thin; /* the sum of the radii of the thinnest pair, m: what is slow compared with it needs no pieces */
    float share;        /* of a substep of the settings that a substep is now */
    int contact_passes; /* the most contact passes in a substep */
    int cut;         /* 1: component_pieces tells the pieces of a substep, which are not the same for all */
    int twist_holds; /* places that hold the roll of cables that resist twisting */
    int net_rows;    /* rows of the tiles of nets (cab_net) */
} cab_params;

/* Keeps two particles at a distance: C = |x_b - x_a| - rest. */
typedef struct cab_distance_constraint {
    int a, b;
    float rest;       /* m */
    float compliance; /* alpha / h^2, 1/kg: l / (EA h^2); 0 = rigid. PBD: (1 - k)/k, a share of w */
} cab_distance_constraint;

/* Keeps a curvature: C = ga (x_a - x_b) + gc (x_c - x_b) - target, a vector. a or c may be -1; its weight is
 * 0 then. */
typedef struct cab_bending_constraint {
    int a, b, c;
    int target;       /* index in bending_target; -1 = none */
    float ga, gc;     /* 1/m */
    float compliance; /* alpha / h^2, 1/(kg m^2): l / (EI h^2); 0 = rigid */
    float rest;       /* length of C at rest; 0 = straight */
} cab_bending_constraint;

/* Bendings along a cable whose sections turn together, and that are damped (direct_viscous.cl). */
enum { CAB_VISCOUS_HOLDS_START = 1, CAB_VISCOUS_HOLDS_END = 2 };
typedef struct cab_viscous_run {
    int first, count; /* in viscous_bending */
    int holds;        /* CAB_VISCOUS_HOLDS_...: where a clamp holds the roll */
    int start,
        end; /* it resists twisting between these places that hold it, in twist_spin; -1 = it does not twist */
    int unused;
} cab_viscous_run;

/* A part of a cable between two places that hold its roll, and its segments (direct_twist.cl). */
typedef struct cab_twist_run {
    int first, count;      /* in twist_link */
    int start, end;        /* the places, in twist, twist_roll and twist_frame */
    float stiffness, most; /* GJ/L, and the largest moment that a substep resolves; N m */
    float omega2; /* 1/s^2; of the bodies at its ends: what all twist on them turns them back with, over their
                     inertia, summed; 0 = none turns freely */
    int unused;
} cab_twist_run;
typedef struct cab_twist_link {
    int a, b;      /* particles */
    float inverse; /* 1 / rest length, 1/m */
    int row;       /* in twist: that of its run; of cables with directors 0 */
} cab_twist_link;

/* Cables that have a director for each segment (direct_director.cl). A run: such a part of a cable between two places that hold its
 * roll, or where it ends. */
typedef struct cab_director_run {
    int first, count; /* in twist_link and director */
    int start, end;   /* the places that hold its roll, in twist_frame and director_held; -1 = none */
    int node;         /* of its first particle, in director_vertex */
    float most;       /* the largest moment of twist that a substep resolves, N m */
    int unused[2];
} cab_director_run;
/* What twists and bends about a particle. */
typedef struct cab_director_vertex {
    float twist;   /* N m, over the angle of twist; 0 where the roll is free */
    float bend[2]; /* N m, over the kink about the first and the second axis */
    int bending;   /* in director_bending; -1 = its frame is not made of both its segments' */
} cab_director_vertex;
/* A bending whose rest and stiffness have directions in the section. */
typedef struct cab_director_bending {
    int bending;       /* its constraint, whose target is in three rows: see director_bend */
    int before, after; /* its segments, in director; */
    int hold;          /* or, >= 0, the place whose frame it has */
    float soft
        [2]; /* by what share its stiffness about the first and the second axis is less than the constraint's */
    float yield; /* the kink beyond which it stays bent; 0 = none */
    int unused;
} cab_director_bending;

/* The piece of a cable or sheet between two neighbouring particles: a capsule. */
typedef struct cab_segment {
    int a, b;
    int cable;
    int owner;      /* CAB_SEGMENT_OWNS_A, _OWNS_B, _THINS; from bit CAB_SEGMENT_GROUP on: its group */
    float radius;   /* m; the largest that it can become */
    float rest;     /* m */
    float arc;      /* where it starts along its cable, m */
    float friction; /* Coulomb coefficient */
} cab_segment;

#define CAB_SEGMENT_OWNS_A 1  /* in owner: contacts of particle a with colliders belong to this segment, */
#define CAB_SEGMENT_OWNS_B 2  /* and those of b */
#define CAB_SEGMENT_THINS 4   /* it keeps its volume: it gets thinner when stretched, see cab_radius_of */
#define CAB_SEGMENT_GROUP 8   /* groups do not touch one another */
#define CAB_RADIUS_LEAST 0.5f /* of the radius: it gets no thinner than this */

/* A constant force, or a couple that turns with its segment, on one particle. */
typedef struct cab_load_force {
    int particle;
    int far;       /* couple: the segment's other particle; -1 = it is a force */
    float lever;   /* couple: +1/l on the segment's second particle, -1/l on its first; 1/m */
    float x, y, z; /* N, or N m */
    int source;    /* index in the scene's loads */
    int unused;
} cab_load_force;

/* Air drag on each end of a segment: force over squared speed, kg/m. */
typedef struct cab_segment_drag {
    float across, along; /* C rho r l / 2 */
} cab_segment_drag;

/* The part of a cable that a work-item solves, and the seam to the next chunk of the cable. */
typedef struct cab_chunk {
    int item;      /* first of its constraints in chunk_item, */
    int seam_item; /* first of those across the seam, */
    int end_item;  /* end of these */
    int seam;      /* distance that crosses the seam; -1 = none, or it is among the others */
    float weight;  /* inverse mass of the whole chunk, 1/kg; 0 = something in it is held */
    int unused[3];
} cab_chunk;
#define CAB_CHUNK_LEAST 8 /* particles */

/* A cable for the fused kernel. */
typedef struct cab_chain {
    int first_particle, particle_count;
    int first_collider; /* what surveys and near frames take for collider 0; another one than 0 in gangs only */
} cab_chain;

/* The segment that starts at a particle of such a cable, and the bending centred there; 0 = none. */
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
    int node; /* where the segment starts, as in branch_node */
    int unused[3];
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
    float fade; /* what is left of drum_slack */
} cab_drum_step;

/* Largest errors in a block of constraints and particles. */
typedef struct cab_errors {
    float stretch_max, stretch_sum;
    float speed_max;       /* m/s; CAB_NOT_FINITE when something is not a number */
    float penetration_max; /* m */
    int worst_distance;    /* constraint with the largest stretch */
    int worst_particle;
    int contacts;
    int unused;
} cab_errors;
#define CAB_NOT_FINITE 3e38f

/* A node that is drawn. For quantities see CAB_DRAW_... (launch_types.h). */
typedef struct cab_draw_node {
    int particle;
    int distance; /* of the segment that starts there (last node: that ends there); -1 = none */
    int centre;   /* middle of the three nodes whose curvature is drawn; -1 = none */
    int twist;    /* where the moment of twist is in the buffer `twist`; -1 = none */
} cab_draw_node;

/* A soft attachment, or the pull of a hand: a damped spring with constants k and c, implicit in both. The
 * damper acts like a spring to the particle's place before the substep, so both are one spring of K = k h_s^2
 * + c h_s (kg) to a place between that and the target. */
typedef struct cab_soft {
    int particle;
    int moving;         /* index of its target */
    float compliance;   /* 1/K for h_s = h, 1/kg */
    float inverse_mass; /* the particle's, 1/kg */
    float pull,
        pull_first; /* direct method, second and first order: how far the prediction moves to the place, */
    float weight, weight_first; /* 1 / (m + K), 1/kg, */
    float share, share_first;   /* k h_s^2 / K, the target's part in the place; XPBD takes share_first */
    float reach;                /* a target farther away pulls as if it were at this distance, m */
    float unused;
} cab_soft;
#define CAB_REACH_ANY 1e18f

/* A clip: a soft attachment whose target slides along an axis. */
typedef struct cab_clip {
    int soft;         /* its index in soft; -1 = it has let go */
    float ax, ay, az; /* the axis, a unit vector */
    float play;       /* free play across the axis, m */
    float friction;   /* Coulomb coefficient along it */
    float grip;       /* extension of the spring that the constant part of the friction holds, m */
    float travel;     /* largest distance that the target may slide, m */
} cab_clip;

/* The constraints whose forces a breakable attachment bears, on its cable's side, and the segments of runs that twist there; -1 = none. */
typedef struct cab_breakable {
    int particle;
    int distance[2];
    int bending[5];
    int twist[2]; /* in twist_link and twist_pull */
} cab_breakable;

/* Sizes of the measurements in kernels/limits.cl. */
#define CAB_LIMIT_LANES 32   /* work-items of a group of limit_arithmetic */
#define CAB_LIMIT_FLOATS 192 /* numbers that each work-item works on */
#define CAB_LIMIT_BLOCK 4096 /* floats of each array per group of limit_stream */

#define CAB_BLOCK 256 /* items that a work-item of a reduction walks through */

/* X(struct, bytes) */
/* clang-format off */
#define CAB_SHARED_STRUCTS(X)                                                                                \
    X(cab_params, 264) X(cab_viscous_run, 24) X(cab_twist_run, 32) X(cab_twist_link, 16) X(cab_director_run, 32)                                 \
    X(cab_director_vertex, 16) X(cab_director_bending, 32) X(cab_distance_constraint, 16) X(cab_bending_constraint, 32) X(cab_segment, 32)       \
    X(cab_load_force, 32) X(cab_collider, 136) X(cab_contact, 68) X(cab_chain, 12) X(cab_errors, 32)          \
    X(cab_breakable, 40) X(cab_chain_node, 32) X(cab_share, 16) X(cab_grip, 16) X(cab_tile, 32) X(cab_tile_move, 16)         \
    X(cab_branch, 64) X(cab_cluster, 24) X(cab_cluster_rows, 20) X(cab_branch_node, 32) X(cab_branch_factor, 32) X(cab_condensed, 48)                   \
    X(cab_stiff_condensed, 112) X(cab_stiff_node, 96) X(cab_press, 96) X(cab_coupled, 36) X(cab_coupled_column, 32) X(cab_coupled_link, 32) X(cab_coupled_bend, 32)                                       \
    X(cab_span_tile, 32) X(cab_span_hold, 64) X(cab_joined, 32) X(cab_separator, 32) X(cab_junction, 32) X(cab_block, 8) X(cab_block_term, 16) X(cab_rigid, 72) X(cab_rigid_touch, 32) X(cab_rigid_member, 32) X(cab_rigid_bent, 60) X(cab_rigid_clamp, 52) X(cab_rigid_hand, 72) X(cab_rigid_term, 32) X(cab_rigid_contact, 208) X(cab_rigid_pressed, 32) X(cab_socket, 128) X(cab_socket_state, 128) X(cab_socket_row, 52) X(cab_socket_work, 524)         \
    X(cab_overlap, 8) X(cab_own_op, 20) X(cab_own_kind, 32)                          \
    X(cab_own_constraint, 48) X(cab_soft, 48) X(cab_mesh_node, 32) X(cab_triangle, 128)                      \
    X(cab_mesh_edge, 64) X(cab_drum_row, 32) X(cab_drum_step, 80) X(cab_draw_node, 16) X(cab_clip, 32)       \
    X(cab_chunk, 32) X(cab_net, 96) X(cab_net_tile, 16) X(cab_net_lane, 48)
/* clang-format on */
#ifndef __OPENCL_VERSION__
#define CAB_PIN(name, bytes) _Static_assert(sizeof(name) == (bytes), "shared with kernels");
CAB_SHARED_STRUCTS(CAB_PIN)
#endif
#endif

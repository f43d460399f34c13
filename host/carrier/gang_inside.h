/* Gangs from the inside: gang.c brings states in and out and takes frames, gang_near.c those with contact, gang_tables.c makes tables. */
#ifndef CAB_GANG_INSIDE_H
#define CAB_GANG_INSIDE_H

#include <pthread.h>

#include "model/tiles.h"
#include "world/world.h"

typedef struct cab_gang cab_gang;

/* How much of each there is in the gang's tables, of some worlds. */
typedef struct cab_gang_counts {
    int chains, particles, distances;
    int holds; /* of the roll, where cables twist */
} cab_gang_counts;

/* A world's place in the gang: where its part of the gang's tables begins. */
typedef struct cab_member {
    cab_world *world;       /* NULL = nobody's */
    unsigned tables;        /* of the world when the gang's were made */
    cab_gang_counts before; /* of those before it */
    int moving;             /* of the targets of the coming frame */
    bool in;                /* its cables are those of its lanes: it took part in the last frame */
    int level;              /* at which the coming near frame is computed (near_pieces.h); -1 = not at all */
    int outcome;            /* what its cables tell of that */
} cab_member;

/* What there is for each substep of a frame, of all worlds. */
typedef struct cab_gang_steps {
    char *data; /* [substeps][row] */
    size_t room;
} cab_gang_steps;

/* What looks at cables without changing them: the kernels far_chains, far_straight, far_parts. */
enum { CAB_GANG_LOOKS = 3 };

/* Has one of them looked at what the buffers of particles hold, and with which argument? */
typedef struct cab_gang_looked {
    bool done;
    int argument;
} cab_gang_looked;

struct cab_gang {
    pthread_mutex_t lock; /* held by who is asked for the state of one of its worlds */
    cab_backend *backend; /* tiles, and particles of all worlds one after the other */
    int size;
    cab_gang_kind kind;
    cab_member *member;  /* [size] */
    cab_gang_counts all; /* members */
    int targets;         /* of the coming frame */
    bool damped;         /* their bending is */
    cab_tiles tiles;
    int floats;        /* of work memory of a group */
    cab_chain *chain;  /* [chains] particles counted among all */
    int *chain_member; /* [chains] whose it is */
    int *lane;         /* [tiles][lanes] as the buffer tile_chain: of who takes part */
    bool ahead;        /* the tiles have states that the worlds' buffers do not */
    cab_tile_move *move;
    int *moving;           /* [particles] index of its target; -1 = none */
    cab_gang_steps target; /* float4 [targets][2] */
    cab_gang_steps roll;   /* float [holds] rad */
    cab_errors
        *errors; /* [blocks, world by world] what the last frame came to; there is room for one a cable */
    int *near;   /* [chains] as the buffer chain_near; NULL where nothing touches */
    int *turn;   /* [tiles][lanes] as `lane`, where only those are computed that are at one level */
    bool
        stale; /* tables have to be made anew, since those of somebody who does not take part are his no more */
    int level; /* lane_constant has constants for substeps in up to 2^level pieces; -1 = it cannot have more */
    cab_collider *collider; /* [rows][colliders] of all worlds, or of each member; NULL = none */
    int collider_count;
    int collider_rows; /* 1 = all have the same; size = each its own; 0 = they are not alike */
    bool looks;        /* what looks at one of its worlds can look at all of them (cab_gang_look) */
    cab_gang_looked looked[CAB_GANG_LOOKS];
    char *seen[CAB_BUFFER_COUNT];   /* copies of buffers of particles; NULL = none */
    bool current[CAB_BUFFER_COUNT]; /* is it what the buffer holds? */
};

/* The buffer as the host sees it, read once for all worlds. */
cab_status cab_gang_see(cab_gang *gang, cab_buffer id, const char **rows, cab_error *error);

/* Does the world's state lie in the tiles of this gang? world: NULL is allowed */
bool cab_gang_has(const cab_gang *gang, const cab_world *world);

/* Are the colliders of two worlds the same? Are they alike, as many and of the same shapes in the same groups, so that each lane of a tile may have its
 * own? */
bool cab_gang_same_colliders(const cab_model *a, const cab_model *b);
bool cab_gang_alike_colliders(const cab_model *a, const cab_model *b);

/* Everybody's state from the tiles into the gang's buffers of particles; it stays in the tiles, too. */
cab_status cab_gang_give(cab_gang *gang, cab_error *error);

/* Are the tables those of everybody who takes part? */
bool cab_gang_is_current(const cab_gang *gang, cab_world *const *worlds);
/* Makes tables of all who are members now. States stay in the buffers of particles where nobody's part of them has moved. */
cab_status cab_gang_make_tables(cab_gang *gang, cab_world *const *worlds, cab_error *error);
/* The tables that cab_gang_look needs, where the worlds are alike enough. any: one of them */
cab_status cab_gang_make_looks(cab_gang *gang, const cab_world *any, cab_error *error);
/* Segments of all worlds, one after the other, with particles as they are in the gang's buffers; to be freed. */
cab_status cab_gang_segments(const cab_gang *gang, cab_segment **segment, cab_error *error);
/* A kernel of the gang. */
cab_status cab_gang_run(cab_gang *gang, cab_kernel kernel, int count, int argument, cab_error *error);
/* Tells the tiles whose chain is in each lane: [tiles][lanes]. */
cab_status cab_gang_write_lanes(cab_gang *gang, const int *lane, cab_error *error);
/* The parameters of the worlds, which fit, with what is different of the gang's tiles. any: one of them */
cab_status cab_gang_write_params(cab_gang *gang, const cab_world *any, cab_error *error);
/* Where what is led is in each substep, and how clamps are rolled. */
cab_status cab_gang_write_motion(cab_gang *gang, cab_world *const *worlds, size_t substeps, cab_error *error);
/* A launch of all tiles. number: the first substep or, in near frames, CAB_NEAR_NUMBER or 0 */
cab_status cab_gang_launch(cab_gang *gang, const cab_world *any, int number, cab_error *error);
/* Computes the substeps of a frame of worlds that may touch colliders, of which states and whole substeps' tables are there; see cab_gang_frame(). */
cab_status cab_gang_near(cab_gang *gang, cab_world *const *worlds, bool *done, cab_error *error);
/* Groups of a launch: a thread takes a native gang by itself. */
int cab_gang_groups(const cab_gang *gang);

#endif

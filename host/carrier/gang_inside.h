/* Gangs from the inside: gang.c brings states in and out and takes frames, gang_tables.c makes tables. */
#ifndef CAB_GANG_INSIDE_H
#define CAB_GANG_INSIDE_H

#include <pthread.h>

#include "model/tiles.h"
#include "world/world.h"

typedef struct cab_gang cab_gang;

/* A world's place in the gang: where its part of the gang's tables begins. */
typedef struct cab_member {
    cab_world *world; /* NULL = nobody's */
    unsigned tables;  /* of the world when the gang's were made */
    int chain, particle, distance, hold;
    int moving; /* of the targets of the coming frame */
} cab_member;

struct cab_gang {
    pthread_mutex_t lock; /* held by who is asked for the state of one of its worlds */
    cab_backend *backend; /* tiles, and particles of all worlds one after the other */
    int size;
    cab_member *member; /* [size] */
    int chains, particles, distances, targets;
    int holds;   /* of the roll of cables that twist */
    bool damped; /* their bending is */
    cab_tiles tiles;
    cab_chain *chain;  /* [chains] particles counted among all */
    int *chain_member; /* [chains] whose it is */
    int *lane;         /* [tiles][lanes] as the buffer tile_chain: of who takes part */
    bool ahead;        /* the tiles have states that the worlds' buffers do not */
    cab_tile_move *move;
    int *moving;    /* [particles] index of its target; -1 = none */
    float4 *target; /* [substeps][targets][2] */
    size_t room;    /* of it */
    float *roll;    /* [substeps][holds] rad */
    size_t roll_room;
    cab_errors *
        errors; /* [cables of all, at most] what the last frame came to; blocks of a world one after the other */
    char *seen[CAB_BUFFER_COUNT];   /* copies of buffers of particles; NULL = none */
    bool current[CAB_BUFFER_COUNT]; /* is it what the buffer holds? */
};

/* Everybody's state from the tiles into the gang's buffers of particles; it stays in the tiles, too. */
cab_status cab_gang_give(cab_gang *gang, cab_error *error);

/* Are the tables those of everybody who takes part? */
bool cab_gang_is_current(const cab_gang *gang, cab_world *const *worlds);
/* Makes tables of all who are members now. States stay in the buffers of particles where nobody's part of them has moved. */
cab_status cab_gang_make_tables(cab_gang *gang, cab_world *const *worlds, cab_error *error);
/* Makes a buffer of the gang's anew; data: NULL = zeros. */
cab_status cab_gang_upload(cab_gang *gang, cab_buffer id, const void *data, size_t count, size_t size,
                           cab_error *error);
/* Groups of a launch: a thread takes a native gang by itself. */
int cab_gang_groups(const cab_gang *gang);

#endif

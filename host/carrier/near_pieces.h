/* Near frames in pieces: where something is so fast beside a collider that its substep would be cut stage by stage (host/run/pace.h), the whole
 * frame is computed in lanes, in substeps that are 2, 4, 8 ... CAB_NEAR_PIECES_MOST times as short: 2^level. A world's first try is at the level
 * that its last frame tells. */
#ifndef CAB_NEAR_PIECES_H
#define CAB_NEAR_PIECES_H

#include "model/tiles.h"
#include "world/world.h"

#define CAB_NEAR_LEVEL_MOST 6
#define CAB_NEAR_PIECES_MOST (1 << CAB_NEAR_LEVEL_MOST)

/* Of what two cables, or launches, tell (chain_near) that which counts for both. */
int cab_near_worse(int outcome, int other);
/* The least level whose pieces are so many; -1: there is none. */
int cab_near_level_for(int pieces);
/* The level to try when a frame at `level` has told into how many pieces its substeps would have to be cut, at least; -1: there is none. */
int cab_near_next_level(const cab_world *world, int level, int outcome);

/* The tiles of the worlds' cables as they are while all substeps are cut into 2^level pieces, into whatever they are cut now.
 * worlds: [count] */
cab_status cab_near_build_tiles(cab_world *const *worlds, int count, int width, int level, cab_tiles *tiles,
                                cab_error *error);

/* Constants of tiles for whole substeps, which they have, and for pieces up to a level: one part after the other, to be freed. *all is NULL if
 * they would be laid out in another way. worlds: [count] whose models the tiles are made of, in that order. */
cab_status cab_near_constants(cab_world *const *worlds, int count, const cab_tiles *tiles, int width,
                              int level, float **all, cab_error *error);

/* Where what is led is, and how fast. */
typedef struct cab_near_led {
    cab_vec3 place, velocity;
} cab_near_led;

/* What a frame in pieces changes of a world, as it was. */
typedef struct cab_near_cut {
    cab_params params;
    cab_near_led *led; /* [moving] at the frame's end */
} cab_near_cut;

/* A frame in pieces begins: world->params are those of pieces, not yet on the device. constants: of a part of cab_near_constants() */
cab_status cab_near_cut_begin(cab_world *world, int level, size_t constants, cab_near_cut *cut,
                              cab_error *error);
/* The number that a launch of a frame at a level is told; 0: it is whole, and is the only one. */
int cab_near_number(int level, int launch);
/* A launch begins, `launch` from 0 to 2^level - 1: tables of what moves are those of its substeps, colliders are where it begins. */
cab_status cab_near_cut_window(cab_world *world, int level, int launch, cab_error *error);
/* The frame ends, or (not `done`) has to be computed in another way: all is as it was before, but for what the launches have
 * written. Frees what is in *cut; after cab_near_cut_begin() has failed, too. */
cab_status cab_near_cut_end(cab_world *world, cab_near_cut *cut, bool done, cab_error *error);

/* Computes the frame of a world in its own tiles, which hold its start. way: nothing may move further in the frame, m; *outcome: as
 * chain_near tells. If that is not done, the tiles are anywhere. */
cab_status cab_near_in_pieces(cab_world *world, double way, int level, int *outcome, cab_error *error);

/* A launch of all tiles in which nothing may move further than `way`. number: CAB_NEAR_NUMBER, or 0; *outcome: as chain_near tells */
cab_status cab_near_launch(cab_world *world, double way, int number, int *outcome, cab_error *error);

#endif

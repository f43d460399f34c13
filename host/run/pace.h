/* Substeps are cut into pieces where something is fast near what it may touch, so that nothing passes through and nothing is torn. */
#ifndef CAB_RUN_PACE_H
#define CAB_RUN_PACE_H

#include "world/world.h"

/* Before the first frame. */
cab_status cab_pace_start(cab_world *world, cab_error *error);

/* The tables of what moves over the coming frame, and how far anything that is led moves in each substep. */
cab_status cab_pace_begin_frame(cab_world *world, cab_error *error);

/* The tables of what moves for a single substep between two frames, in which nothing that is led moves. */
cab_status cab_pace_stand_still(cab_world *world, cab_error *error);

/* The pieces that each component's substep is cut into from now on, as a state has them. All that follows from the length of a
 * substep is made again, and the direct method goes on in first order. */
cab_status cab_pace_set(cab_world *world, const int *pieces, cab_error *error);

/* Where substeps are cut (cab_pieces_any), from the coming frame on they are whole. */
cab_status cab_pace_make_whole(cab_world *world, cab_error *error);

/* The substeps of a frame, by a carrier that goes stage by stage. */
cab_status cab_pace_frame(cab_world *world, cab_error *error);

#endif

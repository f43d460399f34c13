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

/* A substep of the world is one of the settings', or one of `pieces` equal pieces of it. All that follows from its length is made
 * again, and the direct method goes on in first order. */
cab_status cab_pace_set(cab_world *world, int pieces, cab_error *error);

/* The substeps of a frame, by a carrier that goes stage by stage. */
cab_status cab_pace_frame(cab_world *world, cab_error *error);

#endif

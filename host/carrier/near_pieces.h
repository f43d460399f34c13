/* Near frames in pieces: where something is so fast beside a collider that its substep would be cut stage by stage (host/run/pace.h), the whole
 * frame is computed in lanes, in substeps that are 2, 4, 8 ... CAB_NEAR_PIECES_MOST times as short. */
#ifndef CAB_NEAR_PIECES_H
#define CAB_NEAR_PIECES_H

#include "world/world.h"

#define CAB_NEAR_PIECES_MOST 64

/* Computes the frame so, from its start, which the tiles hold. way: nothing may move further in the frame, m; *outcome: into how many pieces, at
 * least; then CAB_NEAR_DONE, or it is not done and the tiles hold its start. */
cab_status cab_near_in_pieces(cab_world *world, double way, int *outcome, cab_error *error);

/* A launch of all tiles in which nothing may move further than `way`. number: CAB_NEAR_NUMBER, or 0; *outcome: as chain_near tells */
cab_status cab_near_launch(cab_world *world, double way, int number, int *outcome, cab_error *error);
/* All tiles go back to the frame's start. */
cab_status cab_near_go_back(cab_world *world, cab_error *error);

#endif

/* Near frames: frames of the carrier staged in which cables touch nothing but colliders, computed in lanes with contact
 * (kernels/lanes_near.cl), a frame a launch.
 *
 * What lanes do not provide for is noted cable by cable: what is so fast that it would have to be swept or cut, lengths that cannot be met,
 * three colliders in one place. Then the frame is computed from its start again, in pieces (near_pieces.h) or stage by stage. */
#ifndef CAB_NEAR_FRAMES_H
#define CAB_NEAR_FRAMES_H

#include "world/world.h"

/* Asks whether such frames are possible by what the scene is; fills world->clear.near_possible and near_partial, and the buffer near_part. */
cab_status cab_near_ask(cab_world *world, cab_error *error);

/* Makes the buffers that they need beside those of lanes. */
cab_status cab_near_make_tables(cab_world *world, cab_error *error);

/* Floats of work memory of a group of lanes beside those that all frames in lanes need; width: lanes of a tile. */
int cab_near_floats(const cab_world *world, const cab_tiles *tiles, int width);

/* What launches over tiles need, a world's own or a gang's: how far anything may move in the coming frame, m, also as a collider pushes it; what the buffer chain_near tells of a cable of which nothing moves further
 * than `way` m; the kernel for tiles of a kind (cab_tile_kind) and its argument, with the number for pieces (CAB_NEAR_NUMBER) or 0. */
double cab_near_way(const cab_world *world);
int cab_near_reach(double way);
cab_kernel cab_near_kernel(int kind);
int cab_near_argument(const cab_world *world, int kind, int number);
/* What is true of a world whose frame was done at a level (near_pieces.h). outcome: the worst of its cables */
void cab_near_done(cab_world *world, int level, int outcome);

/* Is everything as near frames need it at the start of one? It is asked when the frame before was none. */
cab_status cab_near_is_ready(cab_world *world, bool *ready, cab_error *error);

/* Computes the coming frame, in which nothing may move further than `way` m; *done tells. If it is not done everything is
 * as before. */
cab_status cab_near_frame(cab_world *world, double way, bool *done, cab_error *error);

#endif

/* Gangs: worlds by themselves whose cables share tiles of lanes, so that a launch fills its lanes although each world has a cable or
 * two only (batches). For worlds of the carrier lanes, and of the carrier staged where a frame of theirs is computed in lanes, which are
 * on one device and have as many cables each. A gang is of one kind (cab_gang_kind); a world may be a member of one of each.
 *
 * A world keeps all that it has, its own tiles, too. In a frame that it takes together with others, the state of its cables lies in
 * the gang's tiles and stays there from frame to frame. When somebody asks a world for it, the gang writes what its tiles hold into
 * buffers of particles of its own; there it is read, or copied into the world's. A lane does not feel the others, so a world gives
 * the bits that it gives alone.
 *
 * A gang belongs to one thread while it takes a frame. Between frames each of its worlds may belong to a thread of its own. */
#ifndef CAB_GANG_H
#define CAB_GANG_H

#include "world/world.h"

typedef struct cab_gang cab_gang;

/* A gang of at most `size` worlds. Free it after its worlds. beside: any world on the same device. */
cab_status cab_gang_create(int size, cab_gang_kind kind, const cab_world *beside, cab_gang **gang,
                           cab_error *error);
void cab_gang_destroy(cab_gang *gang); /* NULL is allowed */

/* The kind of gang that can take the coming frame, which has begun and of which it has been chosen how it is computed;
 * CAB_GANG_KIND_COUNT: none. */
cab_gang_kind cab_gang_kind_of(const cab_world *world);
/* Can two such worlds take it by one launch? */
bool cab_gang_fits(const cab_world *a, const cab_world *b);

/* Computes the substeps of that frame. worlds: [size], each always at the same index; NULL: it does not take part. All that do fit
 * each other. done: [size] of those that take part, whether it is done; a near frame may not be, and all is as before then. Who has
 * world->clear.alone then is to take the frame, as it has been chosen, by itself; of the others it is known that it must go stage by stage. */
cab_status cab_gang_frame(cab_gang *gang, cab_world *const *worlds, bool *done, cab_error *error);

/* For a world whose state lies in the gang's tiles: writes it into its buffers; `change`: it is about to be changed. */
cab_status cab_gang_settle(cab_world *world, bool change, cab_error *error);
/* The same for a part of a buffer of particles, which is only read: [bytes] from `offset` on go to `data`. */
cab_status cab_gang_fetch(cab_world *world, cab_buffer id, size_t offset, size_t bytes, void *data,
                          cab_error *error);
/* Runs a kernel that finds some numbers of each cable and changes nothing (far_chains, far_straight, far_parts) for all of the gang at once, if it
 * has not been run yet since the last frame, and takes the world's: rows[cables][numbers], of buffer `id`. *done: not if the world's state
 * does not lie there, the worlds differ in what they could touch, or another one looked with another argument; then nothing is changed. */
cab_status cab_gang_look(cab_world *world, cab_kernel kernel, int argument, cab_buffer id, size_t numbers,
                         float *rows, bool *done, cab_error *error);
/* What the last frame came to, for a world whose state lies in the gang's tiles: rows[blocks of its cables]. */
void cab_gang_measure(const cab_world *world, cab_errors *rows);
/* From now on the world's state is in its buffers, and the gang goes on without it. */
cab_status cab_gang_release(cab_world *world, cab_error *error);
/* The same for good, with all gangs: the world ends, or its carrier. */
void cab_gang_leave(cab_world *world);

#endif

/* Contact with colliders and the stiffness of tension inside the elimination of lengths (kernels/stiff.h,
 * kernels/press.cl), for cables that touch colliders, or are long or nearly straight between holds, and touch no other cable but in
 * clusters (carrier/cluster.h). A part of the carrier staged. */
#ifndef CAB_STIFF_HOST_H
#define CAB_STIFF_HOST_H

#include "world/world.h"

/* Makes the buffers. Forces from before are forgotten only by cab_stiff_restart. */
cab_status cab_stiff_start(cab_world *world, cab_error *error);
cab_status cab_stiff_restart(cab_world *world, cab_error *error);
void cab_stiff_stop(cab_world *world);

/* Chooses the components that are stiff in this substep, after its contacts have been found. Sets
 * world->staged.stiff, which is false where none is. */
cab_status cab_stiff_choose(cab_world *world, cab_error *error);

/* Notes where inertia takes the particles, before the first pass; with CAB_NEWTON_GOES_ON adds what ties and the
 * like have moved in the contact pass before. */
cab_status cab_stiff_predict(cab_world *world, int flags, cab_error *error);

/* What comes before the Newton passes' kernels that all components share, and after them. flags:
 * CAB_NEWTON_...; settle: components that need no further pass take none. */
cab_status cab_stiff_condense(cab_world *world, int flags, bool settle, cab_error *error);
cab_status cab_stiff_substitute(cab_world *world, int flags, cab_error *error);

/* Notes what presses at the end of the passes, which components have been touched, and which cannot meet their lengths. */
cab_status cab_stiff_end(cab_world *world, cab_error *error);

#endif

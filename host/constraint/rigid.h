/* Rigid bodies: what the way staged launches for them, and how they are read. */
#ifndef CAB_CONSTRAINT_RIGID_H
#define CAB_CONSTRAINT_RIGID_H

#include "world/world.h"

/* Their tables, which go with those of branches. */
cab_status cab_rigid_upload(cab_world *world, cab_error *error);
/* what: CAB_RIGID_BEGIN, ... or 0; see kernels/rigid.cl. */
cab_status cab_rigid_fit(cab_world *world, int what, cab_error *error);
/* Turns what clamps on them hold to where they are predicted, or have been brought to, in this substep. */
cab_status cab_rigid_clamp_turn(cab_world *world, cab_error *error);
/* After direct_gather: what clamps do to the bodies' own unknowns of the bending. */
cab_status cab_rigid_clamp_push(cab_world *world, cab_error *error);
/* Puts their shapes where they are to be at the substep's end; with CAB_RIGID_ENDED, where they are. */
cab_status cab_rigid_place(cab_world *world, int what, cab_error *error);
/* A Newton pass: before and after direct_junction. flags: CAB_NEWTON_... */
cab_status cab_rigid_assemble(cab_world *world, int flags, cab_error *error);
cab_status cab_rigid_move(cab_world *world, int flags, cab_error *error);
/* After direct_check. */
cab_status cab_rigid_check(cab_world *world, cab_error *error);
cab_status cab_rigid_finish(cab_world *world, cab_error *error);
/* After direct_finish. flags: CAB_NEWTON_... */
cab_status cab_rigid_tangent(cab_world *world, int flags, cab_error *error);

#endif

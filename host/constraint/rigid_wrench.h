/* What cables put on bodies, as force and torque: a mean over the frame, of the ends that they have there (world/forces.h) and of all contacts
 * with their shapes (kernels/rigid_wrench.cl). */
#ifndef CAB_CONSTRAINT_RIGID_WRENCH_H
#define CAB_CONSTRAINT_RIGID_WRENCH_H

#include "world/world.h"

cab_status cab_wrench_start(cab_world *world, cab_error *error);
/* Clears the sums. */
cab_status cab_wrench_begin_frame(cab_world *world, cab_error *error);
/* At the end of a substep: adds what contacts put on shapes. */
cab_status cab_wrench_add(cab_world *world, int substep, cab_error *error);
/* Fills in force and torque of readings that have place and spin. */
cab_status cab_wrench_read(cab_world *world, cab_body_reading *readings, cab_error *error);

#endif

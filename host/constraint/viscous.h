/* What the way staged must do about the damping of bending in the middle of a substep; see viscous.c. Without such damping they do
 * nothing. */
#ifndef CAB_VISCOUS_KIND_H
#define CAB_VISCOUS_KIND_H

#include <clcable/world.h>

/* When the bending has moved the particles, and nothing else has: notes where they are. */
cab_status cab_viscous_note(cab_world *world, cab_error *error);
/* When all is solved: finds anew how curvatures change, for the bendings' moments. */
cab_status cab_viscous_measure(cab_world *world, cab_error *error);

#endif

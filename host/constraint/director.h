/* What the way staged must do about cables with directors in the middle of a substep; see director.c. Where there are none it does
 * nothing. */
#ifndef CAB_DIRECTOR_KIND_H
#define CAB_DIRECTOR_KIND_H

#include <clcable/world.h>

/* Targets of their bendings at the places with offsets, as those are now. */
cab_status cab_director_bend(cab_world *world, cab_error *error);
/* The directors of all links as the last substep has left them, [director links], unit vectors; at the start as drawn. */
cab_status cab_director_read(cab_world *world, float *director, cab_error *error);

#endif

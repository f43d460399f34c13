/* Drawing, from the inside. */
#ifndef CAB_RUN_DRAW_H
#define CAB_RUN_DRAW_H

#include "world/world.h"

/* After the device is open: whether it shares OpenGL's buffers. */
cab_status cab_draw_start(cab_world *world, cab_error *error);
/* After a state was put in: what it knows nothing of. */
cab_status cab_draw_reset(cab_world *world, cab_error *error);
void cab_draw_end(cab_world *world);

#endif

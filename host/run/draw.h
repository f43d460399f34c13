/* Drawing, from the inside. */
#ifndef CAB_RUN_DRAW_H
#define CAB_RUN_DRAW_H

#include "world/world.h"

/* Called after the device is open: finds out whether it shares OpenGL's buffers. */
cab_status cab_draw_start(cab_world *world, cab_error *error);
/* Called after a state was restored: resets what a state does not contain. */
cab_status cab_draw_reset(cab_world *world, cab_error *error);
void cab_draw_end(cab_world *world);

#endif

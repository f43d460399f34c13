/* Clips, which a cable slides through. */
#ifndef CAB_CLIP_H
#define CAB_CLIP_H

#include "world/world.h"

/* Makes the table of clips; called whenever the rows of soft attachments are made. */
cab_status cab_clip_follow(cab_world *world, const cab_soft *soft, int soft_count, cab_error *error);

/* How far the place of each clip has slid along its axis, m; slid[attachments], those of others stay. */
cab_status cab_clip_read(cab_world *world, double *slid, cab_error *error);
/* Sets it, at rest. place[particles]: where they are, m. */
cab_status cab_clip_write(cab_world *world, const cab_vec3 *place, const double *slid, cab_error *error);

#endif

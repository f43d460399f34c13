/* Clips, which a cable slides through. */
#ifndef CAB_CLIP_H
#define CAB_CLIP_H

#include "world/world.h"

/* Makes the table of clips; called whenever the rows of soft attachments are made. */
cab_status cab_clip_follow(cab_world *world, const cab_soft *soft, int soft_count, cab_error *error);

#endif

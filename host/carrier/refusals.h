/* Reasons why a carrier cannot run a scene, where several carriers share one. Each function returns NULL or a
 * sentence. */
#ifndef CAB_REFUSALS_H
#define CAB_REFUSALS_H

#include "world/world.h"

/* For carriers that take whole frames: cables by themselves, without contact, drag, or anything that the host
 * does in between. */
const char *cab_refusal_whole_frames(const cab_world *world);

#endif

/* Why a carrier cannot take a scene, where several carriers have the same reason. Each returns NULL or a sentence. */
#ifndef CAB_REFUSALS_H
#define CAB_REFUSALS_H

#include "world/world.h"

/* Carriers that take whole frames: cables by themselves, without contact, drag, or anything that needs the host in between. */
const char *cab_refusal_whole_frames(const cab_world *world);

#endif

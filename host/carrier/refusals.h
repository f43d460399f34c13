/* Reasons why a carrier cannot run a scene, shared by several carriers. Functions return NULL or a
 * sentence. */
#ifndef CAB_REFUSALS_H
#define CAB_REFUSALS_H

#include "world/world.h"

/* For carriers of whole frames: cables by themselves, without contact and without work of the host in
 * between. */
const char *cab_refusal_whole_frames(const cab_world *world);

/* The same where nothing can touch anything in the frame. */
const char *cab_refusal_clear_frames(const cab_world *world);

/* The same whatever its cables are joined to. */
const char *cab_refusal_any_frames(const cab_world *world);

#endif

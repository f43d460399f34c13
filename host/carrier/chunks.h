/* The carrier chunks: cables cut into chunks, each solved from end to end. */
#ifndef CAB_CHUNKS_H
#define CAB_CHUNKS_H

#include "world/world.h"

/* The number of chunks of all cables. */
int cab_chunks_count(const cab_world *world);

#endif

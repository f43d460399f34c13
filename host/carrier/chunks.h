/* The carrier chunks: cables cut into chunks, each solved from end to end. */
#ifndef CAB_CHUNKS_H
#define CAB_CHUNKS_H

#include "world/launches.h"

/* Chunks of all cables together. */
int cab_chunks_count(const cab_world *world);

/* The launches that solve lengths and bendings. */
void cab_chunks_plan(cab_world *world, cab_launches *launches);

#endif

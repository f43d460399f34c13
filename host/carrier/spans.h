/* Tiles of spans (kernels/spans.cl): long held branches that end at no junction, side by side. */
#ifndef CAB_SPANS_H
#define CAB_SPANS_H

#include "world/world.h"

/* Makes and uploads the tiles of the world's branches, and marks the branches that are in them. Before the branches
 * are uploaded. */
cab_status cab_spans_start(cab_world *world, cab_error *error);

/* Do spans go through their tiles in this substep? Not where something may touch colliders. */
bool cab_spans_used(const cab_world *world);

#endif

/* Whole frames of long held cables that touch nothing, in tiles of spans (kernels/span_frame.cl). */
#ifndef CAB_SPAN_FRAME_H
#define CAB_SPAN_FRAME_H

#include "world/world.h"

/* Can this world have such frames? Where the way staged was not asked for, nothing can touch, all branches are spans
 * that need the stiffness of their tension, and nothing else is to be done between substeps. */
bool cab_span_frame_possible(const cab_world *world);

/* Makes and uploads the tables of such frames; again when forces have changed, or which held particles move. */
cab_status cab_span_frame_tables(cab_world *world, cab_error *error);

/* Computes the substeps of a frame, the first of them of first order if world->first_order. */
cab_status cab_span_frame_run(cab_world *world, cab_error *error);

/* As settle of a carrier. */
cab_status cab_span_frame_settle(cab_world *world, bool change, cab_error *error);

void cab_span_frame_end(cab_world *world);

#endif

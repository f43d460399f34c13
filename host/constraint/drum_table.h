/* Drums that pay cable out and reel it in. */
#ifndef CAB_DRUM_TABLE_H
#define CAB_DRUM_TABLE_H

#include "model/model.h"

/* Of the shortest segment: what a drum may feed in a substep. So no two particles come off it in one. */
#define CAB_DRUM_MOST 0.5

/* Metres on the drum at time t, s. */
double cab_drum_stored(const cab_model *model, const cab_drum *drum, double t);
/* The first of the feed's nodes that is free, with so many metres on the drum. */
int cab_drum_first(const cab_model *model, const cab_drum *drum, double stored);

/* Rest lengths, compliances, masses, holds of the cable at the drum with so many metres on it: of all nodes;
 * or of those that a substep changes. */
void cab_drum_set(cab_model *model, const cab_drum *drum, double stored);
void cab_drum_update(cab_model *model, const cab_drum *drum, double stored);

/* From the scene to the model: drums as they are at the start. */
cab_status cab_drums_draft(cab_model *model, cab_error *error);

#endif

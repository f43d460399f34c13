/* Drums, which pay cable out and reel it in. */
#ifndef CAB_DRUM_TABLE_H
#define CAB_DRUM_TABLE_H

#include "model/model.h"

/* Part of the shortest segment that a drum may pay out in a substep: two particles never leave it at once. */
#define CAB_DRUM_MOST 0.5

/* Metres of cable on the drum at time t, s. */
double cab_drum_stored(const cab_model *model, const cab_drum *drum, double t);
/* The drum's first free node with this length on the drum. */
int cab_drum_first(const cab_model *model, const cab_drum *drum, double stored);

/* Sets rest lengths, compliances, masses and holds of the cable with this length on the drum: of all nodes;
 * or only of those that a substep can change, where it was set for the substep before. */
void cab_drum_set(cab_model *model, cab_drum *drum, double stored);
void cab_drum_update(cab_model *model, cab_drum *drum, double stored);

/* Makes the model's drums from the scene, as they are at the start. */
cab_status cab_drums_draft(cab_model *model, cab_error *error);

#endif

/* What the segments of a body are made of. The first sections of a model are the scene's materials as they
 * are; those after them are what covers make of a cable's material. */
#ifndef CAB_SECTIONS_H
#define CAB_SECTIONS_H

#include "model/model.h"

/* Room for all sections that the scene could need. */
cab_status cab_sections_start(cab_model *model, cab_error *error);
/* The section of a cable's material with the covers whose bits are set; to be updated when all are made. */
int cab_section_of(cab_model *model, int scene_cable, int material, uint64_t covers);
/* All of them again from the materials. */
void cab_sections_update(cab_model *model);

#endif

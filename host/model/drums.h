/* Which nodes of a fed cable are its drum's. */
#ifndef CAB_DRUMS_H
#define CAB_DRUMS_H

#include "model/model.h"

/* The node of the model that is number k from the drum. */
int cab_drum_node_at(const cab_model *model, const cab_drum *drum, int k);

/* The drum whose own node, which is its cable's first or last one, is among these nodes; NULL = none. */
const cab_drum *cab_drum_among(const cab_model *model, int first_node, int count);

/* Can this node lie on a drum among these nodes, whose own node it is not? What lies there is held, but with the drum's own
 * node it is one hold. */
bool cab_drum_can_stow(const cab_model *model, const cab_drum *drum, int node);

#endif

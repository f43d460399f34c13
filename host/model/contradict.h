/* What a scene asks for that cannot be met. */
#ifndef CAB_CONTRADICT_H
#define CAB_CONTRADICT_H

#include "model/model.h"

/* A warning for each of: holds further apart than the cable between them, what is led further than a segment in a
 * substep, masses that differ too much, and those below. warn may be NULL. */
void cab_model_warn_contradictions(const cab_model *model, cab_warn *warn, void *user);

/* Cables that start inside a collider, and gaps between two colliders that are, or become, narrower than a cable
 * that lies in them. */
void cab_model_warn_inside(const cab_model *model, cab_warn *warn, void *user);

#endif

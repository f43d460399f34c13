/* Components: cables that joints connect, with all their particles, and rigid bodies with what is attached to them or touches them. */
#ifndef CAB_COMPONENTS_H
#define CAB_COMPONENTS_H

#include "model/model.h"

typedef struct cab_components {
    int count;
    int *of;       /* [P] component of a particle */
    int *start;    /* [components + 1] first in particle */
    int *particle; /* [P] */
} cab_components;

/* Of the model as it is now. Unused spare particles go with the first component. Free with
 * cab_components_free(), also after a failure. */
cab_status cab_components_find(const cab_model *model, cab_components *components, cab_error *error);
/* The same, with all cables that could ever touch a body: those of its group. */
cab_status cab_components_could(const cab_model *model, cab_components *components, cab_error *error);
void cab_components_free(cab_components *components);

#endif

/* Which cables and bodies may touch: pairs that lists of contact have once had. None is ever forgotten, since they decide what is one
 * component, the order of elimination, and with that the last bits; a state has them all (arrays "touching", "nearing"). */
#ifndef CAB_RIGID_PAIRS_H
#define CAB_RIGID_PAIRS_H

#include "world/world.h"

/* Data of the kind `rigid` in a world. */
typedef struct cab_rigid_data {
    int (*fresh)
        [2]; /* pairs that the model has not got yet, as its rigid_pair; may stand here more than once */
    int fresh_count;
    int lists; /* those of contact that were looked through last */
} cab_rigid_data;

/* Has any body a shape that cables may touch? */
bool cab_rigid_touchable(const cab_model *model);

/* Before a substep of the settings: looks through new lists of contact for pairs that are new. */
cab_status cab_rigid_look(cab_world *world, cab_error *error);
/* Joins the components of world->pace that these pairs will make one. parent: for base/union.h */
void cab_rigid_join(const cab_world *world, int *parent);
/* The model gets these pairs; all tables of the components that follow are made again. */
cab_status cab_rigid_regroup(cab_world *world, cab_error *error);
/* The same with all pairs of a state in the place of those that there are: sorted as in the model, each once. */
cab_status cab_rigid_set_pairs(cab_world *world, const int (*pairs)[2], size_t count, cab_error *error);

/* Those that the model has not got yet. Returns how many; pairs: NULL or for so many. */
int cab_rigid_fresh(const cab_world *world, int (*pairs)[2]);
/* The same of a state, whose lists have just been made again: they were looked through, where bodies were when they were made. */
cab_status cab_rigid_set_fresh(cab_world *world, const int (*pairs)[2], size_t count, cab_error *error);

/* New tables of the same components, where other bodies may touch than before, with all else as it is. */
cab_status cab_rigid_remake(cab_world *world, cab_error *error);

#endif

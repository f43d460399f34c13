/* Into how many pieces each component's substep is cut: as many as its island needs, which is all that could meet within it. */
#ifndef CAB_RUN_ISLANDS_H
#define CAB_RUN_ISLANDS_H

#include "world/world.h"

/* Looks at the coming substep, number `index` of the frame, and sets world->pace.pieces; changed: of components for which the number
 * is another one than in the last. Before the first frame in which something is fast it costs nothing. */
cab_status cab_islands_choose(cab_world *world, int index, bool *changed, cab_error *error);

/* Will things be looked at before the coming substep? Else nothing is fast. */
bool cab_islands_looks(const cab_world *world, int index);

/* For a substep that is taken again from its start: islands in which a component is `missed` take `pieces`, all others what they had
 * (pace.again). */
cab_status cab_islands_raise(cab_world *world, int index, const bool *missed, int pieces, cab_error *error);

#endif

/* Events of a run: warnings, connectors that latched, the end by divergence. What broke is in cab_breaks. */
#ifndef CAB_WORLD_EVENTS_H
#define CAB_WORLD_EVENTS_H

#include <clcable/world.h>

/* Adds an event; cable -1 = none. */
void cab_events_note(cab_world *world, cab_event_kind kind, int cable, const char *text);
/* Makes the list again after a state was read: warnings of the scene stay, then come the connectors that had latched and
 * the judgements of the run. */
void cab_events_remake(cab_world *world);
/* The same for an attachment of the model that has latched, at the end of a frame. */
void cab_events_note_mated(cab_world *world, int attachment, int frame);

/* Which of the scenes that share the world have diverged: gone [groups] becomes true where it has named a cable of that group (model/merge.h). */
cab_status cab_events_find_diverged(const cab_world *world, bool *gone, cab_error *error);

#endif

/* What happened on the way: warnings, connectors that mated, the end by diverging; what broke is in cab_breaks. */
#ifndef CAB_WORLD_EVENTS_H
#define CAB_WORLD_EVENTS_H

#include <clcable/world.h>

/* Remembers an event; cable -1 = none. */
void cab_events_note(cab_world *world, cab_event_kind kind, int cable, const char *text);
/* Of an attachment of the model, at the end of a frame. */
void cab_events_note_mated(cab_world *world, int attachment, int frame);

#endif

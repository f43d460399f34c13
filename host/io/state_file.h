/* State files: cab_world_save() and cab_world_load() of <clcable/world.h>. */
#ifndef CAB_STATE_FILE_H
#define CAB_STATE_FILE_H

#include <clcable/status.h>

/* Can a state be written to `path`? For asking before a run; leaves nothing behind. */
cab_status cab_state_file_check(const char *path, cab_error *error);

#endif

/* What kinds of attachments there are, and what a scene file calls them. */
#ifndef CAB_PARTS_H
#define CAB_PARTS_H

#include <clcable/scene.h>

/* Does an attachment to that join its place with one of a cable or a sheet? */
static inline bool cab_target_joins(cab_target_kind to)
{
    return to == CAB_TARGET_CABLE || to == CAB_TARGET_SHEET;
}

/* The list of a scene file that has the attachments of a part: "clips". */
const char *cab_part_list(cab_part part);
/* The key that `break_force` has there. */
const char *cab_break_force_key(cab_part part);

#endif

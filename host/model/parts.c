#include "model/parts.h"

/* Where a scene file has the attachments of each part, and what it calls their break_force. */
static const struct {
    const char *list, *break_force;
} parts[] = {
    [CAB_PART_ATTACHMENT] = {"attachments", "break_force"},
    [CAB_PART_CLIP] = {"clips", "holding_force"},
    [CAB_PART_CONNECTOR] = {"connectors", "pull_out_force"},
};

const char *cab_part_list(cab_part part)
{
    return parts[part].list;
}

const char *cab_break_force_key(cab_part part)
{
    return parts[part].break_force;
}

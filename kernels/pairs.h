/* Which segments may touch each other. */
#ifndef CAB_PAIRS_H
#define CAB_PAIRS_H

#include "types.h"

CAB_INLINE int cab_excluded(int i, int other, global const int *exclude_start, global const int *exclude)
{
    for (int k = exclude_start[i]; k < exclude_start[i + 1]; k++) {
        if (exclude[k] == other) return 1;
    }
    return 0;
}

/* May segments i and j touch at all? On the same cable there must be two segments between them, and an arc of
 * both radii and the longer segment. */
CAB_INLINE int cab_may_touch(global const cab_params *params, int i, int j, cab_segment a, cab_segment b,
                             global const int *exclude_start, global const int *exclude)
{
    if (a.owner >> CAB_SEGMENT_GROUP != b.owner >> CAB_SEGMENT_GROUP) return 0;
    if (a.cable == b.cable) {
        if (!params->contact_self) return 0;
        int apart = i < j ? j - i : i - j;
        float arc = i < j ? b.arc - (a.arc + a.rest) : a.arc - (b.arc + b.rest);
        if (apart < 3 || arc < a.radius + b.radius + (a.rest > b.rest ? a.rest : b.rest)) return 0;
    } else if (!params->contact_cables) {
        return 0;
    }
    return !cab_excluded(i, j, exclude_start, exclude);
}

#endif

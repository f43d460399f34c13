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

/* On the same cable there must be two segments between two that touch, and an arc of both radii and the longer segment. between: the
 * numbers of the segments less each other; arc: between them, m; radii: their sum, m; longer: rest length, m */
CAB_INLINE real_mask cab_far_along(real between, real arc, real radii, real longer)
{
    return (between > real_of(2)) & real_not(arc < radii + longer);
}

#ifndef CAB_WIDE

/* May segments i and j touch at all? */
CAB_INLINE int cab_may_touch(global const cab_params *params, int i, int j, cab_segment a, cab_segment b,
                             global const int *exclude_start, global const int *exclude)
{
    if (a.owner >> CAB_SEGMENT_GROUP != b.owner >> CAB_SEGMENT_GROUP) return 0;
    if (a.cable == b.cable) {
        if (!params->contact_self) return 0;
        int between = i < j ? j - i : i - j;
        real arc = i < j ? b.arc - (a.arc + a.rest) : a.arc - (b.arc + b.rest);
        if (!cab_far_along((real)between, arc, a.radius + b.radius, real_max(a.rest, b.rest))) return 0;
    } else if (!params->contact_cables) {
        return 0;
    }
    return !cab_excluded(i, j, exclude_start, exclude);
}

#endif

#endif

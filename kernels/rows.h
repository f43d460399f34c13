/* Rows of pairs, which a group works on lane by lane. Only few pairs of a row reach the next step of the
 * narrow phase. These are packed into a list, in their order, so that its loops have no gaps. */
#ifndef CAB_ROWS_H
#define CAB_ROWS_H

#include "types.h"

/* Lists the lanes of 0 ... n-1 whose flag is set and returns their number. Each of CAB_GROUP_SIZE parts
 * counts its lanes, then writes behind all parts before it. `list` needs room for one lane more, `count` for
 * a number per part. */
CAB_INLINE int cab_list_lanes(local int *list, local int *count, local const int *flag, int n)
{
    int part_size = (n + CAB_GROUP_SIZE - 1) / CAB_GROUP_SIZE, total = 0;
    CAB_LANES(part, CAB_GROUP_SIZE)
    {
        int sum = 0;
        for (int k = part * part_size; k < (part + 1) * part_size && k < n; k++) sum += flag[k];
        count[part] = sum;
    }
    CAB_BARRIER_LOCAL();
    CAB_LANES(part, CAB_GROUP_SIZE)
    {
        int to = 0;
        for (int before = 0; before < part; before++) to += count[before];
        for (int k = part * part_size; k < (part + 1) * part_size && k < n; k++) {
            if (CAB_GROUP_SIZE == 1 || flag[k])
                list[to] = k; /* group of one: no branch, the next lane overwrites */
            to += flag[k];
        }
    }
    for (int part = 0; part < CAB_GROUP_SIZE; part++) total += count[part];
    CAB_BARRIER_LOCAL();
    return total;
}

#endif

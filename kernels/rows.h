/* Rows of pairs: what a group works on at a time, lane by lane. Few of a row's pairs go on to the next step
 * of the narrow phase; those that do are listed one behind the other, in their order, so that its loops have
 * no holes.
 */
#ifndef CAB_ROWS_H
#define CAB_ROWS_H

#include "types.h"

/* Lists the lanes of 0 ... n-1 whose flag is set; returns how many they are. Each of CAB_GROUP_SIZE parts
 * counts its own lanes, then writes behind all parts before it. `list` has room for one lane more, `count`
 * for a number a part. */
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
            if (CAB_GROUP_SIZE == 1 || flag[k]) list[to] = k; /* alone: no branch, the next one overwrites */
            to += flag[k];
        }
    }
    for (int part = 0; part < CAB_GROUP_SIZE; part++) total += count[part];
    CAB_BARRIER_LOCAL();
    return total;
}

#endif

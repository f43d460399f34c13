#include "world/launches.h"

#ifndef MERGE_LIMIT     /* the tests' program for oclgrind has a smaller one */
#define MERGE_LIMIT 512 /* constraints: a launch costs about as much as so many in one work-group */
#endif

void cab_launches_add(cab_launches *launches, cab_stage stage, cab_kernel kernel, int first, int count,
                      int argument)
{
    launches->list[launches->count++] = (cab_launch_plan){stage, kernel, first, count, argument};
}

void cab_launches_add_colours(cab_launches *launches, cab_stage stage, cab_kernel single, cab_kernel merged,
                              const cab_range *colour, int first, int end, int flags)
{
    for (int i = first; i < end;) {
        int small = 0;
        while (i + small < end && colour[i + small].count <= MERGE_LIMIT) small++;
        if (small > 1) {
            cab_launches_add(launches, stage, merged, i, 1, CAB_ARGUMENT(flags, small));
            i += small;
        } else {
            cab_launches_add(launches, stage, single, colour[i].first, colour[i].count, flags);
            i++;
        }
    }
}

int cab_length_flags(cab_length_kind kind)
{
    return kind == CAB_LENGTH_AT_MOST    ? CAB_SOLVE_AT_MOST
           : kind == CAB_LENGTH_AT_LEAST ? CAB_SOLVE_AT_LEAST
                                         : 0;
}

int cab_all_length_flags(const cab_model_settings *s)
{
    int doubles = s->doubles.kind == CAB_LENGTH_AT_MOST    ? CAB_SOLVE_DOUBLE_AT_MOST
                  : s->doubles.kind == CAB_LENGTH_AT_LEAST ? CAB_SOLVE_DOUBLE_AT_LEAST
                                                           : 0;
    return cab_length_flags(s->length_kind) | doubles;
}

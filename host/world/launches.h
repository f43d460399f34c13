/* The launches of an iteration, as constraint kinds plan them for carriers that iterate. */
#ifndef CAB_WORLD_LAUNCHES_H
#define CAB_WORLD_LAUNCHES_H

#include "world/world.h"

/* Where launches are added; flags: CAB_SOLVE_... that the method has for all projections of lengths. */
typedef struct cab_launches {
    cab_launch_plan *list;
    int count;
    int flags;
} cab_launches;

void cab_launches_add(cab_launches *launches, cab_stage stage, cab_kernel kernel, int first, int count,
                      int argument);

/* Colours first ... end-1, a launch each by the kernel `single`; small ones that follow one another share one by `merged`. */
void cab_launches_add_colours(cab_launches *launches, cab_stage stage, cab_kernel single, cab_kernel merged,
                              const cab_range *colour, int first, int end, int flags);

/* CAB_SOLVE_... of lengths that may be shorter or longer. */
int cab_length_flags(cab_length_kind kind);
/* The same of segments and of double distances, for launches that have both. */
int cab_all_length_flags(const cab_model_settings *settings);

#endif

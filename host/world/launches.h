/* The launches of an iteration, which kinds of constraints plan for carriers that iterate. */
#ifndef CAB_WORLD_LAUNCHES_H
#define CAB_WORLD_LAUNCHES_H

#include "world/world.h"

/* The list that launches are added to. flags: CAB_SOLVE_... of the method, for all lengths. */
typedef struct cab_launches {
    cab_launch_plan *list;
    int count;
    int flags;
} cab_launches;

void cab_launches_add(cab_launches *launches, cab_stage stage, cab_kernel kernel, int first, int count,
                      int argument);

/* Adds colours first ... end-1: a launch each of `single`; consecutive small ones share one of `merged`. */
void cab_launches_add_colours(cab_launches *launches, cab_stage stage, cab_kernel single, cab_kernel merged,
                              const cab_range *colour, int first, int end, int flags);

/* The flags CAB_SOLVE_... of lengths that may be shorter or longer. */
int cab_length_flags(cab_length_kind kind);
/* The same for segments and double distances together, for launches that have both. */
int cab_all_length_flags(const cab_model_settings *settings);

#endif

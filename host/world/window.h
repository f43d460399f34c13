/* The window of substeps that the tables of what moves are made for (cab_window). */
#ifndef CAB_WORLD_WINDOW_H
#define CAB_WORLD_WINDOW_H

#include "world/world.h"

/* Which part of the frame is over in row `row` of the window; `part` of the row: 0 its start, 1 its end. */
static inline double cab_window_part(const cab_world *world, int row, double part)
{
    return (world->window.first + row + part) / world->window.of;
}

/* The same as a time, s. */
static inline double cab_window_time(const cab_world *world, int row, double part)
{
    return (world->frame + cab_window_part(world, row, part)) / world->model->settings.frame_rate;
}

/* Does the frame end with this row? */
static inline bool cab_window_ends_frame(const cab_world *world, int row)
{
    return world->window.first + row + 1 == world->window.of;
}

#define CAB_MANY_TICKS (1 << 28)

/* A substep, or a piece of one, begins. */
static inline void cab_world_tick(cab_world *world)
{
    if (world->ticks < CAB_MANY_TICKS) world->ticks += CAB_PIECES_MOST / world->model->pieces;
}

#endif

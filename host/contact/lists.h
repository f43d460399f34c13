/* Candidate lists of pairs and colliders, which are made anew only when something has moved far enough. */
#ifndef CAB_LISTS_H
#define CAB_LISTS_H

#include "world/device.h"

/* The result of grid_moved for the whole scene. */
typedef struct cab_motion {
    double near, pairs; /* since colliders and pairs were listed, m; for pairs the smaller of two measures */
    double step;        /* largest step of the substep, m */
    bool whole;         /* that is a whole substep, no piece of one: lists may be made narrower by it */
    double mean[3];     /* mean displacement since pairs were listed, m */
} cab_motion;

/* Allocates buffers for making lists; these grow when needed. */
cab_status cab_lists_start(cab_world *world, cab_error *error);

/* Measures how far particles have moved, including their offsets. */
cab_status cab_lists_motion(cab_world *world, cab_motion *motion, cab_error *error);

/* Makes lists that cover a motion; lists that still do are kept. */
cab_status cab_lists_rebuild(cab_world *world, const cab_motion *motion, cab_error *error);

/* Makes the same lists again, with the skins in world->contact, at the places noted on the device. The state
 * of a world needs this. Positions are lost. */
cab_status cab_lists_repeat(cab_world *world, cab_error *error);

/* Tells the device the drift to expect in the next substep: as much as in the last one. */
cab_status cab_lists_drift(cab_world *world, const cab_motion *motion, cab_error *error);

/* The number of blocks for `count` items. */
static inline int cab_blocks_of(int count, int block)
{
    return (count + block - 1) / block;
}

#endif

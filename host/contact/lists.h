/* Candidate lists of pairs and colliders: the part of contact that is made anew only when something has
 * moved. */
#ifndef CAB_LISTS_H
#define CAB_LISTS_H

#include "world/device.h"

/* What grid_moved says of the whole scene. */
typedef struct cab_motion {
    double near, pairs; /* how far from where colliders and pairs were listed, m; for pairs the better of two
                           measures */
    double step;        /* largest step of the substep, m */
    double mean[3];     /* way since pairs were listed, m */
} cab_motion;

/* Room for the lists' making; they find more themselves when they must. */
cab_status cab_lists_start(cab_world *world, cab_error *error);

/* How far things have moved, their offsets counted in. */
cab_status cab_lists_motion(cab_world *world, cab_motion *motion, cab_error *error);

/* Lists that cover a motion; those that still do stay. */
cab_status cab_lists_rebuild(cab_world *world, const cab_motion *motion, cab_error *error);

/* The same lists once more: of the skins in world->contact, at the places that the device has noted. What the
 * state of a world needs of them. Positions are lost. */
cab_status cab_lists_repeat(cab_world *world, cab_error *error);

/* Tells the device the drift to expect in the next substep: as far again as since the last. */
cab_status cab_lists_drift(cab_world *world, const cab_motion *motion, cab_error *error);

/* Blocks that `count` things make. */
static inline int cab_blocks_of(int count, int block)
{
    return (count + block - 1) / block;
}

#endif

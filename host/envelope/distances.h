/* How far points are from a union of capsules: a grid of distances that exists only where capsules are. A capsule is all that is
 * within a radius of a line. The grid's points are at whole multiples of its cell, those of a coarser grid are among those of a
 * finer one. */
#ifndef CAB_ENVELOPE_DISTANCES_H
#define CAB_ENVELOPE_DISTANCES_H

#include <stdbool.h>

#include <clcable/status.h>

#include "base/closest.h"

/* Blocks hold so many points along an axis, and altogether. */
enum {
    CAB_DISTANCES_SIDE = 8,
    CAB_DISTANCES_POINTS = CAB_DISTANCES_SIDE * CAB_DISTANCES_SIDE * CAB_DISTANCES_SIDE
};

/* In cells: distances are known up to here outside, which is more than a cell, so that both ends of an edge that crosses the
 * surface are known. */
#define CAB_DISTANCES_BAND 1.05

/* In cells: capsules are taken to be so thick at least. It is more than half the diagonal of a cell, so that each ball of
 * this radius has a point of the grid inside, and those of balls that follow one another are neighbours: nothing is lost or torn. */
#define CAB_DISTANCES_THIN 0.9

typedef struct cab_distances_block {
    int at[3]; /* in blocks */
    float value
        [CAB_DISTANCES_POINTS]; /* m, of the least distance, x fastest; negative inside; at most the band */
} cab_distances_block;

typedef struct cab_distances {
    double cell;  /* m */
    double least; /* m, radius that all capsules in it have at least, as they were taken */
    int most; /* blocks, at most: then the grid is coarsened; 64 or more, as there are places where 8 meet */
    cab_distances_block *blocks;
    int count, room;
    int *slot;     /* [slots] index of a block, hashed by where it is; -1 = none */
    int slots;     /* a power of two */
    int coarsened; /* how many times its cell was doubled */
} cab_distances;

/* An empty one. */
cab_distances cab_distances_of(double cell, int most);
void cab_distances_free(cab_distances *field);

/* Adds what is within `radius`, m, of a line. Where that takes too many blocks the cell is doubled first, as often as needed.
 * Fails where a place is no number or 1e9 cells away, and when memory is out; the field is then of no use. */
cab_status cab_distances_add(cab_distances *field, const cab_line *axis, double radius, cab_error *error);

/* Doubles the cell. What has become too thin for it is made thicker, all alike, as a grid does not tell what is thin. */
cab_status cab_distances_coarsen(cab_distances *field, cab_error *error);

/* Adds all that is in another one, which is coarsened where its cell is smaller. */
cab_status cab_distances_join(cab_distances *field, cab_distances *other, cab_error *error);

/* Makes blocks, in which all is outside, wherever a cube of the grid begins that has a corner inside. */
cab_status cab_distances_cover(cab_distances *field, cab_error *error);

/* The block at a place, in blocks; NULL = there is none, and all its points are farther than the band. */
const cab_distances_block *cab_distances_find(const cab_distances *field, int x, int y, int z);

#endif

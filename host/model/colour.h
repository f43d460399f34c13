/* Graph colouring: constraints that share a particle never run at the same time. */
#ifndef CAB_COLOUR_H
#define CAB_COLOUR_H

#include <stdbool.h>

#include <clcable/status.h>

/* A contiguous run of constraints. */
typedef struct cab_range {
    int first, count;
} cab_range;

#define CAB_STENCIL_MAX 3

/* A constraint as the colouring sees it. */
typedef struct cab_stencil {
    int particle[CAB_STENCIL_MAX]; /* -1 = none; particles that cannot move (inverse mass 0) still count */
    int preferred;   /* colour to try first: parity of a segment, centre mod 3 of a bending; >= 0 */
    const int *more; /* further particles */
    int more_count;
} cab_stencil;

/* Gives each stencil a colour: `preferred` when free, else the lowest free one; stencils in order,
 * deterministic, any number of colours. colour[count] is filled, *colour_count too. */
cab_status cab_colour_stencils(const cab_stencil *stencils, int count, int particle_count, int *colour,
                               int *colour_count, cab_error *error);

/* Colours, sorts and validates stencils first ... first+count-1 and appends their ranges to *ranges (free
 * it); order[new] = old, both counted from `first`. */
cab_status cab_colour_part(const cab_stencil *stencil, int first, int count, int particle_count, int *order,
                           cab_range **ranges, int *range_count, cab_error *error);

/* order[new] = old: by colour, in the old order within each; ranges[colour_count] is filled. */
void cab_colour_sort(const int *colour, int count, int colour_count, int *order, cab_range *ranges);

/* The invariant: no two constraints of a colour share a particle, and each constraint is in exactly one
 * colour (ranges cover 0..count once, order is a permutation). CAB_ERROR_INPUT names the first pair that
 * breaks it. */
cab_status cab_colour_validate(const cab_stencil *stencils, int count, int particle_count, const int *order,
                               const cab_range *ranges, int colour_count, cab_error *error);

#endif

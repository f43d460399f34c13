/* What is wrong with a cable at the end of a frame, added up along the cable. */
#ifndef CAB_ERRORS_H
#define CAB_ERRORS_H

#include "types.h"
#include "vector.h"

/* Errors of a cable, or of the cables in the lanes of a tile. The same in tiles and in the buffers. */
typedef struct cab_chain_errors {
    real stretch_max, stretch_sum, worst_segment; /* counted from the cable's start */
    real square_max, worst_particle;              /* of the speed; infinite when something is not a number */
} cab_chain_errors;

CAB_INLINE cab_chain_errors cab_errors_none(void)
{
    cab_chain_errors e;
    e.stretch_max = e.stretch_sum = e.square_max = real_of(0);
    e.worst_segment = e.worst_particle = real_of(-1);
    return e;
}

/* in: where the lane's cable has such a segment */
CAB_INLINE void cab_errors_segment(cab_chain_errors *e, int i, vec3 segment, real rest, real_mask in)
{
    real zero = real_of(0), stretch = (vec3_length(segment) - rest) / rest;
    stretch = real_select(in, real_select(stretch < zero, -stretch, stretch), zero);
    e->stretch_sum = e->stretch_sum + stretch;
    real_mask worse = stretch > e->stretch_max;
    e->stretch_max = real_select(worse, stretch, e->stretch_max);
    e->worst_segment = real_select(worse, real_of((float)i), e->worst_segment);
}

CAB_INLINE void cab_errors_particle(cab_chain_errors *e, int i, vec3 p, vec3 velocity)
{
    real square = vec3_dot(velocity, velocity), test = p.x + p.y + p.z, zero = real_of(0);
    real_mask finite = (test - test == zero) & (square - square == zero);
    square = real_select(finite, square, real_of(INFINITY));
    real_mask worse = square > e->square_max;
    e->square_max = real_select(worse, square, e->square_max);
    e->worst_particle = real_select(worse, real_of((float)i), e->worst_particle);
}

/* A cable's row: the largest stretch, the sum of all, the largest speed, and where they are. worst_distance is
 * the particle that the segment starts at; measure_chains looks up the distance. */
CAB_INLINE cab_errors cab_errors_row(float stretch_max, float stretch_sum, float worst_segment, float speed,
                                     float worst_particle, int first)
{
    int segment = (int)worst_segment, particle = (int)worst_particle;
    cab_errors row;
    row.stretch_max = stretch_max;
    row.stretch_sum = stretch_sum;
    row.speed_max = speed < CAB_NOT_FINITE ? speed : CAB_NOT_FINITE;
    row.penetration_max = 0;
    row.worst_distance = segment < 0 ? -1 : first + segment;
    row.worst_particle = particle < 0 ? -1 : first + particle;
    row.contacts = row.unused = 0;
    return row;
}

#endif

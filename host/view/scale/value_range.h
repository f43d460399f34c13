/* The ends of the colour map while a scene plays: calm, so that colours and ticks do not flicker. */
#ifndef CAB_VALUE_RANGE_H
#define CAB_VALUE_RANGE_H

#include <stdbool.h>

/* Zero at first, or to begin anew: another quantity, another scene, back to time 0. */
typedef struct cab_value_range {
    float lowest, highest; /* round numbers, 0 among them; 0, 0 = nothing but zeros so far */
    double low, high;      /* what they were rounded from */
} cab_value_range;

/* Takes in the values of a frame. The range widens at once; it follows smaller ones slowly, to a third in a
 * few seconds.
 *
 * @param lowest, highest  of all values; lowest > highest, or what is not finite, changes nothing
 * @param seconds          since the last call; 0 = it does not shrink
 */
void cab_value_range_follow(cab_value_range *range, float lowest, float highest, double seconds);

#endif

/* The ends of the colour map while a scene plays: they change slowly, so that nothing flickers. */
#ifndef CAB_VALUE_RANGE_H
#define CAB_VALUE_RANGE_H

#include <stdbool.h>

/* Zero at first, and whenever it is to begin anew: another quantity or scene, or back at time 0. */
typedef struct cab_value_range {
    float lowest, highest; /* the ends: round numbers, with 0 between them; both 0 while all values were 0 */
    double low, high;      /* what they were rounded from */
} cab_value_range;

/* Takes a frame's values into account. A larger range is taken at once, a smaller one is approached: in 3 s
 * the difference falls to about a third.
 *
 * @param lowest, highest  of all values; nothing changes where lowest > highest, or where one is not finite
 * @param seconds          since the last call; with 0 the range does not shrink */
void cab_value_range_follow(cab_value_range *range, float lowest, float highest, double seconds);

#endif

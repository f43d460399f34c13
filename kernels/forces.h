/* Which watched particles a substep, or a piece of one, adds forces of. */
#ifndef CAB_FORCES_H
#define CAB_FORCES_H

#include "dialect.h"
#include "launch_types.h"

/* Number of the argument: 0, or the pieces of what is stepped now, which alone counts; flag: CAB_FORCE_ASLEEP. pieces: of the
 * particle's component */
CAB_INLINE int cab_force_counts(int argument, int pieces)
{
    int number = CAB_NUMBER(argument);
    if (number == 0) return 1;
    return pieces < 0 ? argument & CAB_FORCE_ASLEEP : pieces == number;
}

#endif

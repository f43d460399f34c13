/* Compliances of lengths and bendings. */
#ifndef CAB_COMPLIANCE_H
#define CAB_COMPLIANCE_H

#include <math.h>

/* The compliance of a constraint for `cell` metres of cable with this stiffness, EA (N) or EI (N m^2). 0 =
 * rigid. */
static inline double cab_compliance_of(double cell, double stiffness)
{
    return stiffness > 0 && isfinite(stiffness) ? cell / stiffness : 0;
}

#endif

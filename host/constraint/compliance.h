/* Compliances of lengths and bendings. */
#ifndef CAB_COMPLIANCE_H
#define CAB_COMPLIANCE_H

#include <math.h>

#include "model/settings.h"

/* The compliance of a constraint for `cell` metres of cable with this stiffness, EA (N) or EI (N m^2). 0 =
 * rigid. */
static inline double cab_compliance_of(double cell, double stiffness)
{
    return stiffness > 0 && isfinite(stiffness) ? cell / stiffness : 0;
}

/* The share of an error that PBD takes away in an iteration: k, or so much that 1 - k is left after all of them. */
static inline double cab_projected_share(const cab_model_settings *settings, double k)
{
    return settings->pbd.corrected ? 1 - pow(1 - k, 1.0 / settings->iterations) : k;
}

/* The compliance by which a solver without memory does that, of the inverse masses: see cab_solve_length. */
static inline double cab_projected_compliance(const cab_model_settings *settings, double k)
{
    double share = cab_projected_share(settings, k);
    return (1 - share) / share;
}

#endif

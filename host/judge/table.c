/* The table of judgements. */
#include <stddef.h>

#include <clcable/judge.h>

static const cab_judged_info table[CAB_JUDGED_COUNT] = {
    [CAB_JUDGED_STRETCH] = {"stretch", "of its length",
                            "10 % (25 % by methods that promise no lengths, 50 % in sheets), and what its "
                            "stiffness gives under the scene's weights, forces and speeds",
                            "more substeps, or see that it is not held further apart than it is long"},
    [CAB_JUDGED_OVERLAP] = {"overlap", "radii", "half a radius of the thinner cable",
                            "more substeps, or give it room where it starts and where it is pushed"},
    [CAB_JUDGED_ENERGY] = {"energy", "of what moved",
                           "5 % of the energy that has moved, and half a radius of lift of all there is",
                           "more substeps, or less extreme masses and stiffnesses"},
    [CAB_JUDGED_SPEED] = {"speed", "m/s",
                          "10 times what the start, gravity, forces, wind and what is led give",
                          "more substeps, or less extreme masses and stiffnesses"},
    [CAB_JUDGED_TWIST] =
        {"twist", "of what is resolved",
         "the moment whose buckling a substep resolves, 0.6 (EI^3 mu / h_s^2)^(1/4), and 2 rad in a substep",
         "more substeps"},
};

const cab_judged_info *cab_judged_info_of(cab_judged judged)
{
    return (unsigned)judged < CAB_JUDGED_COUNT ? &table[judged] : NULL;
}

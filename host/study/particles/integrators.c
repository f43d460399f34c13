/* The integrators as tableaus (cab_p_tableau): where a step asks for the acceleration, and what it makes of
 * it. h is the step, a_0, a_1 ... are the answers so far. */
#include "study/particles/parts.h"

#define END CAB_P_EVALUATIONS

/* Asks at x, v. */
static const cab_p_tableau tableaus[CAB_P_TABLEAUS] = {
    /* x' = x + h v, v' = v + h a_0 */
    [CAB_INTEGRATOR_EULER] = {.evaluations = 1, .time = {[END] = 1}, .speed = {[END] = {1}}},
    /* a_1 at x + h v/2, v + h a_0/2; x' = x + h (v + h a_0/2), v' = v + h a_1 */
    [CAB_INTEGRATOR_MIDPOINT] = {.evaluations = 2,
                                 .time = {[1] = 0.5, [END] = 1},
                                 .place = {[END] = {0.5}},
                                 .speed = {[1] = {0.5}, [END] = {0, 1}}},
    /* v is half a step back: v' = v + h a_0, x' = x + h v' */
    [CAB_INTEGRATOR_LEAPFROG] = {.evaluations = 1,
                                 .time = {[END] = 1},
                                 .place = {[END] = {1}},
                                 .speed = {[END] = {1}}},
    /* The midpoint rule for leapfrog's velocities: a_1 at x, v + h a_0/2; v' = v + h a_1, x' = x + h v' */
    [CAB_INTEGRATOR_LEAPFROG_2] = {.evaluations = 2,
                                   .time = {[END] = 1},
                                   .place = {[END] = {0, 1}},
                                   .speed = {[1] = {0.5}, [END] = {0, 1}}},
    [CAB_INTEGRATOR_RK4] =
        {.evaluations = 4,
         .time = {[1] = 0.5, [2] = 0.5, [3] = 1, [END] = 1},
         .place = {[2] = {0.25}, [3] = {0, 0.5}, [END] = {1.0 / 6, 1.0 / 6, 1.0 / 6}},
         .speed =
             {[1] = {0.5}, [2] = {0, 0.5}, [3] = {0, 0, 1}, [END] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}},
    /* x' = x + h v + h^2 a_0/2; a_1 at x', v + h a_0/2; v' = v + h (a_0 + a_1)/2 */
    [CAB_INTEGRATOR_VERLET] = {.evaluations = 2,
                               .time = {[1] = 1, [END] = 1},
                               .place = {[1] = {0.5}, [END] = {0.5}},
                               .speed = {[1] = {0.5}, [END] = {0.5, 0.5}}},
    /* a_1 at x + h v/4, v + h a_0/4; x' = x + h v + h^2 a_1/2; a_2 at x', v + h a_1/2;
     * v' = v + h (a_1 + a_2)/2 */
    [CAB_INTEGRATOR_MIDPOINT_VERLET] = {.evaluations = 3,
                                        .time = {[1] = 0.25, [2] = 1, [END] = 1},
                                        .place = {[2] = {0, 0.5}, [END] = {0, 0.5}},
                                        .speed = {[1] = {0.25}, [2] = {0, 0.5}, [END] = {0, 0.5, 0.5}}},
    /* the second half step by midpoint, too: u = v + h a_1/2, a_3 at x' - h u/4, u + h a_2/4;
     * v' = u + h a_3/2 */
    [CAB_INTEGRATOR_MIDPOINT_VERLET_2] =
        {.evaluations = 4,
         .time = {[1] = 0.25, [2] = 1, [3] = 0.75, [END] = 1},
         .place = {[2] = {0, 0.5}, [3] = {0, 0.375}, [END] = {0, 0.5}},
         .speed = {[1] = {0.25}, [2] = {0, 0.5}, [3] = {0, 0.5, 0.25}, [END] = {0, 0.5, 0, 0.5}}},
    /* Leapfrog's first step, whose v is not yet half a step back: v' = v + h a/2, x' = x + h v'. */
    [CAB_P_LEAPFROG_START] = {.evaluations = 1,
                              .time = {[END] = 1},
                              .place = {[END] = {0.5}},
                              .speed = {[END] = {0.5}}},
};

const cab_p_tableau *cab_particles_tableaus(void)
{
    return tableaus;
}

int cab_particles_first_tableau(cab_integrator integrator)
{
    bool leaps = integrator == CAB_INTEGRATOR_LEAPFROG || integrator == CAB_INTEGRATOR_LEAPFROG_2;
    return leaps ? CAB_P_LEAPFROG_START : (int)integrator;
}

int cab_integrator_evaluations(cab_integrator integrator)
{
    return tableaus[integrator].evaluations;
}

/* The substeps of a launch by the sweeps of a tile, with and without damping of the bending or resistance to twisting. */
#ifndef CAB_SWEEP_SUBSTEPS_H
#define CAB_SWEEP_SUBSTEPS_H

#include "twist_sweep.h"
#include "viscous_sweep.h"

/* cab_sweep_advance(). first_now: the substep that begins is of first order */
CAB_INLINE real_mask cab_sweep_next(const cab_sweep *s, int solved, int first_order, int first_now, int weigh,
                                    const cab_sweep_moves *moves)
{
    if (s->constrained) return cab_viscous_advance(s, solved, first_order, first_now, weigh, moves);
    if (s->twist) return cab_twist_advance(s, solved, first_order, first_now, weigh, moves);
    return cab_sweep_advance(s, solved, first_order, weigh, moves);
}

/* All substeps of a launch; the last one stays solved, to be ended with the prediction of the next launch, or
 * before somebody asks. flags: CAB_FRAME_FIRST_ORDER, CAB_FRAME_SOLVED, CAB_FRAME_SOLVED_FIRST. */
CAB_INLINE void cab_sweep_substeps(cab_sweep *s, int order_apart, int steps, int flags,
                                   cab_sweep_moves *moves, int moves_apart)
{
    global const float *second = s->constants;
    int first_order = flags & CAB_FRAME_FIRST_ORDER;
    if (first_order) s->constants = second + order_apart;
    real_mask slowed =
        cab_sweep_next(s, flags & CAB_FRAME_SOLVED, flags & CAB_FRAME_SOLVED_FIRST, first_order, 1, moves);
    for (int step = 0; step < steps; step++) {
        s->ahead_first = CAB_SLOTS_KEPT * step / steps;
        s->ahead_end = CAB_SLOTS_KEPT * (step + 1) / steps;
        slowed = cab_sweep_lengths(s, slowed);
        s->constants = second;
        if (step + 1 == steps) return;
        if (first_order) cab_sweep_weigh(s);
        moves->first_target += moves_apart;
        if (s->twist) s->twist->roll += s->twist->rolls;
        cab_sweep_next(s, 1, first_order, 0, 0, moves);
        first_order = 0;
    }
}

#endif

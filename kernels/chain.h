/* XPBD on a tile of chains in lanes: one sweep from the start to the end solves each segment's length and the
 * bending about its first particle, takes each particle that is done into position and velocity, and predicts
 * its next substep. The constraints of the coloured way (xpbd.h) in another order.
 */
#ifndef CAB_CHAIN_H
#define CAB_CHAIN_H

#include "direct.h"

/* As cab_solve_distance, for r = x_b - x_a; a moves by -w_a, b by w_b times what is returned. */
CAB_INLINE lanes3 cab_lanes_distance(lanes3 r, lanes w, lanes rest, lanes compliance, lanes *lambda)
{
    lanes length = lanes_sqrt(lanes3_dot(r, r)), tiny = lanes_of(1e-20f);
    lanes change = (rest - length - compliance * *lambda) / lanes_max(w + compliance, tiny);
    *lambda = *lambda + change;
    return lanes3_scale(r, change / lanes_max(length, tiny));
}

/* Particles of the sweep: the one before, the one it is at, the next. */
typedef struct cab_window {
    lanes3 p[3], e[3];
    lanes w[3];
} cab_window;

CAB_INLINE void cab_window_load(const cab_sweep *s, int i, cab_window *x, int k)
{
    x->p[k] = cab_slot3(s, i, CAB_SLOT_POSITION);
    x->e[k] = cab_slot3(s, i, CAB_SLOT_OFFSET);
    x->w[k] = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
}

CAB_INLINE void cab_chain_distance(const cab_sweep *s, int i, int first, cab_window *x)
{
    lanes lambda = first ? lanes_of(0) : cab_slot(s, i, CAB_SLOT_LAMBDA);
    lanes3 d = cab_lanes_distance(cab_lanes_between(x->p[1], x->e[1], x->p[2], x->e[2]), x->w[1] + x->w[2],
                                  cab_constant(s, i, CAB_CONSTANT_REST),
                                  cab_constant(s, i, CAB_CONSTANT_COMPLIANCE), &lambda);
    cab_slot_put(s, i, CAB_SLOT_LAMBDA, lambda);
    x->e[1] = lanes3_sub_scaled(x->e[1], x->w[1], d);
    x->e[2] = lanes3_add_scaled(x->e[2], x->w[2], d);
}

/* As cab_solve_bending, about particle i. */
CAB_INLINE void cab_chain_bending(const cab_sweep *s, int i, int first, cab_window *x)
{
    lanes ga = cab_constant(s, i, CAB_CONSTANT_BEFORE), gc = cab_constant(s, i, CAB_CONSTANT_AFTER),
          gb = ga + gc;
    lanes compliance = cab_constant(s, i, CAB_CONSTANT_STIFF_AFTER);
    lanes w = x->w[0] * ga * ga + x->w[1] * gb * gb + x->w[2] * gc * gc + compliance;
    lanes3 c = lanes3_scale(cab_lanes_between(x->p[1], x->e[1], x->p[2], x->e[2]), -gc);
    c = lanes3_add_scaled(c, ga, cab_lanes_between(x->p[0], x->e[0], x->p[1], x->e[1]));
    if (s->turned) c = lanes3_add(c, cab_constant3(s, i, CAB_CONSTANT_TARGET));
    lanes3 lambda = first ? lanes3_zero() : cab_slot3(s, i, CAB_SLOT_BEND);
    lanes3 change =
        lanes3_scale(lanes3_sub_scaled(c, compliance, lambda), 1 / lanes_max(w, lanes_of(1e-20f)));
    cab_slot3_put(s, i, CAB_SLOT_BEND, lanes3_add(lambda, change));
    x->e[0] = lanes3_add_scaled(x->e[0], x->w[0] * ga, change);
    x->e[1] = lanes3_sub_scaled(x->e[1], x->w[1] * gb, change);
    x->e[2] = lanes3_add_scaled(x->e[2], x->w[2] * gc, change);
}

/* Particle i is where it stays: position, residual, what damping leaves of its step. */
CAB_INLINE void cab_chain_finish(const cab_sweep *s, int i, lanes3 p, lanes3 e)
{
    lanes3 r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
    lanes3 step = lanes3_scale(lanes3_sub(e, r), cab_constant(s, i, CAB_CONSTANT_STEP));
    p.x = cab_lanes_sum(p.x, e.x, &r.x);
    p.y = cab_lanes_sum(p.y, e.y, &r.y);
    p.z = cab_lanes_sum(p.z, e.z, &r.z);
    cab_slot3_put(s, i, CAB_SLOT_POSITION, p);
    cab_slot3_put(s, i, CAB_SLOT_RESIDUAL, r);
    cab_slot3_put(s, i, CAB_SLOT_STEP, step);
}

/* Inertia and gravity; or the target of a held particle that moves. Returns the next move to look at. */
CAB_INLINE int cab_chain_predict(const cab_sweep *s, int i, const cab_sweep_moves *moves, int move)
{
    lanes3 e = lanes3_add(cab_slot3(s, i, CAB_SLOT_RESIDUAL), cab_constant3(s, i, CAB_CONSTANT_FALL));
    e = lanes3_add_scaled(e, cab_constant(s, i, CAB_CONSTANT_STEP + 1), cab_slot3(s, i, CAB_SLOT_STEP));
    cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
    if (move < moves->count && moves->move[move].particle == i) move = cab_sweep_move(s, moves, move, i);
    return move;
}

/* One iteration. first: multipliers start from 0; finish: it is the substep's last; predict: another substep
 * follows. */
CAB_INLINE void cab_chain_iterate(const cab_sweep *s, int first, int finish, int predict,
                                  const cab_sweep_moves *moves)
{
    cab_window x;
    int move = 0;
    x.p[0] = x.e[0] = x.p[2] = x.e[2] = lanes3_zero();
    x.w[0] = x.w[2] = lanes_of(0);
    cab_window_load(s, 0, &x, 1);
    for (int i = 0; i < s->count; i++) {
        if (i < s->count - 1) {
            cab_window_load(s, i + 1, &x, 2);
            cab_chain_distance(s, i, first, &x);
        } else {
            x.w[2] = lanes_of(0);
        }
        if (s->bends) cab_chain_bending(s, i, first, &x);
        for (int k = 0; k < (i == s->count - 1 ? 2 : 1); k++) { /* at the end both */
            int done = i - 1 + k;
            if (done < 0) continue;
            if (finish)
                cab_chain_finish(s, done, x.p[k], x.e[k]);
            else
                cab_slot3_put(s, done, CAB_SLOT_OFFSET, x.e[k]);
            if (finish && predict) move = cab_chain_predict(s, done, moves, move);
        }
        for (int k = 0; k < 2; k++) {
            x.p[k] = x.p[k + 1];
            x.e[k] = x.e[k + 1];
            x.w[k] = x.w[k + 1];
        }
    }
}

#endif

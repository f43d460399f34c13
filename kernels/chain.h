/* XPBD on a tile of cables. One sweep from the start to the end solves each segment's length and the bending
 * about its first particle; a particle that is solved is added to position and velocity and predicted for the
 * next substep. These are the constraints of the way coloured (xpbd.h) in another order. The step of a
 * particle is h v here; between launches its slots hold v. */
#ifndef CAB_CHAIN_H
#define CAB_CHAIN_H

#include "errors.h"
#include "tile.h"
#include "xpbd.h"

/* The three particles that the sweep works on: the one before, the current one, the next. */
typedef struct cab_window {
    vec3 p[3], e[3];
    real w[3];
} cab_window;

CAB_INLINE void cab_window_load(const cab_sweep *s, int i, cab_window *x, int k)
{
    x->p[k] = cab_slot3(s, i, CAB_SLOT_POSITION);
    x->e[k] = cab_slot3(s, i, CAB_SLOT_OFFSET);
    x->w[k] = cab_constant(s, i, CAB_CONSTANT_WEIGHT);
}

CAB_INLINE void cab_chain_distance(const cab_sweep *s, int i, int first, cab_window *x)
{
    real lambda = first ? real_of(0) : cab_slot(s, i, CAB_SLOT_LAMBDA);
    vec3 d = cab_solve_length(cab_between(x->p[1], x->e[1], x->p[2], x->e[2]), x->w[1], x->w[2],
                              cab_constant(s, i, CAB_CONSTANT_REST),
                              cab_constant(s, i, CAB_CONSTANT_COMPLIANCE), 0, &lambda);
    cab_slot_put(s, i, CAB_SLOT_LAMBDA, lambda);
    x->e[1] = vec3_sub_scaled(x->e[1], x->w[1], d);
    x->e[2] = vec3_add_scaled(x->e[2], x->w[2], d);
}

/* The bending about particle i. */
CAB_INLINE void cab_chain_bending(const cab_sweep *s, int i, int first, cab_window *x)
{
    real ga = cab_constant(s, i, CAB_CONSTANT_BEFORE), gc = cab_constant(s, i, CAB_CONSTANT_AFTER);
    vec3 d = cab_curvature(cab_between(x->p[1], x->e[1], x->p[0], x->e[0]),
                           cab_between(x->p[1], x->e[1], x->p[2], x->e[2]), ga, gc);
    vec3 target = s->turned ? cab_constant3(s, i, CAB_CONSTANT_TARGET) : vec3_zero();
    vec3 lambda = first ? vec3_zero() : cab_slot3(s, i, CAB_SLOT_BEND);
    vec3 change = cab_solve_bending(d, target, x->w[0], x->w[1], x->w[2], ga, gc,
                                    cab_constant(s, i, CAB_CONSTANT_STIFF_AFTER), &lambda);
    cab_slot3_put(s, i, CAB_SLOT_BEND, lambda);
    x->e[0] = vec3_add_scaled(x->e[0], x->w[0] * ga, change);
    x->e[1] = vec3_sub_scaled(x->e[1], x->w[1] * (ga + gc), change);
    x->e[2] = vec3_add_scaled(x->e[2], x->w[2] * gc, change);
}

/* Ends the substep of particle i: position, residual, step reduced by damping. */
CAB_INLINE void cab_chain_finish(const cab_sweep *s, int i, vec3 p, vec3 e)
{
    vec3 r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
    vec3 step = vec3_scale(cab_settle(&p, &r, e), cab_constant(s, i, CAB_CONSTANT_STEP));
    cab_slot3_put(s, i, CAB_SLOT_POSITION, p);
    cab_slot3_put(s, i, CAB_SLOT_RESIDUAL, r);
    cab_slot3_put(s, i, CAB_SLOT_STEP, step);
}

/* Predicts particle i by inertia and gravity, or puts it at its target. Returns the next move. */
CAB_INLINE int cab_chain_predict(const cab_sweep *s, int i, const cab_sweep_moves *moves, int move)
{
    vec3 step = cab_slot3(s, i, CAB_SLOT_STEP);
    vec3 e =
        cab_predict_place(cab_slot3(s, i, CAB_SLOT_RESIDUAL), &step,
                          cab_constant(s, i, CAB_CONSTANT_STEP + 1), cab_constant3(s, i, CAB_CONSTANT_FALL));
    cab_slot3_put(s, i, CAB_SLOT_OFFSET, e);
    if (move < moves->count && moves->move[move].particle == i) move = cab_sweep_move(s, moves, move, i);
    return move;
}

/* One iteration. first: multipliers start from 0; finish: it is the last one; predict: a substep follows. */
CAB_INLINE void cab_chain_iterate(const cab_sweep *s, int first, int finish, int predict,
                                  const cab_sweep_moves *moves)
{
    cab_window x;
    int move = 0;
    x.p[0] = x.e[0] = x.p[2] = x.e[2] = vec3_zero();
    x.w[0] = x.w[2] = real_of(0);
    cab_window_load(s, 0, &x, 1);
    for (int i = 0; i < s->count; i++) {
        if (i < s->count - 1) {
            cab_window_load(s, i + 1, &x, 2);
            cab_chain_distance(s, i, first, &x);
        } else {
            x.w[2] = real_of(0);
        }
        if (s->bends) cab_chain_bending(s, i, first, &x);
        for (int k = 0; k < (i == s->count - 1 ? 2 : 1); k++) { /* at the cable's end two particles */
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

CAB_INLINE void cab_chain_substeps(const cab_sweep *s, float h, int steps, int iterations,
                                   cab_sweep_moves *moves, int moves_apart)
{
    int move = 0;
    for (int i = 0; i < s->count; i++) {
        cab_slot3_put(s, i, CAB_SLOT_STEP, vec3_scale(cab_slot3(s, i, CAB_SLOT_STEP), real_of(h)));
        move = cab_chain_predict(s, i, moves, move);
    }
    for (int step = 0; step < steps; step++) {
        moves->first_target += moves_apart;
        for (int k = 0; k < iterations; k++)
            cab_chain_iterate(s, k == 0, k == iterations - 1, step + 1 < steps, moves);
    }
}

/* The errors at the end of a launch, whose steps become velocities. particles: of each lane's cable. */
CAB_INLINE cab_chain_errors cab_chain_measure(const cab_sweep *s, real particles, float inverse_h)
{
    cab_chain_errors e = cab_errors_none();
    vec3 p_last = vec3_zero(), r_last = p_last;
    for (int i = 0; i < s->count; i++) {
        vec3 p = cab_slot3(s, i, CAB_SLOT_POSITION), r = cab_slot3(s, i, CAB_SLOT_RESIDUAL);
        vec3 v = vec3_scale(cab_slot3(s, i, CAB_SLOT_STEP), real_of(inverse_h));
        cab_slot3_put(s, i, CAB_SLOT_STEP, v);
        cab_errors_particle(&e, i, p, v);
        if (i > 0)
            cab_errors_segment(&e, i - 1, cab_between(p_last, r_last, p, r),
                               cab_constant(s, i - 1, CAB_CONSTANT_REST), real_of((float)i) < particles);
        p_last = p;
        r_last = r;
    }
    return e;
}

#endif

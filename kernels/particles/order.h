/* The order of a step's stages, written once for the fused kernel, which loops over them, and for the host,
 * which launches them. Who includes this says before:
 *
 *     CAB_P_RUN                    type of a pointer to what runs
 *     CAB_P_EACH(stage, count, argument) a stage for each index
 *     CAB_P_SOLVE(stage, count, argument) the same, but nothing once the solve is done
 *     CAB_P_ONCE(phase)                  cab_p_once
 *     CAB_P_UNSOLVED(i)                  does the solve go on, before iteration i?
 *     CAB_P_GO                      has nothing stopped the system?
 *     CAB_P_SYSTEM                       its cab_p_system
 *     CAB_P_ASKS                  of the acceleration, in this step
 *     CAB_P_LEVEL_SIZE(level)            rows of a level of the elimination
 */

/* The preconditioner M of this state. */
CAB_INLINE void cab_p_order_factor(CAB_P_RUN run)
{
    if (CAB_P_SYSTEM->preconditioner == CAB_P_BLOCKS) CAB_P_SOLVE(factor, CAB_P_SYSTEM->blocks, 0);
    if (CAB_P_SYSTEM->preconditioner != CAB_P_CHOLESKY) return;
    for (int level = 0; level < CAB_P_SYSTEM->levels; level++)
        CAB_P_SOLVE(eliminate, CAB_P_LEVEL_SIZE(level), level);
}

/* w = M^-1 r */
CAB_INLINE void cab_p_order_precondition(CAB_P_RUN run)
{
    if (CAB_P_SYSTEM->preconditioner == CAB_P_BLOCKS) CAB_P_SOLVE(precondition, CAB_P_SYSTEM->blocks, 0);
    if (CAB_P_SYSTEM->preconditioner != CAB_P_CHOLESKY) return;
    for (int level = 0; level < CAB_P_SYSTEM->levels; level++)
        CAB_P_SOLVE(forward, CAB_P_LEVEL_SIZE(level), level);
    for (int level = CAB_P_SYSTEM->levels - 1; level >= 0; level--)
        CAB_P_SOLVE(backward, CAB_P_LEVEL_SIZE(level), level);
}

/* r.r and, preconditioned or not, r.M^-1 r. */
CAB_INLINE void cab_p_order_residual(CAB_P_RUN run)
{
    int w = CAB_P_SYSTEM->preconditioner == CAB_P_NONE ? CAB_P_R : CAB_P_W;
    cab_p_order_precondition(run);
    CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_R, CAB_P_R, CAB_P_R, w));
}

/* r = b - A lambda */
CAB_INLINE void cab_p_order_anew(CAB_P_RUN run)
{
    CAB_P_SOLVE(spread, 2 * CAB_P_SYSTEM->particles, CAB_P_LAMBDA);
    CAB_P_SOLVE(apply, CAB_P_SYSTEM->rows, CAB_P_R);
}

CAB_INLINE void cab_p_order_cg(CAB_P_RUN run)
{
    int w = CAB_P_SYSTEM->preconditioner == CAB_P_NONE ? CAB_P_R : CAB_P_W;
    cab_p_order_factor(run);
    cab_p_order_anew(run);
    cab_p_order_residual(run);
    CAB_P_ONCE(CAB_P_ONCE_START);
    for (int i = 0; i < CAB_P_SYSTEM->cap && CAB_P_UNSOLVED(i); i++) {
        CAB_P_SOLVE(direct, CAB_P_SYSTEM->rows, CAB_P_FROM_INTO(w, CAB_P_P));
        CAB_P_SOLVE(spread, 2 * CAB_P_SYSTEM->particles, CAB_P_P);
        CAB_P_SOLVE(apply, CAB_P_SYSTEM->rows, CAB_P_Q);
        CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_P, CAB_P_Q, CAB_P_P, CAB_P_P));
        CAB_P_ONCE(CAB_P_ONCE_ALPHA);
        CAB_P_SOLVE(advance, CAB_P_SYSTEM->rows, 0);
        if (CAB_P_SYSTEM->solver == CAB_P_CG && (i + 1) % CAB_P_REFRESH == 0) cab_p_order_anew(run);
        cab_p_order_residual(run);
        CAB_P_ONCE(CAB_P_ONCE_BETA);
    }
}

CAB_INLINE void cab_p_order_jacobi(CAB_P_RUN run)
{
    CAB_P_SOLVE(guess, CAB_P_SYSTEM->rows, CAB_P_FROM_HERE);
    cab_p_order_anew(run);
    CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_R, CAB_P_R, CAB_P_R, CAB_P_R));
    CAB_P_ONCE(CAB_P_ONCE_START);
    for (int i = 0; i < CAB_P_SYSTEM->cap && CAB_P_UNSOLVED(i); i++) {
        CAB_P_SOLVE(jacobi, CAB_P_SYSTEM->rows, 0);
        cab_p_order_anew(run);
        CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_R, CAB_P_R, CAB_P_R, CAB_P_R));
        CAB_P_ONCE(CAB_P_ONCE_RESIDUAL);
    }
}

/* Conjugate residuals: on J W J^T they are CGLS on (W^1/2 J^T), so they end at least squares. They go on from
 * where the cap ended a solver; what has stumbled over dependent rows may have grown along them: from zero.
 */
CAB_INLINE void cab_p_order_least(CAB_P_RUN run)
{
    CAB_P_SOLVE(guess, CAB_P_SYSTEM->rows, CAB_P_FROM_HERE);
    cab_p_order_anew(run);
    CAB_P_SOLVE(spread, 2 * CAB_P_SYSTEM->particles, CAB_P_R);
    CAB_P_SOLVE(apply, CAB_P_SYSTEM->rows, CAB_P_W);
    CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_R, CAB_P_W, CAB_P_R, CAB_P_R));
    CAB_P_ONCE(CAB_P_ONCE_LEAST_START);
    for (int i = 0; i < CAB_P_SYSTEM->cap && CAB_P_UNSOLVED(i); i++) {
        CAB_P_SOLVE(direct, CAB_P_SYSTEM->rows, CAB_P_FROM_INTO(CAB_P_R, CAB_P_P));
        CAB_P_SOLVE(direct, CAB_P_SYSTEM->rows, CAB_P_FROM_INTO(CAB_P_W, CAB_P_Q));
        CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_Q, CAB_P_Q, CAB_P_Q, CAB_P_Q));
        CAB_P_ONCE(CAB_P_ONCE_LEAST_ALPHA);
        CAB_P_SOLVE(advance, CAB_P_SYSTEM->rows, 0);
        CAB_P_SOLVE(spread, 2 * CAB_P_SYSTEM->particles, CAB_P_R);
        CAB_P_SOLVE(apply, CAB_P_SYSTEM->rows, CAB_P_W);
        CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_R, CAB_P_W, CAB_P_R, CAB_P_R));
        CAB_P_ONCE(CAB_P_ONCE_LEAST_BETA);
    }
}

/* What a solver leaves undone within its cap goes to least squares. */
CAB_INLINE void cab_p_order_solve(CAB_P_RUN run)
{
    CAB_P_ONCE(CAB_P_ONCE_SOLVE);
    CAB_P_SOLVE(sums, CAB_P_SYSTEM->parts, CAB_P_DOTS(CAB_P_B, CAB_P_B, CAB_P_B, CAB_P_B));
    CAB_P_ONCE(CAB_P_ONCE_RIGHT_SIDE);
    CAB_P_SOLVE(guess, CAB_P_SYSTEM->rows, CAB_P_FROM_LAST);
    if (CAB_P_SYSTEM->solver == CAB_P_JACOBI)
        cab_p_order_jacobi(run);
    else if (CAB_P_SYSTEM->solver != CAB_P_LEAST)
        cab_p_order_cg(run);
    CAB_P_ONCE(CAB_P_ONCE_LEAST);
    if (CAB_P_UNSOLVED(0)) cab_p_order_least(run);
    CAB_P_ONCE(CAB_P_ONCE_SOLVED);
}

/* The acceleration in state k. */
CAB_INLINE void cab_p_order_evaluate(CAB_P_RUN run, int k)
{
    CAB_P_EACH(begin, 2 * CAB_P_SYSTEM->particles, k);
    CAB_P_EACH(push, CAB_P_SYSTEM->forces, k);
    CAB_P_EACH(gather, CAB_P_SYSTEM->particles, 0);
    CAB_P_EACH(constrain_rows, CAB_P_SYSTEM->constraints, k);
    CAB_P_EACH(right_side, CAB_P_SYSTEM->rows, 0);
    if (CAB_P_SYSTEM->rows > 0) cab_p_order_solve(run);
    CAB_P_EACH(accelerate, 2 * CAB_P_SYSTEM->particles, k);
}

CAB_INLINE void cab_p_order_step(CAB_P_RUN run)
{
    int evaluations = CAB_P_ASKS;
    for (int k = 0; k < evaluations; k++) cab_p_order_evaluate(run, k);
    CAB_P_EACH(begin, 2 * CAB_P_SYSTEM->particles, CAB_P_EVALUATIONS);
    CAB_P_EACH(inspect, CAB_P_SYSTEM->parts, 0);
    CAB_P_ONCE(CAB_P_ONCE_STEP);
    if (!(CAB_P_GO)) return;
    CAB_P_EACH(accept, 2 * CAB_P_SYSTEM->particles, 0);
    CAB_P_ONCE(CAB_P_ONCE_END);
}

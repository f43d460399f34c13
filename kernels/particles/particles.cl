/* particles: systems under Lagrange multipliers. Fused, a work-item takes a whole system through whole steps;
 * staged, a launch per stage takes one large system through a step. Doubles: where a device has none, this
 * file cannot be built, and the host says so before.
 */
#include "../layout.h"
#include "layout.h"
#include "stages.h"

#define CAB_P_ARGUMENTS                                                                                      \
    global const cab_p_system *particles_system, global cab_p_report *particles_report,                      \
        global const double *particles_mass, global const cab_p_force *particles_force,                      \
        global const cab_p_constraint *particles_constraint, global const int *particles_table,              \
        global double *particles_work, global const cab_p_tableau *particles_tableau,                        \
        global const cab_p_op *particles_op, global const double *particles_focus
#define CAB_P_BUFFERS                                                                                        \
    particles_system, particles_report, particles_mass, particles_force, particles_constraint,               \
        particles_table, particles_work, particles_tableau, particles_op, particles_focus

CAB_INLINE cab_p_view cab_p_look(int system, CAB_P_ARGUMENTS)
{
    cab_p_view v;
    v.s = particles_system + system;
    v.report = particles_report + system;
    v.mass = particles_mass + v.s->particle;
    v.force = particles_force + v.s->force;
    v.constraint = particles_constraint + v.s->constraint;
    v.table = particles_table + v.s->table;
    v.work = particles_work + v.s->work;
    v.tableau = particles_tableau;
    v.op = particles_op;
    v.focus = particles_focus;
    return v;
}

#define CAB_P_RUN const cab_p_view *
#define CAB_P_SYSTEM (run->s)
#define CAB_P_EACH(stage, count, argument)                                                                   \
    for (int cab_i = 0, cab_n = (count); cab_i < cab_n; cab_i++) cab_p_##stage(run, cab_i, argument)
#define CAB_P_SOLVE(stage, count, argument)                                                                  \
    if (!run->report->done) CAB_P_EACH(stage, count, argument)
#define CAB_P_ONCE(phase) cab_p_once(run, phase)
#define CAB_P_UNSOLVED(i) (!run->report->done)
#define CAB_P_GO (!run->report->stopped)
#define CAB_P_ASKS (cab_p_integrator(run)->evaluations)
#define CAB_P_LEVEL_SIZE(level) (cab_p_place(run, 0, (level) + 1) - cab_p_place(run, 0, level))
#include "order.h"

/* argument: steps */
CAB_BLOCK_KERNEL(particles_fused, CAB_P_ARGUMENTS)
{
    CAB_ITEM(system);
    cab_p_view v = cab_p_look(system, CAB_P_BUFFERS);
    for (int i = 0; i < argument && !v.report->stopped; i++) cab_p_order_step(&v);
}

/* argument: CAB_P_ARGUMENT */
#define CAB_P_STAGE(stage, skip)                                                                             \
    CAB_KERNEL(particles_##stage, CAB_P_ARGUMENTS)                                                           \
    {                                                                                                        \
        CAB_ITEM(i);                                                                                         \
        cab_p_view v = cab_p_look(CAB_P_SYSTEM_OF(argument), CAB_P_BUFFERS);                                 \
        if (v.report->stopped || (skip)) return;                                                             \
        cab_p_##stage(&v, i, CAB_P_OWN_OF(argument));                                                        \
    }
CAB_P_STAGE(begin, 0)
CAB_P_STAGE(push, 0)
CAB_P_STAGE(gather, 0)
CAB_P_STAGE(constrain_rows, 0)
CAB_P_STAGE(right_side, 0)
CAB_P_STAGE(spread, v.report->done)
CAB_P_STAGE(apply, v.report->done)
CAB_P_STAGE(guess, v.report->done)
CAB_P_STAGE(sums, v.report->done)
CAB_P_STAGE(inspect, 0)
CAB_P_STAGE(factor, v.report->done)
CAB_P_STAGE(precondition, v.report->done)
CAB_P_STAGE(eliminate, v.report->done)
CAB_P_STAGE(forward, v.report->done)
CAB_P_STAGE(backward, v.report->done)
CAB_P_STAGE(advance, v.report->done)
CAB_P_STAGE(direct, v.report->done)
CAB_P_STAGE(jacobi, v.report->done)
CAB_P_STAGE(accelerate, 0)
CAB_P_STAGE(accept, 0)

CAB_KERNEL(particles_once, CAB_P_ARGUMENTS)
{
    CAB_ITEM(i);
    cab_p_view v = cab_p_look(CAB_P_SYSTEM_OF(argument), CAB_P_BUFFERS);
    if (i == 0 && !v.report->stopped) cab_p_once(&v, CAB_P_OWN_OF(argument));
}

CAB_LAYOUT_KERNEL(particles_layout, CAB_PARTICLES_LAYOUT)

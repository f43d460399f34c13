/* A rod whose bending is damped, 1 m, clamped level. Pushed sideways without gravity, its first mode dies away; left to its weight,
 * it creeps to where it hangs without damping.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

#define FRAMES 240
#define TAU 0.02
#define BETA 1.8751040687 /* first root of cosh beta cos beta = -1; omega = beta^2 */

static double project(const val_sim *sim, int segments)
{
    double sigma = (sinh(BETA) - sin(BETA)) / (cosh(BETA) + cos(BETA)), sum = 0;
    for (int i = 1; i <= segments; i++) {
        double s = BETA * i / segments;
        double mode = cosh(s) - cos(s) - sigma * (sinh(s) - sin(s));
        sum += (i == segments ? 0.5 : 1) * mode * (sim->position[i].z - sim->position[0].z);
    }
    return sum;
}

/* Rate at which the peaks of q after 1 s get lower: between the first and the last of them, each by a parabola through three frames,
 * which is off by 2e-6 of it. By then the second mode, damped 39 times as fast, is gone. */
static double rate_of(const double *q, double dt)
{
    double first = NAN, at_first = 0, last = NAN, at_last = 0;
    for (int i = (int)(1 / dt); i + 1 < FRAMES; i++) {
        if (fabs(q[i]) < fabs(q[i - 1]) || fabs(q[i]) <= fabs(q[i + 1])) continue;
        double slope = (q[i + 1] - q[i - 1]) / 2, bend = q[i + 1] - 2 * q[i] + q[i - 1], x = -slope / bend;
        last = fabs(q[i] + x * slope / 2);
        at_last = (i + x) * dt;
        if (isnan(first)) first = last, at_first = at_last;
    }
    return log(first / last) / (at_last - at_first);
}

static void decay(val_run *run, val_grid grid)
{
    val_scene scene = val_scene_of(run, "cantilever.json", grid);
    val_set(&scene, "/gravity=[0,0,0]");
    val_set(&scene, "/cables/0/velocity=[0,0,0.005]");
    val_set(&scene, "/materials/rod/bending_stiffness=0.05"); /* EI / mu = 1 m^4/s^2 */
    val_set(&scene, "/materials/rod/damping=0");
    val_set(&scene, "/materials/rod/bending_damping=%g", TAU);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    static double q[FRAMES];
    int done = 0;
    while (done < FRAMES && val_step(run, &sim, 1)) q[done++] = project(&sim, grid.segments);
    /* The lumped chain's first mode is slower by 0.85/n^2 (cantilever_mode.c), so that it decays more slowly by twice that; and a
     * tenth of it, and 0.1 %. Softness of XPBD's bending, which its damping increases, counts fully. */
    double chain = 2 * 0.85 / (grid.segments * grid.segments);
    if (done == FRAMES)
        val_check(run, VAL_RELATIVE, "decay, 1/s", grid, TAU * pow(BETA, 4) / 2, rate_of(q, sim.frame),
                  run->method == VAL_XPBD ? 0.012 : 1.1 * chain + 0.001);
    val_close(&sim);
}

/* Where the rod's weight has bent it after 15 s. */
static bool droop(val_run *run, val_grid grid, double damping, double tau, cab_vec3 *end)
{
    val_scene scene = val_scene_of(run, "cantilever.json", grid);
    val_set(&scene, "/materials/rod/damping=%g", damping);
    val_set(&scene, "/materials/rod/bending_damping=%g", tau);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return false;
    bool done = val_step(run, &sim, 900);
    *end = sim.position[grid.segments];
    val_close(&sim);
    return done;
}

void val_viscosity(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 160, 4}, {16, 320, 4}}, [VAL_DIRECT] = {{16, 20, 1}, {32, 20, 1}}};
    for (int g = 0; g < VAL_GRIDS; g++) {
        val_grid grid = grids[run->method][g];
        cab_vec3 end, still;
        decay(run, grid);
        if (run->method == VAL_XPBD) continue; /* by so few iterations it would sag: docs/methods.md */
        /* Modes creep at 1/tau at most, so that exp(-30) is left of them; ten times what rounding was seen to leave. Rates
         * that take weight and tension for motion move it by 5 to 18 mm. */
        if (droop(run, grid, 7, 0, &still) && droop(run, grid, 0, 0.5, &end))
            val_check(run, VAL_ABSOLUTE, "droop moved, m", grid, 0, val_distance(end, still), 2e-6);
    }
}

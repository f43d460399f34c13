/* A rod, 1 m, clamped level, pushed sideways all at once without gravity: each mode swings by itself,
 * z = s sin(omega t).
 */
#include <math.h>
#include <stdio.h>

#include "cases.h"

#define FRAMES 120

/* Modes of a clamped-free beam: beta, with cosh beta cos beta = -1; omega = beta^2. */
static const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382};

static const double slower[] = {0.85, 4.27, 8.97}; /* the lumped chain, times segments squared */

static double mode(double beta, double s)
{
    double sigma = (sinh(beta) - sin(beta)) / (cosh(beta) + cos(beta));
    return cosh(beta * s) - cos(beta * s) - sigma * (sinh(beta * s) - sin(beta * s));
}

static double project(const val_sim *sim, int segments, double beta)
{
    double sum = 0;
    for (int i = 1; i <= segments; i++)
        sum += (i == segments ? 0.5 : 1) * mode(beta, (double)i / segments) *
               (sim->position[i].z - sim->position[0].z);
    return sum;
}

/* Half a period, from as many as there are up to 15: their first and last crossings are between two frames,
 * straight lines between which are off by 0.02 of a radian in the third mode. */
static double half_period(const double *q, double dt)
{
    double first = val_crossing(q, FRAMES, dt, 0), last = first;
    int count = 0;
    for (double next; count < 15 && isfinite(next = val_crossing(q, FRAMES, dt, count + 1)); count++)
        last = next;
    return (last - first) / count;
}

static void run_grid(val_run *run, val_grid grid)
{
    val_scene scene = val_scene_of(run, "cantilever.json", grid);
    val_set(&scene, "/gravity=[0,0,0]");
    val_set(&scene, "/cables/0/velocity=[0,0,0.005]");
    val_set(&scene, "/materials/rod/bending_stiffness=0.05"); /* EI / mu = 1 m^4/s^2 */
    val_set(&scene, "/materials/rod/damping=0");
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    static double q[3][FRAMES];
    int done = 0, modes = run->method == VAL_DIRECT ? 3 : 1; /* XPBD softens the higher ones */
    while (done < FRAMES && val_step(run, &sim, 1)) {
        for (int k = 0; k < modes; k++) q[k][done] = project(&sim, grid.segments, roots[k]);
        done++;
    }
    for (int k = 0; done == FRAMES && k < modes; k++) {
        char name[40];
        snprintf(name, sizeof name, "omega %d, 1/s", k + 1);
        /* The lumped chain's own modes, solved for exactly, are slower by c/n^2; and a tenth of that, and 0.1
         * % for time. Softness of XPBD's bending counts by half. */
        double chain = slower[k] / (grid.segments * grid.segments);
        val_check(run, VAL_RELATIVE, name, grid, roots[k] * roots[k], VAL_PI / half_period(q[k], sim.frame),
                  run->method == VAL_XPBD ? 0.005 : 1.1 * chain + 0.001);
    }
    val_close(&sim);
}

void val_cantilever_mode(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 80, 4}, {32, 160, 4}}, [VAL_DIRECT] = {{16, 20, 1}, {32, 20, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) run_grid(run, own[g]);
}

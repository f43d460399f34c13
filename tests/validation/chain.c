/* A chain, 1 m, hung at one end, swings slightly: modes J0(2 k sqrt(z / L)), z from the free end, omega = k
 * sqrt(g / L) where J0(2 k) = 0. It is let go in the shape of a mode, and its projection on that mode is
 * followed.
 */
#include <math.h>
#include <stdio.h>

#include "cases.h"

#define FRAMES 120
#define POINTS 65

static double mode(double k, double z)
{
    return j0(2 * k * sqrt(fmax(z, 0)));
}

static void set_shape(val_scene *scene, double k)
{
    cab_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double z = (POINTS - 1 - i) / (double)(POINTS - 1);
        points[i] = (cab_vec3){0.01 * (mode(k, z) - mode(k, 1)), 0, 0.2 + z};
    }
    val_set_path(scene, 0, points, POINTS);
}

static double project(const val_sim *sim, int segments, double k)
{
    double sum = 0;
    for (int i = 1; i <= segments; i++)
        sum += (i == segments ? 0.5 : 1) * mode(k, (segments - i) / (double)segments) * sim->position[i].x;
    return sum;
}

static void run_mode(val_run *run, int number, double k, val_grid grid)
{
    val_scene scene = val_scene_of(run, "chain.json", grid);
    set_shape(&scene, k);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    double q[FRAMES];
    int done = 0;
    while (done < FRAMES) {
        q[done++] = project(&sim, grid.segments, k);
        if (!val_step(run, &sim, 1)) break;
    }
    if (done == FRAMES) {
        char name[40];
        double half = val_crossing(q, FRAMES, sim.frame, 1) - val_crossing(q, FRAMES, sim.frame, 0);
        snprintf(name, sizeof name, "omega %d, 1/s", number);
        /* Stretch g h^2 n^2 / L on average (0.1 %) lengthens the chain, the swing of 1 cm and the lumped
         * masses are of the same order; the second mode sees them four times as much. */
        val_check(run, VAL_RELATIVE, name, grid, k * sqrt(VAL_GRAVITY), VAL_PI / half,
                  number == 1 ? 0.005 : 0.01);
    }
    val_close(&sim);
}

void val_chain(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{32, 80, 1}, {64, 160, 1}}, [VAL_DIRECT] = {{32, 20, 1}, {64, 20, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) {
        run_mode(run, 1, 1.202413, own[g]);
        run_mode(run, 2, 2.760039, own[g]);
    }
}

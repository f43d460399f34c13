/* A string of beads stretched by 1 % between two pegs 1 m apart, pushed sideways all at once: each odd mode
 * swings by itself. The modes sin(k pi i / n) of a chain of beads are exact.
 */
#include <math.h>
#include <stdio.h>

#include "cases.h"

#define FRAMES 192 /* 0.8 s at 240 frames a second */

static double project(const val_sim *sim, int segments, int k)
{
    double sum = 0;
    for (int i = 1; i < segments; i++) sum += sin(k * VAL_PI * i / segments) * sim->position[i].z;
    return sum;
}

static double omega(int segments, int k)
{
    double length = 0.99, density = 0.05, stiffness = 100; /* m, kg/m, N */
    double tension = stiffness * (1 - length) / length;
    double mass = density * length / segments, spacing = 1.0 / segments;
    return 2 * sqrt(tension / (mass * spacing)) * sin(k * VAL_PI / (2 * segments));
}

static void run_grid(val_run *run, val_grid grid)
{
    val_scene scene = val_scene_of(run, "string.json", grid);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    double q[2][FRAMES];
    int done = 0;
    while (done < FRAMES && val_step(run, &sim, 1)) {
        q[0][done] = project(&sim, grid.segments, 1);
        q[1][done++] = project(&sim, grid.segments, 3);
    }
    for (int i = 0; done == FRAMES && i < 2; i++) {
        int k = i ? 3 : 1;
        char name[40];
        double half = val_crossing(q[i], FRAMES, sim.frame, 1) - val_crossing(q[i], FRAMES, sim.frame, 0);
        snprintf(name, sizeof name, "omega %d, 1/s", k);
        /* With one iteration the pull is short by about 0.8 EA h^2 / (m l), 1.7 % of 2.2 %; four leave a few
         * thousandths of that. The swing (4 mm, 1 mm in mode 3) lengthens the string by 6e-5 and so raises
         * its pull by 0.6 % at the turning points, a fifth of it on average. */
        val_check(run, VAL_RELATIVE, name, grid, omega(grid.segments, k), VAL_PI / half, 0.005);
    }
    val_close(&sim);
}

void val_string(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 20, 4}, {32, 40, 4}}, [VAL_DIRECT] = {{16, 5, 1}, {32, 5, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) run_grid(run, own[g]);
}

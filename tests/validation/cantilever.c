/* A heavy rod, 1 m, clamped level at one end: EI theta'' = -mu g (L - s) cos theta, by Runge-Kutta shooting.
 */
#include <stdio.h>

#include "cases.h"

static void run_load(val_run *run, double gamma, double expected, val_grid grid)
{
    val_scene scene = val_scene_of(run, "cantilever.json", grid);
    val_set(&scene, "/materials/rod/bending_stiffness=%.9g", 0.05 * VAL_GRAVITY / gamma);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    /* 3 s at a damping of 7 1/s: what moved is down to exp(-10). */
    if (val_step(run, &sim, 180)) {
        cab_vec3 root = sim.position[0], tip = sim.position[grid.segments];
        char name[40];
        snprintf(name, sizeof name, "drop / reach, load %g", gamma);
        /* XPBD: what the project promises where it converges. The chain of 32 segments itself is 0.1 to 0.6 %
         * off (16 segments: 0.4 to 2.3 %), the more the more it bends. direct gives the chain's own answer:
         * within 0.5 % from 64 segments on; half as many are four times as far off, 1.2 % at a load of 100.
         */
        double tolerance = run->method == VAL_XPBD ? 0.015 : grid.segments < 64 ? 0.015 : 0.005;
        val_check(run, VAL_RELATIVE, name, grid, expected, (root.z - tip.z) / (tip.x - root.x), tolerance);
    }
    val_close(&sim);
}

static const struct load {
    double gamma, expected;
} loads[] = {{1, 0.124562}, {5, 0.585721}, {10, 1.066802}, {50, 3.705561}, {100, 5.888127}};

void val_cantilever(val_run *run)
{
    /* EI h^2 / (m l^3) must stay under 0.2 with four iterations (docs/design.md): it grows with the fourth
     * power of the segments and with the stiffness. */
    if (run->method == VAL_DIRECT) {
        for (int n = 32; n <= 128; n *= 2)
            for (int i = 0; i < 5; i++)
                run_load(run, loads[i].gamma, loads[i].expected, (val_grid){n, 20, 1});
        return;
    }
    run_load(run, 1, 0.124562, (val_grid){16, 40, 4});
    run_load(run, 5, 0.585721, (val_grid){16, 40, 4});
    run_load(run, 10, 1.066802, (val_grid){16, 40, 4});
    run_load(run, 1, 0.124562, (val_grid){32, 160, 4});
    run_load(run, 5, 0.585721, (val_grid){32, 80, 4});
    run_load(run, 10, 1.066802, (val_grid){32, 80, 4});
    run_load(run, 50, 3.705561, (val_grid){32, 80, 4});
    run_load(run, 10, 1.066802, (val_grid){64, 240, 4});
}

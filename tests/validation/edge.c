/* A cable runs off a table without friction: x'' = g x / L for the overhang x. Holds until the running cable
 * would lift off the edge, at x / L = (1 + sqrt(1 + 8 (x0 / L)^2)) / 4 = 0.578 for x0 = 0.3 L, after 0.4 s.
 */
#include <math.h>

#include "cases.h"

static void run_grid(val_run *run, val_grid grid)
{
    val_scene scene = val_scene_of("edge.json", grid);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    double from = sim.position[grid.segments].z;
    const int frames = 21; /* 0.35 s */
    if (val_step(run, &sim, frames)) {
        double t = frames * sim.frame;
        double expected = 0.3 * (cosh(sqrt(VAL_GRAVITY) * t) - 1);
        /* The corner is a segment wide, so the overhang is not known better than to half a segment: 0.008 of
         * 0.3 m at 64 segments. */
        val_check(run, VAL_RELATIVE, "moved in 0.35 s, m", grid, expected,
                  from - sim.position[grid.segments].z, 0.03);
    }
    val_close(&sim);
}

void val_edge(val_run *run)
{
    run_grid(run, (val_grid){32, 80, 4});
    run_grid(run, (val_grid){64, 80, 8});
}

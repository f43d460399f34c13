/* A rope runs off a table without friction, round an edge of its own radius. What hangs lower pulls: the drop
 * d of its end below the table follows d'' = g d / L, whatever the edge's shape, until the running rope would
 * lift off it, after 0.4 s.
 */
#include <math.h>

#include "cases.h"

static void run_grid(val_run *run, val_grid grid)
{
    val_scene scene = val_scene_of(run, "edge.json", grid);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    double from = sim.position[grid.segments].z;
    const int frames = 21; /* 0.35 s */
    if (val_step(run, &sim, frames)) {
        double t = frames * sim.frame;
        double drop = 0.3 * (cosh(sqrt(VAL_GRAVITY) * t) - 1);
        /* A polygon does not run quite smoothly round a bend of 30 mm: 16 mm segments lose 1.6 % by XPBD and
         * 1.1 % by direct, 8 mm a quarter of that; direct's 12.5 mm lose 0.3 %. */
        val_check(run, VAL_RELATIVE, "drop in 0.35 s, m", grid, drop, from - sim.position[grid.segments].z,
                  run->method == VAL_DIRECT ? 0.01 : 0.025);
    }
    val_close(&sim);
}

void val_edge(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{64, 80, 8}, {128, 160, 8}}, [VAL_DIRECT] = {{80, 20, 4}, {160, 20, 4}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) run_grid(run, own[g]);
}

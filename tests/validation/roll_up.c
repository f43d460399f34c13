/* A moment of 2 pi EI / L at the free end: curvature 2 pi / L everywhere, the end comes back to the start. */
#include "cases.h"

static void run_grid(val_run *run, val_grid grid)
{
    val_scene scene = val_scene_of(run, "roll-up.json", grid);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    /* 4 s at a damping of 7 1/s: what moved is down to exp(-14). */
    if (val_step(run, &sim, 240)) {
        double top = 0;
        for (int i = 0; i <= grid.segments; i++)
            if (sim.position[i].z > top) top = sim.position[i].z;
        /* A corner turns by asin(2 pi / n) instead of 2 pi / n (curvature is a second difference of
         * positions): 0.65 % more at 32 segments, 0.3 % at 48, and the end moves by as much of
         * the length. */
        val_check(run, VAL_ABSOLUTE, "end to start, m", grid, 0,
                  val_distance(sim.position[0], sim.position[grid.segments]), 0.01);
        val_check(run, VAL_RELATIVE, "height, m", grid, 1 / VAL_PI, top, 0.01);
    }
    val_close(&sim);
}

void val_roll_up(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{32, 80, 4}, {48, 160, 4}}, [VAL_DIRECT] = {{32, 20, 1}, {48, 20, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) run_grid(run, own[g]);
}

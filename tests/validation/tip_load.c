/* A weightless rod, 1 m, clamped level, a force P down at its tip: the elastica, by Runge-Kutta shooting. */
#include <stdio.h>

#include "cases.h"

static const struct load {
    double alpha; /* P L^2 / EI */
    double reach, drop;
} loads[] = {
    {1, 0.943567, 0.301721}, {2, 0.839358, 0.493457}, {5, 0.612372, 0.713792}, {10, 0.445004, 0.810609}};

static const double stiffness = 0.05; /* EI, N m^2 */

static void run_load(val_run *run, const struct load *load, val_grid grid)
{
    val_scene scene = val_scene_of(run, "cantilever.json", grid);
    val_set(&scene, "/gravity=[0,0,0]");
    val_set(&scene, "/materials/rod/bending_stiffness=%g", stiffness);
    val_set(&scene, "/loads=[{\"cable\":\"a\",\"at\":\"end\",\"force\":[0,0,%.9g]}]",
            -load->alpha * stiffness);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    /* 3 s at a damping of 7 1/s: what moved is down to exp(-10). */
    if (val_step(run, &sim, 180)) {
        cab_vec3 root = sim.position[0], tip = sim.position[grid.segments];
        char name[40];
        /* The chain itself is off by up to 0.5 % (16 segments) and 0.12 % (32); softness of the method adds
         * to it. */
        snprintf(name, sizeof name, "reach, load %g", load->alpha);
        val_check(run, VAL_RELATIVE, name, grid, load->reach, tip.x - root.x, 0.006);
        snprintf(name, sizeof name, "drop, load %g", load->alpha);
        val_check(run, VAL_RELATIVE, name, grid, load->drop, root.z - tip.z, 0.006);
    }
    val_close(&sim);
}

void val_tip_load(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 40, 4}, {32, 80, 4}}, [VAL_DIRECT] = {{16, 20, 1}, {32, 20, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++)
        for (int i = 0; i < 4; i++) run_load(run, &loads[i], own[g]);
}

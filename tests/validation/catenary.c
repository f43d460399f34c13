/* A chain between two pegs of equal height, 1 m apart: closed form, a = span / (2 c) from sinh(a) / a =
 * length / span. */
#include <stdio.h>

#include "cases.h"

static const struct shape {
    double ratio; /* length / span */
    double sag;   /* / span */
    double pull;  /* horizontal, / weight of a piece as long as the span */
} shapes[] = {
    {1.05, 0.13930, 0.91964}, {1.2, 0.29234, 0.46954}, {1.5, 0.50263, 0.30824}, {2, 0.79639, 0.22964}};

/* Mean over 2 s at rest. */
static bool mean_pull(val_run *run, val_sim *sim, int segment, double *pull)
{
    const int frames = 120;
    *pull = 0;
    for (int i = 0; i < frames; i++) {
        if (!val_step(run, sim, 1)) return false;
        *pull += sim->tension[segment] / frames;
    }
    return true;
}

static void run_shape(val_run *run, const struct shape *shape, val_grid grid)
{
    val_scene scene = val_scene_of(run, "catenary.json", grid);
    val_set(&scene, "/cables/0/length=%g", shape->ratio);
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    /* 3 s at a damping of 8 1/s: what moved is down to exp(-12). */
    double pull = 0;
    if (val_step(run, &sim, 180) && mean_pull(run, &sim, grid.segments / 2, &pull)) {
        int middle = grid.segments / 2;
        double span = sim.position[grid.segments].x - sim.position[0].x;
        double sag = sim.position[0].z - sim.position[middle].z;
        double slope = (sim.position[middle + 1].x - sim.position[middle].x) /
                       val_distance(sim.position[middle + 1], sim.position[middle]);
        double weight = 0.1 * VAL_GRAVITY * span;
        char name[40];
        /* A polygon of 16 segments sags by 0.2 to 0.4 % more than a smooth chain, one of 32 by a quarter of
         * that. The rest is stretch 2 T h^2 / (m l), 2e-4 to 8e-4 here at one iteration: at 1.05 the sag
         * grows by eight times the stretch. */
        snprintf(name, sizeof name, "sag, length %g", shape->ratio);
        val_check(run, VAL_RELATIVE, name, grid, shape->sag, sag / span, 0.005);
        /* As the sag: a shorter arm pulls less. With `direct` the pull of one substep scatters by 1 to 3 %,
         * as rounding of lengths by 4e-9 m is divided by h^2: the mean of 120 frames by a few thousandths. */
        snprintf(name, sizeof name, "pull, length %g", shape->ratio);
        val_check(run, VAL_RELATIVE, name, grid, shape->pull, pull * slope / weight, 0.005);
    }
    val_close(&sim);
}

void val_catenary(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 40, 4}, {32, 80, 4}}, [VAL_DIRECT] = {{16, 20, 1}, {32, 20, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++)
        for (int i = 0; i < 4; i++) run_shape(run, &shapes[i], own[g]);
}

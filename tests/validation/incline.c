/* A straight cable on a slope, mu = 0.3 (atan mu = 16.7 degrees): across it and along it. */
#include <math.h>
#include <stdio.h>

#include "cases.h"

static const double radius = 0.005; /* m */
static const double mu = 0.3;

static bool open_slope(val_run *run, double a, bool across, val_grid grid, val_sim *sim)
{
    cab_vec3 start = {radius * sin(a), 0, radius * cos(a)};
    cab_vec3 end = {start.x + 0.5 * cos(a), 0, start.z - 0.5 * sin(a)};
    if (across) end = (cab_vec3){start.x, 0.5, start.z};
    val_scene scene = val_scene_of(run, "incline.json", grid);
    val_set_path(&scene, 0, (cab_vec3[]){start, end}, 2);
    val_set(&scene, "/colliders/0/normal=[%.17g,0,%.17g]", sin(a), cos(a));
    return val_open(run, &scene, sim);
}

static void run_slope(val_run *run, double degrees, bool across, val_grid grid)
{
    double a = degrees * VAL_PI / 180;
    val_sim sim;
    if (!open_slope(run, a, across, grid, &sim)) return;
    cab_vec3 from = sim.position[grid.segments / 2];
    const int frames = 30; /* 0.5 s */
    if (val_step(run, &sim, frames)) {
        double t = frames * sim.frame, moved = val_distance(from, sim.position[grid.segments / 2]);
        double slide = VAL_GRAVITY * (sin(a) - mu * cos(a));
        char name[40];
        snprintf(name, sizeof name, "moved %s %g deg, m", across ? "across" : "along", degrees);
        if (slide < 0) {
            /* Rounding only: 1,200 substeps of half a unit in the last place of 0.5 m. */
            val_check(run, VAL_ABSOLUTE, name, grid, 0, moved, 5e-5);
        } else {
            /* Steps of h reach 1/2 a t (t + h), 0.1 to 0.2 % more; the cable's slight bounce the rest. */
            val_check(run, VAL_RELATIVE, name, grid, 0.5 * slide * t * t, moved,
                      run->method == VAL_DIRECT ? 0.003 : 0.01);
        }
    }
    val_close(&sim);
}

void val_incline(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 20, 1}, {32, 40, 1}}, [VAL_DIRECT] = {{16, 20, 1}, {32, 40, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) {
        run_slope(run, 15, false, own[g]);
        run_slope(run, 15, true, own[g]);
        run_slope(run, 20, false, own[g]);
        run_slope(run, 20, true, own[g]);
        run_slope(run, 35, false, own[g]);
    }
}

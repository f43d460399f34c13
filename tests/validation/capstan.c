/* A rope over a bar, half a turn at mu = 0.2, a weight at each end: it holds while the heavier pull is below
 * exp(mu pi) = 1.87446 times the lighter, and slides with what is left above it.
 */
#include <math.h>
#include <stdio.h>

#include "cases.h"

static const double light = 0.1;    /* kg */
static const double density = 0.1;  /* kg/m */
static const double hanging = 0.3;  /* m on each side */
static const double radius = 0.053; /* m, from the bar's axis to the rope's */
static const double mu = 0.2;

/* Pull ratio, rope included: the mass at the end that makes the pull at the bar `ratio` times the lighter
 * one. */
static double heavy_mass(double ratio)
{
    return ratio * (light + density * hanging) - density * hanging;
}

/* Acceleration when it slides (m/s^2). On the bar, theta from the light side:
 *     dT/dtheta = mu T + rho R a + rho R g (cos(theta) + mu sin(theta)).
 */
static double slide(double ratio)
{
    double limit = exp(mu * VAL_PI), one = light + density * hanging;
    double on_bar = density * radius * (limit - 1) / mu; /* kg, weighed */
    double weight = density * radius * 2 * mu * (1 + limit) / (1 + mu * mu);
    return VAL_GRAVITY * (ratio * one - limit * one - weight) / (ratio * one + limit * one + on_bar);
}

static void run_ratio(val_run *run, double part, val_grid grid)
{
    double ratio = part * exp(mu * VAL_PI);
    val_scene scene = val_scene_of("capstan.json", grid);
    val_set(&scene, "/loads/0/mass=%.9g", light);
    val_set(&scene, "/loads/1/mass=%.9g", heavy_mass(ratio));
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    double from = sim.position[grid.segments].z;
    const int frames = 24; /* 0.4 s */
    if (val_step(run, &sim, frames)) {
        double moved = from - sim.position[grid.segments].z, t = frames * sim.frame;
        char name[40];
        if (part < 1) {
            snprintf(name, sizeof name, "moved at %.2f, m", part);
            /* Settling onto the bar, well under the 50 mm of the sliding rope. */
            val_check(run, VAL_ABSOLUTE, name, grid, 0, moved, 0.001);
        } else {
            snprintf(name, sizeof name, "moved at %.2f, m", part);
            /* A polygon of 16 corners grips by 0.2 % more, and what slides is a seventh of the pull: 2 %.
             * Friction of the discrete contacts adds to that. */
            val_check(run, VAL_RELATIVE, name, grid, 0.5 * slide(ratio) * t * t, moved, 0.1);
        }
    }
    val_close(&sim);
}

void val_capstan(val_run *run)
{
    static const val_grid grids[] = {{76, 80, 32}, {38, 80, 16}};
    for (int g = 0; g < 2; g++) {
        run_ratio(run, 0.9, grids[g]);
        run_ratio(run, 1.15, grids[g]);
    }
}

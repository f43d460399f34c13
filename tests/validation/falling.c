/* A cable held at its start falls from a slanted line: 64 particles, EI = 1e-4, the cable of
 * scenes/hang.json. Its centre of mass against benchmarks/peers/reference.csv: the same 64 particles with
 * exact lengths, Runge-Kutta in double, converged; none of this program is in it.
 */
#include <math.h>
#include <stdio.h>

#include "cases.h"

#define FRAMES 60

static bool read_reference(val_run *run, cab_vec3 *centre)
{
    char path[1024], line[256];
    snprintf(path, sizeof path, "%s/../benchmarks/peers/reference.csv", run->scenes);
    FILE *file = fopen(path, "r");
    int done = 0;
    while (file && done <= FRAMES && fgets(line, sizeof line, file)) {
        int frame;
        double time;
        cab_vec3 *c = &centre[done];
        if (sscanf(line, "%d,%lf,%lf,%lf,%lf", &frame, &time, &c->x, &c->y, &c->z) == 5 && frame == done)
            done++;
    }
    if (file) fclose(file);
    if (done <= FRAMES) val_fail(run, "%s: cannot read %d frames", path, FRAMES);
    return done > FRAMES;
}

static cab_vec3 centre_of(const val_sim *sim, int segments)
{
    cab_vec3 sum = {0, 0, 0};
    for (int i = 0; i <= segments; i++) {
        double part = (i == 0 || i == segments ? 0.5 : 1) / segments;
        sum.x += part * sim->position[i].x;
        sum.y += part * sim->position[i].y;
        sum.z += part * sim->position[i].z;
    }
    return sum;
}

static void run_grid(val_run *run, const cab_vec3 *reference, val_grid grid, double tolerance)
{
    val_scene scene = val_scene_of(run, "hang.json", grid);
    val_set(&scene, "/cables/0/copies/count=[1,1,1]");
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    double off = 0;
    int done = 0;
    while (done < FRAMES && val_step(run, &sim, 1)) {
        done++;
        off = fmax(off, val_distance(centre_of(&sim, grid.segments), reference[done]));
    }
    if (done == FRAMES) {
        val_check(run, VAL_ABSOLUTE, "centre off in 1 s, m", grid, 0, off, tolerance);
    }
    val_close(&sim);
}

void val_falling(val_run *run)
{
    cab_vec3 reference[FRAMES + 1];
    if (!read_reference(run, reference)) return;
    if (run->method == VAL_DIRECT) {
        /* Second order: a quarter at twice the substeps, from 0.02 mm at 10. */
        run_grid(run, reference, (val_grid){63, 10, 1}, 5e-5);
        run_grid(run, reference, (val_grid){63, 20, 1}, 1.25e-5);
        run_grid(run, reference, (val_grid){63, 40, 1}, 4e-6);
    } else {
        /* First order, and a stretch of 0.3 % at 100: 1 mm would be a fifth of a per cent of the way. */
        run_grid(run, reference, (val_grid){63, 100, 1}, 1e-3);
        run_grid(run, reference, (val_grid){63, 200, 1}, 1e-3);
    }
}

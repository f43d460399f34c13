/* A cable swings freely, undamped, for 100,000 substeps. */
#include <math.h>

#include "cases.h"

/* J between the start and hanging at rest. */
static double swing_energy(const val_sim *sim, int segments)
{
    const double density = 0.05; /* kg/m */
    cab_cable_info cable = cab_world_get_cable(sim->world, 0);
    double height = 0;
    for (int i = 0; i <= segments; i++)
        height += (i == 0 || i == segments ? 0.5 : 1) / segments * (sim->position[i].z - sim->position[0].z);
    return density * cable.length * VAL_GRAVITY * (height + cable.length / 2);
}

static void run_grid(val_run *run, double stiffness, val_grid grid)
{
    val_scene scene = val_scene_of("one.json", grid);
    val_set(&scene, "/materials/wire/damping=0");
    val_set(&scene, "/materials/wire/bending_stiffness=%g", stiffness);
    val_set(&scene, "/contact={\"cables\":false,\"self\":false}");
    val_sim sim;
    if (!val_open(run, &scene, &sim)) return;
    cab_measures measures;
    cab_error error;
    double first = 0, growth = 0;
    int frames = 100000 / grid.substeps, done = 0;
    for (; done <= frames; done++) {
        if (cab_world_measure(sim.world, &measures, &error)) {
            val_fail(run, "%s", error.message);
            break;
        }
        double energy = measures.kinetic + measures.potential;
        if (done == 0) first = energy;
        growth = fmax(growth, energy - first);
        if (done < frames && cab_world_step(sim.world, 1, &error)) {
            val_fail(run, "%s", error.message);
            break;
        }
    }
    /* The known answer: never more than 0.1 % of what it had. */
    if (done > frames)
        val_check(run, VAL_AT_MOST, stiffness > 0 ? "growth, EI > 0" : "growth, EI = 0", grid, 0,
                  growth / swing_energy(&sim, grid.segments), 0.001);
    val_close(&sim);
}

void val_energy(val_run *run)
{
    run_grid(run, 0, (val_grid){16, 50, 1});
    run_grid(run, 1e-4, (val_grid){32, 100, 1});
}

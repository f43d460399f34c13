/* A heavy rod at rest, pulled aside at its tip, then damped much more, then hardly: its shape does not care.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

static double moved(const val_sim *sim, const cab_vec3 *from)
{
    double far = 0;
    for (int i = 0; i < sim->info.nodes; i++) far = fmax(far, val_distance(sim->position[i], from[i]));
    return far;
}

static void change(val_run *run, val_sim *sim, const char *quantity, double damping, double drag,
                   val_grid grid)
{
    size_t bytes = (size_t)sim->info.nodes * sizeof(cab_vec3);
    cab_vec3 *from = malloc(bytes);
    cab_error error;
    cab_material_def rod = cab_material_default();
    rod.name = "rod";
    rod.radius = 0.004;
    rod.linear_density = 0.05;
    rod.bending_stiffness = 0.04905;
    rod.damping = damping;
    rod.air_drag = drag;
    if (!from) {
        val_fail(run, "out of memory");
        return;
    }
    memcpy(from, sim->position, bytes);
    if (cab_world_set_material(sim->world, &rod, &error)) {
        val_fail(run, "%s", error.message);
    } else if (val_step(run, sim, 60)) {
        /* 0.03 % of a drop of 0.7 m: exp(-10) of it is left to settle. Damping that also took from the
         * weight, by damping times substep, would move it by 14 mm. */
        val_check(run, VAL_ABSOLUTE, quantity, grid, 0, moved(sim, from), 2e-4);
    }
    free(from);
}

void val_damping(val_run *run)
{
    static const val_grids grids = {
        [VAL_XPBD] = {{16, 40, 4}, {32, 80, 4}}, [VAL_DIRECT] = {{16, 20, 1}, {32, 20, 1}}};
    const val_grid *own = grids[run->method];
    for (int g = 0; g < VAL_GRIDS; g++) {
        val_scene scene = val_scene_of(run, "cantilever.json", own[g]);
        val_set(&scene, "/loads=[{\"cable\":\"a\",\"at\":\"end\",\"force\":[0.05,0.1,0]}]");
        val_sim sim;
        if (!val_open(run, &scene, &sim)) return;
        if (val_step(run, &sim, 180)) {
            change(run, &sim, "moved at 100 1/s, m", 100, 0, own[g]);
            change(run, &sim, "moved in air, m", 0, 1, own[g]);
            change(run, &sim, "moved undamped, m", 0, 0, own[g]);
        }
        val_close(&sim);
    }
}

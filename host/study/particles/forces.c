/* Forces on the host, by the formulas of the kernels: what a picture shows of them. */
#include <math.h>

#include "kernels/particles/physics.h"
#include "study/particles/parts.h"

void cab_p_angle_forces(const cab_particle_force_def *def, double guard, const cab_vec2 x[3],
                        const cab_vec2 v[3], cab_vec2 out[3])
{
    const cab_p_force force = {.kind = (int)def->kind,
                               .stiffness = def->stiffness,
                               .damping = def->damping,
                               .angle = def->angle,
                               .cosine = cos(def->angle),
                               .sine = sin(def->angle)};
    cab_p2 place[3], speed[3];
    for (int i = 0; i < 3; i++) {
        place[i] = p2_make(x[i].x, x[i].y);
        speed[i] = p2_make(v[i].x, v[i].y);
    }
    cab_p_pushes pushes = cab_p_angle_pushes(force, guard, place, speed);
    out[0] = (cab_vec2){pushes.a.x, pushes.a.y};
    out[1] = (cab_vec2){pushes.b.x, pushes.b.y};
    out[2] = (cab_vec2){pushes.c.x, pushes.c.y};
}

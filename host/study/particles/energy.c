/* Energies of a system and forces of its angular springs, on the host: what a report tells and a picture shows. The energy
 * of angular springs is the exact one, whatever the guard is. Springs to goals and expressions count as having none. */
#include <math.h>

#include "study/particles/formulas.h"
#include "study/particles/parts.h"

double cab_p_kinetic(const cab_p_batch *batch, const cab_p_system *s, const double *v)
{
    const double *mass = CAB_P_AT(batch->mass, double, s->particle);
    double sum = 0;
    for (int i = 0; i < s->particles; i++)
        sum += 0.5 * mass[i] * (v[2 * i] * v[2 * i] + v[2 * i + 1] * v[2 * i + 1]);
    return sum;
}

/* How far the angle from ray b-a to ray b-c is from the rest angle. */
static double angle_off(const cab_p_force *f, const double *x)
{
    double r1x = x[2 * f->a] - x[2 * f->b], r1y = x[2 * f->a + 1] - x[2 * f->b + 1];
    double r3x = x[2 * f->c] - x[2 * f->b], r3y = x[2 * f->c + 1] - x[2 * f->b + 1];
    double cross = r1x * r3y - r1y * r3x, dot = r1x * r3x + r1y * r3y;
    if (f->kind == CAB_P_ANGLE_ENERGY) return atan2(fabs(cross), dot) - f->angle;
    return atan2(cross * f->cosine - dot * f->sine, dot * f->cosine + cross * f->sine);
}

static double force_energy(const cab_p_force *f, const double *x)
{
    double off = 0;
    if (f->kind == CAB_P_SPRING)
        off = hypot(x[2 * f->a] - x[2 * f->b], x[2 * f->a + 1] - x[2 * f->b + 1]) - f->rest;
    else if (f->kind == CAB_P_ANGLE_ENERGY || f->kind == CAB_P_ANGLE_ATAN2)
        off = angle_off(f, x);
    return 0.5 * f->stiffness * off * off;
}

double cab_p_potential(const cab_p_batch *batch, const cab_p_system *s, const double *x)
{
    const double *mass = CAB_P_AT(batch->mass, double, s->particle);
    const cab_p_force *force = CAB_P_AT(batch->forces, cab_p_force, s->force);
    double sum = 0;
    for (int i = 0; i < s->particles; i++)
        sum -= mass[i] * (s->gravity_x * x[2 * i] + s->gravity_y * x[2 * i + 1]);
    for (int i = 0; i < s->forces; i++) sum += force_energy(&force[i], x);
    return sum;
}

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

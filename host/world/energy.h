/* Energies of a world, as its method counts them. */
#ifndef CAB_WORLD_ENERGY_H
#define CAB_WORLD_ENERGY_H

#include "world/world.h"

typedef struct cab_place_speed {
    double x[3], v[3]; /* m, m/s */
} cab_place_speed;

typedef struct cab_energy {
    double kinetic, potential; /* J; potential: gravity, stretching, bending, twist, soft attachments */
    double stretching,
        springs; /* of the potential what is in lengths; in bending, twist and soft attachments */
    double
        unsolved; /* not of it: what lengths that are off may still give back, at the force they pull with */
} cab_energy;

/* How a bending is bent: C - target, and by what share of that, and by what square, it is off what it wants to be. */
typedef struct cab_bend {
    double turn[3], share, off2;
} cab_bend;
/* motion: [particles]. False where it stores no energy: broken, rigid, without stiffness. */
bool cab_bend_of(const cab_model *model, int bending, const cab_place_speed *motion, cab_bend *bend);

/* T = -lambda / h^2 of the segment that starts at a node, N; 0 where none does. lambda: [segments] at least. */
double cab_tension_at(const cab_model *model, int node, const float *lambda);

/* Reads places and velocities of all particles, [particles]; the caller frees them. Also reads what kinds of constraints need to tell
 * the energy that they store. */
cab_status cab_world_read_motion(cab_world *world, cab_place_speed **motion, cab_error *error);
/* Writes them. What a carrier has of former steps stays: see cab_world_restart_carrier(). */
cab_status cab_world_write_motion(cab_world *world, const cab_place_speed *motion, cab_error *error);

/* Reads the multipliers of all lengths, [distances]; the caller frees them, after a failure too. */
cab_status cab_world_read_multipliers(cab_world *world, float **lambda, cab_error *error);

/* Adds up the energies of particles with this motion, as the world's method counts them. lambda: the multipliers of its last
 * substep; NULL = not known, what lengths store follows from the places then. part: NULL, or for each particle where in
 * `energy` it belongs; a constraint belongs to one of its free particles. */
void cab_world_add_energies(const cab_world *world, const cab_place_speed *motion, const float *lambda,
                            const int *part, cab_energy *energy);

#endif

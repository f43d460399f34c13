/* Measures of a frame. */
#ifndef CAB_MEASURE_H
#define CAB_MEASURE_H

#include "world/world.h"

/* Updates stretch, speed and penetration after a frame; CAB_ERROR_DIVERGED when one is out of bounds. */
cab_status cab_world_update_measures(cab_world *world, cab_error *error);

typedef struct cab_place_speed {
    double x[3], v[3]; /* m, m/s */
} cab_place_speed;

typedef struct cab_energy {
    double kinetic, potential; /* J; potential: gravity, stretching, bending, soft attachments */
} cab_energy;

/* Reads places and velocities of all particles, [particles]; the caller frees them. */
cab_status cab_world_read_motion(cab_world *world, cab_place_speed **motion, cab_error *error);

/* Adds up the energies of particles with this motion, as the world's method counts them. part: NULL, or for each particle where in
 * `energy` it belongs; a constraint belongs to one of its free particles. */
void cab_world_add_energies(const cab_world *world, const cab_place_speed *motion, const int *part,
                            cab_energy *energy);

#endif

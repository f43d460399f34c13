/* A system of particles as a drawing: particles as dots whose volume goes by the mass, rods, springs as
 * zigzags, wires and lines thin, fixed points in a ring, angular springs as arcs; arrows are what all of
 * these do to a particle, six of its radii for the weight of one of mean mass. */
#ifndef CAB_SKETCH_PARTICLES_H
#define CAB_SKETCH_PARTICLES_H

#include "view/shapes/sketch.h"

/* What pulls at a particle. */
typedef struct cab_sketch_hand {
    bool holds;
    int particle;
    cab_vec2 point;
} cab_sketch_hand;

/* The radius of a particle of mean mass, m: it suits how far all reaches at the start and how close they are.
 */
double cab_sketch_particles_unit(const cab_particles_def *system);

/* @param x     where the particles are, m
 * @param v     their velocities, m/s
 * @param unit  of the above */
void cab_sketch_particles(cab_sketch *sketch, const cab_particles_def *system, const cab_vec2 *x,
                          const cab_vec2 *v, const cab_sketch_hand *hands, int hand_count, double unit);

#endif

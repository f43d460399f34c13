/* What the readers of a scene of particles share: read.c reads small values, system.c reads particles, forces and
 * constraints, chains.c chains of them, settings.c settings and time, document.c the document. */
#ifndef CAB_STUDY_PARTICLES_READ_H
#define CAB_STUDY_PARTICLES_READ_H

#include "study/particles/scene.h"
#include "study/read.h"

/* What a document is read into. */
typedef struct cab_p_builder {
    const char *file; /* for messages */
    cab_particles_scene *scene;
    cab_particle_def *particles;
    cab_particle_force_def *forces;
    cab_particle_constraint_def *constraints;
} cab_p_builder;

/* A new item at the end of one of the builder's lists, all zeros; NULL, with an error, when there is no room. */
cab_particle_def *cab_p_add_particle(cab_p_builder *b, cab_error *error);
cab_particle_force_def *cab_p_add_force(cab_p_builder *b, cab_error *error);
cab_particle_constraint_def *cab_p_add_constraint(cab_p_builder *b, cab_error *error);

#ifndef CAB_P_ITEMS_MAX /* fuzzers set a lower one */
#define CAB_P_ITEMS_MAX 10000000
#endif

/* Ranges of numbers that are checked where a system is made of the scene. */
#define CAB_P_ANY ((cab_limit){-1e300, 1e300, false})
#define CAB_P_COUNT ((cab_limit){1, CAB_P_ITEMS_MAX, true})
#define CAB_P_GAIN ((cab_limit){0, 1e12, false})

/* Degrees, of a double in radians. */
cab_item_reader cab_p_read_angle;
#define CAB_P_RADIANS(degrees) ((degrees)*3.14159265358979323846 / 180)

/* Indices under "particles". */
cab_status cab_p_read_indices(const cab_cursor *item, int count, int *out);

/* Items of the lists "particles", "forces", "constraints", "chains", into the builder. */
cab_item_reader cab_p_read_particle, cab_p_read_force, cab_p_read_constraint, cab_p_read_chain;

/* Into the scene. */
cab_item_reader cab_p_read_settings, cab_p_read_time;

#endif

/* What the readers of a scene of particles share: read.c reads small values, system.c reads particles, forces and
 * constraints, chains.c chains of them, settings.c settings and time, document.c the document.
 */
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

/* Each reads the value of a key. Where the key is missing the value stays what it is. Ranges are checked where a
 * system is made of the scene. */
cab_status cab_p_read_number(const cab_cursor *object, const char *key, double *value); /* of any size */
cab_status cab_p_read_count(const cab_cursor *object, const char *key, int *value);     /* 1 or more */
cab_status cab_p_read_point(const cab_cursor *object, const char *key, bool required, cab_vec2 *value);

/* "angle", degrees; 180 where it is missing. */
cab_status cab_p_read_angle(const cab_cursor *object, double *angle);

/* `most` indices under "particles", at least `least`. */
cab_status cab_p_read_indices(const cab_cursor *item, int least, int most, int *out);

/* Items of the lists "particles", "forces", "constraints", "chains", for cab_study_read_each. */
cab_study_read_item cab_p_read_particle, cab_p_read_force, cab_p_read_constraint, cab_p_read_chain;

cab_status cab_p_read_settings(const cab_cursor *system, cab_particles_scene *scene);
cab_status cab_p_read_time(const cab_cursor *system, cab_particles_scene *scene);

#endif

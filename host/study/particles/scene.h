/* A scene of particles: a JSON document whose key "particles" holds a system, its time and its hands. */
#ifndef CAB_STUDY_PARTICLES_SCENE_H
#define CAB_STUDY_PARTICLES_SCENE_H

#include <clcable/particles.h>

/* Pulls a particle from one time to another, frame by frame. */
typedef struct cab_particle_hand {
    int particle;
    cab_vec2 point;
    double stiffness, damping;
    double from, until; /* s */
} cab_particle_hand;

typedef struct cab_particles_scene {
    cab_particles_def system; /* its arrays belong to the scene */
    cab_particles_way way;
    double duration;   /* s */
    double frame_rate; /* 1/s */
    int steps;         /* a frame */
    cab_particle_hand hands[CAB_PARTICLES_HANDS];
    int hand_count;
    cab_particles_facts facts; /* of the system at the start */
    void *document;            /* holds the texts of expressions */
} cab_particles_scene;

/* document.c: reads a file, changed by `overrides` (POINTER=VALUE). Faults name file and pointer. To be freed. */
cab_status cab_particles_scene_load(const char *path, const char *const *overrides, int override_count,
                                    cab_particles_scene *scene, cab_error *error);
/* From memory; `file` is for messages. */
cab_status cab_particles_scene_parse(const char *file, const char *text, size_t size,
                                     const char *const *overrides, int override_count,
                                     cab_particles_scene *scene, cab_error *error);
void cab_particles_scene_free(cab_particles_scene *scene);

#endif

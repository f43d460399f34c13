/* What the parts of the planar study share. */
#ifndef CAB_STUDY_PLANAR_H
#define CAB_STUDY_PLANAR_H

#include <clcable/planar.h>

#include "backend/backend.h"
#include "kernels/planar/types.h"

/* What does not move and is no body: in the arrays it comes after a scene's bodies. */
#define CAB_PLANAR_WORLD (-1)

typedef struct cab_planar_cable {
    char *name;
    cab_planar_cable_def def; /* its links name no bodies: */
    cab_planar_link_def *links;
    int *link_bodies; /* or CAB_PLANAR_WORLD */
} cab_planar_cable;

typedef struct cab_planar_named_body {
    char *name;
    cab_planar_body_def def;
} cab_planar_named_body;

struct cab_planar_scene {
    cab_planar_settings settings;
    cab_planar_named_body *bodies;
    int body_count;
    cab_planar_cable *cables;
    int cable_count;
};

/* What a batch needs of each buffer. */
typedef struct cab_planar_arrays {
    cab_pl_scene *scene;
    cab_pl_motion *motion;
    cab_pl_body *body;
    cab_pl_corner *corner;
    cab_pl_cable *cable;
    cab_pl_joint *joint;
    cab_pl_sweep *sweep;
    int *chain;
    int scenes, bodies, corners, cables, joints, contacts, pairs, cells, chains,
        nodes; /* elements; of contacts: one list */
} cab_planar_arrays;

/* read.c: as cab_planar_scene_load, from memory; `file` is for messages. */
cab_status cab_planar_scene_parse(const char *file, const char *text, size_t size,
                                  const char *const *overrides, int override_count, cab_planar_scene **scene,
                                  cab_error *error);

/* build.c: arrays of a batch, the cables laid along their links. */
cab_status cab_planar_build(const cab_planar_scene *const *scenes, int count, cab_planar_arrays *arrays,
                            cab_error *error);
void cab_planar_free_arrays(cab_planar_arrays *arrays);

/* A batch of scenes on a device: planar.c makes and steps it, state.c reads it back, pull.c pulls bodies. */
typedef struct cab_planar_names {
    char **body, **cable;
    int bodies, cables;
} cab_planar_names;

struct cab_planar {
    cab_backend *backend;
    cab_planar_arrays arrays; /* as they were at the start */
    cab_planar_names *names;  /* [scenes] */
    double *length;           /* [cables] m, at the start */
    double seconds[CAB_PLANAR_STAGE_COUNT];
    bool profile;
    int steps;
};

/* state.c: rest and stored lengths of a cable; `joint` are its scene's. */
double cab_planar_length_of(const cab_pl_cable *cable, const cab_pl_joint *joint);

#endif

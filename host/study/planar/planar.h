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

/* planar.c, for its other parts: the arrays as they were at the start, the device. */
const cab_planar_arrays *cab_planar_arrays_of(const cab_planar *planar);
cab_backend *cab_planar_backend_of(cab_planar *planar);

#endif

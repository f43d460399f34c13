/* Bendings while they are drafted. All kinds add theirs; then they are sorted by colour together. */
#ifndef CAB_BENDING_H
#define CAB_BENDING_H

#include "model/model.h"

typedef struct cab_bending_draft {
    cab_bending_constraint *bending; /* in the order in which they were added */
    cab_origin *origin;
    cab_stencil *stencil;
    int count, room;
} cab_bending_draft;

/* colour: the one that it takes if possible. */
cab_status cab_bending_add(cab_bending_draft *draft, cab_bending_constraint bending, cab_origin origin,
                           int colour, cab_error *error);

/* s a + t b */
cab_vec3 cab_bending_combine(double s, cab_vec3 a, double t, cab_vec3 b);

/* Length of the curvature vector that an element starts with. */
double cab_bending_initial(const cab_model *model, int a, int b, int c, double ga, double gc);

/* Rest length of the segment that starts at a node. */
double cab_bending_rest(const cab_model *model, int node);

/* The section of the segment that starts at a node of a cable. */
int cab_bending_section(const cab_model *model, int cable, int node);
const cab_material_def *cab_bending_material(const cab_model *model, int cable, int node);

/* The length that a bending about a node stands for: two half segments, in series where sections meet. */
cab_origin cab_bending_origin(const cab_model *model, int cable, int node, double before, double after);

#endif

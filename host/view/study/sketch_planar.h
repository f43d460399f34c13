/* A planar scene as a drawing: bodies as outlines with a spoke that shows how they have turned, cables as
 * wide as they are and by their tension, joints and contacts as dots. */
#ifndef CAB_SKETCH_PLANAR_H
#define CAB_SKETCH_PLANAR_H

#include "study/planar/planar.h"
#include "view/shapes/sketch.h"

/* One scene's state, as it was read. */
typedef struct cab_planar_view {
    const cab_planar_scene *scene;
    const cab_planar_body *bodies;
    const cab_planar_joint *joints;
    int joint_count;
    const double (*points)[2]; /* of slack segments, cab_planar_read_points() */
    const cab_planar_contact *contacts;
    int contact_count;
    const cab_vec2 *centres; /* of mass, from each body's position, m: cab_planar_centre() */
    double unit;             /* half the width of an outline, m */
    cab_vec2 shift;          /* of the whole drawing, m */
    int pulled;              /* body; -1 = none; so are the next two */
    cab_vec2 hold, target;   /* m; from its centre of mass, turning with it; where it is pulled to */
} cab_planar_view;

/* Of joints: what their dots' colours say. */
typedef enum cab_joint_colour {
    CAB_JOINT_ATTACHED = 0,
    CAB_JOINT_ROLLING,
    CAB_JOINT_PINCH,        /* transitional: the cable goes from one body straight to the other */
    CAB_JOINT_PINCH_MIDDLE, /* non-transitional: a wrapped cable passes between */
    CAB_JOINT_COLOURS
} cab_joint_colour;

/* Its name and colour; false past the last. */
bool cab_joint_colour_name(int index, const char **name, unsigned char rgba[4]);

/* Of a body that is where it was at the start. */
cab_vec2 cab_planar_centre(const cab_planar_body_def *def, const cab_planar_body *at_start);

void cab_sketch_planar(cab_sketch *sketch, const cab_planar_view *view);

#endif

/* The ground: a floor where the scene has one, and a grid that shows lengths. For drawings in a plane it is
 * an upright wall behind them. */
#ifndef CAB_GROUND_H
#define CAB_GROUND_H

#include <stdbool.h>

#include <glad/gl.h>

#include <clcable/status.h>

#include "view/camera/camera.h"
#include "view/draw/look.h"

typedef struct cab_ground {
    GLuint program, array;
    float height; /* z of the ground, y of a wall; m */
    bool floor;   /* it is a surface, not only lines */
    bool upright; /* it is a wall, seen from the front */
} cab_ground;

cab_status cab_ground_create(cab_ground *ground, cab_error *error);
/* How far apart the lines are for a camera at this distance, m: a power of ten. */
float cab_ground_step(float distance);
void cab_ground_draw(const cab_ground *ground, const cab_camera *camera, const cab_bounds *bounds,
                     const cab_look *look);
void cab_ground_free(cab_ground *ground);

#endif

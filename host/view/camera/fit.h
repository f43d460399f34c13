/* As near as a camera can go: points are taken in one by one, so that those of many frames need not be kept.
 */
#ifndef CAB_FIT_H
#define CAB_FIT_H

#include "view/camera/camera.h"

/* Along an axis of the picture, in the camera's axes. Between `least` + ahead * `above` and `most` - ahead *
 * `below` an eye that is `ahead` on sees all that was taken in. */
typedef struct cab_fit_axis {
    float below, above; /* tangents of the picture's edges */
    float least, most;
} cab_fit_axis;

typedef struct cab_fit {
    vec3 forward, right, up;
    bool orthographic;
    cab_fit_axis x, y;
    float nearest, farthest; /* depth of the points, m */
} cab_fit;

/* The camera's direction and angle must not change any more.
 *
 * @param taken  part of the picture's width, at its right edge, that is to be left free; 0 to 0.8
 */
cab_fit cab_fit_begin(const cab_camera *camera, float aspect, float taken);
void cab_fit_add(cab_fit *fit, const vec3 point, float radius);
void cab_fit_add_box(cab_fit *fit, const cab_bounds *bounds);
bool cab_fit_is_empty(const cab_fit *fit);
/* Moves the camera's target and distance. Without points it stays. */
void cab_fit_end(const cab_fit *fit, cab_camera *camera);

#endif

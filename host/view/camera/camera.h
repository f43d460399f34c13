/* An orbiting camera: it looks at a target from a distance. World axes are right-handed, z up. */
#ifndef CAB_CAMERA_H
#define CAB_CAMERA_H

#include <stdbool.h>

#include <cglm/types.h>

typedef struct cab_camera {
    vec3 target;    /* m */
    float distance; /* from the target, m, > 0 */
    float yaw;      /* where it stands about z, rad; 0 = on the +x side, -pi/2 = in front (-y) */
    float pitch;    /* how high, rad; 0 = level, pi/2 = straight above */
    float fov;      /* vertical angle of view, rad; orthographic: of the plane through the target */
    bool orthographic;
} cab_camera;

/* An axis-aligned box, m; lo > hi = empty. */
typedef struct cab_bounds {
    vec3 lo, hi;
} cab_bounds;

cab_bounds cab_bounds_empty(void);
void cab_bounds_add(cab_bounds *bounds, const vec3 point);
bool cab_bounds_is_empty(const cab_bounds *bounds);

/* From the front, a little from the right and above. */
cab_camera cab_camera_default(void);

/* The views by name: "front", "back", "left", "right", "top", "bottom" (orthographic, as on Blender's number
 * pad) and "corner" (the default). False for any other name. */
bool cab_camera_set_view(cab_camera *camera, const char *name);
/* NULL past the end. */
const char *cab_camera_view_name(int index);

/* Moves target and distance so that the box just fills the picture; direction and angle stay. */
void cab_camera_fit(cab_camera *camera, const cab_bounds *bounds, float aspect);

/* By angles, rad. Pitch stays within straight above and below. */
void cab_camera_orbit(cab_camera *camera, float yaw, float pitch);
/* In parts of the picture's height: the target moves against it, so what is under the mouse stays there. */
void cab_camera_pan(cab_camera *camera, float right, float up);
/* Distance times `factor`. */
void cab_camera_zoom(cab_camera *camera, float factor);

/* Unit vectors: where it looks, to the right, up. Any may be NULL. */
void cab_camera_axes(const cab_camera *camera, vec3 forward, vec3 right, vec3 up);
void cab_camera_eye(const cab_camera *camera, vec3 eye);

/* Matrices for GL, column by column. near and far (m, from the eye) enclose `bounds`. */
void cab_camera_matrices(const cab_camera *camera, const cab_bounds *bounds, float aspect, mat4 view,
                         mat4 projection);

/* The ray through a place of the picture: x, y from -1 (left, bottom) to 1. */
void cab_camera_ray(const cab_camera *camera, float aspect, float x, float y, vec3 origin, vec3 direction);

/* Size of a picture's height at the distance of `point`, m. */
float cab_camera_height_at(const cab_camera *camera, const vec3 point);

#endif

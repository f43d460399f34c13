/* An orbiting camera: it looks at a target from a distance. World axes are right-handed, z points up. */
#ifndef CAB_CAMERA_H
#define CAB_CAMERA_H

#include <stdbool.h>

#include <cglm/types.h>

#define CAB_CAMERA_NEAREST 1e-4f /* m; a camera cannot come nearer to its target */

typedef struct cab_camera {
    vec3 target;    /* the point it looks at, m */
    float distance; /* from the target, m, > 0 */
    float yaw;      /* where it stands about the z axis, rad; 0 = on the +x side, -pi/2 = in front (-y) */
    float pitch;    /* how high it stands, rad; 0 = level with the target, pi/2 = straight above */
    float fov;      /* vertical angle of view, rad. An orthographic picture is as high as what this angle
                     * covers at the target's distance */
    bool orthographic;
} cab_camera;

/* An axis-aligned box, m. It is empty where lo > hi. */
typedef struct cab_bounds {
    vec3 lo, hi;
} cab_bounds;

cab_bounds cab_bounds_empty(void);
void cab_bounds_add(cab_bounds *bounds, const vec3 point);
bool cab_bounds_is_empty(const cab_bounds *bounds); /* in any direction */
/* What is in both boxes. */
cab_bounds cab_bounds_common(const cab_bounds *a, const cab_bounds *b);
/* The longest edge, m; of an empty box 0. */
float cab_bounds_largest(const cab_bounds *bounds);
/* One of the eight corners: bits 0, 1 and 2 of `index` (0 to 7) choose the upper end in x, y and z. */
void cab_bounds_corner(const cab_bounds *bounds, int index, vec3 corner);

/* From the front, a little from the right and above. */
cab_camera cab_camera_default(void);

/* Turns the camera to a view by name: "front", "back", "left", "right", "top" and "bottom" are orthographic,
 * as on Blender's number pad; "corner" is the default. Any other name changes nothing and returns false. */
bool cab_camera_set_view(cab_camera *camera, const char *name);
/* The name of view `index`, counted from 0; NULL past the last. */
const char *cab_camera_view_name(int index);

/* Turns the camera about its target by angles, rad. Pitch stays between straight below and straight above. */
void cab_camera_orbit(cab_camera *camera, float yaw, float pitch);
/* Shifts the picture by fractions of its height: the target moves so that the picture follows the mouse. */
void cab_camera_pan(cab_camera *camera, float right, float up);
/* Multiplies the distance by `factor`. */
void cab_camera_zoom(cab_camera *camera, float factor);

/* Unit vectors: the direction of view, to the right, up. Any may be NULL. */
void cab_camera_axes(const cab_camera *camera, vec3 forward, vec3 right, vec3 up);
/* Where the camera stands, m. */
void cab_camera_eye(const cab_camera *camera, vec3 eye);

/* How far in front of the eye the nearest and the farthest corner of a box are, m; < 0 behind it. */
void cab_camera_depths(const cab_camera *camera, const cab_bounds *bounds, float *nearest, float *farthest);

/* View and projection matrices for OpenGL, column by column. The near and far planes enclose `bounds`. */
void cab_camera_matrices(const cab_camera *camera, const cab_bounds *bounds, float aspect, mat4 view,
                         mat4 projection);

/* The ray through a point of the picture: x and y go from -1 (left, bottom) to 1. */
void cab_camera_ray(const cab_camera *camera, float aspect, float x, float y, vec3 origin, vec3 direction);

/* The height of the picture at the distance of `point`, m. */
float cab_camera_height_at(const cab_camera *camera, const vec3 point);

#endif

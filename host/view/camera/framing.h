/* Moves a camera as near as it can be while everything stays in the picture. Points are added one by one, so
 * those of many frames need not be kept. */
#ifndef CAB_FRAMING_H
#define CAB_FRAMING_H

#include "view/camera/camera.h"

/* One axis of the picture (to the right, or up), in the camera's coordinates. An eye that is `ahead` m along
 * the direction of view sees all the points when its place on this axis lies between `least` + ahead *
 * `above` and `most` - ahead * `below`. */
typedef struct cab_framing_axis {
    float below, above; /* slopes of the picture's lower and upper edge: tangents of half the angle of view */
    float least, most;  /* m */
} cab_framing_axis;

typedef struct cab_framing {
    vec3 forward, right, up; /* the camera's axes, unit vectors */
    bool orthographic;
    cab_framing_axis x, y;
    float nearest, farthest; /* the points' smallest and largest depth along `forward`, m */
} cab_framing;

/* Begins without points. Until cab_framing_end() the camera's direction and angle of view must not change.
 *
 * @param taken  part of the picture's width, at its right edge, that is to be left free; 0 to 0.8 */
cab_framing cab_framing_begin(const cab_camera *camera, float aspect, float taken);
/* Adds a ball: a point with a radius, m. */
void cab_framing_add(cab_framing *fit, const vec3 point, float radius);
void cab_framing_add_box(cab_framing *fit, const cab_bounds *bounds);
bool cab_framing_is_empty(const cab_framing *fit);
/* How far ahead the eye can go until the limits of an axis meet, m. */
float cab_framing_meeting(const cab_framing_axis *axis);
/* Sets the camera's target and distance. Without points the camera stays where it is. */
void cab_framing_end(const cab_framing *fit, cab_camera *camera);

/* All of the above for one box: moves target and distance so that it just fills the picture. */
void cab_camera_fit(cab_camera *camera, const cab_bounds *bounds, float aspect);

/* From where a picture is taken: what the user fixes of the camera; the rest is fitted to what is to be seen. */
typedef struct cab_aim {
    cab_camera
        camera; /* direction, angle of view, projection; target and distance only where nothing is fitted */
    bool eye_fixed;    /* the camera stands at `eye`, and its direction follows from that */
    bool target_fixed; /* it looks at `target`; else at the middle of what is there */
    vec3 eye, target;  /* m */
    float zoom;        /* magnification of what just fits; 1 */
} cab_aim;

/* The default camera; place and distance are fitted. */
cab_aim cab_aim_default(void);

/* Is anything fitted, so that the extent of what is to be seen must be known? */
bool cab_aim_fits(const cab_aim *aim);

/* The camera for the points of a fit that was begun with aim->camera. */
cab_camera cab_aim_at(const cab_aim *aim, const cab_framing *fit);

#endif

/* From where a picture is taken: what the user fixes of a camera, and the rest made to fit. */
#ifndef CAB_AIM_H
#define CAB_AIM_H

#include "view/camera/fit.h"

typedef struct cab_aim {
    cab_camera camera; /* direction, angle, kind of projection; its place only without the below */
    bool eye_fixed;    /* the camera stands at `eye`; the direction follows from it */
    bool target_fixed; /* `target` is in the middle of the picture; else the middle of what is there */
    vec3 eye, target;  /* m */
    float zoom;        /* so many times as large as what just fits; 1 */
} cab_aim;

/* The default camera, all of it to fit. */
cab_aim cab_aim_default(void);

/* Must bounds be known? */
bool cab_aim_fits(const cab_aim *aim);

/* The camera for what was taken in, by a fit that began with aim->camera. */
cab_camera cab_aim_at(const cab_aim *aim, const cab_fit *fit);

#endif

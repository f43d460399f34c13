/* From where a picture is taken: what the user fixes of the camera; the rest is fitted to what is to be
 * seen. */
#ifndef CAB_AIM_H
#define CAB_AIM_H

#include "view/camera/fit.h"

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
cab_camera cab_aim_at(const cab_aim *aim, const cab_fit *fit);

#endif

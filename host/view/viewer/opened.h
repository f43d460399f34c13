/* What the viewer asks of what it has opened: cables (viewer_cables.c) or a study in the plane
 * (viewer_study.c). What pictures need of it is viewer->subject. */
#ifndef CAB_OPENED_H
#define CAB_OPENED_H

#include "view/viewer/viewer.h"

typedef struct cab_opened {
    const char *view;                    /* from where it is looked at first, as of cab_camera_set_view */
    double (*rate)(const cab_viewer *v); /* frames a second of its time */
    /* A frame. When that fails all stays as it was last seen. */
    cab_status (*step)(cab_viewer *v, cab_error *error);
    /* To time 0. */
    cab_status (*reset)(cab_viewer *v, cab_error *error);
    /* What panels tell of the frame. */
    cab_status (*measure)(cab_viewer *v, cab_error *error);
    /* Takes hold of what is at a place of the picture, pixels: *held tells whether anything is, and
     * grab.point where the pull begins. */
    cab_status (*grab)(cab_viewer *v, const float at[2], bool *held, cab_error *error);
    /* Follows the mouse: drag.at of the viewer's inside. */
    cab_status (*pull)(cab_viewer *v, cab_error *error);
    cab_status (*let_go)(cab_viewer *v, cab_error *error);
    /* Where that is which is held; false where it draws that itself. */
    bool (*held)(cab_viewer *v, vec3 at);
    /* Frees all of it. */
    void (*close)(cab_viewer *v);
} cab_opened;

extern const cab_opened cab_opened_cables, cab_opened_study;

#endif

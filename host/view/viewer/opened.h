/* What the viewer can do with a scene that is opened, cables (viewer_cables.c) or a study in the plane
 * (viewer_study.c), as a table of functions. Pictures use another one: viewer->subject. */
#ifndef CAB_OPENED_H
#define CAB_OPENED_H

#include "view/viewer/viewer.h"

typedef struct cab_opened {
    const char *view;                    /* from where it is seen at first, as for cab_camera_set_view() */
    double (*rate)(const cab_viewer *v); /* frames in a second of simulated time */
    /* Steps one frame. When that fails the picture stays that of the frame before. */
    cab_status (*step)(cab_viewer *v, cab_error *error);
    /* Goes back to time 0. */
    cab_status (*reset)(cab_viewer *v, cab_error *error);
    /* Reads what panels show of the frame. */
    cab_status (*measure)(cab_viewer *v, cab_error *error);
    /* Takes hold of what is at a place of the picture, pixels. Sets *held to whether anything is there, and
     * grab.point to where the pull begins. */
    cab_status (*grab)(cab_viewer *v, const float at[2], bool *held, cab_error *error);
    /* Pulls to where the mouse is: inside->drag.at. */
    cab_status (*pull)(cab_viewer *v, cab_error *error);
    /* Ends the pull. */
    cab_status (*let_go)(cab_viewer *v, cab_error *error);
    /* The place of what is held, from which the viewer draws a line; false where the subject draws one
     * itself. */
    bool (*held)(cab_viewer *v, vec3 at);
    /* Frees everything. */
    void (*close)(cab_viewer *v);
} cab_opened;

extern const cab_opened cab_opened_cables, cab_opened_study;

#endif

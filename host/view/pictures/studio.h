/* Takes pictures without a screen: an OpenGL context, a renderer, a canvas, and a camera at rest. */
#ifndef CAB_STUDIO_H
#define CAB_STUDIO_H

#include "view/camera/framing.h"
#include "view/draw/look.h"
#include "view/gl/picture.h"
#include "view/draw/subject.h"

/* How the pictures are to be. */
typedef struct cab_shot {
    int width, height; /* pixels */
    cab_look look;
    cab_aim aim;
    bool looks_first; /* in animations the camera is fitted to the first frame only, not to all of them */
    bool legend;
    float legend_width; /* that is left free for it at the right edge, points; 125 */
    const char *title;  /* in the legend; NULL = neither name nor time. Must outlive the studio */
} cab_shot;

/* 1280 x 720 pixels, the default look, a camera that sees everything, no legend. */
cab_shot cab_shot_default(void);

typedef struct cab_studio cab_studio;

/* Fails where there is no OpenGL, or where the size is more than it can do. */
cab_status cab_studio_create(const cab_shot *shot, cab_studio **studio, cab_error *error);
/* NULL is allowed. */
void cab_studio_destroy(cab_studio *studio);

/* Do camera or colours of an animation depend on all its frames, so that they are to be shown before? */
bool cab_studio_looks_ahead(const cab_studio *studio);
/* Shows a frame of the animation to come: camera and colours will suit all that were shown. */
cab_status cab_studio_look_ahead(cab_studio *studio, const cab_subject *subject, cab_error *error);

/* Takes the picture of the subject's current frame; it is valid until the next call. All pictures are of one
 * subject, which may begin anew after looking ahead. Without looking ahead, the first picture fixes the
 * camera and the ends of the colour map. */
cab_status cab_studio_take(cab_studio *studio, const cab_subject *subject, const cab_picture **picture,
                           cab_error *error);

#endif

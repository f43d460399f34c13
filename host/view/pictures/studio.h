/* Pictures without a screen: context, renderer, canvas and a camera that stands still. */
#ifndef CAB_STUDIO_H
#define CAB_STUDIO_H

#include "view/camera/aim.h"
#include "view/draw/look.h"
#include "view/gl/picture.h"
#include "view/draw/subject.h"

/* What is asked of the pictures. */
typedef struct cab_shot {
    int width, height; /* pixels */
    cab_look look;
    cab_aim aim;
    bool looks_first; /* animation: the camera fits the first frame only, not all of them */
    bool legend;
    float legend_width; /* points at the right edge that it needs; 125 */
    const char *title;  /* in the legend; NULL = neither name nor time. Outlives the studio */
} cab_shot;

/* 1280 x 720, the default look, all to be seen, no legend. */
cab_shot cab_shot_default(void);

typedef struct cab_studio cab_studio;

/* That there is no OpenGL, or that the size is more than it can do, is told
 * here. */
cab_status cab_studio_create(const cab_shot *shot, cab_studio **studio, cab_error *error);
/* NULL is allowed. */
void cab_studio_destroy(cab_studio *studio);

/* Would it take better pictures of an animation if it saw all of it before? */
bool cab_studio_looks_ahead(const cab_studio *studio);
/* A frame that will come: camera and colours are made for all that were seen. */
cab_status cab_studio_look_ahead(cab_studio *studio, const cab_subject *subject, cab_error *error);

/* The picture of the subject's frame; it stays until the next call. All pictures are of one subject, which
 * may begin anew after looking ahead. The first picture fixes the camera and the range of colours, if they
 * have not been fixed by looking ahead. */
cab_status cab_studio_take(cab_studio *studio, const cab_subject *subject, const cab_picture **picture,
                           cab_error *error);

#endif

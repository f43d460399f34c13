/* Makes a picture of a target (target.h) that a scene has been drawn into. Ambient occlusion, found from the depths of the
 * picture, gives crevices less of the light that comes from all around; both lights are put together over the background;
 * edges are smoothed where a pixel has only one sample. */
#ifndef CAB_FINISH_H
#define CAB_FINISH_H

#include "view/draw/look.h"
#include "view/draw/target.h"
#include "view/gl/gl.h"

/* A framebuffer with one texture. */
typedef struct cab_layer_buffer {
    int width, height; /* pixels */
    GLuint framebuffer, texture;
} cab_layer_buffer;

typedef struct cab_finish {
    GLuint occlusion, blur, compose, smooth; /* programs */
    GLuint array;                            /* without attributes */
    cab_layer_buffer dark[2];                /* the occlusion, blurred from one into the other and back */
    cab_layer_buffer rough;                  /* the picture before its edges are smoothed */
} cab_finish;

cab_status cab_finish_create(cab_finish *finish, cab_error *error);
/* Draws into `framebuffer`, `width` by `height` pixels. The block View must be the camera's.
 *
 * @param target  resolved
 * @param radius  within which other surfaces darken a place, m */
cab_status cab_finish_draw(cab_finish *finish, const cab_target *target, const cab_look *look, float radius,
                           GLuint framebuffer, int width, int height, cab_error *error);
void cab_finish_free(cab_finish *finish);

#endif

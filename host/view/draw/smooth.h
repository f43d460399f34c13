/* Smooths the edges in a finished picture, for where a pixel has only one sample. */
#ifndef CAB_SMOOTH_H
#define CAB_SMOOTH_H

#include "view/gl/gl.h"

typedef struct cab_smooth {
    GLuint program;
    GLint texel;                 /* uniform */
    int width, height;           /* pixels */
    GLuint framebuffer, picture; /* that the picture is drawn into first */
} cab_smooth;

cab_status cab_smooth_create(cab_smooth *smooth, cab_error *error);
/* Makes the framebuffer, or makes it anew when the size differs. */
cab_status cab_smooth_resize(cab_smooth *smooth, int width, int height, cab_error *error);
/* Draws the smoothed picture into `framebuffer`, which has the same size. */
void cab_smooth_draw(const cab_smooth *smooth, GLuint framebuffer);
void cab_smooth_free(cab_smooth *smooth);

#endif

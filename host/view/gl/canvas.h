/* A framebuffer of a fixed size that pictures are drawn into where there is no window. */
#ifndef CAB_CANVAS_H
#define CAB_CANVAS_H

#include <clcable/status.h>

typedef struct cab_canvas {
    int width, height;            /* pixels */
    unsigned framebuffer, colour; /* OpenGL's names of the framebuffer and its sRGB texture */
} cab_canvas;

cab_status cab_canvas_create(cab_canvas *canvas, int width, int height, cab_error *error);
void cab_canvas_free(cab_canvas *canvas);

#endif

/* A place without a window to draw pictures of one size on. */
#ifndef CAB_CANVAS_H
#define CAB_CANVAS_H

#include <clcable/status.h>

typedef struct cab_canvas {
    int width, height;            /* pixels */
    unsigned framebuffer, colour; /* names in GL */
} cab_canvas;

cab_status cab_canvas_create(cab_canvas *canvas, int width, int height, cab_error *error);
void cab_canvas_free(cab_canvas *canvas);

#endif

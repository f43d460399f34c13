/* Dots and lines of a constant width in pixels over a picture: handles, and what the mouse pulls at. */
#ifndef CAB_OVERLAY_H
#define CAB_OVERLAY_H

#include <glad/gl.h>

#include <clcable/status.h>

#include "view/camera/camera.h"

/* A line with round ends; a dot where both are the same. Pixels from the picture's upper left corner. */
typedef struct cab_stroke {
    float a[2], b[2];
    float radius;            /* half of the width */
    unsigned char colour[4]; /* sRGB */
} cab_stroke;

typedef struct cab_overlay {
    GLuint program, array, buffer;
    GLint viewport; /* uniform */
    cab_stroke *strokes;
    int count, room;
} cab_overlay;

cab_status cab_overlay_create(cab_overlay *overlay, cab_error *error);
/* One over the last. Memory that is out leaves it away. */
void cab_overlay_add(cab_overlay *overlay, const cab_stroke *stroke);
/* Draws them into the framebuffer that is bound, and forgets them. */
void cab_overlay_draw(cab_overlay *overlay, int width, int height);
void cab_overlay_free(cab_overlay *overlay);

/* Where a point is in a picture: pixels from its upper left corner; false when it is behind the eye. */
bool cab_overlay_project(const cab_camera *camera, int width, int height, const vec3 point, float at[2]);
/* The same of a line, cut where it goes behind the eye. */
bool cab_overlay_project_line(const cab_camera *camera, int width, int height, const vec3 a, const vec3 b,
                              cab_stroke *stroke);

#endif

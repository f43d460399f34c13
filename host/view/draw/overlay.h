/* Dots and lines over a picture, as wide as they are in pixels: handles, and the line of the mouse's pull. */
#ifndef CAB_OVERLAY_H
#define CAB_OVERLAY_H

#include <glad/gl.h>

#include <clcable/status.h>

#include "view/camera/camera.h"

/* A line with round ends, or a dot where both ends are the same; pixels from the upper left corner. */
typedef struct cab_stroke {
    float a[2], b[2];
    float radius;            /* half of the width, pixels */
    unsigned char colour[4]; /* sRGB */
} cab_stroke;

typedef struct cab_overlay {
    GLuint program, array, buffer;
    cab_stroke *strokes;
    int count, room;
} cab_overlay;

cab_status cab_overlay_create(cab_overlay *overlay, cab_error *error);
/* Adds a stroke above those that are there. When memory is out it is left away. */
void cab_overlay_add(cab_overlay *overlay, const cab_stroke *stroke);
/* Draws the strokes into the framebuffer that is bound, and removes them. */
void cab_overlay_draw(cab_overlay *overlay, int width, int height);
void cab_overlay_free(cab_overlay *overlay);

/* Where a point of the scene is in a picture; false when it is behind the eye. */
bool cab_overlay_project(const cab_camera *camera, int width, int height, const vec3 point, float at[2]);
/* The same for the ends of a line, which is cut off where it goes behind the eye. */
bool cab_overlay_project_line(const cab_camera *camera, int width, int height, const vec3 a, const vec3 b,
                              cab_stroke *stroke);

#endif

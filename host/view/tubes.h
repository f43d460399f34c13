/* Draws cables as round tubes: a ray-cast capsule for each piece of a segment's curve. */
#ifndef CAB_TUBES_H
#define CAB_TUBES_H

#include <stdint.h>

#include <glad/gl.h>

#include "view/geometry.h"

typedef struct cab_tubes {
    GLuint program, array, buffer;
    GLint pieces, selected; /* uniforms */
    int count;              /* segments */
} cab_tubes;

/* The program; the other calls need it. */
cab_status cab_tubes_create(cab_tubes *tubes, cab_error *error);
void cab_tubes_load(cab_tubes *tubes, const cab_geometry *geometry);
/* Rows are on texture unit 0, the colour map on unit 1. selected: UINT32_MAX = none. */
void cab_tubes_draw(const cab_tubes *tubes, int pieces, uint32_t selected);
void cab_tubes_free(cab_tubes *tubes);

#endif

/* Draws cables as round tubes: a ray-cast capsule for each straight piece of a cable's curve. */
#ifndef CAB_TUBES_H
#define CAB_TUBES_H

#include <stdint.h>

#include "view/geometry.h"
#include "view/gl.h"
#include "view/spans.h"

typedef struct cab_tubes {
    GLuint programs[CAB_PASS_COUNT];
    GLint selected; /* uniform */
    GLuint array, span_buffer, strand_buffer, strand_texture;
    cab_strand *strands;
    cab_spans spans;
    float thickest; /* radius, m */
} cab_tubes;

/* The programs; the other calls need them. */
cab_status cab_tubes_create(cab_tubes *tubes, cab_error *error);
/* Takes the strands of the geometry. */
cab_status cab_tubes_load(cab_tubes *tubes, cab_geometry *geometry, cab_error *error);
/* Rows are bound to CAB_UNIT_ROWS, the colour map to CAB_UNIT_MAP. selected: UINT32_MAX = none. */
cab_status cab_tubes_draw(cab_tubes *tubes, cab_pass pass, const cab_spans_view *view, uint32_t selected,
                          cab_error *error);
void cab_tubes_free(cab_tubes *tubes);

#endif

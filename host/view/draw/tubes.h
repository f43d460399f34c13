/* Draws cables as round tubes: for each straight piece of a cable's curve a capsule, whose surface the
 * fragment shader finds by casting a ray. */
#ifndef CAB_TUBES_H
#define CAB_TUBES_H

#include <stdint.h>

#include "view/shapes/geometry.h"
#include "view/gl/gl.h"
#include "view/shapes/spans.h"

typedef struct cab_tubes {
    GLuint programs[CAB_PASS_COUNT], flat[CAB_PASS_COUNT];
    GLuint array, span_buffer, strand_buffer, strand_texture;
    cab_strand *strands;
    cab_spans spans;
    float thickest; /* radius, m */
} cab_tubes;

/* Makes the programs. To be called before the others. */
cab_status cab_tubes_create(cab_tubes *tubes, cab_error *error);
/* Takes the strands out of the geometry. */
cab_status cab_tubes_load(cab_tubes *tubes, cab_geometry *geometry, cab_error *error);
/* Rows are bound to CAB_UNIT_ROWS, the colour map to CAB_UNIT_MAP.
 *
 * @param selected  cable; UINT32_MAX = none
 * @param flat      a tube's depth is that of a ribbon, as in cab_look.flat */
cab_status cab_tubes_draw(cab_tubes *tubes, cab_pass pass, const cab_spans_view *view, uint32_t selected,
                          bool flat, cab_error *error);
void cab_tubes_free(cab_tubes *tubes);

#endif

/* Draws cables as round tubes: a ray-cast capsule for each straight piece of a cable's curve. */
#ifndef CAB_TUBES_H
#define CAB_TUBES_H

#include <stdint.h>

#include "view/shapes/geometry.h"
#include "view/gl/gl.h"
#include "view/shapes/spans.h"

typedef struct cab_tubes {
    GLuint programs[CAB_PASS_COUNT], flat[CAB_PASS_COUNT];
    GLint selected, flat_selected; /* uniforms */
    GLuint array, span_buffer, strand_buffer, strand_texture;
    cab_strand *strands;
    cab_spans spans;
    float thickest; /* radius, m */
} cab_tubes;

/* The programs; the other calls need them. */
cab_status cab_tubes_create(cab_tubes *tubes, cab_error *error);
/* Takes the strands of the geometry. */
cab_status cab_tubes_load(cab_tubes *tubes, cab_geometry *geometry, cab_error *error);
/* Rows are bound to CAB_UNIT_ROWS, the colour map to CAB_UNIT_MAP.
 *
 * @param selected  cable; UINT32_MAX = none
 * @param flat      with the depth of ribbons: where tubes cut into something it is not seen how deep
 */
cab_status cab_tubes_draw(cab_tubes *tubes, cab_pass pass, const cab_spans_view *view, uint32_t selected,
                          bool flat, cab_error *error);
void cab_tubes_free(cab_tubes *tubes);

#endif

/* Draws sheets: triangles between nodes, shaded as a smooth surface, seen from both sides. */
#ifndef CAB_SHEETS_H
#define CAB_SHEETS_H

#include <clcable/status.h>

#include "view/shapes/geometry.h"
#include "view/gl/gl.h"

typedef struct cab_sheets {
    GLuint programs[CAB_PASS_COUNT], array, buffer;
    GLuint ring_buffer, ring_texture;
    int count; /* triangles */
} cab_sheets;

/* Makes the program. To be called before the others. */
cab_status cab_sheets_create(cab_sheets *sheets, cab_error *error);
/* `node_count`: how many rows there are. */
cab_status cab_sheets_load(cab_sheets *sheets, const cab_geometry *geometry, int node_count,
                           cab_error *error);
/* Rows are bound to CAB_UNIT_ROWS, the colour map to CAB_UNIT_MAP. */
void cab_sheets_draw(const cab_sheets *sheets, cab_pass pass);
void cab_sheets_free(cab_sheets *sheets);

#endif

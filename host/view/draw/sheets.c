/* The normal at a node is the mean of the normals of the triangles around it. The lists of these triangles,
 * one for each node, never change; the vertex shader goes through them. So nothing but the rows is sent with
 * each frame. */
#include "view/draw/sheets.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "view/scale/colour.h"
#include "view/gl/gl.h"

enum { CORNER = 0, COLOUR }; /* vertex attributes, as in sheet.vert */

/* A corner of a triangle. */
typedef struct corner {
    int32_t node;
    int32_t first,
        count; /* the triangles around the node, as pairs of the other two nodes: their places in the list */
    int32_t which; /* which corner it is, 0 to 2, plus 4 times cab_triangle_nodes.threads */
    uint8_t colour[4];
} corner;

cab_status cab_sheets_create(cab_sheets *s, cab_error *error)
{
    *s = (cab_sheets){0};
    cab_status status = cab_gl_pass_programs(s->programs, "sheet.vert", "sheet.frag", "", error);
    if (status) return status;
    glGenVertexArrays(1, &s->array);
    glGenBuffers(1, &s->buffer);
    glGenBuffers(1, &s->ring_buffer);
    glGenTextures(1, &s->ring_texture);
    glBindVertexArray(s->array);
    glBindBuffer(GL_ARRAY_BUFFER, s->buffer);
    cab_gl_attribute(CORNER, 4, GL_INT, sizeof(corner), offsetof(corner, node));
    cab_gl_attribute(COLOUR, 4, GL_UNSIGNED_BYTE, sizeof(corner), offsetof(corner, colour));
    return cab_gl_check("sheets", error);
}

/* For each node the pairs that form a triangle with it: pair[first[node]] to pair[first[node + 1] - 1]. */
static void list_rings(const cab_geometry *g, int node_count, int *first, int32_t (*pair)[2])
{
    for (int t = 0; t < g->triangle_count; t++)
        for (int k = 0; k < 3; k++) first[g->triangles[t].node[k] + 2]++;
    for (int i = 0; i < node_count; i++) first[i + 2] += first[i + 1];
    for (int t = 0; t < g->triangle_count;
         t++) { /* this moves first[node + 1] to where the next node begins */
        const int32_t *node = g->triangles[t].node;
        for (int k = 0; k < 3; k++) {
            int32_t *to = pair[first[node[k] + 1]++];
            to[0] = node[(k + 1) % 3];
            to[1] = node[(k + 2) % 3];
        }
    }
}

static void list_corners(const cab_geometry *g, const int *first, corner *corners)
{
    for (int t = 0; t < g->triangle_count; t++) {
        const cab_triangle_nodes *triangle = &g->triangles[t];
        for (int k = 0; k < 3; k++) {
            int node = triangle->node[k];
            corner *to = &corners[3 * t + k];
            *to = (corner){.node = node,
                           .first = first[node],
                           .count = first[node + 1] - first[node],
                           .which = k + 4 * (int32_t)triangle->threads};
            cab_palette((int)triangle->sheet, to->colour);
        }
    }
}

cab_status cab_sheets_load(cab_sheets *s, const cab_geometry *g, int node_count, cab_error *error)
{
    size_t corners = 3 * (size_t)g->triangle_count;
    s->count = g->triangle_count;
    if (!s->count) return CAB_OK;
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    if (corners > (size_t)most)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%d triangles of sheets: this OpenGL draws at most %d",
                        s->count, most / 3);
    int *first = calloc((size_t)node_count + 2, sizeof *first);
    int32_t(*pair)[2] = calloc(corners, sizeof *pair);
    corner *list = calloc(corners, sizeof *list);
    cab_status status = CAB_OK;
    if (first && pair && list) {
        list_rings(g, node_count, first, pair);
        list_corners(g, first, list);
        glBindBuffer(GL_ARRAY_BUFFER, s->buffer);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(corners * sizeof *list), list, GL_STATIC_DRAW);
        glBindBuffer(GL_TEXTURE_BUFFER, s->ring_buffer);
        glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(corners * sizeof *pair), pair, GL_STATIC_DRAW);
        glBindTexture(GL_TEXTURE_BUFFER, s->ring_texture);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32I, s->ring_buffer);
    } else {
        status = cab_fail_memory(error, "sheets", corners * sizeof *list);
        s->count = 0;
    }
    CAB_FREE(first, pair, list);
    return status;
}

void cab_sheets_draw(const cab_sheets *s, cab_pass pass)
{
    if (!s->count) return;
    glUseProgram(s->programs[pass]);
    glActiveTexture(GL_TEXTURE0 + CAB_UNIT_RING);
    glBindTexture(GL_TEXTURE_BUFFER, s->ring_texture);
    glBindVertexArray(s->array);
    glDrawArrays(GL_TRIANGLES, 0, 3 * s->count);
}

void cab_sheets_free(cab_sheets *s)
{
    for (int i = 0; i < CAB_PASS_COUNT; i++) glDeleteProgram(s->programs[i]);
    if (s->array) glDeleteVertexArrays(1, &s->array);
    if (s->buffer) glDeleteBuffers(1, &s->buffer);
    if (s->ring_buffer) glDeleteBuffers(1, &s->ring_buffer);
    if (s->ring_texture) glDeleteTextures(1, &s->ring_texture);
    *s = (cab_sheets){0};
}

#include "view/tubes.h"

#include <stddef.h>

#include "view/gl.h"

enum { NODES = 0, RADIUS, COLOUR, CABLE }; /* as in tube.vert */

static void *offset_of(size_t bytes)
{
    return (char *)NULL + bytes;
}

/* A tube's numbers go to each of its pieces; tubes.divisor is set when they are drawn. */
static void describe(void)
{
    GLsizei stride = sizeof(cab_tube);
    glVertexAttribIPointer(NODES, 4, GL_INT, stride, offset_of(offsetof(cab_tube, before)));
    glVertexAttribPointer(RADIUS, 1, GL_FLOAT, GL_FALSE, stride, offset_of(offsetof(cab_tube, radius)));
    glVertexAttribPointer(COLOUR, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride,
                          offset_of(offsetof(cab_tube, colour)));
    glVertexAttribIPointer(CABLE, 1, GL_UNSIGNED_INT, stride, offset_of(offsetof(cab_tube, cable)));
    for (GLuint i = NODES; i <= CABLE; i++) glEnableVertexAttribArray(i);
}

cab_status cab_tubes_create(cab_tubes *tubes, cab_error *error)
{
    *tubes = (cab_tubes){.program = cab_gl_program("tube.vert", "tube.frag", NULL, error)};
    if (!tubes->program) return CAB_ERROR_DEVICE;
    cab_gl_sampler(tubes->program, "rows", 0);
    cab_gl_sampler(tubes->program, "colour_map", 1);
    tubes->pieces = glGetUniformLocation(tubes->program, "pieces");
    tubes->selected = glGetUniformLocation(tubes->program, "selected");
    glGenVertexArrays(1, &tubes->array);
    glGenBuffers(1, &tubes->buffer);
    glBindVertexArray(tubes->array);
    glBindBuffer(GL_ARRAY_BUFFER, tubes->buffer);
    describe();
    return cab_gl_check("tubes", error);
}

void cab_tubes_load(cab_tubes *tubes, const cab_geometry *geometry)
{
    tubes->count = geometry->tube_count;
    glBindBuffer(GL_ARRAY_BUFFER, tubes->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(cab_tube) * tubes->count, geometry->tubes,
                 GL_STATIC_DRAW);
}

void cab_tubes_draw(const cab_tubes *tubes, int pieces, uint32_t selected)
{
    if (!tubes->count) return;
    glUseProgram(tubes->program);
    glUniform1i(tubes->pieces, pieces);
    glUniform1ui(tubes->selected, selected);
    glBindVertexArray(tubes->array);
    for (GLuint i = NODES; i <= CABLE; i++) glVertexAttribDivisor(i, (GLuint)pieces);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, tubes->count * pieces);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

void cab_tubes_free(cab_tubes *tubes)
{
    if (tubes->program) glDeleteProgram(tubes->program);
    if (tubes->array) glDeleteVertexArrays(1, &tubes->array);
    if (tubes->buffer) glDeleteBuffers(1, &tubes->buffer);
    *tubes = (cab_tubes){0};
}

#include "view/draw/tubes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"

enum { STRAND = 0, RANGE }; /* vertex attributes, as in tube.vert */

cab_status cab_tubes_create(cab_tubes *tubes, cab_error *error)
{
    *tubes = (cab_tubes){0};
    cab_status status = cab_gl_pass_programs(tubes->programs, "tube.vert", "tube.frag", "", error);
    if (!status)
        status = cab_gl_pass_programs(tubes->flat, "tube.vert", "tube.frag", "#define FLAT\n", error);
    if (status) return status;
    glGenVertexArrays(1, &tubes->array);
    glGenBuffers(1, &tubes->span_buffer);
    glGenBuffers(1, &tubes->strand_buffer);
    glGenTextures(1, &tubes->strand_texture);
    glBindVertexArray(tubes->array);
    glBindBuffer(GL_ARRAY_BUFFER, tubes->span_buffer);
    cab_gl_attribute(STRAND, 1, GL_UNSIGNED_INT, sizeof(cab_span), offsetof(cab_span, strand));
    cab_gl_attribute(RANGE, 2, GL_FLOAT, sizeof(cab_span), offsetof(cab_span, from));
    /* a span is an instance: the four corners that it is drawn with get the same numbers */
    for (GLuint i = STRAND; i <= RANGE; i++) glVertexAttribDivisor(i, 1);
    return cab_gl_check("tubes", error);
}

cab_status cab_tubes_load(cab_tubes *tubes, cab_geometry *geometry, cab_error *error)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    if (geometry->strand_count > most / 2)
        return cab_fail(error, CAB_ERROR_UNSUPPORTED, "%d cables and sticks: this OpenGL draws at most %d",
                        geometry->strand_count, most / 2);
    cab_spans_free(&tubes->spans);
    free(tubes->strands);
    tubes->strands = geometry->strands;
    geometry->strands = NULL;
    tubes->thickest = 0;
    for (int i = 0; i < geometry->strand_count; i++)
        tubes->thickest = fmaxf(tubes->thickest, tubes->strands[i].radius);
    glBindBuffer(GL_TEXTURE_BUFFER, tubes->strand_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)sizeof(cab_strand) * geometry->strand_count, tubes->strands,
                 GL_STATIC_DRAW);
    cab_gl_bind(CAB_UNIT_STRANDS, GL_TEXTURE_BUFFER, tubes->strand_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32I, tubes->strand_buffer);
    return cab_spans_create(&tubes->spans, tubes->strands, geometry->strand_count, error);
}

cab_status cab_tubes_draw(cab_tubes *tubes, cab_pass pass, const cab_spans_view *view, uint32_t selected,
                          bool flat, cab_error *error)
{
    cab_status status = cab_spans_choose(&tubes->spans, view, error);
    if (status || !tubes->spans.count) return status;
    glBindBuffer(GL_ARRAY_BUFFER, tubes->span_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(cab_span) * tubes->spans.count, tubes->spans.list,
                 GL_STREAM_DRAW);
    cab_gl_bind(CAB_UNIT_STRANDS, GL_TEXTURE_BUFFER, tubes->strand_texture);
    bool lit = pass == CAB_PASS_LIGHT;
    GLuint program = flat ? tubes->flat[pass] : tubes->programs[pass];
    glUseProgram(program);
    if (lit) glUniform1ui(glGetUniformLocation(program, "selected"), selected);
    glBindVertexArray(tubes->array);
    if (lit) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, tubes->spans.count);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    return CAB_OK;
}

void cab_tubes_free(cab_tubes *tubes)
{
    for (int i = 0; i < CAB_PASS_COUNT; i++) {
        glDeleteProgram(tubes->programs[i]);
        glDeleteProgram(tubes->flat[i]);
    }
    glDeleteVertexArrays(1, &tubes->array);
    glDeleteBuffers(1, &tubes->span_buffer);
    glDeleteBuffers(1, &tubes->strand_buffer);
    glDeleteTextures(1, &tubes->strand_texture);
    cab_spans_free(&tubes->spans);
    free(tubes->strands);
    *tubes = (cab_tubes){0};
}

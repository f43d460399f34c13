#include "view/draw/stripes.h"

#include "base/array.h"

void cab_stripes_create(cab_stripes *stripes)
{
    const float none[4] = {0};
    *stripes = (cab_stripes){0};
    glGenBuffers(1, &stripes->buffer);
    glGenTextures(1, &stripes->texture);
    glBindBuffer(GL_TEXTURE_BUFFER, stripes->buffer);
    glBufferData(GL_TEXTURE_BUFFER, sizeof none, none, GL_STREAM_DRAW);
    glBindTexture(GL_TEXTURE_BUFFER, stripes->texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, stripes->buffer);
}

static cab_status make_room(cab_stripes *s, int nodes, cab_error *error)
{
    if (nodes <= s->room) return CAB_OK;
    CAB_FREE(s->rows, s->directors);
    s->rows = NULL;
    s->directors = NULL;
    s->room = 0;
    cab_status status = CAB_NEW(s->rows, nodes, error);
    if (!status) status = CAB_NEW(s->directors, nodes, error);
    if (!status) s->room = nodes;
    return status;
}

cab_status cab_stripes_update(cab_stripes *s, cab_world *world, const cab_look *look, cab_error *error)
{
    cab_world_info info = cab_world_get_info(world);
    s->shown = cab_look_has_stripes(look, info.twists);
    if (!s->shown) return CAB_OK;
    cab_status status = make_room(s, info.nodes, error);
    if (!status) status = cab_world_read_directors(world, s->directors[0], error);
    if (status) {
        s->shown = false;
        return status;
    }
    for (int i = 0; i < info.nodes; i++)
        for (int k = 0; k < 3; k++) s->rows[i][k] = (float)s->directors[i][k];
    glBindBuffer(GL_TEXTURE_BUFFER, s->buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)((size_t)info.nodes * sizeof *s->rows), s->rows,
                 GL_STREAM_DRAW);
    return CAB_OK;
}

void cab_stripes_bind(const cab_stripes *stripes)
{
    cab_gl_bind(CAB_UNIT_DIRECTORS, GL_TEXTURE_BUFFER, stripes->texture);
}

void cab_stripes_free(cab_stripes *stripes)
{
    glDeleteBuffers(1, &stripes->buffer);
    glDeleteTextures(1, &stripes->texture);
    CAB_FREE(stripes->rows, stripes->directors);
    *stripes = (cab_stripes){0};
}

#include "view/draw/view_block.h"

const vec3 cab_key_light = {-0.3924f, -0.4796f, 0.7849f};

/* A direction in the world, in the camera's coordinates. */
static void eye_direction(cab_view_block *block, const vec3 world, float strength, vec4 to)
{
    glm_mat4_mulv3(block->view, (float *)world, 0, to);
    to[3] = strength;
}

void cab_view_block_fill(cab_view_block *block, const cab_look *look, const cab_value_range *range, int width,
                         int height)
{
    static const vec3 up = {0, 0, 1};
    glm_mat4_inv(block->view, block->inverse_view);
    eye_direction(block, cab_key_light, 0.95f, block->light);
    eye_direction(block, up, 0.55f, block->fill);
    glm_vec4_copy((vec4){(float)width, (float)height, 1 / (float)width, 1 / (float)height}, block->viewport);
    block->pixel[1] = (float)look->samples;
    bool fixed = cab_look_has_range(look);
    block->value[0] = fixed ? look->lowest : range->lowest;
    block->value[1] = fixed ? look->highest : range->highest;
    block->value[2] = look->quantity == CAB_QUANTITY_NONE ? 0 : 1;
}

void cab_view_block_add_shadow(cab_view_block *block, const cab_look *look, const cab_shadow *shadow)
{
    mat4 half = GLM_MAT4_IDENTITY_INIT;
    glm_translate(half, (vec3){0.5f, 0.5f, 0.5f});
    glm_scale(half, (vec3){0.5f, 0.5f, 0.5f});
    glm_mat4_mulN((mat4 *[]){&half, (mat4 *)&shadow->projection, (mat4 *)&shadow->view, &block->inverse_view},
                  4, block->to_shadow);
    glm_vec4_copy((vec4){1 / shadow->extent[0], 1 / shadow->extent[1], 1 / shadow->extent[2], 1},
                  block->shadow);
    block->softness[0] = look->soft ? 0.05f : 0;
    block->softness[1] = shadow->texel;
}

void cab_view_block_send(const cab_view_block *block, GLuint buffer)
{
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *block, block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
}

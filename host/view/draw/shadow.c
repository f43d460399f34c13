#include "view/draw/shadow.h"

#include <math.h>
#include <string.h>

#include <cglm/cglm.h>

static void make_samplers(cab_shadow *s)
{
    static const GLfloat far_away[4] = {1, 1, 1, 1};
    GLuint *samplers[2] = {&s->compare, &s->number};
    for (int i = 0; i < 2; i++) {
        GLint filter = i == 0 ? GL_LINEAR : GL_NEAREST;
        glGenSamplers(1, samplers[i]);
        glSamplerParameteri(*samplers[i], GL_TEXTURE_MIN_FILTER, filter);
        glSamplerParameteri(*samplers[i], GL_TEXTURE_MAG_FILTER, filter);
        glSamplerParameteri(*samplers[i], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
        glSamplerParameteri(*samplers[i], GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
        glSamplerParameterfv(*samplers[i], GL_TEXTURE_BORDER_COLOR, far_away);
    }
    glSamplerParameteri(s->compare, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(s->compare, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

cab_status cab_shadow_resize(cab_shadow *shadow, int size, cab_error *error)
{
    GLint widest = 1;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &widest);
    int edge = size < widest ? size : widest;
    if (shadow->size == edge) return CAB_OK;
    cab_shadow_free(shadow);
    make_samplers(shadow);
    shadow->depth = cab_gl_texture(GL_DEPTH_COMPONENT32F, edge, edge, GL_NEAREST);
    shadow->framebuffer = cab_gl_framebuffer(GL_DEPTH_ATTACHMENT, shadow->depth);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    shadow->size = edge;
    shadow->stale = true;
    return cab_gl_check("the shadow map", error);
}

/* Adds a point to a box whose axes are those of the light. */
static void add_in(cab_bounds *box, vec3 axes[3], const vec3 point)
{
    vec3 at;
    for (int k = 0; k < 3; k++) at[k] = glm_vec3_dot(axes[k], (float *)point);
    cab_bounds_add(box, at);
}

/* A box around everything that casts shadows and around the shadows on the ground. */
static cab_bounds with_shadows(const cab_bounds *casters, const vec3 light, float ground)
{
    cab_bounds all = *casters;
    for (int i = 0; i < 8; i++) {
        vec3 corner;
        cab_bounds_corner(casters, i, corner);
        if (light[2] > 0.01f && corner[2] > ground)
            glm_vec3_muladds((float *)light, (ground - corner[2]) / light[2], corner);
        cab_bounds_add(&all, corner);
    }
    return all;
}

/* The part of a box that the camera sees, or more: a box around the piece of the camera's frustum between the
 * box's nearest and farthest depth. */
static cab_bounds seen_of(const cab_bounds *bounds, const cab_camera *camera, float aspect, vec3 axes[3])
{
    vec3 forward;
    float nearest, farthest;
    cab_camera_axes(camera, forward, NULL, NULL);
    cab_camera_depths(camera, bounds, &nearest, &farthest);
    if (!camera->orthographic) nearest = fmaxf(nearest, 0);
    farthest = fmaxf(farthest, nearest);
    cab_bounds seen = cab_bounds_empty();
    for (int i = 0; i < 8; i++) {
        vec3 origin, direction;
        cab_camera_ray(camera, aspect, i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, origin, direction);
        float length = (i & 4 ? farthest : nearest) / glm_vec3_dot(direction, forward);
        glm_vec3_muladds(direction, length, origin);
        add_in(&seen, axes, origin);
    }
    return seen;
}

/* Widens an interval to one of a few sizes and moves it by whole texels, so that the edges of shadows do not
 * flicker while things move. */
static void settle(float *lo, float *hi, int size)
{
    float half = 0.5f * (*hi - *lo) * (1 + 4.0f / (float)size) + 1e-6f;
    half = exp2f(ceilf(4 * log2f(half)) / 4);
    float texel = 2 * half / (float)size, middle = roundf(0.5f * (*lo + *hi) / texel) * texel;
    *lo = middle - half;
    *hi = middle + half;
}

void cab_shadow_fit(cab_shadow *shadow, const vec3 light, const cab_bounds *casters, float ground,
                    const cab_camera *camera, float aspect)
{
    vec3 axes[3], forward; /* right, up, towards the light */
    glm_vec3_copy((float *)light, axes[2]);
    glm_vec3_negate_to(axes[2], forward);
    glm_vec3_cross((vec3){0, 1, 0}, axes[2], axes[0]);
    glm_vec3_normalize(axes[0]);
    glm_vec3_cross(axes[2], axes[0], axes[1]);
    cab_bounds box = cab_bounds_empty(), all = with_shadows(casters, light, ground);
    for (int i = 0; i < 8; i++) {
        vec3 corner;
        cab_bounds_corner(casters, i, corner);
        add_in(&box, axes, corner);
    }
    cab_bounds seen = seen_of(&all, camera, aspect, axes);
    for (int k = 0; k < 2; k++) {
        float lo = fmaxf(box.lo[k], seen.lo[k]), hi = fminf(box.hi[k], seen.hi[k]);
        if (lo < hi) box.lo[k] = lo, box.hi[k] = hi;
        settle(&box.lo[k], &box.hi[k], shadow->size);
    }
    settle(&box.lo[2], &box.hi[2], 64);
    mat4 view, projection;
    glm_look((vec3){0, 0, 0}, forward, axes[1], view);
    glm_ortho(box.lo[0], box.hi[0], box.lo[1], box.hi[1], -box.hi[2], -box.lo[2], projection);
    bool same = !memcmp(view, shadow->view, sizeof view) &&
                !memcmp(projection, shadow->projection, sizeof projection);
    if (!same) shadow->stale = true;
    glm_mat4_copy(view, shadow->view);
    glm_mat4_copy(projection, shadow->projection);
    glm_vec3_sub(box.hi, box.lo, shadow->extent);
    shadow->texel = fmaxf(shadow->extent[0], shadow->extent[1]) / (float)shadow->size;
}

void cab_shadow_begin(const cab_shadow *shadow)
{
    static const GLfloat far_away = 1;
    glBindFramebuffer(GL_FRAMEBUFFER, shadow->framebuffer);
    glViewport(0, 0, shadow->size, shadow->size);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glClearBufferfv(GL_DEPTH, 0, &far_away);
    glEnable(GL_POLYGON_OFFSET_FILL); /* flat surfaces must not cast shadows on themselves */
    glPolygonOffset(2, 4);
}

void cab_shadow_end(cab_shadow *shadow)
{
    glDisable(GL_POLYGON_OFFSET_FILL);
    shadow->stale = false;
}

void cab_shadow_bind(const cab_shadow *shadow)
{
    cab_gl_bind(CAB_UNIT_SHADOW, GL_TEXTURE_2D, shadow->depth);
    cab_gl_bind(CAB_UNIT_SHADOW_DEPTH, GL_TEXTURE_2D, shadow->depth);
    glBindSampler(CAB_UNIT_SHADOW, shadow->compare);
    glBindSampler(CAB_UNIT_SHADOW_DEPTH, shadow->number);
}

void cab_shadow_free(cab_shadow *shadow)
{
    const GLuint samplers[2] = {shadow->compare, shadow->number};
    glDeleteFramebuffers(1, &shadow->framebuffer);
    glDeleteTextures(1, &shadow->depth);
    glDeleteSamplers(2, samplers);
    *shadow = (cab_shadow){0};
}

/* The shadow map: how far the key light gets. What casts shadows is drawn into it with CAB_PASS_SHADOW. */
#ifndef CAB_SHADOW_H
#define CAB_SHADOW_H

#include <stdbool.h>

#include "view/camera/camera.h"
#include "view/gl/gl.h"

typedef struct cab_shadow {
    int size; /* texels along an edge */
    GLuint framebuffer, depth;
    GLuint compare, number; /* samplers of the depth */
    mat4 view, projection;  /* of the light; orthographic */
    vec3 extent;            /* of what the map holds, m; along its axes, then in depth */
    float texel;            /* the longer edge, m */
    bool stale;             /* what casts shadows has changed */
} cab_shadow;

/* Makes the map, or makes it anew when the size differs. Where OpenGL allows no such size, its largest. */
cab_status cab_shadow_resize(cab_shadow *shadow, int size, cab_error *error);
/* Fits it around what casts shadows into the picture.
 *
 * @param light    towards the light, a unit vector
 * @param casters  around all of them
 * @param ground   height that shadows fall to, m
 */
void cab_shadow_fit(cab_shadow *shadow, const vec3 light, const cab_bounds *casters, float ground,
                    const cab_camera *camera, float aspect);
/* Binds and clears it; draw the casters between the two. */
void cab_shadow_begin(const cab_shadow *shadow);
void cab_shadow_end(cab_shadow *shadow);
/* Binds it for shadow.glsl. */
void cab_shadow_bind(const cab_shadow *shadow);
void cab_shadow_free(cab_shadow *shadow);

#endif

/* The shadow map: how far the light reaches. Whatever casts shadows is drawn into it with CAB_PASS_SHADOW. */
#ifndef CAB_SHADOW_H
#define CAB_SHADOW_H

#include <stdbool.h>

#include "view/camera/camera.h"
#include "view/gl/gl.h"

typedef struct cab_shadow {
    int size; /* texels along an edge */
    GLuint framebuffer, depth;
    GLuint compare, number; /* samplers of the depth: one compares, one gives the number */
    mat4 view, projection;  /* of the light; orthographic */
    vec3 extent;            /* of the space that the map covers, m: width, height, depth */
    float texel;            /* the longer edge of a texel, m */
    bool stale;             /* whatever casts shadows has moved since the map was drawn */
} cab_shadow;

/* Makes the map, or makes it anew when the size differs. At most the largest size that OpenGL allows. */
cab_status cab_shadow_resize(cab_shadow *shadow, int size, cab_error *error);
/* Fits the map around whatever casts shadows into the picture.
 *
 * @param light    towards the light, a unit vector
 * @param casters  a box around everything that casts shadows
 * @param ground   height down to which shadows fall, m */
void cab_shadow_fit(cab_shadow *shadow, const vec3 light, const cab_bounds *casters, float ground,
                    const cab_camera *camera, float aspect);
/* Binds and clears the map. What casts shadows is drawn between the two calls. */
void cab_shadow_begin(const cab_shadow *shadow);
void cab_shadow_end(cab_shadow *shadow);
/* Binds the map for shadow.glsl. */
void cab_shadow_bind(const cab_shadow *shadow);
void cab_shadow_free(cab_shadow *shadow);

#endif

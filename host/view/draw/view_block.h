/* The uniform block View of view.glsl, one a pass: the camera, the light and the shadow map for shaders. */
#ifndef CAB_VIEW_BLOCK_H
#define CAB_VIEW_BLOCK_H

#include <cglm/cglm.h>

#include "view/draw/look.h"
#include "view/draw/shadow.h"
#include "view/scale/value_range.h"

/* As in view.glsl, in the layout std140. */
typedef struct cab_view_block {
    mat4 view, projection, inverse_view;
    vec4 light, fill, eye, viewport, pixel, value;
    mat4 to_shadow;
    vec4 shadow, softness;
} cab_view_block;

/* The direction towards the direct light, which comes from the left, the front and above. A unit vector. */
extern const vec3 cab_key_light;

/* Fills in what is the same in both passes, after `view` and `projection` were set. `range`: the ends of the
 * colour map, where the look does not fix them. */
void cab_view_block_fill(cab_view_block *block, const cab_look *look, const cab_value_range *range, int width,
                         int height);
/* Adds where the shadow map is, after the block was filled. */
void cab_view_block_add_shadow(cab_view_block *block, const cab_look *look, const cab_shadow *shadow);
/* Copies the block into a buffer, and binds that for all programs. */
void cab_view_block_send(const cab_view_block *block, GLuint buffer);

#endif

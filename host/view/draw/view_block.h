/* The block View of view.glsl: what vertex and fragment shaders know of camera and light. One for each pass.
 */
#ifndef CAB_VIEW_BLOCK_H
#define CAB_VIEW_BLOCK_H

#include <cglm/cglm.h>

#include "view/draw/look.h"
#include "view/draw/shadow.h"
#include "view/scale/value_range.h"

/* As view.glsl has it, std140. */
typedef struct cab_view_block {
    mat4 view, projection, inverse_view;
    vec4 light, fill, eye, viewport, pixel, value;
    mat4 to_shadow;
    vec4 shadow, softness;
} cab_view_block;

/* Towards the key light: from the left, the front and above. Unit length. */
extern const vec3 cab_key_light;

/* What both passes have, of a block whose `view` and `projection` are set. `range`: of the quantity's values,
 * where the look has none. */
void cab_view_block_fill(cab_view_block *block, const cab_look *look, const cab_value_range *range, int width,
                         int height);
/* Where the shadow map is, for a block that is filled. */
void cab_view_block_add_shadow(cab_view_block *block, const cab_look *look, const cab_shadow *shadow);
/* Into a buffer, and binds that for all programs. */
void cab_view_block_send(const cab_view_block *block, GLuint buffer);

#endif

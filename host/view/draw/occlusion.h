/* Ambient occlusion: crevices get less of the light that comes from all around. It is found from the depths
 * of the picture. */
#ifndef CAB_OCCLUSION_H
#define CAB_OCCLUSION_H

#include "view/gl/gl.h"
#include "view/draw/target.h"

typedef struct cab_occlusion {
    GLuint program, blur;
    GLint reach, along, apart; /* uniforms */
    int width, height;         /* pixels */
    GLuint framebuffers[2], textures[2];
} cab_occlusion;

cab_status cab_occlusion_create(cab_occlusion *occlusion, cab_error *error);
/* Computes it and binds the result to CAB_UNIT_OCCLUSION. The block View must be the camera's.
 *
 * @param target     resolved
 * @param radius     within which other surfaces darken a place, m
 * @param narrowest  the least that this radius is in the picture, pixels
 */
cab_status cab_occlusion_draw(cab_occlusion *occlusion, const cab_target *target, float radius,
                              float narrowest, cab_error *error);
void cab_occlusion_free(cab_occlusion *occlusion);

#endif

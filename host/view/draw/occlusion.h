/* Ambient occlusion, from the depth of the finished picture: crevices get less of the light from all around.
 */
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
/* Works it out and binds it to CAB_UNIT_OCCLUSION. The block View is the camera's.
 *
 * @param target     resolved
 * @param radius     how far what rises nearby matters, m
 * @param narrowest  that radius at least, pixels
 */
cab_status cab_occlusion_draw(cab_occlusion *occlusion, const cab_target *target, float radius,
                              float narrowest, cab_error *error);
void cab_occlusion_free(cab_occlusion *occlusion);

#endif

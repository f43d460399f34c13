/* Puts the finished picture together from a target (target.h): both lights, ambient occlusion, the
 * background. */
#ifndef CAB_COMPOSE_H
#define CAB_COMPOSE_H

#include "view/draw/look.h"
#include "view/draw/target.h"

typedef struct cab_compose {
    GLuint program;
    GLint over, top, bottom, occluded; /* uniforms */
} cab_compose;

cab_status cab_compose_create(cab_compose *compose, cab_error *error);
/* Fills the framebuffer. A vertex array must be bound; where the look has occlusion, it must have been
 * drawn. */
void cab_compose_draw(const cab_compose *compose, const cab_target *target, const cab_look *look,
                      GLuint framebuffer, int width, int height);
void cab_compose_free(cab_compose *compose);

#endif

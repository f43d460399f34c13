/* The finished picture of a target: both lights, crevices, the background. */
#ifndef CAB_COMPOSE_H
#define CAB_COMPOSE_H

#include "view/draw/look.h"
#include "view/draw/target.h"

typedef struct cab_compose {
    GLuint program;
    GLint over, top, bottom, occluded; /* uniforms */
} cab_compose;

cab_status cab_compose_create(cab_compose *compose, cab_error *error);
/* Covers the framebuffer; needs a vertex array that is bound, and the occlusion where the look has it. */
void cab_compose_draw(const cab_compose *compose, const cab_target *target, const cab_look *look,
                      GLuint framebuffer, int width, int height);
void cab_compose_free(cab_compose *compose);

#endif

/* What a scene is drawn into before the picture is put together of it (finish.h): the direct light, the
 * light from all around, and the depth, with several samples for a pixel. */
#ifndef CAB_TARGET_H
#define CAB_TARGET_H

#include <glad/gl.h>

#include <clcable/status.h>

typedef struct cab_target {
    int width, height, samples; /* pixels */
    GLuint many;                /* framebuffer with several samples; the same as `one` where there is one */
    GLuint many_buffers[3];
    GLuint one;                    /* framebuffer with the textures */
    GLuint direct, ambient, depth; /* textures */
} cab_target;

/* Makes the target, or makes it anew when size or samples differ. */
cab_status cab_target_resize(cab_target *target, int width, int height, int samples, cab_error *error);
/* Binds and clears the target. */
void cab_target_begin(const cab_target *target);
/* Puts the means of the samples into the textures. */
void cab_target_resolve(const cab_target *target);
void cab_target_free(cab_target *target);

#endif

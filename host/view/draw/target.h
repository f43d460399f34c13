/* What a picture is drawn into before it is put together: two lights and depth, several samples a pixel. */
#ifndef CAB_TARGET_H
#define CAB_TARGET_H

#include <glad/gl.h>

#include <clcable/status.h>

typedef struct cab_target {
    int width, height, samples; /* pixels */
    GLuint many;                /* framebuffer with samples; the same as `one` where there is one sample */
    GLuint many_buffers[3];
    GLuint one;                    /* framebuffer with the textures */
    GLuint direct, ambient, depth; /* textures */
} cab_target;

/* Makes it, or makes it anew when size or samples differ. */
cab_status cab_target_resize(cab_target *target, int width, int height, int samples, cab_error *error);
/* Binds and clears it. */
void cab_target_begin(const cab_target *target);
/* From the samples to the textures. */
void cab_target_resolve(const cab_target *target);
void cab_target_free(cab_target *target);

#endif

/* OpenGL 3.3 core: programs out of built-in shader files, checked calls, debug output. */
#ifndef CAB_GL_H
#define CAB_GL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glad/gl.h>

#include <clcable/status.h>

/* Texture units, the same in every program: samplers are set to them by cab_gl_program(), by their names. */
enum {
    CAB_UNIT_ROWS = 0,     /* samplerBuffer rows */
    CAB_UNIT_MAP,          /* sampler2D colour_map */
    CAB_UNIT_STRANDS,      /* isamplerBuffer strands */
    CAB_UNIT_RING,         /* isamplerBuffer ring */
    CAB_UNIT_SHADOW,       /* sampler2DShadow shadow_map: compares */
    CAB_UNIT_SHADOW_DEPTH, /* sampler2D shadow_depth: the same texture, as numbers */
    CAB_UNIT_DIRECT,       /* sampler2D direct_light */
    CAB_UNIT_AMBIENT,      /* sampler2D ambient_light */
    CAB_UNIT_DEPTH,        /* sampler2D depth_texture */
    CAB_UNIT_OCCLUSION,    /* sampler2D occlusion */
    CAB_UNIT_PICTURE,      /* sampler2D picture */
    CAB_UNIT_COUNT
};

/* What is drawn twice has a program for each. In the second SHADOW is defined: the block View is the light's,
 * shade() does nothing, and only depth counts. */
typedef enum cab_pass { CAB_PASS_LIGHT = 0, CAB_PASS_SHADOW, CAB_PASS_COUNT } cab_pass;

/* Loads GL's functions for the current context, and reports its errors from now on, where it can (KHR_debug).
 *
 * @param load  finds a function by its name
 */
cab_status cab_gl_start(GLADloadfunc load, cab_error *error);

/* Errors since cab_gl_start or the last call of this: the first as an error, naming the call or `where`. */
cab_status cab_gl_check(const char *where, cab_error *error);

/* Is it software (Mesa's llvmpipe, softpipe, swrast)? Then fewer samples are the default. */
bool cab_gl_is_software(void);

/* Sets a sampler's unit once and for all, where it is none of the above. */
void cab_gl_sampler(GLuint program, const char *name, int unit);

/* A program of two files from host/view/shaders, each after the files that it names in `//! include FILE`
 * lines. `defines` are lines that come after #version, may be NULL. 0 after an error, which has the
 * compiler's words. */
GLuint cab_gl_program(const char *vertex, const char *fragment, const char *defines, cab_error *error);

/* The programs of both passes. `defines` as above, but not NULL. On an error none is left. */
cab_status cab_gl_pass_programs(GLuint programs[CAB_PASS_COUNT], const char *vertex, const char *fragment,
                                const char *defines, cab_error *error);

/* Binds a texture to a unit. */
void cab_gl_bind(int unit, GLenum kind, GLuint texture);

/* A framebuffer that draws into one texture. */
GLuint cab_gl_framebuffer(GLenum place, GLuint texture);

/* A place in the bound buffer, bytes from its start, as GL's calls want it: as a pointer. */
static inline const void *cab_gl_offset(size_t bytes)
{
    return (const void *)(uintptr_t)bytes;
}

/* A texture of one level, clamped to its edge. */
GLuint cab_gl_texture(GLenum internal, int width, int height, GLenum filter);

#endif

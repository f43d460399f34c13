/* OpenGL 3.3 core: programs of built-in shaders, reported errors, and the objects that all drawing needs. */
#ifndef CAB_GL_H
#define CAB_GL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glad/gl.h>

#include <clcable/status.h>

/* Texture units, the same in every program: cab_gl_program() sets the samplers of these names to them. */
enum {
    CAB_UNIT_ROWS = 0,     /* samplerBuffer rows: the nodes, as of cab_world_draw() */
    CAB_UNIT_MAP,          /* sampler2D colour_map */
    CAB_UNIT_STRANDS,      /* isamplerBuffer strands: an array of cab_strand */
    CAB_UNIT_RING,         /* isamplerBuffer ring: the triangles around each node of a sheet */
    CAB_UNIT_SHADOW,       /* sampler2DShadow shadow_map: compares depths */
    CAB_UNIT_SHADOW_DEPTH, /* sampler2D shadow_depth: the same texture, as numbers */
    CAB_UNIT_DIRECT,       /* sampler2D direct_light: of a target (target.h), as the next two */
    CAB_UNIT_AMBIENT,      /* sampler2D ambient_light */
    CAB_UNIT_DEPTH,        /* sampler2D depth_texture */
    CAB_UNIT_OCCLUSION,    /* sampler2D occlusion */
    CAB_UNIT_PICTURE,      /* sampler2D picture: one that is to be smoothed */
    CAB_UNIT_DIRECTORS,    /* samplerBuffer directors: as of cab_world_read_directors() */
    CAB_UNIT_COUNT
};

/* Whatever casts a shadow is drawn twice: into the picture, and into the shadow map. There is a program for
 * each. In the second one SHADOW is defined: its block View is the light's, and only the depth counts. */
typedef enum cab_pass { CAB_PASS_LIGHT = 0, CAB_PASS_SHADOW, CAB_PASS_COUNT } cab_pass;

/* Loads OpenGL's functions for the current context. From then on errors are collected, where the driver
 * reports them (KHR_debug).
 *
 * @param load  finds a function by its name */
cab_status cab_gl_start(GLADloadfunc load, cab_error *error);

/* Have there been errors since cab_gl_start() or the last call of this? The first one is returned, with the
 * name of the call or, where that is not known, with `where`. */
cab_status cab_gl_check(const char *where, cab_error *error);

/* Is OpenGL done in software (Mesa's llvmpipe, softpipe, swrast)? Then pictures are drafts by default. */
bool cab_gl_is_software(void);

/* Sets a sampler's texture unit, once and for all, where it is none of the above. */
void cab_gl_sampler(GLuint program, const char *name, int unit);

/* Makes a program of two files of host/view/shaders. A file begins with lines `//! include FILE` for what
 * must come before it.
 *
 * @param defines  lines that come after #version; may be NULL
 * @return the program; 0 after an error, which has the compiler's message */
GLuint cab_gl_program(const char *vertex, const char *fragment, const char *defines, cab_error *error);

/* Makes the programs of both passes. `defines` as above, but not NULL. After an error there is none. */
cab_status cab_gl_pass_programs(GLuint programs[CAB_PASS_COUNT], const char *vertex, const char *fragment,
                                const char *defines, cab_error *error);

/* Describes and enables a vertex attribute in the buffer and array that are bound. Integers stay integers in
 * the shader, bytes become 0 to 1.
 *
 * @param type            GL_FLOAT, GL_INT, GL_UNSIGNED_INT or GL_UNSIGNED_BYTE
 * @param stride, offset  bytes */
void cab_gl_attribute(GLuint index, GLint size, GLenum type, size_t stride, size_t offset);

/* Binds a texture to a unit. */
void cab_gl_bind(int unit, GLenum kind, GLuint texture);

/* A framebuffer that draws into one texture. */
GLuint cab_gl_framebuffer(GLenum place, GLuint texture);

/* A place in the bound buffer, bytes from its start, as OpenGL's calls want it: as a pointer. */
static inline const void *cab_gl_offset(size_t bytes)
{
    return (const void *)(uintptr_t)bytes;
}

/* A texture of one level, clamped to its edge. */
GLuint cab_gl_texture(GLenum internal, int width, int height, GLenum filter);

#endif

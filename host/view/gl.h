/* OpenGL 3.3 core: programs out of built-in shader files, checked calls, debug output. */
#ifndef CAB_GL_H
#define CAB_GL_H

#include <stdbool.h>

#include <glad/gl.h>

#include <clcable/status.h>

/* Loads GL's functions for the current context, and reports its errors from now on, where it can (KHR_debug).
 *
 * @param load  finds a function by its name
 */
cab_status cab_gl_start(GLADloadfunc load, cab_error *error);

/* Errors since cab_gl_start or the last call of this: the first as an error, naming the call or `where`. */
cab_status cab_gl_check(const char *where, cab_error *error);

/* Is it software (Mesa's llvmpipe, softpipe, swrast)? Then fewer samples are the default. */
bool cab_gl_is_software(void);

/* A program of two files from host/view/shaders, each after the files that it names in `//! include FILE`
 * lines. `defines` are lines that come after #version, may be NULL. 0 after an error, which has the
 * compiler's words. */
GLuint cab_gl_program(const char *vertex, const char *fragment, const char *defines, cab_error *error);

/* Sets a sampler's unit once and for all. */
void cab_gl_sampler(GLuint program, const char *name, int unit);

/* A texture of one level, clamped to its edge. */
GLuint cab_gl_texture(GLenum internal, int width, int height, GLenum filter);

#endif

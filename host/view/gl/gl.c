#include "view/gl/gl.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "embedded.h"

/* The shader files of host/view/shaders, built into the program: cmake/Embed.cmake writes the table. */
extern const cab_embedded cab_shaders[];
extern const int cab_shaders_count;

enum { SOURCE_PARTS = 16, LOG_SIZE = 700, DEFINES_SIZE = 100 };

/* The first error that OpenGL has reported since cab_gl_check() was last called. Only one thread draws. */
static char first_error[CAB_MESSAGE_SIZE];
static bool has_debug;

static void GLAD_API_PTR on_debug(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                  const GLchar *message, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length, (void)user;
    bool wrong = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR;
    if (wrong && !first_error[0]) snprintf(first_error, sizeof first_error, "%s", message);
}

cab_status cab_gl_start(GLADloadfunc load, cab_error *error)
{
    int version = gladLoadGL(load);
    if (version == 0) return cab_fail(error, CAB_ERROR_DEVICE, "OpenGL could not be started");
    if (version < GLAD_MAKE_VERSION(3, 3))
        return cab_fail(error, CAB_ERROR_DEVICE, "OpenGL 3.3 is needed, this one is %d.%d",
                        GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version));
    first_error[0] = 0;
    has_debug = GLAD_GL_KHR_debug && glDebugMessageCallback;
    if (has_debug) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(on_debug, NULL);
    }
    return CAB_OK;
}

cab_status cab_gl_check(const char *where, cab_error *error)
{
    GLenum code = glGetError();
    if (code == GL_NO_ERROR && !first_error[0]) return CAB_OK;
    while (glGetError() != GL_NO_ERROR) continue;
    char message[CAB_MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s", first_error[0] ? first_error : "no details");
    first_error[0] = 0;
    cab_status status = code == GL_OUT_OF_MEMORY ? CAB_ERROR_MEMORY : CAB_ERROR_DEVICE;
    return cab_fail(error, status, "OpenGL, %s: error 0x%04x: %s", where, code, message);
}

bool cab_gl_is_software(void)
{
    const char *name = (const char *)glGetString(GL_RENDERER);
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SWR"));
}

static const char *find_shader(const char *name, size_t length)
{
    for (int i = 0; i < cab_shaders_count; i++)
        if (strlen(cab_shaders[i].name) == length && !strncmp(cab_shaders[i].name, name, length))
            return cab_shaders[i].text;
    return NULL;
}

/* Appends the files that this one includes, then itself. False when one of them is not built in. */
static bool gather(const char *name, size_t length, const char **parts, int *count)
{
    static const char include[] = "//! include ";
    const char *text = find_shader(name, length);
    if (!text || *count >= SOURCE_PARTS) return false;
    for (const char *line = text; !strncmp(line, include, sizeof include - 1);
         line = strchr(line, '\n') + 1) {
        const char *wanted = line + sizeof include - 1;
        if (!gather(wanted, strcspn(wanted, "\n"), parts, count)) return false;
    }
    parts[(*count)++] = text;
    return true;
}

static GLuint compile(GLenum kind, const char *name, const char *defines, cab_error *error)
{
    const char *parts[SOURCE_PARTS + 2] = {"#version 330 core\n", defines ? defines : ""};
    int count = 2;
    if (!gather(name, strlen(name), parts, &count)) {
        cab_fail(error, CAB_ERROR_DEVICE, "shader %s, or what it includes, is not built in", name);
        return 0;
    }
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    GLint done = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done) return shader;
    char log[LOG_SIZE] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    cab_fail(error, CAB_ERROR_DEVICE, "glCompileShader, %s: %s", name, log);
    glDeleteShader(shader);
    return 0;
}

static GLuint link_program(GLuint vertex, GLuint fragment, const char *name, cab_error *error)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint done = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done) return program;
    char log[LOG_SIZE] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    cab_fail(error, CAB_ERROR_DEVICE, "glLinkProgram, %s: %s", name, log);
    glDeleteProgram(program);
    return 0;
}

void cab_gl_sampler(GLuint program, const char *name, int unit)
{
    GLint place = glGetUniformLocation(program, name);
    if (place < 0) return; /* not used in this variant of the program */
    glUseProgram(program);
    glUniform1i(place, unit);
}

static void set_samplers(GLuint program)
{
    static const char *const names[CAB_UNIT_COUNT] = {
        [CAB_UNIT_ROWS] = "rows",           [CAB_UNIT_MAP] = "colour_map",
        [CAB_UNIT_STRANDS] = "strands",     [CAB_UNIT_RING] = "ring",
        [CAB_UNIT_SHADOW] = "shadow_map",   [CAB_UNIT_SHADOW_DEPTH] = "shadow_depth",
        [CAB_UNIT_DIRECT] = "direct_light", [CAB_UNIT_AMBIENT] = "ambient_light",
        [CAB_UNIT_DEPTH] = "depth_texture", [CAB_UNIT_OCCLUSION] = "occlusion",
        [CAB_UNIT_PICTURE] = "picture",     [CAB_UNIT_DIRECTORS] = "directors",
    };
    for (int unit = 0; unit < CAB_UNIT_COUNT; unit++) cab_gl_sampler(program, names[unit], unit);
}

GLuint cab_gl_program(const char *vertex, const char *fragment, const char *defines, cab_error *error)
{
    GLuint program = 0, first = compile(GL_VERTEX_SHADER, vertex, defines, error), second = 0;
    if (first) second = compile(GL_FRAGMENT_SHADER, fragment, defines, error);
    if (second) program = link_program(first, second, fragment, error);
    glDeleteShader(first);
    glDeleteShader(second);
    if (!program) return 0;
    GLuint block = glGetUniformBlockIndex(program, "View");
    if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
    set_samplers(program);
    return program;
}

cab_status cab_gl_pass_programs(GLuint programs[CAB_PASS_COUNT], const char *vertex, const char *fragment,
                                const char *defines, cab_error *error)
{
    static const char *const of_pass[CAB_PASS_COUNT] = {
        [CAB_PASS_LIGHT] = "", [CAB_PASS_SHADOW] = "#define SHADOW\n"};
    for (int i = 0; i < CAB_PASS_COUNT; i++) {
        char all[DEFINES_SIZE];
        snprintf(all, sizeof all, "%s%s", of_pass[i], defines);
        programs[i] = cab_gl_program(vertex, fragment, all, error);
        if (programs[i]) continue;
        while (i-- > 0) glDeleteProgram(programs[i]);
        for (int k = 0; k < CAB_PASS_COUNT; k++) programs[k] = 0;
        return CAB_ERROR_DEVICE;
    }
    return CAB_OK;
}

void cab_gl_attribute(GLuint index, GLint size, GLenum type, size_t stride, size_t offset)
{
    const void *place = cab_gl_offset(offset);
    glEnableVertexAttribArray(index);
    if (type == GL_INT || type == GL_UNSIGNED_INT)
        glVertexAttribIPointer(index, size, type, (GLsizei)stride, place);
    else
        glVertexAttribPointer(index, size, type, type == GL_UNSIGNED_BYTE, (GLsizei)stride, place);
}

void cab_gl_bind(int unit, GLenum kind, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(kind, texture);
}

GLuint cab_gl_framebuffer(GLenum place, GLuint texture)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, place, GL_TEXTURE_2D, texture, 0);
    return framebuffer;
}

GLuint cab_gl_texture(GLenum internal, int width, int height, GLenum filter)
{
    GLenum format = internal == GL_DEPTH_COMPONENT32F ? GL_DEPTH_COMPONENT : GL_RGBA;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, width, height, 0, format, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

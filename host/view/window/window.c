/* The window: GLFW, and the loop of events and pictures. */
#include "view/window/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "library/egl.h"
#include "view/gl/gl.h"
#include "view/window/window_inside.h"

#define INSTEAD                                                                                              \
    "`clcable render SCENE -o picture.png` needs none, and `xvfb-run clcable view SCENE` brings one"

enum { MOST_WIDTH = 1600, MOST_HEIGHT = 900, LEAST_SIZE = 200 };

#define IDLE_WAIT 0.25   /* s; after that time without events messages and panels are updated */
#define BUSY_WAIT 0.004  /* s until it is looked whether a step is due, where the picture has not changed */
#define LONGEST_GAP 0.25 /* s between two pictures that follow each other */
#define PICTURE_LEAST 0.008 /* s from one picture to the next at least, for where there is no vsync */

static char glfw_error[CAB_MESSAGE_SIZE];

static void on_error(int code, const char *text)
{
    (void)code;
    snprintf(glfw_error, sizeof glfw_error, "%s", text);
}

/* The last error of GLFW since this was last called; "" = none. */
static const char *take_glfw_error(void)
{
    static char last[CAB_MESSAGE_SIZE];
    memcpy(last, glfw_error, sizeof last);
    glfw_error[0] = 0;
    return last;
}

/* The window's size at first: most of the screen. */
static void default_size(int *width, int *height)
{
    int x, y, wide = 0, high = 0;
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    if (monitor) glfwGetMonitorWorkarea(monitor, &x, &y, &wide, &high);
    *width = wide > LEAST_SIZE ? (int)fmin(0.9 * wide, MOST_WIDTH) : 1280;
    *height = high > LEAST_SIZE ? (int)fmin(0.85 * high, MOST_HEIGHT) : 720;
}

static GLFWwindow *open_window(const cab_window_def *def, int creation_api)
{
    int width = def->width, height = def->height;
    if (!width || !height) default_size(&width, &height);
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, creation_api);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS,
                   0); /* pictures are made in framebuffers of their own, then copied into the window */
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "clcable");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "clcable");
    return glfwCreateWindow(width, height, def->title ? def->title : "clcable", NULL, NULL);
}

cab_status cab_window_create(cab_window **window, const cab_window_def *def, cab_error *error)
{
    cab_status status = cab_glfw_load("a window", error);
    if (status) return status;
    cab_window *w = calloc(1, sizeof *w);
    if (!w) return cab_fail_memory(error, "a window", sizeof *w);
    glfwSetErrorCallback(on_error);
    if (!glfwInit()) {
        free(w);
        return cab_fail(error, CAB_ERROR_DEVICE, "no display for a window (%s): " INSTEAD, take_glfw_error());
    }
    /* EGL first: sharing of buffers works best with it, and it is what is used without a screen */
    w->glfw = open_window(def, GLFW_EGL_CONTEXT_API);
    if (!w->glfw) w->glfw = open_window(def, GLFW_NATIVE_CONTEXT_API);
    if (!w->glfw) {
        status =
            cab_fail(error, CAB_ERROR_DEVICE, "no window with OpenGL 3.3 (%s): " INSTEAD, take_glfw_error());
    } else {
        glfwMakeContextCurrent(w->glfw);
        status = cab_gl_start((GLADloadfunc)glfwGetProcAddress, error);
    }
    take_glfw_error(); /* forget the error of what was tried first */
    if (status) {
        cab_window_destroy(w);
        return status;
    }
    glfwSwapInterval(1);
    glfwSetWindowSizeLimits(w->glfw, LEAST_SIZE, LEAST_SIZE, GLFW_DONT_CARE, GLFW_DONT_CARE);
    *window = w;
    return CAB_OK;
}

void cab_window_destroy(cab_window *window)
{
    if (!window) return;
    if (window->glfw) glfwDestroyWindow(window->glfw);
    glfwTerminate();
    free(window);
}

static void finish(void *user)
{
    (void)user;
    glFinish();
}

static void upload(void *user, unsigned buffer, size_t bytes, const void *data)
{
    (void)user;
    glBindBuffer(GL_TEXTURE_BUFFER, buffer);
    glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)bytes, data);
}

bool cab_window_get_gl(const cab_window *window, cab_interop interop, cab_gl *gl)
{
    *gl = (cab_gl){.interop = interop, .finish = finish, .upload = upload};
    int api = glfwGetWindowAttrib(window->glfw, GLFW_CONTEXT_CREATION_API);
    if (api == GLFW_EGL_CONTEXT_API && cab_egl_load("a window", NULL) == CAB_OK) {
        gl->platform = CAB_GL_EGL;
        gl->display = eglGetCurrentDisplay();
        gl->context = eglGetCurrentContext();
    } else { /* by name, as a GLFW for Wayland has no GLX, and so that X11's headers are not needed */
        typedef void *(*get_current)(void);
        get_current display = (get_current)glfwGetProcAddress("glXGetCurrentDisplay");
        get_current context = (get_current)glfwGetProcAddress("glXGetCurrentContext");
        gl->platform = CAB_GL_GLX;
        gl->display = display ? display() : NULL;
        gl->context = context ? context() : NULL;
    }
    return gl->display && gl->context;
}

/* Reads the sizes of window and framebuffer. They are 0 while the window is minimised. */
static void measure(cab_window *w)
{
    int width, height;
    float x_scale, y_scale;
    glfwGetWindowSize(w->glfw, &width, &height);
    glfwGetFramebufferSize(w->glfw, &w->width, &w->height);
    glfwGetWindowContentScale(w->glfw, &x_scale, &y_scale);
    w->per_unit[0] = width > 0 ? (float)w->width / (float)width : 1;
    w->per_unit[1] = height > 0 ? (float)w->height / (float)height : 1;
    w->viewer->scale = x_scale > 0 ? x_scale : 1;
    if (glfwGetWindowAttrib(w->glfw, GLFW_ICONIFIED)) w->width = w->height = 0;
    if (w->width != w->viewer->width || w->height != w->viewer->height) w->viewer->changed = true;
}

static void set_title(cab_window *w)
{
    char title[sizeof w->title];
    snprintf(title, sizeof title, "%s%.400s%s - clcable", w->viewer->unsaved ? "*" : "",
             cab_path_name(w->viewer->path), w->viewer->playing ? "" : " (paused)");
    if (strcmp(title, w->title) == 0) return;
    memcpy(w->title, title, sizeof title);
    glfwSetWindowTitle(w->glfw, title);
}

static void take_events(cab_window *w, double wait)
{
    const cab_layer *layer = w->layer;
    if (layer && layer->begin_input) layer->begin_input(layer->user);
    if (wait > 0)
        glfwWaitEventsTimeout(wait);
    else
        glfwPollEvents();
    if (layer && layer->end_input) layer->end_input(layer->user);
    if (!glfwWindowShouldClose(w->glfw)) return;
    glfwSetWindowShouldClose(w->glfw, GLFW_FALSE);
    cab_viewer_quit(w->viewer);
}

static cab_status draw(cab_window *w, double seconds, cab_error *error)
{
    const cab_layer *layer = w->layer;
    double begun = glfwGetTime();
    w->viewer->dragging = w->drag != CAB_DRAG_NONE;
    cab_status status = cab_viewer_draw(w->viewer, 0, w->width, w->height, error);
    if (!status && layer && layer->draw) {
        cab_layer_frame frame = {w->width, w->height, w->viewer->scale, seconds};
        status = layer->draw(layer->user, &frame, error);
        if (!status) status = cab_gl_check("panels", error);
    }
    if (status) return status;
    glFinish(); /* or nobody would know what drawing takes */
    cab_viewer_drawn(w->viewer, glfwGetTime() - begun, seconds < LONGEST_GAP ? seconds : 0);
    glfwSwapBuffers(w->glfw);
    return CAB_OK;
}

/* How long to wait for events, s, when the last picture was begun `ago` s ago. */
static double wait_time(const cab_window *w, double ago)
{
    if (!w->width || !w->height) return IDLE_WAIT;
    if (w->viewer->changed) return fmax(0, PICTURE_LEAST - ago);
    return cab_viewer_is_busy(w->viewer) ? BUSY_WAIT : IDLE_WAIT;
}

static cab_status loop(cab_window *w, long pictures, cab_error *error)
{
    cab_viewer *v = w->viewer;
    double last_tick = glfwGetTime(), last_picture = 0;
    for (long drawn = 0; !v->quit && (!pictures || drawn < pictures);) {
        if (pictures) v->changed = true;
        take_events(w, wait_time(w, glfwGetTime() - last_picture));
        measure(w);
        double now = glfwGetTime();
        bool visible = w->width > 0 && w->height > 0;
        if (visible) cab_viewer_tick(v, now - last_tick); /* while hidden it stands still */
        last_tick = now;
        set_title(w);
        if (!visible || !v->changed || now - last_picture < PICTURE_LEAST / 2) continue;
        cab_status status = draw(w, now - last_picture, error);
        if (status) return status;
        last_picture = now;
        drawn++;
    }
    return CAB_OK;
}

cab_status cab_window_run(cab_window *window, cab_viewer *viewer, const cab_layer *layer, long pictures,
                          cab_error *error)
{
    window->viewer = viewer;
    window->layer = layer;
    measure(window);
    cab_window_listen(window);
    cab_status status = CAB_OK;
    if (layer && layer->start) status = layer->start(layer->user, viewer, viewer->scale, error);
    if (!status) status = loop(window, pictures, error);
    if (layer && layer->stop) layer->stop(layer->user);
    const char *text = take_glfw_error();
    if (!status && text[0]) status = cab_fail(error, CAB_ERROR_DEVICE, "GLFW: %s", text);
    return status;
}

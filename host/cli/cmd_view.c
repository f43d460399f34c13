/* clcable view: an interactive window. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glad/gl.h>

#include "cli/cli.h"
#include "cli/compiling.h"
#include "cli/picture_options.h"
#include "cli/render_study.h"
#include "view/panels/panels.h"
#include "view/window/window.h"

static void on_log(void *user, int level, const char *text)
{
    const cab_options *options = user;
    if (options->quiet || (level == 1 && !options->verbose)) return;
    if (level == 2) {
        cab_cli_compiling(text);
    } else if (level == 0) {
        cab_cli_warning(text);
    } else {
        printf("%s\n", text);
        fflush(stdout); /* as it happens, also into a pipe */
    }
}

static bool read_interop(const cab_options *options, cab_interop *interop)
{
    *interop = CAB_INTEROP_AUTO;
    if (!options->interop) return true;
    for (int i = 0; i < CAB_INTEROP_COUNT; i++) {
        *interop = (cab_interop)i;
        if (strcmp(cab_interop_name(*interop), options->interop) == 0) return true;
    }
    cab_cli_error("--interop: expected on, off or auto, got '%s'", options->interop);
    return false;
}

static bool check(const cab_options *options, const cab_shot *shot)
{
    if (!cab_options_agree(options, "view", 1))
        return false;
    else if (shot->look.background == CAB_BACKGROUND_TRANSPARENT)
        cab_cli_error("view: --background: expected light or dark, got 'transparent'");
    else if (options->screenshot &&
             (!cab_shots_is_picture(options->screenshot) || cab_shots_is_animation(options->screenshot)))
        cab_cli_error("--screenshot: expected NAME.png, got '%s'", options->screenshot);
    else
        return true;
    return false;
}

/* What the options say of the scene, in the words of `--set`, to be applied in this order. A study takes
 * numbers of steps as they are. */
enum { OWN_CHANGES = 3, CHANGE_SIZE = 128 };
typedef struct changes {
    char own[OWN_CHANGES][CHANGE_SIZE];
    const char **all;
    int count;
} changes;

static bool gather(const cab_study_kind *kind, const cab_options *options, changes *c)
{
    *c = (changes){.all = calloc((size_t)options->overrides.count + OWN_CHANGES, sizeof *c->all)};
    if (!c->all) {
        cab_cli_error("out of memory");
        return false;
    }
    int own = 0;
    if (options->method) snprintf(c->own[own++], CHANGE_SIZE, "/method/name=\"%.80s\"", options->method);
    if (!kind && options->substeps)
        snprintf(c->own[own++], CHANGE_SIZE, "/time/substeps=%ld", options->substeps);
    if (!kind && options->iterations)
        snprintf(c->own[own++], CHANGE_SIZE, "/time/iterations=%ld", options->iterations);
    for (int i = 0; i < options->overrides.count; i++) c->all[c->count++] = options->overrides.word[i];
    for (int i = 0; i < own; i++) c->all[c->count++] = c->own[i];
    return true;
}

static int fail(cab_status status, const cab_error *error)
{
    cab_cli_error("%s", error->message);
    return cab_cli_exit_code(status);
}

static cab_status check_cables(const char *path, const changes *c, cab_error *error)
{
    cab_scene *scene = NULL;
    cab_status status = cab_scene_load(path, c->all, c->count, &scene, error);
    cab_scene_destroy(scene);
    return status;
}

/* By its engine, on the device that is always there: it knows what else it cannot do. */
static cab_status check_study(const cab_study_kind *kind, const char *path, const cab_viewer_def *def,
                              cab_error *error)
{
    cab_study_def study = {.path = path,
                           .overrides = def->overrides,
                           .override_count = def->override_count,
                           .device = "native",
                           .threads = 1,
                           .kernel_dir = def->kernel_dir,
                           .substeps = def->substeps,
                           .iterations = def->iterations,
                           .compare = def->compare};
    cab_study *opened = NULL;
    cab_status status = cab_study_open(kind, &study, &opened, error);
    if (!status) cab_study_close(opened);
    return status;
}

static cab_status run(cab_window *window, cab_viewer *viewer, const cab_options *options, cab_error *error)
{
    cab_panels *panels;
    cab_status status = cab_panels_create(&panels, error);
    if (status) return status;
    cab_layer layer = cab_panels_layer(panels);
    status = cab_window_run(window, viewer, &layer, options->pictures, error);
    cab_panels_destroy(panels);
    return status;
}

/* Between the window's opening and its end. */
static int show(cab_window *window, const char *path, const cab_viewer_def *def, const cab_shot *shot,
                const cab_options *options)
{
    cab_viewer *viewer;
    cab_error error;
    cab_status status = cab_viewer_create(&viewer, path, def, &error);
    if (status) return fail(status, &error);
    if (options->resume && cab_viewer_resume(viewer, options->resume, &error)) {
        cab_viewer_destroy(viewer);
        return fail(CAB_ERROR_INPUT, &error); /* whatever the reason, as with scenes */
    }
    const cab_camera *camera = &shot->aim.camera;
    viewer->camera.yaw = camera->yaw;
    viewer->camera.pitch = camera->pitch;
    viewer->camera.fov = camera->fov;
    viewer->camera.orthographic = camera->orthographic;
    cab_viewer_play(viewer, !options->paused);
    status = run(window, viewer, options, &error);
    bool saved = status || !options->screenshot || cab_viewer_save_picture(viewer, options->screenshot);
    int code = status ? fail(status, &error) : CAB_EXIT_DONE;
    if (!saved) {
        cab_cli_error("%s", viewer->message);
        code = CAB_EXIT_FAILED;
    }
    cab_viewer_destroy(viewer);
    return code;
}

/* Between the window's opening and the viewer's. */
static int share(cab_window *window, cab_interop interop, const char *path, cab_viewer_def *def,
                 const cab_shot *shot, const cab_options *options)
{
    cab_gl gl;
    if (!cab_window_get_gl(window, interop, &gl)) {
        cab_cli_error("view: the window's OpenGL context is neither of EGL nor of GLX");
        return CAB_EXIT_FAILED;
    }
    if (options->verbose)
        printf("OpenGL: %s, by %s\n", (const char *)glGetString(GL_RENDERER),
               gl.platform == CAB_GL_EGL ? "EGL" : "GLX");
    def->gl = &gl;
    if (!cab_picture_word(options, "quality")) cab_look_set_quality(&def->look, cab_quality_for_window());
    return show(window, path, def, shot, options);
}

/* `kind`: NULL for cables. A scene that cannot be read is bad input whether or not there is a display. */
static int open_window(const cab_study_kind *kind, const char *path, const cab_options *options,
                       const cab_shot *shot, cab_interop interop, const changes *c)
{
    cab_world_def device = cab_options_world(options, NULL);
    cab_viewer_def def = {.device = device.device,
                          .threads = device.threads,
                          .kernel_dir = device.kernel_dir,
                          .overrides = c->all,
                          .override_count = c->count,
                          .substeps = options->substeps,
                          .iterations = options->iterations,
                          .compare = cab_picture_word(options, "compare"),
                          .look = shot->look,
                          .log = on_log,
                          .user = (void *)options};
    cab_error error;
    cab_status status = kind ? check_study(kind, path, &def, &error) : check_cables(path, c, &error);
    if (status) { /* there is no device in it yet, but one may be named */
        cab_cli_error("%s", error.message);
        return status == CAB_ERROR_MEMORY ? CAB_EXIT_FAILED : CAB_EXIT_USAGE;
    }
    cab_window *window;
    cab_window_def window_def = {.width = shot->width, .height = shot->height};
    status = cab_window_create(&window, &window_def, &error);
    if (status) {
        cab_cli_error("view: %s", error.message);
        return cab_cli_exit_code(status);
    }
    int code = share(window, interop, path, &def, shot, options);
    cab_window_destroy(window);
    return code;
}

static int view(const cab_options *options, const char *path)
{
    const cab_study_kind *kind;
    if (!cab_cli_study_of(path, &kind)) return CAB_EXIT_FAILED;
    cab_shots shots = kind ? cab_study_shots(kind) : cab_shots_default();
    shots.shot.width = shots.shot.height = 0; /* the window knows better */
    cab_interop interop;
    changes c;
    if (!(kind ? cab_study_takes(kind, options) : cab_cables_take(options)) ||
        !read_interop(options, &interop) || !cab_picture_options(options, "view", &shots) ||
        !check(options, &shots.shot) || !gather(kind, options, &c))
        return CAB_EXIT_USAGE;
    int code = open_window(kind, path, options, &shots.shot, interop, &c);
    free(c.all);
    return code;
}

const cab_command cab_cmd_view = {"view", CAB_TAKES_SCENE | CAB_TAKES_DEVICE | CAB_TAKES_VIEW, "a scene",
                                  view, NULL};

/* A viewer without a window, for tests of its commands: a canvas to draw into, a folder for its files. Include cmocka first.
 */
#ifndef CAB_TESTS_VIEWER_H
#define CAB_TESTS_VIEWER_H

#include "view.h"

#include <unistd.h>

#include <cglm/cglm.h>

#include "view/gl/canvas.h"
#include "view/viewer/viewer_inside.h"

enum { WIDTH = 480, HEIGHT = 320 };

static cab_canvas canvas;
static char folder[] = "/tmp/clcable-viewer-XXXXXX";
static const double frame_time = 1.0 / 60;

typedef struct text_file {
    const char *name, *text;
} text_file;

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* Context, canvas, and a working directory of its own with these files in it. */
static inline int start_viewers(const text_file *files, size_t count)
{
    if (start_headless(NULL) || cab_canvas_create(&canvas, WIDTH, HEIGHT, &error)) return -1;
    if (!mkdtemp(folder) || chdir(folder)) return -1;
    for (size_t i = 0; i < count; i++) write_file(files[i].name, files[i].text);
    return 0;
}

/* Fails when anything but these files, and `more` that tests have written, is left in the folder. */
static inline int stop_viewers(const text_file *files, size_t count, const char *const *more,
                               size_t more_count)
{
    cab_canvas_free(&canvas);
    stop_headless(NULL);
    for (size_t i = 0; i < count; i++) unlink(files[i].name);
    for (size_t i = 0; i < more_count; i++) unlink(more[i]);
    return chdir("/") || rmdir(folder);
}

static inline void draw(cab_viewer *v)
{
    CHECK(cab_viewer_draw(v, canvas.framebuffer, WIDTH, HEIGHT, &error));
}

static inline void step(cab_viewer *v, int frames)
{
    for (int i = 0; i < frames; i++)
        if (!cab_viewer_step(v)) fail_msg("%s", v->message);
}

#endif

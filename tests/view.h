/* What tests of the viewer and of its pictures share: an OpenGL context without a screen, scenes' files, pictures that are
 * kept to be looked at. Include cmocka first. */
#ifndef CAB_TESTS_VIEW_H
#define CAB_TESTS_VIEW_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/gl/headless.h"
#include "view/gl/picture.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static cab_error error;
static cab_headless *headless;

/* A call that must succeed: else its message ends the test. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (call) fail_msg("%s", error.message);                                                             \
    } while (0)

/* For cmocka's groups: the context is there from the first test to the last. */
static inline int start_headless(void **state)
{
    (void)state;
    if (!cab_headless_create(&headless, &error)) return 0;
    print_error("%s\n", error.message);
    return -1;
}

static inline int stop_headless(void **state)
{
    (void)state;
    cab_headless_destroy(headless);
    return 0;
}

/* Of a file in the folder of scenes. */
static inline void scene_path(char path[1000], const char *name)
{
    const char *folder = getenv("CLCABLE_SCENES");
    assert_non_null(folder);
    snprintf(path, 1000, "%s/%s", folder, name);
}

/* CLCABLE_TEST_PICTURES=FOLDER keeps what is drawn, as NAME.png. */
static inline void keep_picture(const cab_picture *picture, const char *name)
{
    const char *folder = getenv("CLCABLE_TEST_PICTURES");
    if (!folder) return;
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    CHECK(cab_picture_write(picture, path, true, &error));
}

static inline const unsigned char *pixel(const cab_picture *picture, int x, int y)
{
    assert_in_range(x, 0, picture->width - 1);
    assert_in_range(y, 0, picture->height - 1);
    return picture->rgba + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

#endif

/* The user interface without a window: legend, panels, input. CLCABLE_TEST_PICTURES=FOLDER keeps what was
 * drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/canvas.h"
#include "view/headless.h"
#include "view/picture.h"
#include "view/ui_draw.h"

#include <glad/gl.h>

static cab_headless *headless;
static cab_error error;

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (call) fail_msg("%s", error.message);                                                             \
    } while (0)

static int setup(void **state)
{
    (void)state;
    if (cab_headless_create(&headless, &error)) return -1;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cab_headless_destroy(headless);
    return 0;
}

static void keep(const cab_picture *picture, const char *name)
{
    const char *folder = getenv("CLCABLE_TEST_PICTURES");
    if (!folder) return;
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    CHECK(cab_picture_write(picture, path, false, &error));
}

static void draw_trial(float scale, const char *name)
{
    int w = (int)(640 * scale), h = (int)(400 * scale);
    cab_canvas canvas;
    cab_picture picture = {0};
    cab_ui *ui;
    CHECK(cab_canvas_create(&canvas, w, h, &error));
    glClearColor(0.8f, 0.83f, 0.86f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, w / 2, h);
    glClearColor(0.2f, 0.2f, 0.22f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    CHECK(cab_ui_create(&ui, &error));
    CHECK(cab_ui_begin(ui, w, h, scale, &error));
    struct nk_context *nk = cab_ui_context(ui);
    if (nk_begin(nk, "trial", nk_rect(180, 20, 280, 340), NK_WINDOW_BORDER)) {
        nk_layout_row_dynamic(nk, 22, 1);
        nk_label(nk, "Tension in N·m², µm, 5–8 × 10⁻³ °", NK_TEXT_LEFT);
        nk_button_label(nk, "Reset");
        int on = 1, off = 0;
        nk_checkbox_label(nk, "Shadows", &on);
        nk_checkbox_label(nk, "Marks", &off);
        float v = 0.3f;
        nk_slider_float(nk, 0, &v, 1, 0.01f);
        int sub = 20;
        nk_property_int(nk, "Substeps", 1, &sub, 100, 1, 1);
        const char *items[] = {"xpbd", "direct"};
        nk_combo(nk, items, 2, 0, 22, nk_vec2(200, 200));
        char buf[50] = "harness.json";
        nk_edit_string_zero_terminated(nk, NK_EDIT_FIELD, buf, 50, nk_filter_default);
        nk_style_set_font(nk, cab_ui_font(ui, CAB_FONT_SMALL));
        nk_label(nk, "Small text for remarks and ticks 0123456789 ← → ↑ ↓", NK_TEXT_LEFT);
        nk_style_set_font(nk, cab_ui_font(ui, CAB_FONT_TITLE));
        nk_label(nk, "Title Größe Ωμ Привет", NK_TEXT_LEFT);
    }
    nk_end(nk);
    CHECK(cab_ui_draw(ui, canvas.framebuffer, &error));
    CHECK(cab_picture_read(&picture, canvas.framebuffer, w, h, &error));
    keep(&picture, name);
    cab_picture_free(&picture);
    cab_ui_destroy(ui);
    cab_canvas_free(&canvas);
}

static void test_trial(void **state)
{
    (void)state;
    draw_trial(1, "trial-1");
    draw_trial(2, "trial-2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trial),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

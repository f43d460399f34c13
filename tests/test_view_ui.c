/* What lies over the viewer's picture, without a window: legend, panels, who gets the mouse and the keys.
 * CLCABLE_TEST_PICTURES=FOLDER keeps what is drawn, to be looked at. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "base/path.h"
#include "view/gl/canvas.h"
#include "view/scale/colour.h"
#include "view/gl/gl.h"
#include "view/gl/headless.h"
#include "view/ui/legend.h"
#include "view/panels/panels.h"
#include "view/gl/picture.h"
#include "view/draw/renderer.h"
#include "view/panels/scene_list.h"
#include "view/ui/ui_widgets.h"
#include "view/scale/units.h"
#include "view/scale/value_range.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static cab_headless *headless;
static cab_error error;

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        if (call) fail_msg("%s", error.message);                                                             \
    } while (0)

static int setup(void **state)
{
    (void)state;
    if (!cab_headless_create(&headless, &error)) return 0;
    print_error("%s\n", error.message);
    return -1;
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
    CHECK(cab_picture_write(picture, path, true, &error));
}

static void scene_path(char path[1000], const char *name)
{
    const char *folder = getenv("CLCABLE_SCENES");
    snprintf(path, 1000, "%s/%s", folder ? folder : "scenes", name);
}

/* The same numbers in each run, 0 to 1. */
static double next_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* --- Numbers --- */

/* Is x 1, 2 or 5 times a power of ten? */
static bool is_round(double x)
{
    double digit = x / pow(10, floor(log10(x) + 1e-9));
    return fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6;
}

static void test_round_numbers(void **state)
{
    (void)state;
    static const double cases[][3] = {{1, 1, 1},          {1.3, 1, 2},           {4.99, 2, 5},
                                      {5, 5, 5},          {0.3, 0.2, 0.5},       {99, 50, 100},
                                      {1000, 1000, 1000}, {0.001, 0.001, 0.001}, {7e-9, 5e-9, 1e-8}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(fabs(cab_round_below(cases[i][0]) / cases[i][1] - 1) < 1e-9);
        assert_true(fabs(cab_round_above(cases[i][0]) / cases[i][2] - 1) < 1e-9);
    }
    unsigned seed = 1;
    for (int i = 0; i < 2000; i++) {
        double x = pow(10, 24 * next_random(&seed) - 12);
        double below = cab_round_below(x), above = cab_round_above(x);
        assert_true(is_round(below) && is_round(above));
        assert_true(below <= x * (1 + 1e-5) && above >= x * (1 - 1e-5)); /* 1e-6 counts as rounding */
        assert_true(x / below < 2.5 + 1e-4 && above / x < 2.5 + 1e-4);   /* from 2 to 5 is the widest gap */
    }
}

static void check_ticks(double lowest, double highest, int most)
{
    cab_ticks ticks = cab_ticks_make(lowest, highest, most);
    double length = highest - lowest, room = 1e-5 * length;
    assert_in_range(ticks.count, most >= 6 ? 2 : 0, most); /* 2.5 steps fit where six marks would */
    assert_true(is_round(ticks.step));
    for (int i = 0; i < ticks.count; i++) {
        double at = cab_tick(&ticks, i);
        assert_true(at >= lowest - room && at <= highest + room);
        double steps = at / ticks.step;
        assert_true(fabs(steps - round(steps)) <= 1e-9 * fabs(steps) + 1e-12);
    }
    /* none is missing at either end */
    assert_true(cab_tick(&ticks, 0) - ticks.step < lowest || !ticks.count);
    assert_true(cab_tick(&ticks, ticks.count) > highest || !ticks.count);
}

static void test_ticks(void **state)
{
    (void)state;
    cab_ticks ticks = cab_ticks_make(0, 1, 6);
    assert_int_equal(ticks.count, 6);
    assert_true(fabs(cab_tick(&ticks, 3) - 0.6) < 1e-12);
    ticks = cab_ticks_make(-0.3, 0.3, 8);
    assert_int_equal(ticks.count, 7);
    assert_true(cab_tick(&ticks, 3) == 0); /* and not 1e-17 */
    unsigned seed = 7;
    for (int i = 0; i < 5000; i++) {
        double scale = pow(10, 24 * next_random(&seed) - 12);
        double lowest = scale * (2 * next_random(&seed) - 1), length = scale * (0.01 + next_random(&seed));
        check_ticks(lowest, lowest + length, 2 + (int)(11 * next_random(&seed)));
    }
}

static void test_ticks_of_nothing(void **state)
{
    (void)state;
    assert_int_equal(cab_ticks_make(0, 0, 6).count, 1);
    assert_int_equal(cab_ticks_make(3, 3, 6).count, 1);
    assert_int_equal(cab_ticks_make(2, 1, 6).count, 0);
    assert_int_equal(cab_ticks_make(NAN, 1, 6).count, 0);
    assert_int_equal(cab_ticks_make(0, INFINITY, 6).count, 0);
}

static void test_quantities(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *unit;
        int digits;
        const char *text;
    } cases[] = {
        {0, "N", 3, "0.00 N"},        {1, "N", 3, "1.00 N"},        {12.34, "N", 3, "12.3 N"},
        {0.0123, "N", 3, "12.3 mN"},  {-4560, "N", 3, "−4.56 kN"},  {999.96, "N", 4, "1.000 kN"},
        {999.4, "N", 3, "999 N"},     {0.1, "m", 1, "100 mm"},      {0.5, "m", 1, "500 mm"},
        {2, "m", 1, "2 m"},           {5000, "m", 1, "5 km"},       {20e-6, "m", 1, "20 µm"},
        {0.25, "m/s", 2, "250 mm/s"}, {1500, "1/m", 2, "1.5 1/mm"}, {250, "1/m", 3, "250 1/m"},
        {1e-30, "N", 3, "0.00 N"},    {0.9999, "m", 3, "1.00 m"},   {12, "", 2, "12"},
        {INFINITY, "m", 3, "–"},      {NAN, "m", 3, "–"},           {2.5e6, "N", 2, "2.5 MN"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        cab_write_quantity(text, sizeof text, cases[i].value, cases[i].unit, cases[i].digits);
        assert_string_equal(text, cases[i].text);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double value, step;
        const char *text;
    } cases[] = {
        {0.25, 0.05, "0.25"}, {3, 1, "3"},         {3, 0.5, "3.0"},   {1200, 200, "1200"},    {-2, 1, "−2"},
        {-0.0, 1, "0"},       {-1e-9, 0.1, "0.0"}, {0.3, 0.1, "0.3"}, {5e-4, 1e-4, "0.0005"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[64];
        cab_write_number(text, sizeof text, cases[i].value, cases[i].step);
        assert_string_equal(text, cases[i].text);
    }
}

/* --- The range of values --- */

static void test_range_widens_at_once(void **state)
{
    (void)state;
    cab_value_range range = {0};
    cab_value_range_follow(&range, 0.2f, 3.7f, 0.02);
    assert_true(range.lowest == 0 && range.highest == 4);
    cab_value_range_follow(&range, -12, 3, 0.02);
    assert_true(range.lowest <= -12 && range.highest >= 3);
    cab_value_range_follow(&range, NAN, 100, 0.02);
    cab_value_range_follow(&range, INFINITY, -INFINITY, 0.02);
    cab_value_range_follow(&range, 0, INFINITY, 0.02);
    assert_true(range.highest < 10);
}

static void test_range_narrows_slowly(void **state)
{
    (void)state;
    cab_value_range range = {0};
    cab_value_range_follow(&range, 0, 100, 0.02);
    float first = range.highest, last = first;
    for (int i = 0; i < 50; i++) {
        cab_value_range_follow(&range, 0, 1, 0.02);
        assert_true(range.highest <= last);
        last = range.highest;
    }
    assert_true(last > 0.6f * first); /* 1 s of a time of 3 s: exp(-1/3) = 0.72, rounded outwards */
    for (int i = 0; i < 1500; i++) cab_value_range_follow(&range, 0, 1, 0.02);
    assert_true(range.highest <= 1.2f);
    cab_value_range held = {0};
    cab_value_range_follow(&held, 0, 100, 0);
    for (int i = 0; i < 1000; i++) cab_value_range_follow(&held, 0, 1, 0);
    assert_true(held.highest == 100);
}

/* Values that jump about by a quarter, 60 times a second, for 10 s. */
static void test_range_does_not_flicker(void **state)
{
    (void)state;
    cab_value_range range = {0};
    unsigned seed = 3;
    int changes = 0;
    for (int i = 0; i < 600; i++) {
        float before = range.highest;
        cab_value_range_follow(&range, 0, (float)(8 + 2 * next_random(&seed)), 1.0 / 60);
        if (i >= 60 && range.highest != before) changes++;
    }
    assert_in_range(changes, 0, 4); /* without holding on it is about every third frame */
}

/* --- Drawing --- */

static const unsigned char *pixel(const cab_picture *picture, int x, int y)
{
    return picture->rgba + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
}

static void assert_colour(const cab_picture *picture, int x, int y, struct nk_color c, int room)
{
    const unsigned char *p = pixel(picture, x, y);
    if (abs(p[0] - c.r) <= room && abs(p[1] - c.g) <= room && abs(p[2] - c.b) <= room) return;
    fail_msg("pixel %d, %d: %d %d %d, expected %d %d %d", x, y, p[0], p[1], p[2], c.r, c.g, c.b);
}

/* One rectangle of `colour` over `under`, in a framebuffer that is GL_SRGB or is not. */
static void draw_rectangle(GLenum format, struct nk_color under, struct nk_color colour, cab_picture *picture)
{
    GLuint framebuffer, texture;
    cab_ui *ui;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    texture = cab_gl_texture(format, 64, 64, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor((float)under.r / 255, (float)under.g / 255, (float)under.b / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(cab_ui_create(&ui, &error));
    CHECK(cab_ui_begin(ui, 64, 64, 1, &error));
    struct nk_context *nk = cab_ui_context(ui);
    nk->style.window.fixed_background = nk_style_item_hide();
    nk->style.window.padding = nk_vec2(0, 0);
    if (nk_begin(nk, "all", nk_rect(0, 0, 64, 64), NK_WINDOW_NO_SCROLLBAR))
        nk_fill_rect(nk_window_get_canvas(nk), nk_rect(8, 8, 48, 48), 0, colour);
    nk_end(nk);
    CHECK(cab_ui_draw(ui, framebuffer, &error));
    CHECK(cab_picture_read(picture, framebuffer, 64, 64, &error));
    cab_ui_destroy(ui);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
    CHECK(cab_gl_check("a rectangle", &error));
}

static void test_colours_are_light(void **state)
{
    (void)state;
    static const struct nk_color black = {0, 0, 0, 255}, white = {255, 255, 255, 255},
                                 paint = {22, 140, 229, 255}, half = {255, 255, 255, 128};
    cab_picture picture = {0};
    static const GLenum formats[] = {GL_SRGB8_ALPHA8, GL_RGBA8};
    for (int i = 0; i < 2; i++) {
        draw_rectangle(formats[i], white, paint, &picture);
        assert_colour(&picture, 32, 32, paint, 1); /* rounding */
        assert_colour(&picture, 2, 2, white, 0);
        draw_rectangle(formats[i], black, half, &picture);
        int grey = i == 0 ? 188 : 128; /* sRGB of half the light is 188 */
        assert_colour(&picture, 32, 32, nk_rgb(grey, grey, grey), 1);
    }
    cab_picture_free(&picture);
}

/* Each sign that units, keys and names need has a picture of its own. */
static void test_glyphs(void **state)
{
    (void)state;
    static const char *const signs[] = {"²", "³", "µ", "·", "°", "–", "×", "→",
                                        "←", "↑", "↓", "−", "…", "⁻", "ä", "Ω"};
    cab_ui *ui;
    CHECK(cab_ui_create(&ui, &error));
    CHECK(cab_ui_begin(ui, 64, 64, 1, &error));
    const struct nk_user_font *font = cab_ui_font(ui, CAB_FONT_TEXT);
    struct nk_user_font_glyph missing, glyph;
    font->query(font->userdata, font->height, &missing, 0xFFFF, 0);
    for (size_t i = 0; i < COUNT(signs); i++) {
        nk_rune rune;
        nk_utf_decode(signs[i], &rune, (int)strlen(signs[i]));
        font->query(font->userdata, font->height, &glyph, rune, 0);
        assert_true(glyph.uv[0].x != missing.uv[0].x || glyph.uv[0].y != missing.uv[0].y);
        assert_true(glyph.uv[1].x > glyph.uv[0].x && glyph.xadvance > 0);
    }
    cab_ui_destroy(ui);
}

/* --- Legend --- */

/* What lies over a picture is the same over a plain one. */
static cab_look fast_look(void)
{
    cab_look look = cab_look_default();
    cab_look_set_quality(&look, CAB_QUALITY_DRAFT);
    look.shadow_size = 0;
    return look;
}

typedef struct stage {
    cab_scene *scene;
    cab_world *world;
    cab_renderer *renderer;
    cab_ui *ui;
    cab_look look;
    cab_camera camera;
    cab_canvas canvas;
    cab_picture before, after;
    cab_cables cables;
    cab_subject subject;
    cab_legend legend;
} stage;

static void open_stage(stage *s, const char *name, int frames, const cab_look *look)
{
    char path[1000];
    scene_path(path, name);
    *s = (stage){.look = *look, .camera = cab_camera_default()};
    cab_world_def def = cab_world_default();
    def.device = "native";
    def.threads = 2;
    CHECK(cab_scene_load(path, NULL, 0, &s->scene, &error));
    CHECK(cab_world_create(s->scene, &def, &s->world, &error));
    CHECK(cab_world_step(s->world, frames, &error));
    CHECK(cab_renderer_create(&s->renderer, &error));
    CHECK(cab_renderer_load(s->renderer, s->scene, s->world, &s->look, &error));
    CHECK(cab_renderer_update(s->renderer, s->world, &s->look, &error));
    CHECK(cab_ui_create(&s->ui, &error));
    s->cables = (cab_cables){s->scene, s->world};
    s->subject = cab_subject_of_cables(&s->cables);
    s->legend =
        (cab_legend){.subject = &s->subject, .look = &s->look, .camera = &s->camera, .title = "title"};
    cab_renderer_range(s->renderer, &s->legend.lowest, &s->legend.highest);
}

static void close_stage(stage *s)
{
    cab_picture_free(&s->before);
    cab_picture_free(&s->after);
    cab_canvas_free(&s->canvas);
    cab_ui_destroy(s->ui);
    cab_renderer_destroy(s->renderer);
    cab_world_destroy(s->world);
    cab_scene_destroy(s->scene);
}

/* The picture without its legend, and with it. */
static void shoot(stage *s, int width, int height, float scale, const char *name)
{
    cab_canvas_free(&s->canvas);
    CHECK(cab_canvas_create(&s->canvas, width, height, &error));
    cab_bounds bounds = cab_renderer_bounds(s->renderer);
    cab_camera_fit(&s->camera, &bounds, (float)width / (float)height);
    unsigned into = s->canvas.framebuffer;
    CHECK(cab_renderer_draw(s->renderer, &s->camera, &s->look, into, width, height, &error));
    CHECK(cab_picture_read(&s->before, into, width, height, &error));
    CHECK(cab_legend_draw(&s->legend, s->ui, into, width, height, scale, &error));
    CHECK(cab_picture_read(&s->after, into, width, height, &error));
    keep(&s->after, name);
}

/* How many pixels of a part of the picture the legend has changed; ends are parts of the whole. */
static long count_changed(const stage *s, double left, double right, double top, double bottom)
{
    long changed = 0;
    int width = s->after.width, height = s->after.height;
    for (int y = (int)(top * height); y < (int)(bottom * height); y++)
        for (int x = (int)(left * width); x < (int)(right * width); x++)
            if (memcmp(pixel(&s->before, x, y), pixel(&s->after, x, y), 4) != 0) changed++;
    return changed;
}

/* Does a pixel column hold the colour map, its bright end above its dark one? Returns the column, or -1. */
static int find_bar(const cab_picture *picture)
{
    unsigned char map[CAB_MAP_SIZE][4];
    cab_colour_map(map);
    for (int x = picture->width / 2; x < picture->width; x++) {
        int bright = -1, dark = -1;
        for (int y = picture->height / 3; y < picture->height; y++) {
            const unsigned char *p = pixel(picture, x, y);
            /* the ends blend into their neighbours within a slice: 1/32 of the map */
            bool high = abs(p[0] - map[CAB_MAP_SIZE - 1][0]) < 8 &&
                        abs(p[1] - map[CAB_MAP_SIZE - 1][1]) < 8 && abs(p[2] - map[CAB_MAP_SIZE - 1][2]) < 8;
            bool low = abs(p[0] - map[0][0]) < 8 && abs(p[1] - map[0][1]) < 8 && abs(p[2] - map[0][2]) < 8;
            if (high && bright < 0) bright = y;
            if (low) dark = y;
        }
        if (bright >= 0 && dark > bright + 40) return x;
    }
    return -1;
}

static void test_legend_of_a_quantity(void **state)
{
    (void)state;
    static const cab_background backgrounds[] = {CAB_BACKGROUND_LIGHT, CAB_BACKGROUND_DARK,
                                                 CAB_BACKGROUND_TRANSPARENT};
    static const char *const names[] = {"legend-light", "legend-dark", "legend-transparent"};
    cab_look look = fast_look();
    look.quantity = CAB_QUANTITY_TENSION;
    stage s;
    open_stage(&s, "harness.json", 10, &look);
    for (int i = 0; i < 3; i++) {
        s.look.background = backgrounds[i];
        shoot(&s, 1280, 720, 1, names[i]);
        assert_true(find_bar(&s.before) < 0);
        assert_true(find_bar(&s.after) > 0);
        assert_true(count_changed(&s, 0, 0.25, 0.85, 1) > 2000); /* caption and scale */
        assert_true(count_changed(&s, 0.85, 1, 0.5, 1) > 5000);  /* colour bar */
        assert_int_equal(count_changed(&s, 0, 1, 0, 0.5), 0);    /* nothing elsewhere */
        assert_int_equal(count_changed(&s, 0.3, 0.8, 0.5, 1), 0);
    }
    close_stage(&s);
}

static void test_legend_of_names(void **state)
{
    (void)state;
    cab_look look = fast_look();
    stage s;
    open_stage(&s, "harness.json", 1, &look);
    shoot(&s, 1280, 720, 1, "legend-cables");
    long cables = count_changed(&s, 0.8, 1, 0.4, 1);
    s.look.paint = CAB_PAINT_MATERIAL;
    shoot(&s, 1280, 720, 1, "legend-materials");
    long materials = count_changed(&s, 0.8, 1, 0.4, 1);
    assert_true(cables > 2 * materials && materials > 1000); /* ten cables, three materials */
    close_stage(&s);
    open_stage(&s, "hang.json", 1, &look); /* very many cables: no names */
    s.look.grid = false;
    s.legend.title = NULL;
    shoot(&s, 640, 400, 1, "legend-none");
    assert_int_equal(count_changed(&s, 0, 1, 0, 1), 0);
    close_stage(&s);
}

/* Names and numbers of any length, pictures of any size: inside, or not there. */
static void test_legend_fits(void **state)
{
    (void)state;
    static const int sizes[][2] = {{16, 16}, {200, 100}, {320, 200}, {640, 400}, {400, 1200}, {3840, 2160}};
    cab_look look = fast_look();
    look.quantity = CAB_QUANTITY_SPEED;
    stage s;
    open_stage(&s, "catenary.json", 3, &look);
    s.legend.title =
        "a name that is so long that no picture has room for all of it, and that goes on and on and on";
    for (size_t i = 0; i < COUNT(sizes); i++) {
        float scale = cab_legend_scale(sizes[i][0], sizes[i][1]);
        shoot(&s, sizes[i][0], sizes[i][1], scale, "legend-fits");
        /* the margin at all edges is free: 14 points, less a pixel for soft edges */
        double x = (14.0 * scale - 1) / sizes[i][0], y = (14.0 * scale - 1) / sizes[i][1];
        if (x >= 0.5 || y >= 0.5) continue;
        assert_int_equal(count_changed(&s, 0, x, 0, 1), 0);
        assert_int_equal(count_changed(&s, 1 - x, 1, 0, 1), 0);
        assert_int_equal(count_changed(&s, 0, 1, 0, y), 0);
        assert_int_equal(count_changed(&s, 0, 1, 1 - y, 1), 0);
        if (sizes[i][0] >= 640) assert_true(find_bar(&s.after) > 0);
    }
    close_stage(&s);
}

/* --- Panels: a viewer drawn into a canvas instead of a window --- */

typedef struct desk {
    cab_viewer *viewer;
    cab_panels *panels;
    cab_layer layer;
    cab_canvas canvas;
    cab_picture picture;
    float scale;
    bool bare; /* the scene is left out: large pictures of it take long in software */
} desk;

static void draw_desk(desk *d)
{
    d->viewer->changed = false;
    if (!d->bare)
        CHECK(cab_viewer_draw(d->viewer, d->canvas.framebuffer, d->canvas.width, d->canvas.height, &error));
    cab_layer_frame frame = {d->canvas.width, d->canvas.height, d->scale, 0.016};
    glBindFramebuffer(GL_FRAMEBUFFER, d->canvas.framebuffer);
    CHECK(d->layer.draw(d->panels, &frame, &error));
    CHECK(cab_gl_check("a picture", &error));
}

/* Until nothing wants another picture: sizes are known after the first. */
static void settle(desk *d)
{
    int i = 0;
    do {
        draw_desk(d);
        i++;
    } while ((d->viewer->changed && i < 5) || i < 2);
}

static void resize_desk(desk *d, int width, int height, float scale)
{
    cab_canvas_free(&d->canvas);
    CHECK(cab_canvas_create(&d->canvas, width, height, &error));
    d->scale = scale;
    settle(d);
}

static void keep_desk(desk *d, const char *name)
{
    settle(d);
    CHECK(cab_picture_read(&d->picture, d->canvas.framebuffer, d->canvas.width, d->canvas.height, &error));
    keep(&d->picture, name);
}

static void open_desk(desk *d, const char *scene, int width, int height, float scale)
{
    char path[1000];
    scene_path(path, scene);
    cab_viewer_def def = cab_viewer_default();
    def.device = "native";
    def.threads = 2;
    def.look = fast_look();
    *d = (desk){0};
    CHECK(cab_viewer_create(&d->viewer, path, &def, &error));
    cab_viewer_play(d->viewer, false);
    CHECK(cab_panels_create(&d->panels, &error));
    d->layer = cab_panels_layer(d->panels);
    CHECK(d->layer.start(d->panels, d->viewer, scale, &error));
    resize_desk(d, width, height, scale);
}

static void close_desk(desk *d)
{
    d->layer.stop(d->panels);
    cab_panels_destroy(d->panels);
    cab_viewer_destroy(d->viewer);
    cab_picture_free(&d->picture);
    cab_canvas_free(&d->canvas);
}

/* One event in a round of its own. */
static bool offer(desk *d, cab_input input)
{
    d->layer.begin_input(d->panels);
    bool ours = d->layer.input(d->panels, &input);
    d->layer.end_input(d->panels);
    return ours;
}

/* And the picture that comes of it. */
static bool send(desk *d, cab_input input)
{
    bool ours = offer(d, input);
    draw_desk(d);
    return ours;
}

static bool move(desk *d, float x, float y)
{
    return send(d, (cab_input){.kind = CAB_INPUT_MOVE, .x = x, .y = y});
}

static bool press(desk *d, float x, float y, bool down)
{
    return send(d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = down});
}

static bool key(desk *d, int code)
{
    bool ours = send(d, (cab_input){.kind = CAB_INPUT_KEY, .code = code, .down = true});
    send(d, (cab_input){.kind = CAB_INPUT_KEY, .code = code});
    return ours;
}

static bool type(desk *d, unsigned character)
{
    return send(d, (cab_input){.kind = CAB_INPUT_TEXT, .character = character});
}

static void click(desk *d, float x, float y)
{
    move(d, x, y);
    press(d, x, y, true);
    press(d, x, y, false);
}

/* Places in the side panel, points, as panel_time.c lays them out from its corner. */
static const float play_button[2] = {76, 85}, scene_list[2] = {60, 22}, speed_left[2] = {70, 115},
                   speed_right[2] = {206, 115};

static void click_side(desk *d, const float place[2])
{
    struct nk_rect side = cab_panels_side(d->panels);
    click(d, d->scale * (side.x + place[0]), d->scale * (side.y + place[1]));
}

static void open_all(desk *d)
{
    for (int i = 0; i < CAB_SECTION_COUNT; i++) cab_panels_open(d->panels, (cab_section)i, true);
    cab_look look = d->viewer->look;
    look.quantity = CAB_QUANTITY_TENSION;
    look.highest = 10;
    cab_viewer_set_look(d->viewer, &look);
    cab_viewer_select(d->viewer, 0);
    d->viewer->show_help = true;
    cab_viewer_ask(d->viewer, CAB_DIALOG_SAVE);
    cab_viewer_tell(
        d->viewer, true, "%s: %s", "a-scene-with-a-long-name.json",
        "/cables/3/segments: expected an integer from 1 to 1000000, got -4, which is a long message");
}

static void assert_windows_inside(desk *d)
{
    cab_ui *ui = cab_panels_ui(d->panels);
    struct nk_vec2 size = cab_ui_size(ui);
    int count = 0;
    for (const struct nk_window *w = cab_ui_context(ui)->begin; w; w = w->next) {
        assert_true(w->bounds.w > 0 && w->bounds.h > 0);
        assert_true(w->bounds.x >= 0 && w->bounds.x + w->bounds.w <= size.x);
        assert_true(w->bounds.y >= 0 && w->bounds.y + w->bounds.h <= size.y);
        count++;
    }
    assert_int_equal(count, 5); /* side, legend, message, help, dialog */
}

static void test_layout(void **state)
{
    (void)state;
    static const int sizes[][2] = {{640, 400}, {800, 1200}, {1280, 720}, {3840, 2160}};
    desk d;
    open_desk(&d, "harness.json", 640, 400, 1);
    open_all(&d);
    d.bare = !getenv("CLCABLE_TEST_PICTURES");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (int scale = 1; scale <= 2; scale++) {
            char name[40];
            resize_desk(&d, sizes[i][0], sizes[i][1], (float)scale);
            assert_windows_inside(&d);
            snprintf(name, sizeof name, "layout-%d-%d", sizes[i][0], scale);
            if (!d.bare) keep_desk(&d, name);
        }
    }
    close_desk(&d);
}

/* Pixels of a part of the side panel that are as bright as text. */
static long count_bright(desk *d, float top, float bottom)
{
    struct nk_rect side = cab_panels_side(d->panels);
    long bright = 0;
    for (int y = (int)(side.y + top); y < (int)(side.y + bottom); y++)
        for (int x = (int)side.x + 14; x < (int)(side.x + side.w - 14); x++)
            if (pixel(&d->picture, x, y)[1] > 180) bright++;
    return bright;
}

static void test_panels_show(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "harness.json", 1280, 1200, 1);
    for (int i = 0; i < 5; i++) cab_viewer_step(d.viewer);
    keep_desk(&d, "panels");
    struct nk_rect side = cab_panels_side(d.panels);
    assert_true(side.w > 200 && side.h > 500);
    assert_true(count_bright(&d, 10, 36) > 60);   /* the scene's name */
    assert_true(count_bright(&d, 70, 100) > 100); /* buttons, time */
    float height = side.h;
    cab_viewer_select(d.viewer, 0);
    keep_desk(&d, "panels-selected");
    assert_true(cab_panels_side(d.panels).h > height + 100); /* facts of the cable have come */
    d.viewer->show_panels = false;
    keep_desk(&d, "panels-hidden");
    assert_true(cab_panels_side(d.panels).w == 0);
    assert_int_equal(offer(&d, (cab_input){.kind = CAB_INPUT_MOVE, .x = 60, .y = 60}), false);
    close_desk(&d);
}

#ifdef CAB_HAVE_STUDIES
/* Of a study: its choices, its lines; nothing of paths, methods or frictions. */
static void test_panels_of_studies(void **state)
{
    (void)state;
    static const char *const scenes[] = {"particles/angles.json", "particles/wires.json",
                                         "planar/stress-2.json"};
    float heights[3];
    desk d;
    for (int i = 0; i < 3; i++) {
        char name[40];
        open_desk(&d, scenes[i], 1280, 1200, 1);
        for (int k = 0; k < 5; k++) cab_viewer_step(d.viewer);
        snprintf(name, sizeof name, "panels-study-%d", i);
        keep_desk(&d, name);
        struct nk_rect side = cab_panels_side(d.panels);
        heights[i] = side.h;
        assert_true(side.w > 200 && side.h > 350 && side.h < 1000);
        assert_true(count_bright(&d, 10, 36) > 60);  /* the scene's name */
        assert_true(count_bright(&d, 42, 72) > 100); /* buttons, time: where cables have what changes them */
        for (int k = 0; k < CAB_SECTION_COUNT; k++) cab_panels_open(d.panels, (cab_section)k, true);
        d.viewer->show_help = true;
        snprintf(name, sizeof name, "panels-study-all-%d", i);
        keep_desk(&d, name);
        assert_true(cab_panels_side(d.panels).h > side.h + 100); /* view and look have come */
        close_desk(&d);
    }
    assert_true(heights[0] > heights[1] + 20); /* angular springs to choose */
}

/* A word is chosen in its menu, by the mouse. */
static void test_choosing(void **state)
{
    (void)state;
    cab_choice choice;
    desk d;
    open_desk(&d, "planar/stress-2.json", 1280, 800, 1);
    cab_viewer_step(d.viewer);
    assert_true(cab_viewer_choice(d.viewer, 1, &choice));
    assert_string_equal(choice.name, "pinch");
    assert_int_equal(choice.now, 2);
    const float pinch[2] = {170, 173}; /* below the substeps */
    click_side(&d, pinch);
    keep_desk(&d, "choosing");
    const float contact_off[2] = {170, 228}; /* the second word of its menu */
    click_side(&d, contact_off);
    settle(&d);
    assert_true(cab_viewer_choice(d.viewer, 1, &choice));
    assert_int_equal(choice.now, 1);
    assert_int_equal(d.viewer->clock.frame, 0);
    close_desk(&d);
}
#endif

static void test_mouse_belongs_to_one(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 800, 500, 1);
    assert_true(move(&d, 60, 200));
    assert_false(move(&d, 600, 200));
    /* a drag from the panel stays the panel's, a drag from the scene the scene's */
    move(&d, 60, 300);
    assert_true(press(&d, 60, 300, true));
    assert_true(move(&d, 600, 300));
    assert_true(press(&d, 600, 300, false));
    assert_false(press(&d, 600, 300, true));
    assert_false(move(&d, 60, 300));
    assert_false(press(&d, 60, 300, false));
    /* a second button in a drag belongs to the first one's owner */
    press(&d, 600, 300, true);
    assert_false(send(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .code = 2, .x = 60, .y = 300, .down = true}));
    send(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .code = 2, .x = 60, .y = 300});
    press(&d, 600, 300, false);
    move(&d, 600, 300);
    assert_false(send(&d, (cab_input){.kind = CAB_INPUT_WHEEL, .x = 600, .y = 300, .wheel_y = 1}));
    move(&d, 60, 300);
    assert_true(send(&d, (cab_input){.kind = CAB_INPUT_WHEEL, .x = 60, .y = 300, .wheel_y = 1}));
    /* over the legend the scene is reached */
    assert_false(move(&d, 330, 470));
    close_desk(&d);
}

static void test_menu(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "harness.json", 1280, 800, 1);
    click_side(&d, scene_list);
    keep_desk(&d, "menu");
    assert_true(press(&d, 900, 600, true)); /* only closes the menu */
    press(&d, 900, 600, false);
    assert_false(press(&d, 900, 600, true));
    press(&d, 900, 600, false);
    char before[sizeof d.viewer->path];
    snprintf(before, sizeof before, "%s", d.viewer->path);
    click_side(&d, scene_list);
    struct nk_rect side = cab_panels_side(d.panels);
    click(&d, side.x + 60, side.y + 105); /* the third or fourth scene of the list */
    settle(&d);
    assert_string_not_equal(d.viewer->path, before);
    close_desk(&d);
}

static void test_buttons(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 1600, 1000, 2);
    click_side(&d, play_button);
    assert_true(d.viewer->playing);
    click_side(&d, play_button);
    assert_false(d.viewer->playing);
    /* a click that is over before a picture is drawn */
    struct nk_rect side = cab_panels_side(d.panels);
    float x = 2 * (side.x + play_button[0]), y = 2 * (side.y + play_button[1]);
    move(&d, x, y);
    d.layer.begin_input(d.panels);
    d.layer.input(d.panels, &(cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = true});
    d.layer.input(d.panels, &(cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y});
    d.layer.end_input(d.panels);
    draw_desk(&d);
    assert_true(d.viewer->playing);
    /* and in two rounds of events */
    offer(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y, .down = true});
    offer(&d, (cab_input){.kind = CAB_INPUT_BUTTON, .x = x, .y = y});
    draw_desk(&d);
    assert_false(d.viewer->playing);
    for (int i = 0; i < 3; i++) offer(&d, (cab_input){.kind = CAB_INPUT_MOVE, .x = x, .y = y});
    settle(&d);
    assert_false(d.viewer->playing);
    close_desk(&d);
}

static void test_speed(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 800, 500, 1);
    struct nk_rect side = cab_panels_side(d.panels);
    move(&d, side.x + 120, side.y + speed_left[1]);
    press(&d, side.x + 120, side.y + speed_left[1], true);
    move(&d, side.x + speed_left[0] - 30, side.y + 300); /* far beside: it keeps hold */
    assert_true(fabs(d.viewer->speed - 0.1) < 1e-6);
    move(&d, side.x + speed_right[0] + 300, side.y + 20);
    assert_true(fabs(d.viewer->speed - 4) < 1e-5);
    press(&d, side.x + speed_right[0] + 300, side.y + 20, false);
    move(&d, side.x + 120, side.y + speed_left[1]);
    assert_true(fabs(d.viewer->speed - 4) < 1e-5);
    close_desk(&d);
}

static void test_writing(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 800, 500, 1);
    assert_false(key(&d, GLFW_KEY_SPACE));
    assert_false(type(&d, ' '));
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    move(&d, 60, 300); /* wherever the mouse is */
    settle(&d);
    size_t length = strlen(d.viewer->dialog_path);
    assert_true(key(&d, GLFW_KEY_SPACE));
    assert_true(type(&d, 'x'));
    assert_true(type(&d, 0xB5));
    assert_int_equal(strlen(d.viewer->dialog_path), length + 3);
    assert_string_equal(d.viewer->dialog_path + length, "xµ");
    key(&d, GLFW_KEY_BACKSPACE);
    assert_string_equal(d.viewer->dialog_path + length, "x");
    assert_true(key(&d, GLFW_KEY_ESCAPE));
    assert_int_equal(d.viewer->dialog, CAB_DIALOG_NONE);
    settle(&d);
    assert_false(key(&d, GLFW_KEY_SPACE));
    assert_false(key(&d, GLFW_KEY_ESCAPE));
    close_desk(&d);
}

static void test_saving(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 800, 500, 1);
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    snprintf(d.viewer->dialog_path, sizeof d.viewer->dialog_path, "no-such-folder/scene.json");
    settle(&d);
    key(&d, GLFW_KEY_ENTER);
    assert_int_equal(d.viewer->dialog, CAB_DIALOG_SAVE); /* it failed, and stays open */
    assert_true(d.viewer->message_is_error && strstr(d.viewer->message, "no-such-folder"));
    key(&d, GLFW_KEY_ESCAPE);
    char name[] = "test_view_ui_saved.json";
    cab_viewer_ask(d.viewer, CAB_DIALOG_SAVE);
    snprintf(d.viewer->dialog_path, sizeof d.viewer->dialog_path, "%s", name);
    settle(&d);
    key(&d, GLFW_KEY_ENTER);
    assert_int_equal(d.viewer->dialog, CAB_DIALOG_NONE);
    assert_int_equal(remove(name), 0);
    close_desk(&d);
}

static void test_messages(void **state)
{
    (void)state;
    desk d;
    open_desk(&d, "catenary.json", 800, 500, 1);
    cab_viewer_tell(d.viewer, false, "news");
    d.viewer->message_age = 60;
    move(&d, 600, 400);
    assert_string_equal(d.viewer->message, "");
    cab_viewer_tell(d.viewer, true, "an error");
    d.viewer->message_age = 60;
    move(&d, 600, 400);
    assert_string_equal(d.viewer->message, "an error");
    close_desk(&d);
}

static void test_scene_list(void **state)
{
    (void)state;
    char path[1000], stem[40];
    scene_path(path, "rope.json");
    cab_scene_list list = {0};
    cab_scene_list_fill(&list, path);
    assert_true(list.count > 20);
    bool found = false;
    for (int i = 0; i < list.beside; i++) {
        found = found || strcmp(list.paths[i], path) == 0;
        assert_null(strstr(list.paths[i], "schema"));
        if (i) assert_true(strcmp(cab_path_name(list.paths[i - 1]), cab_path_name(list.paths[i])) < 0);
    }
    assert_true(found);
    list.beside = 0; /* as if it were another folder's */
    cab_scene_list_name(&list, 0, stem, sizeof stem);
    assert_memory_equal(stem, "scenes/", 7);
    list.beside = list.count;
    cab_scene_list_name(&list, 0, stem, sizeof stem);
    assert_null(strchr(stem, '/'));
    cab_scene_list_fill(&list, "no-such-folder/scene.json");
    cab_scene_list_free(&list);
    cab_path_stem("scenes/a.b.json", stem, sizeof stem);
    assert_string_equal(stem, "a.b");
    cab_path_stem(".hidden", stem, sizeof stem);
    assert_string_equal(stem, ".hidden");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_numbers),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_ticks_of_nothing),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_range_widens_at_once),
        cmocka_unit_test(test_range_narrows_slowly),
        cmocka_unit_test(test_range_does_not_flicker),
        cmocka_unit_test(test_scene_list),
        cmocka_unit_test(test_colours_are_light),
        cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_legend_of_a_quantity),
        cmocka_unit_test(test_legend_of_names),
        cmocka_unit_test(test_legend_fits),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_panels_show),
#ifdef CAB_HAVE_STUDIES
        cmocka_unit_test(test_panels_of_studies),
        cmocka_unit_test(test_choosing),
#endif
        cmocka_unit_test(test_mouse_belongs_to_one),
        cmocka_unit_test(test_menu),
        cmocka_unit_test(test_buttons),
        cmocka_unit_test(test_speed),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_saving),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

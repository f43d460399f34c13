/* Widgets as they are drawn, and the legend of pictures. CLCABLE_TEST_PICTURES=FOLDER keeps what is drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glad/gl.h>

#include "view.h"
#include "view/draw/renderer.h"
#include "view/gl/canvas.h"
#include "view/gl/gl.h"
#include "view/scale/colour.h"
#include "view/ui/legend.h"

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
    keep_picture(&s->after, name);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours_are_light),    cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_legend_of_a_quantity), cmocka_unit_test(test_legend_of_names),
        cmocka_unit_test(test_legend_fits),
    };
    return cmocka_run_group_tests(tests, start_headless, stop_headless);
}

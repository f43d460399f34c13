/* Pictures of cables without a window: widths, shadows, crevices, transparency, sizes; pixels with known
 * answers. CLCABLE_TEST_PICTURES=FOLDER keeps what was drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stage.h"

#include <cglm/cglm.h>

#include "view/gl/gl.h"

static cab_scene *scene_with(double radius)
{
    cab_scene *scene = scene_of(2);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire_of("wire", radius, 0));
    return scene;
}

/* From above, without perspective: x goes right, y up, 2 m are as high as the picture. */
static stage stage_of(cab_scene *scene)
{
    stage s = {.scene = scene,
               .world = world_on(scene, "native", 1),
               .look = cab_look_default(),
               .camera = cab_camera_default()};
    s.look.grid = s.look.marks = false;
    cab_camera_set_view(&s.camera, "top");
    s.camera.distance = 1 / tanf(s.camera.fov / 2);
    open_stage(&s);
    return s;
}

/* Green of the pixel at a place seen from above. */
static int green_at(const stage *s, double x, double y)
{
    return pixel(&s->picture, (int)(WIDTH / 2.0 + x * HEIGHT / 2), (int)(HEIGHT / 2.0 - y * HEIGHT / 2))[1];
}

static int alpha_at(const stage *s, double x, double y)
{
    return pixel(&s->picture, (int)(WIDTH / 2.0 + x * HEIGHT / 2), (int)(HEIGHT / 2.0 - y * HEIGHT / 2))[3];
}

/* What of a column is covered, pixels. */
static double width_at(const stage *s, int column)
{
    double sum = 0;
    for (int row = 0; row < s->picture.height; row++) sum += pixel(&s->picture, column, row)[3] / 255.0;
    return sum;
}

/* ---- widths ---- */

static void no_shadows(stage *s, cab_quality quality)
{
    cab_look_set_quality(&s->look, quality);
    s->look.background = CAB_BACKGROUND_TRANSPARENT;
    s->look.shadow_size = 0;
}

/* Across the line of sight a tube of radius r at the distance d covers the angle 2 asin(r / d). */
static void test_width_is_that_of_the_cable(void **state)
{
    (void)state;
    static const double distances[] = {0.5, 2, 7};
    const double radius = 0.03;
    cab_scene *scene = scene_with(radius);
    add_straight(scene, "a", (cab_vec3){-20, 0, 0}, (cab_vec3){20, 0, 0}, 40);
    stage s = stage_of(scene);
    cab_camera_set_view(&s.camera, "front");
    for (int i = 0; i < 2 * COUNT_OF(distances) * CAB_QUALITY_COUNT; i++) {
        double distance = distances[i / 2 % COUNT_OF(distances)], tangent = tan((double)s.camera.fov / 2);
        s.camera.orthographic = i % 2;
        s.camera.distance = (float)distance;
        no_shadows(&s, (cab_quality)(i / 2 / COUNT_OF(distances)));
        draw_stage(&s, "draw-width");
        double half = i % 2 ? radius / distance : tan(asin(radius / distance));
        for (int column = 0; column < WIDTH; column += 40) {
            /* a pixel at most; with several samples their number decides */
            double tolerance = s.look.samples > 1 ? 0.5 : 1;
            near_to(width_at(&s, column), half / tangent * HEIGHT, tolerance);
        }
    }
    close_stage(&s);
}

/* A fifth of a pixel wide: no column is left out, and what is behind shines through where there are samples.
 */
static void test_thin_cables_are_seen(void **state)
{
    (void)state;
    cab_scene *scene = scene_with(0.1 * 2 / HEIGHT);
    add_straight(scene, "a", (cab_vec3){-1.5, -0.31, 0}, (cab_vec3){1.5, 0.23, 0}, 100);
    stage s = stage_of(scene);
    for (int quality = 0; quality < CAB_QUALITY_COUNT; quality++) {
        no_shadows(&s, (cab_quality)quality);
        draw_stage(&s, "draw-thin");
        for (int column = 2; column < WIDTH - 2; column++) {
            at_least(width_at(&s, column), 0.2);
            at_most(width_at(&s, column), s.look.samples > 1 ? 0.8 : 2.5);
        }
    }
    close_stage(&s);
}

/* Along a bent cable of few segments the picture is as wide as the cable: pieces leave neither gaps nor
 * beads. */
static void test_joints_are_smooth(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{-0.8, -0.5, 0}, {-0.3, 0.5, 0}, {0.3, -0.5, 0}, {0.8, 0.5, 0}};
    cab_scene *scene = scene_with(0.05);
    cab_cable_def def = straight_of("a", "wire", path, 12);
    def.path_count = COUNT_OF(path);
    def.curve = CAB_CURVE_CATMULL_ROM;
    add_cable(scene, def);
    stage s = stage_of(scene);
    no_shadows(&s, CAB_QUALITY_NORMAL);
    draw_stage(&s, "draw-joints");
    for (int row = 0; row < HEIGHT; row++) { /* between the silhouette's edges nothing shines through */
        for (int column = 1; column < WIDTH - 1; column++) {
            bool inside =
                pixel(&s.picture, column - 1, row)[3] == 255 && pixel(&s.picture, column + 1, row)[3] == 255;
            if (inside) assert_int_equal(pixel(&s.picture, column, row)[3], 255);
        }
    }
    close_stage(&s);
}

/* ---- light ---- */

/* As in renderer.c. */
static const double key_light[3] = {-0.3924, -0.4796, 0.7849};

static const double high = 0.5;

/* A cable along y that floats above a floor. */
static cab_scene *floating(double radius, double height)
{
    cab_scene *scene = scene_with(radius);
    add_floor(scene, 0);
    add_straight(scene, "a", (cab_vec3){0, -3, height}, (cab_vec3){0, 3, height}, 12);
    return scene;
}

static void test_shadow_falls_where_it_must(void **state)
{
    (void)state;
    const double radius = 0.03, shift = -high * key_light[0] / key_light[2];
    stage s = stage_of(floating(radius, high));
    for (int quality = 0; quality < CAB_QUALITY_COUNT; quality++) {
        cab_look_set_quality(&s.look, (cab_quality)quality);
        s.look.background = CAB_BACKGROUND_LIGHT;
        draw_stage(&s, "draw-shadow");
        for (double y = -0.8; y < 0.9; y += 0.2) {
            int lit = green_at(&s, -shift, y), dark = green_at(&s, shift, y);
            assert_true(dark < lit - 20); /* half of the light is the key light's */
            double sum = 0, moment = 0;
            for (double x = shift - 0.15; x < shift + 0.15; x += 2.0 / HEIGHT) {
                double less = fmax(lit - green_at(&s, x, y), 0);
                sum += less;
                moment += less * x;
            }
            near_to(moment / sum, shift, 2 * 2.0 / HEIGHT); /* two pixels */
        }
        /* the floor far from it and the top of the cable are even: no stripes of the map on them */
        for (double y = -0.9; y < 0.9; y += 2.0 / HEIGHT) {
            near_to(green_at(&s, -0.6, y), green_at(&s, -0.6, 0), 2);
            near_to(green_at(&s, -0.01, y), green_at(&s, -0.01, 0), 3);
        }
    }
    close_stage(&s);
}

/* On the floor its shadow begins right beside it: half as far as the light's slope, 1.6 radii. */
static void test_shadow_touches_what_casts_it(void **state)
{
    (void)state;
    const double radius = 0.05;
    stage s = stage_of(floating(radius, radius));
    for (int quality = 0; quality < CAB_QUALITY_COUNT; quality++) {
        cab_look_set_quality(&s.look, (cab_quality)quality);
        s.look.occlusion = false;
        draw_stage(&s, "draw-touch");
        int lit = green_at(&s, -4 * radius, 0);
        near_to(green_at(&s, -1.25 * radius, 0), lit, 3);
        at_most(green_at(&s, 1.25 * radius, 0), lit - 20);
        near_to(green_at(&s, 2.2 * radius, 0), lit, 3);
    }
    close_stage(&s);
}

static void test_crevices_are_darker(void **state)
{
    (void)state;
    const double radius = 0.1;
    cab_scene *scene = floating(radius, radius);
    add_straight(scene, "b", (cab_vec3){2.5 * radius, -3, radius}, (cab_vec3){2.5 * radius, 3, radius}, 12);
    for (int parallel = 0; parallel < 2; parallel++) {
        stage s = stage_of(scene);
        s.camera.orthographic = parallel;
        s.look.shadow_size = 0;
        for (int over = 1; over <= 2; over++) {
            s.look.oversampling = over;
            int crevice[2], side[2], top[2], away[2];
            for (int on = 0; on < 2; on++) {
                s.look.occlusion = on;
                draw_stage(&s, on ? "draw-crevice" : "draw-open");
                crevice[on] = green_at(&s, 1.25 * radius, 0);
                side[on] = green_at(&s, -1.3 * radius, 0);
                top[on] = green_at(&s, 0, 0);
                away[on] = green_at(&s, -0.9, 0);
            }
            assert_true(crevice[1] < crevice[0] - 20);
            assert_true(side[1] < side[0] - 2); /* where a cable lies on the floor */
            assert_true(side[0] - side[1] < crevice[0] - crevice[1]);
            near_to(top[1], top[0], 2);
            near_to(away[1], away[0], 1);
        }
        s.scene = NULL;
        close_stage(&s);
    }
    cab_scene_destroy(scene);
}

/* A cable far above the floor darkens nothing beside its picture. */
static void test_no_halo(void **state)
{
    (void)state;
    stage s = stage_of(floating(0.03, high));
    s.look.shadow_size = 0;
    int before[WIDTH];
    for (int on = 0; on < 2; on++) {
        s.look.occlusion = on;
        draw_stage(&s, "draw-halo");
        for (int column = 0; column < WIDTH; column++) {
            int green = pixel(&s.picture, column, HEIGHT / 2)[1];
            if (on) near_to(green, before[column], 2);
            before[column] = green;
        }
    }
    close_stage(&s);
}

static void test_ground_catches_shadows(void **state)
{
    (void)state;
    const double shift = -high * key_light[0] / key_light[2];
    for (int has_floor = 0; has_floor < 2; has_floor++) {
        cab_scene *scene = scene_with(0.03);
        if (has_floor) add_floor(scene, 0);
        add_straight(scene, "a", (cab_vec3){0, -0.7, high}, (cab_vec3){0, 0.2, high}, 12);
        stage s = stage_of(scene);
        s.look.background = CAB_BACKGROUND_TRANSPARENT;
        for (int quality = 0; quality < CAB_QUALITY_COUNT; quality++) {
            cab_look_set_quality(&s.look, (cab_quality)quality);
            draw_stage(&s, "draw-catcher");
            at_least(alpha_at(&s, shift, 0), 60);
            at_most(alpha_at(&s, shift, 0), 160);
            at_most(green_at(&s, shift, 0), 1);
            assert_int_equal(alpha_at(&s, 0, 0), 255);
            assert_int_equal(alpha_at(&s, -0.6, 0), 0);
            assert_int_equal(alpha_at(&s, 0.9, -0.9), 0);
        }
        close_stage(&s);
    }
}

/* ---- GL ---- */

/* Names of GL that stand for something now. A name is not given twice by all drivers, so they are counted. */
static int live_names(void)
{
    GLuint newest[3];
    int live = 0;
    glGenTextures(1, &newest[0]);
    glGenFramebuffers(1, &newest[1]);
    glGenRenderbuffers(1, &newest[2]);
    for (GLuint name = 1; name <= newest[0]; name++) live += glIsTexture(name);
    for (GLuint name = 1; name <= newest[1]; name++) live += glIsFramebuffer(name);
    for (GLuint name = 1; name <= newest[2]; name++) live += glIsRenderbuffer(name);
    glDeleteTextures(1, &newest[0]);
    glDeleteFramebuffers(1, &newest[1]);
    glDeleteRenderbuffers(1, &newest[2]);
    return live;
}

/* Sizes and qualities change without errors, and what is no longer needed is given back. */
static void test_sizes_and_qualities(void **state)
{
    (void)state;
    int before = live_names(), most[2] = {0};
    stage s = stage_of(floating(0.03, high));
    for (int i = 0; i < 60; i++) {
        cab_canvas_free(&s.canvas);
        must(cab_canvas_create(&s.canvas, 17 + 31 * (i % 7), 9 + 23 * (i % 5), &error), &error);
        cab_look_set_quality(&s.look, (cab_quality)(i % CAB_QUALITY_COUNT));
        s.look.shadow_size = i % 4 ? 64 << i % 3 : 0;
        draw_stage(&s, "draw-size");
        must(cab_gl_check("a test", &error), &error);
        int live = live_names();
        if (live > most[i / 30]) most[i / 30] = live;
    }
    at_most(most[1], most[0]);
    close_stage(&s);
    at_most(live_names(), before);
}

static void test_what_is_wrong_is_said(void **state)
{
    (void)state;
    stage s = stage_of(floating(0.03, high));
    GLint widest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &widest);
    must_fail(cab_renderer_draw(s.renderer, &s.camera, &s.look, s.canvas.framebuffer, widest + 1, 10, &error),
              CAB_ERROR_INPUT, &error, "at most");
    draw_stage(&s, "draw-after"); /* and goes on */
    glEnable(0xdead);
    must_fail(cab_gl_check("a test", &error), CAB_ERROR_DEVICE, &error, "a test");
    must(cab_gl_check("a test", &error), &error);
    close_stage(&s);
}

int main(void)
{
    if (cab_headless_create(&headless, &error)) {
        fprintf(stderr, "skipped: %s\n", error.message);
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width_is_that_of_the_cable),
        cmocka_unit_test(test_thin_cables_are_seen),
        cmocka_unit_test(test_joints_are_smooth),
        cmocka_unit_test(test_shadow_falls_where_it_must),
        cmocka_unit_test(test_shadow_touches_what_casts_it),
        cmocka_unit_test(test_crevices_are_darker),
        cmocka_unit_test(test_no_halo),
        cmocka_unit_test(test_ground_catches_shadows),
        cmocka_unit_test(test_sizes_and_qualities),
        cmocka_unit_test(test_what_is_wrong_is_said),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cab_headless_destroy(headless);
    return failed;
}

/* Reels whose turns lie on each other, against the length and the speed that each turn must have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "planar.h"

#define TURNS 5
#define PI acos(-1)

static void near_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.12g, expected %.12g +- %g", got, want, tolerance);
}

/* A reel that turns at a given speed, and lifts or lowers a weight. */
static cab_planar_scene *hoist(double speed, double stored, double drop, int substeps, bool square)
{
    cab_planar_scene *scene = pl_scene();
    cab_planar_scene_settings(scene)->substeps = substeps;
    cab_planar_body_def reel = square ? pl_box("reel", CAB_PLANAR_STATIC, 0, 0, PL_R, PL_R, 1)
                                      : pl_circle("reel", CAB_PLANAR_STATIC, 0, 0, PL_R, 1);
    reel.spin = speed;
    reel.angle = square ? 0.4 : 0; /* a side is not upright when turns are counted */
    pl_put(scene, reel);
    cab_planar_body_def weight = pl_circle("weight", CAB_PLANAR_DYNAMIC, PL_R + PL_W, -drop, 0.05, 10);
    weight.linear_damping = 2;
    weight.cables = weight.collides = false;
    pl_put(scene, weight);
    cab_planar_link_def links[] = {pl_reel("reel", -1, stored), pl_at("weight", 0, 0)};
    links[0].thickening = true;
    pl_cable(scene, "c", links, 2, 1);
    return scene;
}

/* The n-th turn takes 2 pi (r + (2 n - 1) w), of a square reel its edges besides. */
static void every_turn_is_longer_by_the_width(void **state)
{
    (void)state;
    for (int square = 0; square < 2; square++) {
        for (int substeps = 4; substeps <= 16; substeps *= 4) {
            double speed = 2 * PI, edges = square ? 8 * PL_R : 0,
                   core = square ? 0 : PL_R; /* a turn a second */
            cab_planar *planar = pl_native(hoist(speed, 0, 8, substeps, square));
            double before = 0;
            for (int n = 1; n <= TURNS; n++) {
                /* the first half turn lies flat on the reel, the half turn after it begins to rise from there
                 */
                double want = edges + 2 * PI * (core + (n == 1 ? 1.25 : 2 * n - 1) * PL_W);
                pl_step(planar, 30);
                if (!square) near_to(pl_joint(planar, 0).radius, core + (2 * n - 1) * PL_W, 0.05 * PL_W);
                pl_step(planar, 30);
                /* the cable swings, most after the sudden start, and with a square's corners */
                near_to(pl_joint(planar, 0).stored - before, want, square ? 0.02 * want : 5e-3 * want);
                before = pl_joint(planar, 0).stored;
                near_to(pl_stats(planar).length_error, 0, 1e-12);
            }
            cab_planar_destroy(planar);
        }
    }
}

/* What hangs on it comes up as fast as the turn's rim goes, and goes down in the same way. */
static void the_weight_goes_at_the_speed_of_its_turn(void **state)
{
    (void)state;
    double speed = 2, all = 0;
    int half_turn = (int)nearbyint(60 * PI / speed); /* steps */
    for (int n = 1; n <= TURNS; n++) all += 2 * PI * (PL_R + (2 * n - 1) * PL_W);
    for (int down = 0; down < 2; down++) {
        cab_planar *planar = pl_native(hoist(down ? -speed : speed, down ? all : 0, down ? 2 : 8, 8, false));
        for (int i = 1; i <= TURNS; i++) {
            int n = down ? TURNS + 1 - i : i;
            double want = (down ? -speed : speed) * (PL_R + (2 * n - 1) * PL_W);
            pl_step(planar, half_turn);
            /* the cable comes off further out as the turns grow: some ten-thousandths, and a swing of the
             * weight */
            near_to(pl_body(planar, 1).velocity[1], want, 5e-3 * fabs(want));
            near_to(pl_joint(planar, 1).tension, 10 * (9.81 + 2 * want), 0.5); /* and against the damping */
            pl_step(planar, half_turn);
        }
        cab_planar_destroy(planar);
    }
}

/* Up and down for 10^4 steps, and a ball that pinches the spool's wrap on and off. */
static void no_length_is_lost(void **state)
{
    (void)state;
    cab_planar_scene *scene = hoist(-1.5, 4, 2, 4, false);
    cab_planar_body_def ball = pl_circle("ball", CAB_PLANAR_DYNAMIC, -0.01, 0.5, 0.08, 0.2);
    ball.restitution = 0.9;
    pl_put(scene, ball);
    cab_planar *planar = pl_native(scene);
    for (int i = 0; i < 1000; i++) {
        pl_step(planar, 10);
        near_to(pl_stats(planar).length_error, 0, 1e-10); /* the goal is 1e-5 */
    }
    assert_true(pl_stats(planar).added > 0 && pl_stats(planar).removed + pl_stats(planar).merged > 0);
    cab_planar_destroy(planar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_turn_is_longer_by_the_width),
        cmocka_unit_test(the_weight_goes_at_the_speed_of_its_turn),
        cmocka_unit_test(no_length_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

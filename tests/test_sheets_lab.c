/* The sheet of the lab exercise, step by step against its formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sheets.h"

/* ---- worlds ---- */

/* The cloth lab's own loop, in double, from its formulas. */
#define LAB 21
typedef struct lab {
    double x[LAB * LAB][3], v[LAB * LAB][3];
    int edge[4 * LAB * LAB][2], edges;
    double length[4 * LAB * LAB];
} lab;

static void lab_link(lab *l, int a, int b)
{
    l->edge[l->edges][0] = a;
    l->edge[l->edges][1] = b;
    l->length[l->edges++] = distance3(l->x[a], l->x[b]);
}

static void lab_start(lab *l)
{
    memset(l, 0, sizeof *l);
    for (int p = 0; p < LAB * LAB; p++) {
        l->x[p][0] = 5 - 10.0 * (p % LAB) / (LAB - 1);
        l->x[p][1] = 5 - 10.0 * (p / LAB) / (LAB - 1);
    }
    for (int p = 0; p < LAB * LAB; p++) {
        bool right = p % LAB + 1 < LAB, down = p / LAB + 1 < LAB;
        if (right) lab_link(l, p, p + 1);
        if (down) lab_link(l, p, p + LAB);
        if (right && down) lab_link(l, p, p + LAB + 1);
    }
}

static void lab_strain(lab *l, double t)
{
    static double sum[LAB * LAB][3];
    double n[LAB * LAB] = {0};
    memset(sum, 0, sizeof sum);
    for (int e = 0; e < l->edges; e++) {
        int i = l->edge[e][0], j = l->edge[e][1];
        double now = distance3(l->x[i], l->x[j]);
        for (int k = 0; k < 3; k++) {
            double both = l->x[i][k] + l->x[j][k], apart = l->length[e] * (l->x[i][k] - l->x[j][k]) / now;
            sum[i][k] += 0.5 * (both + apart);
            sum[j][k] += 0.5 * (both - apart);
        }
        n[i]++, n[j]++;
    }
    for (int p = 0; p < LAB * LAB; p++) {
        for (int k = 0; k < 3 && p != 0 && p != LAB - 1; k++) {
            double to = (0.2 * l->x[p][k] + sum[p][k]) / (0.2 + n[p]);
            l->v[p][k] += (to - l->x[p][k]) / t;
            l->x[p][k] = to;
        }
    }
}

#define LAB_STEP 0.0333
#define LAB_BALL 2.7

static void lab_step(lab *l)
{
    const double t = LAB_STEP;
    for (int p = 0; p < LAB * LAB; p++) {
        if (p == 0 || p == LAB - 1) continue;
        l->v[p][2] -= t * 9.8;
        for (int k = 0; k < 3; k++) l->v[p][k] *= 0.99;
        for (int k = 0; k < 3; k++) l->x[p][k] += t * l->v[p][k];
    }
    for (int i = 0; i < 32; i++) lab_strain(l, t);
}

/* Where the scene's keyframes lead the ball's centre. */
static double ball_height(int frame)
{
    double t = frame * LAB_STEP;
    if (t < 1.4) return -5 + 4 * fmax(0, t - 0.4);
    return t < 2 ? -1 : fmax(-8, -1 - 7 * (t - 2));
}

/* What is inside the ball goes to its surface, straight from its centre. Returns how many particles that are. */
static int lab_collide(lab *l, double height)
{
    int inside = 0;
    for (int p = 0; p < LAB * LAB; p++) {
        double from[3] = {l->x[p][0], l->x[p][1], l->x[p][2] - height};
        double d = distance3(from, (const double[3]){0, 0, 0});
        inside += d < LAB_BALL;
        for (int k = 0; k < 3 && d < LAB_BALL && p != 0 && p != LAB - 1; k++) {
            double way = from[k] * (LAB_BALL / d - 1);
            l->x[p][k] += way;
            l->v[p][k] += way / LAB_STEP;
        }
    }
    return inside;
}

/* Damping after gravity, as in the lab, is gravity times 0.99 and damping before it, as here. */
static void the_lab_comes_out_as_by_its_formulas(void **state)
{
    (void)state;
    const char *free_of_the_ball[] = {"/colliders=[]"};
    cab_scene *scene = load_with("cloth-lab", free_of_the_ball, 1);
    cab_world *world = native_world(scene);
    static lab l;
    lab_start(&l);
    assert_int_equal(l.edges, cab_world_get_info(world).segments);
    for (int frame = 1; frame <= 30; frame++) {
        double worst = 0;
        lab_step(&l);
        step(world, 1);
        snapshot s = read_world(world);
        for (int p = 0; p < LAB * LAB; p++) worst = fmax(worst, distance3(l.x[p], s.x[p]));
        /* corrections of centimetres in floats, 32 times a frame: 1e-7 m at first; it grows where cloth
         * folds */
        at_most(worst, frame <= 5 ? 5e-7 : 3e-5);
        snapshot_free(&s);
    }
    at_most(l.x[LAB * LAB - 1][2], -3); /* it has fallen far by then */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* The ball pushes the cloth up and lets it go. The lab puts vertices on the ball once, after the iterations;
 * here the threads between them touch as well, in each iteration. Until then both are the same. From then on
 * a thread of length l lies on a ball of radius r, and its ends l^2 / 8 r above it: 2 cm, of the longest ones
 * 5 cm. A ball larger by 2 cm parts the lab's own formulas by 0.15 m (root of the mean square) in the same
 * time; ours, with the other order on top, by 0.28 m of a cloth of 10 m. */
static void the_lab_is_pushed_as_by_its_formulas(void **state)
{
    (void)state;
    cab_scene *scene = load("cloth-lab");
    cab_world *world = native_world(scene);
    static lab l;
    lab_start(&l);
    const int middle = LAB * LAB / 2;
    double lowest = 0, highest = -10;
    for (int frame = 1; frame <= 100; frame++) {
        double square = 0, worst = 0;
        lab_step(&l);
        lab_collide(&l, ball_height(frame));
        step(world, 1);
        snapshot s = read_world(world);
        for (int p = 0; p < LAB * LAB; p++) {
            double d = distance3(l.x[p], s.x[p]);
            square += d * d / (LAB * LAB);
            worst = fmax(worst, d);
        }
        if (frame <= 17) at_most(worst, 3e-5);
        at_most(sqrt(square), 0.35);
        if (frame >= 21 && frame <= 33) near_to(s.x[middle][2], l.x[middle][2], 0.05);
        if (frame < 30) lowest = fmin(lowest, s.x[middle][2]);
        highest = fmax(highest, s.x[middle][2]);
        snapshot_free(&s);
    }
    at_most(lowest, -1.5);       /* it fell on the ball, */
    at_least(highest, 1.3);      /* was pushed above its corners, */
    at_most(l.x[middle][2], -5); /* and fell again */
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* What the lab begins a step with that goes on from the engine's places: its velocities are damped already, the lab's not yet. */
static void lab_goes_on_from(lab *l, const snapshot *s)
{
    memcpy(l->x, s->x, sizeof l->x);
    for (int p = 0; p < LAB * LAB; p++)
        for (int k = 0; k < 3; k++) l->v[p][k] = s->v[p][k] / 0.99;
}

static double farthest_apart(const lab *l, const snapshot *s)
{
    double worst = 0;
    for (int p = 0; p < LAB * LAB; p++) worst = fmax(worst, distance3(l->x[p], s->x[p]));
    return worst;
}

/* With its own contact, once after the iterations and at vertices only, each of 100 steps, in which the ball lifts the cloth, throws
 * it and lets it go, is the lab's; and so is the run from its start, until the cloth buckles. Buckling parts whatever differs: the
 * lab's own formulas, started 1e-7 m apart, are 2e-4 m apart after 29 steps, computed in floats 0.1 m. */
static void the_labs_own_contact_is_its_formulas(void **state)
{
    (void)state;
    cab_scene *scene = load("cloth-lab-vertices");
    cab_world *world = native_world(scene);
    static lab from_start, from_here;
    int inside = 0;
    lab_start(&from_start);
    lab_start(&from_here);
    for (int frame = 1; frame <= 100; frame++) {
        lab_step(&from_start);
        lab_collide(&from_start, ball_height(frame));
        lab_step(&from_here);
        inside += lab_collide(&from_here, ball_height(frame));
        step(world, 1);
        snapshot s = read_world(world);
        at_most(farthest_apart(&from_here, &s),
                2e-6); /* 32 corrections in floats, of places up to 8 m off: 5e-7 */
        if (frame <= 28) at_most(farthest_apart(&from_start, &s), 1e-3);
        lab_goes_on_from(&from_here, &s);
        snapshot_free(&s);
    }
    at_least(inside, 1000); /* it was touched all the time */
    cab_world_destroy(world);
    assert_same_everywhere(scene, 45, "cloth-lab-vertices");
    cab_scene_destroy(scene);
}

/* Particles as balls of the threads' radius, and the threads between them. */
static void the_lab_lies_on_the_ball(void **state)
{
    (void)state;
    cab_scene *scene = load("cloth-lab");
    cab_world *world = native_world(scene);
    bool touched = false;
    for (int frame = 1; frame <= 80; frame++) {
        step(world, 1);
        snapshot s = read_world(world);
        for (int p = 0; p < s.nodes; p++) {
            double d = distance3(s.x[p], (const double[3]){0, 0, ball_height(frame)});
            at_least(d, LAB_BALL - 2e-3); /* 4 % of the radius at 7 m/s: what the last passes leave */
            touched |= d < LAB_BALL + 1e-3;
        }
        snapshot_free(&s);
    }
    assert_true(touched);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void the_lab_is_the_same_everywhere(void **state)
{
    (void)state;
    cab_scene *scene = load("cloth-lab");
    assert_same_everywhere(scene, 45, "cloth-lab");
    cab_scene_destroy(scene);
}

/* The lab's cloth by other methods of the same engine, in the same time of 1 s. With each the mean stretch is
 * less than a percent; corners that carry all the cloth are a few links. */
static void every_method_holds_the_lab(void **state)
{
    (void)state;
    const char *const methods[] = {"xpbd", "pbd", "jakobsen"};
    for (int i = 0; i < COUNT_OF(methods); i++) {
        char method[64];
        snprintf(method, sizeof method, "/method=\"%s\"", methods[i]);
        const char *overrides[] = {method, "/time/iterations=16", "/time/substeps=8"};
        cab_scene *scene = load_with("cloth-lab", overrides, COUNT_OF(overrides));
        cab_world *world = native_world(scene);
        step(world, 30);
        cab_measures m = measure(world);
        at_most(m.stretch_mean, 0.01);
        at_most(m.stretch_max, 0.15);
        cab_world_destroy(world);
        if (i == 0) assert_same_everywhere(scene, 3, "cloth-lab by xpbd");
        cab_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lab_comes_out_as_by_its_formulas),
        cmocka_unit_test(the_lab_is_pushed_as_by_its_formulas),
        cmocka_unit_test(the_labs_own_contact_is_its_formulas),
        cmocka_unit_test(the_lab_lies_on_the_ball),
        cmocka_unit_test(the_lab_is_the_same_everywhere),
        cmocka_unit_test(every_method_holds_the_lab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

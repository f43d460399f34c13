/* Random planar scenes: whatever happens in them, no cable is lost, nothing crashes, hangs or goes nowhere.
 * test_planar_random [FIRST COUNT] takes these numbers of scenes; by default the first 1,000, ctest has 10,000. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "planar.h"

#define BATCH 100
#define STEPS 60

static int first_scene = 0, scene_count = 1000;

static uint32_t seed;

/* 0 to 1; the same numbers everywhere. */
static double next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
}

static double from_to(double low, double high)
{
    return low + (high - low) * next();
}

static int below(int n)
{
    return (int)(next() * n);
}

static void random_shape(cab_planar_body_def *def)
{
    double turn = from_to(0, 6);
    def->radius = from_to(0.02, 0.3);
    if (next() < 0.6) return;
    def->corner_count = 3 + below(6);
    for (int k = 0; k < def->corner_count; k++) { /* on a circle: always convex */
        double angle = turn + 2 * acos(-1) * (k + 0.4 * next()) / def->corner_count;
        def->corners[k][0] = def->radius * cos(angle);
        def->corners[k][1] = def->radius * sin(angle);
    }
    def->radius = next() < 0.5 ? 0 : from_to(0, 0.02);
}

static cab_planar_body_def random_body(char *name)
{
    cab_planar_body_def def = cab_planar_body_default();
    def.name = name;
    def.motion = (cab_planar_motion)below(3);
    def.position[0] = from_to(-1, 1);
    def.position[1] = from_to(-1, 1);
    def.angle = from_to(-4, 4);
    random_shape(&def);
    def.mass = pow(10, from_to(-2, 3));
    def.velocity[0] = from_to(-5, 5);
    def.velocity[1] = from_to(-5, 5);
    def.spin = from_to(-10, 10);
    if (next() < 0.3) def.motor_torque = pow(10, from_to(-1, 3));
    def.motor_speed = from_to(-20, 20);
    def.friction = next();
    def.restitution = next() < 0.3 ? next() : 0;
    def.cable_friction = next() < 0.3 ? -1 : next() < 0.3 ? 0 : next();
    def.cables = next() < 0.9;
    def.collides = next() < 0.8;
    return def;
}

static void random_cable(cab_planar_scene *scene, char (*names)[16], int bodies, char *name)
{
    cab_planar_link_def links[8];
    cab_planar_cable_def def = cab_planar_cable_default();
    int last = -1;
    def.name = name;
    def.loop = next() < 0.2;
    def.link_count = 3 + below(5);
    def.radius = from_to(0.001, 0.02);
    def.length_factor = from_to(0.9, 1.1);
    if (next() < 0.3) def.stretching_stiffness = pow(10, from_to(2, 6));
    for (int i = 0; i < def.link_count; i++) {
        bool end = !def.loop && (i == 0 || i == def.link_count - 1);
        int body = below(bodies);
        while (body == last) body = below(bodies);
        last = body;
        links[i] = (cab_planar_link_def){.body = names[body],
                                         .kind = !end           ? CAB_PLANAR_LINK_ROLL
                                                 : next() < 0.5 ? CAB_PLANAR_LINK_POINT
                                                                : CAB_PLANAR_LINK_REEL,
                                         .spin = next() < 0.5 ? 1 : -1,
                                         .turns = below(2),
                                         .stored = next()};
        if (end && links[i].kind == CAB_PLANAR_LINK_POINT && next() < 0.4) {
            links[i].body = NULL;
            links[i].point[0] = from_to(-1, 1);
        }
    }
    def.links = links;
    cab_planar_add_cable(scene, &def, &pl_error); /* one that closes on its own body is refused: so be it */
}

static cab_planar_scene *random_scene(int number)
{
    char names[16][16], cable[16];
    cab_planar_scene *scene = pl_scene();
    cab_planar_settings *settings = cab_planar_scene_settings(scene);
    seed = (uint32_t)number * 2654435761u;
    settings->pinch = (cab_planar_pinch)below(3);
    settings->substeps = 1 + below(8);
    settings->iterations = 1 + below(3);
    settings->slack_pieces = 2 * (number % 4); /* few: bodies overlap, and the chains are in all of them */
    int bodies = 3 + below(12);
    for (int i = 0; i < bodies; i++) {
        snprintf(names[i], sizeof names[i], "b%d", i);
        pl_put(scene, random_body(names[i]));
    }
    for (int i = 1 + below(3); i > 0; i--) {
        snprintf(cable, sizeof cable, "c%d", i);
        random_cable(scene, names, bodies, cable);
    }
    return scene;
}

static void no_random_scene_loses_cable(void **state)
{
    (void)state;
    int count = scene_count, added = 0, removed = 0, merged = 0, pinched = 0;
    for (int first = first_scene; first < first_scene + count; first += BATCH) {
        cab_planar_scene *scenes[BATCH];
        for (int i = 0; i < BATCH; i++) scenes[i] = random_scene(first + i);
        cab_planar *planar = pl_open((const cab_planar_scene *const *)scenes, BATCH, "native", 2);
        pl_step(planar, STEPS);
        for (int i = 0; i < BATCH; i++) {
            cab_planar_stats stats;
            cab_planar_scene_destroy(scenes[i]);
            if (cab_planar_get_stats(planar, i, &stats, &pl_error) != CAB_OK)
                fail_msg("scene %d: %s", first + i, pl_error.message);
            /* rounding of some hundred sums in 64 bits; a lost buffer would be 1e-6 and more */
            if (!(stats.length_error < 1e-9)) fail_msg("scene %d: off by %g", first + i, stats.length_error);
            added += stats.added;
            removed += stats.removed;
            merged += stats.merged;
            pinched += stats.contacts;
        }
        cab_planar_destroy(planar);
    }
    printf("%d joints added, %d removed, %d merged; %d pairs pinch a cable at the end\n", added, removed,
           merged, pinched);
    assert_true(added > count / 10 && removed > count / 10 && merged > count / 100 && pinched > count / 10);
}

int main(int argc, char **argv)
{
    if (getenv("CLCABLE_SANITIZED")) scene_count = 300; /* the other 700 run no further line */
    if (argc == 3) {
        first_scene = atoi(argv[1]);
        scene_count = atoi(argv[2]);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_random_scene_loses_cable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

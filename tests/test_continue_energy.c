/* A world that goes on with another method or another substep gets no energy from that: every ordered pair of methods, moving,
 * stretched, joined, clamped and in contact, on both backends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worlds.h"

#define FRAMES 10 /* that are watched after a change */

typedef struct trial {
    const char *name;
    cab_scene *(*scene)(void); /* with the settings still to be filled in */
    int frames;                /* before the change */
    const cab_method *methods;
    int method_count;
    double span;  /* m that its weight could fall by, at most */
    double sheet; /* kg of sheets */
} trial;

/* A rope that swings about its start with a weight at its end: 140 % too long at 5 substeps by relaxation. */
static cab_scene *swinging(void)
{
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.6, 0, 1}, 30);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* Three joined cables between clamps, one of them bent at rest, with weights: xpbd leaves them some per cent too long. */
static cab_scene *joined_cables(void)
{
    cab_scene *scene = scene_of(20);
    cab_material_def wire = wire_of("wire", 0.003, 2e-4), bent = wire_of("bent", 0.003, 5e-5);
    bent.rest_shape_path = true;
    add_material(scene, wire);
    add_material(scene, bent);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.4, 0, 1}, 20);
    add_straight(scene, "b", (cab_vec3){0.4, 0, 1}, (cab_vec3){0.8, 0.1, 1}, 20);
    const cab_vec3 hook[] = {{0.4, 0, 1}, {0.4, 0.15, 0.9}, {0.45, 0.2, 0.8}};
    cab_cable_def c = straight_of("c", "bent", hook, 12);
    c.path_count = 3;
    add_cable(scene, c);
    hold(scene, "a", (cab_place){0}, true);
    hold(scene, "b", at_end(), false);
    join(scene, "b", (cab_place){0}, "a", at_end());
    join(scene, "c", (cab_place){0}, "a", at_end());
    hang_weight(scene, "c", at_end(), 0.1);
    return scene;
}

/* A soft cable swings with a weight that stretches it by 20 %: that much is its own, and stays. */
static cab_scene *rubber(void)
{
    cab_scene *scene = swinging();
    cab_material_def soft = wire_of("soft", 0.003, 0);
    soft.stretching_stiffness = 5;
    add_material(scene, soft);
    cab_cable_def band = straight_of("b", "soft", (cab_vec3[2]){{0, 0.1, 1}, {0.2, 0.1, 0.8}}, 10);
    add_cable(scene, band);
    hold(scene, "b", (cab_place){0}, false);
    hang_weight(scene, "b", at_end(), 0.08);
    return scene;
}

/* Cables fall crosswise onto a bar and a floor. */
static cab_scene *heap(void)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->contact.cables = true;
    add_material(scene, wire_of("wire", 0.004, 0));
    for (int i = 0; i < 6; i++) {
        char name[8];
        snprintf(name, sizeof name, "c%d", i);
        double z = 0.03 + 0.02 * i, at = 0.05 * (i / 2) - 0.05;
        if (i % 2)
            add_straight(scene, name, (cab_vec3){at, -0.12, z}, (cab_vec3){at, 0.12, z}, 12);
        else
            add_straight(scene, name, (cab_vec3){-0.12, at, z}, (cab_vec3){0.12, at, z}, 12);
    }
    add_collider(scene, bar_of((cab_vec3){-0.2, 0.01, 0.01}, (cab_vec3){0.2, 0.01, 0.01}, 0.01));
    add_floor(scene, 0);
    return scene;
}

/* A rope over a bar, whose weights have stretched it. */
static cab_scene *over_a_bar(void)
{
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("wire", 0.003, 0));
    const cab_vec3 path[] = {{-0.1, 0, 0.9}, {-0.03, 0, 1.04}, {0.03, 0, 1.04}, {0.1, 0, 0.9}};
    cab_cable_def rope = straight_of("a", "wire", path, 30);
    rope.path_count = 4;
    add_cable(scene, rope);
    hang_weight(scene, "a", (cab_place){0}, 0.02);
    hang_weight(scene, "a", at_end(), 0.02);
    add_collider(scene, bar_of((cab_vec3){0, -0.2, 1}, (cab_vec3){0, 0.2, 1}, 0.03));
    return scene;
}

/* A cloth falls over a ball: jacobi, and relaxation at 5 substeps, leave it some per cent too long. */
static cab_scene *cloth(void)
{
    cab_error error = {0};
    cab_scene *scene = scene_of(20);
    cab_material_def thread = wire_of("thread", 0.01, 0);
    thread.damping = 0.5;
    add_material(scene, thread);
    cab_sheet_def sheet = cab_sheet_default();
    sheet.name = "cloth";
    sheet.material = "thread";
    sheet.corner = (cab_vec3){-0.5, -0.5, 0.6};
    sheet.along = (cab_vec3){1, 0, 0};
    sheet.across = (cab_vec3){0, 1, 0};
    sheet.count[0] = sheet.count[1] = 25;
    sheet.diagonals = CAB_DIAGONALS_BOTH;
    sheet.area_density = 0.2;
    must(cab_scene_add_sheet(scene, &sheet, &error), &error);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, 0.25});
    ball.radius = 0.25;
    add_collider(scene, ball);
    add_floor(scene, 0);
    return scene;
}

static cab_scene *with(const trial *t, cab_method method, int substeps)
{
    cab_scene *scene = t->scene();
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->substeps = substeps;
    if (method == CAB_METHOD_SPRINGS) s->springs.stiffness = 200; /* N/m: h^2 k/m is 0.14 with 20 substeps */
    return scene;
}

static double mass_of(cab_world *world)
{
    double mass = 0.08; /* weights, at most */
    for (int c = 0; c < cab_world_get_info(world).cables; c++)
        mass += 0.05 * cab_world_get_cable(world, c).length;
    return mass;
}

/* Lengths that are right again lift what hung too low, and that much is more than there was where everything rests. So either the sum
 * has not grown, or nothing moves any more. Afterwards it does not grow. 1 % is of what was there: what moved and what could fall. */
static void goes_on(const trial *t, cab_world *from, cab_method was, cab_method method, int substeps,
                    const char *device)
{
    cab_error error = {0};
    cab_scene *scene = with(t, method, substeps);
    cab_world *world = world_on(scene, device, 1);
    cab_measures before = measure(from);
    must(cab_world_continue(world, from, &error), &error);
    cab_measures now = measure(world);
    double there = before.kinetic + (mass_of(from) + t->sheet) * 9.81 * t->span, more = 0.01 * there;
    double gain = now.kinetic + now.potential - before.kinetic - before.potential;
    if (gain > more && now.kinetic > more)
        fail_msg("%s, from method %d to %d, %d substeps, %s: %g J more, and %g J of motion", t->name, was,
                 method, substeps, device, gain, now.kinetic);
    if (now.kinetic > before.kinetic + more)
        fail_msg("%s, from method %d to %d, %d substeps, %s: motion has %g J instead of %g", t->name, was,
                 method, substeps, device, now.kinetic, before.kinetic);
    /* what lengths push into something is pushed out again by at most 5 m/s: half a radius may be left */
    at_most(now.penetration_max, before.penetration_max + 0.0015);
    double limit = fmax(now.kinetic + now.potential, before.kinetic + before.potential) + more;
    for (int i = 0; i < FRAMES; i++) {
        step(world, 1);
        cab_measures m = measure(world);
        if (m.kinetic + m.potential > limit)
            fail_msg("%s, from method %d to %d, %d substeps, %s: %g J more after %d frames", t->name, was,
                     method, substeps, device, m.kinetic + m.potential - limit, i + 1);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* From each method to each, and to other substeps. */
static void all_pairs(const trial *t, int from_substeps, int to_substeps)
{
    char pocl[32] = "";
    find_device(POCL, pocl);
    for (int a = 0; a < t->method_count; a++) {
        if (t->methods[a] == CAB_METHOD_SPRINGS && from_substeps < 20) continue; /* flies apart by itself */
        cab_scene *scene = with(t, t->methods[a], from_substeps);
        cab_world *world = world_on(scene, "native", 1);
        step(world, t->frames);
        for (int b = 0; b < t->method_count; b++) {
            if (t->methods[b] == CAB_METHOD_SPRINGS && to_substeps < 20) continue;
            if (a == b && from_substeps == to_substeps) continue; /* nothing changes */
            goes_on(t, world, t->methods[a], t->methods[b], to_substeps, "native");
            if (pocl[0] && from_substeps == to_substeps)
                goes_on(t, world, t->methods[a], t->methods[b], to_substeps, pocl);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static const cab_method every[] = {CAB_METHOD_XPBD,     CAB_METHOD_SPRINGS, CAB_METHOD_STIFF_SPRINGS,
                                   CAB_METHOD_JAKOBSEN, CAB_METHOD_PBD,     CAB_METHOD_DIRECT,
                                   CAB_METHOD_JACOBI};
static const cab_method bending[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
static const cab_method stretching[] = {CAB_METHOD_XPBD, CAB_METHOD_SPRINGS, CAB_METHOD_DIRECT};
static const cab_method weighing[] = {CAB_METHOD_XPBD, CAB_METHOD_JAKOBSEN, CAB_METHOD_PBD,
                                      CAB_METHOD_DIRECT};

static const cab_method relaxing[] = {CAB_METHOD_XPBD, CAB_METHOD_JAKOBSEN, CAB_METHOD_PBD,
                                      CAB_METHOD_STIFF_SPRINGS, CAB_METHOD_JACOBI};

static const int steps[][2] = {{20, 20}, {5, 20}, {20, 40}};

/* All pairs of methods, from one number of substeps to another; `times` as many for what needs more. Under sanitizers from one number to
 * itself: others run no further line (docs/tests.md). */
static void all_steps(const trial *t, int times)
{
    if (getenv("CLCABLE_SANITIZED")) {
        all_pairs(t, 20 * times, 20 * times);
        return;
    }
    for (int i = 0; i < COUNT_OF(steps); i++) all_pairs(t, times * steps[i][0], times * steps[i][1]);
}

static void what_swings(void **state)
{
    (void)state;
    const trial t = {"swing", swinging, 20, every, COUNT_OF(every), 0.6, 0};
    all_steps(&t, 1);
}

static void what_is_joined_and_bent(void **state)
{
    (void)state;
    const trial t = {"joined", joined_cables, 15, bending, COUNT_OF(bending), 0.4, 0};
    all_steps(&t, 1);
}

static void what_stretches(void **state)
{
    (void)state;
    const trial t = {"rubber", rubber, 20, stretching, COUNT_OF(stretching), 0.6, 0};
    all_steps(&t, 1);
}

static void what_touches(void **state)
{
    (void)state;
    const trial t = {"heap", heap, 8, every, COUNT_OF(every), 0.1, 0};
    all_steps(&t, 1);
}

static void what_hangs_over_something(void **state)
{
    (void)state;
    const trial t = {"bar", over_a_bar, 15, weighing, COUNT_OF(weighing), 0.3, 0};
    all_steps(&t, 2);
}

static void what_is_a_cloth(void **state)
{
    (void)state;
    const trial t = {"cloth", cloth, 15, relaxing, COUNT_OF(relaxing), 0.6, 0.2};
    all_steps(&t, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_swings),
        cmocka_unit_test(what_is_joined_and_bent),
        cmocka_unit_test(what_stretches),
        cmocka_unit_test(what_touches),
        cmocka_unit_test(what_hangs_over_something),
        cmocka_unit_test(what_is_a_cloth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

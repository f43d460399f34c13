/* Attachments: held, clamped, moving, joined; where they are and what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define PI 3.14159265358979323846

/* Angle at b between the ways to a and to c, degrees. */
static double angle_at(const double *a, const double *b, const double *c)
{
    double dot = 0;
    for (int k = 0; k < 3; k++) dot += (a[k] - b[k]) * (c[k] - b[k]);
    return acos(fmax(-1, fmin(1, dot / distance3(a, b) / distance3(c, b)))) * 180 / PI;
}

static void refuse_scene(cab_scene *scene, const char *part, const char *part2)
{
    cab_error error = {0};
    must_fail(cab_scene_check(scene, NULL, NULL, &error), CAB_ERROR_INPUT, &error, part);
    must_fail(CAB_ERROR_INPUT, CAB_ERROR_INPUT, &error, part2);
    cab_scene_destroy(scene);
}

/* 0.5 m along x at a height of 1 m. */
static cab_scene *level_scene(int segments, double bending_stiffness)
{
    cab_scene *scene = scene_of(20);
    add_material(scene, wire_of("wire", 0.003, bending_stiffness));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, segments);
    return scene;
}

/* ---- held ---- */

static void held_particles_stay(void **state)
{
    (void)state;
    cab_scene *scene = level_scene(10, 1e-4);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_particle(7), true);
    cab_world *world = native_world(scene);
    for (int i = 0; i < 20; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        at_most(distance3(s.x[0], (double[3]){0, 0, 1}), 1e-12);
        at_most(distance3(s.x[7], (double[3]){0.35, 0, 1}), 1e-12);
        at_most(distance3(s.v[0], (double[3]){0}), 0);
        snapshot_free(&s);
    }
    double end[3];
    node_place(world, 10, end);
    at_most(end[2], 0.995);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* An attachment to a point away from the path: put there before the first substep, the rest follows. */
static void targets_are_reached_before_the_start(void **state)
{
    (void)state;
    cab_scene *scene = level_scene(20, 1e-4);
    hold(scene, "a", (cab_place){0}, false);
    cab_attachment_def def = held_at("a", at_end());
    def.to = CAB_TARGET_POINT;
    def.point = (cab_vec3){0.3, 0.1, 0.9};
    add_attachment(scene, def);
    cab_world *world = native_world(scene);
    snapshot s = read_world(world);
    at_most(distance3(s.x[20], (double[3]){0.3, 0.1, 0.9}), 1e-12);
    for (int i = 0; i < 20; i++) {
        near_to(distance3(s.x[i], s.x[i + 1]), 0.025, 1e-8);
        at_most(distance3(s.v[i], (double[3]){0}), 0);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Other keyframes do as those that the attachment was added with; what is wrong leaves them as they were. */
static void keyframes_can_be_put_in_their_place(void **state)
{
    (void)state;
    const cab_keyframe there[] = {{0, {0, 0, 1}}, {0.2, {0.1, 0, 1}}}, first = {0, {0, 0, 1}};
    snapshot s[2];
    for (int k = 0; k < 2; k++) {
        cab_error error = {0};
        cab_scene *scene = level_scene(10, 0);
        cab_attachment_def def = held_at("a", (cab_place){0});
        add_attachment(scene, def);
        def = held_at("a", at_end());
        def.to = CAB_TARGET_KEYFRAMES;
        def.keyframes = k ? &first : there;
        def.keyframe_count = k ? 1 : COUNT_OF(there);
        add_attachment(scene, def);
        if (k) must(cab_scene_set_keyframes(scene, 1, there, COUNT_OF(there), &error), &error);
        const cab_keyframe back[] = {{1, {0, 0, 1}}, {0.5, {0, 0, 1}}}, far = {0, {NAN, 0, 1}};
        must_fail(cab_scene_set_keyframes(scene, 1, back, 2, &error), CAB_ERROR_INPUT, &error,
                  "/attachments/1/to/keyframes/1/0: expected a time after that");
        must_fail(cab_scene_set_keyframes(scene, 1, &far, 1, &error), CAB_ERROR_INPUT, &error,
                  "/attachments/1/to/keyframes/0/1");
        must_fail(cab_scene_set_keyframes(scene, 1, back, 0, &error), CAB_ERROR_INPUT, &error,
                  "at least one");
        must_fail(cab_scene_set_keyframes(scene, 0, there, 2, &error), CAB_ERROR_INPUT, &error,
                  "/attachments/0/to/keyframes: expected an attachment that is led by keyframes");
        must_fail(cab_scene_set_keyframes(scene, 2, there, 2, &error), CAB_ERROR_INPUT, &error,
                  "/attachments/2/to/keyframes: expected an attachment of the scene");
        s[k] = snapshot_after(take(scene, "native", 1), 20);
    }
    same_bytes(&s[0], &s[1], "keyframes put in");
    for (int k = 0; k < 2; k++) snapshot_free(&s[k]);
}

static void keyframes_are_followed(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.4, 0, 1}}, 8);
    cable.copies[2] = 2;
    cable.spacing[2] = 0.5;
    add_cable(scene, cable);
    const cab_keyframe frames[] = {{0.1, {0, 0, 1}}, {0.2, {0.2, 0, 1}}, {0.35, {0.2, 0.3, 1.15}}};
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = frames;
    def.keyframe_count = COUNT_OF(frames);
    add_attachment(scene, def);
    cab_world *world = native_world(scene);
    for (int frame = 1; frame <= 30; frame++) {
        step(world, 1);
        double t = frame / 60.0;
        double a = fmax(0, fmin(1, (t - 0.1) / 0.1)), b = fmax(0, fmin(1, (t - 0.2) / 0.15));
        snapshot s = read_world(world);
        for (int copy = 0; copy < 2; copy++) {
            double place[3] = {0.2 * a, 0.3 * b, 1 + 0.15 * b + 0.5 * copy};
            at_most(distance3(s.x[9 * copy], place), 1e-9); /* a substep of 3 mm, rounded */
        }
        snapshot_free(&s);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- clamps ---- */

/* Without stiffness of its own a cable's clamped end is hard: the last thing that a substep sets. */
static void clamped_ends_keep_their_direction(void **state)
{
    (void)state;
    cab_scene *scene = level_scene(12, 0);
    cab_attachment_def def = held_at("a", at_end());
    def.clamp = true;
    hold(scene, "a", (cab_place){0}, true);
    add_attachment(scene, def);
    cab_world *world = native_world(scene);
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        at_most(distance3(s.x[1], (double[3]){0.5 / 12, 0, 1}), 1e-6);
        at_most(distance3(s.x[11], (double[3]){0.5 * 11 / 12, 0, 1}), 1e-6);
        snapshot_free(&s);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* The chord alone: both neighbours may still sag. */
static void a_clamp_inside_holds_the_chord(void **state)
{
    (void)state;
    for (int clamp = 0; clamp < 2; clamp++) {
        cab_scene *scene = level_scene(10, 0);
        hold(scene, "a", at_particle(4), clamp);
        cab_world *world = native_world(scene);
        step(world, 40);
        snapshot s = read_world(world);
        double chord[3], worst = 0;
        for (int k = 0; k < 3; k++) chord[k] = s.x[5][k] - s.x[3][k];
        worst = distance3(chord, (double[3]){0.1, 0, 0});
        at_most(distance3(s.x[4], (double[3]){0.2, 0, 1}), 1e-12);
        if (clamp)
            at_most(worst, 1e-6);
        else
            at_least(worst, 1e-2);
        at_most(s.x[10][2], 0.9);
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* A chain of segments l with hinges EI / l, the one at the clamp twice as stiff: how far the end sags. */
static double sag_of(int segments, double length, double bending_stiffness)
{
    double l = length / segments, sag = 0;
    for (int i = 0; i < segments; i++) {
        double moment = 0;
        for (int k = i + 1; k <= segments; k++)
            moment += 0.05 * 9.81 * l * (k == segments ? 0.5 : 1) * l * (k - i);
        sag += moment * (i == 0 ? l / 2 : l) / bending_stiffness * (length - i * l);
    }
    return sag;
}

/* With EI the clamp is as soft as half a segment of the cable. */
static void a_clamp_is_as_stiff_as_the_cable(void **state)
{
    (void)state;
    for (int i = 1; i <= 2; i++) {
        double stiffness = 0.02 * i, end[3], expected = sag_of(4, 0.2, stiffness);
        cab_scene *scene = scene_of(40);
        cab_scene_settings(scene)->iterations = 4;
        cab_material_def wire = wire_of("wire", 0.003, stiffness);
        wire.damping = 5;
        add_material(scene, wire);
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.2, 0, 1}, 4);
        hold(scene, "a", (cab_place){0}, true);
        cab_world *world = native_world(scene);
        step(world, 300);
        node_place(world, 4, end);
        near_to(1 - end[2], expected, 0.005 * expected); /* XPBD's own error at this setting is 0.1 % */
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static double joint_angle(bool clamp, double turn)
{
    cab_scene *scene = level_scene(5, 0);
    cab_scene_settings(scene)->iterations = 8;
    add_straight(scene, "b", (cab_vec3){0.5, 0, 1}, (cab_vec3){0.5 + 0.3 * cos(turn), 0, 1 + 0.3 * sin(turn)},
                 4);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.clamp = clamp;
    add_attachment(scene, joint);
    hold(scene, "a", at_particle(0), false);
    hang_weight(scene, "b", at_end(), 0.01);
    cab_world *world = native_world(scene);
    double worst = 0, straight = 180 - turn * 180 / PI;
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        worst = fmax(worst, fabs(angle_at(s.x[4], s.x[5], s.x[7]) - straight));
        snapshot_free(&s);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    return worst;
}

static void a_clamp_between_cables_keeps_the_angle(void **state)
{
    (void)state;
    const double turns[] = {0, PI / 6, PI / 2};
    for (int i = 0; i < COUNT_OF(turns); i++) {
        at_least(joint_angle(false, turns[i]), 10);
        at_most(joint_angle(true, turns[i]), 3); /* eight iterations, on which lengths pull as well */
    }
}

/* ---- colliders ---- */

static void a_cable_can_hang_on_a_collider(void **state)
{
    (void)state;
    cab_scene *scene = level_scene(10, 0);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){-0.05, 0, 1});
    ball.name = "ball";
    ball.radius = 0.05;
    add_collider(scene, ball);
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.to = CAB_TARGET_COLLIDER;
    def.target = "ball";
    add_attachment(scene, def);
    cab_world *world = native_world(scene);
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        at_most(distance3(s.x[0], (double[3]){0, 0, 1}), 1e-12);
        snapshot_free(&s);
    }
    cab_world_destroy(world);
    def.target = "bell";
    add_attachment(scene, def);
    refuse_scene(scene, "/attachments/1/to", "\"bell\"");
}

/* ---- copies and joints ---- */

static cab_scene *copies_scene(int b_count)
{
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.2, 0, 1}}, 4);
    cable.copies[1] = 3;
    cable.spacing[1] = 0.1;
    add_cable(scene, cable);
    cable = straight_of("b", "wire", (const cab_vec3[2]){{0.2, 0, 1}, {0.4, 0, 1}}, 3);
    cable.copies[1] = b_count;
    cable.spacing[1] = 0.1;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

static void copies_are_joined_pairwise(void **state)
{
    (void)state;
    cab_scene *scene = copies_scene(3);
    join(scene, "b", (cab_place){0}, "a", at_end());
    cab_world *world = native_world(scene);
    assert_int_equal(cab_world_get_info(world).particles, 3 * 5 + 3 * 3);
    step(world, 20);
    snapshot s = read_world(world);
    for (int i = 0; i < 3; i++) {
        assert_memory_equal(s.x[5 * i + 4], s.x[15 + 4 * i], sizeof s.x[0]);
        near_to(s.x[15 + 4 * i][1], 0.1 * i, 1e-6);
        at_most(s.x[15 + 4 * i][2], 0.95);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
    scene = copies_scene(2);
    join(scene, "b", (cab_place){0}, "a", at_end());
    refuse_scene(scene, "/attachments/1/to", "2");
}

static void one_copy_can_be_named(void **state)
{
    (void)state;
    cab_scene *scene = copies_scene(3);
    join(scene, "b[0,1,0]", (cab_place){0}, "a[0,1,0]", at_end());
    cab_world *world = native_world(scene);
    assert_int_equal(cab_world_get_info(world).particles, 3 * 5 + 3 * 4 - 1);
    cab_world_destroy(world);
    cab_attachment_def def = held_at("a[0,3,0]", at_end());
    add_attachment(scene, def);
    refuse_scene(scene, "/attachments/2/cable", "a[0,3,0]");
}

static void joints_need_places_together(void **state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        cab_scene *scene = level_scene(10, 0);
        double gap = far ? 1.1e-3 : 0.9e-3;
        add_straight(scene, "b", (cab_vec3){0.5, gap, 1}, (cab_vec3){0.8, gap, 1}, 5);
        join(scene, "b", (cab_place){0}, "a", at_end());
        if (far) {
            refuse_scene(scene, "/attachments/0", "1 mm");
            continue;
        }
        cab_world *world = native_world(scene);
        assert_int_equal(cab_world_get_info(world).particles, 11 + 6 - 1);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    cab_scene *scene = level_scene(10, 0);
    hold(scene, "a", at_end(), false);
    hold(scene, "a", at_particle(10), false); /* the same one */
    refuse_scene(scene, "/attachments/1", "/attachments/0");
    scene = level_scene(10, 0);
    hold(scene, "a", at_particle(11), false);
    refuse_scene(scene, "/attachments/0/at", "0 to 10");
    scene = level_scene(10, 0);
    hold(scene, "A", at_end(), false);
    refuse_scene(scene, "/attachments/0/cable", "\"a\"");
    scene = level_scene(10, 0);
    join(scene, "a", (cab_place){0}, "nobody", at_end());
    refuse_scene(scene, "/attachments/0/to", "nobody");
    scene = level_scene(10, 0);
    join(scene, "a", at_particle(4), "a", at_particle(4)); /* to itself */
    refuse_scene(scene, "/attachments/0", "itself");
    scene = level_scene(10, 0);
    cab_load_def load = load_at("a", at_particle(5));
    load.moment = (cab_vec3){0, 0.1, 0};
    add_load(scene, load);
    refuse_scene(scene, "/loads/0/at", "end");
}

/* ---- places ---- */

static void a_fraction_moves_the_nearest_particle(void **state)
{
    (void)state;
    static const struct {
        double fraction;
        int node;
    } places[] = {{0.33, 3}, {0.25, 2}, {0.35, 3}, {0.351, 4}, {0.96, 9}, {0.5, 5}, {0, 0}, {1, 10}};
    for (int i = 0; i < COUNT_OF(places); i++) {
        cab_scene *scene = level_scene(10, 0);
        double f = places[i].fraction;
        int node = places[i].node;
        hold(scene, "a", at_fraction(f), false);
        hang_weight(scene, "a", at_fraction(f), 0.001); /* the same place again is no contradiction */
        cab_world *world = native_world(scene);
        snapshot s = read_world(world);
        for (int k = 0; k <= 10; k++)
            at_most(distance3(s.x[k], (double[3]){0.5 * (k == node ? f : 0.1 * k), 0, 1}), 1e-9);
        snapshot_free(&s);
        step(world, 20);
        s = read_world(world);
        at_most(distance3(s.x[node], (double[3]){0.5 * f, 0, 1}), 1e-12);
        at_most(node == 5 ? s.x[0][2] : s.x[5][2], 0.999);
        if (node > 0) near_to(distance3(s.x[node - 1], s.x[node]), 0.5 * f - 0.05 * (node - 1), 1e-3);
        snapshot_free(&s);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void two_places_cannot_share_a_particle(void **state)
{
    (void)state;
    static const double pairs[][2] = {{0.33, 0.31}, {0.31, 0.33}, {0.3, 0.33}, {0.33, 0.3}};
    for (int i = 0; i < COUNT_OF(pairs); i++) {
        cab_scene *scene = level_scene(10, 0);
        hold(scene, "a", at_fraction(pairs[i][0]), false);
        hang_weight(scene, "a", at_fraction(pairs[i][1]), 0.1);
        refuse_scene(scene, "/loads/0/at", "particle");
    }
    cab_scene *scene = level_scene(1, 0);
    hold(scene, "a", at_fraction(0.4), false);
    refuse_scene(scene, "/attachments/0/at", "segments");
}

/* ---- warnings ---- */

typedef struct warnings {
    int count;
    char text[1024];
} warnings;

static void keep_warning(void *user, const char *text)
{
    warnings *w = user;
    w->count++;
    snprintf(w->text, sizeof w->text, "%s", text);
}

static void a_load_that_does_nothing_is_a_warning(void **state)
{
    (void)state;
    for (int on_held = 0; on_held < 2; on_held++) {
        cab_error error = {0};
        warnings w = {0};
        cab_scene *scene = level_scene(4, 0);
        hold(scene, "a", (cab_place){0}, false);
        cab_load_def load = load_at("a", on_held ? (cab_place){0} : at_end());
        load.force = (cab_vec3){0, 0, -0.001};
        add_load(scene, load);
        must(cab_scene_check(scene, keep_warning, &w, &error), &error);
        assert_int_equal(w.count, on_held);
        if (on_held) assert_non_null(strstr(w.text, "/loads/0"));
        cab_world *world = native_world(scene);
        step(world, 1);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_particles_stay),
        cmocka_unit_test(targets_are_reached_before_the_start),
        cmocka_unit_test(keyframes_are_followed),
        cmocka_unit_test(keyframes_can_be_put_in_their_place),
        cmocka_unit_test(clamped_ends_keep_their_direction),
        cmocka_unit_test(a_clamp_inside_holds_the_chord),
        cmocka_unit_test(a_clamp_is_as_stiff_as_the_cable),
        cmocka_unit_test(a_clamp_between_cables_keeps_the_angle),
        cmocka_unit_test(a_cable_can_hang_on_a_collider),
        cmocka_unit_test(copies_are_joined_pairwise),
        cmocka_unit_test(one_copy_can_be_named),
        cmocka_unit_test(joints_need_places_together),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(a_fraction_moves_the_nearest_particle),
        cmocka_unit_test(two_places_cannot_share_a_particle),
        cmocka_unit_test(a_load_that_does_nothing_is_a_warning),
    };
    return cmocka_run_group_tests_name("attachments", tests, NULL, NULL);
}

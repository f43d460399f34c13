/* Cables that overlap as they are drawn, moved apart before the run: no overlap is left where there is room, lengths and holds stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worlds.h"

#define RADIUS 0.005
#define SEGMENTS 20
#define APART                                                                                                \
    (2 * RADIUS -                                                                                            \
     1e-3 * RADIUS) /* what is left of an overlap may be a thousandth of the radius: ENOUGH in overlap.c */

static cab_scene *overlapping_scene(bool parted)
{
    cab_scene *scene = scene_of(20);
    cab_settings *settings = cab_scene_settings(scene);
    settings->method = CAB_METHOD_DIRECT;
    settings->contact.cables = settings->contact.self = true;
    settings->contact.parted = parted;
    add_material(scene, wire_of("wire", RADIUS, 1e-4));
    return scene;
}

/* The smallest distance of the axes of two cables, without the first `skip` segments of each. */
static double smallest_gap(const snapshot *s, int first, int second, int skip)
{
    double least = INFINITY;
    for (int i = skip; i < SEGMENTS; i++)
        for (int k = skip; k < SEGMENTS; k++) {
            const double(*a)[3] = s->x + first + i, (*b)[3] = s->x + second + k;
            least = fmin(least, segment_to_segment(a[0], a[1], b[0], b[1]));
        }
    return least;
}

static void keeps_lengths(const snapshot *s, int first, double rest)
{
    for (int i = 0; i < SEGMENTS; i++)
        near_to(distance3(s->x[first + i], s->x[first + i + 1]), rest, 1e-6 * rest); /* floats */
}

/* The places at the start of a scene that is not needed any more. */
static snapshot start_of(cab_scene *scene)
{
    cab_world *world = take(scene, "native", 1);
    return snapshot_after(world, 0);
}

/* Two ropes that cross, their axes through each other or a little apart: one held at both ends with some slack, the other by one. */
static cab_scene *crossing(bool parted, double height)
{
    cab_scene *scene = overlapping_scene(parted);
    cab_vec3 arch[3] = {{-0.2, 0, 1}, {0, 0, 1.02}, {0.2, 0, 1}};
    cab_cable_def below = straight_of("below", "wire", arch, SEGMENTS);
    below.path_count = 3;
    add_cable(scene, below);
    add_straight(scene, "across", (cab_vec3){0, -0.2, 1.02 + height}, (cab_vec3){0, 0.2, 1.02 + height},
                 SEGMENTS);
    hold(scene, "below", (cab_place){0}, true);
    hold(scene, "below", at_end(), true);
    hold(scene, "across", (cab_place){0}, false);
    return scene;
}

static void what_crosses_is_apart(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        double height = (double[]){0, 1e-5, 0.003, -0.006}[i],
               arch = 2 * sqrt(0.2 * 0.2 + 0.02 * 0.02) / SEGMENTS;
        snapshot drawn = start_of(crossing(false, height)), parted = start_of(crossing(true, height));
        at_most(smallest_gap(&drawn, 0, SEGMENTS + 1, 0), fabs(height) + 1e-6);
        at_least(smallest_gap(&parted, 0, SEGMENTS + 1, 0), APART);
        keeps_lengths(&parted, 0, arch);
        keeps_lengths(&parted, SEGMENTS + 1, 0.4 / SEGMENTS);
        for (int end = 0; end <= SEGMENTS; end += SEGMENTS) /* held: to the bit */
            assert_memory_equal(drawn.x[end], parted.x[end], sizeof drawn.x[end]);
        assert_memory_equal(drawn.x[SEGMENTS + 1], parted.x[SEGMENTS + 1], sizeof drawn.x[0]);
        /* nothing goes further than it must: a way of the whole overlap for one, or shared */
        at_most(largest_difference(&drawn, &parted), 2.5 * RADIUS);
        snapshot_free(&drawn);
        snapshot_free(&parted);
    }
}

/* Three ropes leave the end of a fourth one side by side, all three at the same place. */
static cab_scene *siblings(bool parted)
{
    cab_scene *scene = overlapping_scene(parted);
    static const char *const names[] = {"trunk", "a", "b", "c"};
    add_straight(scene, "trunk", (cab_vec3){-0.4, 0, 1}, (cab_vec3){0, 0, 1}, SEGMENTS);
    hold(scene, "trunk", (cab_place){0}, true);
    for (int i = 1; i < 4; i++) {
        add_straight(scene, names[i], (cab_vec3){0, 0, 1}, (cab_vec3){0.4, 0.002 * (i - 2), 1}, SEGMENTS);
        join(scene, names[i], (cab_place){0}, "trunk", at_end());
    }
    return scene;
}

static void what_leaves_a_node_side_by_side_is_apart(void **state)
{
    (void)state;
    enum {
        ROW = SEGMENTS + 1,
        NEIGHBOURS = 2
    }; /* docs/scene.md: fewer than two segments between never touch */
    snapshot drawn = start_of(siblings(false)), parted = start_of(siblings(true));
    for (int i = 1; i < 4; i++) {
        keeps_lengths(&parted, i * ROW, hypot(0.4, 0.002 * (i - 2)) / SEGMENTS);
        for (int k = 1; k < i; k++) {
            at_most(smallest_gap(&drawn, i * ROW, k * ROW, NEIGHBOURS), 0.001);
            at_least(smallest_gap(&parted, i * ROW, k * ROW, NEIGHBOURS), APART);
        }
    }
    snapshot_free(&drawn);
    snapshot_free(&parted);
}

/* Two ropes pulled straight between the same two holds have nowhere to go: they stay, and the run judges them. */
static void what_has_no_room_stays(void **state)
{
    (void)state;
    snapshot s[2];
    for (int parted = 0; parted < 2; parted++) {
        cab_scene *scene = overlapping_scene(parted);
        for (int i = 0; i < 2; i++) {
            const char *name = i ? "b" : "a";
            add_straight(scene, name, (cab_vec3){0, 0.001 * i, 1}, (cab_vec3){0.4, 0.001 * i, 1}, SEGMENTS);
            hold(scene, name, (cab_place){0}, true);
            hold(scene, name, at_end(), true);
        }
        s[parted] = start_of(scene);
    }
    keeps_lengths(&s[1], 0, 0.4 / SEGMENTS);
    at_most(largest_difference(&s[0], &s[1]), 0.001);
    snapshot_free(&s[0]);
    snapshot_free(&s[1]);
}

/* Where nothing overlaps nothing is moved, and without contact nothing overlaps. */
static void what_is_apart_stays(void **state)
{
    (void)state;
    snapshot s[2];
    for (int contact = 0; contact < 2; contact++) {
        for (int parted = 0; parted < 2; parted++) {
            cab_scene *scene = crossing(parted, contact ? 2.1 * RADIUS : 0);
            cab_scene_settings(scene)->contact.cables = cab_scene_settings(scene)->contact.self = contact;
            s[parted] = start_of(scene);
        }
        same_bytes(&s[0], &s[1], contact ? "apart" : "without contact");
        snapshot_free(&s[0]);
        snapshot_free(&s[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_crosses_is_apart),
        cmocka_unit_test(what_leaves_a_node_side_by_side_is_apart),
        cmocka_unit_test(what_has_no_room_stays),
        cmocka_unit_test(what_is_apart_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

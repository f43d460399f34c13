/* Clusters: cables that pull hard where they touch (kernels/cluster.cl). A rope with a weight on each end hangs over another
 * rope, which is slack and held at both ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "world/world.h"
#include "state.h"
#include "worlds.h"

#define RADIUS 0.005
#define FRICTION 0.3 /* half a turn holds weights of a ratio up to e^(0.3 pi) = 2.57 */
#define ARC 13       /* points of the path on half a turn */
#define HANGS 0.25   /* m; on each side */

/* Without cables; their material is "rope". */
static cab_scene *roped(double damping)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->contact.cables = true;
    cab_material_def rope = wire_of("rope", RADIUS, 0);
    rope.linear_density = 0.05;
    rope.friction = FRICTION;
    rope.damping = damping;
    add_material(scene, rope);
    return scene;
}

/* The weights' masses, kg, and the segments of each rope. */
static cab_scene *crossed(double mass, double other, int segments)
{
    cab_scene *scene = roped(0);
    cab_vec3 under[41], over[ARC + 2];
    for (int i = 0; i <= 40; i++)
        under[i] = (cab_vec3){0, -0.5 + i / 40.0, 1 + 0.08 * (1 - sin(3.14159265358979 * i / 40))};
    for (int i = 0; i < ARC; i++) {
        double angle = 3.14159265358979 * i / (ARC - 1);
        over[i + 1] = (cab_vec3){-2 * RADIUS * cos(angle), 0, 1 + 2 * RADIUS * sin(angle)};
    }
    over[0] = (cab_vec3){-2 * RADIUS, 0, 1 - HANGS};
    over[ARC + 1] = (cab_vec3){2 * RADIUS, 0, 1 - HANGS};
    cab_cable_def below = straight_of("under", "rope", under, segments), above = below;
    below.path = under;
    below.path_count = 41;
    above.name = "over";
    above.path = over;
    above.path_count = ARC + 2;
    add_cable(scene, below);
    add_cable(scene, above);
    hold(scene, "under", (cab_place){.kind = CAB_PLACE_START}, false);
    hold(scene, "under", at_end(), false);
    hang_weight(scene, "over", (cab_place){.kind = CAB_PLACE_START}, mass);
    hang_weight(scene, "over", at_end(), other);
    return scene;
}

/* A point on a half circle around `at`, from its left to its right end, `up` or below. */
static cab_vec3 on_half(cab_vec3 at, double radius, cab_vec3 along, double up, int i)
{
    double angle = 3.14159265358979 * i / (ARC - 1), c = -radius * cos(angle), s = radius * sin(angle);
    return (cab_vec3){at.x + c * along.x, at.y + c * along.y, at.z + up * s};
}

/* A rope that hangs over a half circle, or stands under one; it goes on straight for `length` m on both sides. */
static void add_bow(cab_scene *scene, const char *name, cab_vec3 at, double radius, cab_vec3 along, double up,
                    double length, int segments)
{
    cab_vec3 path[ARC + 2];
    for (int i = 0; i < ARC; i++) path[i + 1] = on_half(at, radius, along, up, i);
    path[0] = path[1];
    path[ARC + 1] = path[ARC];
    path[0].z = path[ARC + 1].z = at.z - up * length;
    cab_cable_def bow = straight_of(name, "rope", path, segments);
    bow.path = path;
    bow.path_count = ARC + 2;
    add_cable(scene, bow);
}

/* Two ropes, each a bow around the other one, their planes at an angle: the upper one held at its ends, and a weight on each
 * end of the lower one. */
static cab_scene *interlocked(double mass, double degrees, int segments)
{
    double turn = degrees * 3.14159265358979 / 180;
    cab_scene *scene = roped(4);
    add_bow(scene, "upper", (cab_vec3){0, 0, 1 + 2 * RADIUS}, 2 * RADIUS, (cab_vec3){1, 0, 0}, -1, HANGS,
            segments);
    add_bow(scene, "lower", (cab_vec3){0, 0, 1 - 0.2 * RADIUS}, 2 * RADIUS,
            (cab_vec3){cos(turn), sin(turn), 0}, 1, HANGS, segments);
    hold(scene, "upper", (cab_place){.kind = CAB_PLACE_START}, false);
    hold(scene, "upper", at_end(), false);
    hang_weight(scene, "lower", (cab_place){.kind = CAB_PLACE_START}, mass);
    hang_weight(scene, "lower", at_end(), mass);
    return scene;
}

#define SLACK 3 /* ropes side by side */

/* `count` ropes with a weight on each end hang over three slack ropes, which are held at both ends, 5 cm apart. */
static cab_scene *over_three(double mass, int count, int segments)
{
    cab_scene *scene = roped(4);
    for (int k = 0; k < SLACK; k++) {
        cab_vec3 under[41];
        char name[] = "under0";
        name[5] = (char)('0' + k);
        for (int i = 0; i <= 40; i++)
            under[i] =
                (cab_vec3){0.05 * (k - 1), -0.5 + i / 40.0, 1 + 0.08 * (1 - sin(3.14159265358979 * i / 40))};
        cab_cable_def below = straight_of(name, "rope", under, segments);
        below.path = under;
        below.path_count = 41;
        add_cable(scene, below);
        hold(scene, name, (cab_place){.kind = CAB_PLACE_START}, false);
        hold(scene, name, at_end(), false);
    }
    for (int k = 0; k < count; k++) {
        double y = 0.04 * (k - 0.5 * (count - 1)), top = 1 + 2 * RADIUS, side = 0.05 + 2 * RADIUS;
        const cab_vec3 path[4] = {
            {-side, y, top - HANGS}, {-side, y, top}, {side, y, top}, {side, y, top - HANGS}};
        char name[] = "over0";
        name[4] = (char)('0' + k);
        cab_cable_def above = straight_of(name, "rope", path, segments);
        above.path = path;
        above.path_count = 4;
        add_cable(scene, above);
        hang_weight(scene, name, (cab_place){.kind = CAB_PLACE_START}, mass);
        hang_weight(scene, name, at_end(), mass);
    }
    return scene;
}

static double height(cab_world *world, int particle)
{
    double place[3];
    node_place(world, particle, place);
    return place[2];
}

/* Weights of 1 kg on a rope of 50 g/m: tension's stiffness across a segment is 2.2 times its inertia over a substep squared.
 * By bare masses the rope falls through. Drawn with some slack it falls onto the other one, and after 1.25 s it
 * rests, at two resolutions: weights sink by less than 1 mm/s, and ropes overlap by less than a hundredth of a thickness. */
static void a_loaded_rope_rests(void **state)
{
    (void)state;
    static const int segments[2] = {63, 95};
    for (int k = 0; k < 2; k++) {
        cab_world *world = take(crossed(1, 1, segments[k]), "native", 2);
        int start = segments[k] + 1, end = 2 * segments[k] + 1;
        step(world, 74);
        double a = height(world, start), b = height(world, end);
        step(world, 1);
        assert_true(world->staged.clusters);
        at_most(measure(world).penetration_max, 0.01 * 2 * RADIUS);
        at_most(measure(world).stretch_max, 1e-3);
        at_most(fabs(height(world, start) - a), 1e-3 / 60);
        at_most(fabs(height(world, end) - b), 1e-3 / 60);
        cab_world_destroy(world);
    }
}

/* Steps a world, and looks whether it rests then: nothing moves by more than `speed` m/s, ropes overlap by less than a tenth of
 * a thickness, and are as long as they should be. Who falls through is gone by then. */
static void rests(cab_scene *scene, int frames, double speed)
{
    cab_world *world = take(scene, "native", 2);
    step(world, frames);
    assert_true(world->staged.clusters);
    at_most(measure(world).penetration_max, 0.1 * 2 * RADIUS);
    at_most(measure(world).stretch_max, 2e-4); /* a pass ends with lengths within 1e-4 */
    at_most(measure(world).speed_max, speed);
    cab_world_destroy(world);
}

/* Two ropes hang in each other at several angles, resolutions and loads; the weights swing by a few mm/s still. */
static void bows_hold_each_other(void **state)
{
    (void)state;
    rests(interlocked(1, 90, 63), 90, 5e-3);
    rests(interlocked(1, 60, 63), 90, 5e-3);
    rests(interlocked(0.2, 90, 41), 90, 5e-3);
}

/* One and three ropes over three others: a rope has contacts at several places. */
static void several_crossings_hold(void **state)
{
    (void)state;
    rests(over_three(1, 1, 63), 120, 0.01);
    rests(over_three(1, 3, 63), 120, 0.01);
}

/* Two ropes that are drawn nearly straight, one along the other: more contacts than one block of an operator has rows. By masses
 * they are stretched by 0.5 %. */
static void more_than_a_block_holds(void **state)
{
    (void)state;
    cab_scene *scene = roped(4);
    for (int k = 0; k < 2; k++) {
        double z = k * (2 * RADIUS + 5e-4);
        const cab_vec3 path[3] = {{-0.5, 0, z}, {0, 0, z - 0.01}, {0.5, 0, z}};
        const char *name = k ? "above" : "below";
        cab_cable_def rope = straight_of(name, "rope", path, 255);
        rope.path = path;
        rope.path_count = 3;
        add_cable(scene, rope);
        hold(scene, name, (cab_place){.kind = CAB_PLACE_START}, false);
        hold(scene, name, at_end(), false);
    }
    cab_world *world = take(scene, "native", 2);
    step(world, 3);
    assert_true(world->staged.clusters);
    at_least(world->staged.cluster_need[CAB_CLUSTERS_CONTACTS], CAB_CLUSTER_BLOCK + 1);
    at_most(measure(world).stretch_max, 1e-4);
    at_most(measure(world).penetration_max, 0.1 * 2 * RADIUS);
    cab_world_destroy(world);
}

/* How far the heavier of two weights sinks in a quarter of a second, after 1.75 s: until then they bounce and swing. */
static double sinks(double ratio)
{
    cab_world *world = take(crossed(0.2, ratio * 0.2, 63), "native", 2);
    step(world, 105);
    double before = height(world, 127);
    step(world, 15);
    double after = height(world, 127);
    at_most(measure(world).penetration_max, 0.01 * 2 * RADIUS);
    cab_world_destroy(world);
    return before - after;
}

/* It holds where Coulomb's law says so, and slides beyond: 0.1 mm is what the weights still swing by. */
static void friction_holds_as_far_as_it_does(void **state)
{
    (void)state;
    at_most(sinks(2.2), 1e-4);
    at_least(sinks(2.9), 0.1); /* in fact it has fallen off by then */
}

static cab_scene *loaded(const void *what)
{
    (void)what;
    return crossed(1, 1, 63);
}

static bool is_clustered(const cab_world *world)
{
    return world->staged.clusters;
}

/* The same bytes on both backends, on any number of threads, and after going on from a state. */
static void the_state_decides(void **state)
{
    (void)state;
    assert_true(same_everywhere(loaded, NULL, 10, is_clustered).set >= 5);
}

/* What hangs slack over another one needs no cluster. */
static void what_hangs_slack_goes_by_masses(void **state)
{
    (void)state;
    cab_world *world = take(crossed(1e-4, 1e-4, 63), "native", 2);
    step(world, 5);
    assert_true(measure(world).contacts_max > 0);
    assert_false(world->staged.clusters);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bows_hold_each_other),
        cmocka_unit_test(several_crossings_hold),
        cmocka_unit_test(more_than_a_block_holds),
        cmocka_unit_test(a_loaded_rope_rests),
        cmocka_unit_test(friction_holds_as_far_as_it_does),
        cmocka_unit_test(the_state_decides),
        cmocka_unit_test(what_hangs_slack_goes_by_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the direct method does with cable that is paid out and reeled in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "feed.h"

/* Slowly reeled in, a pendulum keeps its action E/omega, so that the swing x ~ length^(1/4) (P. Ehrenfest, 1916): the drum's work goes
 * into the swing. By the direct method: 0.14 % more than that. */
static double swing_of(cab_world *world, double seconds)
{
    double most = 0;
    for (int i = 0; i < seconds * RATE; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        most = fmax(most, fabs(s.x[s.nodes - 1][0]));
        snapshot_free(&s);
    }
    return most;
}

static void a_pendulum_swings_further(void **state)
{
    (void)state;
    const cab_feed_keyframe frames[] = {{2, 0}, {14, -0.09}};
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT, 40, 1);
    add_material(scene, wire_of("wire", 0.001, 0));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 0}, {0.01, 0, -0.2498}}, 10);
    cable.feed = (cab_feed_def){frames, 2, false, 0};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    hang_weight(scene, "a", at_end(), 2);
    cab_world *world = native_world(scene);
    double before = swing_of(world, 2);
    step(world, (int)(12 * RATE));
    double after = swing_of(world, 2);
    near_to(after / before, pow(0.16 / 0.25, 0.25), 0.005);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* Where a cable is bent at the particle that comes onto the drum, the segment beside it is shorter from then on than both were. That
 * length is not met at once: the pull at the other end stays what it is. Met at once, it fell to -0.6 N here. */
static void what_comes_on_gives_no_blow(void **state)
{
    (void)state;
    const cab_feed_keyframe frames[] = {{2, 0}, {6, -0.15}};
    cab_scene *scene = slack(CAB_METHOD_DIRECT, 14, false, frames, COUNT_OF(frames));
    cab_scene_settings(scene)->frame_rate = 240;
    cab_scene_settings(scene)->substeps = 20;
    cab_world *world = native_world(scene);
    step(world, 480);
    double low = INFINITY, high = 0;
    for (int i = 0; i < 960; i++) {
        step(world, 1);
        snapshot s = read_world(world);
        low = fmin(low, s.tension[s.nodes - 2]);
        high = fmax(high, s.tension[s.nodes - 2]);
        snapshot_free(&s);
    }
    at_least(low, 0.1);
    at_most(high, 0.3);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A fed cable joined to the middle of another one hangs as one that is built as long as what is out. */
static cab_world *joined_world(bool fed, bool top, int part)
{
    static const cab_feed_keyframe frames[] = {{0, 0}, {1, -0.15}};
    cab_scene *scene = scene_by(CAB_METHOD_DIRECT, 40, 1);
    cab_material_def wire = wire_of("wire", 0.003, 5e-4);
    wire.damping = 6;
    add_material(scene, wire);
    const cab_vec3 ends[2] = {{0, 0, 1}, {0.5, 0, 1}}, turned[2] = {{0.5, 0, 1}, {0, 0, 1}};
    cab_cable_def cable = straight_of("a", "wire", top ? turned : ends, part * (fed ? 14 : 11));
    cable.length = fed ? 0.7 : 0.55;
    if (fed) cable.feed = (cab_feed_def){frames, 2, top, 0};
    add_cable(scene, cable);
    add_straight(scene, "b", (cab_vec3){0.5, -0.3, 1}, (cab_vec3){0.5, 0.3, 1}, 12);
    hold(scene, "a", top ? at_end() : (cab_place){0}, false);
    hold(scene, "b", (cab_place){0}, false);
    hold(scene, "b", at_end(), false);
    cab_attachment_def joint = cab_attachment_default();
    joint.cable = "a";
    joint.at = top ? (cab_place){0} : at_end();
    joint.to = CAB_TARGET_CABLE;
    joint.target = "b";
    joint.target_at = at_fraction(0.5);
    joint.clamp = true;
    add_attachment(scene, joint);
    cab_world *world = native_world(scene);
    step(world, 300);
    cab_scene_destroy(scene);
    return world;
}

static void joined_cables_are_fed(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        cab_world *world[2] = {joined_world(false, k % 2, 1 + k / 2), joined_world(true, k % 2, 1 + k / 2)};
        snapshot built = read_world(world[0]), fed = read_world(world[1]);
        int more = fed.nodes - built.nodes, first = k % 2 ? 0 : more;
        int own = cab_world_get_cable(world[0], 0).node_count;
        double worst = 0;
        for (int i = 0; i < built.nodes; i++)
            worst = fmax(worst, distance3(built.x[i], fed.x[i + (i < own ? first : more)]));
        at_most(worst, 1e-4);
        snapshot_free(&built);
        snapshot_free(&fed);
        cab_world_destroy(world[0]);
        cab_world_destroy(world[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_swings_further),
        cmocka_unit_test(what_comes_on_gives_no_blow),
        cmocka_unit_test(joined_cables_are_fed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Whole frames of joined cables (carrier/net_frame.h): that they are taken while nothing touches, give what stage by stage gives,
 * depend on the state only, and that a frame in which something touches goes on from its start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "state.h"
#include "world/world.h"
#include "worlds.h"

#define RADIUS 0.003

static cab_scene *scene_by(cab_way way)
{
    cab_scene *scene = scene_of(20);
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    cab_scene_settings(scene)->way = way;
    cab_scene_settings(scene)->max_substeps = 0; /* what touches would go on in pieces of substeps */
    cab_scene_settings(scene)->contact.cables = cab_scene_settings(scene)->contact.self = true;
    add_material(scene, wire_of("wire", RADIUS, 1e-3));
    add_material(scene, wire_of("thin", RADIUS / 2, 1e-5));
    return scene;
}

/* A net at (0, y, 1): a trunk that is held at its start; two branches of unlike length between its end and a second junction, which
 * make a ring; from there a twig, and from its end two wires of two and of one segment to a hold. */
static void add_net(cab_scene *scene, const char *name, double y)
{
    char n[6][16];
    const cab_vec3 hold_at = {0.62, y, 1.02}, bow[3] = {{0.2, y, 1}, {0.3, y + 0.1, 1}, {0.4, y, 1}};
    const struct {
        const char *material;
        cab_vec3 from, to;
        int segments, after; /* the cable that it starts from */
    } parts[] = {
        {"wire", {0, y, 1}, {0.2, y, 1}, 10, -1},     {"wire", {0.2, y, 1}, {0.4, y, 1}, 8, 0},
        {"wire", {0.2, y, 1}, {0.4, y, 1}, 12, 0},    {"thin", {0.4, y, 1}, {0.6, y, 1}, 14, 1},
        {"thin", {0.6, y, 1}, {0.62, y, 1.02}, 2, 3}, {"thin", {0.6, y, 1}, {0.6, y - 0.02, 1}, 1, 3}};
    for (int i = 0; i < COUNT_OF(parts); i++) {
        snprintf(n[i], sizeof n[i], "%s%d", name, i);
        cab_vec3 ends[3] = {parts[i].from, parts[i].to};
        cab_cable_def cable = straight_of(n[i], parts[i].material, ends, parts[i].segments);
        if (i == 2) {
            cable.path = bow;
            cable.path_count = 3;
        }
        add_cable(scene, cable);
        if (parts[i].after >= 0) join(scene, n[i], (cab_place){0}, n[parts[i].after], at_end());
    }
    join(scene, n[2], at_end(), n[1], at_end());
    hold(scene, n[0], (cab_place){0}, false);
    if (hold_at.y > 0) hold(scene, n[4], at_end(), false);
}

/* Two such nets, of which the second swings down to a floor, a cable by itself, and a small net that falls. */
static cab_scene *nets(cab_way way, double floor)
{
    cab_scene *scene = scene_by(way);
    add_net(scene, "a", 1);
    add_net(scene, "b", 0);
    add_straight(scene, "alone", (cab_vec3){0, 3, 1}, (cab_vec3){0.2, 3, 1}, 9);
    add_straight(scene, "x", (cab_vec3){0, 4, 1}, (cab_vec3){0.2, 4, 1}, 6);
    add_straight(scene, "y", (cab_vec3){0.2, 4, 1}, (cab_vec3){0.2, 4.2, 1}, 3);
    join(scene, "y", (cab_place){0}, "x", at_end());
    add_floor(scene, floor);
    return scene;
}

static cab_scene *nets_by_auto(const void *floor)
{
    return nets(CAB_WAY_AUTO, *(const double *)floor);
}

static bool in_nets(const cab_world *world)
{
    return world->clear.nets && world->clear.now;
}

#define FRAMES 8

static snapshot after(cab_scene *scene, int frames)
{
    cab_world *world = take(scene, "native", 2);
    step(world, frames);
    at_most(measure(world).stretch_worst, 1e-4);
    snapshot s = read_world(world);
    cab_world_destroy(world);
    return s;
}

/* Both ways solve the same equations, to lengths within 1e-4; what they differ by is the order of operations. With passes that
 * leave 1e-4 of a length of 2 cm, 2 um, in each of some frames: */
static void goes_where_stages_go(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512"};
    double floor = 0;
    assert_int_equal(frames_that(in_nets, nets_by_auto(&floor), FRAMES), FRAMES);
    snapshot one = after(nets_by_auto(&floor), FRAMES), staged = after(nets(CAB_WAY_STAGED, floor), FRAMES);
    double most = largest_difference(&one, &staged);
    at_most(most, 1e-5);
    assert_true(most > 0); /* else these were no frames of nets */
    snapshot_free(&staged);
    for (int i = 0; i < COUNT_OF(sets); i++) {
        cab_error error = {0};
        cab_world *world = NULL;
        cab_world_def def = cab_world_default();
        cab_scene *scene = nets_by_auto(&floor);
        setenv("CLCABLE_ISA", sets[i], 1);
        def.device = "native";
        bool has = cab_world_create(scene, &def, &world, &error) == CAB_OK;
        cab_scene_destroy(scene);
        cab_world_destroy(world);
        if (!has) continue;
        snapshot other = after(nets_by_auto(&floor), FRAMES);
        same_bytes(&one, &other, sets[i]);
        snapshot_free(&other);
    }
    unsetenv("CLCABLE_ISA");
    snapshot_free(&one);
}

/* The net that is not held at both ends swings down to the floor, and touches it from some frame on. */
static void depends_on_the_state_only(void **state)
{
    (void)state;
    double floor = 0.85;
    flag_count count = same_everywhere(nets_by_auto, &floor, 14, in_nets);
    assert_in_range(count.set, 2, 12);
    assert_true(count.changes >= 2);
}

/* A cable held at both ends, and another one that falls onto it so fast that it would pass through it within a frame. It is joined to
 * its start, or far away to a cable at its end. */
static cab_scene *falling(cab_way way, bool meets)
{
    cab_scene *scene = scene_by(way);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.4, 0, 1}, 20);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    if (meets) {
        add_straight(scene, "b", (cab_vec3){0, 0, 1}, (cab_vec3){0.36, 0, 1.16}, 20);
        join(scene, "b", (cab_place){0}, "a", (cab_place){0});
        return scene;
    }
    add_straight(scene, "c", (cab_vec3){0.4, 0, 1}, (cab_vec3){0.4, 0, 1.3}, 6);
    join(scene, "c", (cab_place){0}, "a", at_end());
    cab_vec3 ends[2] = {{0.4, 0, 1.3}, {0.1, 0, 1.3}};
    cab_cable_def d = straight_of("d", "wire", ends, 20);
    d.velocity = (cab_vec3){0, 0, -3};
    add_cable(scene, d);
    join(scene, "d", (cab_place){0}, "c", at_end());
    return scene;
}

/* What falls goes where it goes stage by stage until it lies on the other one, a third of a radius at most apart; it would be
 * further off by more than a radius had it passed. */
static void nothing_passes(void **state)
{
    (void)state;
    for (int meets = 0; meets < 2; meets++) {
        cab_world *world = take(falling(CAB_WAY_AUTO, meets), "native", 2),
                  *staged = take(falling(CAB_WAY_STAGED, meets), "native", 2);
        int frames = 0, contacts = 0;
        for (int frame = 0; frame < 40 && contacts == 0; frame++) {
            step(world, 1);
            step(staged, 1);
            frames += in_nets(world);
            contacts = measure(staged).contacts_max;
            assert_int_equal(measure(world).contacts_max > 0, contacts > 0);
            snapshot a = read_world(world), b = read_world(staged);
            at_most(largest_difference(&a, &b), RADIUS / 3);
            snapshot_free(&a);
            snapshot_free(&b);
        }

        assert_true(frames > 1 && contacts > 0);
        cab_world_destroy(world);
        cab_world_destroy(staged);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_where_stages_go),
        cmocka_unit_test(depends_on_the_state_only),
        cmocka_unit_test(nothing_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

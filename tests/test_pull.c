/* The pull of a hand: a damped spring from a node to a point. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worlds.h"

#define GRAVITY 9.81
#define REACTION 0.1 /* s; k = M / REACTION^2, c = k REACTION */

static const cab_method rigid[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT, CAB_METHOD_PBD, CAB_METHOD_JAKOBSEN,
                                   CAB_METHOD_STIFF_SPRINGS};

/* A level cable of 0.6 m on its own, so that the fast ways can be had. */
static cab_scene *cable_scene(cab_method method, int segments, double damping)
{
    cab_scene *scene = scene_of(20);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    if (method == CAB_METHOD_SPRINGS) s->substeps = 200;
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = damping;
    if (method == CAB_METHOD_SPRINGS) wire.stretching_stiffness = 200;
    if (method == CAB_METHOD_SPRINGS) s->springs.damping = 0.5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.6, 0, 1}, segments);
    return scene;
}

static void pull(cab_world *world, int node, cab_vec3 point, double stiffness)
{
    cab_error error = {0};
    must(cab_world_pull(world, node, point, stiffness, &error), &error);
}

static void let_go(cab_world *world)
{
    cab_error error = {0};
    must(cab_world_let_go(world, &error), &error);
}

/* The spring bears the weight, whatever the method: z = point - M g / k, by mass or by the user's k. */
static void what_hangs_on_it_hangs_by_its_weight(void **state)
{
    (void)state;
    const double mass = 0.05 * 0.6, given = 20;
    for (int i = 0; i < COUNT_OF(rigid) + 1; i++) {
        cab_method method = i < COUNT_OF(rigid) ? rigid[i] : CAB_METHOD_SPRINGS;
        for (int fine = 0; fine < 2; fine++) {
            cab_scene *scene = cable_scene(method, fine ? 63 : 15, 3);
            cab_world *world = native_world(scene);
            double k = fine ? given : mass / (REACTION * REACTION), place[3];
            pull(world, 0, (cab_vec3){0, 0, 1.5}, fine ? given : 0);
            step(world, 480); /* swings die down by exp(-1.5 t) */
            node_place(world, 0, place);
            /* what is left of the swing; floats */
            near_to(1.5 - place[2], mass * GRAVITY / k, 2e-4 * mass * GRAVITY / k + 1e-5);
            near_to(place[0], 0, 2e-5);
            cab_scene_destroy(scene);
            cab_world_destroy(world);
        }
    }
}

/* One segment moves as a whole: a mass M on a damped spring of w0 = 1/REACTION, half of critical damping,
 * that gravity begins to pull down. */
static void it_swings_as_a_damped_spring_does(void **state)
{
    (void)state;
    const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT, CAB_METHOD_PBD};
    const double zeta = 0.5, w0 = 1 / REACTION, wd = w0 * sqrt(1 - zeta * zeta), sag = GRAVITY / (w0 * w0);
    for (int i = 0; i < COUNT_OF(methods); i++) {
        double worst[2] = {0, 0};
        for (int fine = 0; fine < 2; fine++) {
            /* upright, so that it does not turn */
            cab_scene *scene = scene_of(fine ? 40 : 20);
            cab_scene_settings(scene)->method = methods[i];
            add_material(scene, wire_of("wire", 0.003, 0));
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.9}, 1);
            cab_world *world = native_world(scene);
            double place[3], x = 0;
            pull(world, 0, (cab_vec3){0, 0, 1}, 0);
            for (int frame = 1; frame <= 40; frame++) {
                double t = frame / 60.0;
                x = sag * (1 - exp(-zeta * w0 * t) * (cos(wd * t) + zeta * w0 / wd * sin(wd * t)));
                step(world, 1);
                node_place(world, 0, place);
                worst[fine] = fmax(worst[fine], fabs(1 - place[2] - x) / sag);
            }
            cab_scene_destroy(scene);
            cab_world_destroy(world);
        }
        /* backward Euler and its kin: w0 h / 2 = 0.4 %, a part of it twice; BDF2's first substep is of first
         * order: (w0 h)^2. Half the step halves the error, or better */
        bool second = methods[i] == CAB_METHOD_DIRECT; /* order: half the step, a quarter of the error */
        at_most(worst[0], second ? 1e-4 : 1e-2);
        at_most(worst[1], (second ? 0.3 : 0.6) * worst[0] + 1e-6);
    }
}

/* From further away than 0.3 m it pulls no harder than from there: a = 0.3 k/M, braked by c/M = 0.1 k/M of the speed. */
static void it_pulls_no_harder_from_far_away(void **state)
{
    (void)state;
    const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    const double mass = 0.05 * 0.1, k = 0.1, most = 0.3 * k / mass, brake = REACTION * k / mass;
    for (int i = 0; i < COUNT_OF(methods); i++) {
        for (double far = 0.5; far < 20; far *= 5) {
            cab_scene *scene = scene_of(20);
            cab_scene_settings(scene)->method = methods[i];
            cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
            add_material(scene, wire_of("wire", 0.003, 0));
            add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 0.9}, 1);
            cab_world *world = native_world(scene);
            pull(world, 0, (cab_vec3){0, 0, 1 + far}, k);
            step(world, 4);
            snapshot now = read_world(world);
            double speed = most / brake * (1 - exp(-brake * 4 / 60));
            near_to(now.v[0][2], speed,
                    2e-3 * speed); /* 80 substeps: an order of 1/80 of the 6 % that brake */
            snapshot_free(&now);
            cab_scene_destroy(scene);
            cab_world_destroy(world);
        }
    }
}

/* The largest stretch while a cable of 64 particles is pulled at node 50 to 4 m above; without `pulls` while
 * it hangs from there. */
static double worst_stretch(cab_method method, int substeps, bool pulls)
{
    cab_scene *scene = cable_scene(method, 63, 0);
    cab_scene_settings(scene)->substeps = substeps;
    if (method == CAB_METHOD_JACOBI) cab_scene_settings(scene)->iterations = 10;
    if (!pulls) hold(scene, "a", at_particle(50), false);
    cab_world *world = native_world(scene);
    double worst = 0, place[3];
    for (int frame = 0; frame < 150; frame++) {
        if (pulls) pull(world, 50, (cab_vec3){0.47, 0, 5}, 0);
        step(world, 1);
        worst = fmax(worst, measure(world).stretch_max);
    }
    node_place(world, 50, place);
    if (pulls) near_to(place[2], 5, 0.3); /* still swinging about 5 - 0.1 */
    cab_scene_destroy(scene);
    cab_world_destroy(world);
    return worst;
}

/* With every method a sudden pull tears no more than hanging does: its force is three times the weight at
 * most.
 */
static void a_sudden_pull_tears_nothing(void **state)
{
    (void)state;
    const cab_method methods[] = {CAB_METHOD_XPBD,     CAB_METHOD_DIRECT,        CAB_METHOD_PBD,
                                  CAB_METHOD_JAKOBSEN, CAB_METHOD_STIFF_SPRINGS, CAB_METHOD_JACOBI};
    for (int i = 0; i < 2 * COUNT_OF(methods); i++) {
        int substeps = i & 1 ? 20 : 8;
        double hangs = worst_stretch(methods[i / 2], substeps, false);
        at_most(worst_stretch(methods[i / 2], substeps, true), hangs + 1e-4);
    }
}

/* Stiff as can be and few substeps: the node goes where the hand leads it. */
static void no_stiffness_makes_it_unstable(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * COUNT_OF(rigid); i++) {
        cab_scene *scene = cable_scene(rigid[i / 2], 15, 1);
        cab_scene_settings(scene)->substeps = i & 1 ? 5 : 20;
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -1};
        cab_world *world = native_world(scene);
        double place[3];
        for (int frame = 0; frame < 60; frame++) {
            pull(world, 8, (cab_vec3){0.32, 0.5 * (frame + 1) / 60, 1}, 1e9);
            step(world, 1);
            at_most(measure(world).speed_max, 5); /* ends lash a few times as fast as the hand */
        }
        node_place(world, 8, place);
        near_to(place[1], 0.5 - 0.5 * REACTION, 0.002); /* the damper's lag, v REACTION */
        step(world, 120);
        node_place(world, 8, place);
        near_to(place[1], 0.5, 1e-4);
        near_to(place[2], 1, 1e-4);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A harness of two joined cables under a third, on a floor: pulled at a leaf, all that is joined comes up. */
static cab_scene *heap_scene(cab_method method)
{
    cab_scene *scene = scene_of(20);
    cab_settings *s = cab_scene_settings(scene);
    s->method = method;
    s->contact.cables = true;
    cab_material_def wire = wire_of("wire", 0.004, 1e-4);
    wire.damping = 1;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 0.005}, (cab_vec3){0.6, 0, 0.005}, 63);
    add_straight(scene, "b", (cab_vec3){0.3, 0, 0.005}, (cab_vec3){0.3, 0.3, 0.005}, 20);
    join(scene, "b", (cab_place){0}, "a", at_fraction(0.5));
    add_straight(scene, "c", (cab_vec3){0.15, -0.2, 0.014}, (cab_vec3){0.15, 0.2, 0.014}, 20);
    add_floor(scene, 0);
    return scene;
}

static void it_lifts_all_that_is_joined(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_scene *scene = heap_scene(i ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD);
        cab_world *world = native_world(scene);
        int leaf = cab_world_get_cable(world, 1).first_node + 20;
        step(world, 20);
        for (int frame = 0; frame < 60; frame++) {
            pull(world, leaf, (cab_vec3){0.3, 0.3, 1.2 * (frame + 1) / 60}, 0);
            step(world, 1);
        }
        step(world, 360);
        snapshot s = read_world(world);
        cab_cable_info a = cab_world_get_cable(world, 0), c = cab_world_get_cable(world, 2);
        for (int k = 0; k < a.node_count; k++) at_least(s.x[a.first_node + k][2], 0.1);
        near_to(1.2 - s.x[leaf][2], GRAVITY * REACTION * REACTION, 0.01 * GRAVITY * REACTION * REACTION);
        at_most(s.x[c.first_node][2], 0.1); /* not joined, slid off */
        /* coloured XPBD, one iteration: as under any hold */
        at_most(measure(world).stretch_max, i ? 1e-3 : 0.2);
        snapshot_free(&s);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

static void devices_agree(void **state)
{
    (void)state;
    char pocl[32];
    if (!find_device(POCL, pocl)) skip();
    for (int i = 0; i < 2 * COUNT_OF(rigid); i++) {
        bool heap = i & 1;
        cab_method method = rigid[i / 2];
        if (heap && method != CAB_METHOD_XPBD && method != CAB_METHOD_DIRECT) continue;
        cab_scene *scene = heap ? heap_scene(method) : cable_scene(method, 31, 1);
        cab_world *world[2] = {native_world(scene), world_on(scene, pocl, 0)};
        snapshot s[2];
        for (int k = 0; k < 2; k++) {
            step(world[k], 3);
            pull(world[k], 12, (cab_vec3){0.2, 0.1, 1.3}, 0);
            step(world[k], 5);
            pull(world[k], 12, (cab_vec3){0.3, 0.2, 1.2}, 0);
            step(world[k], 5);
            let_go(world[k]);
            step(world[k], 3);
            s[k] = read_world(world[k]);
        }
        same_bytes(&s[0], &s[1], "native and PoCL");
        for (int k = 0; k < 2; k++) {
            snapshot_free(&s[k]);
            cab_world_destroy(world[k]);
        }
        cab_scene_destroy(scene);
    }
}

/* After letting go it goes on as a world that was never pulled and was put into the same state, in the same
 * way; grabbed and let go without a frame in between XPBD is as if nothing had been. */
static void letting_go_leaves_nothing_behind(void **state)
{
    (void)state;
    const struct {
        cab_method method;
        cab_way way;
        bool heap;
    } cases[] = {{CAB_METHOD_XPBD, CAB_WAY_FUSED, false},   {CAB_METHOD_DIRECT, CAB_WAY_LANES, false},
                 {CAB_METHOD_XPBD, CAB_WAY_COLOURED, true}, {CAB_METHOD_DIRECT, CAB_WAY_STAGED, true},
                 {CAB_METHOD_PBD, CAB_WAY_COLOURED, false}, {CAB_METHOD_JACOBI, CAB_WAY_COLOURED, false}};
    for (int i = 0; i < COUNT_OF(cases); i++) {
        cab_error error = {0};
        cab_scene *scene =
            cases[i].heap ? heap_scene(cases[i].method) : cable_scene(cases[i].method, 31, 0.5);
        cab_world *pulled = native_world(scene), *other = native_world(scene);
        void *data;
        size_t size;
        assert_int_equal(cab_world_get_info(pulled).way, cases[i].way);
        step(pulled, 4);
        step(other, 4);
        pull(pulled, 7, (cab_vec3){0.2, 0.1, 1.3}, 0);
        let_go(pulled);
        step(pulled, 2);
        step(other, 2);
        snapshot a = read_world(pulled), b = read_world(other);
        if (cases[i].method != CAB_METHOD_DIRECT) same_bytes(&a, &b, "no frame pulled");
        /* a substep of first order instead of second: h^2/2 times a change of acceleration of some g */
        at_most(largest_difference(&a, &b), 1e-5);
        snapshot_free(&a);
        snapshot_free(&b);

        pull(pulled, 7, (cab_vec3){0.2, 0.1, 1.3}, 0);
        assert_false(cab_world_get_info(pulled).way == CAB_WAY_FUSED ||
                     cab_world_get_info(pulled).way == CAB_WAY_LANES);
        step(pulled, 10);
        must_fail(cab_world_pack(pulled, &data, &size, &error), CAB_ERROR_UNSUPPORTED, &error,
                  "let go first");
        let_go(pulled);
        assert_int_equal(cab_world_get_info(pulled).way, cases[i].way);
        must(cab_world_pack(pulled, &data, &size, &error), &error);
        must(cab_world_unpack(other, data, size, &error), &error);
        step(pulled, 10);
        step(other, 10);
        same_motion(pulled, other, "let go");
        free(data);
        cab_scene_destroy(scene);
        cab_world_destroy(pulled);
        cab_world_destroy(other);
    }
}

static void it_wakes_sleepers(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        cab_scene *scene = scene_of(20);
        cab_settings *s = cab_scene_settings(scene);
        s->method = i ? CAB_METHOD_DIRECT : CAB_METHOD_XPBD;
        s->contact.sleep = s->contact.cables = true;
        add_material(scene, wire_of("wire", 0.004, 1e-3));
        add_straight(scene, "a", (cab_vec3){0, 0, 0.004}, (cab_vec3){0.4, 0, 0.004}, 15);
        add_straight(scene, "b", (cab_vec3){0, 0.5, 0.004}, (cab_vec3){0.4, 0.5, 0.004}, 15);
        add_floor(scene, 0);
        cab_world *world = native_world(scene);
        double place[3];
        step(world, 150);
        assert_int_equal(measure(world).asleep, 2);
        pull(world, 8, (cab_vec3){0.2, 0, 0.3}, 0);
        step(world, 60);
        node_place(world, 8, place);
        at_least(place[2], 0.15);
        let_go(world);
        step(world, 240);
        node_place(world, 8, place);
        at_most(place[2], 0.01);
        assert_int_equal(measure(world).asleep, 2);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A sheet's node is pulled like a cable's; what is far away from a material's changes follows them. */
static void it_pulls_sheets(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.002, 0));
    cab_error error = {0};
    cab_sheet_def sheet = cab_sheet_default();
    sheet.name = "s";
    sheet.material = "wire";
    sheet.along = (cab_vec3){0.3, 0, 0};
    sheet.across = (cab_vec3){0, 0.3, 0};
    sheet.count[0] = sheet.count[1] = 11;
    sheet.area_density = 0.5;
    must(cab_scene_add_sheet(scene, &sheet, &error), &error);
    cab_world *world = native_world(scene);
    cab_material_def wire = wire_of("wire", 0.002, 0);
    wire.damping = 3;
    pull(world, 60, (cab_vec3){0.15, 0.15, 0.5}, 0);
    must(cab_world_set_material(world, &wire, &error), &error);
    step(world, 600);
    double place[3];
    node_place(world, 60, place);
    near_to(0.5 - place[2], GRAVITY * REACTION * REACTION, 0.01 * GRAVITY * REACTION * REACTION);
    cab_scene_destroy(scene);
    cab_world_destroy(world);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = cable_scene(CAB_METHOD_XPBD, 15, 0);
    cab_vec3 up = {0, 0, 2};
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = native_world(scene);
    must(cab_world_let_go(world, &error), &error); /* nothing is pulled: nothing */
    must_fail(cab_world_pull(world, 0, up, 0, &error), CAB_ERROR_INPUT, &error,
              "node 0 is held by /attachments/0");
    must_fail(cab_world_pull(world, 16, up, 0, &error), CAB_ERROR_INPUT, &error, "expected 0 to 15");
    must_fail(cab_world_pull(world, -1, up, 0, &error), CAB_ERROR_INPUT, &error, "no node -1");
    must_fail(cab_world_pull(world, 1, (cab_vec3){NAN, 0, 0}, 0, &error), CAB_ERROR_INPUT, &error, "finite");
    must_fail(cab_world_pull(world, 1, up, -1, &error), CAB_ERROR_INPUT, &error, "stiffness");
    must_fail(cab_world_pull(world, 1, up, INFINITY, &error), CAB_ERROR_INPUT, &error, "stiffness");
    assert_int_equal(cab_world_get_info(world).way, CAB_WAY_FUSED); /* nothing has changed */
    step(world, 1);
    cab_world_destroy(world);
    cab_scene_settings(scene)->way = CAB_WAY_FUSED;
    world = native_world(scene);
    must_fail(cab_world_pull(world, 1, up, 0, &error), CAB_ERROR_INPUT, &error, "the way \"fused\"");
    step(world, 1);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hangs_on_it_hangs_by_its_weight),
        cmocka_unit_test(it_swings_as_a_damped_spring_does),
        cmocka_unit_test(it_pulls_no_harder_from_far_away),
        cmocka_unit_test(a_sudden_pull_tears_nothing),
        cmocka_unit_test(no_stiffness_makes_it_unstable),
        cmocka_unit_test(it_lifts_all_that_is_joined),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(letting_go_leaves_nothing_behind),
        cmocka_unit_test(it_wakes_sleepers),
        cmocka_unit_test(it_pulls_sheets),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

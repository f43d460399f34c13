/* Soft attachments: springs that hold, swing and let go, against what is known of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define CORD 0.2 /* m */
#define BOB 0.1  /* kg */
#define WEIGHT ((BOB + 0.05 * CORD) * 9.81)

static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};

static cab_attachment_def soft_at(const char *cable, cab_place at, double compliance)
{
    cab_attachment_def def = held_at(cable, at);
    def.compliance = compliance;
    return def;
}

static cab_scene *plain_scene(cab_method method, double damping)
{
    cab_scene *scene = scene_of(method == CAB_METHOD_XPBD ? 60 : 20);
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->way = method == CAB_METHOD_XPBD ? CAB_WAY_COLOURED : CAB_WAY_STAGED;
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = damping;
    add_material(scene, wire);
    return scene;
}

/* A cord with a weight below, its start held by `hold`. */
static cab_scene *bob_scene(cab_method method, int segments, double damping, cab_attachment_def hold)
{
    cab_scene *scene = plain_scene(method, damping);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0, 0, 1 - CORD}, segments);
    hang_weight(scene, "a", at_end(), BOB);
    add_attachment(scene, hold);
    return scene;
}

/* It hangs alpha F below its target, at two resolutions. */
static void it_gives_by_compliance_times_force(void **state)
{
    (void)state;
    const double compliance = 5e-3;
    for (int i = 0; i < 6; i++) {
        cab_attachment_def def = soft_at("a", (cab_place){0}, compliance);
        cab_scene *scene = bob_scene(methods[i & 1], i & 2 ? 16 : 4, 8, def);
        if (i & 4) cab_scene_settings(scene)->iterations = 7; /* which make it no stiffer */
        cab_world *world = native_world(scene);
        step(world, 240);
        double place[3];
        node_place(world, 0, place);
        /* the direct method's error is that of floats; XPBD's is what one iteration leaves after 4 s of decay
         */
        near_to(1 - place[2], compliance * WEIGHT, (i & 1 ? 1e-4 : 2e-3) * compliance * WEIGHT);
        near_to(place[0], 0, 1e-6);
        near_to(measure(world).speed_max, 0, 1e-3);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* One short segment that moves as a whole: x = alpha F (1 - cos(w t)), w^2 = 1 / (alpha m). */
static void it_swings_as_a_spring_does(void **state)
{
    (void)state;
    const double mass = WEIGHT / 9.81, compliance = 2e-2, omega = sqrt(1 / (compliance * mass));
    for (int n = 0; n < 3; n++) {
        double error[2];
        int i = n == 1;
        for (int fine = 0; fine < 2; fine++) {
            cab_attachment_def def = soft_at("a", (cab_place){0}, compliance);
            cab_scene *scene = bob_scene(methods[i], 1, 0, def);
            cab_scene_settings(scene)->substeps *= fine ? 2 : 1;
            cab_scene_settings(scene)->iterations = n == 2 ? 7 : 1;
            cab_world *world = native_world(scene);
            error[fine] = 0;
            for (int frame = 1; frame <= 40; frame++) { /* a period and a half */
                double place[3], sag = compliance * WEIGHT * (1 - cos(omega * frame / 60));
                step(world, 1);
                node_place(world, 0, place);
                error[fine] = fmax(error[fine], fabs(1 - place[2] - sag) / (compliance * WEIGHT));
            }
            cab_scene_destroy(scene);
            cab_world_destroy(world);
        }
        /* backward Euler damps: w^2 h t / 2 = 4 %; BDF2 nearly not. Half the step, half that or a quarter */
        at_most(error[0], i ? 0.01 : 0.05);
        at_most(error[1], (i ? 0.4 : 0.6) * error[0]);
    }
}

/* Two springs share a load between them as levers do, at an inner place and at a joint. */
static void it_holds_inside_and_at_joints(void **state)
{
    (void)state;
    const double compliance = 1e-2;
    for (int i = 0; i < 4; i++) {
        cab_scene *scene = plain_scene(methods[i & 1], 8);
        bool joint = i & 2;
        cab_vec3 middle = {0.2, 0, 1}, right = {0.4, 0, 1};
        add_straight(scene, "a", (cab_vec3){0, 0, 1}, joint ? middle : right, joint ? 8 : 16);
        if (joint) {
            add_straight(scene, "b", middle, right, 8);
            join(scene, "b", (cab_place){0}, "a", at_end());
        }
        cab_attachment_def def = soft_at("a", joint ? at_end() : at_particle(8), compliance);
        add_attachment(scene, def);
        cab_world *world = native_world(scene);
        step(world, 300);
        double place[3];
        node_place(world, 8, place);
        double weight = 0.05 * 0.4 * 9.81;
        near_to(1 - place[2], compliance * weight, 0.01 * compliance * weight);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

static void it_follows_its_target(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const cab_keyframe frames[] = {{0, {0, 0, 1}}, {0.5, {0.1, 0, 1}}};
        cab_error error = {0};
        cab_attachment_def def = soft_at("a", (cab_place){0}, 1e-3);
        def.to = CAB_TARGET_KEYFRAMES;
        def.keyframes = frames;
        def.keyframe_count = COUNT_OF(frames);
        cab_scene *scene = bob_scene(methods[i], 8, 8, def);
        cab_world *world = native_world(scene);
        double place[3];
        step(world, 200);
        node_place(world, 0, place);
        near_to(place[0], 0.1, 2e-4); /* a little swinging is left */
        must(cab_world_set_target(world, 0, (cab_vec3){-0.1, 0, 1}, &error), &error);
        step(world, 240);
        node_place(world, 0, place);
        near_to(place[0], -0.1, 2e-4);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* Held in place by a load just below alpha F; out above it. */
static void it_lets_go_beyond_its_distance(void **state)
{
    (void)state;
    const double compliance = 1e-3;
    for (int i = 0; i < 4; i++) {
        cab_attachment_def def = soft_at("a", (cab_place){0}, compliance);
        bool holds = i & 2;
        /* it falls into the spring: at most twice as far as it hangs, less what damping takes */
        def.release_distance = (holds ? 2.02 : 0.98) * compliance * WEIGHT;
        cab_scene *scene = bob_scene(methods[i & 1], 4, 8, def);
        cab_world *world = native_world(scene);
        step(world, 60);
        int attachment = -1, cable = -1;
        assert_int_equal(cab_world_get_broken(world, &attachment, &cable, 1), !holds);
        double place[3];
        node_place(world, 0, place);
        if (holds) {
            near_to(1 - place[2], compliance * WEIGHT, 0.02 * compliance * WEIGHT);
        } else {
            assert_int_equal(attachment, 0);
            assert_int_equal(cable, 0);
            at_most(place[2], 0.8); /* falling for about a second, slowed by damping: far below */
            cab_error error = {0};
            must_fail(cab_world_set_target(world, 0, (cab_vec3){0, 0, 0}, &error), CAB_ERROR_INPUT, &error,
                      "/attachments/0");
        }
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* The same force that a hard one would report; see test_break. */
static void it_breaks_by_force(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        cab_attachment_def def = soft_at("a", (cab_place){0}, 1e-5);
        bool holds = i & 2;
        def.break_force = (holds ? 1.3 : 0.7) * WEIGHT;
        cab_scene *scene = bob_scene(methods[i & 1], 2, 8, def);
        cab_world *world = native_world(scene);
        step(world, 60);
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), !holds);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

/* A cord hangs over a short stiff bar that a spring holds in its middle, where they touch: the spring feels
 * the weight of both. */
static void contact_passes_on_to_the_spring(void **state)
{
    (void)state;
    const double compliance = 1e-2, radius = 0.003;
    for (int i = 0; i < 2; i++) {
        cab_scene *scene = plain_scene(methods[i], 8);
        cab_scene_settings(scene)->contact.cables = true;
        add_material(scene, wire_of("bar", radius, 1e-2));
        const cab_vec3 bar[2] = {{-0.02, 0, 1}, {0.02, 0, 1}};
        const cab_vec3 path[] = {
            {0, -0.01, 0.95}, {0, -0.005, 1 + 2 * radius}, {0, 0.005, 1 + 2 * radius}, {0, 0.01, 0.95}};
        add_cable(scene, straight_of("a", "bar", bar, 2));
        cab_cable_def cord = straight_of("b", "wire", path, 12);
        cord.path_count = COUNT_OF(path);
        add_cable(scene, cord);
        cab_attachment_def def = soft_at("a", at_particle(1), compliance);
        def.clamp = true;
        add_attachment(scene, def);
        hang_weight(scene, "b", (cab_place){0}, 0.01);
        hang_weight(scene, "b", at_end(), 0.01);
        cab_world *world = native_world(scene);
        double length = cab_world_get_cable(world, 1).length, place[3];
        double weight = (0.05 * (0.04 + length) + 0.02) * 9.81;
        step(world, 240);
        assert_true(measure(world).contacts > 0);
        node_place(world, 1, place);
        near_to(1 - place[2], compliance * weight, 0.02 * compliance * weight);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
    }
}

static void it_stores_energy(void **state)
{
    (void)state;
    const double compliance = 5e-3, mass = WEIGHT / 9.81;
    cab_scene *scene = bob_scene(CAB_METHOD_DIRECT, 1, 0, soft_at("a", (cab_place){0}, compliance));
    cab_world *world = native_world(scene);
    cab_measures first = measure(world);
    for (int i = 0; i < 20; i++) {
        step(world, 1);
        cab_measures now = measure(world);
        /* of what goes to and fro; BDF2 takes a little, the first substep is of first order */
        near_to(now.kinetic + now.potential, first.kinetic + first.potential,
                0.03 * compliance * WEIGHT * mass * 9.81);
    }
    cab_scene_destroy(scene);
    cab_world_destroy(world);
}

/* A softly held harness on a floor, one hold of which lets go. */
static cab_scene *everything(cab_method method)
{
    cab_scene *scene = plain_scene(method, 0.2);
    cab_settings *settings = cab_scene_settings(scene);
    settings->substeps = 12;
    settings->iterations = 2;
    settings->contact.cables = true;
    add_material(scene, wire_of("stiff", 0.004, 1e-3));
    add_cable(scene, straight_of("t", "stiff", (const cab_vec3[2]){{0, 0, 0.1}, {0.4, 0, 0.1}}, 12));
    add_straight(scene, "b", (cab_vec3){0.2, 0, 0.1}, (cab_vec3){0.2, 0.2, 0.1}, 7);
    join(scene, "b", (cab_place){0}, "t", at_particle(6));
    cab_attachment_def joint = soft_at("t", at_particle(6), 2e-2), plug = soft_at("t", (cab_place){0}, 1e-3);
    plug.clamp = true;
    plug.release_distance = 1e-3;
    plug.break_force = 50;
    add_attachment(scene, joint);
    add_attachment(scene, plug);
    const cab_keyframe frames[] = {{0, {0.2, 0.2, 0.1}}, {0.3, {0.3, 0.3, 0.1}}};
    cab_attachment_def led = soft_at("b", at_end(), 1e-4);
    led.to = CAB_TARGET_KEYFRAMES;
    led.keyframes = frames;
    led.keyframe_count = COUNT_OF(frames);
    add_attachment(scene, led);
    hang_weight(scene, "t", at_end(), 0.02);
    add_floor(scene, 0.06);
    return scene;
}

static void devices_agree_and_states_resume(void **state)
{
    (void)state;
    char pocl[32];
    bool other = find_device(POCL, pocl);
    for (int i = 0; i < 2; i++) {
        cab_error error = {0};
        cab_scene *scene = everything(methods[i]);
        cab_world *world = native_world(scene), *rest = world_on(scene, other ? pocl : "native", 2);
        step(world, 15);
        void *data;
        size_t size;
        must(cab_world_pack(world, &data, &size, &error), &error);
        step(rest, 15);
        same_motion(world, rest, "from the start");
        step(world, 15);
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), 1);
        cab_world_destroy(rest);
        rest = world_on(scene, other ? pocl : "native", 2);
        must(cab_world_unpack(rest, data, size, &error), &error);
        step(rest, 15);
        same_motion(world, rest, "resumed");
        free(data);
        cab_scene_destroy(scene);
        cab_world_destroy(world);
        cab_world_destroy(rest);
    }
    if (!other) skip();
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = plain_scene(CAB_METHOD_XPBD, 0);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.2, 0, 1}, 4);
    add_straight(scene, "b", (cab_vec3){0.2, 0, 1}, (cab_vec3){0.4, 0, 1}, 4);
    cab_attachment_def def = joined("b", (cab_place){0}, "a", at_end());
    def.compliance = 1e-3;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/attachments/0/compliance: expected 0 where cables are joined");
    def = soft_at("a", (cab_place){0}, -1);
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/attachments/0/compliance");
    def = held_at("a", (cab_place){0});
    def.release_distance = 0.01;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/attachments/0/release_distance: expected a compliance");
    def.compliance = 1e-3;
    def.release_distance = 0;
    must_fail(cab_scene_add_attachment(scene, &def, &error), CAB_ERROR_INPUT, &error,
              "/attachments/0/release");
    def.release_distance = 0.01;
    add_attachment(scene, def);
    cab_world *world = NULL;
    cab_world_def where = cab_world_default();
    where.device = "native";
    static const struct {
        cab_method method;
        cab_way way;
        cab_status status;
    } refused[] = {
        {CAB_METHOD_XPBD, CAB_WAY_FUSED, CAB_ERROR_INPUT},
        {CAB_METHOD_XPBD, CAB_WAY_LANES, CAB_ERROR_INPUT},
        {CAB_METHOD_DIRECT, CAB_WAY_LANES, CAB_ERROR_INPUT},
        {CAB_METHOD_PBD, CAB_WAY_AUTO, CAB_ERROR_UNSUPPORTED},
        {CAB_METHOD_JAKOBSEN, CAB_WAY_AUTO, CAB_ERROR_UNSUPPORTED},
    };
    for (int i = 0; i < COUNT_OF(refused); i++) {
        cab_scene_settings(scene)->method = refused[i].method;
        cab_scene_settings(scene)->way = refused[i].way;
        must_fail(cab_world_create(scene, &where, &world, &error), refused[i].status, &error,
                  refused[i].way == CAB_WAY_AUTO ? "/attachments/0/compliance" : "an attachment is soft");
    }
    add_attachment(scene, soft_at("a", (cab_place){0}, 1));
    cab_scene_settings(scene)->method = CAB_METHOD_XPBD;
    cab_scene_settings(scene)->way = CAB_WAY_AUTO;
    must_fail(cab_world_create(scene, &where, &world, &error), CAB_ERROR_INPUT, &error,
              "is held by /attachments/0");
    cab_scene_destroy(scene);
}

/* A cable with slack is brought to its length with both ends where they are drawn, so that its spring of 10 kN/m begins without tension: the
 * end moves by no more than the weight does, 3e-5 m. One that is too short for both ends to stay gives way at the soft one. */
static void slack_leaves_the_end_where_it_is_drawn(void **state)
{
    (void)state;
    const cab_vec3 path[] = {{0, 0, 0.4}, {0.05, 0, 0.15}, {0.2, 0, 0.25}};
    for (int i = 0; i < 4; i++) {
        cab_scene *scene = plain_scene(methods[i & 1], 0);
        cab_cable_def def = straight_of("a", "wire", path, 32);
        def.path_count = 3;
        def.length = i & 2 ? 0.2 : 0.7; /* the path has 0.435 m, and its ends are 0.25 m apart */
        add_cable(scene, def);
        add_attachment(scene, held_at("a", (cab_place){0}));
        add_attachment(scene, soft_at("a", at_end(), 1e-4));
        cab_world *world = take(scene, "native", 1);
        double place[3];
        node_place(world, 32, place);
        if (i & 2)
            assert_true(place[0] < 0.17); /* 0.2 m from the start */
        else
            near_to(place[0], 0.2, 1e-6), near_to(place[2], 0.25, 1e-6);
        step(world, i & 2 ? 0 : 30);
        node_place(world, 32, place);
        if (!(i & 2)) near_to(place[0], 0.2, 1e-4), near_to(place[2], 0.25, 1e-4);
        cab_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_gives_by_compliance_times_force),
        cmocka_unit_test(it_swings_as_a_spring_does),
        cmocka_unit_test(it_holds_inside_and_at_joints),
        cmocka_unit_test(it_follows_its_target),
        cmocka_unit_test(it_lets_go_beyond_its_distance),
        cmocka_unit_test(it_breaks_by_force),
        cmocka_unit_test(contact_passes_on_to_the_spring),
        cmocka_unit_test(it_stores_energy),
        cmocka_unit_test(slack_leaves_the_end_where_it_is_drawn),
        cmocka_unit_test(devices_agree_and_states_resume),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

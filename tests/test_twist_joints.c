/* Twist that passes from cable to cable, where a joint clamps them end to end: they are one cable, whatever way each of them runs. What
 * passes none, and what a break leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/twist_holds.h"
#include "twisted.h"

static cab_error error;

enum { PARTS = 3, EACH = 8, MOST = 64 };
static const char *const names[PARTS] = {"a", "b", "c"};

/* Where a path is, by the share of it up to there. */
typedef cab_vec3 path_at(double share);

static cab_vec3 straight(double share)
{
    return (cab_vec3){0.8 * share, 0, 0};
}

/* Cables one behind the other along a path, joined by clamps. */
typedef struct cab_row {
    path_at *path;
    int parts, each;   /* cables, and segments of each */
    unsigned reversed; /* bits: those that run against the path */
} cab_row;

/* The beginning of a cable along the path, or its other end. */
static cab_place side(const cab_row *row, int part, bool other)
{
    return (row->reversed >> part & 1) != other ? at_end() : (cab_place){0};
}

static cab_attachment_def joint_of(const cab_row *row, int part)
{
    cab_attachment_def def =
        joined(names[part], side(row, part, false), names[part - 1], side(row, part - 1, true));
    def.clamp = true;
    return def;
}

static void add_cables(cab_scene *scene, const cab_row *row)
{
    cab_vec3 place[MOST + 1];
    for (int k = 0; k < row->parts; k++) {
        bool back = row->reversed >> k & 1;
        for (int i = 0; i <= row->each; i++)
            place[i] = row->path((k + (back ? row->each - i : i) / (double)row->each) / row->parts);
        cab_cable_def def = straight_of(names[k], "wire", place, row->each);
        def.path_count = row->each + 1;
        add_cable(scene, def);
    }
}

/* Clamped at both ends. The last one is rolled, right-handed about the path, and led to nearer by so much in a fifth of a second. */
static void clamp_ends(cab_scene *scene, const cab_row *row, double roll, double nearer)
{
    int last = row->parts - 1;
    cab_vec3 from = row->path(1), to = {from.x - nearer, from.y, from.z};
    double turn = row->reversed >> last & 1 ? -roll : roll;
    const cab_keyframe place[2] = {{0, from}, {0.2, to}};
    const cab_roll_keyframe rolls[2] = {{0, 0}, {0.2, turn}};
    cab_attachment_def def = held_at(names[last], side(row, last, true));
    clamp_rolled(scene, names[0], side(row, 0, false), 0);
    def.clamp = true;
    def.roll = turn;
    if (nearer != 0) {
        def.to = CAB_TARGET_KEYFRAMES;
        def.keyframes = place;
        def.roll_keyframes = rolls;
        def.keyframe_count = def.roll_keyframe_count = 2;
    }
    add_attachment(scene, def);
}

static void add_row(cab_scene *scene, const cab_row *row, double roll, double nearer)
{
    add_cables(scene, row);
    for (int k = 1; k < row->parts; k++) add_attachment(scene, joint_of(row, k));
    clamp_ends(scene, row, roll, nearer);
}

static cab_scene *hanging(const cab_row *row, double roll)
{
    cab_scene *scene = twist_scene(80, CAB_WAY_STAGED, 8);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -9.81};
    add_row(scene, row, roll, 0.2);
    return scene;
}

static double torque_at(cab_world *world, int node)
{
    double torque[MOST + PARTS];
    must(cab_world_read_torque(world, torque, &error), &error);
    return torque[node];
}

static void settle(cab_world *world)
{
    cab_equilibrium result;
    must(cab_world_settle(world, NULL, &result, &error), &error);
}

/* How far a row is from one cable along the same path. */
static double apart(cab_world *world, const cab_row *row, cab_world *one)
{
    snapshot s = read_world(world), whole = read_world(one);
    double most = 0;
    for (int k = 0; k < row->parts; k++)
        for (int i = 0; i <= row->each; i++) {
            int node = k * (row->each + 1) + (row->reversed >> k & 1 ? row->each - i : i);
            most = fmax(most, cab_vec3_distance(at(&s, node), at(&whole, k * row->each + i)));
        }
    snapshot_free(&s);
    snapshot_free(&whole);
    return most;
}

/* ---- one cable ---- */

/* GJ Phi / L in all of them. Floats have 1e-7. */
static void the_moment_is_the_same_in_all(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        if (!can_run(k >> 3)) continue;
        const cab_row row = {straight, 3, EACH, (unsigned)k & 7};
        cab_scene *scene = twist_scene(10, CAB_WAY_AUTO, 0);
        add_row(scene, &row, 4, 0);
        cab_world *world = take(scene, devices[k >> 3], 1);
        step(world, 1);
        for (int i = 0; i < 3 * (EACH + 1); i++) near_to(torque_at(world, i), GJ * 4 / 0.8, 1e-6 * GJ * 4);
        cab_world_destroy(world);
    }
}

/* Twist divides as 1/GJ. */
static void twist_divides_between_cables(void **state)
{
    (void)state;
    cab_scene *scene = twist_scene(10, CAB_WAY_AUTO, 0);
    add_material(scene, twisting("stiff", 5 * GJ, 0));
    const cab_vec3 first[] = {{0, 0, 0}, {0.6, 0, 0}}, second[] = {{0.8, 0, 0}, {0.6, 0, 0}};
    const cab_row row = {straight, 2, EACH, 2};
    add_cable(scene, straight_of("a", "wire", first, EACH));
    add_cable(scene, straight_of("b", "stiff", second, EACH));
    add_attachment(scene, joint_of(&row, 1));
    clamp_ends(scene, &row, 3, 0);
    cab_world *world = take(scene, "native", 1);
    step(world, 1);
    double expected = 3 / (0.6 / GJ + 0.2 / (5 * GJ));
    for (int i = 0; i < 2 * (EACH + 1); i++) near_to(torque_at(world, i), expected, 1e-6 * expected);
    cab_world_destroy(world);
}

/* At rest they are where one cable of so many segments is, to 1e-12 m. In motion floats in another order make 1e-4 m in a cable that is
 * pushed out of its plane, and a fifth of that with segments of half the length. */
static void they_hang_like_one(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        const cab_row row = {straight, 3, k & 8 ? 2 * EACH : EACH, (unsigned)k & 7},
                      one = {straight, 1, 3 * row.each, 0};
        cab_world *joint = take(hanging(&row, 9), "native", 1), *whole = take(hanging(&one, 9), "native", 1);
        step(joint, 15);
        step(whole, 15);
        at_most(apart(joint, &row, whole), k & 8 ? 4e-5 : 2e-4);
        near_to(torque_at(joint, 0), torque_at(whole, 0), 2e-4 * torque_at(whole, 0));
        settle(joint);
        settle(whole);
        at_most(apart(joint, &row, whole), 1e-12);
        near_to(torque_at(joint, 0), torque_at(whole, 0), 1e-9 * torque_at(whole, 0));
        cab_world_destroy(joint);
        cab_world_destroy(whole);
    }
}

/* Greenhill's moment (test_settle_twist): three cables under tension T with L sqrt(T/EI) = 10 leave their line at 1.049 of 2 sqrt(EI T), if
 * not before by the square of the length of a segment. */
static void they_leave_their_line_at_greenhills_moment(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const cab_row row = {straight, 3, 2 * EACH, 2};
        const double tension = EI * 100 / 0.64;
        cab_material_def taut = twisting("wire", GJ, 1);
        taut.stretching_stiffness = tension / 1e-3;
        cab_scene *scene = still_scene(20, taut);
        add_row(scene, &row, (k ? 1.065 : 1.045) * 2 * sqrt(EI * tension) * 0.8 / GJ, -0.8e-3);
        cab_world *world = take(scene, "native", 1);
        double off = 0;
        step(world, 12);
        settle(world);
        snapshot s = read_world(world);
        for (int i = 0; i < s.nodes; i++) off = fmax(off, hypot(s.x[i][1], s.x[i][2]));
        if (k)
            at_least(off, 5e-4);
        else
            at_most(off, 1e-7);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* What holds each cable is what it weighs, to the 2e-6 N that may be left on each particle at rest, and to 1e-3 of it in the motion that
 * goes on from there: multipliers are those of places that lengths have moved, which is off by h^2. */
static void joints_bear_their_own_cables(void **state)
{
    (void)state;
    for (unsigned reversed = 0; reversed < 8; reversed++) {
        const cab_row row = {straight, 3, EACH, reversed};
        const cab_vec3 weight = {0, 0, LINEAR * 9.81 * 0.8 / 3};
        cab_world_def def = cab_world_default();
        cab_world *world;
        cab_scene *scene = hanging(&row, 9);
        def.forces = true;
        def.device = "native";
        must(cab_world_create(scene, &def, &world, &error), &error);
        cab_scene_destroy(scene);
        step(world, 15);
        settle(world);
        for (int k = 0; k < 2; k++) {
            cab_attachment_info held[4]; /* b to a, c to b, the first clamp, the last one */
            assert_int_equal(cab_world_get_attachments(world, held, 4), 4);
            const cab_vec3 on[3] = {cab_vec3_sub(held[2].force, held[0].force),
                                    cab_vec3_sub(held[0].force, held[1].force),
                                    cab_vec3_add(held[1].force, held[3].force)};
            for (int i = 0; i < 3; i++)
                at_most(cab_vec3_distance(on[i], weight), k ? 1e-3 * weight.z : 2e-6 * (EACH + 1));
            step(world, 30);
        }
        cab_world_destroy(world);
    }
}

/* The direction of a cable at a node: halfway between its segments, if it has two there. */
static cab_vec3 tangent_of(const snapshot *s, int node, bool first, bool last)
{
    cab_vec3 before = first ? (cab_vec3){0} : cab_vec3_unit(cab_vec3_sub(at(s, node), at(s, node - 1))),
             after = last ? (cab_vec3){0} : cab_vec3_unit(cab_vec3_sub(at(s, node + 1), at(s, node)));
    return cab_vec3_unit(cab_vec3_add(before, after));
}

/* A stripe goes on from cable to cable: where one cable has it, to 1e-6. Only that ends are at right angles to their own segments, so what
 * is there is carried from halfway between both. */
static void a_stripe_goes_on(void **state)
{
    (void)state;
    for (unsigned reversed = 0; reversed < 8; reversed++) {
        const cab_row row = {straight, 3, EACH, reversed}, one = {straight, 1, 3 * EACH, 0};
        cab_world *joint = take(hanging(&row, 9), "native", 1), *whole = take(hanging(&one, 9), "native", 1);
        cab_vec3 director[3 * (EACH + 1)], expected[3 * EACH + 1];
        step(joint, 15);
        step(whole, 15);
        settle(joint);
        settle(whole);
        must(cab_world_read_directors(joint, &director->x, &error), &error);
        must(cab_world_read_directors(whole, &expected->x, &error), &error);
        snapshot s = read_world(whole);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i <= EACH; i++) {
                int n = k * EACH + i, node = k * (EACH + 1) + (reversed >> k & 1 ? EACH - i : i);
                bool clamped = n == 0 || n == 3 * EACH;
                cab_vec3 wanted = clamped ? expected[n]
                                          : cab_twist_carried(expected[n], tangent_of(&s, n, false, false),
                                                              tangent_of(&s, n, i == 0, i == EACH));
                at_most(cab_vec3_distance(director[node], wanted), 1e-6);
            }
        snapshot_free(&s);
        cab_world_destroy(joint);
        cab_world_destroy(whole);
    }
}

/* ---- clamps ---- */

static cab_attachment_def inside(const char *cable, double roll)
{
    cab_attachment_def def = held_at(cable, at_fraction(0.5));
    def.clamp = true;
    def.roll = roll;
    return def;
}

/* A clamp inside the second of three holds the roll of what lies to both sides; when the joint behind it breaks, nothing is left there. */
static void a_joint_that_breaks_passes_none(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        if (!can_run(k >> 3)) continue;
        const cab_row row = {straight, 3, EACH, (unsigned)k & 7};
        cab_scene *scene = twist_scene(10, CAB_WAY_AUTO, 0);
        cab_attachment_def weak = joint_of(&row, 2);
        weak.break_force = 0.5;
        add_cables(scene, &row);
        add_attachment(scene, joint_of(&row, 1));
        add_attachment(scene, weak);
        add_attachment(scene, inside("b", row.reversed >> 1 & 1 ? -1 : 1));
        clamp_ends(scene, &row, 4, 0);
        cab_load_def load = load_at("c", side(&row, 2, false));
        const cab_keyframe force[] = {{0, {0, 0, 0}}, {0.1, {0, 0, 0}}, {0.2, {0, 0, -4}}, {0.3, {0, 0, 0}}};
        load.force_keyframes = force;
        load.force_keyframe_count = 4;
        add_load(scene, load);
        cab_world *world = take(scene, devices[k >> 3], 1);
        step(world, 2);
        near_to(torque_at(world, 3), GJ * 1 / 0.4, 1e-6 * GJ);
        near_to(torque_at(world, 2 * (EACH + 1) + 3), GJ * 3 / 0.4, 1e-6 * GJ);
        step(world, 28);
        near_to(torque_at(world, 3), GJ * 1 / 0.4, 1e-2 * GJ);
        assert_true(torque_at(world, 2 * (EACH + 1) + 3) == 0);
        cab_attachment_info held[2];
        assert_int_equal(cab_world_get_attachments(world, held, 2), 5);
        assert_true(held[1].broken && !held[0].broken);
        cab_world_destroy(world);
    }
}

/* Rolled by call, about its own tangent. */
static void a_clamp_is_rolled_by_call(void **state)
{
    (void)state;
    for (unsigned reversed = 0; reversed < 4; reversed++) {
        const cab_row row = {straight, 2, EACH, reversed};
        cab_scene *scene = twist_scene(10, CAB_WAY_AUTO, 0);
        add_row(scene, &row, 1, 0);
        cab_world *world = take(scene, "native", 1);
        must(cab_world_set_roll(world, 2, reversed & 2 ? -2.5 : 2.5, &error), &error);
        must(cab_world_set_roll(world, 1, reversed & 1 ? -0.5 : 0.5, &error), &error);
        step(world, 2);
        for (int i = 0; i < 2 * (EACH + 1); i++) near_to(torque_at(world, i), GJ * 2 / 0.8, 1e-6 * GJ);
        cab_world_destroy(world);
    }
}

/* Three cables that close on themselves pass none where the first one starts. So heavy, they stay in place. */
static void a_ring_of_cables_is_open_where_it_starts(void **state)
{
    (void)state;
    const cab_vec3 corner[] = {{0, 0, 0}, {0.3, 0, 0}, {0.15, 0.25, 0}, {0, 0, 0}};
    cab_material_def heavy = twisting("wire", GJ, 0);
    heavy.linear_density = 1e4 * LINEAR;
    cab_scene *scene = still_scene(10, heavy);
    double length[3];
    for (int k = 0; k < 3; k++) {
        length[k] = cab_vec3_distance(corner[k], corner[k + 1]);
        add_straight(scene, names[k], corner[k], corner[k + 1], EACH);
    }
    for (int k = 0; k < 3; k++) {
        cab_attachment_def joint = joined(names[(k + 1) % 3], (cab_place){0}, names[k], at_end());
        joint.clamp = true;
        add_attachment(scene, joint);
    }
    add_attachment(scene, inside("a", 0));
    add_attachment(scene, inside("c", 2));
    cab_world *world = take(scene, "native", 1);
    double expected = GJ * 2 / (length[0] / 2 + length[1] + length[2] / 2);
    step(world, 1);
    near_to(torque_at(world, 1), 0, 0);
    near_to(torque_at(world, EACH - 1), expected, 1e-4 * expected);
    near_to(torque_at(world, EACH + 3), expected, 1e-4 * expected);
    near_to(torque_at(world, 2 * (EACH + 1) + 1), expected, 1e-4 * expected);
    near_to(torque_at(world, 2 * (EACH + 1) + EACH - 1), 0, 0);
    cab_world_destroy(world);
}

/* ---- what passes none ---- */

static cab_scene *loose(int k)
{
    cab_scene *scene = twist_scene(10, CAB_WAY_AUTO, 0);
    const cab_vec3 path[] = {{0.4, 0, 0}, {k == 2 ? 0 : 0.8, 0, 0}}, third[] = {{0.4, 0, 0}, {0.4, 0.4, 0}};
    cab_material_def other = twisting("other", GJ, 0);
    if (k == 3) other.bending_damping = 0.1;
    if (k == 4) other.yield_curvature = 5;
    if (k == 5) other.twisting_stiffness = 0;
    add_material(scene, other);
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){k == 6 ? 0.8 : 0.4, 0, 0}, EACH);
    add_cable(scene, straight_of("b", "other", path, EACH));
    add_straight(scene, "c", third[0], third[1], EACH);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", k == 6 ? at_fraction(0.5) : at_end());
    joint.clamp = k > 0;
    add_attachment(scene, joint);
    if (k == 1) {
        joint.cable = "c";
        add_attachment(scene, joint);
    }
    clamp_rolled(scene, "a", (cab_place){0}, 0);
    clamp_rolled(scene, "b", at_end(), k == 5 ? 0 : 3);
    return scene;
}

/* A ball joint, three ends at one, a cable that is folded back, one with damped bending, with directors, without twisting_stiffness, and
 * one that branches off another. */
static void these_pass_none(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++) {
        cab_world *world = take(loose(k), "native", 1);
        step(world, 2);
        for (int i = 0; i < 2 * (EACH + 1); i++) assert_true(torque_at(world, i) == 0);
        cab_world_destroy(world);
    }
}

/* ---- the same bytes ---- */

/* A row that hangs, one cable by itself that twists, one that branches off, and a joint that breaks on the way. */
static cab_scene *some(cab_way way)
{
    const cab_row row = {straight, 3, EACH, 2};
    cab_scene *scene = twist_scene(20, CAB_WAY_STAGED, 4);
    (void)way;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, -9.81};
    add_straight(scene, "first", (cab_vec3){0, 1, 0}, (cab_vec3){0.3, 1, 0}, 6);
    add_cables(scene, &row);
    add_straight(scene, "branch", (cab_vec3){0.4, 0, 0}, (cab_vec3){0.4, 0.2, 0}, 6);
    cab_attachment_def weak = joint_of(&row, 2);
    weak.break_force = 0.06;
    add_attachment(scene, weak);
    add_attachment(scene, joint_of(&row, 1));
    join(scene, "branch", (cab_place){0}, "b", at_fraction(0.5));
    clamp_rolled(scene, "first", (cab_place){0}, 0);
    clamp_rolled(scene, "first", at_end(), 2);
    add_attachment(scene, inside("a", 3));
    clamp_ends(scene, &row, 9, 0.1);
    return scene;
}

static void devices_agree(void **state)
{
    (void)state;
    devices_give_the_same(some);
}

static void a_state_goes_on_with_the_same_bytes(void **state)
{
    (void)state;
    for (int frames = 2; frames < 9; frames += 3)
        state_goes_on(some, CAB_WAY_STAGED, frames, "test_twist_joints.clc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_moment_is_the_same_in_all),
        cmocka_unit_test(twist_divides_between_cables),
        cmocka_unit_test(they_hang_like_one),
        cmocka_unit_test(they_leave_their_line_at_greenhills_moment),
        cmocka_unit_test(joints_bear_their_own_cables),
        cmocka_unit_test(a_stripe_goes_on),
        cmocka_unit_test(a_joint_that_breaks_passes_none),
        cmocka_unit_test(a_clamp_is_rolled_by_call),
        cmocka_unit_test(a_ring_of_cables_is_open_where_it_starts),
        cmocka_unit_test(these_pass_none),
        cmocka_unit_test(devices_agree),
        cmocka_unit_test(a_state_goes_on_with_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

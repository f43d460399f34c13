/* Sheaves: how far their surface is, what they weigh, which are refused, and ropes in their grooves. Known answers at two resolutions
 * and on both backends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define global /* functions are written as kernels */
#define local
#include "kernels/geometry.h"
#undef global
#undef local
#include "base/vec3.h"
#include "model/sheave.h"
#include "pulleys.h"

#define GROOVE 0.0033 /* m: a tenth wider than the rope */
#define FLANGE 0.065
#define HALF 0.01 /* of its width */

static const cab_body_shape_def groove_of_45 = {
    .kind = CAB_BODY_SHEAVE,
    .center = {0, -HALF, 0},
    .to = {0, HALF, 0},
    .radius = R,
    .groove = {.radius = GROOVE, .flange = FLANGE, .angle = CAB_GROOVE_ANGLE}};

/* ---- its surface ---- */

/* Where a flank of this lean (half of the opening angle) begins, from the axis and from the middle. */
static void flank_of(double lean, double *r, double *z)
{
    *r = R + GROOVE - GROOVE * sin(lean);
    *z = GROOVE * cos(lean);
}

/* How far the surface is from the axis, at a distance z from the middle that is in the wheel. */
static double surface_at(double lean, double z)
{
    double from, at;
    flank_of(lean, &from, &at);
    z = fabs(z);
    if (z <= at) return R + GROOVE - sqrt(GROOVE * GROOVE - z * z);
    return lean > 0 ? fmin(FLANGE, from + (z - at) / tan(lean)) : FLANGE;
}

/* The distance from a place (r, z) to the nearest of many of the surface, with its sign. */
static double distance_to_many(double lean, double r, double z)
{
    enum { MANY = 20000 };
    double least = 1, before = 0;
    for (int i = 0; i <= MANY; i++) {
        double at = -HALF + 2 * HALF * i / MANY, here = i == 0 || i == MANY ? 0 : surface_at(lean, at);
        double low = fmin(here, before), high = fmax(here, before); /* steep parts and sides */
        double near = fmin(fmax(r, low), high);
        least = fmin(least, hypot(r - near, z - at));
        before = here;
    }
    bool inside = fabs(z) < HALF && r < surface_at(lean, z);
    return inside ? -least : least;
}

/* At places all around, of wheels that lie anyhow: with usual flanks, with wide ones and with parallel ones. The places of the surface are
 * 1e-6 m apart; floats at 0.1 m are 7e-9 m. */
static void the_distance_is_that_to_its_profile(void **state)
{
    (void)state;
    static const double angles[] = {CAB_GROOVE_ANGLE, 0.9, 0};
    for (int k = 0; k < COUNT_OF(angles) * 400; k++) {
        cab_groove groove = {GROOVE, FLANGE, angles[k / 400]};
        cab_vec3 axis = cab_vec3_unit((cab_vec3){0.3, -0.8, 0.5}), x = cab_vec3_any_normal(axis),
                 from = cab_vec3_scale(-HALF, axis), to = cab_vec3_scale(HALF, axis);
        cab_sheave sheave = cab_sheave_of(from, to, R, &groove);
        cab_collider c = {.shape = CAB_SHAPE_IS_SHEAVE,
                          .radius = (float)R,
                          .cx = (float)from.x,
                          .cy = (float)from.y,
                          .cz = (float)from.z,
                          .tx = (float)(2 * to.x),
                          .ty = (float)(2 * to.y),
                          .tz = (float)(2 * to.z)};
        cab_sheave_store(&sheave, &c);
        double r = 0.03 + 0.05 * (k * 37 % 400) / 400, z = -0.015 + 0.03 * (k % 400) / 400;
        cab_vec3 p = cab_vec3_add(cab_vec3_scale(r, x), cab_vec3_scale(z, axis));
        vec3 place = vec3_make((float)p.x, (float)p.y, (float)p.z), none = vec3_zero();
        cab_outside o = cab_outside_collider(&c, place, none);
        near_to((double)o.distance, distance_to_many(angles[k / 400] / 2, r, z), 2e-6);
        near_to((double)vec3_length(o.normal), 1, 1e-5);
        /* back along the normal is the surface */
        cab_outside there = cab_outside_collider(&c, vec3_sub_scaled(place, o.distance, o.normal), none);
        near_to((double)there.distance, 0, 1e-7);
    }
}

/* ---- what it weighs ---- */

/* Of density 1000, about its middle, by slices. */
static void it_weighs_what_its_slices_do(void **state)
{
    (void)state;
    double mass = 0, along = 0, across = 0, dz = HALF / 1e5;
    for (double z = dz / 2; z < HALF; z += dz) {
        double square = pow(surface_at(CAB_GROOVE_ANGLE / 2, z), 2), slice = 2 * 1000 * PI * square * dz;
        mass += slice;
        along += slice * square / 2;
        across += slice * (square / 4 + z * z);
    }
    cab_scene *scene = body_scene(20, G);
    cab_body_def def = wheel_at("b", (cab_vec3){1, 2, 3}, 0, 0);
    def.density = 1000;
    def.shapes = &groove_of_45;
    add_body(scene, def);
    add_far_cable(scene);
    cab_world *world = take(scene, "native", 1);
    cab_body_info info;
    assert_int_equal(cab_world_get_bodies(world, &info, 1), 1);
    near_to(info.mass, mass, 1e-6 * mass);
    near_to(info.inertia[1][1], along, 1e-6 * along);
    near_to(info.inertia[0][0], across, 1e-6 * across);
    near_to(info.center.y, 0, 1e-12);
    cab_world_destroy(world);
}

/* ---- which are refused ---- */

static void refuses(cab_body_shape_def shape, const char *part)
{
    cab_error error = {0};
    cab_scene *scene = body_scene(20, G);
    cab_body_def def = wheel_at("b", (cab_vec3){0, 0, 0}, 1, 0);
    def.shapes = &shape;
    must_fail(cab_scene_add_body(scene, &def, &error), CAB_ERROR_INPUT, &error, part);
    cab_scene_destroy(scene);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    cab_body_shape_def wrong = groove_of_45;
    wrong.groove.flange = R + GROOVE - 1e-6;
    refuses(wrong, "/bodies/0/shapes/0/flange: expected a number not below `radius` + `groove`");
    wrong = groove_of_45;
    wrong.groove.angle = 3.1;
    refuses(wrong, "/bodies/0/shapes/0/angle: expected a number from 0 to 3");
    wrong = groove_of_45;
    wrong.groove.radius = 0;
    refuses(wrong, "/bodies/0/shapes/0/groove: expected");
    wrong = groove_of_45;
    wrong.to.y = wrong.center.y + 0.01;
    refuses(wrong, "/bodies/0/shapes/0/to: expected more than 0.0168");
}

/* ---- ropes in it ---- */

#define LONG 0.8 /* m */

/* A rope over a wheel, a weight at each end, drawn so that its sides touch the bottom of the groove. */
static void hang_in_groove(cab_scene *scene, double left, double right, int segments)
{
    path p = {.count = 0};
    double round = corners(RADIUS, LONG / segments), down = (LONG - PI * round) / 2;
    go_to(&p, -round, -down);
    go_round(&p, 0, 0, round, PI, 0);
    go_to(&p, round, -down);
    add_rope(scene, &p, segments);
    hang_weight(scene, "a", (cab_place){0}, left);
    hang_weight(scene, "a", at_end(), right);
}

/* Atwood's machine with a wheel of 2700 kg/m^3, as aluminium: a = (m_2 - m_1) g/(m_1 + m_2 + J/r^2), with the rope's 2 g in both. */
static void a_rope_takes_a_sheave_along(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        bool fine = k % 2;
        int segments = fine ? 160 : 80;
        cab_scene *scene = rope_scene(fine ? 40 : 20, 0.002, 0.5);
        cab_body_def wheel = wheel_at("wheel", (cab_vec3){0, 0, 0}, 0, 0.5);
        wheel.density = 2700;
        wheel.shapes = &groove_of_45;
        add_body(scene, wheel);
        hang_in_groove(scene, 0.5, 0.6, segments);
        cab_world *world = take(scene, devices[k / 2], 1);
        cab_body_info info;
        cab_world_get_bodies(world, &info, 1);
        double turning = info.inertia[1][1] / (RADIUS * RADIUS), z[3][3];
        for (int n = 0; n < 3; n++) {
            step(world, n == 0 ? 6 : 12); /* until it has found its corners, then twice 0.2 s */
            node_place(world, segments, z[n]);
        }
        double a = 0.1 * G / (1.1 + 0.002 * LONG + turning), gained = 2 * z[1][2] - z[0][2] - z[2][2];
        near_to(gained, a * 0.04, (fine ? 0.01 : 0.02) * a * 0.04); /* as of a smooth wheel in test_pulleys */
        cab_world_destroy(world);
    }
}

/* How deep the rope's nodes are in the wheel of groove_of_45, at most, m. */
static double deepest_in_wheel(const snapshot *s)
{
    double least = 1;
    for (int i = 0; i < s->nodes; i++) {
        double r = hypot(s->x[i][0], s->x[i][2]);
        if (r < FLANGE + 2 * THICK && fabs(s->x[i][1]) < HALF + 2 * THICK)
            least = fmin(least, distance_to_many(CAB_GROOVE_ANGLE / 2, r, s->x[i][1]));
    }
    return THICK - least;
}

/* All pulls sideways by 30 degrees: the rope leaves the groove over a flank and the rim, stays in it, and hangs as gravity has it. What
 * swings has come to rest but for 1e-3 after 4 s. */
static void a_flank_guides_a_rope_that_runs_off_sideways(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        int segments = k % 2 ? 160 : 100;
        cab_scene *scene = body_scene(k % 2 ? 40 : 20, G);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, G * sin(PI / 6), -G * cos(PI / 6)};
        cab_material_def rope = wire_of("rope", THICK, 0);
        rope.linear_density = 0.0125;
        rope.friction = 0.3;
        rope.damping = 4;
        add_material(scene, rope);
        cab_collider_def wheel = shape_at(CAB_SHAPE_SHEAVE, groove_of_45.center);
        wheel.to = groove_of_45.to;
        wheel.radius = R;
        wheel.groove = groove_of_45.groove;
        add_collider(scene, wheel);
        hang_in_groove(scene, 0.5, 0.5, segments);
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, 240);
        snapshot s = read_world(world);
        at_most(fabs(s.x[segments / 2][1]), GROOVE); /* on top of the wheel */
        double run[3] = {0};
        for (int n = 0; n < 3; n++) run[n] = s.x[segments][n] - s.x[segments - 20][n];
        near_to(run[1] / -run[2], tan(PI / 6), 2e-3);
        at_most(deepest_in_wheel(&s), 0.02 * THICK);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* Thrown at 30 m/s, 8 diameters in a substep: from above into the groove, and from beside it against the flat side. It stays outside. */
static void nothing_gets_through_a_sheave(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        bool beside = k % 2;
        cab_scene *scene = body_scene(20, 0);
        cab_collider_def wheel = shape_at(CAB_SHAPE_SHEAVE, groove_of_45.center);
        wheel.to = groove_of_45.to;
        wheel.radius = R;
        wheel.groove = groove_of_45.groove;
        add_collider(scene, wheel);
        add_rod(scene, beside ? (cab_vec3){0.005, -0.2, 0.04} : (cab_vec3){0.002, 0.001, 0.2},
                beside ? (cab_vec3){0, 30, 0} : (cab_vec3){0, 0, -30});
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, 3);
        snapshot s = read_world(world);
        if (beside) at_most(s.x[3][1], -HALF - 0.9 * 0.002);
        if (!beside) at_least(s.x[3][2], R);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* ---- states and backends ---- */

static cab_scene *sheave_scene(cab_way way)
{
    cab_scene *scene = rope_scene(20, 0.02, 0.5);
    cab_scene_settings(scene)->way = way;
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 3, -9};
    cab_body_def wheel = wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, 0.5);
    wheel.shapes = &groove_of_45;
    add_body(scene, wheel);
    hang_in_groove(scene, 0.5, 0.6, 60);
    return scene;
}

static void both_backends_give_the_same(void **state)
{
    (void)state;
    backends_move_bodies_alike(sheave_scene, 20);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    state_goes_on(sheave_scene, CAB_WAY_STAGED, 15, "sheave.state");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_distance_is_that_to_its_profile),
        cmocka_unit_test(it_weighs_what_its_slices_do),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(a_rope_takes_a_sheave_along),
        cmocka_unit_test(a_flank_guides_a_rope_that_runs_off_sideways),
        cmocka_unit_test(nothing_gets_through_a_sheave),
        cmocka_unit_test(both_backends_give_the_same),
        cmocka_unit_test(a_state_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Cables that touch rigid bodies, both ways: pulleys, brakes, drums, belts, tackles, a box on a rope. Known answers at two resolutions
 * and on both backends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "pulleys.h"

/* ---- Atwood's machine ---- */

#define LONG 1.2                        /* m, of the rope; */
#define DOWN ((LONG - PI * RADIUS) / 2) /* and of what hangs down at each side at the start */

/* Light rope trembles on its corners under load, so that velocities do; places tell how it is accelerated. */
#define FIRST 6 /* frames until it has found its corners, */
#define EACH 12 /* and of both times that are compared: 0.2 s */

/* By how much further the end of the rope goes down in the second time than in the first one. */
static double gains(cab_world *world)
{
    double z[3];
    step(world, FIRST);
    for (int k = 0; k < 3; k++) {
        double place[3];
        node_place(world, cab_world_get_info(world).nodes - 1, place);
        z[k] = place[2];
        if (k < 2) step(world, EACH);
    }
    return 2 * z[1] - z[0] - z[2];
}

/* (m_1 + m_2 + rho L + J/r^2) s'' = (m_2 - m_1 + 2 rho s) g; J/r^2 only of a wheel that goes along. The same from rest. */
static double atwood_gains(double left, double right, double density, double turning)
{
    double s = 0, v = 0, at[3] = {0}, h = 1e-5;
    for (int i = 0; i <= (int)((FIRST + 2 * EACH) / 60.0 / h); i++) {
        for (int k = 0; k < 3; k++)
            if (i == (int)((FIRST + k * EACH) / 60.0 / h)) at[k] = s;
        v += h * (right - left + 2 * density * s) * G / (left + right + density * LONG + turning);
        s += h * v;
    }
    return at[2] - 2 * at[1] + at[0];
}

/* A rough wheel goes along with the rope, a smooth one does not turn. Eleven and twenty-two corners lie on the wheel: their sides, which
 * touch, are nearer to its middle than they are, by (segment/radius)^2/8, 1 and 0.25 %. */
static void a_wheel_takes_part_where_it_is_rough(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        if (!can_run(k / 4)) continue;
        bool rough = k & 1, fine = k & 2;
        double density = 0.02, tolerance = fine ? 0.01 : 0.02;
        cab_scene *scene = rope_scene(20, density, rough ? 0.5 : 0);
        hang_over(scene, wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, 0.5), LONG, 0.5, 0.6, fine ? 160 : 80);
        cab_world *world = take(scene, devices[k / 4], 1);
        double gained = gains(world), spin = read_body(world).spin.y * RADIUS;
        double expected = atwood_gains(0.5, 0.6, density, rough ? 0.4 * R * R / 2 / (RADIUS * RADIUS) : 0);
        near_to(gained, expected, tolerance * expected);
        double speed = expected / 0.2 / 0.2 * 0.5; /* at a constant rate */
        if (rough) near_to(spin, speed, 0.03 * speed);
        if (!rough) at_most(fabs(spin), 0.01 * speed); /* where a side touches is found to 6e-5 of it */
        cab_world_destroy(world);
    }
}

/* Weights of 1 kg on a rope of 1.2 g, over a wheel of 0.1 kg: a particle of the rope has 1/66,000 of that. */
static void heavy_loads_on_a_light_rope(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = rope_scene(20, 0.001, 0.5);
        hang_over(scene, wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.1, 0.5), LONG, 0.9, 1, 80);
        cab_world *world = take(scene, devices[k], 1);
        double expected = atwood_gains(0.9, 1, 0.001, 0.1 * R * R / 2 / (RADIUS * RADIUS));
        near_to(gains(world), expected, 0.03 * expected);
        at_most(measure(world).stretch_worst, 1e-4);
        cab_world_destroy(world);
    }
}

/* The same of a rope that slides over what does not turn: (m_1 e + m_2) s'' = (m_2 - m_1 e) g, where what hangs of it counts as
 * weight, and changes sides. */
static double capstan_gains(double left, double right, double density, double e)
{
    double s = 0, v = 0, at[3] = {0}, h = 1e-5;
    for (int i = 0; i <= (int)((FIRST + 2 * EACH) / 60.0 / h); i++) {
        for (int k = 0; k < 3; k++)
            if (i == (int)((FIRST + k * EACH) / 60.0 / h)) at[k] = s;
        double up = left - density * s, down = right + density * s;
        v += h * (down - up * e) * G / (up * e + down);
        s += h * v;
    }
    return at[2] - 2 * at[1] + at[0];
}

/* A wheel whose bearing holds it is a bollard: the rope holds m_2/m_1 below e^(mu pi), and slides above it. Near its limit friction
 * magnifies what eleven corners see less of it: 8 % as with scenes/capstan.json. */
static void a_wheel_that_is_held_is_a_capstan(void **state)
{
    (void)state;
    double mu = 0.2, e = exp(mu * PI), density = 0.1, hangs = density * DOWN, left = 0.15;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        double right = left * e * (k % 2 ? 1.3 : 0.9);
        cab_scene *scene = rope_scene(20, density, mu);
        cab_body_def wheel = wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, mu);
        wheel.bearing_friction = 10;
        hang_over(scene, wheel, LONG, left - hangs, right - hangs, 80);
        cab_world *world = take(scene, devices[k / 2], 1);
        double gained = gains(world), expected = capstan_gains(left, right, density, e);
        if (k % 2) near_to(gained, expected, 0.08 * expected);
        if (!(k % 2)) at_most(fabs(gained), 2e-5);
        at_most(fabs(read_body(world).spin.y), 1e-3);
        cab_world_destroy(world);
    }
}

/* A rope that slips takes a heavy wheel along by what friction gives: a torque of (T_2 - T_1) r with T_2 = T_1 e. */
static void a_heavy_wheel_is_taken_along(void **state)
{
    (void)state;
    double mu = 0.1, e = exp(mu * PI), hangs = 0.1 * DOWN, left = 0.15, right = 0.4, mass = 40, t = 0.2;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = rope_scene(20, 0.1, mu);
        hang_over(scene, wheel_at("wheel", (cab_vec3){0, 0, 0}, mass, mu), LONG, left - hangs, right - hangs,
                  80);
        cab_world *world = take(scene, devices[k], 1);
        step(world, 3);
        double start = read_body(world).spin.y;
        step(world, (int)(t * 60 + 0.5));
        double a = (right - left * e) * G / (left * e + right), pull = left * (G + a);
        double spin = pull * (e - 1) * RADIUS / (mass * R * R / 2) * t;
        near_to(read_body(world).spin.y - start, spin, 0.05 * spin);
        cab_world_destroy(world);
    }
}

/* ---- drums, tackles, belts ---- */

/* A rope that ends on a drum, wound round it by `turns` to where it hangs down, with 1 kg at its end. */
static void hang_on_drum(cab_scene *scene, cab_body_def drum, double turns, int segments)
{
    path p = {.count = 0};
    double round = corners(RADIUS, (turns * 2 * PI * RADIUS + 0.5) / segments);
    if (turns > 0) go_round(&p, 0, 0, round, turns * 2 * PI, 0);
    if (turns == 0) go_to(&p, round, 0);
    go_to(&p, round, -0.5);
    add_body(scene, drum);
    add_rope(scene, &p, segments);
    end_on(scene, "a", (cab_place){0}, "drum", (cab_vec3){round, 0, 0});
    hang_weight(scene, "a", at_end(), 1);
}

/* A motor winds a rope up: the load rises by omega r. Corners of 1 cm make it bob by 1 % of that. */
static void a_drum_winds_a_rope_up(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = rope_scene(k % 2 ? 40 : 20, 0.02, 0.5);
        cab_body_def drum = wheel_at("drum", (cab_vec3){0, 0, 0}, 0.4, 0.5);
        int segments = k % 2 ? 60 : 50;
        drum.motor_speed = -4;
        drum.motor_most = 2 * G * RADIUS;
        hang_on_drum(scene, drum, 0, segments);
        cab_world *world = take(scene, devices[k / 2], 1);
        double before[3], now[3];
        step(world, 30);
        node_place(world, segments, before);
        step(world, 60);
        node_place(world, segments, now);
        near_to(now[2] - before[2], 4 * RADIUS, 0.02 * 4 * RADIUS);
        near_to(read_body(world).spin.y, -4, 0.04);
        at_most(measure(world).stretch_worst, 1e-4);
        cab_world_destroy(world);
    }
}

/* A motor that is too weak, or none, lets it run down from the drum: (m + J/r^2) a = m g - torque/r, for 0.2 s, with a rope of 17 g. */
static void a_rope_runs_off_a_drum(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = rope_scene(20, 0.02, 0.5);
        cab_body_def drum = wheel_at("drum", (cab_vec3){0, 0, 0}, 0.4, 0.5);
        drum.motor_speed = -4;
        drum.motor_most = k % 2 ? 0.5 * G * RADIUS : 0;
        hang_on_drum(scene, drum, 1, 80);
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, 12);
        double rate = (k % 2 ? 0.5 : 1) * G / (1 + 0.4 * R * R / 2 / (RADIUS * RADIUS)), speed = rate * 0.2;
        near_to(read_body(world).spin.y * RADIUS, speed, 0.02 * speed); /* half of the rope's 17 g, twice */
        cab_world_destroy(world);
    }
}

/* A block in the bight of a rope that goes over a wheel, and a weight of half of what the block weighs, and a fifth more: what moves is
 * m_b + J_b/r^2 + 4 m + 4 J_w/r^2, and what drives it 2 m - m_b. The rope weighs 2 g. */
static void a_block_halves_the_pull(void **state)
{
    (void)state;
    double hung = 2, weight = 1.2, turning = R * R / 2 / (RADIUS * RADIUS);
    double a = G * (2 * weight - hung) / (hung * (1 + turning) + 4 * weight + 4 * 0.1 * turning);
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        cab_scene *scene = rope_scene(k % 2 ? 40 : 20, 0.001, 0.5);
        cab_body_def lower = wheel_at("block", (cab_vec3){0, 0, 0}, hung, 0.5);
        lower.motion = CAB_BODY_FREE;
        add_body(scene, lower);
        add_body(scene, wheel_at("wheel", (cab_vec3){2 * corners(RADIUS, 2.04 / (k % 2 ? 160 : 110)), 0, 1},
                                 0.1, 0.5));
        path p = {.count = 0};
        int segments = k % 2 ? 160 : 110;
        double round = corners(RADIUS, 2.04 / segments);
        go_to(&p, -round, 1);
        go_round(&p, 0, 0, round, PI, 2 * PI);
        go_round(&p, 2 * round, 1, round, PI, 0);
        go_to(&p, 3 * round, 0.3);
        add_rope(scene, &p, segments);
        hold(scene, "a", (cab_place){0}, false);
        hang_weight(scene, "a", at_end(), weight);
        cab_world *world = take(scene, devices[k / 2], 1);
        double gained = gains(world) / 2; /* the weight goes twice as far */
        near_to(gained, a * 0.04, (k % 2 ? 0.01 : 0.02) * a * 0.04);
        cab_world_destroy(world);
    }
}

/* An elastic belt, shorter than its way round two wheels of R and 2 R: the wheels turn as 1/radius. */
static void a_belt_turns_two_wheels(void **state)
{
    (void)state;
    double far = 0.4, big = 2 * R + THICK;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = rope_scene(20, 0.02, 0.5);
        cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
        cab_body_def first = wheel_at("first", (cab_vec3){0, 0, 0}, 0.2, 0.5),
                     second = wheel_at("second", (cab_vec3){far, 0, 0}, 0.2, 0.5);
        cab_body_shape_def disc = *second.shapes;
        disc.radius = 2 * R;
        second.shapes = &disc;
        second.bearing_friction = 0.02;
        first.motor_speed = 6;
        first.motor_most = 1;
        cab_material_def belt = wire_of("belt", THICK, 0);
        belt.linear_density = 0.02;
        belt.friction = 0.5;
        belt.stretching_stiffness = 4000;
        belt.damping = 5;
        add_material(scene, belt);
        add_body(scene, first);
        add_body(scene, second);
        path p = {.count = 0};
        double tilt = asin((big - RADIUS) / far); /* of the free parts */
        go_round(&p, 0, 0, RADIUS, PI / 2 + tilt, 3 * PI / 2 - tilt);
        go_round(&p, far, 0, big, -PI / 2 - tilt, PI / 2 + tilt);
        go_to(&p, p.point[0].x, p.point[0].z);
        cab_cable_def cable = straight_of("a", "belt", p.point, 200);
        cable.path_count = p.count;
        cable.length_tolerance = -0.005;
        add_cable(scene, cable);
        join(scene, "a", (cab_place){0}, "a", at_end());
        cab_world *world = take(scene, devices[k], 1);
        step(world, 60);
        cab_error error = {0};
        cab_body_reading r[2];
        must(cab_world_read_bodies(world, r, &error), &error);
        near_to(r[0].spin.y, 6, 0.01);
        near_to(r[1].spin.y * big, 6 * RADIUS,
                0.02 * 6 * RADIUS); /* a taut part stretches, a slack one does not: creep */
        cab_world_destroy(world);
    }
}

/* ---- momentum ---- */

/* A box flies into the middle of a rope that floats freely, off its centre: both keep what they have together. */
static void a_box_and_a_rope_exchange_momentum(void **state)
{
    (void)state;
    static const cab_body_shape_def box = {
        .kind = CAB_BODY_BOX, .half_extents = {0.03, 0.02, 0.02}, .rotation = {1, 0, 0, 0}};
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        int segments = k % 2 ? 40 : 20;
        cab_scene *scene = body_scene(k % 2 ? 40 : 20, 0);
        cab_body_def def = block_at("box", (cab_vec3){0.19, 0.005, 0.1});
        def.shapes = &box;
        def.mass = 0.05;
        def.velocity = (cab_vec3){0.1, 0, -1};
        def.spin = (cab_vec3){1, 2, 0};
        add_body(scene, def);
        add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){0.4, 0, 0}, segments);
        cab_world *world = take(scene, devices[k / 2], 1);
        sums before = sums_of(world, segments, 0.05);
        double least = before.energy;
        bool touched = false;
        for (int frame = 0; frame < 60; frame++) {
            step(world, 1);
            sums now = sums_of(world, segments, 0.05);
            touched = touched || measure(world).contacts > 0;
            at_most(now.energy, before.energy * (1 + 1e-3));
            least = fmin(least, now.energy);
            for (int n = 0; n < 3; n++) {
                near_to(now.momentum[n], before.momentum[n], 2e-6); /* of 0.05 kg m/s */
                near_to(now.turning[n], before.turning[n], 2e-5);   /* of 0.01 kg m^2/s that is exchanged */
            }
        }
        assert_true(touched);
        at_most(least, 0.98 * before.energy); /* friction and the blow have taken some */
        cab_world_destroy(world);
    }
}

/* A box that falls on a rope between two holds comes to lie there, or falls off; energy only goes. */
static void a_box_falls_on_a_taut_rope(void **state)
{
    (void)state;
    static const cab_body_shape_def box = {
        .kind = CAB_BODY_BOX, .half_extents = {0.06, 0.06, 0.03}, .rotation = {1, 0, 0, 0}};
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = rope_scene(20, 0.05, 0.5);
        cab_material_def elastic = wire_of("elastic", 0.004, 0);
        elastic.stretching_stiffness = 2000;
        add_material(scene, elastic);
        cab_body_def def = block_at("box", (cab_vec3){0.05, 0, 0.1});
        def.shapes = &box;
        def.mass = 0.5;
        add_body(scene, def);
        add_cable(scene, straight_of("a", "elastic", (const cab_vec3[2]){{-0.5, 0, 0}, {0.5, 0, 0}}, 50));
        hold(scene, "a", (cab_place){0}, false);
        hold(scene, "a", at_end(), false);
        cab_world *world = take(scene, devices[k], 1);
        double most = measure(world).kinetic + measure(world).potential, low = 1;
        for (int frame = 0; frame < 60; frame++) {
            step(world, 1);
            cab_measures m = measure(world);
            at_most(m.kinetic + m.potential, most + 1e-3);
            most = fmin(most, m.kinetic + m.potential);
            low = fmin(low, read_body(world).center.z);
            at_most(m.penetration_max, 0.1 * 0.004);
        }
        at_most(low, -0.03); /* the rope has carried it */
        at_least(low, -0.2);
        cab_world_destroy(world);
    }
}

/* ---- cylinders that stay where they are ---- */

static void add_cylinder(cab_scene *scene, cab_vec3 from, cab_vec3 to, double radius)
{
    cab_collider_def def = shape_at(CAB_SHAPE_CYLINDER, from);
    def.to = to;
    def.radius = radius;
    add_collider(scene, def);
}

/* It falls by a millimetre on the flat end of a post, and lies there. */
static void a_rod_lies_on_the_end_of_a_cylinder(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        if (!can_run(k)) continue;
        cab_scene *scene = body_scene(20, G);
        add_cylinder(scene, (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, 0.2}, 0.05);
        add_rod(scene, (cab_vec3){0.01, 0, 0.203}, (cab_vec3){0, 0, 0});
        cab_world *world = take(scene, devices[k], 1);
        step(world, 60);
        snapshot s = read_world(world);
        for (int i = 0; i < s.nodes; i++) near_to(s.x[i][2], 0.202, 2e-5); /* a hundredth of its radius */
        at_most(measure(world).speed_max, 1e-4);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* Thrown at 30 m/s, ten diameters in a substep: it stays on its side, beside the curved surface and beside the end. */
static void nothing_gets_through_a_cylinder(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        if (!can_run(k / 2)) continue;
        bool upright = k % 2;
        cab_scene *scene = body_scene(20, 0);
        cab_vec3 far = upright ? (cab_vec3){0, 0, 0.01} : (cab_vec3){0, 0.3, 0};
        cab_vec3 from = upright ? (cab_vec3){0, 0, -0.01} : (cab_vec3){0, -0.3, 0};
        add_cylinder(scene, from, far, upright ? 0.2 : 0.01);
        add_rod(scene, (cab_vec3){0.005, 0, 0.2}, (cab_vec3){0, 0, -30});
        cab_world *world = take(scene, devices[k / 2], 1);
        step(world, 3);
        snapshot s = read_world(world);
        at_least(s.x[3][2], 0.01);
        snapshot_free(&s);
        cab_world_destroy(world);
    }
}

/* ---- states and backends ---- */

static cab_scene *atwood_scene(cab_way way)
{
    cab_scene *scene = rope_scene(20, 0.02, 0.5);
    cab_scene_settings(scene)->way = way;
    hang_over(scene, wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, 0.5), LONG, 0.5, 0.6, 60);
    return scene;
}

static void both_backends_give_the_same(void **state)
{
    (void)state;
    backends_move_bodies_alike(atwood_scene, 20);
}

static void a_state_goes_on(void **state)
{
    (void)state;
    state_goes_on(atwood_scene, CAB_WAY_STAGED, 15, "pulleys.state");
}

/* Machines of one group that do not touch each other are components of their own: the first of nine does, to the last bit, what it does
 * alone, and the ninth what the first does but for the rounding of its own coordinates. */
static void machines_do_not_know_of_each_other(void **state)
{
    (void)state;
    snapshot s[2];
    for (int k = 0; k < 2; k++) {
        cab_scene *scene = rope_scene(20, 0.02, 0.5);
        cab_body_def wheel = wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, 0.5);
        wheel.copies[1] = k ? 9 : 1;
        hang_over(scene, wheel, LONG, 0.5, 0.6, 80);
        cab_world *world = take(scene, "native", 1);
        step(world, 12);
        s[k] = read_world(world);
        cab_world_destroy(world);
    }
    assert_memory_equal(s[0].x, s[1].x, (size_t)s[0].nodes * sizeof *s[0].x);
    near_to(s[1].x[s[1].nodes - 1][2], s[0].x[s[0].nodes - 1][2], 1e-4);
    for (int k = 0; k < 2; k++) snapshot_free(&s[k]);
}

/* What has another group passes through. */
static void groups_do_not_touch(void **state)
{
    (void)state;
    cab_scene *scene = rope_scene(20, 0.02, 0.5);
    cab_body_def wheel = wheel_at("wheel", (cab_vec3){0, 0, 0}, 0.4, 0.5);
    wheel.group = 1;
    hang_over(scene, wheel, LONG, 0.5, 0.5, 60);
    cab_world *world = take(scene, "native", 1);
    step(world, 30);
    snapshot s = read_world(world);
    near_to(s.x[s.nodes / 2][2], RADIUS - G * 0.25 / 2,
            0.02 * G * 0.25 / 2); /* it falls, as from the first order's h/2 on */
    at_most(fabs(read_body(world).spin.y), 1e-9);
    snapshot_free(&s);
    cab_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wheel_takes_part_where_it_is_rough),
        cmocka_unit_test(heavy_loads_on_a_light_rope),
        cmocka_unit_test(a_wheel_that_is_held_is_a_capstan),
        cmocka_unit_test(a_heavy_wheel_is_taken_along),
        cmocka_unit_test(a_drum_winds_a_rope_up),
        cmocka_unit_test(a_rope_runs_off_a_drum),
        cmocka_unit_test(a_block_halves_the_pull),
        cmocka_unit_test(a_belt_turns_two_wheels),
        cmocka_unit_test(a_box_and_a_rope_exchange_momentum),
        cmocka_unit_test(a_box_falls_on_a_taut_rope),
        cmocka_unit_test(a_rod_lies_on_the_end_of_a_cylinder),
        cmocka_unit_test(nothing_gets_through_a_cylinder),
        cmocka_unit_test(both_backends_give_the_same),
        cmocka_unit_test(a_state_goes_on),
        cmocka_unit_test(machines_do_not_know_of_each_other),
        cmocka_unit_test(groups_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

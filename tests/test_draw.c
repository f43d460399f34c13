/* Drawing: rows are what cab_world_read says; every scene and way, native and OpenCL bit for bit; curvature
 * and contact against what they must be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scenes.h"

#define PI 3.14159265358979323846

typedef float row[4];

static row *draw(cab_world *world, cab_quantity quantity)
{
    cab_error error = {0};
    row *rows = calloc((size_t)cab_world_get_info(world).nodes + 1, sizeof *rows);
    assert_non_null(rows);
    must(cab_world_draw(world, quantity, rows[0], &error), &error);
    return rows;
}

static cab_world *world_of(const cab_scene *scene, const char *device)
{
    return world_on(scene, device, 2);
}

/* ---- against cab_world_read ---- */

/* A few operations in floats where cab_world_read takes doubles: 4 roundings of 2^-24 each. */
#define ROUNDING 4e-7

static double speed_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void same_places(const snapshot *s, row *rows, const char *name)
{
    for (int i = 0; i < s->nodes; i++) {
        for (int k = 0; k < 3; k++) {
            /* the residual is at most half a unit in the last place */
            if (fabs(rows[i][k] - s->x[i][k]) > 6.1e-8 * fabs(s->x[i][k]) + 1e-30)
                fail_msg("%s: node %d is drawn at %.9g, is at %.9g", name, i, (double)rows[i][k], s->x[i][k]);
        }
    }
}

static void same_values(const double *expected, row *rows, int count, const char *name, const char *what)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs(rows[i][3] - expected[i]) <= ROUNDING * fabs(expected[i])))
            fail_msg("%s: %s of node %d is drawn as %.9g, is %.9g", name, what, i, (double)rows[i][3],
                     expected[i]);
    }
}

static void agrees_with_read(cab_world *world, const char *name)
{
    snapshot s = read_world(world);
    double *speed = calloc((size_t)s.nodes, sizeof *speed);
    assert_non_null(speed);
    for (int i = 0; i < s.nodes; i++) speed[i] = speed_of(s.v[i]);
    for (int c = 0; c < s.cables; c++) { /* the last node takes its last segment's */
        cab_cable_info cable = cab_world_get_cable(world, c);
        int last = cable.first_node + cable.node_count - 1;
        s.tension[last] = s.tension[last - 1];
    }
    row *rows = draw(world, CAB_QUANTITY_TENSION);
    same_places(&s, rows, name);
    same_values(s.tension, rows, s.nodes, name, "tension");
    free(rows);
    rows = draw(world, CAB_QUANTITY_SPEED);
    same_places(&s, rows, name);
    same_values(speed, rows, s.nodes, name, "speed");
    free(rows);
    rows = draw(world, CAB_QUANTITY_NONE);
    for (int i = 0; i < s.nodes; i++) assert_true(rows[i][3] == 0);
    free(rows);
    free(speed);
    snapshot_free(&s);
}

/* ---- all scenes and ways, both backends ---- */

static void same_rows(cab_world *a, cab_world *b, const char *name, const char *way)
{
    int nodes = cab_world_get_info(a).nodes;
    for (int q = 0; q < CAB_QUANTITY_COUNT; q++) {
        row *first = draw(a, (cab_quantity)q), *second = draw(b, (cab_quantity)q);
        for (int i = 0; i < nodes; i++) {
            if (memcmp(first[i], second[i], sizeof first[i]))
                fail_msg("%s, %s: %s of node %d differs, %.9g and %.9g", name, way,
                         cab_quantity_name((cab_quantity)q), i, (double)first[i][3], (double)second[i][3]);
        }
        free(first);
        free(second);
    }
}

static cab_scene *scene_in_way(cab_scene *(*make)(void), cab_method method, cab_way way)
{
    cab_scene *scene = make();
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->way = way;
    return scene;
}

static bool touches(cab_world *world)
{
    row *rows = draw(world, CAB_QUANTITY_CONTACT);
    bool any = false;
    for (int i = 0; i < cab_world_get_info(world).nodes; i++) {
        assert_true(rows[i][3] >= 0 && isfinite(rows[i][3]));
        any = any || rows[i][3] > 0;
    }
    free(rows);
    return any;
}

static void check_scene(const char *name, const char *way, const cab_scene *scene, int frames, bool touch)
{
    char id[32];
    cab_world *native = world_of(scene, "native");
    agrees_with_read(native, name); /* before the first frame, too */
    step(native, frames);
    agrees_with_read(native, name);
    if (touch && !touches(native)) fail_msg("%s, %s: nothing touches", name, way);
    if (find_device(POCL, id)) {
        cab_world *opencl = world_of(scene, id);
        step(opencl, frames);
        same_rows(native, opencl, name, way);
        cab_world_destroy(opencl);
    }
    cab_world_destroy(native);
}

static void all_scenes_in_all_ways(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT_OF(test_scenes); i++) {
        const test_scene *t = &test_scenes[i];
        test_way ways[WAYS_MAX];
        int count = ways_of(t, ways);
        for (int w = 0; w < count; w++) {
            cab_scene *scene = scene_in_way(t->make, ways[w].method, ways[w].way);
            check_scene(t->name, ways[w].name, scene, t->frames, t->touch);
            cab_scene_destroy(scene);
        }
    }
}

static void other_ways(void **state)
{
    (void)state;
    static const test_way ways[] = {{CAB_METHOD_XPBD, CAB_WAY_LANES, "xpbd in lanes"},
                                    {CAB_METHOD_XPBD, CAB_WAY_CHUNKS, "chunks"},
                                    {CAB_METHOD_PBD, CAB_WAY_AUTO, "pbd"},
                                    {CAB_METHOD_JACOBI, CAB_WAY_AUTO, "jacobi"}};
    for (int w = 0; w < COUNT_OF(ways); w++) {
        cab_scene *scene = scene_in_way(make_swing, ways[w].method, ways[w].way);
        check_scene("swing", ways[w].name, scene, 10, false);
        cab_scene_destroy(scene);
    }
}

/* A cloth that falls on a ball, and a cable sewn to its corner. */
static cab_scene *make_cloth(void)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->contact.cables = true;
    add_material(scene, wire_of("wire", 0.005, 0));
    cab_error error = {0};
    cab_sheet_def def = cab_sheet_default();
    def.name = "cloth";
    def.material = "wire";
    def.corner = (cab_vec3){-0.2, -0.2, 0.52};
    def.along = (cab_vec3){0.4, 0, 0};
    def.across = (cab_vec3){0, 0.4, 0};
    def.count[0] = def.count[1] = 11;
    def.area_density = 0.2;
    must(cab_scene_add_sheet(scene, &def, &error), &error);
    add_straight(scene, "a", (cab_vec3){0.2, 0.2, 0.52}, (cab_vec3){0.5, 0.2, 0.6}, 8);
    cab_attachment_def sewn = held_at("a", (cab_place){0});
    sewn.to = CAB_TARGET_SHEET;
    sewn.target = "cloth";
    sewn.target_at = (cab_place){.kind = CAB_PLACE_CORNER, .particle = 3};
    add_attachment(scene, sewn);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){0, 0, 0.3});
    ball.radius = 0.2;
    add_collider(scene, ball);
    return scene;
}

static void sheets(void **state)
{
    (void)state;
    cab_scene *scene = make_cloth();
    check_scene("cloth", "auto", scene, 20, true);
    cab_world *world = native_world(scene);
    step(world, 5);
    cab_sheet_info sheet = cab_world_get_sheet(world, 0);
    static const cab_quantity none[] = {CAB_QUANTITY_TENSION, CAB_QUANTITY_CURVATURE};
    for (int k = 0; k < COUNT_OF(none); k++) {
        row *rows = draw(world, none[k]);
        for (int i = 0; i < sheet.node_count; i++) assert_true(rows[sheet.first_node + i][3] == 0);
        free(rows);
    }
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- curvature ---- */

/* A circle of a metre and a half around, as the path of a cable. */
#define RADIUS 0.24

static cab_scene *circle_scene(int segments)
{
    cab_vec3 path[257];
    for (int i = 0; i <= segments; i++) {
        double angle = 1.5 * PI * i / segments;
        path[i] = (cab_vec3){RADIUS * cos(angle), RADIUS * sin(angle), 1};
    }
    cab_scene *scene = scene_of(4);
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_cable_def cable = straight_of("a", "wire", path, segments);
    cable.path_count = segments + 1;
    add_cable(scene, cable);
    return scene;
}

/* Three places on chords of length l bend by l^2/r, so an error of eps in a difference of places is one of
 * about 4 eps / l^2 in 1/r. Differences are rounded by 2^-24 l; places themselves, residuals included, by
 * 2^-49 only: without residuals 1/r would be off by 3e-3 with 256 segments, fifty times what is allowed. */
static void curvature_of_a_circle(void **state)
{
    (void)state;
    static const int segments[] = {16, 256};
    for (int k = 0; k < COUNT_OF(segments); k++) {
        cab_scene *scene = circle_scene(segments[k]);
        cab_world *world = native_world(scene);
        row *rows = draw(world, CAB_QUANTITY_CURVATURE);
        double l = 1.5 * PI * RADIUS / segments[k];
        double eps = 4 * (l / 16777216 + 1.0 / 16777216 / 33554432) / (l * l);
        for (int i = 0; i <= segments[k]; i++) near_to(rows[i][3], 1 / RADIUS, eps + 1e-6 / RADIUS);
        free(rows);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

static void curvature_where_there_is_none(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(4);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "one", (cab_vec3){0, 0, 1}, (cab_vec3){0.1, 0, 1}, 1);
    add_straight(scene, "two", (cab_vec3){0, 1, 1}, (cab_vec3){0.25, 1, 1}, 2);
    const cab_vec3 corner[3] = {{0, 2, 1}, {0.25, 2, 1}, {0.25, 2.25, 1}};
    cab_cable_def bent = straight_of("corner", "wire", corner, 2);
    bent.path_count = 3;
    add_cable(scene, bent);
    cab_world *world = native_world(scene);
    row *rows = draw(world, CAB_QUANTITY_CURVATURE);
    for (int i = 0; i < 5; i++) assert_true(rows[i][3] == 0);
    for (int i = 5; i < 8; i++) /* a right angle: the hypotenuse is a diameter */
        near_to(rows[i][3], 2 / (0.25 * sqrt(2)), 1e-6);
    free(rows);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- torque ---- */

static cab_scene *rolled_scene(cab_way way, double break_force)
{
    cab_scene *scene = scene_of(10);
    cab_settings *s = cab_scene_settings(scene);
    s->method = CAB_METHOD_DIRECT;
    s->way = way;
    cab_material_def wire = wire_of("wire", 0.001, 1e-4);
    add_material(scene, wire);
    wire.name = "shaft";
    wire.twisting_stiffness = 1e-4;
    add_material(scene, wire);
    add_cable(scene, straight_of("a", "shaft", (cab_vec3[2]){{0, 0, 1}, {0.5, 0, 1}}, 10));
    add_straight(scene, "b", (cab_vec3){0, 1, 1}, (cab_vec3){0.5, 1, 1}, 6);
    for (int end = 0; end < 2; end++) {
        cab_attachment_def def = held_at("a", end ? at_end() : (cab_place){0});
        def.clamp = true;
        def.roll = end ? -2 : 0;
        if (end) def.break_force = break_force;
        add_attachment(scene, def);
    }
    return scene;
}

/* Rows are what cab_world_read_torque() tells; once the clamp at the end has let go there is none, and the world still says that it twists. */
static void torque_of_a_rolled_cable(void **state)
{
    (void)state;
    static const cab_way ways[] = {CAB_WAY_STAGED, CAB_WAY_LANES};
    for (int k = 0; k < 6; k++) {
        bool breaks = k > 3;
        if (k & 1 && !have_opencl()) continue;
        cab_scene *scene = rolled_scene(ways[breaks ? 0 : k / 2], breaks ? 1e-4 : INFINITY);
        cab_world *world = world_of(scene, k & 1 ? "opencl" : "native");
        cab_error error = {0};
        double torque[18];
        for (int when = 0; when < 2; when++) {
            row *rows = draw(world, CAB_QUANTITY_TORQUE);
            must(cab_world_read_torque(world, torque, &error), &error);
            assert_true(cab_world_get_info(world).twists);
            assert_int_equal(cab_world_get_info(world).nodes, 18);
            for (int i = 0; i < 18; i++) {
                assert_true((double)rows[i][3] == torque[i]); /* both are the float that the device has */
                assert_true((torque[i] < 0) == (when == 1 && i < 11 && !breaks));
            }
            free(rows);
            step(world, 2);
        }
        assert_int_equal(cab_world_get_broken(world, NULL, NULL, 0), breaks);
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- contact ---- */

static double contact_sum(cab_world *world)
{
    row *rows = draw(world, CAB_QUANTITY_CONTACT);
    double sum = 0;
    for (int i = 0; i < cab_world_get_info(world).nodes; i++) sum += rows[i][3];
    free(rows);
    return sum;
}

/* A rod on a floor, and one across two others, which bear it: resting, the floor bears all that they weigh,
 * and between cables each side has the upper one's weight. The mean over frames: single substeps tremble. */
#define ROD_MASS (0.05 * 0.3) /* kg */

static cab_scene *rods_scene(int substeps, bool crossed)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->contact.cables = true;
    cab_scene_settings(scene)->iterations = 4;
    cab_material_def wire = wire_of("wire", 0.005, 1e-2);
    wire.damping = 5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){-0.15, -0.05, 0.005}, (cab_vec3){0.15, -0.05, 0.005}, 10);
    if (crossed) {
        add_straight(scene, "b", (cab_vec3){-0.15, 0.05, 0.005}, (cab_vec3){0.15, 0.05, 0.005}, 10);
        add_straight(scene, "c", (cab_vec3){0.011, -0.15, 0.015}, (cab_vec3){0.011, 0.15, 0.015}, 10);
    }
    add_floor(scene, 0);
    return scene;
}

static double mean_contact(const cab_scene *scene)
{
    cab_world *world = native_world(scene);
    double sum = 0;
    step(world, 60);
    for (int i = 0; i < 60; i++) {
        step(world, 1);
        sum += contact_sum(world) / 60;
    }
    cab_world_destroy(world);
    return sum;
}

static void contact_is_what_things_weigh(void **state)
{
    (void)state;
    static const int substeps[] = {10, 40};
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    for (int k = 0; k < COUNT_OF(substeps); k++) {
        for (int m = 0; m < COUNT_OF(methods); m++) {
            for (int crossed = 0; crossed < 2; crossed++) {
                cab_scene *scene = rods_scene(substeps[k], crossed);
                cab_scene_settings(scene)->method = methods[m];
                double weight = 9.81 * ROD_MASS * (crossed ? 3 + 2 : 1), sum = mean_contact(scene);
                /* 1e-4 with xpbd; the direct method's last substep was off by 0.83 % with 10 substeps, by
                 * 0.21 % with 40, as its time step */
                near_to(sum, weight, (m == 0 ? 1e-3 : 0.1 / substeps[k]) * weight);
                cab_scene_destroy(scene);
            }
        }
    }
}

static cab_scene *sleeping_scene(void)
{
    cab_scene *scene = rods_scene(10, true);
    cab_scene_settings(scene)->contact.sleep = true;
    return scene;
}

static void sleepers_keep_their_forces(void **state)
{
    (void)state;
    static const cab_method methods[] = {CAB_METHOD_XPBD, CAB_METHOD_DIRECT};
    char id[32];
    for (int m = 0; m < COUNT_OF(methods); m++) {
        cab_scene *scene = sleeping_scene();
        cab_scene_settings(scene)->method = methods[m];
        cab_world *world = native_world(scene);
        double before = 0;
        int frames = 0;
        for (; measure(world).asleep < 3 && frames < 300; frames++) {
            before = contact_sum(world);
            step(world, 1);
            if (measure(world).asleep == 3) before = contact_sum(world);
        }
        assert_int_equal(measure(world).asleep, 3);
        assert_true(before > 0);
        step(world, 10);
        assert_true(contact_sum(world) == before);
        agrees_with_read(world, "sleeping");
        if (find_device(POCL, id)) {
            cab_world *opencl = world_of(scene, id);
            step(opencl, frames + 10);
            same_rows(world, opencl, "sleeping", "");
            cab_world_destroy(opencl);
        }
        cab_world_destroy(world);
        cab_scene_destroy(scene);
    }
}

/* ---- breaking, states, wrong numbers ---- */

/* The rows are those of the nodes' new particles, whenever the world was first drawn. */
static void broken_joints_are_drawn_apart(void **state)
{
    (void)state;
    cab_scene *scene = make_breaking();
    cab_world *world = native_world(scene);
    agrees_with_read(world, "breaking");
    for (int i = 0; i < 30; i++) {
        step(world, 1);
        agrees_with_read(world, "breaking");
    }
    assert_true(cab_world_get_broken(world, NULL, NULL, 0) > 0);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void a_state_brings_its_contact(void **state)
{
    (void)state;
    cab_error error = {0};
    cab_scene *scene = rods_scene(10, true);
    cab_world *from = native_world(scene), *to = native_world(scene);
    void *bytes;
    size_t size;
    step(from, 20);
    step(to, 10);
    assert_true(contact_sum(from) > 0 && contact_sum(to) > 0);
    must(cab_world_pack(from, &bytes, &size, &error), &error);
    must(cab_world_unpack(to, bytes, size, &error), &error);
    assert_true(contact_sum(to) == contact_sum(from));
    agrees_with_read(to, "loaded");
    step(from, 1);
    step(to, 1);
    same_rows(from, to, "a frame after loading", "");
    free(bytes);
    cab_world_destroy(from);
    cab_world_destroy(to);
    cab_scene_destroy(scene);
}

static void wrong_numbers(void **state)
{
    (void)state;
    cab_error error = {0};
    float rows[4 * 64];
    cab_scene *scene = make_swing();
    cab_world *world = native_world(scene);
    must_fail(cab_world_draw(world, CAB_QUANTITY_COUNT, rows, &error), CAB_ERROR_INPUT, &error, "quantity");
    must_fail(cab_world_draw(world, (cab_quantity)-1, rows, &error), CAB_ERROR_INPUT, &error, "quantity");
    must_fail(cab_world_draw_into(world, 1, CAB_QUANTITY_NONE, &error), CAB_ERROR_INPUT, &error,
              "cab_world_def.gl");
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(cab_quantity_name(CAB_QUANTITY_CURVATURE), "curvature");
    assert_string_equal(cab_quantity_unit(CAB_QUANTITY_CURVATURE), "1/m");
    assert_string_equal(cab_quantity_name(CAB_QUANTITY_TORQUE), "torque");
    assert_string_equal(cab_quantity_unit(CAB_QUANTITY_TORQUE), "N m");
    assert_string_equal(cab_interop_name(CAB_INTEROP_AUTO), "auto");
    for (int i = 0; i < CAB_QUANTITY_COUNT; i++) assert_true(cab_quantity_name((cab_quantity)i)[0]);
    for (int i = 0; i < CAB_INTEROP_COUNT; i++) assert_true(cab_interop_name((cab_interop)i)[0]);
    assert_string_equal(cab_quantity_name(CAB_QUANTITY_COUNT), "");
    assert_string_equal(cab_quantity_unit(CAB_QUANTITY_COUNT), "");
    assert_string_equal(cab_interop_name(CAB_INTEROP_COUNT), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_scenes_in_all_ways),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(sheets),
        cmocka_unit_test(curvature_of_a_circle),
        cmocka_unit_test(curvature_where_there_is_none),
        cmocka_unit_test(torque_of_a_rolled_cable),
        cmocka_unit_test(contact_is_what_things_weigh),
        cmocka_unit_test(sleepers_keep_their_forces),
        cmocka_unit_test(broken_joints_are_drawn_apart),
        cmocka_unit_test(a_state_brings_its_contact),
        cmocka_unit_test(wrong_numbers),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}

/* Start velocities that differ along a cable: by particle, by place, by an earlier pose. Rigid rotation, free fall, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "worlds.h"

#define LINEAR 0.05 /* kg/m, of wire_of() */

enum { SEGMENTS_MOST = 64 };

static cab_scene *empty_scene(cab_method method, int substeps, cab_vec3 gravity)
{
    cab_scene *scene = scene_of(substeps);
    cab_scene_settings(scene)->method = method;
    cab_scene_settings(scene)->gravity = gravity;
    add_material(scene, wire_of("wire", 0.002, 1e-3));
    return scene;
}

/* Sums over the particles of one cable of equal segments, 1 m long. */
typedef struct sums {
    double energy;          /* J, of motion */
    double momentum[3];     /* kg m/s */
    double turning[3];      /* angular momentum about the centre of mass, kg m^2/s */
    double centre[3], mass; /* m, kg */
} sums;

static sums sums_of(const snapshot *s)
{
    sums a = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < s->nodes; i++) {
            double m = LINEAR / (s->nodes - 1) * (i == 0 || i == s->nodes - 1 ? 0.5 : 1), v[3], r[3];
            for (int k = 0; k < 3; k++) {
                if (pass == 0) a.momentum[k] += m * s->v[i][k];
                if (pass == 0) a.centre[k] += m * s->x[i][k];
                r[k] = s->x[i][k] - a.centre[k];
                v[k] = s->v[i][k];
            }
            if (pass == 0) a.mass += m;
            if (pass == 0) a.energy += m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
            for (int k = 0; k < 3 && pass == 1; k++)
                a.turning[k] += m * (r[(k + 1) % 3] * v[(k + 2) % 3] - r[(k + 2) % 3] * v[(k + 1) % 3]);
        }
        for (int k = 0; k < 3 && pass == 0; k++) a.centre[k] /= a.mass;
    }
    return a;
}

static sums sums_now(cab_world *world)
{
    snapshot s = read_world(world);
    sums a = sums_of(&s);
    snapshot_free(&s);
    return a;
}

/* ---- a free rod that turns ---- */

typedef enum given { ROWS, ALONG, POSE } given;

#define TURNING 2.0 /* rad/s about z, for 1 s */

/* A rod about the origin. The earlier pose is 10 us old: over that the chord is the arc, but for 7e-11 of it. */
static cab_world *turning_rod(const char *device, cab_method method, int segments, given how)
{
    cab_scene *scene = empty_scene(method, 20, (cab_vec3){0, 0, 0});
    if (method == CAB_METHOD_XPBD) cab_scene_settings(scene)->iterations = segments;
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{-0.5, 0, 0}, {0.5, 0, 0}}, segments);
    cab_vec3 rows[SEGMENTS_MOST + 1];
    for (int i = 0; i <= segments; i++) rows[i] = (cab_vec3){0, TURNING * ((double)i / segments - 0.5), 0};
    const cab_velocity_row along[2] = {{0, rows[0]}, {1, rows[segments]}};
    double before = 1e-5, x = 0.5 * cos(TURNING * before), y = 0.5 * sin(TURNING * before);
    const cab_vec3 path[2] = {{-x, y, 0}, {x, -y, 0}};
    if (how == ROWS)
        cable.motion = (cab_start_motion_def){.velocities = rows, .velocity_count = segments + 1};
    if (how == ALONG) cable.motion = (cab_start_motion_def){.along = along, .along_count = 2};
    if (how == POSE) cable.motion = (cab_start_motion_def){.path = path, .path_count = 2, .before = before};
    add_cable(scene, cable);
    return take(scene, device, 1);
}

/* What the method itself takes away of a rotation, as a share of it, in time t: by xpbd a step goes along the chord and is pulled
 * back towards the centre, so that an angle q in one substep becomes atan(sin q / (2 - cos q)) = q - q^3 in the next one:
 * w(t) = w / sqrt(1 + 2 w^2 h t). By direct, of second order, 1e-5 of it is left, and what floats make of 1200 substeps. */
static double lost(cab_method method)
{
    return method == CAB_METHOD_XPBD ? 1 - 1 / sqrt(1 + 2 * TURNING * TURNING / 1200) : 0;
}

/* Tolerances: of xpbd's own loss a tenth, as its next order and the first substep, in which nothing is lost yet, make of it, and for
 * lengths that iterations leave off; of direct 3e-5. Energy has twice as much; the angle is half the loss behind. */
static void turns(const char *device, cab_method method, int segments, given how)
{
    cab_world *world = turning_rod(device, method, segments, how);
    sums before = sums_now(world);
    double n = segments, inertia = LINEAR * (1 / 12.0 + 1 / (6 * n * n)); /* of lumped masses */
    near_to(before.turning[2], inertia * TURNING, 1e-6 * inertia * TURNING);
    near_to(before.energy, inertia * TURNING * TURNING / 2, 1e-6 * inertia * TURNING * TURNING);
    step(world, 60);
    sums after = sums_now(world);
    double loss = lost(method), off = method == CAB_METHOD_XPBD ? 0.1 * loss : 3e-5;
    near_to(after.turning[2] / before.turning[2], 1 - loss, off);
    near_to(after.energy / before.energy, (1 - loss) * (1 - loss), 2 * off);
    double angle = TURNING - loss * TURNING / 2;
    snapshot s = read_world(world);
    for (int i = 0; i <= segments; i++) {
        double r = i / n - 0.5;
        const double place[3] = {r * cos(angle), r * sin(angle), 0};
        at_most(distance3(s.x[i], place), off * TURNING * 0.5);
    }
    snapshot_free(&s);
    cab_world_destroy(world);
}

static void turns_on(const char *device)
{
    static const int segments[] = {16, SEGMENTS_MOST};
    for (int k = 0; k < COUNT_OF(segments); k++) {
        for (int how = ROWS; how <= POSE; how++) {
            turns(device, CAB_METHOD_DIRECT, segments[k], (given)how);
            turns(device, CAB_METHOD_XPBD, segments[k], (given)how);
        }
    }
}

static void a_rod_turns_as_it_was_given(void **state)
{
    (void)state;
    turns_on("native");
}

static void and_on_opencl(void **state)
{
    (void)state;
    if (!have_opencl()) skip();
    turns_on("opencl");
}

/* ---- free fall ---- */

/* A cable that is thrown so that it bends, turns and would be stretched. All forces between its particles are inner ones, so its centre
 * falls like a stone, and by direct the angular momentum about it stays: 1e-3 of that is what the first substep leaves, which is of
 * first order. Floats leave 1e-5 m of the fall of 0.3 m. */
static void falls(const char *device, cab_method method, int segments)
{
    const double g = 9.81, time = 0.25;
    cab_scene *scene = empty_scene(method, 40, (cab_vec3){0, 0, -g});
    if (method == CAB_METHOD_XPBD) cab_scene_settings(scene)->iterations = 4;
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {1, 0, 1}}, segments);
    cab_vec3 rows[SEGMENTS_MOST + 1];
    for (int i = 0; i <= segments; i++) {
        double s = (double)i / segments;
        rows[i] = (cab_vec3){0.3 + 0.2 * s, 0.5 * s * s, 1 - s};
    }
    cable.motion = (cab_start_motion_def){.velocities = rows, .velocity_count = segments + 1};
    add_cable(scene, cable);
    cab_world *world = take(scene, device, 1);
    sums before = sums_now(world);
    step(world, 15);
    sums after = sums_now(world);
    double turning = 0;
    for (int k = 0; k < 3; k++) {
        double speed = before.momentum[k] / before.mass, fall = k == 2 ? -g * time : 0;
        near_to(after.momentum[k] / after.mass, speed + fall, 1e-5);
        /* a method of first order takes half a substep's gravity more */
        double late = k == 2 && method == CAB_METHOD_XPBD ? g * time / (60 * 40) / 2 : 0;
        near_to(after.centre[k], before.centre[k] + time * (speed + fall / 2) - late, 1e-5);
        turning = fmax(turning, fabs(before.turning[k]));
    }
    for (int k = 0; k < 3 && method == CAB_METHOD_DIRECT; k++)
        near_to(after.turning[k], before.turning[k], 1e-3 * turning);
    at_most(measure(world).stretch_max, 2e-3);
    cab_world_destroy(world);
}

static void a_cable_falls_about_its_centre(void **state)
{
    (void)state;
    static const int segments[] = {16, SEGMENTS_MOST};
    for (int k = 0; k < COUNT_OF(segments); k++) {
        falls("native", CAB_METHOD_DIRECT, segments[k]);
        falls("native", CAB_METHOD_XPBD, segments[k]);
        if (!have_opencl()) continue;
        falls("opencl", CAB_METHOD_DIRECT, segments[k]);
        falls("opencl", CAB_METHOD_XPBD, segments[k]);
    }
}

/* ---- which particle has which ---- */

static void velocity_is(const snapshot *s, int node, double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    at_most(distance3(s->v[node], expected), 1e-6); /* floats */
}

/* Places that something hangs on are where it hangs; between rows it is linear, beyond the first and the last it stays. */
static void rows_go_by_place(void **state)
{
    (void)state;
    cab_scene *scene = empty_scene(CAB_METHOD_DIRECT, 20, (cab_vec3){0, 0, 0});
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 0}, {1, 0, 0}}, 4);
    const cab_velocity_row along[3] = {{0.1, {1, 0, 0}}, {0.5, {3, 0, 4}}, {0.9, {0, 8, 0}}};
    cable.motion = (cab_start_motion_def){.along = along, .along_count = 3};
    cable.copies[1] = 2;
    cable.spacing[1] = 1;
    add_cable(scene, cable);
    hang_weight(scene, "a", at_fraction(0.3), 0.01);
    hold(scene, "a[0,1,0]", at_end(), false);
    cab_world *world = take(scene, "native", 1);
    snapshot s = read_world(world);
    for (int copy = 0; copy < 2; copy++) {
        int first = 5 * copy;
        velocity_is(&s, first, 1, 0, 0);
        velocity_is(&s, first + 1, 2, 0, 2); /* at 0.3 */
        velocity_is(&s, first + 2, 3, 0, 4);
        velocity_is(&s, first + 3, 3 * 0.375, 8 * 0.625, 4 * 0.375); /* at 0.75 */
        velocity_is(&s, first + 4, 0, copy ? 0 : 8, 0);              /* that is held */
    }
    snapshot_free(&s);
    cab_world_destroy(world);
}

/* The same fractions of both paths, along their curves: a corner that moves to the middle. */
static void poses_go_by_share_of_length(void **state)
{
    (void)state;
    const cab_vec3 now[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, then[3] = {{0, 0, 0}, {0, 0, 1}, {3, 0, 1}};
    cab_scene *scene = empty_scene(CAB_METHOD_XPBD, 20, (cab_vec3){0, 0, 0});
    cab_cable_def cable = straight_of("a", "wire", now, 4);
    cable.path_count = 3;
    cable.motion = (cab_start_motion_def){.path = then, .path_count = 3, .before = 0.5};
    add_cable(scene, cable);
    cab_world *world = take(scene, "native", 1);
    snapshot s = read_world(world);
    velocity_is(&s, 0, 0, 0, 0);
    velocity_is(&s, 1, 2 * 0.5, 0, -2); /* from the corner */
    velocity_is(&s, 2, 2 * (1 - 1), 0, -2);
    velocity_is(&s, 3, 2 * (1.5 - 2), 0, -2);
    velocity_is(&s, 4, 2 * (2 - 3), 0, -2);
    snapshot_free(&s);
    cab_world_destroy(world);
}

/* Rows of a cable on a drum are those of what is out. */
static void on_a_drum_the_end_counts(void **state)
{
    (void)state;
    cab_scene *scene = empty_scene(CAB_METHOD_XPBD, 20, (cab_vec3){0, 0, 0});
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 0}, {1, 0, 0}}, 2);
    const cab_vec3 rows[3] = {{0, 0, 9}, {0, 0, 1}, {0, 0, 2}};
    const cab_feed_keyframe keep[1] = {{0, 0}};
    cable.motion = (cab_start_motion_def){.velocities = rows, .velocity_count = 3};
    cable.feed = (cab_feed_def){.keyframes = keep, .keyframe_count = 1, .stored = 1};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    cab_world *world = take(scene, "native", 1);
    snapshot s = read_world(world);
    assert_int_equal(s.nodes, 5);
    velocity_is(&s, 3, 0, 0, 1);
    velocity_is(&s, 4, 0, 0, 2);
    snapshot_free(&s);
    cab_world_destroy(world);
}

/* ---- what is refused ---- */

static void refuses(cab_start_motion_def motion, const char *part)
{
    cab_scene *scene = empty_scene(CAB_METHOD_XPBD, 20, (cab_vec3){0, 0, 0});
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 0}, {1, 0, 0}}, 2);
    cable.motion = motion;
    must_refuse_cable(scene, cable, false, part);
}

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    const cab_vec3 rows[4] = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, NAN, 0}};
    const cab_velocity_row back[2] = {{0.5, {0, 0, 0}}, {0.5, {1, 0, 0}}}, beyond[1] = {{1.5, {0, 0, 0}}};
    refuses((cab_start_motion_def){.velocities = rows, .velocity_count = 2},
            "/cables/0/velocity: expected 3 rows, one for each particle of 2 segments, got 2");
    refuses((cab_start_motion_def){.velocities = rows, .velocity_count = 4},
            "/cables/0/velocity/3/1: expected");
    refuses((cab_start_motion_def){.velocity_count = 3}, "/cables/0/velocity: expected");
    refuses((cab_start_motion_def){.along = back, .along_count = 2},
            "/cables/0/velocity/along/1/0: expected a place after the one before");
    refuses((cab_start_motion_def){.along = beyond, .along_count = 1},
            "/cables/0/velocity/along/0/0: expected");
    refuses((cab_start_motion_def){.path = rows, .path_count = 1, .before = 1},
            "/cables/0/velocity/path: expected");
    refuses((cab_start_motion_def){.path = rows, .path_count = 3}, "/cables/0/velocity/before: expected");
    refuses((cab_start_motion_def){.path = rows, .path_count = 3, .before = 1e-8},
            "/cables/0/velocity/before: expected velocities up to 1e+06 m/s, got 1.12e+08");
    refuses(
        (cab_start_motion_def){.path = rows, .path_count = 3, .before = 1, .along = back, .along_count = 2},
        "/cables/0/velocity: expected one of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_turns_as_it_was_given),    cmocka_unit_test(and_on_opencl),
        cmocka_unit_test(a_cable_falls_about_its_centre), cmocka_unit_test(rows_go_by_place),
        cmocka_unit_test(poses_go_by_share_of_length),    cmocka_unit_test(on_a_drum_the_end_counts),
        cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

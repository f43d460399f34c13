/* Definitions of rigid bodies: what their shapes weigh, and which are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bodies.h"

/* ---- what shapes weigh ---- */

/* Mass and moments of inertia, kg m^2, along the axis and across it, about the middle, of a solid of revolution of 1,000 kg/m^3, by slices
 * of a hundred-thousandth of it. */
static void weigh_slices(cab_body_shape_kind kind, double half, double r, double *mass, double *along,
                         double *across)
{
    double end = kind == CAB_BODY_CYLINDER ? half : half + r, dx = end / 5e4;
    *mass = *along = *across = 0;
    for (double x = -end + dx / 2; x < end; x += dx) {
        double beyond = fmax(fabs(x) - half, 0), square = r * r - beyond * beyond,
               slice = 1000 * PI * square * dx;
        *mass += slice;
        *along += slice * square / 2;
        *across += slice * (square / 4 + x * x);
    }
}

static cab_body_info info_of(const cab_body_shape_def *shapes, int count)
{
    cab_scene *scene = body_scene(20, G);
    cab_body_def def = block_at("b", (cab_vec3){1, 2, 3});
    def.shapes = shapes;
    def.shape_count = count;
    def.mass = 0;
    def.density = 1000;
    add_body(scene, def);
    add_far_cable(scene);
    cab_world *world = take(scene, "native", 1);
    cab_body_info info;
    assert_int_equal(cab_world_get_bodies(world, &info, 1), 1);
    cab_world_destroy(world);
    return info;
}

static void shapes_weigh_what_they_do(void **state)
{
    (void)state;
    static const cab_body_shape_kind kinds[] = {CAB_BODY_SPHERE, CAB_BODY_CAPSULE, CAB_BODY_CYLINDER};
    for (int k = 0; k < COUNT_OF(kinds); k++) {
        double half = kinds[k] == CAB_BODY_SPHERE ? 0 : 0.15, r = 0.1, mass, along, across;
        const cab_body_shape_def shape = {
            .kind = kinds[k], .radius = r, .center = {0.5, -half, 0}, .to = {0.5, half, 0}};
        cab_body_info info = info_of(&shape, 1);
        weigh_slices(kinds[k], half, r, &mass, &along, &across);
        near_to(info.mass, mass, 1e-6 * mass);
        near_to(info.center.x, 0.5, 1e-12);
        near_to(info.inertia[0][0], across, 1e-6 * across);
        near_to(info.inertia[1][1], along, 1e-6 * along);
        near_to(info.inertia[2][2], across, 1e-6 * across);
    }
    /* two cubes side by side are one box; the second is turned by a quarter, which changes nothing */
    const cab_body_shape_def cubes[2] = {{.kind = CAB_BODY_BOX,
                                          .center = {0.1, 0, 0},
                                          .half_extents = {0.1, 0.1, 0.1},
                                          .rotation = {1, 0, 0, 0}},
                                         {.kind = CAB_BODY_BOX,
                                          .center = {-0.1, 0, 0},
                                          .half_extents = {0.1, 0.1, 0.1},
                                          .rotation = {1, 1, 0, 0}}};
    cab_body_info info = info_of(cubes, 2);
    near_to(info.mass, 16, 1e-12);
    near_to(info.inertia[0][0], 16 * (0.01 + 0.01) / 3, 1e-12);
    near_to(info.inertia[2][2], 16 * (0.04 + 0.01) / 3, 1e-12);
    near_to(info.inertia[0][1], 0, 1e-12);
}

/* ---- what is refused ---- */

static void refuses(cab_body_def def, const char *part)
{
    cab_error error = {0};
    cab_scene *scene = body_scene(20, G);
    must_fail(cab_scene_add_body(scene, &def, &error), CAB_ERROR_INPUT, &error, part);
    cab_scene_destroy(scene);
}

static void wrong_bodies_are_refused(void **state)
{
    (void)state;
    cab_body_def def = block_at("b", (cab_vec3){0, 0, 0}), wrong = def;
    wrong.name = "";
    refuses(wrong, "/bodies/0/name: expected a name that is not empty");
    wrong = def;
    wrong.mass = 0;
    refuses(wrong, "/bodies/0/mass: expected");
    wrong.density = 500;
    wrong.mass = 2;
    refuses(wrong, "/bodies/0/density: expected either a mass or a density");
    wrong = def;
    wrong.shape_count = 0;
    refuses(wrong, "/bodies/0/inertia: expected numbers above 0, or shapes from which it follows");
    wrong.inertia = (cab_vec3){1, 1, 2.1};
    refuses(wrong, "/bodies/0/inertia: expected no number above the sum of both others");
    wrong = def;
    wrong.motion = CAB_BODY_HINGE;
    wrong.axis = (cab_vec3){0, 0, 0};
    refuses(wrong, "/bodies/0/motion/hinge/axis: expected");
    wrong = def;
    wrong.rotation[0] = 0;
    refuses(wrong, "/bodies/0/rotation: expected");
    const cab_body_shape_def flat = {.kind = CAB_BODY_CYLINDER, .radius = 0.1};
    wrong = def;
    wrong.shapes = &flat;
    refuses(wrong, "/bodies/0/shapes/0/to: expected another point than");
    wrong = def;
    wrong.copies[1] = 0;
    refuses(wrong, "/bodies/0/copies/count/1: expected");
}

/* ---- sockets ---- */

static cab_socket_def socket_of(void)
{
    cab_socket_def def = cab_socket_default();
    def.name = "X1";
    def.plug.body = "plug";
    def.to.body = "box";
    def.depth = 0.01;
    return def;
}

static void refuses_socket(cab_socket_def def, const char *part)
{
    cab_error error = {0};
    cab_scene *scene = body_scene(20, G);
    must_fail(cab_scene_add_socket(scene, &def, &error), CAB_ERROR_INPUT, &error, part);
    cab_scene_destroy(scene);
}

/* Of bodies: only where a world is made. */
static void refuses_bodies(cab_socket_def def, cab_body_motion motion, int copies, const char *part)
{
    cab_error error = {0};
    cab_scene *scene = body_scene(20, G);
    cab_body_def plug = block_at("plug", (cab_vec3){0, 0, 0}), box = block_at("box", (cab_vec3){1, 0, 0});
    cab_world_def world_def = cab_world_default();
    cab_world *world;
    plug.motion = box.motion = motion;
    plug.copies[1] = copies;
    plug.spacing[1] = 1;
    add_body(scene, plug);
    add_body(scene, box);
    must(cab_scene_add_socket(scene, &def, &error), &error);
    add_far_cable(scene);
    must_fail(cab_world_create(scene, &world_def, &world, &error), CAB_ERROR_INPUT, &error, part);
    cab_scene_destroy(scene);
}

static void wrong_sockets_are_refused(void **state)
{
    (void)state;
    cab_socket_def def = socket_of(), wrong = def;
    const cab_socket_row_def rows[2] = {{0.01, 1}, {0.01, 2}}, less = {0, -1};
    wrong.name = "";
    refuses_socket(wrong, "/sockets/0/name: expected a name that is not empty");
    wrong = def, wrong.plug.body = NULL;
    refuses_socket(wrong, "/sockets/0/plug/body: expected the name of a body");
    wrong = def, wrong.to.axis = (cab_vec3){0, 0, 0};
    refuses_socket(wrong, "/sockets/0/to/axis: expected");
    wrong = def, wrong.plug.up = (cab_vec3){2, 0, 0};
    refuses_socket(wrong, "/sockets/0/plug/up: expected a direction that is not along the axis");
    wrong = def, wrong.depth = 0;
    refuses_socket(wrong, "/sockets/0/depth: expected");
    wrong = def, wrong.capture_angle = 2;
    refuses_socket(wrong, "/sockets/0/capture_angle: expected");
    wrong = def, wrong.pull_out_force = -1;
    refuses_socket(wrong, "/sockets/0/pull_out_force: expected");
    wrong = def, wrong.pull_out_force = NAN;
    refuses_socket(wrong, "/sockets/0/pull_out_force: expected");
    wrong = def, wrong.friction = rows, wrong.friction_count = 2;
    refuses_socket(wrong, "/sockets/0/friction/1/0: expected depths that increase");
    wrong = def, wrong.friction = &less, wrong.friction_count = 1;
    refuses_socket(wrong, "/sockets/0/friction/0/1: expected");
    wrong = def, wrong.to.body = "bix";
    refuses_bodies(wrong, CAB_BODY_FREE, 1, "/sockets/0/to/body");
    wrong = def, wrong.to.body = "plug";
    refuses_bodies(wrong, CAB_BODY_FREE, 1, "/sockets/0/to/body: expected another body than the plug");
    refuses_bodies(def, CAB_BODY_FREE, 2,
                   "/sockets/0/to/body: expected a body with as many copies as the plug's");
    refuses_bodies(def, CAB_BODY_FIXED, 1, "/sockets/0/plug/body: expected a body that forces move");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_weigh_what_they_do),
        cmocka_unit_test(wrong_bodies_are_refused),
        cmocka_unit_test(wrong_sockets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

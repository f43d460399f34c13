/* Colliders, sheets and marks: the list of marks by itself, and pixels of pictures without a window.
 * CLCABLE_TEST_PICTURES=FOLDER keeps what was drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cube.h"
#include "stage.h"

#include <cglm/cglm.h>

#include "view/shapes/mark_list.h"

/* ---- marks ---- */

/* A cable held at both ends, the second of which breaks in the first frame: 50 g/m weigh more than it bears.
 */
static cab_scene *scene_that_breaks(void)
{
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.01, 0));
    add_straight(scene, "a", (cab_vec3){-0.5, 0, 0}, (cab_vec3){0.5, 0, 0}, 10);
    hold(scene, "a", (cab_place){.kind = CAB_PLACE_START}, false);
    cab_attachment_def def = held_at("a", at_end());
    def.break_force = 1e-3;
    add_attachment(scene, def);
    return scene;
}

static void test_marks_of_attachments(void **state)
{
    (void)state;
    cab_scene *scene = scene_that_breaks();
    cab_world *world = world_on(scene, "native", 1);
    cab_mark_list list = {0};
    must(cab_mark_list_start(&list, scene, world, &error), &error);
    must(cab_mark_list_make(&list, scene, world, 1, &error), &error);
    assert_int_equal(list.count[CAB_MARK_CONE], 2);
    assert_int_equal(list.count[CAB_MARK_CROSS], 0);
    near_to(list.marks[CAB_MARK_CONE][1].start[0], 0.5, 1e-6);
    must(cab_world_step(world, 3, &error), &error);
    must(cab_mark_list_make(&list, scene, world, 1, &error), &error);
    assert_int_equal(list.count[CAB_MARK_CONE], 1);
    assert_int_equal(list.count[CAB_MARK_CROSS], 2); /* at the cable's end, and where it was held */
    assert_int_equal(list.marks[CAB_MARK_CROSS][0].from, 10);
    assert_int_equal(list.marks[CAB_MARK_CROSS][1].from, -1);
    near_to(list.marks[CAB_MARK_CROSS][1].start[0], 0.5, 1e-6);
    cab_mark_list_free(&list);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

static void test_marks_of_loads(void **state)
{
    (void)state;
    cab_scene *scene = scene_of(2);
    add_material(scene, wire_of("wire", 0.001, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 0}, (cab_vec3){1, 0, 0}, 10);
    hang_weight(scene, "a", at_end(), 7850 * 4 * M_PI / 3 * 1e-3); /* a ball of steel of 0.1 m radius */
    for (int i = 0; i < 2; i++) {
        cab_load_def def = load_at("a", at_particle(2 + i));
        def.force = (cab_vec3){0, i ? 0.1 : 10, 0};
        add_load(scene, def);
    }
    cab_world *world = world_on(scene, "native", 1);
    cab_mark_list list = {0};
    must(cab_mark_list_start(&list, scene, world, &error), &error);
    must(cab_mark_list_make(&list, scene, world, 1, &error), &error);
    assert_int_equal(list.count[CAB_MARK_BALL], 1);
    near_to(list.marks[CAB_MARK_BALL][0].width, 0.1, 1e-6);
    assert_int_equal(list.count[CAB_MARK_ARROW], 2);
    const cab_mark *strong = &list.marks[CAB_MARK_ARROW][0], *weak = &list.marks[CAB_MARK_ARROW][1];
    assert_int_equal(strong->from, 2);
    assert_int_equal(strong->to, 2);
    near_to(strong->end[0], 0, 1e-7);
    near_to(weak->end[1] / strong->end[1], 0.5, 1e-6); /* a hundredth: two of four decades */
    cab_mark_list_free(&list);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* ---- pictures ---- */

/* From the front, without perspective: x goes right, z up, 2 m are as high as the picture. */
static stage stage_of(cab_scene *scene)
{
    stage s = {.scene = scene, .world = world_on(scene, "native", 1), .look = cab_look_default()};
    s.look.background = CAB_BACKGROUND_TRANSPARENT;
    s.look.grid = false;
    s.camera = cab_camera_default();
    cab_camera_set_view(&s.camera, "front");
    s.camera.distance = 1 / tanf(s.camera.fov / 2);
    open_stage(&s);
    return s;
}

static void draw(stage *s, const char *name)
{
    must(cab_renderer_update(s->renderer, s->world, &s->look, &error), &error);
    draw_stage(s, name);
}

/* The pixel at a place of the world. */
static const unsigned char *at(const stage *s, double x, double z)
{
    int column = (int)(WIDTH / 2.0 + x * HEIGHT / 2), row = (int)(HEIGHT / 2.0 - z * HEIGHT / 2);
    assert_in_range(column, 0, WIDTH - 1);
    assert_in_range(row, 0, HEIGHT - 1);
    return s->picture.rgba + 4 * ((size_t)row * WIDTH + (size_t)column);
}

static void nothing_at(const stage *s, double x, double z)
{
    const unsigned char *p = at(s, x, z);
    if (p[3] > 0) fail_msg("something at %g, %g: %d %d %d %d", x, z, p[0], p[1], p[2], p[3]);
}

/* A collider's grey: nowhere is a channel off by more than rounding and a tint make it. */
static int grey_at(const stage *s, double x, double z)
{
    const unsigned char *p = at(s, x, z);
    if (p[3] < 255 || abs(p[0] - p[1]) > 8 || abs(p[1] - p[2]) > 8)
        fail_msg("no collider at %g, %g: %d %d %d %d", x, z, p[0], p[1], p[2], p[3]);
    return p[1];
}

/* A cable far below the picture, since a scene must have one. */
static cab_scene *empty_scene(void)
{
    cab_scene *scene = scene_of(2);
    cab_scene_settings(scene)->gravity = (cab_vec3){0, 0, 0};
    add_material(scene, wire_of("wire", 0.005, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, -3}, (cab_vec3){1, 0, -3}, 4);
    return scene;
}

static cab_collider_def ball_at(double x, double z)
{
    cab_collider_def def = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){x, 0, z});
    def.radius = 0.4;
    return def;
}

static void test_sphere_is_shaded(void **state)
{
    (void)state;
    cab_scene *scene = empty_scene();
    add_collider(scene, ball_at(0.2, 0.1));
    stage s = stage_of(scene);
    draw(&s, "solids-sphere");
    int light = grey_at(&s, 0.1, 0.3), middle = grey_at(&s, 0.2, 0.1), dark = grey_at(&s, 0.3, -0.2);
    assert_true(light > middle + 10 &&
                middle > dark + 10); /* the light comes from above, the left, the front */
    grey_at(&s, 0.2 + 0.38, 0.1);
    nothing_at(&s, 0.2 + 0.42, 0.1);
    nothing_at(&s, 0.2 - 0.3, 0.1 - 0.3); /* 0.42 off: it is round */
    close_stage(&s);
}

static void test_moved_collider_is_where_it_is_said_to_be(void **state)
{
    (void)state;
    static const cab_pose_keyframe keys[2] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}},
                                              {1, {{-0.9, 0, 0.6}, {1, 0, 0, 0}}}};
    cab_scene *scene = empty_scene();
    cab_collider_def def = ball_at(0.5, -0.4);
    def.radius = 0.2;
    def.keyframes = keys;
    def.keyframe_count = 2;
    add_collider(scene, def);
    stage s = stage_of(scene);
    draw(&s, "solids-before");
    grey_at(&s, 0.5, -0.4);
    for (int call = 0; call < 2; call++) { /* by keyframes, by the user */
        if (call)
            must(cab_world_set_collider(s.world, 0, (cab_pose){{0.1, 0, 0.9}, {1, 0, 0, 0}}, &error), &error);
        must(cab_world_step(s.world, 60, &error), &error);
        draw(&s, call ? "solids-set" : "solids-moved");
        cab_pose pose;
        assert_true(cab_world_get_collider(s.world, 0, &pose));
        double x = 0.5 + pose.position.x, z = -0.4 + pose.position.z;
        near_to(x, call ? 0.6 : -0.4, 1e-9);
        grey_at(&s, x, z);
        grey_at(&s, x - 0.18, z);
        grey_at(&s, x + 0.18, z);
        nothing_at(&s, x, z + 0.22);
        nothing_at(&s, 0.5, -0.4);
        cab_bounds bounds = cab_renderer_bounds(s.renderer);
        near_to(bounds.hi[2], z + 0.2, 1e-5);
    }
    close_stage(&s);
}

/* A box half a right angle about y stands on its edge; one from a mesh looks the same. */
static void test_box_and_mesh_are_turned(void **state)
{
    (void)state;
    cab_scene *scene = empty_scene();
    const double half_turn[4] = {cos(M_PI / 8), 0, sin(M_PI / 8), 0};
    cab_mesh mesh = repeated(cube, cube_triangles, 12);
    cab_collider_def box = shape_at(CAB_SHAPE_BOX, (cab_vec3){-0.6, 0, 0});
    box.half_extents = (cab_vec3){0.3, 0.3, 0.3};
    cab_collider_def made = shape_at(CAB_SHAPE_MESH, (cab_vec3){0.6, 0, -0.3 * sqrt(2)});
    made.mesh = mesh;
    made.scale = 0.6;
    for (int i = 0; i < 4; i++) box.rotation[i] = made.rotation[i] = 3 * half_turn[i];
    made.rotation[2] = -made.rotation[2]; /* its corner is at the origin: the square goes up from there */
    add_collider(scene, box);
    add_collider(scene, made);
    stage s = stage_of(scene);
    draw(&s, "solids-turned");
    for (int side = -1; side <= 1; side += 2) {
        double x = 0.6 * side;
        grey_at(&s, x, 0);
        grey_at(&s, x, 0.38);
        grey_at(&s, x + 0.38, 0);
        nothing_at(&s, x, 0.44);
        nothing_at(&s, x - 0.3, 0.2);
    }
    close_stage(&s);
    cab_mesh_free(&mesh);
}

/* A cylinder ends flat, a capsule beyond its end. */
static void test_cylinder_ends_flat(void **state)
{
    (void)state;
    cab_scene *scene = empty_scene();
    for (int i = 0; i < 2; i++) {
        cab_collider_def def =
            shape_at(i ? CAB_SHAPE_CYLINDER : CAB_SHAPE_CAPSULE, (cab_vec3){-0.4, 0, i ? -0.4 : 0.4});
        def.to = (cab_vec3){0.4, 0, def.center.z};
        def.radius = 0.2;
        add_collider(scene, def);
    }
    stage s = stage_of(scene);
    draw(&s, "solids-cylinder");
    for (int side = -1; side <= 1; side += 2) {
        grey_at(&s, 0.5 * side, 0.4);
        grey_at(&s, 0.38 * side, -0.4);
        nothing_at(&s, 0.42 * side, -0.4);
        nothing_at(&s, 0.2, -0.4 + 0.22 * side);
    }
    close_stage(&s);
}

static void test_tilted_plane_is_seen_from_its_free_side(void **state)
{
    (void)state;
    for (int behind = 0; behind < 2; behind++) {
        cab_scene *scene = empty_scene();
        cab_collider_def def = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 1, 0});
        def.normal = (cab_vec3){0, behind ? 1 : -1, 0};
        add_collider(scene, def);
        add_collider(scene, ball_at(0, 0)); /* so that the bounds are about it */
        stage s = stage_of(scene);
        draw(&s, behind ? "solids-behind" : "solids-plane");
        assert_true((at(&s, 0.6, 0.2)[3] > 250) == !behind);
        close_stage(&s);
    }
}

/* ---- bodies ---- */

/* A body's sand: redder than blue by more than any tint makes of grey. */
static void sand_at(const stage *s, double x, double z)
{
    const unsigned char *p = at(s, x, z);
    if (p[3] < 255 || p[0] < p[2] + 15)
        fail_msg("no body at %g, %g: %d %d %d %d", x, z, p[0], p[1], p[2], p[3]);
}

static void add_body(cab_scene *scene, const char *name, cab_vec3 position, const cab_body_shape_def *shapes,
                     int count, const double rotation[4], cab_vec3 velocity, cab_vec3 spin)
{
    cab_body_def def = cab_body_default();
    def.name = name;
    def.position = position;
    def.shapes = shapes;
    def.shape_count = count;
    def.mass = 1;
    def.velocity = velocity;
    def.spin = spin;
    memcpy(def.rotation, rotation, sizeof def.rotation);
    must(cab_scene_add_body(scene, &def, &error), &error);
}

static const double upright[4] = {1, 0, 0, 0};

static cab_scene *bodied_scene(void)
{
    cab_scene *scene = empty_scene();
    cab_scene_settings(scene)->method = CAB_METHOD_DIRECT;
    return scene;
}

/* A sphere, a capsule, a box and a cylinder, none of them at the origin of its body's own axes. */
static void test_all_shapes_of_a_body_are_drawn(void **state)
{
    (void)state;
    static const cab_body_shape_def shapes[4] = {
        {.kind = CAB_BODY_SPHERE, .center = {-0.6, 0, 0.5}, .radius = 0.2},
        {.kind = CAB_BODY_CAPSULE, .center = {0.2, 0, 0.5}, .to = {0.6, 0, 0.5}, .radius = 0.1},
        {.kind = CAB_BODY_BOX,
         .center = {-0.6, 0, -0.5},
         .half_extents = {0.2, 0.2, 0.2},
         .rotation = {0.923879533, 0, 0.382683432, 0}}, /* by 45 degrees about y */
        {.kind = CAB_BODY_CYLINDER, .center = {0.2, 0, -0.5}, .to = {0.6, 0, -0.5}, .radius = 0.1},
    };
    cab_scene *scene = bodied_scene();
    add_body(scene, "b", (cab_vec3){0, 0, 0}, shapes, 4, upright, (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, 0});
    stage s = stage_of(scene);
    draw(&s, "solids-body");
    sand_at(&s, -0.6 + 0.18, 0.5);
    nothing_at(&s, -0.6 + 0.16, 0.5 + 0.16); /* 0.226 off: it is round */
    sand_at(&s, 0.6 + 0.08, 0.5);            /* a capsule goes beyond its end */
    nothing_at(&s, 0.6 + 0.12, 0.5);
    sand_at(&s, -0.6, -0.5 + 0.26); /* the box stands on its edge */
    nothing_at(&s, -0.6 + 0.18, -0.5 + 0.18);
    sand_at(&s, 0.6 - 0.02, -0.5 - 0.08); /* a cylinder ends flat at its end */
    nothing_at(&s, 0.6 + 0.02, -0.5);
    nothing_at(&s, 0.2 - 0.02, -0.5);
    nothing_at(&s, 0.4, -0.5 - 0.12);
    close_stage(&s);
}

/* Rods of two bodies and of their copies: where they fly to, turned as they spin, and in the bounds. */
static void test_bodies_are_where_they_are_read(void **state)
{
    (void)state;
    static const cab_body_shape_def rod[2] = {
        {.kind = CAB_BODY_CYLINDER, .center = {-0.3, 0, 0}, .to = {0.3, 0, 0}, .radius = 0.05},
        {.kind = CAB_BODY_SPHERE, .center = {0, 0, 0}, .radius = 0.06}};
    cab_scene *scene = bodied_scene();
    cab_body_def def = cab_body_default();
    def.name = "b";
    def.position = (cab_vec3){-0.6, 0, -0.4};
    def.velocity = (cab_vec3){0, 0, 0.8};
    def.spin = (cab_vec3){0, -M_PI / 2, 0}; /* in a second from x to z */
    def.shapes = rod;
    def.shape_count = 2;
    def.mass = 1;
    def.copies[0] = 2;
    def.spacing[0] = 0.9;
    must(cab_scene_add_body(scene, &def, &error), &error);
    add_body(scene, "none", (cab_vec3){0, 0, 5}, rod, 1, upright, (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, 0});
    stage s = stage_of(scene);
    draw(&s, "solids-bodies");
    for (int copy = 0; copy < 2; copy++) {
        double x = -0.6 + 0.9 * copy;
        sand_at(&s, x + 0.28, -0.4);
        sand_at(&s, x - 0.28, -0.4);
        nothing_at(&s, x, -0.4 + 0.28);
    }
    must(cab_world_step(s.world, 60, &error), &error);
    draw(&s, "solids-bodies-later");
    cab_body_reading now[3];
    must(cab_world_read_bodies(s.world, now, &error), &error);
    near_to(now[0].position.z, 0.4, 1e-3);
    for (int copy = 0; copy < 2; copy++) {
        double x = now[copy].position.x, z = now[copy].position.z;
        sand_at(&s, x, z + 0.28);
        sand_at(&s, x, z - 0.28);
        nothing_at(&s, x + 0.28, z);
        nothing_at(&s, x, -0.4);
    }
    near_to(cab_renderer_bounds(s.renderer).hi[2], 5.05, 1e-5);
    close_stage(&s);
}

/* What ends on a body is marked where it is, also when both have gone on. */
static void test_marks_stay_on_bodies(void **state)
{
    (void)state;
    static const cab_body_shape_def ball = {.kind = CAB_BODY_SPHERE, .radius = 0.1};
    cab_scene *scene = bodied_scene();
    add_straight(scene, "b", (cab_vec3){-0.5, 0, 0}, (cab_vec3){0.5, 0, 0}, 10);
    add_body(scene, "ball", (cab_vec3){0.6, 0, 0}, &ball, 1, upright, (cab_vec3){0, 0, 1},
             (cab_vec3){0, 0, 0});
    cab_attachment_def held = held_at("b", at_end());
    held.to = CAB_TARGET_BODY;
    held.target = "ball";
    held.break_force = 1e-6;
    add_attachment(scene, held);
    cab_world *world = world_on(scene, "native", 1);
    cab_mark_list list = {0};
    must(cab_mark_list_start(&list, scene, world, &error), &error);
    must(cab_mark_list_make(&list, scene, world, 1, &error), &error);
    assert_int_equal(list.count[CAB_MARK_BALL], 1);
    assert_int_equal(list.count[CAB_MARK_CONE], 0);
    assert_true(list.marks[CAB_MARK_BALL][0].from >= 0);
    must(cab_world_step(world, 3, &error), &error);
    must(cab_mark_list_make(&list, scene, world, 1, &error), &error);
    assert_int_equal(list.count[CAB_MARK_BALL], 0);
    assert_int_equal(list.count[CAB_MARK_CROSS], 1);
    assert_true(list.marks[CAB_MARK_CROSS][0].from >= 0);
    cab_mark_list_free(&list);
    cab_world_destroy(world);
    cab_scene_destroy(scene);
}

/* A level plane is the ground, and takes it along: it rises over a ball that stood on it. */
static void test_floor_follows_its_plane(void **state)
{
    (void)state;
    static const cab_pose_keyframe keys[2] = {{0, {{0, 0, 0}, {1, 0, 0, 0}}}, {1, {{0, 0, 1}, {1, 0, 0, 0}}}};
    cab_scene *scene = empty_scene();
    cab_collider_def def = shape_at(CAB_SHAPE_PLANE, (cab_vec3){0, 0, -0.4});
    def.keyframes = keys;
    def.keyframe_count = 2;
    add_collider(scene, def);
    add_collider(scene, ball_at(0, 0));
    stage s = stage_of(scene);
    s.look.background = CAB_BACKGROUND_LIGHT; /* else it only catches shadows */
    s.look.shadow_size = 0;
    s.camera.pitch = 0.3f;
    draw(&s, "solids-floor");
    int ball = at(&s, 0.1, -0.3)[1], floor = at(&s, 0.7, -0.3)[1];
    assert_true(ball < floor - 20); /* the ball's underside is darker */
    must(cab_world_step(s.world, 60, &error), &error);
    draw(&s, "solids-risen");
    near_to(at(&s, 0.1, -0.3)[1], floor, 8); /* where nothing is near, light hardly changes along it */
    close_stage(&s);
}

/* A sheet of 1 m by 0.8 m that faces the eye. */
static void test_sheet_has_its_silhouette(void **state)
{
    (void)state;
    cab_scene *scene = empty_scene();
    cab_sheet_def def = cab_sheet_default();
    def.name = "cloth";
    def.material = "wire";
    def.corner = (cab_vec3){-0.6, 0, -0.5};
    def.along = (cab_vec3){1, 0, 0};
    def.across = (cab_vec3){0, 0, 0.8};
    def.count[0] = 11;
    def.count[1] = 9;
    def.area_density = 0.1;
    must(cab_scene_add_sheet(scene, &def, &error), &error);
    stage s = stage_of(scene);
    draw(&s, "solids-sheet");
    double covered = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) covered += s.picture.rgba[4 * i + 3] / 255.0;
    near_to(covered, 0.8 * HEIGHT * HEIGHT / 4.0,
            0.01 * 0.8 * HEIGHT * HEIGHT / 4.0); /* a pixel along a side is 0.8 % */
    nothing_at(&s, -0.62, 0);
    nothing_at(&s, 0.42, 0);
    nothing_at(&s, 0, -0.52);
    nothing_at(&s, 0, 0.32);
    /* A thread along a row of nodes is darker than the middle of a cell. It lies between two pixels: a third
     * of its strength in each, 9 of 155. */
    assert_true(at(&s, -0.15, -0.1)[2] < at(&s, -0.15, -0.05)[2] - 5);
    /* from behind it is there as well, a little darker */
    int front = at(&s, -0.15, -0.05)[2];
    cab_camera_set_view(&s.camera, "back");
    draw(&s, "solids-sheet-behind");
    assert_int_equal(at(&s, 0.15, -0.05)[3], 255);
    assert_true(at(&s, 0.15, -0.05)[2] != front);
    close_stage(&s);
}

static int red_pixels(const stage *s)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const unsigned char *p = s->picture.rgba + 4 * i;
        count += p[3] > 128 && p[0] > 2 * p[1] && p[0] > 2 * p[2];
    }
    return count;
}

static void test_broken_place_is_marked(void **state)
{
    (void)state;
    stage s = stage_of(scene_that_breaks());
    draw(&s, "solids-whole");
    assert_int_equal(red_pixels(&s), 0);
    must(cab_world_step(s.world, 10, &error), &error);
    draw(&s, "solids-broken");
    const unsigned char *p = at(&s, 0.5, 0); /* where it was held */
    assert_true(p[3] > 250 && p[0] > 2 * p[1]);
    const float *node = cab_renderer_rows(s.renderer)[10];
    p = at(&s, (double)node[0], (double)node[2]); /* what came off */
    assert_true(p[3] > 250 && p[0] > 2 * p[1]);
    s.look.marks = false;
    draw(&s, "solids-unmarked");
    assert_int_equal(red_pixels(&s), 0);
    close_stage(&s);
}

static void test_all_marks_are_drawn_and_count_for_bounds(void **state)
{
    (void)state;
    static const cab_keyframe keys[2] = {{0, {-0.5, 0, 0}}, {1, {-0.5, 0, 0.9}}};
    cab_scene *scene = scene_of(10);
    add_material(scene, wire_of("wire", 0.02, 1e-3));
    add_straight(scene, "a", (cab_vec3){-0.5, 0, 0}, (cab_vec3){0.5, 0, 0}, 10);
    add_straight(scene, "b", (cab_vec3){0, 0, 0}, (cab_vec3){0, 0, -0.5}, 5);
    cab_attachment_def def = held_at("a", (cab_place){.kind = CAB_PLACE_START});
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = keys;
    def.keyframe_count = 2;
    def.compliance = 1e-2;
    add_attachment(scene, def);
    hold(scene, "a", at_end(), true);
    join(scene, "b", (cab_place){.kind = CAB_PLACE_START}, "a", at_particle(5));
    cab_load_def load = load_at("b", at_end());
    load.force = (cab_vec3){1, 0, 0};
    load.moment = (cab_vec3){0, 1e-3, 0};
    add_load(scene, load);
    stage s = stage_of(scene);
    draw(&s, "solids-marks");
    assert_true(at(&s, -0.5, 0.5)[3] > 0);  /* the way of the target */
    assert_true(at(&s, 0.04, -0.5)[3] > 0); /* the force's arrow */
    assert_true(cab_renderer_bounds(s.renderer).hi[2] > 0.9f);
    int lit = 0, unmarked = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) lit += s.picture.rgba[4 * i + 3] > 0;
    s.look.marks = false;
    draw(&s, "solids-no-marks");
    for (int i = 0; i < WIDTH * HEIGHT; i++) unmarked += s.picture.rgba[4 * i + 3] > 0;
    assert_true(unmarked < lit);
    nothing_at(&s, -0.5, 0.5);
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest lists[] = {
        cmocka_unit_test(test_marks_of_attachments),
        cmocka_unit_test(test_marks_of_loads),
        cmocka_unit_test(test_marks_stay_on_bodies),
    };
    const struct CMUnitTest pictures[] = {
        cmocka_unit_test(test_sphere_is_shaded),
        cmocka_unit_test(test_moved_collider_is_where_it_is_said_to_be),
        cmocka_unit_test(test_box_and_mesh_are_turned),
        cmocka_unit_test(test_cylinder_ends_flat),
        cmocka_unit_test(test_all_shapes_of_a_body_are_drawn),
        cmocka_unit_test(test_bodies_are_where_they_are_read),
        cmocka_unit_test(test_tilted_plane_is_seen_from_its_free_side),
        cmocka_unit_test(test_floor_follows_its_plane),
        cmocka_unit_test(test_sheet_has_its_silhouette),
        cmocka_unit_test(test_broken_place_is_marked),
        cmocka_unit_test(test_all_marks_are_drawn_and_count_for_bounds),
    };
    int failed = cmocka_run_group_tests(lists, NULL, NULL);
    if (cab_headless_create(&headless, &error)) {
        printf("no pictures: %s\n", error.message);
        return failed ? failed : 77;
    }
    failed += cmocka_run_group_tests(pictures, NULL, NULL);
    cab_headless_destroy(headless);
    return failed;
}

/* Scenes that between them use every kernel and every branch of the physics: for tests that compare devices.
 */
#ifndef CAB_TESTS_SCENES_H
#define CAB_TESTS_SCENES_H

#include "worlds.h"

#include "model/scene.h"

typedef struct test_scene {
    const char *name;
    cab_scene *(*make)(void);
    int frames;
    bool fused; /* can be run the fused way of XPBD */
    bool lanes; /* can be run the lanes way of the direct method */
    bool touch; /* must have contacts on the way */
    int broken; /* attachments that must have broken at the end */
} test_scene;

static cab_scene *make_swing(void)
{
    cab_scene *scene = scene_of(8);
    add_material(scene, wire_of("wire", 0.003, 0));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.8, 0.1, 1.1}, 31);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

static cab_scene *make_clamps(void)
{
    cab_scene *scene = scene_of(8);
    cab_material_def wire = wire_of("wire", 0.003, 1e-3);
    wire.damping = 0.5;
    add_material(scene, wire);
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1.2}, 20);
    add_straight(scene, "b", (cab_vec3){0, 1, 1}, (cab_vec3){0.5, 1, 1}, 21);
    hold(scene, "a", (cab_place){0}, true);
    hold(scene, "b", (cab_place){0}, true);
    hold(scene, "b", at_end(), true);
    return scene;
}

static cab_scene *make_clamp_inside(void)
{
    cab_scene *scene = make_clamps();
    add_straight(scene, "c", (cab_vec3){0, 2, 1}, (cab_vec3){0.5, 2, 1}, 17);
    hold(scene, "c", at_fraction(0.4), true);
    return scene;
}

static cab_scene *make_curved(void)
{
    cab_scene *scene = scene_of(8);
    cab_material_def wire = wire_of("wire", 0.003, 5e-5);
    wire.rest_shape_path = true;
    add_material(scene, wire);
    const cab_vec3 path[] = {{0, 0, 1}, {0.1, 0.1, 1}, {0.2, -0.1, 1.1}, {0.3, 0, 1}};
    cab_cable_def cable = straight_of("a", "wire", path, 30);
    cable.path_count = COUNT_OF(path);
    cable.curve = CAB_CURVE_CATMULL_ROM;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, true);
    return scene;
}

/* A trunk with branches at its inside and its end, one of them at a fixed angle, a ring, and weights. */
static cab_scene *make_harness(void)
{
    cab_scene *scene = scene_of(12);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    add_material(scene, wire_of("thick", 0.006, 1e-3));
    const cab_vec3 trunk[2] = {{0, 0, 1}, {1, 0, 1}};
    add_cable(scene, straight_of("trunk", "thick", trunk, 24));
    add_straight(scene, "a", (cab_vec3){0.25, 0, 1}, (cab_vec3){0.25, 0.3, 1}, 9);
    add_straight(scene, "b", (cab_vec3){0.5, 0, 1}, (cab_vec3){0.5, -0.2, 1.1}, 7);
    add_straight(scene, "c", (cab_vec3){1, 0, 1}, (cab_vec3){1.2, 0.1, 1}, 6);
    add_straight(scene, "d", (cab_vec3){1.2, 0.1, 1}, (cab_vec3){1, 0, 1}, 5);
    join(scene, "a", (cab_place){0}, "trunk", at_fraction(0.25));
    cab_attachment_def angle = joined("b", (cab_place){0}, "trunk", at_particle(12));
    angle.clamp = true;
    add_attachment(scene, angle);
    join(scene, "c", (cab_place){0}, "trunk", at_end());
    join(scene, "d", (cab_place){0}, "c", at_end());
    join(scene, "d", at_end(), "trunk", at_end());
    hold(scene, "trunk", (cab_place){0}, true);
    hold(scene, "a", at_end(), false);
    hang_weight(scene, "b", at_end(), 0.02);
    return scene;
}

static cab_scene *make_keyframes(void)
{
    cab_scene *scene = scene_of(8);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.4, 0, 1}}, 16);
    cable.copies[1] = 3;
    cable.spacing[1] = 0.2;
    add_cable(scene, cable);
    const cab_keyframe frames[] = {{0, {0, 0, 1}}, {0.05, {0.1, 0, 1.1}}, {0.21, {-0.1, 0.05, 1}}};
    cab_attachment_def def = held_at("a", (cab_place){0});
    def.to = CAB_TARGET_KEYFRAMES;
    def.keyframes = frames;
    def.keyframe_count = COUNT_OF(frames);
    add_attachment(scene, def);
    hold(scene, "a[0,1,0]", at_end(), false);
    return scene;
}

static cab_scene *make_loads(void)
{
    cab_scene *scene = scene_of(8);
    add_material(scene, wire_of("wire", 0.003, 1e-3));
    add_straight(scene, "a", (cab_vec3){0, 0, 1}, (cab_vec3){0.5, 0, 1}, 18);
    hold(scene, "a", (cab_place){0}, true);
    cab_load_def load = load_at("a", at_end());
    load.moment = (cab_vec3){0.01, -0.02, 0};
    load.mass = 0.005;
    add_load(scene, load);
    load = load_at("a", at_fraction(0.5));
    load.force = (cab_vec3){0.1, 0.2, -0.3};
    add_load(scene, load);
    return scene;
}

static cab_scene *make_drag(void)
{
    cab_scene *scene = make_swing();
    cab_material_def wire = wire_of("windy", 0.003, 0);
    wire.air_drag = 1.2;
    add_material(scene, wire);
    add_cable(scene, straight_of("b", "windy", (const cab_vec3[2]){{0, 1, 1}, {0.5, 1.4, 1}}, 25));
    hold(scene, "b", (cab_place){0}, false);
    return scene;
}

static cab_scene *make_doubles(void)
{
    cab_scene *scene = make_swing();
    cab_scene_settings(scene)->doubles.on = true;
    cab_scene_settings(scene)->doubles.compliance = 1e-5;
    return scene;
}

static cab_scene *make_iterations(void)
{
    cab_scene *scene = make_clamps();
    cab_scene_settings(scene)->iterations = 3;
    return scene;
}

static cab_scene *make_elastic(void)
{
    cab_scene *scene = scene_of(8);
    cab_material_def wire = wire_of("wire", 0.003, 1e-4);
    wire.stretching_stiffness = 50;
    add_material(scene, wire);
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.5, 0.5, 1}}, 40);
    cable.velocity = (cab_vec3){0.3, -0.2, 1};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    return scene;
}

/* Every length modulo the rows and columns of the fused way, one longer than a merged launch takes. */
static cab_scene *make_lengths(void)
{
    static const int segments[] = {1, 2, 3, 4, 5, 6, 7, 11, 46, 47, 48, 49, 95, 96, 97, 130};
    cab_scene *scene = scene_of(4);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    for (int i = 0; i < COUNT_OF(segments); i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        double y = 0.1 * i, reach = 0.02 * segments[i];
        add_straight(scene, name, (cab_vec3){0, y, 1}, (cab_vec3){reach, y, 1}, segments[i]);
        hold(scene, name, (cab_place){0}, i % 2);
    }
    add_straight(scene, "long", (cab_vec3){0, -1, 1}, (cab_vec3){3, -1, 1}, 1300);
    return scene;
}

/* Layers of sticks across one another, over a floor. */
static void add_layers(cab_scene *scene, int layers, int sticks, double gap)
{
    for (int k = 0; k < layers; k++) {
        bool across = k & 1;
        double z = 0.01 + gap * k;
        cab_vec3 ends[2] = {across ? (cab_vec3){0, -0.1, z} : (cab_vec3){-0.1, 0, z},
                            across ? (cab_vec3){0, 0.1, z} : (cab_vec3){0.1, 0, z}};
        char name[16];
        snprintf(name, sizeof name, "layer%d", k);
        cab_cable_def cable = straight_of(name, "wire", ends, 10);
        cable.copies[across ? 0 : 1] = sticks;
        cable.spacing[across ? 0 : 1] = 0.03;
        add_cable(scene, cable);
    }
}

static cab_scene *make_pile(void)
{
    cab_scene *scene = scene_of(10);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.self = true;
    cab_material_def wire = wire_of("wire", 0.005, 1e-3);
    wire.friction = 0.4;
    add_material(scene, wire);
    add_layers(scene, 4, 3, 0.0105);
    add_floor(scene, 0);
    cab_collider_def ball = shape_at(CAB_SHAPE_SPHERE, (cab_vec3){-0.08, 0.03, 0});
    ball.radius = 0.012;
    add_collider(scene, ball);
    cab_collider_def bar = shape_at(CAB_SHAPE_CAPSULE, (cab_vec3){0.08, -0.2, 0.0});
    bar.to = (cab_vec3){0.085, 0.2, 0.004};
    bar.radius = 0.004;
    add_collider(scene, bar);
    cab_collider_def box = shape_at(CAB_SHAPE_BOX, (cab_vec3){0.03, -0.09, 0});
    box.half_extents = (cab_vec3){0.02, 0.01, 0.008};
    box.rotation[3] = 0.2;
    add_collider(scene, box);
    return scene;
}

/* One cable poured down, that folds over itself. */
static cab_scene *make_heap(void)
{
    cab_scene *scene = scene_of(10);
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.self = true;
    settings->contact.passes = 2;
    settings->iterations = 2;
    add_material(scene, wire_of("wire", 0.005, 1e-5));
    add_straight(scene, "a", (cab_vec3){0.002, 0, 0.02}, (cab_vec3){0, 0.003, 0.42}, 32);
    add_floor(scene, 0);
    return scene;
}

/* A joint and a held end that give way, in a scene with contact. */
static cab_scene *make_breaking(void)
{
    cab_scene *scene = scene_of(10);
    cab_scene_settings(scene)->contact.cables = true;
    add_material(scene, wire_of("wire", 0.004, 1e-4));
    add_straight(scene, "a", (cab_vec3){0, 0, 0.3}, (cab_vec3){0.2, 0, 0.3}, 10);
    add_straight(scene, "b", (cab_vec3){0.2, 0, 0.3}, (cab_vec3){0.4, 0, 0.3}, 8);
    cab_attachment_def end = held_at("a", (cab_place){0});
    end.break_force = 0.15;
    end.clamp = true;
    add_attachment(scene, end);
    cab_attachment_def joint = joined("b", (cab_place){0}, "a", at_end());
    joint.break_force = 0.05;
    joint.clamp = true;
    add_attachment(scene, joint);
    hang_weight(scene, "b", at_end(), 0.02);
    add_floor(scene, 0);
    return scene;
}

/* More equal cables than fit into one tile, and not a multiple of any. */
static void add_row_of_cables(cab_scene *scene, int copies)
{
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.6, 0, 1.1}}, 20);
    cable.copies[1] = copies;
    cable.spacing[1] = 0.05;
    cable.velocity = (cab_vec3){0, 0.4, 0.5};
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
}

static cab_scene *make_equal(void)
{
    cab_scene *scene = scene_of(8);
    cab_material_def wire = wire_of("wire", 0.003, 0);
    wire.damping = 0.3;
    add_material(scene, wire);
    add_row_of_cables(scene, 37);
    return scene;
}

static cab_scene *make_equal_bending(void)
{
    cab_scene *scene = scene_of(8);
    add_material(scene, wire_of("wire", 0.003, 1e-3));
    add_row_of_cables(scene, 41);
    return scene;
}

/* Cables of several lengths and materials, clamped, held inside, pulled, led, free, taut. */
static cab_scene *make_mixed(void)
{
    static const int segments[] = {1, 2, 3, 5, 8, 13, 21, 34, 9, 9, 9};
    cab_scene *scene = scene_of(6);
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_material_def stiff = wire_of("stiff", 0.003, 2e-3);
    stiff.stretching_stiffness = 200;
    stiff.damping = 1;
    add_material(scene, stiff);
    const cab_keyframe frames[] = {{0, {0, 0, 1}}, {0.07, {0.05, 0.02, 1.1}}, {0.2, {0.02, 0.1, 1}}};
    for (int i = 0; i < COUNT_OF(segments); i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        double reach = 0.02 * segments[i];
        const cab_vec3 ends[2] = {{0, 0, 1}, {reach, 0, 1}};
        cab_cable_def cable = straight_of(name, i % 2 ? "stiff" : "wire", ends, segments[i]);
        cable.copies[1] = i % 3 + 1;
        cable.spacing[1] = 0.1;
        add_cable(scene, cable);
        cab_attachment_def start = held_at(name, (cab_place){0});
        start.clamp = i % 4 == 1 || i == 6;
        if (i % 3 == 2) {
            start.to = CAB_TARGET_KEYFRAMES;
            start.keyframes = frames;
            start.keyframe_count = COUNT_OF(frames);
        }
        if (i != 3) add_attachment(scene, start);
        if (i > 8) hold(scene, name, at_particle(i - 5), false);
        if (i == 9 || i == 5) hold(scene, name, at_end(), false);
        cab_load_def load = load_at(name, at_end());
        load.force = (cab_vec3){0.02, -0.01, 0.03};
        load.mass = i % 2 ? 0.01 : 0;
        if (i > 3 && i < 8) add_load(scene, load);
    }
    return scene;
}

/* A ring of three cables that hangs on a fourth, a cable whose ends are joined, one joined to its own inside,
 * two between the same joints, a star. */
static cab_scene *make_rings(void)
{
    cab_scene *scene = scene_of(12);
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    const cab_vec3 corner[3] = {{0, 0, 1}, {0.3, 0, 1}, {0.15, 0.2, 1}};
    add_straight(scene, "r0", corner[0], corner[1], 9);
    add_straight(scene, "r1", corner[1], corner[2], 8);
    add_straight(scene, "r2", corner[2], corner[0], 7);
    add_straight(scene, "string", corner[0], (cab_vec3){0, 0, 1.4}, 12);
    join(scene, "r1", (cab_place){0}, "r0", at_end());
    join(scene, "r2", (cab_place){0}, "r1", at_end());
    join(scene, "r2", at_end(), "r0", (cab_place){0});
    join(scene, "string", (cab_place){0}, "r0", (cab_place){0});
    hold(scene, "string", at_end(), true);
    const cab_vec3 loop[] = {{1, 0, 1}, {1.1, 0, 1}, {1.1, 0.1, 1.05}, {1, 0.1, 1}, {1, 0, 1}};
    cab_cable_def closed = straight_of("closed", "wire", loop, 16);
    closed.path_count = COUNT_OF(loop);
    add_cable(scene, closed);
    join(scene, "closed", at_end(), "closed", (cab_place){0});
    const cab_vec3 lasso[] = {{2, 0, 1.2}, {2, 0, 1}, {2.1, 0, 1}, {2.1, 0.1, 1}, {2, 0, 1}};
    cab_cable_def noose = straight_of("noose", "wire", lasso, 20);
    noose.path_count = COUNT_OF(lasso);
    add_cable(scene, noose);
    join(scene, "noose", at_end(), "noose", at_fraction(0.369398));
    hold(scene, "noose", (cab_place){0}, false);
    add_straight(scene, "twin0", (cab_vec3){3, 0, 1}, (cab_vec3){3.2, 0, 1}, 6);
    add_straight(scene, "twin1", (cab_vec3){3, 0, 1}, (cab_vec3){3.2, 0, 1}, 1);
    join(scene, "twin1", (cab_place){0}, "twin0", (cab_place){0});
    join(scene, "twin1", at_end(), "twin0", at_end());
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "ray%d", i);
        add_straight(scene, name, (cab_vec3){4, 0, 1}, (cab_vec3){4 + 0.1 * i, 0.1 * (i - 2), 1.1}, i + 1);
        if (i > 0) join(scene, name, (cab_place){0}, "ray0", (cab_place){0});
    }
    return scene;
}

/* Joined cables, a cable with a clamp inside and a pin, on a floor and on each other. */
static cab_scene *make_harness_on_floor(void)
{
    cab_scene *scene = make_harness();
    cab_settings *settings = cab_scene_settings(scene);
    settings->contact.cables = settings->contact.self = true;
    settings->contact.passes = 2;
    add_floor(scene, 0.96);
    return scene;
}

static inline void add_own(cab_scene *scene, const char *cable, const int *stencil, int count,
                           bool inequality, const char *expression)
{
    cab_error error = {0};
    cab_constraint_def def = cab_constraint_default();
    def.cable = cable;
    def.stencil = stencil;
    def.stencil_count = count;
    def.type = inequality ? CAB_CONSTRAINT_INEQUALITY : CAB_CONSTRAINT_EQUALITY;
    def.expression = expression;
    def.compliance = inequality ? 0 : 1e-3;
    def.from = at_particle(1); /* its ends may hang on what can break */
    def.to = at_particle(18);
    must(cab_scene_add_constraint(scene, &def, &error), &error);
}

/* Expressions with every operation, stencils of one particle to eight; copies, joints, one of which breaks.
 */
static cab_scene *make_own(void)
{
    cab_scene *scene = scene_of(8);
    cab_scene_settings(scene)->iterations = 2;
    add_material(scene, wire_of("wire", 0.003, 1e-4));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.6, 0.1, 1.1}}, 40);
    cable.copies[1] = 3;
    cable.spacing[1] = 0.2;
    add_cable(scene, cable);
    add_straight(scene, "b", (cab_vec3){0.6, 0.1, 1.1}, (cab_vec3){1, 0.1, 1.1}, 20);
    add_straight(scene, "c", (cab_vec3){1, 0.1, 1.1}, (cab_vec3){1.3, 0.1, 1.1}, 19);
    hold(scene, "a", (cab_place){0}, true);
    join(scene, "b", (cab_place){0}, "a[0,0,0]", at_end());
    cab_attachment_def weak = joined("c", (cab_place){0}, "b", at_end());
    weak.break_force = 1e-3;
    add_attachment(scene, weak);
    const int row[] = {0, 1, 2, 3, 5, 6, 7, 9};
    add_own(scene, "a", row, 3, true, "rest/0.2 - length(p2 - 2*p1 + p0)/rest");
    add_own(scene, "a", row, 1, true, "p0.z - 0.95 - 0.05*sin(10*p0.x)*cos(7*p0.y)");
    add_own(scene, "a", row, 8, false, "length(p7 - p0) - length(p1 - p0)*9 + 0.1*rest*(p3 - p2).z^2");
    add_own(scene, "b", row, 4, false,
            "min(angle(p1 - p0, p3 - p2), 0.5) + max(0, acos(unit(p3 - p0).z) - 2)");
    add_own(scene, "b", row, 2, true, "abs(p1.z - p0.z) + atan2(rest, p0.y)/3");
    add_own(scene, "c", row, 2, false, "cross(p1 - p0, [0, 1, 0]).x/rest");
    return scene;
}

/* Colours too large to be merged into one launch. */
static cab_scene *make_own_large(void)
{
    cab_scene *scene = scene_of(4);
    add_material(scene, wire_of("wire", 0.003, 0));
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{0, 0, 1}, {0.4, 0, 1}}, 20);
    cable.copies[1] = 100;
    cable.spacing[1] = 0.1;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    add_own(scene, "a", (const int[]){0, 1, 2}, 3, true, "rest/0.1 - length(p2 - 2*p1 + p0)/rest");
    return scene;
}

static const test_scene test_scenes[] = {
    {"swing", make_swing, 20, true, true, false, 0},
    {"clamps", make_clamps, 20, true, true, false, 0},
    {"clamp inside", make_clamp_inside, 20, false, false, false, 0},
    {"curved rest shape", make_curved, 20, true, false, false, 0},
    {"harness", make_harness, 20, false, false, false, 0},
    {"keyframes", make_keyframes, 15, true, true, false, 0},
    {"loads", make_loads, 20, false, false, false, 0},
    {"drag", make_drag, 20, false, false, false, 0},
    {"double distance", make_doubles, 20, false, false, false, 0},
    {"iterations", make_iterations, 20, true, false, false, 0},
    {"elastic", make_elastic, 20, true, true, false, 0},
    {"lengths", make_lengths, 8, true, true, false, 0},
    {"equal", make_equal, 15, true, true, false, 0},
    {"equal, bending", make_equal_bending, 15, true, true, false, 0},
    {"mixed", make_mixed, 15, false, true, false, 0},
    {"rings", make_rings, 20, false, false, false, 0},
    {"pile", make_pile, 12, false, false, true, 0},
    {"heap", make_heap, 15, false, false, true, 0},
    {"bundle", bundle_scene, 8, false, false, true, 0},
    {"harness on floor", make_harness_on_floor, 30, false, false, true, 0},
    {"breaking", make_breaking, 30, false, false, false, 2},
    {"own", make_own, 15, false, false, false, 1},
    {"own, large", make_own_large, 10, false, false, false, 0},
};

/* A method and a way to run it. */
typedef struct test_way {
    cab_method method;
    cab_way way;
    const char *name;
} test_way;

#define WAYS_MAX 4

/* The ways a scene can be run; the first of a method can be had always. */
static inline int ways_of(const test_scene *scene, test_way out[WAYS_MAX])
{
    cab_scene *made = scene->make();
    bool direct = !cab_scene_settings(made)->doubles.on;
    cab_scene_destroy(made);
    int count = 0;
    out[count++] = (test_way){CAB_METHOD_XPBD, CAB_WAY_COLOURED, "coloured"};
    if (scene->fused) out[count++] = (test_way){CAB_METHOD_XPBD, CAB_WAY_FUSED, "fused"};
    if (direct) out[count++] = (test_way){CAB_METHOD_DIRECT, CAB_WAY_STAGED, "staged"};
    if (direct && scene->lanes) out[count++] = (test_way){CAB_METHOD_DIRECT, CAB_WAY_LANES, "lanes"};
    return count;
}

#endif

/* Ropes that go round wheels. Include cmocka first. */
#ifndef CAB_TESTS_PULLEYS_H
#define CAB_TESTS_PULLEYS_H

#include "bodies.h"

#define R 0.05             /* m, of a wheel */
#define THICK 0.003        /* m, radius of the rope */
#define RADIUS (R + THICK) /* m, of the rope's middle on the wheel: there forces act */

/* A wheel about an axis along y. The friction of a rope on it is the mean of both by their product. */
static inline cab_body_def wheel_at(const char *name, cab_vec3 center, double mass, double friction)
{
    static const cab_body_shape_def disc = {
        .kind = CAB_BODY_CYLINDER, .center = {0, -0.02, 0}, .to = {0, 0.02, 0}, .radius = R};
    cab_body_def def = cab_body_default();
    def.name = name;
    def.position = def.point = center;
    def.shapes = &disc;
    def.shape_count = 1;
    def.mass = mass;
    def.friction = friction;
    def.motion = CAB_BODY_HINGE;
    def.axis = (cab_vec3){0, 1, 0};
    return def;
}

/* A scene with a rope of so many kg/m, and what Coulomb has for it and wheels. */
static inline cab_scene *rope_scene(int substeps, double linear_density, double friction)
{
    cab_scene *scene = body_scene(substeps, G);
    cab_material_def rope = wire_of("rope", THICK, 0);
    rope.linear_density = linear_density;
    rope.friction = friction;
    add_material(scene, rope);
    return scene;
}

enum { PATH_MOST = 256 };

/* A rope's path. */
typedef struct path {
    cab_vec3 point[PATH_MOST];
    int count;
} path;

static inline void go_to(path *p, double x, double z)
{
    assert_true(p->count < PATH_MOST);
    p->point[p->count++] = (cab_vec3){x, 0, z};
}

/* Round a wheel, from one angle to another, in steps of 7.5 degrees. */
static inline void go_round(path *p, double x, double z, double radius, double from, double to)
{
    int steps = (int)(fabs(to - from) / PI * 24 + 0.5);
    for (int k = 0; k <= steps; k++) {
        double angle = from + (to - from) * k / steps;
        go_to(p, x + radius * cos(angle), z + radius * sin(angle));
    }
}

/* A row of so many along y, 0.2 m apart. */
static inline void add_ropes(cab_scene *scene, const path *p, int segments, int count)
{
    cab_cable_def def = straight_of("a", "rope", p->point, segments);
    def.path_count = p->count;
    def.copies[1] = count;
    def.spacing[1] = 0.2;
    add_cable(scene, def);
}

static inline void add_rope(cab_scene *scene, const path *p, int segments)
{
    add_ropes(scene, p, segments, 1);
}

/* Where the corners of a rope of segments of this length lie on a wheel: their sides touch it. */
static inline double corners(double radius, double segment)
{
    return radius + segment * segment / (8 * radius);
}

/* A rope so long over a wheel, a weight at each end; as many as the wheel has copies. */
static inline void hang_over(cab_scene *scene, cab_body_def wheel, double length, double left, double right,
                             int segments)
{
    path p = {.count = 0};
    double round = corners(RADIUS, length / segments), down = (length - PI * round) / 2;
    go_to(&p, -round, -down);
    go_round(&p, 0, 0, round, PI, 0);
    go_to(&p, round, -down);
    wheel.spacing[1] = 0.2;
    add_body(scene, wheel);
    add_ropes(scene, &p, segments, wheel.copies[1]);
    hang_weight(scene, "a", (cab_place){0}, left);
    hang_weight(scene, "a", at_end(), right);
}

/* A stiff rod of 6 cm, its middle at `middle`, along x. */
static inline void add_rod(cab_scene *scene, cab_vec3 middle, cab_vec3 velocity)
{
    cab_material_def rod = wire_of("rod", 0.002, 1e-2);
    add_material(scene, rod);
    const cab_vec3 ends[2] = {{middle.x - 0.03, middle.y, middle.z}, {middle.x + 0.03, middle.y, middle.z}};
    cab_cable_def def = straight_of("rod", "rod", ends, 6);
    def.velocity = velocity;
    add_cable(scene, def);
}

#endif

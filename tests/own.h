/* Scenes with constraints of the user's own. Include cmocka first. */
#ifndef CAB_TESTS_OWN_H
#define CAB_TESTS_OWN_H

#include "worlds.h"
#include "model/expression.h"

static const cab_parameter parameters[] = {{"radius", 0.05}, {"two", 2}};

static inline cab_constraint_def own_of(const char *cable, const int *stencil, int count,
                                        const char *expression)
{
    cab_constraint_def def = cab_constraint_default();
    def.cable = cable;
    def.stencil = stencil;
    def.stencil_count = count;
    def.expression = expression;
    return def;
}

static inline void add_own(cab_scene *scene, cab_constraint_def def)
{
    cab_error error = {0};
    must(cab_scene_add_constraint(scene, &def, &error), &error);
}

static const int three[3] = {0, 1, 2};

static inline double circumradius(const double *a, const double *b, const double *c)
{
    double l = distance3(a, b), m = distance3(b, c), n = distance3(a, c), s = (l + m + n) / 2;
    double area = sqrt(fmax(s * (s - l) * (s - m) * (s - n), 1e-30));
    return l * m * n / (4 * area);
}

static inline double least_radius(cab_world *world)
{
    snapshot s = read_world(world);
    double least = INFINITY;
    for (int i = 0; i + 2 < s.nodes; i++) least = fmin(least, circumradius(s.x[i], s.x[i + 1], s.x[i + 2]));
    snapshot_free(&s);
    return least;
}

#define BEND_RADIUS 0.08

/* A slack cable between two near holds; by itself its lowest place is bent to 15 mm with 50 segments, 32 mm
 * with 25. */
static inline cab_scene *make_drape(int segments, int substeps, double x, const char *expression)
{
    static const cab_parameter radius = {"radius", BEND_RADIUS};
    cab_scene *scene = scene_of(substeps);
    cab_material_def rope = wire_of("wire", 0.003, 0);
    rope.damping = 3;
    add_material(scene, rope);
    cab_cable_def cable = straight_of("a", "wire", (const cab_vec3[2]){{x, 0, 1}, {x + 0.1, 0, 1}}, segments);
    cable.length = 1;
    add_cable(scene, cable);
    hold(scene, "a", (cab_place){0}, false);
    hold(scene, "a", at_end(), false);
    if (!expression) return scene;
    cab_constraint_def def = own_of("a", three, 3, expression);
    def.type = CAB_CONSTRAINT_INEQUALITY;
    def.parameters = &radius;
    def.parameter_count = 1;
    add_own(scene, def);
    return scene;
}

static inline double min_bend(void *user, const cab_vec3 *p, int count)
{
    assert_int_equal(count, 3);
    ++*(int *)user;
    double l = 1.0 / 25, x = p[2].x - 2 * p[1].x + p[0].x, y = p[2].y - 2 * p[1].y + p[0].y,
           z = p[2].z - 2 * p[1].z + p[0].z;
    return l / BEND_RADIUS - sqrt(x * x + y * y + z * z) / l;
}

/* What a mounted solver has been shown. */
typedef struct seen {
    int calls, order;
    bool fresh;
} seen;

static inline void lift(void *user, cab_constraint_state *state)
{
    seen *s = user;
    assert_int_equal(state->count, 2);
    assert_int_equal(state->particle, s->calls % 5);
    assert_int_equal(state->cable, 0);
    near_to(state->substep, 1.0 / 1200, 1e-12);
    near_to(state->rest, 0.1, 1e-9);
    near_to(state->compliance, 0.25, 0);
    assert_true((state->inverse_mass[0] == 0) == (state->particle == 0));
    assert_true(*state->lambda == 0); /* anew in each substep */
    *state->lambda = 7;
    s->calls++;
    for (int i = 0; i < 2; i++) {
        if (state->position[i].z < 0.9) state->position[i].z = 0.9;
        if (state->inverse_mass[i] == 0) state->position[i].x += 1; /* dropped */
    }
}

static inline void refuse_world(cab_scene *scene, const char *device, cab_status status, const char *part)
{
    cab_world_def def = cab_world_default();
    cab_world *world = NULL;
    cab_error error = {0};
    def.device = device;
    must_fail(cab_world_create(scene, &def, &world, &error), status, &error, part);
    assert_null(world);
    cab_scene_destroy(scene);
}

static inline cab_scene *drape_with(cab_constraint_def def)
{
    cab_scene *scene = make_drape(25, 10, 0, NULL);
    add_own(scene, def);
    return scene;
}

#endif

/* Planar scenes as their user describes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "study/planar/planar.h"

cab_planar_body_def cab_planar_body_default(void)
{
    return (cab_planar_body_def){
        .mass = 1, .friction = 0.3, .cable_friction = -1, .gravity = 1, .cables = true, .collides = true};
}

cab_planar_cable_def cab_planar_cable_default(void)
{
    return (cab_planar_cable_def){.radius = 0.005, .length_factor = 1};
}

cab_planar_scene *cab_planar_scene_create(void)
{
    cab_planar_scene *scene = calloc(1, sizeof *scene);
    if (!scene) return NULL;
    scene->settings = (cab_planar_settings){.gravity = {0, -9.81},
                                            .duration = 1,
                                            .frame_rate = 60,
                                            .substeps = 8,
                                            .iterations = 2,
                                            .pinch_friction = 0.5,
                                            .pinch = CAB_PLANAR_FULL,
                                            .slack_pieces = 16};
    return scene;
}

void cab_planar_scene_destroy(cab_planar_scene *scene)
{
    if (!scene) return;
    for (int i = 0; i < scene->body_count; i++) free(scene->bodies[i].name);
    for (int i = 0; i < scene->cable_count; i++) {
        CAB_FREE(scene->cables[i].name, scene->cables[i].links, scene->cables[i].link_bodies);
    }
    CAB_FREE(scene->bodies, scene->cables, scene);
}

cab_planar_settings *cab_planar_scene_settings(cab_planar_scene *scene)
{
    return &scene->settings;
}

static int find_body(const cab_planar_scene *scene, const char *name)
{
    for (int i = 0; i < scene->body_count; i++)
        if (strcmp(scene->bodies[i].name, name) == 0) return i;
    return -1;
}

/* A convex polygon, counterclockwise, no edge too short. */
static bool is_convex(const cab_planar_body_def *def)
{
    int n = def->corner_count;
    double turned = 0;
    for (int i = 0; i < n; i++) {
        const double *a = def->corners[i], *b = def->corners[(i + 1) % n], *c = def->corners[(i + 2) % n];
        double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
        double turn = atan2(ux * vy - uy * vx, ux * vx + uy * vy);
        if (hypot(ux, uy) < 1e-9 || turn <= 0) return false;
        turned += turn;
    }
    return turned < 7; /* once round, not twice */
}

static cab_status check_shape(const cab_planar_body_def *def, cab_error *error)
{
    int n = def->corner_count;
    double least = n == 0 ? 1e-6 : 0;
    if (n != 0 && (n < 3 || n > CAB_PLANAR_MAX_CORNERS))
        return cab_fail(error, CAB_ERROR_INPUT, "body \"%s\": expected 3 to %d corners, got %d", def->name,
                        CAB_PLANAR_MAX_CORNERS, n);
    if (!(def->radius >= least && def->radius <= 1e6))
        return cab_fail(error, CAB_ERROR_INPUT, "body \"%s\": expected a radius from %g to 1e+06, got %g",
                        def->name, least, def->radius);
    if (n != 0 && !is_convex(def))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "body \"%s\": expected the corners of a convex polygon, counterclockwise", def->name);
    return CAB_OK;
}

static bool finite_body(const cab_planar_body_def *d)
{
    double sum = d->position[0] + d->position[1] + d->angle + d->mass + d->inertia + d->velocity[0] +
                 d->velocity[1] + d->spin + d->force[0] + d->force[1] + d->torque + d->motor_speed +
                 d->motor_torque + d->friction + d->restitution + d->cable_friction + d->linear_damping +
                 d->angular_damping + d->gravity;
    return isfinite(sum);
}

static cab_status check_body(const cab_planar_scene *scene, const cab_planar_body_def *def, cab_error *error)
{
    if (!def->name || !*def->name) return cab_fail(error, CAB_ERROR_INPUT, "a body: expected a name");
    if (find_body(scene, def->name) >= 0)
        return cab_fail(error, CAB_ERROR_INPUT, "body \"%s\": there is one of that name already", def->name);
    if (!finite_body(def))
        return cab_fail(error, CAB_ERROR_INPUT, "body \"%s\": expected finite numbers", def->name);
    if (def->motion != CAB_PLANAR_STATIC && !(def->mass >= 1e-9 && def->mass <= 1e9))
        return cab_fail(error, CAB_ERROR_INPUT, "body \"%s\": expected a mass from 1e-09 to 1e+09, got %g",
                        def->name, def->mass);
    if (def->inertia < 0 || def->motor_torque < 0 || def->friction < 0 || def->linear_damping < 0 ||
        def->angular_damping < 0)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "body \"%s\": inertia, motor_torque, friction and damping cannot be negative",
                        def->name);
    return check_shape(def, error);
}

cab_status cab_planar_add_body(cab_planar_scene *scene, const cab_planar_body_def *def, cab_error *error)
{
    cab_status status = check_body(scene, def, error);
    if (status) return status;
    size_t size = (size_t)(scene->body_count + 1) * sizeof *scene->bodies;
    cab_planar_named_body *bodies = realloc(scene->bodies, size);
    if (!bodies) return cab_fail_memory(error, "bodies", size);
    scene->bodies = bodies;
    char *name = strdup(def->name);
    if (!name) return cab_fail_memory(error, "a name", strlen(def->name));
    bodies[scene->body_count] = (cab_planar_named_body){.name = name, .def = *def};
    bodies[scene->body_count++].def.name = name;
    return CAB_OK;
}

static cab_status check_link(const cab_planar_scene *scene, const cab_planar_cable_def *def, int i,
                             cab_error *error)
{
    const cab_planar_link_def *link = &def->links[i], *next = &def->links[(i + 1) % def->link_count];
    bool end = !def->loop && (i == 0 || i == def->link_count - 1);
    if (link->body && find_body(scene, link->body) < 0)
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": link %d: no body \"%s\"", def->name, i,
                        link->body);
    if (!link->body && link->kind != CAB_PLANAR_LINK_POINT)
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": link %d: expected a body", def->name, i);
    if (end == (link->kind == CAB_PLANAR_LINK_ROLL))
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": link %d: expected %s", def->name, i,
                        end ? "a point or a reel, it is an end" : "one that rolls, it is not an end");
    if (link->kind != CAB_PLANAR_LINK_POINT && link->spin != 1 && link->spin != -1)
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": link %d: expected the spin 1 or -1, got %d",
                        def->name, i, link->spin);
    if (link->thickening && link->kind != CAB_PLANAR_LINK_REEL)
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": link %d: only a reel thickens", def->name, i);
    if (link->turns < 0 || link->turns > 1000 || !(link->stored >= 0 && link->stored <= 1e6))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "cable \"%s\": link %d: expected turns from 0 to 1000, stored from 0 to 1e+06",
                        def->name, i);
    bool last = i == def->link_count - 1 && !def->loop;
    if (!last && link->body && next->body && strcmp(link->body, next->body) == 0)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "cable \"%s\": link %d: expected another body than \"%s\" next", def->name, i,
                        link->body);
    return CAB_OK;
}

static cab_status check_cable(const cab_planar_scene *scene, const cab_planar_cable_def *def,
                              cab_error *error)
{
    if (!def->name || !*def->name) return cab_fail(error, CAB_ERROR_INPUT, "a cable: expected a name");
    for (int i = 0; i < scene->cable_count; i++) {
        if (strcmp(scene->cables[i].name, def->name) == 0)
            return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": there is one of that name already",
                            def->name);
    }
    if (!(def->radius >= 1e-9 && def->radius <= 1e6))
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": expected a radius from 1e-09 to 1e+06, got %g",
                        def->name, def->radius);
    if (!(def->stretching_stiffness >= 0) || !(def->length_factor > 0 && def->length_factor <= 100))
        return cab_fail(
            error, CAB_ERROR_INPUT,
            "cable \"%s\": expected a stiffness of at least 0, a length factor above 0, at most 100",
            def->name);
    if (def->link_count < (def->loop ? 3 : 2))
        return cab_fail(error, CAB_ERROR_INPUT, "cable \"%s\": expected at least %d links, got %d", def->name,
                        def->loop ? 3 : 2, def->link_count);
    cab_status status = CAB_OK;
    for (int i = 0; i < def->link_count && !status; i++) status = check_link(scene, def, i, error);
    return status;
}

cab_status cab_planar_add_cable(cab_planar_scene *scene, const cab_planar_cable_def *def, cab_error *error)
{
    cab_status status = check_cable(scene, def, error);
    if (status) return status;
    size_t size = (size_t)(scene->cable_count + 1) * sizeof *scene->cables, links = (size_t)def->link_count;
    cab_planar_cable *cables = realloc(scene->cables, size);
    if (!cables) return cab_fail_memory(error, "cables", size);
    scene->cables = cables;
    cab_planar_cable cable = {.def = *def};
    cable.name = strdup(def->name);
    cable.links = calloc(links, sizeof *cable.links);
    cable.link_bodies = calloc(links, sizeof *cable.link_bodies);
    if (!cable.name || !cable.links || !cable.link_bodies) {
        CAB_FREE(cable.name, cable.links, cable.link_bodies);
        return cab_fail_memory(error, "a cable", links * sizeof *cable.links);
    }
    for (int i = 0; i < def->link_count; i++) {
        const char *body = def->links[i].body;
        cable.link_bodies[i] = body ? find_body(scene, body) : CAB_PLANAR_WORLD;
        cable.links[i] = def->links[i];
        cable.links[i].body = NULL;
    }
    cable.def.name = cable.name;
    cable.def.links = cable.links;
    cables[scene->cable_count++] = cable;
    return CAB_OK;
}

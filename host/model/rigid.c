#include "model/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "model/body_mass.h"
#include "model/expand.h"
#include "model/limits.h"
#include "model/names.h"

/* A vector of the body's own axes in those of space at the start. */
static cab_vec3 turn(const cab_rigid_body *body, cab_vec3 v)
{
    return cab_quaternion_rotate(cab_quaternion_unit(body->rotation), v);
}

static cab_vec3 shift_of(const cab_body_def *def, const int copy[3])
{
    return (cab_vec3){copy[0] * def->spacing[0], copy[1] * def->spacing[1], copy[2] * def->spacing[2]};
}

cab_vec3 cab_rigid_point(const cab_model *model, const cab_rigid_body *body, cab_vec3 point)
{
    const cab_body_def *def = cab_rigid_def(model, body);
    cab_vec3 origin = cab_vec3_add(def->position, shift_of(def, body->copy));
    return cab_vec3_add(origin, turn(body, point));
}

static void add_copy(cab_model *model, int index, const cab_body_mass *own, const int copy[3])
{
    const cab_body_def *def = &model->scene->bodies[index];
    cab_rigid_body *b = &model->rigid[model->rigid_count++];
    *b = (cab_rigid_body){.scene_body = index, .mass = own->mass, .axis = cab_vec3_unit(def->axis)};
    memcpy(b->copy, copy, sizeof b->copy);
    cab_quaternion_store(cab_quaternion_unit(def->rotation), b->rotation);
    b->center = cab_rigid_point(model, b, own->center);
    b->pivot = def->motion == CAB_BODY_HINGE || def->motion == CAB_BODY_BALL
                   ? cab_vec3_add(def->point, shift_of(def, copy))
                   : b->center;
    const cab_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cab_vec3 axis[3];
    for (int k = 0; k < 3; k++) axis[k] = turn(b, unit[k]);
    for (int i = 0; i < 9; i++) {
        const double a[3] = {axis[i / 3].x, axis[i / 3].y, axis[i / 3].z};
        const double c[3] = {axis[i % 3].x, axis[i % 3].y, axis[i % 3].z};
        for (int k = 0; k < 9; k++)
            b->second[k / 3][k % 3] += own->second[i / 3][i % 3] * a[k / 3] * c[k % 3];
    }
}

static int copy_count(const cab_body_def *def)
{
    return def->copies[0] * def->copies[1] * def->copies[2];
}

cab_status cab_expand_rigid(cab_model *model, cab_error *error)
{
    const cab_scene *scene = model->scene;
    long long count = 0;
    for (int i = 0; i < scene->body_count; i++) count += copy_count(&scene->bodies[i]);
    cab_status status = CAB_NEW(model->rigid, count, error);
    for (int i = 0; status == CAB_OK && i < scene->body_count; i++) {
        const int *n = scene->bodies[i].copies;
        cab_body_mass own = cab_body_mass_of(&scene->bodies[i]);
        for (int k = 0; k < n[0] * n[1] * n[2]; k++)
            add_copy(model, i, &own, (const int[3]){k % n[0], k / n[0] % n[1], k / n[0] / n[1]});
    }
    return status;
}

/* Four points at L t, where S/m = L L^T (Cholesky) and the t are the corners of a regular tetrahedron, have the second moment S and
 * the centre of mass that they should. */
static void place_points(const cab_rigid_body *b, cab_vec3 place[CAB_RIGID_POINTS])
{
    static const cab_vec3 corner[CAB_RIGID_POINTS] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double l[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = b->second[i][j] / b->mass;
            for (int k = 0; k < j; k++) rest -= l[i][k] * l[j][k];
            if (i == j)
                l[i][i] = sqrt(fmax(rest, 0));
            else
                l[i][j] = l[j][j] > 0 ? rest / l[j][j] : 0;
        }
    }
    for (int k = 0; k < CAB_RIGID_POINTS; k++) {
        const double t[3] = {corner[k].x, corner[k].y, corner[k].z};
        double at[3];
        for (int i = 0; i < 3; i++) at[i] = l[i][0] * t[0] + l[i][1] * t[1] + l[i][2] * t[2];
        place[k] = cab_vec3_add(b->center, (cab_vec3){at[0], at[1], at[2]});
    }
}

void cab_expand_mass_points(cab_model *model)
{
    for (int i = 0; i < model->rigid_count; i++) {
        cab_rigid_body *b = &model->rigid[i];
        b->point = model->particle_count;
        place_points(b, model->place + b->point);
        model->particle_count += CAB_RIGID_POINTS;
    }
}

void cab_rigid_set_masses(cab_model *model)
{
    for (int i = 0; i < model->rigid_count; i++) {
        const cab_rigid_body *b = &model->rigid[i];
        for (int p = b->point; p < b->point + CAB_RIGID_POINTS; p++) {
            model->mass[p] = b->mass / CAB_RIGID_POINTS;
            model->damping[p] = model->mass[p] * cab_rigid_def(model, b)->damping;
        }
    }
}

cab_vec3 cab_rigid_velocity(const cab_model *model, const cab_rigid_body *body, cab_vec3 place)
{
    const cab_body_def *def = cab_rigid_def(model, body);
    cab_vec3 spin = def->spin, velocity = def->velocity;
    if (def->motion == CAB_BODY_HINGE) spin = cab_vec3_scale(cab_vec3_dot(spin, body->axis), body->axis);
    if (def->motion == CAB_BODY_SLIDER) {
        spin = (cab_vec3){0, 0, 0};
        velocity = cab_vec3_scale(cab_vec3_dot(velocity, body->axis), body->axis);
    }
    bool held = def->motion == CAB_BODY_HINGE || def->motion == CAB_BODY_BALL;
    cab_vec3 turning = cab_vec3_cross(spin, cab_vec3_sub(place, body->pivot));
    return held ? turning : cab_vec3_add(velocity, turning);
}

int cab_rigid_of_particle(const cab_model *model, int particle)
{
    if (model->rigid_of[particle] >= 0) return model->attachments[model->rigid_of[particle]].rigid;
    if (model->rigid_count == 0 || particle < model->rigid[0].point) return -1;
    return (particle - model->rigid[0].point) / CAB_RIGID_POINTS;
}

/* A body's inertia about its pivot is not below that about its centre, of which the largest reciprocal is not above the sum of all. */
double cab_rigid_resistance(const cab_model *model, const cab_rigid_body *body, cab_vec3 place)
{
    cab_body_motion motion = cab_rigid_def(model, body)->motion;
    cab_vec3 arm = cab_vec3_sub(place, body->pivot);
    double inertia[3][3], determinant = 0, minors = 0, weight = 0;
    cab_body_inertia(body->second, inertia);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        minors += inertia[j][j] * inertia[k][k] - inertia[j][k] * inertia[k][j];
        determinant += inertia[0][i] * (inertia[1][j] * inertia[2][k] - inertia[1][k] * inertia[2][j]);
    }
    if (motion == CAB_BODY_FREE || motion == CAB_BODY_SLIDER) weight += 1 / body->mass;
    if (motion != CAB_BODY_SLIDER) weight += cab_vec3_dot(arm, arm) * minors / determinant;
    return 1 / weight;
}

double cab_rigid_heavier(const cab_model *model, int particle)
{
    const cab_rigid_body *b = &model->rigid[cab_rigid_of_particle(model, particle)];
    return 1 + cab_rigid_resistance(model, b, model->place[particle]) / model->mass[particle];
}

void cab_rigid_name(const cab_model *model, int body, char *name, size_t size)
{
    const cab_rigid_body *b = &model->rigid[body];
    const cab_body_def *def = cab_rigid_def(model, b);
    if (copy_count(def) == 1)
        snprintf(name, size, "%s", def->name);
    else
        snprintf(name, size, "%s[%d,%d,%d]", def->name, b->copy[0], b->copy[1], b->copy[2]);
}

/* Of the scene's body `index` the first copy in the model. */
static int first_of(const cab_model *model, int index)
{
    int first = 0;
    for (int i = 0; i < index; i++) first += copy_count(&model->scene->bodies[i]);
    return first;
}

cab_status cab_rigid_find(const cab_model *model, const char *pointer, const char *name, int *first,
                          int *count, cab_error *error)
{
    const cab_scene *scene = model->scene;
    int index = cab_scene_find_body(scene, name), at[3];
    size_t length;
    if (index >= 0) {
        *first = first_of(model, index);
        *count = copy_count(&scene->bodies[index]);
        return CAB_OK;
    }
    char base[CAB_NAME_MAX + 1];
    if (cab_name_split_copy(name, &length, at) && length <= CAB_NAME_MAX) {
        snprintf(base, sizeof base, "%.*s", (int)length, name);
        index = cab_scene_find_body(scene, base);
    }
    const int *n = index >= 0 ? scene->bodies[index].copies : NULL;
    if (n && at[0] < n[0] && at[1] < n[1] && at[2] < n[2] && at[0] >= 0 && at[1] >= 0 && at[2] >= 0) {
        *first = first_of(model, index) + at[0] + n[0] * (at[1] + n[1] * at[2]);
        *count = 1;
        return CAB_OK;
    }
    const char **names = calloc((size_t)scene->body_count + 1, sizeof *names);
    for (int i = 0; names && i < scene->body_count; i++) names[i] = scene->bodies[i].name;
    const char *near = names ? cab_nearest(name, names, scene->body_count) : NULL;
    free(names);
    return cab_fail(error, CAB_ERROR_INPUT, "%s: %s: no body is called \"%s\"%s%s%s", scene->source, pointer,
                    name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

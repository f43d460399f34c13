#include "model/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "model/body_mass.h"
#include "model/body_shape.h"
#include "model/expand.h"
#include "model/limits.h"
#include "model/names.h"

cab_vec3 cab_rigid_direction(const cab_rigid_body *body, cab_vec3 v)
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
    return cab_vec3_add(origin, cab_rigid_direction(body, point));
}

cab_vec3 cab_rigid_seen(const cab_model *model, const cab_rigid_body *body, cab_vec3 place)
{
    cab_vec3 from = cab_vec3_sub(place, cab_rigid_point(model, body, (cab_vec3){0, 0, 0}));
    return cab_quaternion_rotate(cab_quaternion_inverse(cab_quaternion_unit(body->rotation)), from);
}

static void add_copy(cab_model *model, int index, int told, const cab_body_mass *own, const int copy[3])
{
    const cab_body_def *def = &model->scene->bodies[index];
    cab_rigid_body *b = &model->rigid[cab_model_all_rigid(model)];
    (*(cab_body_is_led(def) ? &model->led_count : &model->rigid_count))++;
    *b = (cab_rigid_body){
        .scene_body = index, .mass = own->mass, .axis = cab_vec3_unit(def->axis), .told = told};
    memcpy(b->copy, copy, sizeof b->copy);
    cab_quaternion_store(cab_quaternion_unit(def->rotation), b->rotation);
    b->center = cab_rigid_point(model, b, own->center);
    b->pivot = def->motion == CAB_BODY_HINGE || def->motion == CAB_BODY_BALL
                   ? cab_vec3_add(def->point, shift_of(def, copy))
                   : b->center;
    const cab_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cab_vec3 axis[3];
    for (int k = 0; k < 3; k++) axis[k] = cab_rigid_direction(b, unit[k]);
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

static const cab_vec3 corner[CAB_RIGID_POINTS] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

/* S/m = L L^T */
static void factorise(const cab_rigid_body *b, double l[3][3])
{
    double second[3][3];
    for (int i = 0; i < 9; i++) second[i / 3][i % 3] = b->second[i / 3][i % 3] / b->mass;
    cab_body_factorise((const double(*)[3])second, l);
}

/* Four points at L t, where the t are the corners of a regular tetrahedron, have the second moment S and the centre of mass that
 * they should. */
static void place_points(const cab_rigid_body *b, cab_vec3 place[CAB_RIGID_POINTS])
{
    double l[3][3] = {{0}};
    factorise(b, l);
    for (int k = 0; k < CAB_RIGID_POINTS; k++) {
        const double t[3] = {corner[k].x, corner[k].y, corner[k].z};
        double at[3];
        for (int i = 0; i < 3; i++) at[i] = l[i][0] * t[0] + l[i][1] * t[1] + l[i][2] * t[2];
        place[k] = cab_vec3_add(b->center, (cab_vec3){at[0], at[1], at[2]});
    }
}

/* A place of the body moves as (1 + t . y)/4 of each mass point does, y = L^-1 (place - center). */
static void shares_of(const cab_rigid_body *b, const double l[3][3], cab_vec3 place,
                      double share[CAB_RIGID_POINTS])
{
    cab_vec3 from = cab_vec3_sub(place, b->center);
    const double x[3] = {from.x, from.y, from.z};
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = x[i];
        for (int k = 0; k < i; k++) y[i] -= l[i][k] * y[k];
        y[i] = l[i][i] > 0 ? y[i] / l[i][i] : 0;
    }
    for (int k = 0; k < CAB_RIGID_POINTS; k++)
        share[k] = (1 + corner[k].x * y[0] + corner[k].y * y[1] + corner[k].z * y[2]) / 4;
}

void cab_rigid_shares(const cab_rigid_body *body, cab_vec3 place, double share[CAB_RIGID_POINTS])
{
    double l[3][3] = {{0}};
    factorise(body, l);
    shares_of(body, (const double(*)[3])l, place, share);
}

/* The sum of the amounts of its shares. */
static double reach_of(const cab_rigid_body *b, const double l[3][3], cab_vec3 place)
{
    double share[CAB_RIGID_POINTS], sum = 0;
    shares_of(b, l, place, share);
    for (int k = 0; k < CAB_RIGID_POINTS; k++) sum += fabs(share[k]);
    return sum;
}

/* Half of what a shape measures along its own axes, of which x is along a capsule, a cylinder or a sheave. */
static cab_vec3 half_of(const cab_body_shape_def *shape, cab_vec3 *middle, cab_quaternion *axes)
{
    bool sheave = shape->kind == CAB_BODY_SHEAVE;
    double r = sheave ? shape->groove.flange : shape->radius,
           l = cab_vec3_distance(shape->center, shape->to) / 2;
    bool round = sheave || shape->kind == CAB_BODY_CAPSULE || shape->kind == CAB_BODY_CYLINDER;
    *middle = round ? cab_vec3_scale(0.5, cab_vec3_add(shape->center, shape->to)) : shape->center;
    *axes = (cab_quaternion){1, {0, 0, 0}};
    if (shape->kind == CAB_BODY_BOX) {
        *axes = cab_quaternion_unit(shape->rotation);
        return shape->half_extents;
    }
    if (!round || l == 0) return (cab_vec3){r, r, r};
    /* the turn from x to the axis is half that about the sum of both */
    cab_vec3 along = cab_vec3_unit(cab_vec3_sub(shape->to, shape->center)),
             sum = {1 + along.x, along.y, along.z};
    if (cab_vec3_length(sum) > 1e-6) {
        sum = cab_vec3_unit(sum);
        axes->w = sum.x;
        axes->v = (cab_vec3){0, -sum.z, sum.y};
    }
    return (cab_vec3){shape->kind == CAB_BODY_CAPSULE ? l + r : l, r, r};
}

/* At the corners of a box around each shape: in between it is less, since it is convex. */
static double reach_of_body(const cab_model *model, const cab_rigid_body *b)
{
    const cab_body_def *def = cab_rigid_def(model, b);
    double l[3][3] = {{0}}, most = 0;
    factorise(b, l);
    for (int k = 0; k < 8 * def->shape_count; k++) {
        cab_vec3 middle, half;
        cab_quaternion axes;
        half = half_of(&def->shapes[k / 8], &middle, &axes);
        cab_vec3 off = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        cab_vec3 place = cab_rigid_point(model, b, cab_vec3_add(middle, cab_quaternion_rotate(axes, off)));
        most = fmax(most, reach_of(b, (const double(*)[3])l, place));
    }
    return most;
}

double cab_rigid_extent(const cab_model *model, const cab_rigid_body *b, cab_vec3 about)
{
    const cab_body_def *def = cab_rigid_def(model, b);
    double most = 0;
    for (int k = 0; k < def->shape_count; k++) {
        cab_vec3 middle;
        cab_quaternion axes;
        cab_body_shape_kind kind = def->shapes[k].kind;
        cab_vec3 half = half_of(&def->shapes[k], &middle, &axes);
        bool ends_round = kind == CAB_BODY_SPHERE || kind == CAB_BODY_CAPSULE;
        double own = ends_round             ? half.x
                     : kind == CAB_BODY_BOX ? cab_vec3_length(half)
                                            : hypot(half.x, half.y);
        most = fmax(most, cab_vec3_distance(cab_rigid_point(model, b, middle), about) + own);
    }
    return most;
}

/* A shape of a body where it is at the start, as a collider. */
static cab_status add_shape(cab_model *model, const cab_rigid_body *b, const cab_body_shape_def *shape,
                            cab_error *error)
{
    const cab_body_def *body = cab_rigid_def(model, b);
    cab_collider_def def = cab_body_shape_collider(shape);
    def.center = cab_rigid_point(model, b, shape->center);
    def.to = cab_rigid_point(model, b, shape->to);
    def.friction = body->friction;
    def.group = body->group;
    if (shape->kind == CAB_BODY_BOX)
        cab_quaternion_store(
            cab_quaternion_times(cab_quaternion_unit(b->rotation), cab_quaternion_unit(shape->rotation)),
            def.rotation);
    return cab_scene_add_collider(model->scene, &def, error);
}

static cab_status add_body_shapes(cab_model *model, cab_rigid_body *b, cab_error *error)
{
    const cab_body_def *def = cab_rigid_def(model, b);
    cab_status status = CAB_OK;
    b->collider = model->scene->collider_count;
    b->shape_count = def->shape_count;
    for (int k = 0; status == CAB_OK && k < def->shape_count; k++)
        status = add_shape(model, b, &def->shapes[k], error);
    return status;
}

/* First those of led bodies: where these are is known before a substep, as of colliders. */
static cab_status add_shapes(cab_model *model, cab_error *error)
{
    cab_status status = CAB_OK;
    model->own_collider_count = model->scene->collider_count;
    for (int i = model->rigid_count; status == CAB_OK && i < cab_model_all_rigid(model); i++)
        status = add_body_shapes(model, &model->rigid[i], error);
    model->led_collider_end = model->scene->collider_count;
    for (int i = 0; status == CAB_OK && i < model->rigid_count; i++) {
        status = add_body_shapes(model, &model->rigid[i], error);
        model->rigid_reach = fmax(model->rigid_reach, reach_of_body(model, &model->rigid[i]));
    }
    return status;
}

cab_status cab_expand_rigid(cab_model *model, cab_error *error)
{
    const cab_scene *scene = model->scene;
    long long count = 0;
    for (int i = 0; i < scene->body_count; i++) count += copy_count(&scene->bodies[i]);
    cab_status status = CAB_NEW(model->rigid, count, error);
    for (int led = 0; status == CAB_OK && led < 2; led++) {
        for (int i = 0, told = 0; i < scene->body_count; told += copy_count(&scene->bodies[i]), i++) {
            const int *n = scene->bodies[i].copies;
            cab_body_mass own = cab_body_mass_of(&scene->bodies[i]);
            if (cab_body_is_led(&scene->bodies[i]) != led) continue;
            for (int k = 0; k < copy_count(&scene->bodies[i]); k++)
                add_copy(model, i, told + k, &own,
                         (const int[3]){k % n[0], k / n[0] % n[1], k / n[0] / n[1]});
        }
    }
    return status == CAB_OK ? add_shapes(model, error) : status;
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

int cab_rigid_pair_particle(const cab_model *model, const int pair[2])
{
    return model->node_particle[model->bodies[pair[0]].first_node];
}

/* A place on the pivot of a hinge, or near it, hardly moves: it counts as no heavier than so many bodies. */
#define LEAST_WEIGHT 1e-6

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
    return 1 / fmax(weight, LEAST_WEIGHT / body->mass);
}

void cab_rigid_moments(const cab_rigid_body *body, double second[3][3], double inertia[3][3])
{
    cab_vec3 d = cab_vec3_sub(body->center, body->pivot);
    const double arm[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 9; i++)
        second[i / 3][i % 3] = body->second[i / 3][i % 3] + body->mass * arm[i / 3] * arm[i % 3];
    cab_body_inertia((const double(*)[3])second, inertia);
}

double cab_rigid_turns_by(const cab_model *model, const cab_rigid_body *body, cab_vec3 axis)
{
    cab_body_motion motion = cab_rigid_def(model, body)->motion;
    const double a[3] = {body->axis.x, body->axis.y, body->axis.z};
    double second[3][3], inertia[3][3], about = 0, share = cab_vec3_dot(body->axis, axis);
    if (motion == CAB_BODY_SLIDER) return 0;
    cab_rigid_moments(body, second, inertia);
    if (motion != CAB_BODY_HINGE) return cab_vec3_dot(axis, cab_body_spin((const double(*)[3])inertia, axis));
    for (int i = 0; i < 9; i++) about += a[i / 3] * inertia[i / 3][i % 3] * a[i % 3];
    return share * share / about;
}

double cab_rigid_heavier(const cab_model *model, int particle)
{
    const cab_rigid_body *b = &model->rigid[cab_rigid_of_particle(model, particle)];
    return 1 + cab_rigid_resistance(model, b, model->place[particle]) / model->mass[particle];
}

int cab_rigid_told(const cab_model *model, int told)
{
    for (int b = 0; b < cab_model_all_rigid(model); b++)
        if (model->rigid[b].told == told) return b;
    return -1;
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

cab_pointer cab_collider_pointer(const cab_model *model, int collider)
{
    cab_pointer pointer;
    snprintf(pointer.text, sizeof pointer.text, "/colliders/%d", collider);
    for (int i = 0; i < cab_model_all_rigid(model) && collider >= model->own_collider_count; i++) {
        const cab_rigid_body *b = &model->rigid[i];
        if (collider < b->collider || collider >= b->collider + b->shape_count) continue;
        snprintf(pointer.text, sizeof pointer.text, "/bodies/%d/shapes/%d", b->scene_body,
                 collider - b->collider);
    }
    return pointer;
}

/* Of the scene's body `index` the first copy in the model. */
static int first_of(const cab_model *model, int index)
{
    const cab_body_def *bodies = model->scene->bodies;
    bool led = cab_body_is_led(&bodies[index]);
    int first = led ? model->rigid_count : 0;
    for (int i = 0; i < index; i++) first += cab_body_is_led(&bodies[i]) == led ? copy_count(&bodies[i]) : 0;
    return first;
}

cab_status cab_rigid_find(const cab_model *model, const char *pointer, const char *name, int *first,
                          int *count, cab_error *error)
{
    const cab_scene *scene = model->scene;
    bool all;
    int at[3], index = cab_scene_body_of(scene, name, &all, at);
    const int *n = index >= 0 ? scene->bodies[index].copies : NULL;
    if (n && all) {
        *first = first_of(model, index);
        *count = copy_count(&scene->bodies[index]);
        return CAB_OK;
    }
    if (n && at[0] < n[0] && at[1] < n[1] && at[2] < n[2] && at[0] >= 0 && at[1] >= 0 && at[2] >= 0) {
        *first = first_of(model, index) + at[0] + n[0] * (at[1] + n[1] * at[2]);
        *count = 1;
        return CAB_OK;
    }
    return cab_fail_unknown(error, scene->source, pointer, "body", name, scene->bodies, sizeof *scene->bodies,
                            scene->body_count);
}

bool cab_rigid_any_contact(const cab_model *m)
{
    int colliding = 0;
    for (int i = 0; i < m->rigid_count; i++) colliding += cab_rigid_collides(m, &m->rigid[i]);
    return colliding > 1 || (colliding == 1 && m->led_collider_end > 0);
}

/* Checks of colliders and of constraints of the user's own. */
#include "model/scene_check.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "model/check.h"
#include "model/expression.h"
#include "model/names.h"
#include "model/pose.h"
#include "model/sheave.h"

static cab_status check_box(const cab_check_place *place, const cab_collider_def *def)
{
    cab_status status = cab_check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_vec3(place, "half_extents", def->half_extents, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_not_zero(place, "rotation", def->rotation, 4, CAB_LIMIT_ROTATION);
    return status;
}

static cab_status check_cylinder(const cab_check_place *place, const cab_collider_def *def)
{
    cab_status status = cab_check_vec3(place, "from", def->center, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_vec3(place, "to", def->to, CAB_LIMIT_COORDINATE);
    if (!status && cab_vec3_distance(def->center, def->to) < CAB_POINT_GAP)
        status = cab_check_refuse(place, "to", "another point than `from`");
    return status ? status : cab_check_number(place, "radius", def->radius, CAB_LIMIT_LENGTH);
}

/* Of a file the reader has checked as much; this is for meshes made in memory. */
static cab_status check_mesh(const cab_check_place *place, const cab_collider_def *def)
{
    const cab_mesh *mesh = &def->mesh;
    cab_status status = cab_check_number(place, "scale", def->scale, CAB_LIMIT_SCALE);
    if (!status) status = cab_check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_not_zero(place, "rotation", def->rotation, 4, CAB_LIMIT_ROTATION);
    if (status) return status;
    if (!mesh->vertices || mesh->vertex_count < 3 || mesh->vertex_count > CAB_MESH_VERTICES_MAX)
        return cab_check_refuse(place, "mesh/vertices", "3 to 3000000 points");
    if (!mesh->triangles || mesh->triangle_count < 1 || mesh->triangle_count > CAB_MESH_TRIANGLES_MAX)
        return cab_check_refuse(place, "mesh/triangles", "1 to 1000000 triangles");
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count)
            return cab_check_refuse(place, "mesh/triangles", "indices of its vertices");
    for (int i = 0; i < mesh->vertex_count && !status; i++)
        status = cab_check_vec3(place, "mesh/vertices", mesh->vertices[i], CAB_LIMIT_COORDINATE);
    return status;
}

static cab_status check_shape(const cab_check_place *place, const cab_collider_def *def)
{
    const double normal[3] = {def->normal.x, def->normal.y, def->normal.z};
    cab_status status = CAB_OK;
    switch (def->shape) {
    case CAB_SHAPE_PLANE:
        status = cab_check_vec3(place, "point", def->center, CAB_LIMIT_COORDINATE);
        return status ? status : cab_check_not_zero(place, "normal", normal, 3, CAB_LIMIT_COORDINATE);
    case CAB_SHAPE_SPHERE:
        status = cab_check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
        return status ? status : cab_check_number(place, "radius", def->radius, CAB_LIMIT_LENGTH);
    case CAB_SHAPE_CAPSULE:
        status = cab_check_vec3(place, "from", def->center, CAB_LIMIT_COORDINATE);
        if (!status) status = cab_check_vec3(place, "to", def->to, CAB_LIMIT_COORDINATE);
        return status ? status : cab_check_number(place, "radius", def->radius, CAB_LIMIT_LENGTH);
    case CAB_SHAPE_CYLINDER:
        return check_cylinder(place, def);
    case CAB_SHAPE_SHEAVE:
        return cab_check_sheave(place, def->center, def->to, def->radius, &def->groove);
    case CAB_SHAPE_BOX:
        return check_box(place, def);
    case CAB_SHAPE_MESH:
        return check_mesh(place, def);
    }
    return cab_check_refuse(place, "shape", "plane, sphere, capsule, box, cylinder, sheave or mesh");
}

static cab_status check_pose(const cab_check_place *place, const char *list, const cab_pose_keyframe *frames,
                             int index)
{
    const cab_pose_keyframe *frame = &frames[index];
    char key[CAB_CHECK_KEY];
    snprintf(key, sizeof key, "%s/%d", list, index);
    cab_status status = cab_check_number(place, key, frame->t, CAB_LIMIT_TIME);
    if (!status) status = cab_check_vec3(place, key, frame->pose.position, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_not_zero(place, key, frame->pose.rotation, 4, CAB_LIMIT_ROTATION);
    if (!status && index > 0 && !(frame->t > frame[-1].t))
        status = cab_check_refuse(place, key, "a time after that of the keyframe before");
    return status;
}

cab_status cab_check_poses(const cab_check_place *place, const char *list, const cab_pose_keyframe *frames,
                           int count)
{
    cab_status status = CAB_OK;
    if (count < 0 || (count > 0 && !frames)) return cab_check_refuse(place, list, "a list of poses");
    for (int i = 0; i < count && !status; i++) status = check_pose(place, list, frames, i);
    return status;
}

static cab_status check_tilts(const cab_check_place *place, const cab_collider_def *def)
{
    for (int i = 0; i < def->keyframe_count && def->shape == CAB_SHAPE_PLANE; i++)
        if (cab_pose_tilts(&def->keyframes[i].pose, def->normal))
            return cab_fail(place->error, CAB_ERROR_UNSUPPORTED,
                            "%s: %s/keyframes/%d: a plane has no end and cannot tilt; expected a turn about "
                            "its normal, or a box",
                            place->scene->source, place->pointer, i);
    return CAB_OK;
}

cab_status cab_check_collider(const cab_scene *scene, const cab_collider_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "colliders", scene->collider_count, error);
    cab_status status = def->name ? cab_check_name(&place, def->name) : CAB_OK;
    if (status) return status;
    int twin = def->name ? cab_scene_find_collider(scene, def->name) : -1;
    if (twin >= 0) return cab_check_twin(&place, def->name, "colliders", twin);
    status = check_shape(&place, def);
    if (!status) status = cab_check_poses(&place, "keyframes", def->keyframes, def->keyframe_count);
    if (!status) status = check_tilts(&place, def);
    if (!status && def->group != CAB_GROUP_ALL)
        status = cab_check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    return status ? status : cab_check_number(&place, "friction", def->friction, CAB_LIMIT_FRICTION);
}

static cab_status check_stencil(const cab_check_place *place, const cab_constraint_def *def)
{
    if (!def->stencil || def->stencil_count < 1 || def->stencil_count > CAB_STENCIL_PARTICLES)
        return cab_check_refuse(place, "stencil", "1 to 8 offsets along the cable");
    if (def->stencil[0] != 0)
        return cab_check_refuse(place, "stencil/0", "0: offsets are counted from the first particle");
    for (int i = 1; i < def->stencil_count; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "stencil/%d", i);
        cab_status status = cab_check_number(place, key, def->stencil[i], CAB_LIMIT_OFFSET);
        if (status) return status;
        if (def->stencil[i] <= def->stencil[i - 1])
            return cab_check_refuse(place, key, "more than the offset before");
    }
    return CAB_OK;
}

static cab_status check_parameters(const cab_check_place *place, const cab_constraint_def *def)
{
    if (def->parameter_count < 0 || def->parameter_count > CAB_PARAMETERS_MAX ||
        (def->parameter_count > 0 && !def->parameters))
        return cab_check_refuse(place, "parameters", "at most 64 of them");
    for (int i = 0; i < def->parameter_count; i++) {
        const cab_parameter *p = &def->parameters[i];
        const char *reason;
        char key[CAB_CHECK_KEY] = "parameters/", name[CAB_CHECK_KEY - 12];
        cab_pointer_escape(p->name ? p->name : "", name, sizeof name);
        strcat(key, name);
        if (!cab_expression_name_is_free(p->name ? p->name : "", &reason))
            return cab_check_refuse(place, key, reason);
        for (int k = 0; k < i; k++)
            if (!strcmp(p->name, def->parameters[k].name))
                return cab_check_refuse(place, key, "a unique name");
        cab_status status = cab_check_number(place, key, p->value, CAB_LIMIT_PARAMETER);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status check_expression(const cab_check_place *place, const cab_constraint_def *def)
{
    cab_expression expression;
    cab_expression_fault fault;
    if (cab_expression_parse(def->expression, def->stencil_count, def->parameters, def->parameter_count,
                             &expression, &fault))
        return CAB_OK;
    return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/expression: column %d: %s", place->scene->source,
                    place->pointer, fault.column, fault.text);
}

/* What only expressions, or only the generic solver, can honour. */
static cab_status check_callback(const cab_check_place *place, const cab_constraint_def *def)
{
    if (def->parameter_count > 0)
        return cab_check_refuse(place, "parameters", "none: there is no expression");
    if (def->origin.x != 0 || def->origin.y != 0 || def->origin.z != 0)
        return cab_check_refuse(place, "origin", "0, 0, 0: there is no expression");
    if (def->solve && def->h != 0) return cab_check_refuse(place, "h", "0: a solver needs no gradient");
    if (def->solve && def->type != CAB_CONSTRAINT_EQUALITY)
        return cab_check_refuse(place, "type", "\"equality\": a solver makes of it what it likes");
    return CAB_OK;
}

cab_status cab_check_constraint(const cab_scene *scene, const cab_constraint_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "constraints", scene->constraint_count, error);
    cab_status status = def->name ? cab_check_name(&place, def->name) : CAB_OK;
    if (status) return status;
    int twin = def->name
                   ? cab_name_table_find(&scene->constraint_names, scene->constraints, sizeof *def, def->name)
                   : -1;
    if (twin >= 0) return cab_check_twin(&place, def->name, "constraints", twin);
    if (!def->cable || !*def->cable) return cab_check_refuse(&place, "cable", "the name of a cable");
    status = check_stencil(&place, def);
    if (!status) status = cab_check_at(&place, def->once ? "at" : "from", &def->from, false);
    if (!status && !def->once) status = cab_check_at(&place, "to", &def->to, false);
    if (!status && def->type != CAB_CONSTRAINT_EQUALITY && def->type != CAB_CONSTRAINT_INEQUALITY)
        status = cab_check_refuse(&place, "type", "\"equality\" or \"inequality\"");
    if (!status) status = cab_check_number(&place, "compliance", def->compliance, CAB_LIMIT_COMPLIANCE);
    if (!status) status = cab_check_number(&place, "stiffness", def->stiffness, CAB_LIMIT_SHARE);
    if (!status && def->h != 0) status = cab_check_number(&place, "h", def->h, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_vec3(&place, "origin", def->origin, CAB_LIMIT_COORDINATE);
    if (!status && (def->expression != NULL) + (def->evaluate != NULL) + (def->solve != NULL) != 1)
        status = cab_check_refuse(&place, "expression", "one, or one callback in its place");
    if (!status) status = check_parameters(&place, def);
    if (status) return status;
    return def->expression ? check_expression(&place, def) : check_callback(&place, def);
}

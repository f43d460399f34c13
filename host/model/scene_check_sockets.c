/* Checks of sockets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "model/check.h"
#include "model/scene_check.h"
#include "model/sockets.h"

static cab_status check_side(const cab_check_place *place, const char *key, const cab_socket_side *side)
{
    cab_check_place at = *place;
    size_t used = strlen(place->pointer);
    const double axis[3] = {side->axis.x, side->axis.y, side->axis.z};
    snprintf(at.pointer + used, sizeof at.pointer - used, "/%s", key);
    cab_status status = cab_check_vec3(&at, "point", side->point, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_not_zero(&at, "axis", axis, 3, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_vec3(&at, "up", side->up, CAB_LIMIT_COORDINATE);
    if (!status && cab_vec3_length(cab_socket_up(side)) < 0.5)
        status = cab_check_refuse(&at, "up", "a direction that is not along the axis");
    return status;
}

static cab_status check_friction(const cab_check_place *place, const cab_socket_def *def)
{
    cab_status status = CAB_OK;
    if (def->friction_count < 0 || (def->friction_count > 0 && !def->friction))
        return cab_check_refuse(place, "friction", "a list of depths and forces");
    for (int i = 0; i < def->friction_count && !status; i++) {
        const cab_socket_row_def *row = &def->friction[i];
        char depth[CAB_CHECK_KEY], force[CAB_CHECK_KEY];
        snprintf(depth, sizeof depth, "friction/%d/0", i);
        snprintf(force, sizeof force, "friction/%d/1", i);
        status = cab_check_number(place, depth, row->depth, CAB_LIMIT_PLAY);
        if (!status) status = cab_check_number(place, force, row->force, CAB_LIMIT_GRIP);
        if (!status && i > 0 && !(row->depth > row[-1].depth))
            status = cab_check_refuse(place, depth, "depths that increase");
    }
    return status;
}

cab_status cab_check_socket(const cab_scene *scene, const cab_socket_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "sockets", scene->socket_count, error);
    cab_status status = cab_check_name(&place, def->name);
    if (status) return status;
    int twin = cab_scene_find_socket(scene, def->name);
    if (twin >= 0) return cab_check_twin(&place, def->name, "sockets", twin);
    if (!def->plug.body || !*def->plug.body)
        return cab_check_refuse(&place, "plug/body", "the name of a body");
    status = check_side(&place, "plug", &def->plug);
    if (!status) status = check_side(&place, "to", &def->to);
    if (!status) status = cab_check_number(&place, "depth", def->depth, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_number(&place, "capture_radius", def->capture_radius, CAB_LIMIT_LENGTH);
    if (!status)
        status = cab_check_number(&place, "capture_angle", def->capture_angle, CAB_LIMIT_CAPTURE_ANGLE);
    if (!status)
        status = cab_check_number(&place, "compliance", def->compliance, CAB_LIMIT_SOCKET_COMPLIANCE);
    if (!status) status = check_friction(&place, def);
    if (!status && isfinite(def->pull_out_force))
        status = cab_check_number(&place, "pull_out_force", def->pull_out_force, CAB_LIMIT_BREAK_FORCE);
    if (!status && !(def->pull_out_force > 0))
        status = cab_check_refuse(&place, "pull_out_force", "a number above 0, or none");
    return status;
}

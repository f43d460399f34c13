/* Checks of bodies. */
#include <stdio.h>

#include "base/vec3.h"
#include "model/body_mass.h"
#include "model/check.h"
#include "model/rigid.h"
#include "model/scene_check.h"
#include "model/sheave.h"

#define FLAT                                                                                                 \
    1e-9 /* of the sum of both others: by so much may rounding have put a moment of inertia above it */

static cab_status check_shape(const cab_check_place *place, const cab_body_shape_def *def)
{
    bool box = def->kind == CAB_BODY_BOX,
         round = def->kind == CAB_BODY_CAPSULE || def->kind == CAB_BODY_CYLINDER;
    if ((unsigned)def->kind > CAB_BODY_SHEAVE)
        return cab_check_refuse(place, "shape", "sphere, capsule, box, cylinder or sheave");
    if (def->kind == CAB_BODY_SHEAVE)
        return cab_check_sheave(place, def->center, def->to, def->radius, &def->groove);
    cab_status status = cab_check_vec3(place, round ? "from" : "center", def->center, CAB_LIMIT_COORDINATE);
    if (!status && round) status = cab_check_vec3(place, "to", def->to, CAB_LIMIT_COORDINATE);
    if (!status && box) status = cab_check_vec3(place, "half_extents", def->half_extents, CAB_LIMIT_LENGTH);
    if (!status && box) status = cab_check_not_zero(place, "rotation", def->rotation, 4, CAB_LIMIT_ROTATION);
    if (!status && !box) status = cab_check_number(place, "radius", def->radius, CAB_LIMIT_LENGTH);
    if (!status && def->kind == CAB_BODY_CYLINDER && cab_vec3_distance(def->center, def->to) < CAB_POINT_GAP)
        return cab_check_refuse(place, "to", "another point than `from`");
    return status;
}

static cab_status check_shapes(const cab_check_place *place, const cab_body_def *def)
{
    cab_status status = CAB_OK;
    if (def->shape_count < 0 || (def->shape_count > 0 && !def->shapes))
        return cab_check_refuse(place, "shapes", "a list of shapes");
    for (int i = 0; i < def->shape_count && !status; i++) {
        cab_check_place at = *place;
        int used = snprintf(NULL, 0, "%s", place->pointer);
        snprintf(at.pointer + used, sizeof at.pointer - (size_t)used, "/shapes/%d", i);
        status = check_shape(&at, &def->shapes[i]);
    }
    return status;
}

/* Of what the body is: mass or density, and the inertia or shapes that it follows from. */
static cab_status check_mass(const cab_check_place *place, const cab_body_def *def)
{
    bool given = def->inertia.x != 0 || def->inertia.y != 0 || def->inertia.z != 0;
    cab_status status = CAB_OK;
    bool led = cab_body_is_led(def);
    if (led && !given && def->density == 0 && def->mass == 0)
        return cab_check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
    if (def->density != 0 && def->shape_count == 0)
        return cab_check_refuse(place, "density", "a mass instead where there are no shapes");
    if (def->density != 0 && def->mass != 0)
        return cab_check_refuse(place, "density", "either a mass or a density");
    if (def->density != 0)
        status = cab_check_number(place, "density", def->density, CAB_LIMIT_BODY_DENSITY);
    else
        status = cab_check_number(place, "mass", def->mass, CAB_LIMIT_BODY_MASS);
    if (!status && !given && !led && def->shape_count == 0)
        status = cab_check_refuse(place, "inertia", "numbers above 0, or shapes from which it follows");
    if (!status && given) status = cab_check_vec3(place, "inertia", def->inertia, CAB_LIMIT_INERTIA);
    const double i[3] = {def->inertia.x, def->inertia.y, def->inertia.z};
    for (int k = 0; k < 3 && given && !status; k++)
        if (i[k] > (i[(k + 1) % 3] + i[(k + 2) % 3]) * (1 + FLAT))
            status = cab_check_refuse(place, "inertia", "no number above the sum of both others");
    if (!status) status = cab_check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
    return status;
}

static bool is_zero(cab_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/* Of a body that is led. */
static cab_status check_led(const cab_check_place *place, const cab_body_def *def)
{
    if (!is_zero(def->velocity)) return cab_check_refuse(place, "velocity", "none where the body is led");
    if (!is_zero(def->spin)) return cab_check_refuse(place, "spin", "none where the body is led");
    if (def->motion == CAB_BODY_KEYFRAMES && def->keyframe_count == 0)
        return cab_check_refuse(place, "motion/keyframes", "a list of poses");
    return cab_check_poses(place, "motion/keyframes", def->keyframes, def->keyframe_count);
}

static cab_status check_motion(const cab_check_place *place, const cab_body_def *def)
{
    static const char *const keys[] = {[CAB_BODY_FREE] = "motion",
                                       [CAB_BODY_HINGE] = "motion/hinge",
                                       [CAB_BODY_SLIDER] = "motion/slider",
                                       [CAB_BODY_BALL] = "motion/ball"};
    bool axis = def->motion == CAB_BODY_HINGE || def->motion == CAB_BODY_SLIDER;
    const double direction[3] = {def->axis.x, def->axis.y, def->axis.z};
    char key[4][CAB_CHECK_KEY];
    static const char *const ends[] = {"point", "axis", "friction", "motor"};
    if ((unsigned)def->motion > CAB_BODY_GIVEN)
        return cab_check_refuse(place, "motion",
                                "\"free\", a hinge, a slider, a ball, \"fixed\", keyframes or \"given\"");
    if (def->motion != CAB_BODY_KEYFRAMES && (def->keyframe_count != 0 || def->keyframes))
        return cab_check_refuse(place, "motion", "keyframes, or no list of them");
    if (cab_body_is_led(def)) return check_led(place, def);
    for (int i = 0; i < 4; i++) snprintf(key[i], sizeof key[i], "%s/%s", keys[def->motion], ends[i]);
    cab_status status = cab_check_vec3(place, key[0], def->point, CAB_LIMIT_COORDINATE);
    if (!status && axis) status = cab_check_not_zero(place, key[1], direction, 3, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_number(place, key[2], def->bearing_friction, CAB_LIMIT_BEARING);
    if (!status) status = cab_check_number(place, key[3], def->motor_speed, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_number(place, key[3], def->motor_most, CAB_LIMIT_BEARING);
    return status;
}

cab_status cab_check_body(const cab_scene *scene, const cab_body_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "bodies", scene->body_count, error);
    cab_status status = cab_check_name(&place, def->name);
    if (status) return status;
    int twin = cab_scene_find_body(scene, def->name);
    if (twin >= 0) return cab_check_twin(&place, def->name, "bodies", twin);
    status = cab_check_vec3(&place, "position", def->position, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_not_zero(&place, "rotation", def->rotation, 4, CAB_LIMIT_ROTATION);
    if (!status) status = cab_check_vec3(&place, "velocity", def->velocity, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_vec3(&place, "spin", def->spin, CAB_LIMIT_COORDINATE);
    if (!status) status = check_shapes(&place, def);
    if (!status) status = check_mass(&place, def);
    if (!status) status = check_motion(&place, def);
    if (!status) status = cab_check_number(&place, "friction", def->friction, CAB_LIMIT_FRICTION);
    if (!status) status = cab_check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    if (!status) status = cab_check_number(&place, "damping", def->damping, CAB_LIMIT_BODY_DAMPING);
    return status ? status : cab_check_copies(&place, def->copies, def->spacing);
}

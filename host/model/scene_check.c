#include "model/scene_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/error.h"
#include "model/expression.h"
#include "model/limits.h"
#include "model/method.h"
#include "model/names.h"
#include "model/pose.h"
#include "model/vec3.h"

#define POINTER_SIZE 512
#define KEY_SIZE 64

/* Where a check is: the scene and the item's JSON pointer. */
typedef struct check_place {
    const cab_scene *scene;
    char pointer[POINTER_SIZE];
    cab_error *error;
} check_place;

const cab_field cab_material_fields[CAB_MATERIAL_FIELDS] = {
    {"radius", offsetof(cab_material_def, radius), {1e-9, 1e6, false}},
    {"linear_density", offsetof(cab_material_def, linear_density), {1e-9, 1e6, false}},
    {"stretching_stiffness", offsetof(cab_material_def, stretching_stiffness), {1e-9, 1e15, false}},
    {"bending_stiffness", offsetof(cab_material_def, bending_stiffness), {0, 1e12, false}},
    {"twisting_stiffness", offsetof(cab_material_def, twisting_stiffness), {0, 1e12, false}},
    {"damping", offsetof(cab_material_def, damping), {0, 1e6, false}},
    {"air_drag", offsetof(cab_material_def, air_drag), {0, 1e6, false}},
    {"air_drag_along", offsetof(cab_material_def, air_drag_along), {0, 1e6, false}},
    {"friction", offsetof(cab_material_def, friction), {0, 1000, false}},
    {"min_bend_radius", offsetof(cab_material_def, min_bend_radius), {0, 1e6, false}},
};

const cab_field cab_time_fields[CAB_TIME_FIELDS] = {
    {"duration", offsetof(cab_settings, duration), {1e-9, 1e9, false}},
    {"frame_rate", offsetof(cab_settings, frame_rate), {1e-6, 1e6, false}},
    {"substeps", offsetof(cab_settings, substeps), {1, 100000, true}},
    {"iterations", offsetof(cab_settings, iterations), {1, 10000, true}},
};

bool cab_limit_holds(cab_limit limit, double value)
{
    if (!isfinite(value) || value < limit.min || value > limit.max) return false;
    return !limit.integer || value == floor(value);
}

void cab_limit_text(cab_limit limit, char *text, size_t size)
{
    if (limit.integer)
        snprintf(text, size, "an integer from %.0f to %.0f", limit.min, limit.max);
    else
        snprintf(text, size, "a number from %g to %g", limit.min, limit.max);
}

static check_place place_of(const cab_scene *scene, const char *list, int index, cab_error *error)
{
    check_place place = {.scene = scene, .error = error};
    snprintf(place.pointer, sizeof place.pointer, "/%s/%d", list, index);
    return place;
}

/* "SOURCE: POINTER/KEY: expected EXPECTED" */
static cab_status refuse(const check_place *place, const char *key, const char *expected)
{
    return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/%s: expected %s", place->scene->source,
                    place->pointer, key, expected);
}

static cab_status check_number(const check_place *place, const char *key, double value, cab_limit limit)
{
    if (cab_limit_holds(limit, value)) return CAB_OK;
    char expected[96];
    cab_limit_text(limit, expected, sizeof expected);
    return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/%s: expected %s, got %.15g", place->scene->source,
                    place->pointer, key, expected, value);
}

static cab_status check_numbers(const check_place *place, const char *key, const double *values, int count,
                                cab_limit limit)
{
    for (int i = 0; i < count; i++) {
        char part[KEY_SIZE + 16];
        snprintf(part, sizeof part, "%s/%d", key, i);
        cab_status status = check_number(place, part, values[i], limit);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status check_vec3(const check_place *place, const char *key, cab_vec3 value, cab_limit limit)
{
    const double values[3] = {value.x, value.y, value.z};
    return check_numbers(place, key, values, 3, limit);
}

static double field_value(const cab_field *field, const void *def)
{
    const char *at = (const char *)def + field->offset;
    double real;
    int integer;
    if (field->limit.integer) {
        memcpy(&integer, at, sizeof integer);
        return integer;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

static cab_status check_fields(const check_place *place, const cab_field *fields, int count, const void *def)
{
    for (int i = 0; i < count; i++) {
        cab_status status = check_number(place, fields[i].key, field_value(&fields[i], def), fields[i].limit);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status check_name(const check_place *place, const char *name)
{
    if (!name || !*name) return refuse(place, "name", "a name that is not empty");
    if (strlen(name) > CAB_NAME_MAX)
        return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/name: expected at most %d bytes, got %zu",
                        place->scene->source, place->pointer, CAB_NAME_MAX, strlen(name));
    return CAB_OK;
}

static cab_status refuse_twin(const check_place *place, const char *name, const char *list, int twin)
{
    return cab_fail(place->error, CAB_ERROR_INPUT,
                    "%s: %s/name: expected a unique name, \"%s\" is taken by /%s/%d", place->scene->source,
                    place->pointer, name, list, twin);
}

cab_status cab_check_material(const cab_scene *scene, const cab_material_def *def, cab_error *error)
{
    check_place place = {.scene = scene, .error = error};
    char key[POINTER_SIZE - 16];
    cab_pointer_escape(def->name ? def->name : "", key, sizeof key);
    snprintf(place.pointer, sizeof place.pointer, "/materials/%s", key);
    cab_status status = check_name(&place, def->name);
    if (status) return status;
    if (cab_scene_find_material(scene, def->name) >= 0) return refuse(&place, "name", "a unique name");
    cab_material_def finite = *def;
    if (isinf(def->stretching_stiffness) && def->stretching_stiffness > 0)
        finite.stretching_stiffness = cab_material_fields[2].limit.max;
    return check_fields(&place, cab_material_fields, CAB_MATERIAL_FIELDS, &finite);
}

/* Is there a cable whose copies are called so, or that is called like one of the copies of `def`? */
static int find_copy_twin(const cab_scene *scene, const cab_cable_def *def)
{
    size_t length;
    int copy[3];
    char base[CAB_NAME_MAX + 1];
    if (cab_name_split_copy(def->name, &length, copy)) {
        snprintf(base, sizeof base, "%.*s", (int)length, def->name);
        int found = cab_scene_find_cable(scene, base);
        const int *copies = found >= 0 ? scene->cables[found].copies : NULL;
        if (copies && copy[0] < copies[0] && copy[1] < copies[1] && copy[2] < copies[2]) return found;
    }
    if (scene->copy_like_names == 0) return -1;
    for (int i = 0; i < scene->cable_count; i++) {
        const char *name = scene->cables[i].name;
        if (!cab_name_split_copy(name, &length, copy) || length != strlen(def->name)) continue;
        bool inside = copy[0] < def->copies[0] && copy[1] < def->copies[1] && copy[2] < def->copies[2];
        if (inside && strncmp(name, def->name, length) == 0) return i;
    }
    return -1;
}

static cab_status check_cable_name(const check_place *place, const cab_cable_def *def)
{
    cab_status status = check_name(place, def->name);
    if (status) return status;
    int twin = cab_scene_find_cable(place->scene, def->name);
    if (twin < 0) twin = find_copy_twin(place->scene, def);
    if (twin >= 0) return refuse_twin(place, def->name, "cables", twin);
    twin = cab_scene_find_sheet(place->scene, def->name);
    return twin < 0 ? CAB_OK : refuse_twin(place, def->name, "sheets", twin);
}

static cab_status check_material_name(const check_place *place, const char *key, const char *name)
{
    const cab_scene *scene = place->scene;
    if (!name) return refuse(place, key, "the name of a material");
    if (cab_scene_find_material(scene, name) >= 0) return CAB_OK;
    const char *nearest = NULL;
    for (int i = 0; i < scene->material_count; i++) {
        const char *pair[2] = {nearest ? nearest : scene->materials[i].name, scene->materials[i].name};
        const char *better = cab_nearest(name, pair, 2);
        nearest = better ? better : nearest;
    }
    if (!nearest)
        return cab_fail(place->error, CAB_ERROR_INPUT,
                        "%s: %s/%s: expected the name of a material, got \"%s\"", scene->source,
                        place->pointer, key, name);
    return cab_fail(place->error, CAB_ERROR_INPUT,
                    "%s: %s/%s: expected the name of a material, got \"%s\"; the nearest is \"%s\"",
                    scene->source, place->pointer, key, name, nearest);
}

static cab_status check_path(const check_place *place, const cab_cable_def *def)
{
    if (!def->path || def->path_count < 2) return refuse(place, "path", "at least 2 points");
    for (int i = 0; i < def->path_count; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "path/%d", i);
        cab_status status = check_vec3(place, key, def->path[i], CAB_LIMIT_COORDINATE);
        if (status) return status;
        if (i == 0) continue;
        const cab_vec3 *a = &def->path[i - 1], *b = &def->path[i];
        double gap = hypot(hypot(b->x - a->x, b->y - a->y), b->z - a->z);
        if (gap <= CAB_POINT_GAP) return refuse(place, key, "a point other than the one before");
    }
    return CAB_OK;
}

static cab_status check_copies(const check_place *place, const cab_cable_def *def)
{
    double product = 1;
    for (int i = 0; i < 3; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "copies/count/%d", i);
        cab_status status = check_number(place, key, def->copies[i], CAB_LIMIT_COPIES);
        if (status) return status;
        product *= def->copies[i];
    }
    if (product > CAB_COPIES_MAX)
        return cab_fail(place->error, CAB_ERROR_INPUT,
                        "%s: %s/copies/count: expected at most %d copies, got %.0f", place->scene->source,
                        place->pointer, CAB_COPIES_MAX, product);
    return check_numbers(place, "copies/spacing", def->spacing, 3, CAB_LIMIT_COORDINATE);
}

/* How much cable there is, and how fast it may go, the model knows: cab_model_add_feeds. */
static cab_status check_feed(const check_place *place, const cab_feed_def *def)
{
    if (def->keyframe_count < 0 || (def->keyframe_count > 0 && !def->keyframes))
        return refuse(place, "feed/keyframes", "at least one keyframe");
    if (def->keyframe_count == 0 && (def->stored != 0 || def->at_end))
        return refuse(place, "feed/keyframes", "at least one keyframe");
    cab_status status = check_number(place, "feed/stored", def->stored, CAB_LIMIT_STORED);
    for (int i = 0; i < def->keyframe_count && !status; i++) {
        const cab_feed_keyframe *k = &def->keyframes[i];
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "feed/keyframes/%d/0", i);
        status = check_number(place, key, k->t, CAB_LIMIT_TIME);
        if (!status && i > 0 && !(k->t > k[-1].t))
            status = refuse(place, key, "a time after that of the keyframe before");
        snprintf(key, sizeof key, "feed/keyframes/%d/1", i);
        if (!status) status = check_number(place, key, k->length, CAB_LIMIT_COORDINATE);
    }
    return status;
}

static cab_status check_covers(const check_place *place, const cab_cable_def *def)
{
    if (def->cover_count < 0 || def->cover_count > CAB_COVERS || (def->cover_count > 0 && !def->covers))
        return refuse(place, "materials", "at most 63 of them");
    for (int i = 0; i < def->cover_count; i++) {
        const cab_cover_def *cover = &def->covers[i];
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "materials/%d/material", i);
        cab_status status = check_material_name(place, key, cover->material);
        snprintf(key, sizeof key, "materials/%d/from", i);
        if (!status) status = check_number(place, key, cover->from, CAB_LIMIT_FRACTION);
        snprintf(key, sizeof key, "materials/%d/to", i);
        if (!status) status = check_number(place, key, cover->to, CAB_LIMIT_FRACTION);
        if (!status && !(cover->from < cover->to)) status = refuse(place, key, "a place after \"from\"");
        if (status) return status;
    }
    return CAB_OK;
}

cab_status cab_check_cable(const cab_scene *scene, const cab_cable_def *def, cab_error *error)
{
    check_place place = place_of(scene, "cables", scene->cable_count, error);
    cab_status status = check_copies(&place, def);
    if (!status) status = check_cable_name(&place, def);
    if (!status) status = check_material_name(&place, "material", def->material);
    if (!status) status = check_path(&place, def);
    if (status) return status;
    if (def->curve != CAB_CURVE_POLYLINE && def->curve != CAB_CURVE_CATMULL_ROM)
        return refuse(&place, "curve", "\"polyline\" or \"catmull-rom\"");
    if (def->segments != 0) status = check_number(&place, "segments", def->segments, CAB_LIMIT_SEGMENTS);
    if (!status && def->length != 0) status = check_number(&place, "length", def->length, CAB_LIMIT_LENGTH);
    if (!status)
        status = check_number(&place, "length_tolerance", def->length_tolerance, CAB_LIMIT_TOLERANCE);
    if (!status) status = check_vec3(&place, "velocity", def->velocity, CAB_LIMIT_COORDINATE);
    if (!status) status = check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    if (!status) status = check_covers(&place, def);
    return status ? status : check_feed(&place, &def->feed);
}

static cab_status check_not_zero(const check_place *place, const char *key, const double *values, int count,
                                 cab_limit limit)
{
    cab_status status = check_numbers(place, key, values, count, limit);
    double square = 0;
    for (int i = 0; i < count; i++) square += values[i] * values[i];
    if (!status && sqrt(square) < CAB_POINT_GAP) status = refuse(place, key, "a vector other than zero");
    return status;
}

static cab_status check_rectangle(const check_place *place, const cab_sheet_def *def)
{
    const double along[3] = {def->along.x, def->along.y, def->along.z};
    const double across[3] = {def->across.x, def->across.y, def->across.z};
    cab_status status = check_vec3(place, "corner", def->corner, CAB_LIMIT_COORDINATE);
    if (!status) status = check_not_zero(place, "along", along, 3, CAB_LIMIT_COORDINATE);
    if (!status) status = check_not_zero(place, "across", across, 3, CAB_LIMIT_COORDINATE);
    if (!status) status = check_number(place, "count/0", def->count[0], CAB_LIMIT_ROW);
    if (!status) status = check_number(place, "count/1", def->count[1], CAB_LIMIT_ROW);
    if (status) return status;
    double a2 = 0, b2 = 0, ab = 0;
    for (int i = 0; i < 3; i++)
        a2 += along[i] * along[i], b2 += across[i] * across[i], ab += along[i] * across[i];
    if (ab * ab > (1 - 1e-12) * a2 * b2)
        return refuse(place, "across", "a direction other than that of along");
    if ((double)def->count[0] * def->count[1] > CAB_SHEET_MAX)
        return cab_fail(place->error, CAB_ERROR_INPUT,
                        "%s: %s/count: expected at most %d particles, got %.0f", place->scene->source,
                        place->pointer, CAB_SHEET_MAX, (double)def->count[0] * def->count[1]);
    if ((int)def->diagonals < CAB_DIAGONALS_NONE || def->diagonals > CAB_DIAGONALS_BOTH)
        return refuse(place, "diagonals", "\"none\", \"one\" or \"both\"");
    if (def->point_count || def->face_count || def->stick_count)
        return refuse(place, "count", "a rectangle or points, not both");
    return CAB_OK;
}

/* Numbers of points in a list of corners, `width` to an item; the last may be -1 when `triangles`. All of an
 * item differ. */
static cab_status check_corners(const check_place *place, const char *key, const int *corners, int count,
                                int width, bool triangles, int points)
{
    char at[KEY_SIZE];
    if (count < 0 || (count > 0 && !corners)) return refuse(place, key, "a list");
    for (int i = 0; i < count; i++) {
        const int *item = &corners[(size_t)width * (size_t)i];
        int used = triangles && item[width - 1] == -1 ? width - 1 : width;
        for (int k = 0; k < used; k++) {
            snprintf(at, sizeof at, "%s/%d/%d", key, i, k);
            cab_status status = check_number(place, at, item[k], (cab_limit){0, points - 1, true});
            for (int l = 0; l < k && !status; l++)
                if (item[l] == item[k]) status = refuse(place, at, "a point named once");
            if (status) return status;
        }
    }
    return CAB_OK;
}

static cab_status check_points(const check_place *place, const cab_sheet_def *def)
{
    if (def->diagonals != CAB_DIAGONALS_NONE) return refuse(place, "diagonals", "\"none\" with points");
    if (!def->points || def->point_count < 2 || def->point_count > CAB_SHEET_MAX)
        return refuse(place, "points", "2 to 10000000 points");
    for (int i = 0; i < def->point_count; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "points/%d", i);
        cab_status status = check_vec3(place, key, def->points[i], CAB_LIMIT_COORDINATE);
        if (status) return status;
    }
    cab_status status = check_corners(place, "faces", def->faces, def->face_count, 4, true, def->point_count);
    if (!status)
        status = check_corners(place, "sticks", def->sticks, def->stick_count, 2, false, def->point_count);
    if (!status && def->area_density > 0 && def->face_count == 0)
        status = refuse(place, "area_density", "0 where there are no faces");
    return status;
}

/* Sheets bend by links, not by bending stiffness. */
static cab_status check_sheet_material(const check_place *place, const cab_sheet_def *def)
{
    cab_status status = check_material_name(place, "material", def->material);
    if (status) return status;
    const cab_material_def *m =
        &place->scene->materials[cab_scene_find_material(place->scene, def->material)];
    if (m->bending_stiffness > 0)
        return refuse(place, "material", "one without bending_stiffness: sheets bend by double_distance");
    return CAB_OK;
}

cab_status cab_check_sheet(const cab_scene *scene, const cab_sheet_def *def, cab_error *error)
{
    check_place place = place_of(scene, "sheets", scene->sheet_count, error);
    cab_status status = check_name(&place, def->name);
    if (status) return status;
    cab_cable_def namesake = cab_cable_default();
    namesake.name = def->name;
    status = check_cable_name(&place, &namesake);
    if (!status) status = check_sheet_material(&place, def);
    bool rectangle = def->count[0] != 0 || def->count[1] != 0;
    if (!status) status = rectangle ? check_rectangle(&place, def) : check_points(&place, def);
    if (!status) status = check_number(&place, "area_density", def->area_density, CAB_LIMIT_AREA_DENSITY);
    if (!status) status = check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    return status ? status : check_vec3(&place, "velocity", def->velocity, CAB_LIMIT_COORDINATE);
}

static const char cable_places[] = "\"start\", \"end\", a number from 0 to 1 or {\"particle\": i}";
static const char sheet_places[] = "{\"particle\": i} or {\"corner\": [0 or 1, 0 or 1]}";

static cab_status check_at(const check_place *place, const char *key, const cab_place *at, bool of_sheet)
{
    char particle[KEY_SIZE];
    bool only_sheets = at->kind == CAB_PLACE_CORNER,
         only_cables = !only_sheets && at->kind != CAB_PLACE_PARTICLE;
    if (of_sheet ? only_cables : only_sheets)
        return refuse(place, key, of_sheet ? sheet_places : cable_places);
    switch (at->kind) {
    case CAB_PLACE_CORNER:
        if ((at->particle & 3) == at->particle) return CAB_OK;
        return refuse(place, key, sheet_places);
    case CAB_PLACE_START:
    case CAB_PLACE_END:
        return CAB_OK;
    case CAB_PLACE_FRACTION:
        return check_number(place, key, at->fraction, CAB_LIMIT_FRACTION);
    case CAB_PLACE_PARTICLE:
        snprintf(particle, sizeof particle, "%s/particle", key);
        return check_number(place, particle, at->particle, CAB_LIMIT_PARTICLE);
    }
    return refuse(place, key, cable_places);
}

/* Keyframes under the key `list`. */
static cab_status check_keyframes(const check_place *place, const char *list, const cab_keyframe *frames,
                                  int count, cab_limit limit)
{
    cab_status status = CAB_OK;
    if (!frames || count < 1) return refuse(place, list, "at least one keyframe");
    for (int i = 0; i < count && !status; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "%s/%d", list, i);
        const double values[3] = {frames[i].position.x, frames[i].position.y, frames[i].position.z};
        char part[KEY_SIZE + 16];
        snprintf(part, sizeof part, "%s/0", key);
        status = check_number(place, part, frames[i].t, CAB_LIMIT_TIME);
        for (int k = 0; k < 3 && !status; k++) {
            snprintf(part, sizeof part, "%s/%d", key, k + 1);
            status = check_number(place, part, values[k], limit);
        }
        if (status || i == 0 || frames[i].t > frames[i - 1].t) continue;
        status =
            cab_fail(place->error, CAB_ERROR_INPUT,
                     "%s: %s/%s/0: expected a time after that of the keyframe before, %.15g s, got %.15g",
                     place->scene->source, place->pointer, key, frames[i - 1].t, frames[i].t);
    }
    return status;
}

static cab_status check_target(const check_place *place, const cab_attachment_def *def)
{
    bool named = def->target && *def->target;
    switch (def->to) {
    case CAB_TARGET_HERE:
        return CAB_OK;
    case CAB_TARGET_POINT:
        return check_vec3(place, "to", def->point, CAB_LIMIT_COORDINATE);
    case CAB_TARGET_CABLE:
        return named ? check_at(place, "to/at", &def->target_at, false)
                     : refuse(place, "to/cable", "the name of a cable");
    case CAB_TARGET_SHEET:
        return named ? check_at(place, "to/at", &def->target_at, true)
                     : refuse(place, "to/sheet", "the name of a sheet");
    case CAB_TARGET_COLLIDER:
        if (!named) return refuse(place, "to/collider", "the name of a collider");
        return def->at_point ? check_vec3(place, "to/point", def->point, CAB_LIMIT_COORDINATE) : CAB_OK;
    case CAB_TARGET_KEYFRAMES:
        return check_keyframes(place, "to/keyframes", def->keyframes, def->keyframe_count,
                               CAB_LIMIT_COORDINATE);
    }
    return refuse(place, "to", "\"here\", a point, a cable, a collider or keyframes");
}

/* Either the name of a cable or that of a sheet. */
static cab_status check_body_name(const check_place *place, const char *cable, const char *sheet)
{
    if (cable && sheet) return refuse(place, "sheet", "either a cable or a sheet");
    if (sheet) return *sheet ? CAB_OK : refuse(place, "sheet", "the name of a sheet");
    return cable && *cable ? CAB_OK : refuse(place, "cable", "the name of a cable");
}

static cab_status check_direction(const check_place *place, cab_vec3 direction)
{
    cab_status status = check_vec3(place, "direction", direction, CAB_LIMIT_COORDINATE);
    if (!status && sqrt(cab_vec3_dot(direction, direction)) < CAB_POINT_GAP)
        status = refuse(place, "direction", "a vector other than zero");
    return status;
}

static cab_status check_clip(const check_place *place, const cab_attachment_def *def)
{
    bool drawn = def->direction.x == 0 && def->direction.y == 0 && def->direction.z == 0;
    cab_status status = drawn ? CAB_OK : check_direction(place, def->direction);
    if (!status) status = check_number(place, "play", def->play, CAB_LIMIT_PLAY);
    if (!status) status = check_number(place, "friction", def->friction, CAB_LIMIT_FRICTION);
    if (!status) status = check_number(place, "grip", def->grip, CAB_LIMIT_GRIP);
    if (!status && !(isinf(def->travel) && def->travel > 0))
        status = check_number(place, "travel", def->travel, CAB_LIMIT_PLAY);
    return status;
}

static cab_status check_connector(const check_place *place, const cab_attachment_def *def)
{
    if (def->at.kind != CAB_PLACE_START && def->at.kind != CAB_PLACE_END)
        return refuse(place, "at", "\"start\" or \"end\"");
    if (def->to == CAB_TARGET_KEYFRAMES)
        return refuse(place, "to", "a place that stays or a collider; a hand has keyframes of its own");
    cab_status status = check_direction(place, def->direction);
    if (!status) status = check_number(place, "mass", def->mass, CAB_LIMIT_MASS);
    if (!status) status = check_number(place, "insertion_depth", def->insertion_depth, CAB_LIMIT_LENGTH);
    if (!status) status = check_number(place, "capture_radius", def->capture_radius, CAB_LIMIT_LENGTH);
    if (!status && def->hand_keyframe_count != 0)
        status = check_keyframes(place, "keyframes", def->hand_keyframes, def->hand_keyframe_count,
                                 CAB_LIMIT_COORDINATE);
    return status;
}

/* What clips and connectors have in common, and each has besides. */
static cab_status check_part(const check_place *place, const cab_attachment_def *def)
{
    cab_status status = CAB_OK;
    if (def->sheet) return refuse(place, "cable", "the name of a cable");
    if (cab_target_joins(def->to)) return refuse(place, "to", "a place, not a cable or a sheet");
    bool led = def->hand_keyframe_count > 0 || def->to == CAB_TARGET_HERE;
    if (def->clamp && def->part == CAB_PART_CONNECTOR && !led)
        return refuse(place, "clamp", "false where no hand leads the connector and it is not mated \"here\"");
    if (isfinite(def->release_distance)) return refuse(place, "release_distance", "none");
    if (!(def->compliance > 0)) return refuse(place, "compliance", "a number above 0");
    if (def->name) status = check_name(place, def->name);
    if (status) return status;
    return def->part == CAB_PART_CLIP ? check_clip(place, def) : check_connector(place, def);
}

static const char *part_list(cab_part part)
{
    static const char *const lists[] = {"attachments", "clips", "connectors"};
    return lists[part];
}

static int count_parts(const cab_scene *scene, cab_part part)
{
    int count = 0;
    for (int i = 0; i < scene->attachment_count; i++) count += scene->attachments[i].part == part;
    return count;
}

cab_status cab_check_attachment(const cab_scene *scene, const cab_attachment_def *def, cab_error *error)
{
    if ((unsigned)def->part > CAB_PART_CONNECTOR)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /attachments: expected a part of cab_part",
                        scene->source);
    check_place place = place_of(scene, part_list(def->part), count_parts(scene, def->part), error);
    cab_status status = check_body_name(&place, def->cable, def->sheet);
    if (!status) status = check_at(&place, "at", &def->at, def->sheet != NULL);
    if (!status) status = check_target(&place, def);
    bool at_sheet = def->sheet || def->to == CAB_TARGET_SHEET;
    bool breaks = !(isinf(def->break_force) && def->break_force > 0);
    bool releases = !(isinf(def->release_distance) && def->release_distance > 0);
    if (!status && at_sheet && def->clamp) return refuse(&place, "clamp", "false: a sheet has no direction");
    if (!status && at_sheet && breaks) return refuse(&place, "break_force", "none: sheets do not let go");
    if (!status && at_sheet && releases)
        return refuse(&place, "release_distance", "none: sheets do not let go");
    if (!status && breaks)
        status =
            check_number(&place, cab_break_force_key(def->part), def->break_force, CAB_LIMIT_BREAK_FORCE);
    if (!status) status = check_number(&place, "compliance", def->compliance, CAB_LIMIT_COMPLIANCE);
    if (!status && cab_target_joins(def->to) && def->compliance > 0)
        status = refuse(&place, "compliance", "0 where cables are joined");
    if (!status && releases)
        status = check_number(&place, "release_distance", def->release_distance, CAB_LIMIT_LENGTH);
    if (!status && releases && !(def->compliance > 0))
        status = refuse(&place, "release_distance",
                        "a compliance above 0 beside it: what is hard keeps its place");
    if (!status && def->part != CAB_PART_ATTACHMENT) status = check_part(&place, def);
    return status;
}

cab_status cab_check_tie(const cab_scene *scene, const cab_tie_def *def, cab_error *error)
{
    check_place place = place_of(scene, "ties", scene->tie_count, error);
    cab_status status = def->name ? check_name(&place, def->name) : CAB_OK;
    if (status) return status;
    if (!def->cables || def->cable_count < 2 || def->cable_count > CAB_TIE_CABLES)
        return refuse(&place, "cables", "2 to 64 names");
    for (int i = 0; i < def->cable_count; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "cables/%d", i);
        if (!def->cables[i] || !*def->cables[i]) return refuse(&place, key, "the name of a cable");
        for (int j = 0; j < i; j++)
            if (strcmp(def->cables[i], def->cables[j]) == 0) return refuse(&place, key, "a cable named once");
    }
    status = check_at(&place, def->range ? "from" : "at", &def->from, false);
    if (!status && def->range) status = check_at(&place, "to", &def->to, false);
    if (!status && def->radius != 0) status = check_number(&place, "radius", def->radius, CAB_LIMIT_LENGTH);
    return status;
}

cab_status cab_check_load(const cab_scene *scene, const cab_load_def *def, cab_error *error)
{
    check_place place = place_of(scene, "loads", scene->load_count, error);
    cab_status status = check_body_name(&place, def->cable, def->sheet);
    if (!status) status = check_at(&place, "at", &def->at, def->sheet != NULL);
    bool turns = def->moment.x != 0 || def->moment.y != 0 || def->moment.z != 0;
    if (!status && def->sheet && turns) return refuse(&place, "moment", "none on a sheet");
    if (!status) status = check_number(&place, "mass", def->mass, CAB_LIMIT_MASS);
    if (!status) status = check_vec3(&place, "force", def->force, CAB_LIMIT_FORCE);
    if (!status && def->force_keyframe_count != 0)
        status = check_keyframes(&place, "force/keyframes", def->force_keyframes, def->force_keyframe_count,
                                 CAB_LIMIT_FORCE);
    if (!status) status = check_vec3(&place, "moment", def->moment, CAB_LIMIT_FORCE);
    return status;
}

static cab_status check_box(const check_place *place, const cab_collider_def *def)
{
    cab_status status = check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
    if (!status) status = check_vec3(place, "half_extents", def->half_extents, CAB_LIMIT_LENGTH);
    if (!status) status = check_not_zero(place, "rotation", def->rotation, 4, CAB_LIMIT_ROTATION);
    return status;
}

/* Of a file the reader has checked as much; this is for meshes made in memory. */
static cab_status check_mesh(const check_place *place, const cab_collider_def *def)
{
    const cab_mesh *mesh = &def->mesh;
    cab_status status = check_number(place, "scale", def->scale, CAB_LIMIT_SCALE);
    if (!status) status = check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
    if (!status) status = check_not_zero(place, "rotation", def->rotation, 4, CAB_LIMIT_ROTATION);
    if (status) return status;
    if (!mesh->vertices || mesh->vertex_count < 3 || mesh->vertex_count > CAB_MESH_VERTICES_MAX)
        return refuse(place, "mesh/vertices", "3 to 3000000 points");
    if (!mesh->triangles || mesh->triangle_count < 1 || mesh->triangle_count > CAB_MESH_TRIANGLES_MAX)
        return refuse(place, "mesh/triangles", "1 to 1000000 triangles");
    for (int i = 0; i < 3 * mesh->triangle_count; i++) {
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count)
            return refuse(place, "mesh/triangles", "indices of its vertices");
    }
    for (int i = 0; i < mesh->vertex_count && !status; i++)
        status = check_vec3(place, "mesh/vertices", mesh->vertices[i], CAB_LIMIT_COORDINATE);
    return status;
}

static cab_status check_shape(const check_place *place, const cab_collider_def *def)
{
    const double normal[3] = {def->normal.x, def->normal.y, def->normal.z};
    cab_status status = CAB_OK;
    switch (def->shape) {
    case CAB_SHAPE_PLANE:
        status = check_vec3(place, "point", def->center, CAB_LIMIT_COORDINATE);
        return status ? status : check_not_zero(place, "normal", normal, 3, CAB_LIMIT_COORDINATE);
    case CAB_SHAPE_SPHERE:
        status = check_vec3(place, "center", def->center, CAB_LIMIT_COORDINATE);
        return status ? status : check_number(place, "radius", def->radius, CAB_LIMIT_LENGTH);
    case CAB_SHAPE_CAPSULE:
        status = check_vec3(place, "from", def->center, CAB_LIMIT_COORDINATE);
        if (!status) status = check_vec3(place, "to", def->to, CAB_LIMIT_COORDINATE);
        return status ? status : check_number(place, "radius", def->radius, CAB_LIMIT_LENGTH);
    case CAB_SHAPE_BOX:
        return check_box(place, def);
    case CAB_SHAPE_MESH:
        return check_mesh(place, def);
    }
    return refuse(place, "shape", "plane, sphere, capsule, box or mesh");
}

static cab_status check_pose_keyframe(const check_place *place, const cab_collider_def *def, int index)
{
    const cab_pose_keyframe *frame = &def->keyframes[index];
    char key[KEY_SIZE];
    snprintf(key, sizeof key, "keyframes/%d", index);
    cab_status status = check_number(place, key, frame->t, CAB_LIMIT_TIME);
    if (!status) status = check_vec3(place, key, frame->pose.position, CAB_LIMIT_COORDINATE);
    if (!status) status = check_not_zero(place, key, frame->pose.rotation, 4, CAB_LIMIT_ROTATION);
    if (!status && index > 0 && !(frame->t > frame[-1].t))
        status = refuse(place, key, "a time after that of the keyframe before");
    if (!status && def->shape == CAB_SHAPE_PLANE && cab_pose_tilts(&frame->pose, def->normal))
        status = cab_fail(
            place->error, CAB_ERROR_UNSUPPORTED,
            "%s: %s/%s: a plane has no end and cannot tilt; expected a turn about its normal, or a box",
            place->scene->source, place->pointer, key);
    return status;
}

cab_status cab_check_collider(const cab_scene *scene, const cab_collider_def *def, cab_error *error)
{
    check_place place = place_of(scene, "colliders", scene->collider_count, error);
    cab_status status = def->name ? check_name(&place, def->name) : CAB_OK;
    if (status) return status;
    int twin = def->name ? cab_scene_find_collider(scene, def->name) : -1;
    if (twin >= 0) return refuse_twin(&place, def->name, "colliders", twin);
    status = check_shape(&place, def);
    if (def->keyframe_count < 0 || (def->keyframe_count > 0 && !def->keyframes))
        return refuse(&place, "keyframes", "a list of poses");
    for (int i = 0; i < def->keyframe_count && !status; i++) status = check_pose_keyframe(&place, def, i);
    if (!status && def->group != CAB_GROUP_ALL)
        status = check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    return status ? status : check_number(&place, "friction", def->friction, CAB_LIMIT_FRICTION);
}

static cab_status check_stencil(const check_place *place, const cab_constraint_def *def)
{
    if (!def->stencil || def->stencil_count < 1 || def->stencil_count > CAB_STENCIL_PARTICLES)
        return refuse(place, "stencil", "1 to 8 offsets along the cable");
    if (def->stencil[0] != 0)
        return refuse(place, "stencil/0", "0: offsets are counted from the first particle");
    for (int i = 1; i < def->stencil_count; i++) {
        char key[KEY_SIZE];
        snprintf(key, sizeof key, "stencil/%d", i);
        cab_status status = check_number(place, key, def->stencil[i], CAB_LIMIT_OFFSET);
        if (status) return status;
        if (def->stencil[i] <= def->stencil[i - 1]) return refuse(place, key, "more than the offset before");
    }
    return CAB_OK;
}

static cab_status check_parameters(const check_place *place, const cab_constraint_def *def)
{
    if (def->parameter_count < 0 || def->parameter_count > CAB_PARAMETERS_MAX ||
        (def->parameter_count > 0 && !def->parameters))
        return refuse(place, "parameters", "at most 64 of them");
    for (int i = 0; i < def->parameter_count; i++) {
        const cab_parameter *p = &def->parameters[i];
        const char *reason;
        char key[KEY_SIZE] = "parameters/", name[KEY_SIZE - 12];
        cab_pointer_escape(p->name ? p->name : "", name, sizeof name);
        strcat(key, name);
        if (!cab_expression_name_is_free(p->name ? p->name : "", &reason)) return refuse(place, key, reason);
        for (int k = 0; k < i; k++) {
            if (!strcmp(p->name, def->parameters[k].name)) return refuse(place, key, "a unique name");
        }
        cab_status status = check_number(place, key, p->value, CAB_LIMIT_PARAMETER);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status check_expression(const check_place *place, const cab_constraint_def *def)
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
static cab_status check_callback(const check_place *place, const cab_constraint_def *def)
{
    if (def->parameter_count > 0) return refuse(place, "parameters", "none: there is no expression");
    if (def->origin.x != 0 || def->origin.y != 0 || def->origin.z != 0)
        return refuse(place, "origin", "0, 0, 0: there is no expression");
    if (def->solve && def->h != 0) return refuse(place, "h", "0: a solver needs no gradient");
    if (def->solve && def->type != CAB_CONSTRAINT_EQUALITY)
        return refuse(place, "type", "\"equality\": a solver makes of it what it likes");
    return CAB_OK;
}

cab_status cab_check_constraint(const cab_scene *scene, const cab_constraint_def *def, cab_error *error)
{
    check_place place = place_of(scene, "constraints", scene->constraint_count, error);
    cab_status status = def->name ? check_name(&place, def->name) : CAB_OK;
    if (status) return status;
    int twin = def->name
                   ? cab_name_table_find(&scene->constraint_names, scene->constraints, sizeof *def, def->name)
                   : -1;
    if (twin >= 0) return refuse_twin(&place, def->name, "constraints", twin);
    if (!def->cable || !*def->cable) return refuse(&place, "cable", "the name of a cable");
    status = check_stencil(&place, def);
    if (!status) status = check_at(&place, def->once ? "at" : "from", &def->from, false);
    if (!status && !def->once) status = check_at(&place, "to", &def->to, false);
    if (!status && def->type != CAB_CONSTRAINT_EQUALITY && def->type != CAB_CONSTRAINT_INEQUALITY)
        status = refuse(&place, "type", "\"equality\" or \"inequality\"");
    if (!status) status = check_number(&place, "compliance", def->compliance, CAB_LIMIT_COMPLIANCE);
    if (!status && def->h != 0) status = check_number(&place, "h", def->h, CAB_LIMIT_LENGTH);
    if (!status) status = check_vec3(&place, "origin", def->origin, CAB_LIMIT_COORDINATE);
    if (!status && (def->expression != NULL) + (def->evaluate != NULL) + (def->solve != NULL) != 1)
        status = refuse(&place, "expression", "one, or one callback in its place");
    if (!status) status = check_parameters(&place, def);
    if (status) return status;
    return def->expression ? check_expression(&place, def) : check_callback(&place, def);
}

cab_status cab_scene_check_settings(const cab_scene *scene, cab_error *error)
{
    const cab_settings *settings = &scene->settings;
    check_place place = {.scene = scene, .error = error};
    cab_status status = check_vec3(&place, "gravity", settings->gravity, CAB_LIMIT_COORDINATE);
    if (!status) status = check_vec3(&place, "wind", settings->wind, CAB_LIMIT_COORDINATE);
    snprintf(place.pointer, sizeof place.pointer, "/time");
    if (!status) status = check_fields(&place, cab_time_fields, CAB_TIME_FIELDS, settings);
    if (!status && settings->duration * settings->frame_rate > CAB_FRAMES_MAX)
        status =
            cab_fail(error, CAB_ERROR_INPUT, "%s: /time/duration: expected at most %.0f frames, got %.0f",
                     scene->source, CAB_FRAMES_MAX, settings->duration * settings->frame_rate);
    snprintf(place.pointer, sizeof place.pointer, "/method");
    if (!status) status = check_fields(&place, cab_method_fields, CAB_METHOD_FIELDS, settings);
    if (!status && (settings->way < CAB_WAY_AUTO || settings->way >= CAB_WAY_COUNT))
        status = refuse(&place, "way", "\"auto\", \"coloured\", \"fused\", \"lanes\" or \"staged\"");
    snprintf(place.pointer, sizeof place.pointer, "/contact");
    if (!status && (unsigned)settings->friction_model >= CAB_FRICTION_COUNT)
        status = refuse(&place, "friction_model", "\"coulomb\" or \"threshold\"");
    if (!status && (unsigned)settings->detection >= CAB_DETECTION_COUNT)
        status = refuse(&place, "detection", "\"swept\" or \"discrete\"");
    if (!status) status = check_number(&place, "static_speed", settings->static_speed, CAB_LIMIT_SPEED);
    return status ? status : cab_method_check(scene, error);
}

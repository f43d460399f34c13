/* Checks of materials, cables, sheets and settings. */
#include "model/scene_check.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "model/check.h"
#include "model/method.h"
#include "model/names.h"

const cab_field cab_material_fields[CAB_MATERIAL_FIELDS] = {
    {"radius", offsetof(cab_material_def, radius), {1e-9, 1e6, false}},
    {"linear_density", offsetof(cab_material_def, linear_density), {1e-9, 1e6, false}},
    [CAB_MATERIAL_STRETCHING] = {"stretching_stiffness",
                                 offsetof(cab_material_def, stretching_stiffness),
                                 {1e-9, 1e15, false}},
    [CAB_MATERIAL_BENDING] = {"bending_stiffness",
                              offsetof(cab_material_def, bending_stiffness),
                              {0, 1e12, false}},
    {"bending_damping", offsetof(cab_material_def, bending_damping), {0, 1e6, false}},
    {"twisting_stiffness", offsetof(cab_material_def, twisting_stiffness), {0, 1e12, false}},
    {"rest_share", offsetof(cab_material_def, rest_share), {0, 1, false}},
    {"yield_curvature", offsetof(cab_material_def, yield_curvature), {0, 1e9, false}},
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
    {"max_substeps", offsetof(cab_settings, max_substeps), {-1, 51200000, true}},
    {"iterations", offsetof(cab_settings, iterations), {1, 10000, true}},
};

cab_status cab_check_material(const cab_scene *scene, const cab_material_def *def, cab_error *error)
{
    cab_check_place place = {.scene = scene, .error = error};
    char key[CAB_CHECK_POINTER - 16];
    cab_pointer_escape(def->name ? def->name : "", key, sizeof key);
    snprintf(place.pointer, sizeof place.pointer, "/materials/%s", key);
    cab_status status = cab_check_name(&place, def->name);
    if (status) return status;
    if (cab_scene_find_material(scene, def->name) >= 0)
        return cab_check_refuse(&place, "name", "a unique name");
    cab_material_def finite = *def;
    if (isinf(def->stretching_stiffness) && def->stretching_stiffness > 0)
        finite.stretching_stiffness = cab_material_fields[CAB_MATERIAL_STRETCHING].limit.max;
    return cab_check_fields(&place, cab_material_fields, CAB_MATERIAL_FIELDS, &finite);
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

static cab_status check_cable_name(const cab_check_place *place, const cab_cable_def *def)
{
    cab_status status = cab_check_name(place, def->name);
    if (status) return status;
    int twin = cab_scene_find_cable(place->scene, def->name);
    if (twin < 0) twin = find_copy_twin(place->scene, def);
    if (twin >= 0) return cab_check_twin(place, def->name, "cables", twin);
    twin = cab_scene_find_sheet(place->scene, def->name);
    return twin < 0 ? CAB_OK : cab_check_twin(place, def->name, "sheets", twin);
}

static cab_status check_material_name(const cab_check_place *place, const char *key, const char *name)
{
    const cab_scene *scene = place->scene;
    if (!name) return cab_check_refuse(place, key, "the name of a material");
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

static cab_status check_path(const cab_check_place *place, const char *list, const cab_vec3 *path, int count)
{
    if (!path || count < 2) return cab_check_refuse(place, list, "at least 2 points");
    for (int i = 0; i < count; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "%s/%d", list, i);
        cab_status status = cab_check_vec3(place, key, path[i], CAB_LIMIT_COORDINATE);
        if (status) return status;
        if (i == 0) continue;
        const cab_vec3 *a = &path[i - 1], *b = &path[i];
        double gap = hypot(hypot(b->x - a->x, b->y - a->y), b->z - a->z);
        if (gap <= CAB_POINT_GAP) return cab_check_refuse(place, key, "a point other than the one before");
    }
    return CAB_OK;
}

/* What lengths add up to, and whether segments are enough, the model knows: cab_divide(). */
static cab_status check_division(const cab_check_place *place, const cab_cable_def *def)
{
    const cab_division_def *d = &def->division;
    if (d->length_count < 0 || (d->length_count > 0) != (d->lengths != NULL))
        return cab_check_refuse(place, "segments", "lengths and how many there are");
    if (d->place_count < 0 || (d->place_count > 0) != (d->places != NULL))
        return cab_check_refuse(place, "places", "fractions and how many there are");
    if (d->lengths && d->places)
        return cab_check_refuse(place, "places", "none where \"segments\" are lengths");
    if ((d->lengths || d->places) && def->feed.keyframe_count > 0)
        return cab_check_refuse(place, d->lengths ? "segments" : "places", "equal segments with a feed");
    cab_status status =
        d->lengths ? cab_check_number(place, "segments", d->length_count, CAB_LIMIT_SEGMENTS) : CAB_OK;
    if (!status && d->lengths && def->segments != 0 && def->segments != d->length_count)
        status = cab_check_refuse(place, "segments", "as many segments as there are lengths");
    char key[CAB_CHECK_KEY];
    for (int i = 0; i < d->length_count && !status; i++) {
        snprintf(key, sizeof key, "segments/%d", i);
        status = cab_check_number(place, key, d->lengths[i], CAB_LIMIT_LENGTH);
    }
    for (int i = 0; i < d->place_count && !status; i++) {
        snprintf(key, sizeof key, "places/%d", i);
        status = cab_check_number(place, key, d->places[i], CAB_LIMIT_FRACTION);
        if (!status && i > 0 && !(d->places[i] > d->places[i - 1] + CAB_PLACE_GAP))
            status = cab_check_refuse(place, key, "a place after the one before");
    }
    return status;
}

/* Rows along a cable: their places increase. */
static cab_status check_along(const cab_check_place *place, const cab_velocity_row *rows, int count)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < count && !status; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "velocity/along/%d/0", i);
        status = cab_check_number(place, key, rows[i].at, CAB_LIMIT_FRACTION);
        if (!status && i > 0 && !(rows[i].at > rows[i - 1].at))
            status = cab_check_refuse(place, key, "a place after the one before");
        snprintf(key, sizeof key, "velocity/along/%d", i);
        if (!status) status = cab_check_vec3(place, key, rows[i].velocity, CAB_LIMIT_COORDINATE);
    }
    return status;
}

/* How many particles there are the model knows: cab_expand_start_velocities. */
static cab_status check_motion(const cab_check_place *place, const cab_start_motion_def *def)
{
    const int counts[] = {def->velocity_count, def->along_count, def->path_count};
    const bool given[] = {def->velocities, def->along, def->path};
    int used = 0;
    for (int i = 0; i < 3; i++) {
        if (counts[i] < 0 || (counts[i] > 0) != given[i])
            return cab_check_refuse(place, "velocity", "rows and how many there are");
        used += given[i];
    }
    if (used > 1)
        return cab_check_refuse(place, "velocity",
                                "one of: a row for each particle, rows along the cable, a path");
    if (def->along) return check_along(place, def->along, def->along_count);
    cab_status status = CAB_OK;
    for (int i = 0; i < def->velocity_count && !status; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "velocity/%d", i);
        status = cab_check_vec3(place, key, def->velocities[i], CAB_LIMIT_COORDINATE);
    }
    if (!def->path) return status;
    status = check_path(place, "velocity/path", def->path, def->path_count);
    return status ? status : cab_check_number(place, "velocity/before", def->before, CAB_LIMIT_BEFORE);
}

cab_status cab_check_copies(const cab_check_place *place, const int copies[3], const double spacing[3])
{
    double product = 1;
    for (int i = 0; i < 3; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "copies/count/%d", i);
        cab_status status = cab_check_number(place, key, copies[i], CAB_LIMIT_COPIES);
        if (status) return status;
        product *= copies[i];
    }
    if (product > CAB_COPIES_MAX)
        return cab_fail(place->error, CAB_ERROR_INPUT,
                        "%s: %s/copies/count: expected at most %d copies, got %.0f", place->scene->source,
                        place->pointer, CAB_COPIES_MAX, product);
    return cab_check_numbers(place, "copies/spacing", spacing, 3, CAB_LIMIT_COORDINATE);
}

/* How much cable there is, and how fast it may go, the model knows: cab_model_add_feeds. */
static cab_status check_feed(const cab_check_place *place, const cab_feed_def *def)
{
    if (def->keyframe_count < 0 || (def->keyframe_count > 0 && !def->keyframes))
        return cab_check_refuse(place, "feed/keyframes", "at least one keyframe");
    if (def->keyframe_count == 0 && (def->stored != 0 || def->at_end))
        return cab_check_refuse(place, "feed/keyframes", "at least one keyframe");
    cab_status status = cab_check_number(place, "feed/stored", def->stored, CAB_LIMIT_STORED);
    if (status) return status;
    return cab_check_numbers_in_time(place, "feed/keyframes", (const double(*)[2])def->keyframes,
                                     def->keyframe_count, CAB_LIMIT_COORDINATE);
}

static cab_status check_covers(const cab_check_place *place, const cab_cable_def *def)
{
    if (def->cover_count < 0 || def->cover_count > CAB_COVERS || (def->cover_count > 0 && !def->covers))
        return cab_check_refuse(place, "materials", "at most 63 of them");
    for (int i = 0; i < def->cover_count; i++) {
        const cab_cover_def *cover = &def->covers[i];
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "materials/%d/material", i);
        cab_status status = check_material_name(place, key, cover->material);
        snprintf(key, sizeof key, "materials/%d/from", i);
        if (!status) status = cab_check_number(place, key, cover->from, CAB_LIMIT_FRACTION);
        snprintf(key, sizeof key, "materials/%d/to", i);
        if (!status) status = cab_check_number(place, key, cover->to, CAB_LIMIT_FRACTION);
        if (!status && !(cover->from < cover->to))
            status = cab_check_refuse(place, key, "a place after \"from\"");
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status check_part_names(const cab_check_place *place, const cab_cable_def *def)
{
    if (def->part_count < 0 || (def->part_count > 0 && !def->parts))
        return cab_check_refuse(place, "parts", "names of parts");
    for (int i = 0; i < def->part_count; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "parts/%d", i);
        if (!def->parts[i] || !*def->parts[i]) return cab_check_refuse(place, key, "the name of a part");
    }
    return CAB_OK;
}

static cab_status check_bundle_row(const cab_check_place *place, const cab_bundle_row_def *row, int index)
{
    char key[CAB_CHECK_KEY];
    snprintf(key, sizeof key, "bundle/%d/part", index);
    if (!row->part || !*row->part) return cab_check_refuse(place, key, "the name of a part");
    snprintf(key, sizeof key, "bundle/%d/count", index);
    cab_status status = cab_check_number(place, key, row->count, CAB_LIMIT_ROW_COUNT);
    snprintf(key, sizeof key, "bundle/%d/to", index);
    if (!status && !(row->from >= 0 && row->from < row->to && row->to <= 1))
        status = cab_check_refuse(place, key, "a fraction of the length after \"from\"");
    for (int k = 0; k < 3 && !status; k++) {
        snprintf(key, sizeof key, "bundle/%d/bending/%d", index, k);
        status = cab_check_number(place, key, row->bending[k], CAB_LIMIT_ROW_STIFFNESS);
        snprintf(key, sizeof key, "bundle/%d/stretching/%d", index, k);
        if (!status) status = cab_check_number(place, key, row->stretching[k], CAB_LIMIT_ROW_STIFFNESS);
    }
    return status;
}

static cab_status check_bundle(const cab_check_place *place, const cab_cable_def *def)
{
    cab_status status = CAB_OK;
    if (def->bundle_count < 0 || (def->bundle_count > 0 && !def->bundle))
        status = cab_check_refuse(place, "bundle", "rows of parts");
    for (int i = 0; i < def->bundle_count && !status; i++)
        status = check_bundle_row(place, &def->bundle[i], i);
    return status;
}

cab_status cab_check_cable(const cab_scene *scene, const cab_cable_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "cables", scene->cable_count, error);
    cab_status status = cab_check_copies(&place, def->copies, def->spacing);
    if (!status) status = check_cable_name(&place, def);
    if (!status) status = check_material_name(&place, "material", def->material);
    if (!status) status = check_path(&place, "path", def->path, def->path_count);
    if (status) return status;
    if (def->curve != CAB_CURVE_POLYLINE && def->curve != CAB_CURVE_CATMULL_ROM)
        return cab_check_refuse(&place, "curve", "\"polyline\" or \"catmull-rom\"");
    if (def->segments != 0) status = cab_check_number(&place, "segments", def->segments, CAB_LIMIT_SEGMENTS);
    if (!status && def->length != 0)
        status = cab_check_number(&place, "length", def->length, CAB_LIMIT_LENGTH);
    if (!status)
        status = cab_check_number(&place, "length_tolerance", def->length_tolerance, CAB_LIMIT_TOLERANCE);
    if (!status) status = cab_check_vec3(&place, "velocity", def->velocity, CAB_LIMIT_COORDINATE);
    if (!status) status = check_division(&place, def);
    if (!status) status = check_motion(&place, &def->motion);
    if (!status) status = cab_check_vec3(&place, "section_axis", def->section_axis, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    if (!status) status = check_covers(&place, def);
    if (!status) status = check_part_names(&place, def);
    if (!status) status = check_bundle(&place, def);
    return status ? status : check_feed(&place, &def->feed);
}

static cab_status check_rectangle(const cab_check_place *place, const cab_sheet_def *def)
{
    const double along[3] = {def->along.x, def->along.y, def->along.z};
    const double across[3] = {def->across.x, def->across.y, def->across.z};
    cab_status status = cab_check_vec3(place, "corner", def->corner, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_not_zero(place, "along", along, 3, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_not_zero(place, "across", across, 3, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_number(place, "count/0", def->count[0], CAB_LIMIT_ROW);
    if (!status) status = cab_check_number(place, "count/1", def->count[1], CAB_LIMIT_ROW);
    if (status) return status;
    double a2 = 0, b2 = 0, ab = 0;
    for (int i = 0; i < 3; i++)
        a2 += along[i] * along[i], b2 += across[i] * across[i], ab += along[i] * across[i];
    if (ab * ab > (1 - 1e-12) * a2 * b2)
        return cab_check_refuse(place, "across", "a direction other than that of along");
    if ((double)def->count[0] * def->count[1] > CAB_SHEET_MAX)
        return cab_fail(place->error, CAB_ERROR_INPUT,
                        "%s: %s/count: expected at most %d particles, got %.0f", place->scene->source,
                        place->pointer, CAB_SHEET_MAX, (double)def->count[0] * def->count[1]);
    if ((int)def->diagonals < CAB_DIAGONALS_NONE || def->diagonals > CAB_DIAGONALS_BOTH)
        return cab_check_refuse(place, "diagonals", "\"none\", \"one\" or \"both\"");
    if (def->point_count || def->face_count || def->stick_count)
        return cab_check_refuse(place, "count", "a rectangle or points, not both");
    return CAB_OK;
}

/* Numbers of points, `width` to an item and different in it; the last may be -1 when `triangles`. */
static cab_status check_corners(const cab_check_place *place, const char *key, const int *corners, int count,
                                int width, bool triangles, int points)
{
    char at[CAB_CHECK_KEY];
    if (count < 0 || (count > 0 && !corners)) return cab_check_refuse(place, key, "a list");
    for (int i = 0; i < count; i++) {
        const int *item = &corners[(size_t)width * (size_t)i];
        int used = triangles && item[width - 1] == -1 ? width - 1 : width;
        for (int k = 0; k < used; k++) {
            snprintf(at, sizeof at, "%s/%d/%d", key, i, k);
            cab_status status = cab_check_number(place, at, item[k], (cab_limit){0, points - 1, true});
            for (int l = 0; l < k && !status; l++)
                if (item[l] == item[k]) status = cab_check_refuse(place, at, "a point named once");
            if (status) return status;
        }
    }
    return CAB_OK;
}

static cab_status check_points(const cab_check_place *place, const cab_sheet_def *def)
{
    if (def->diagonals != CAB_DIAGONALS_NONE)
        return cab_check_refuse(place, "diagonals", "\"none\" with points");
    if (!def->points || def->point_count < 2 || def->point_count > CAB_SHEET_MAX)
        return cab_check_refuse(place, "points", "2 to 10000000 points");
    for (int i = 0; i < def->point_count; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "points/%d", i);
        cab_status status = cab_check_vec3(place, key, def->points[i], CAB_LIMIT_COORDINATE);
        if (status) return status;
    }
    cab_status status = check_corners(place, "faces", def->faces, def->face_count, 4, true, def->point_count);
    if (!status)
        status = check_corners(place, "sticks", def->sticks, def->stick_count, 2, false, def->point_count);
    if (!status && def->area_density > 0 && def->face_count == 0)
        status = cab_check_refuse(place, "area_density", "0 where there are no faces");
    return status;
}

/* Sheets bend by links, not by bending stiffness. */
static cab_status check_sheet_material(const cab_check_place *place, const cab_sheet_def *def)
{
    cab_status status = check_material_name(place, "material", def->material);
    if (status) return status;
    const cab_material_def *m =
        &place->scene->materials[cab_scene_find_material(place->scene, def->material)];
    if (m->bending_stiffness > 0)
        return cab_check_refuse(place, "material",
                                "one without bending_stiffness: sheets bend by double_distance");
    return CAB_OK;
}

cab_status cab_check_sheet(const cab_scene *scene, const cab_sheet_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "sheets", scene->sheet_count, error);
    cab_status status = cab_check_name(&place, def->name);
    if (status) return status;
    cab_cable_def namesake = cab_cable_default();
    namesake.name = def->name;
    status = check_cable_name(&place, &namesake);
    if (!status) status = check_sheet_material(&place, def);
    bool rectangle = def->count[0] != 0 || def->count[1] != 0;
    if (!status) status = rectangle ? check_rectangle(&place, def) : check_points(&place, def);
    if (!status) status = cab_check_number(&place, "area_density", def->area_density, CAB_LIMIT_AREA_DENSITY);
    if (!status) status = cab_check_number(&place, "group", def->group, CAB_LIMIT_GROUP);
    return status ? status : cab_check_vec3(&place, "velocity", def->velocity, CAB_LIMIT_COORDINATE);
}

cab_status cab_scene_check_settings(const cab_scene *scene, cab_error *error)
{
    const cab_settings *settings = &scene->settings;
    cab_check_place place = {.scene = scene, .error = error};
    cab_status status = cab_check_vec3(&place, "gravity", settings->gravity, CAB_LIMIT_COORDINATE);
    if (!status) status = cab_check_vec3(&place, "wind", settings->wind, CAB_LIMIT_COORDINATE);
    snprintf(place.pointer, sizeof place.pointer, "/time");
    if (!status) status = cab_check_fields(&place, cab_time_fields, CAB_TIME_FIELDS, settings);
    if (!status && settings->duration * settings->frame_rate > CAB_FRAMES_MAX)
        status =
            cab_fail(error, CAB_ERROR_INPUT, "%s: /time/duration: expected at most %.0f frames, got %.0f",
                     scene->source, CAB_FRAMES_MAX, settings->duration * settings->frame_rate);
    snprintf(place.pointer, sizeof place.pointer, "/method");
    for (int i = 0; i < CAB_METHOD_KEYS && !status; i++)
        if (cab_method_keys[i].kind == CAB_METHOD_NUMBER)
            status = cab_check_fields(&place, &cab_method_keys[i].field, 1, settings);
    if (!status && (settings->way < CAB_WAY_AUTO || settings->way >= CAB_WAY_COUNT))
        status =
            cab_check_refuse(&place, "way", "\"auto\", \"coloured\", \"fused\", \"lanes\" or \"staged\"");
    snprintf(place.pointer, sizeof place.pointer, "/contact");
    if (!status && (unsigned)settings->contact.friction_model >= CAB_FRICTION_COUNT)
        status = cab_check_refuse(&place, "friction_model", "\"coulomb\" or \"threshold\"");
    if (!status && (unsigned)settings->contact.detection >= CAB_DETECTION_COUNT)
        status = cab_check_refuse(&place, "detection", "\"swept\" or \"discrete\"");
    if (!status && (unsigned)settings->contact.touching >= CAB_TOUCHING_COUNT)
        status = cab_check_refuse(&place, "touching", "\"segments\", \"particles\" or \"particles-after\"");
    if (!status)
        status = cab_check_number(&place, "static_speed", settings->contact.static_speed, CAB_LIMIT_SPEED);
    return status ? status : cab_method_check(scene, error);
}

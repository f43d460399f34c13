/* Reads cables, attachments and loads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/scene_json.h"
#include "model/limits.h"

/* To be freed, whatever the status. */
static cab_status read_path(const cab_cursor *cable, cab_vec3 **points, int *count)
{
    cab_cursor path = cab_cursor_key(cable, "path");
    size_t size = json_array_size(path.value);
    if (size < 2 || size > 100000000) return cab_cursor_fail(&path, "an array of at least 2 points");
    *points = malloc(size * sizeof **points);
    if (!*points) return cab_fail_memory(cable->reader->error, "a path", size * sizeof **points);
    for (size_t i = 0; i < size; i++) {
        cab_cursor point = cab_cursor_item(&path, i);
        cab_status status = cab_read_vec3(&point, CAB_LIMIT_COORDINATE, &(*points)[i]);
        if (status) return status;
    }
    *count = (int)size;
    return CAB_OK;
}

static cab_status read_copies(const cab_cursor *cable, cab_cable_def *def)
{
    static const char *const keys[] = {"count", "spacing"};
    cab_cursor copies = cab_cursor_key(cable, "copies");
    if (!copies.value) return CAB_OK;
    cab_status status = cab_cursor_check_keys(&copies, keys, CAB_COUNT(keys));
    if (status) return status;
    cab_cursor count = cab_cursor_key(&copies, "count");
    cab_cursor spacing = cab_cursor_key(&copies, "spacing");
    double counts[3] = {0};
    status = cab_read_numbers(&count, CAB_LIMIT_COPIES, counts, 3);
    if (!status) status = cab_read_numbers(&spacing, CAB_LIMIT_COORDINATE, def->spacing, 3);
    for (int i = 0; i < 3 && !status; i++) def->copies[i] = (int)counts[i];
    return status;
}

static cab_status read_shape(const cab_cursor *cable, cab_cable_def *def)
{
    static const char *const curves[] = {
        [CAB_CURVE_POLYLINE] = "polyline", [CAB_CURVE_CATMULL_ROM] = "catmull-rom"};
    cab_cursor curve = cab_cursor_key(cable, "curve");
    cab_cursor segments = cab_cursor_key(cable, "segments");
    cab_cursor length = cab_cursor_key(cable, "length");
    cab_cursor velocity = cab_cursor_key(cable, "velocity");
    cab_cursor tolerance = cab_cursor_key(cable, "length_tolerance");
    int word = 0;
    cab_status status = CAB_OK;
    if (curve.value) status = cab_read_word(&curve, curves, CAB_COUNT(curves), &word);
    if (!status && segments.value) status = cab_read_integer(&segments, CAB_LIMIT_SEGMENTS, &def->segments);
    if (!status && length.value) status = cab_read_number(&length, CAB_LIMIT_LENGTH, &def->length);
    if (!status && tolerance.value)
        status = cab_read_number(&tolerance, CAB_LIMIT_TOLERANCE, &def->length_tolerance);
    if (!status && velocity.value) status = cab_read_vec3(&velocity, CAB_LIMIT_COORDINATE, &def->velocity);
    def->curve = (cab_curve)word;
    return status;
}

/* To be freed, whatever the status. */
static cab_status read_feed_keyframes(const cab_cursor *list, cab_feed_keyframe **frames, int *count)
{
    size_t size = json_array_size(list->value);
    cab_status status = CAB_OK;
    if (size == 0 || size > 100000000)
        return cab_cursor_fail(list, "an array of at least one [t, metres paid out]");
    *frames = malloc(size * sizeof **frames);
    if (!*frames) return cab_fail_memory(list->reader->error, "keyframes", size * sizeof **frames);
    for (size_t i = 0; i < size && !status; i++) {
        double values[2] = {0};
        cab_cursor item = cab_cursor_item(list, i);
        status = cab_read_numbers(&item, CAB_LIMIT_TIME, values, 2);
        (*frames)[i] = (cab_feed_keyframe){values[0], values[1]};
    }
    *count = (int)size;
    return status;
}

static cab_status read_feed(const cab_cursor *cable, cab_feed_def *def, cab_feed_keyframe **frames)
{
    static const char *const keys[] = {"at", "keyframes", "stored"}, *const ends[] = {"start", "end"};
    cab_cursor feed = cab_cursor_key(cable, "feed");
    int end = 0;
    if (!feed.value) return CAB_OK;
    cab_status status = cab_cursor_check_keys(&feed, keys, CAB_COUNT(keys));
    cab_cursor at = cab_cursor_key(&feed, "at"), list = cab_cursor_key(&feed, "keyframes");
    cab_cursor stored = cab_cursor_key(&feed, "stored");
    if (!status) status = cab_read_word(&at, ends, CAB_COUNT(ends), &end);
    if (!status) status = read_feed_keyframes(&list, frames, &def->keyframe_count);
    if (!status && stored.value) status = cab_read_number(&stored, CAB_LIMIT_STORED, &def->stored);
    def->at_end = end == 1;
    def->keyframes = *frames;
    return status;
}

static cab_status read_cover(const cab_cursor *item, cab_cover_def *cover)
{
    static const char *const keys[] = {"from", "to", "material", "instead"};
    cab_status status = cab_cursor_check_keys(item, keys, CAB_COUNT(keys));
    cab_cursor from = cab_cursor_key(item, "from"), to = cab_cursor_key(item, "to");
    cab_cursor material = cab_cursor_key(item, "material"), instead = cab_cursor_key(item, "instead");
    if (!status) status = cab_read_number(&from, CAB_LIMIT_FRACTION, &cover->from);
    if (!status) status = cab_read_number(&to, CAB_LIMIT_FRACTION, &cover->to);
    if (!status) status = cab_read_text(&material, "the name of a material", &cover->material);
    if (!status && instead.value) status = cab_read_bool(&instead, &cover->instead);
    return status;
}

/* To be freed, whatever the status. */
static cab_status read_covers(const cab_cursor *cable, cab_cable_def *def, cab_cover_def **covers)
{
    cab_cursor list = cab_cursor_key(cable, "materials");
    size_t count = json_array_size(list.value);
    cab_status status = CAB_OK;
    if (!list.value) return CAB_OK;
    if (!json_is_array(list.value) || count > CAB_COVERS)
        return cab_cursor_fail(&list, "an array of at most 63 {\"from\", \"to\", \"material\"}");
    *covers = calloc(count + 1, sizeof **covers);
    if (!*covers) return cab_fail_memory(cable->reader->error, "covers", count * sizeof **covers);
    for (size_t i = 0; i < count && !status; i++) {
        cab_cursor item = cab_cursor_item(&list, i);
        status = read_cover(&item, &(*covers)[i]);
    }
    def->covers = *covers;
    def->cover_count = (int)count;
    return status;
}

static cab_status read_cable(const cab_cursor *cable)
{
    static const char *const keys[] = {
        "name",     "material", "path", "curve",     "segments",        "length",
        "velocity", "copies",   "feed", "materials", "length_tolerance"};
    cab_cover_def *covers = NULL;
    cab_feed_keyframe *frames = NULL;
    const cab_reader *reader = cable->reader;
    cab_cable_def def = cab_cable_default();
    cab_vec3 *points = NULL;
    cab_status status = cab_cursor_check_keys(cable, keys, CAB_COUNT(keys));
    if (status) return status;
    cab_cursor name = cab_cursor_key(cable, "name");
    cab_cursor material = cab_cursor_key(cable, "material");
    status = cab_read_text(&name, "a name", &def.name);
    if (!status) status = cab_read_text(&material, "the name of a material", &def.material);
    if (!status) status = read_path(cable, &points, &def.path_count);
    if (!status) status = read_shape(cable, &def);
    if (!status) status = read_copies(cable, &def);
    if (!status) status = read_feed(cable, &def.feed, &frames);
    if (!status) status = read_covers(cable, &def, &covers);
    def.path = points;
    if (!status) status = cab_scene_add_cable(reader->scene, &def, reader->error);
    free(points);
    free(frames);
    free(covers);
    return status;
}

cab_status cab_read_cables(const cab_cursor *document)
{
    cab_cursor cables = cab_cursor_key(document, "cables"), sheets = cab_cursor_key(document, "sheets");
    bool none = json_array_size(cables.value) == 0;
    if (none && (cables.value || json_array_size(sheets.value) == 0))
        return cab_cursor_fail(&cables, "an array of at least one cable");
    return cab_read_list(document, "cables", read_cable);
}

/* Which particle of a sheet. */
static cab_status read_sheet_place(const cab_cursor *cursor, cab_place *place)
{
    static const char *const keys[] = {"particle", "corner"};
    if (!json_is_object(cursor->value))
        return cab_cursor_fail(cursor, "{\"particle\": i} or {\"corner\": [0 or 1, 0 or 1]}");
    cab_status status = cab_cursor_check_keys(cursor, keys, CAB_COUNT(keys));
    cab_cursor corner = cab_cursor_key(cursor, "corner"), particle = cab_cursor_key(cursor, "particle");
    if (status) return status;
    if (corner.value && particle.value) return cab_cursor_fail(cursor, "either a particle or a corner");
    place->kind = corner.value ? CAB_PLACE_CORNER : CAB_PLACE_PARTICLE;
    if (!corner.value) return cab_read_integer(&particle, CAB_LIMIT_PARTICLE, &place->particle);
    double ends[2] = {0};
    status = cab_read_numbers(&corner, CAB_LIMIT_CORNER, ends, 2);
    place->particle = (int)ends[0] + 2 * (int)ends[1];
    return status;
}

cab_status cab_read_place(const cab_cursor *cursor, cab_place *place)
{
    static const char *const words[] = {"start", "end"};
    static const char *const keys[] = {"particle"};
    static const char expected[] = "\"start\", \"end\", a number from 0 to 1 or {\"particle\": i}";
    if (json_is_object(cursor->value)) {
        cab_cursor particle = cab_cursor_key(cursor, "particle");
        cab_status status = cab_cursor_check_keys(cursor, keys, CAB_COUNT(keys));
        place->kind = CAB_PLACE_PARTICLE;
        return status ? status : cab_read_integer(&particle, CAB_LIMIT_PARTICLE, &place->particle);
    }
    const char *word = json_string_value(cursor->value);
    for (int i = 0; word && i < CAB_COUNT(words); i++) {
        place->kind = i == 0 ? CAB_PLACE_START : CAB_PLACE_END;
        if (strcmp(word, words[i]) == 0) return CAB_OK;
    }
    bool fraction = json_is_number(cursor->value) &&
                    cab_limit_holds(CAB_LIMIT_FRACTION, json_number_value(cursor->value));
    if (!fraction) return cab_cursor_fail(cursor, expected);
    place->kind = CAB_PLACE_FRACTION;
    place->fraction = json_number_value(cursor->value);
    return CAB_OK;
}

cab_status cab_read_keyframes(const cab_cursor *list, const char *form, cab_keyframe **frames, int *count)
{
    size_t size = json_array_size(list->value);
    cab_status status = CAB_OK;
    if (size == 0 || size > 100000000) {
        char expected[64];
        snprintf(expected, sizeof expected, "an array of at least one %s", form);
        return cab_cursor_fail(list, expected);
    }
    *frames = malloc(size * sizeof **frames);
    if (!*frames) return cab_fail_memory(list->reader->error, "keyframes", size * sizeof **frames);
    for (size_t i = 0; i < size && !status; i++) {
        double values[4] = {0};
        cab_cursor item = cab_cursor_item(list, i);
        status = cab_read_numbers(&item, CAB_LIMIT_TIME, values, 4);
        (*frames)[i] = (cab_keyframe){values[0], {values[1], values[2], values[3]}};
    }
    *count = (int)size;
    return status;
}

/* An object of which "keyframes" is the only key. To be freed, whatever the status. */
static cab_status read_keyframes(const cab_cursor *target, const char *form, cab_keyframe **frames,
                                 int *count)
{
    static const char *const keys[] = {"keyframes"};
    cab_cursor list = cab_cursor_key(target, "keyframes");
    cab_status status = cab_cursor_check_keys(target, keys, CAB_COUNT(keys));
    return status ? status : cab_read_keyframes(&list, form, frames, count);
}

static cab_status read_target_cable(const cab_cursor *target, cab_attachment_def *def)
{
    static const char *const keys[] = {"cable", "at"};
    cab_cursor name = cab_cursor_key(target, "cable");
    cab_cursor at = cab_cursor_key(target, "at");
    def->to = CAB_TARGET_CABLE;
    cab_status status = cab_cursor_check_keys(target, keys, CAB_COUNT(keys));
    if (!status) status = cab_read_text(&name, "the name of a cable", &def->target);
    return status ? status : cab_read_place(&at, &def->target_at);
}

static cab_status read_target_sheet(const cab_cursor *target, cab_attachment_def *def)
{
    static const char *const keys[] = {"sheet", "at"};
    cab_cursor name = cab_cursor_key(target, "sheet");
    cab_cursor at = cab_cursor_key(target, "at");
    def->to = CAB_TARGET_SHEET;
    cab_status status = cab_cursor_check_keys(target, keys, CAB_COUNT(keys));
    if (!status) status = cab_read_text(&name, "the name of a sheet", &def->target);
    return status ? status : read_sheet_place(&at, &def->target_at);
}

/* "cable" or "sheet", and the place "at" on it. */
static cab_status read_body_place(const cab_cursor *item, const char **cable, const char **sheet,
                                  cab_place *at)
{
    cab_cursor cable_name = cab_cursor_key(item, "cable"), sheet_name = cab_cursor_key(item, "sheet");
    cab_cursor place = cab_cursor_key(item, "at");
    if (cable_name.value && sheet_name.value) return cab_cursor_fail(item, "either \"cable\" or \"sheet\"");
    cab_status status = sheet_name.value ? cab_read_text(&sheet_name, "the name of a sheet", sheet)
                                         : cab_read_text(&cable_name, "the name of a cable", cable);
    if (status) return status;
    return sheet_name.value ? read_sheet_place(&place, at) : cab_read_place(&place, at);
}

static cab_status read_target_collider(const cab_cursor *target, cab_attachment_def *def)
{
    static const char *const keys[] = {"collider", "point"};
    cab_cursor name = cab_cursor_key(target, "collider"), point = cab_cursor_key(target, "point");
    def->to = CAB_TARGET_COLLIDER;
    def->at_point = point.value != NULL;
    cab_status status = cab_cursor_check_keys(target, keys, CAB_COUNT(keys));
    if (!status && point.value) status = cab_read_vec3(&point, CAB_LIMIT_COORDINATE, &def->point);
    return status ? status : cab_read_text(&name, "the name of a collider", &def->target);
}

cab_status cab_read_target(const cab_cursor *target, cab_attachment_def *def, cab_keyframe **frames)
{
    static const char *const kinds[] = {"cable", "at", "collider", "point", "keyframes", "sheet"};
    if (json_is_array(target->value)) {
        def->to = CAB_TARGET_POINT;
        return cab_read_vec3(target, CAB_LIMIT_COORDINATE, &def->point);
    }
    if (json_object_get(target->value, "keyframes")) {
        def->to = CAB_TARGET_KEYFRAMES;
        return read_keyframes(target, "[t, x, y, z]", frames, &def->keyframe_count);
    }
    if (json_object_get(target->value, "collider")) return read_target_collider(target, def);
    if (json_object_get(target->value, "cable")) return read_target_cable(target, def);
    if (json_object_get(target->value, "sheet")) return read_target_sheet(target, def);
    const char *word = json_string_value(target->value);
    def->to = CAB_TARGET_HERE;
    if (word && strcmp(word, "here") == 0) return CAB_OK;
    cab_status status = CAB_OK;
    if (json_is_object(target->value)) status = cab_cursor_check_keys(target, kinds, CAB_COUNT(kinds));
    if (status) return status;
    return cab_cursor_fail(
        target,
        "\"here\", a point [x, y, z], {\"cable\": NAME, \"at\": PLACE}, "
        "{\"sheet\": NAME, \"at\": PLACE}, {\"collider\": NAME} or {\"keyframes\": [[t, x, y, z], ...]}");
}

static cab_status read_attachment(const cab_cursor *attachment)
{
    static const char *const keys[] = {
        "cable", "at", "to", "clamp", "break_force", "compliance", "release_distance", "sheet"};
    const cab_reader *reader = attachment->reader;
    cab_attachment_def def = cab_attachment_default();
    cab_keyframe *frames = NULL;
    cab_status status = cab_cursor_check_keys(attachment, keys, CAB_COUNT(keys));
    if (status) return status;
    cab_cursor to = cab_cursor_key(attachment, "to");
    cab_cursor clamp = cab_cursor_key(attachment, "clamp");
    cab_cursor force = cab_cursor_key(attachment, "break_force");
    cab_cursor compliance = cab_cursor_key(attachment, "compliance");
    cab_cursor release = cab_cursor_key(attachment, "release_distance");
    status = read_body_place(attachment, &def.cable, &def.sheet, &def.at);
    if (!status) status = cab_read_target(&to, &def, &frames);
    if (!status && clamp.value) status = cab_read_bool(&clamp, &def.clamp);
    if (!status && force.value) status = cab_read_number(&force, CAB_LIMIT_BREAK_FORCE, &def.break_force);
    if (!status && compliance.value)
        status = cab_read_number(&compliance, CAB_LIMIT_COMPLIANCE, &def.compliance);
    if (!status && release.value) status = cab_read_number(&release, CAB_LIMIT_LENGTH, &def.release_distance);
    def.keyframes = frames;
    if (!status) status = cab_scene_add_attachment(reader->scene, &def, reader->error);
    free(frames);
    return status;
}

cab_status cab_read_attachments(const cab_cursor *document)
{
    return cab_read_list(document, "attachments", read_attachment);
}

static cab_status read_load(const cab_cursor *load)
{
    static const char *const keys[] = {"cable", "at", "mass", "force", "moment", "sheet"};
    const cab_reader *reader = load->reader;
    cab_load_def def = cab_load_default();
    cab_keyframe *frames = NULL;
    cab_status status = cab_cursor_check_keys(load, keys, CAB_COUNT(keys));
    if (status) return status;
    cab_cursor mass = cab_cursor_key(load, "mass");
    cab_cursor force = cab_cursor_key(load, "force");
    cab_cursor moment = cab_cursor_key(load, "moment");
    status = read_body_place(load, &def.cable, &def.sheet, &def.at);
    if (!status && mass.value) status = cab_read_number(&mass, CAB_LIMIT_MASS, &def.mass);
    if (!status && json_is_object(force.value))
        status = read_keyframes(&force, "[t, fx, fy, fz]", &frames, &def.force_keyframe_count);
    else if (!status && force.value)
        status = cab_read_vec3(&force, CAB_LIMIT_FORCE, &def.force);
    def.force_keyframes = frames;
    if (!status && moment.value) status = cab_read_vec3(&moment, CAB_LIMIT_FORCE, &def.moment);
    if (!status) status = cab_scene_add_load(reader->scene, &def, reader->error);
    free(frames);
    return status;
}

cab_status cab_read_loads(const cab_cursor *document)
{
    return cab_read_list(document, "loads", read_load);
}

/* Reads cables, attachments and loads. */
#include <string.h>

#include "base/array.h"
#include "io/scene_json.h"

cab_status cab_read_copies(const cab_cursor *cursor, int copies[3], double spacing[3])
{
    typedef struct read_copies {
        double count[3], spacing[3];
    } read_copies;
    static const cab_key keys[] = {
        {CAB_POINT(read_copies, count, CAB_LIMIT_COPIES, CAB_NEEDED)},
        {CAB_POINT(read_copies, spacing, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
    };
    read_copies read = {0};
    cab_status status = cab_read_object(cursor, keys, CAB_COUNT(keys), &read);
    for (int i = 0; i < 3 && !status; i++) {
        copies[i] = (int)read.count[i];
        spacing[i] = read.spacing[i];
    }
    return status;
}

static cab_status read_copies(const cab_cursor *cursor, void *cable)
{
    cab_cable_def *def = cable;
    return cab_read_copies(cursor, def->copies, def->spacing);
}

static cab_status read_feed(const cab_cursor *cursor, void *feed)
{
    static const char *const ends[] = {"start", "end", NULL};
    static const cab_array_form frames = {1,
                                          CAB_ARRAY_MAX,
                                          sizeof(cab_feed_keyframe),
                                          "an array of at least one [t, metres paid out]",
                                          CAB_LIMIT_TIME,
                                          NULL};
    static const cab_key keys[] = {
        {CAB_KEY_AS("at", cab_feed_def, at_end), .kind = CAB_KEY_FLAG, .words = ends, CAB_NEEDED},
        {CAB_ITEMS(cab_feed_def, keyframes, keyframe_count, &frames, CAB_NEEDED)},
        {CAB_VALUE(cab_feed_def, stored, CAB_LIMIT_STORED)},
    };
    return cab_read_object(cursor, keys, CAB_COUNT(keys), feed);
}

static cab_status read_cover(const cab_cursor *item, void *cover)
{
    static const cab_key keys[] = {
        {CAB_VALUE(cab_cover_def, from, CAB_LIMIT_FRACTION, CAB_NEEDED)},
        {CAB_VALUE(cab_cover_def, to, CAB_LIMIT_FRACTION, CAB_NEEDED)},
        {CAB_TEXT(cab_cover_def, material, "the name of a material", CAB_NEEDED)},
        {CAB_BOOL(cab_cover_def, instead)},
    };
    return cab_read_object(item, keys, CAB_COUNT(keys), cover);
}

static cab_status read_bundle_row(const cab_cursor *item, void *row)
{
    static const cab_key keys[] = {
        {CAB_TEXT(cab_bundle_row_def, part, "the name of a part", CAB_NEEDED)},
        {CAB_VALUE(cab_bundle_row_def, count, CAB_LIMIT_ROW_COUNT)},
        {CAB_VALUE(cab_bundle_row_def, from, CAB_LIMIT_FRACTION)},
        {CAB_VALUE(cab_bundle_row_def, to, CAB_LIMIT_FRACTION)},
        {CAB_POINT(cab_bundle_row_def, bending, CAB_LIMIT_ROW_STIFFNESS, CAB_NEEDED)},
        {CAB_POINT(cab_bundle_row_def, stretching, CAB_LIMIT_ROW_STIFFNESS, CAB_NEEDED)},
    };
    *(cab_bundle_row_def *)row = (cab_bundle_row_def){.count = 1, .to = 1};
    return cab_read_object(item, keys, CAB_COUNT(keys), row);
}

/* One vector for all of the cable, a row for each particle, rows along it, or where it was some time before. */
static cab_status read_velocity(const cab_cursor *cursor, void *cable)
{
    static const char *const expected =
        "a vector [x, y, z], one for each particle, {\"along\": [[fraction, x, y, z], ...]} "
        "or {\"path\": [[x, y, z], ...], \"before\": seconds}";
    static const cab_array_form each = {
        1, CAB_ARRAY_MAX, sizeof(cab_vec3), "a vector for each particle", CAB_LIMIT_COORDINATE, NULL};
    static const cab_array_form rows = {1,
                                        CAB_ARRAY_MAX,
                                        sizeof(cab_velocity_row),
                                        "an array of at least one [fraction, x, y, z]",
                                        CAB_LIMIT_COORDINATE,
                                        NULL};
    static const cab_array_form points = {
        2, CAB_ARRAY_MAX, sizeof(cab_vec3), "an array of at least 2 points", CAB_LIMIT_COORDINATE, NULL};
    static const cab_key along[] = {{CAB_ITEMS(cab_start_motion_def, along, along_count, &rows, CAB_NEEDED)}};
    static const cab_key pose[] = {
        {CAB_ITEMS(cab_start_motion_def, path, path_count, &points, CAB_NEEDED)},
        {CAB_VALUE(cab_start_motion_def, before, CAB_LIMIT_BEFORE, CAB_NEEDED)},
    };
    cab_cable_def *def = cable;
    cab_start_motion_def *motion = &def->motion;
    if (json_is_array(json_array_get(cursor->value, 0)))
        return cab_read_array(cursor, &each, &motion->velocities, &motion->velocity_count);
    if (json_is_array(cursor->value)) return cab_read_vec3(cursor, CAB_LIMIT_COORDINATE, &def->velocity);
    if (!json_is_object(cursor->value)) return cab_cursor_fail(cursor, expected);
    if (json_object_get(cursor->value, "along"))
        return cab_read_object(cursor, along, CAB_COUNT(along), motion);
    return cab_read_object(cursor, pose, CAB_COUNT(pose), motion);
}

static cab_status read_length(const cab_cursor *item, void *length)
{
    return cab_read_number(item, CAB_LIMIT_LENGTH, length);
}

static cab_status read_fraction(const cab_cursor *item, void *fraction)
{
    return cab_read_number(item, CAB_LIMIT_FRACTION, fraction);
}

/* How many equal ones, or the length of each. */
static cab_status read_segments(const cab_cursor *cursor, void *cable)
{
    static const cab_array_form lengths = {1, 1000000, sizeof(double), "an array of lengths, at most 1000000",
                                           .read = read_length};
    cab_cable_def *def = cable;
    if (json_is_array(cursor->value))
        return cab_read_array(cursor, &lengths, &def->division.lengths, &def->division.length_count);
    if (!json_is_number(cursor->value))
        return cab_cursor_fail(cursor, "an integer from 1 to 1000000 or the length of each segment");
    return cab_read_integer(cursor, CAB_LIMIT_SEGMENTS, &def->segments);
}

static cab_status read_part_name(const cab_cursor *item, void *name)
{
    return cab_read_text(item, "the name of a part", name);
}

cab_status cab_read_cable(const cab_cursor *cable, void *scene)
{
    static const char *const curves[] = {
        [CAB_CURVE_POLYLINE] = "polyline", [CAB_CURVE_CATMULL_ROM] = "catmull-rom", NULL};
    static const cab_array_form points = {
        2, CAB_ARRAY_MAX, sizeof(cab_vec3), "an array of at least 2 points", CAB_LIMIT_COORDINATE, NULL};
    static const cab_array_form covers = {0, CAB_COVERS, sizeof(cab_cover_def),
                                          "an array of at most 63 {\"from\", \"to\", \"material\"}",
                                          .read = read_cover};
    static const cab_array_form parts = {0, CAB_ARRAY_MAX, sizeof(char *), "an array of names",
                                         .read = read_part_name};
    static const cab_array_form rows = {0, CAB_ARRAY_MAX, sizeof(cab_bundle_row_def),
                                        "an array of {\"part\", \"bending\", \"stretching\"}",
                                        .read = read_bundle_row};
    static const cab_array_form places = {
        1, 1000000, sizeof(double), "an array of at least one fraction of the length", .read = read_fraction};
    static const cab_key keys[] = {
        {CAB_TEXT(cab_cable_def, name, "a name", CAB_NEEDED)},
        {CAB_TEXT(cab_cable_def, material, "the name of a material", CAB_NEEDED)},
        {CAB_ITEMS(cab_cable_def, path, path_count, &points, CAB_NEEDED)},
        {CAB_WORD(cab_cable_def, curve, curves)},
        {.key = "segments", .kind = CAB_KEY_READ, .read = read_segments},
        {CAB_KEY_AS("places", cab_cable_def, division.places), .kind = CAB_KEY_ARRAY, .form = &places,
         .count = offsetof(cab_cable_def, division.place_count)},
        {CAB_VALUE(cab_cable_def, length, CAB_LIMIT_LENGTH)},
        {.key = "velocity", .kind = CAB_KEY_READ, .read = read_velocity},
        {CAB_POINT(cab_cable_def, section_axis, CAB_LIMIT_COORDINATE)},
        {.key = "copies", .kind = CAB_KEY_READ, .read = read_copies},
        {CAB_READ(cab_cable_def, feed, read_feed)},
        {CAB_KEY_AS("materials", cab_cable_def, covers), .kind = CAB_KEY_ARRAY, .form = &covers,
         .count = offsetof(cab_cable_def, cover_count)},
        {CAB_VALUE(cab_cable_def, length_tolerance, CAB_LIMIT_TOLERANCE)},
        {CAB_ITEMS(cab_cable_def, parts, part_count, &parts)},
        {CAB_ITEMS(cab_cable_def, bundle, bundle_count, &rows)},
    };
    cab_cable_def def = cab_cable_default();
    cab_status status = cab_read_object(cable, keys, CAB_COUNT(keys), &def);
    if (!status) status = cab_scene_add_cable(scene, &def, cable->reader->error);
    CAB_FREE((void *)def.path, (void *)def.feed.keyframes, (void *)def.covers, (void *)def.parts,
             (void *)def.bundle, (void *)def.division.lengths, (void *)def.division.places,
             (void *)def.motion.velocities, (void *)def.motion.along, (void *)def.motion.path);
    return status;
}

/* Which particle of a sheet. */
static cab_status read_sheet_place(const cab_cursor *cursor, void *into)
{
    static const char *const keys[] = {"particle", "corner"};
    cab_place *place = into;
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

cab_status cab_read_place(const cab_cursor *cursor, void *into)
{
    static const cab_key particle[] = {{CAB_VALUE(cab_place, particle, CAB_LIMIT_PARTICLE, CAB_NEEDED)}};
    cab_place *place = into;
    const char *word = json_string_value(cursor->value);
    bool start = word && strcmp(word, "start") == 0, end = word && strcmp(word, "end") == 0;
    place->kind = json_is_object(cursor->value) ? CAB_PLACE_PARTICLE
                  : start                       ? CAB_PLACE_START
                  : end                         ? CAB_PLACE_END
                                                : CAB_PLACE_FRACTION;
    if (place->kind == CAB_PLACE_PARTICLE) return cab_read_object(cursor, particle, 1, place);
    if (place->kind != CAB_PLACE_FRACTION) return CAB_OK;
    place->fraction = json_number_value(cursor->value);
    if (json_is_number(cursor->value) && cab_limit_holds(CAB_LIMIT_FRACTION, place->fraction)) return CAB_OK;
    return cab_cursor_fail(cursor, "\"start\", \"end\", a number from 0 to 1 or {\"particle\": i}");
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

const cab_array_form cab_keyframes_form = {
    1, CAB_ARRAY_MAX, sizeof(cab_keyframe), "an array of at least one [t, x, y, z]", CAB_LIMIT_TIME, NULL};

#define NAME(word)                                                                                           \
    CAB_KEY_AS(word, cab_attachment_def, target), .kind = CAB_KEY_TEXT, .expected = "the name of a " word,   \
                                                  CAB_NEEDED
#define AT(reader)                                                                                           \
    CAB_KEY_AS("at", cab_attachment_def, target_at), .kind = CAB_KEY_READ, .read = reader, CAB_NEEDED

/* An object that says what an attachment is held to: its first key tells it from others. */
static const struct {
    cab_target_kind to;
    int key_count;
    cab_key keys[2];
} targets[] = {
    {CAB_TARGET_KEYFRAMES,
     1,
     {{CAB_ITEMS(cab_attachment_def, keyframes, keyframe_count, &cab_keyframes_form)}}},
    {CAB_TARGET_COLLIDER,
     2,
     {{NAME("collider")}, {CAB_POINT(cab_attachment_def, point, CAB_LIMIT_COORDINATE)}}},
    {CAB_TARGET_BODY, 2, {{NAME("body")}, {CAB_POINT(cab_attachment_def, point, CAB_LIMIT_COORDINATE)}}},
    {CAB_TARGET_CABLE, 2, {{NAME("cable")}, {AT(cab_read_place)}}},
    {CAB_TARGET_SHEET, 2, {{NAME("sheet")}, {AT(read_sheet_place)}}},
};

cab_status cab_read_target(const cab_cursor *cursor, void *attachment)
{
    static const char *const keys[] = {"cable", "at", "collider", "body", "point", "keyframes", "sheet"};
    cab_attachment_def *def = attachment;
    if (json_is_array(cursor->value)) {
        def->to = CAB_TARGET_POINT;
        return cab_read_vec3(cursor, CAB_LIMIT_COORDINATE, &def->point);
    }
    for (int i = 0; i < CAB_COUNT(targets); i++) {
        if (!json_object_get(cursor->value, targets[i].keys[0].key)) continue;
        def->to = targets[i].to;
        def->at_point = json_object_get(cursor->value, "point") != NULL;
        return cab_read_object(cursor, targets[i].keys, targets[i].key_count, def);
    }
    const char *word = json_string_value(cursor->value);
    def->to = CAB_TARGET_HERE;
    if (word && strcmp(word, "here") == 0) return CAB_OK;
    cab_status status = CAB_OK;
    if (json_is_object(cursor->value)) status = cab_cursor_check_keys(cursor, keys, CAB_COUNT(keys));
    if (status) return status;
    return cab_cursor_fail(cursor, "\"here\", a point [x, y, z], {\"cable\": NAME, \"at\": PLACE}, "
                                   "{\"sheet\": NAME, \"at\": PLACE}, {\"collider\": NAME}, {\"body\": NAME, "
                                   "\"point\": [x, y, z]} or {\"keyframes\": [[t, x, y, z], ...]}");
}

cab_status cab_read_roll(const cab_cursor *cursor, void *attachment)
{
    static const cab_array_form frames = {
        1,   CAB_ARRAY_MAX, sizeof(cab_roll_keyframe), "an array of at least one [t, rad]", CAB_LIMIT_TIME,
        NULL};
    cab_attachment_def *def = attachment;
    const char *word = json_string_value(cursor->value);
    if (json_is_array(cursor->value))
        return cab_read_array(cursor, &frames, &def->roll_keyframes, &def->roll_keyframe_count);
    def->roll_free = word && strcmp(word, "free") == 0;
    if (def->roll_free) return CAB_OK;
    if (!json_is_number(cursor->value))
        return cab_cursor_fail(cursor, "a number of radians, keyframes [[t, rad], ...] or \"free\"");
    return cab_read_number(cursor, CAB_LIMIT_ROTATION, &def->roll);
}

cab_status cab_read_attachment(const cab_cursor *attachment, void *scene)
{
    static const cab_key keys[] = {
        {.key = "cable"},
        {.key = "at"},
        {.key = "to", .kind = CAB_KEY_READ, .required = true, .read = cab_read_target},
        {CAB_BOOL(cab_attachment_def, clamp)},
        {CAB_VALUE(cab_attachment_def, break_force, CAB_LIMIT_BREAK_FORCE)},
        {CAB_VALUE(cab_attachment_def, compliance, CAB_LIMIT_COMPLIANCE)},
        {CAB_VALUE(cab_attachment_def, release_distance, CAB_LIMIT_LENGTH)},
        {.key = "roll", .kind = CAB_KEY_READ, .read = cab_read_roll},
        {.key = "sheet"},
    };
    cab_attachment_def def = cab_attachment_default();
    cab_status status = cab_check_object(attachment, keys, CAB_COUNT(keys));
    if (!status) status = read_body_place(attachment, &def.cable, &def.sheet, &def.at);
    if (!status) status = cab_read_keys(attachment, keys, CAB_COUNT(keys), &def);
    if (!status) status = cab_scene_add_attachment(scene, &def, attachment->reader->error);
    CAB_FREE((void *)def.keyframes, (void *)def.roll_keyframes);
    return status;
}

/* A force, or keyframes of one. */
static cab_status read_force(const cab_cursor *cursor, void *load)
{
    static const cab_array_form frames = {
        1,   CAB_ARRAY_MAX, sizeof(cab_keyframe), "an array of at least one [t, fx, fy, fz]", CAB_LIMIT_TIME,
        NULL};
    static const cab_key keys[] = {{CAB_KEY_AS("keyframes", cab_load_def, force_keyframes),
                                    .kind = CAB_KEY_ARRAY, .form = &frames, CAB_NEEDED,
                                    .count = offsetof(cab_load_def, force_keyframe_count)}};
    cab_load_def *def = load;
    if (json_is_object(cursor->value)) return cab_read_object(cursor, keys, CAB_COUNT(keys), def);
    return cab_read_vec3(cursor, CAB_LIMIT_FORCE, &def->force);
}

cab_status cab_read_load(const cab_cursor *load, void *scene)
{
    static const cab_key keys[] = {
        {.key = "cable"},
        {.key = "at"},
        {CAB_VALUE(cab_load_def, mass, CAB_LIMIT_MASS)},
        {.key = "force", .kind = CAB_KEY_READ, .read = read_force},
        {CAB_POINT(cab_load_def, moment, CAB_LIMIT_FORCE)},
        {.key = "sheet"},
    };
    cab_load_def def = cab_load_default();
    cab_status status = cab_check_object(load, keys, CAB_COUNT(keys));
    if (!status) status = read_body_place(load, &def.cable, &def.sheet, &def.at);
    if (!status) status = cab_read_keys(load, keys, CAB_COUNT(keys), &def);
    if (!status) status = cab_scene_add_load(scene, &def, load->reader->error);
    free((void *)def.force_keyframes);
    return status;
}

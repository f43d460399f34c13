/* Reads the parts of a harness: clips, connectors and ties; and probes. */

#include "base/array.h"
#include "io/scene_json.h"

#define NUMBER(member, limit) CAB_VALUE(cab_attachment_def, member, limit)
#define NUMBER_AS(word, member, range)                                                                       \
    CAB_KEY_AS(word, cab_attachment_def, member), .kind = CAB_KEY_NUMBER, .limit = range

/* The keys that clips and connectors begin with. */
#define PART_KEYS                                                                                            \
    {CAB_TEXT(cab_attachment_def, name, "a name")},                                                          \
        {CAB_TEXT(cab_attachment_def, cable, "the name of a cable", CAB_NEEDED)},                            \
        {CAB_READ(cab_attachment_def, at, cab_read_place, CAB_NEEDED)},                                      \
        {.key = "to", .kind = CAB_KEY_READ, .read = cab_read_target, CAB_NEEDED},                            \
    {                                                                                                        \
        CAB_POINT(cab_attachment_def, direction, CAB_LIMIT_COORDINATE)                                       \
    }

static cab_status add_part(const cab_cursor *part, const cab_attachment_def *def, cab_scene *scene,
                           cab_status status)
{
    if (!status) status = cab_scene_add_attachment(scene, def, part->reader->error);
    CAB_FREE((void *)def->keyframes, (void *)def->hand_keyframes, (void *)def->roll_keyframes);
    return status;
}

cab_status cab_read_clip(const cab_cursor *clip, void *scene)
{
    static const cab_key keys[] = {
        PART_KEYS,
        {NUMBER(play, CAB_LIMIT_PLAY)},
        {NUMBER(friction, CAB_LIMIT_FRICTION)},
        {NUMBER(grip, CAB_LIMIT_GRIP)},
        {NUMBER(travel, CAB_LIMIT_PLAY)},
        {NUMBER_AS("holding_force", break_force, CAB_LIMIT_BREAK_FORCE)},
        {CAB_BOOL(cab_attachment_def, clamp)},
        {.key = "roll", .kind = CAB_KEY_READ, .read = cab_read_roll},
        {NUMBER(compliance, CAB_LIMIT_COMPLIANCE)},
    };
    cab_attachment_def def = cab_clip_default();
    return add_part(clip, &def, scene, cab_read_object(clip, keys, CAB_COUNT(keys), &def));
}

cab_status cab_read_connector(const cab_cursor *connector, void *scene)
{
    static const cab_key keys[] = {
        PART_KEYS,
        {NUMBER(mass, CAB_LIMIT_MASS)},
        {NUMBER(insertion_depth, CAB_LIMIT_LENGTH)},
        {NUMBER(capture_radius, CAB_LIMIT_LENGTH)},
        {NUMBER_AS("pull_out_force", break_force, CAB_LIMIT_BREAK_FORCE)},
        {CAB_KEY_AS("keyframes", cab_attachment_def, hand_keyframes), .kind = CAB_KEY_ARRAY,
         .form = &cab_keyframes_form, .count = offsetof(cab_attachment_def, hand_keyframe_count)},
        {CAB_BOOL(cab_attachment_def, clamp)},
        {.key = "roll", .kind = CAB_KEY_READ, .read = cab_read_roll},
        {NUMBER(compliance, CAB_LIMIT_COMPLIANCE)},
    };
    cab_attachment_def def = cab_connector_default();
    cab_cursor direction = cab_cursor_key(connector, "direction");
    cab_status status = cab_read_object(connector, keys, CAB_COUNT(keys), &def);
    if (!status && !direction.value) status = cab_cursor_fail(&direction, "the direction of insertion");
    return add_part(connector, &def, scene, status);
}

static cab_status read_cable_name(const cab_cursor *item, void *name)
{
    return cab_read_text(item, "the name of a cable", name);
}

cab_status cab_read_tie(const cab_cursor *tie, void *scene)
{
    static const cab_array_form names = {2, CAB_TIE_CABLES, sizeof(char *), "2 to 64 names",
                                         .read = read_cable_name};
    static const cab_key keys[] = {
        {CAB_TEXT(cab_tie_def, name, "a name")},
        {CAB_ITEMS(cab_tie_def, cables, cable_count, &names, CAB_NEEDED)},
        {CAB_KEY_AS("at", cab_tie_def, from), .kind = CAB_KEY_READ, .read = cab_read_place},
        {CAB_READ(cab_tie_def, from, cab_read_place)},
        {CAB_READ(cab_tie_def, to, cab_read_place)},
        {CAB_VALUE(cab_tie_def, radius, CAB_LIMIT_LENGTH)},
    };
    cab_tie_def def = cab_tie_default();
    cab_cursor at = cab_cursor_key(tie, "at"), from = cab_cursor_key(tie, "from"),
               to = cab_cursor_key(tie, "to");
    cab_status status = cab_read_object(tie, keys, CAB_COUNT(keys), &def);
    def.range = from.value || to.value;
    if (!status && at.value && def.range)
        status = cab_cursor_fail(tie, "either \"at\" or \"from\" and \"to\"");
    const cab_cursor *missing = !def.range ? &at : from.value ? &to : &from;
    if (!status && !missing->value) status = cab_read_place(missing, &def.from);
    if (!status) status = cab_scene_add_tie(scene, &def, tie->reader->error);
    free((void *)def.cables);
    return status;
}

cab_status cab_read_probe(const cab_cursor *probe, void *scene)
{
    static const cab_key keys[] = {
        {CAB_TEXT(cab_probe_def, name, "a name", CAB_NEEDED)},
        {CAB_TEXT(cab_probe_def, cable, "the name of a cable", CAB_NEEDED)},
        {CAB_READ(cab_probe_def, at, cab_read_place, CAB_NEEDED)},
    };
    cab_probe_def def = cab_probe_default();
    cab_status status = cab_read_object(probe, keys, CAB_COUNT(keys), &def);
    return status ? status : cab_scene_add_probe(scene, &def, probe->reader->error);
}

/* Reads the parts of a harness: clips, connectors and ties. */
#include <stdlib.h>

#include "io/scene_json.h"
#include "model/limits.h"

/* A number that may be missing. */
static cab_status read_optional(const cab_cursor *item, const char *key, cab_limit limit, double *value)
{
    cab_cursor at = cab_cursor_key(item, key);
    return at.value ? cab_read_number(&at, limit, value) : CAB_OK;
}

/* What clips and connectors have in common; *frames is to be freed, whatever the status. */
static cab_status read_part(const cab_cursor *item, cab_attachment_def *def, cab_keyframe **frames)
{
    cab_cursor name = cab_cursor_key(item, "name"), cable = cab_cursor_key(item, "cable");
    cab_cursor at = cab_cursor_key(item, "at"), to = cab_cursor_key(item, "to");
    cab_cursor direction = cab_cursor_key(item, "direction"), clamp = cab_cursor_key(item, "clamp");
    cab_status status = cab_read_text(&cable, "the name of a cable", &def->cable);
    if (!status && name.value) status = cab_read_text(&name, "a name", &def->name);
    if (!status) status = cab_read_place(&at, &def->at);
    if (!status) status = cab_read_target(&to, def, frames);
    if (!status && direction.value) status = cab_read_vec3(&direction, CAB_LIMIT_COORDINATE, &def->direction);
    if (!status && clamp.value) status = cab_read_bool(&clamp, &def->clamp);
    if (!status) status = read_optional(item, "compliance", CAB_LIMIT_COMPLIANCE, &def->compliance);
    return status;
}

static cab_status read_clip(const cab_cursor *clip)
{
    static const char *const keys[] = {"name",      "cable",         "at",       "to",
                                       "direction", "play",          "friction", "grip",
                                       "travel",    "holding_force", "clamp",    "compliance"};
    cab_attachment_def def = cab_clip_default();
    cab_keyframe *frames = NULL;
    cab_status status = cab_cursor_check_keys(clip, keys, CAB_COUNT(keys));
    if (!status) status = read_part(clip, &def, &frames);
    if (!status) status = read_optional(clip, "play", CAB_LIMIT_PLAY, &def.play);
    if (!status) status = read_optional(clip, "friction", CAB_LIMIT_FRICTION, &def.friction);
    if (!status) status = read_optional(clip, "grip", CAB_LIMIT_GRIP, &def.grip);
    if (!status) status = read_optional(clip, "travel", CAB_LIMIT_PLAY, &def.travel);
    if (!status) status = read_optional(clip, "holding_force", CAB_LIMIT_BREAK_FORCE, &def.break_force);
    def.keyframes = frames;
    if (!status) status = cab_scene_add_attachment(clip->reader->scene, &def, clip->reader->error);
    free(frames);
    return status;
}

static cab_status read_connector(const cab_cursor *connector)
{
    static const char *const keys[] = {
        "name",           "cable",          "at",        "to",    "direction", "mass", "insertion_depth",
        "capture_radius", "pull_out_force", "keyframes", "clamp", "compliance"};
    cab_attachment_def def = cab_connector_default();
    cab_keyframe *frames = NULL, *hand = NULL;
    cab_cursor direction = cab_cursor_key(connector, "direction");
    cab_cursor list = cab_cursor_key(connector, "keyframes");
    cab_status status = cab_cursor_check_keys(connector, keys, CAB_COUNT(keys));
    if (!status) status = read_part(connector, &def, &frames);
    if (!status && !direction.value) status = cab_cursor_fail(&direction, "the direction of insertion");
    if (!status) status = read_optional(connector, "mass", CAB_LIMIT_MASS, &def.mass);
    if (!status) status = read_optional(connector, "insertion_depth", CAB_LIMIT_LENGTH, &def.insertion_depth);
    if (!status) status = read_optional(connector, "capture_radius", CAB_LIMIT_LENGTH, &def.capture_radius);
    if (!status) status = read_optional(connector, "pull_out_force", CAB_LIMIT_BREAK_FORCE, &def.break_force);
    if (!status && list.value)
        status = cab_read_keyframes(&list, "[t, x, y, z]", &hand, &def.hand_keyframe_count);
    def.keyframes = frames;
    def.hand_keyframes = hand;
    if (!status) status = cab_scene_add_attachment(connector->reader->scene, &def, connector->reader->error);
    free(frames);
    free(hand);
    return status;
}

static cab_status read_tie_places(const cab_cursor *tie, cab_tie_def *def)
{
    cab_cursor at = cab_cursor_key(tie, "at"), from = cab_cursor_key(tie, "from"),
               to = cab_cursor_key(tie, "to");
    def->range = from.value || to.value;
    if (at.value && def->range) return cab_cursor_fail(tie, "either \"at\" or \"from\" and \"to\"");
    if (!def->range) return cab_read_place(&at, &def->from);
    cab_status status = cab_read_place(&from, &def->from);
    return status ? status : cab_read_place(&to, &def->to);
}

static cab_status read_tie(const cab_cursor *tie)
{
    static const char *const keys[] = {"name", "cables", "at", "from", "to", "radius"};
    cab_tie_def def = cab_tie_default();
    const char *names[CAB_TIE_CABLES];
    cab_cursor name = cab_cursor_key(tie, "name"), cables = cab_cursor_key(tie, "cables");
    size_t count = json_array_size(cables.value);
    cab_status status = cab_cursor_check_keys(tie, keys, CAB_COUNT(keys));
    if (!status && (count < 2 || count > CAB_TIE_CABLES)) status = cab_cursor_fail(&cables, "2 to 64 names");
    for (size_t i = 0; i < count && !status; i++) {
        cab_cursor item = cab_cursor_item(&cables, i);
        status = cab_read_text(&item, "the name of a cable", &names[i]);
    }
    if (!status && name.value) status = cab_read_text(&name, "a name", &def.name);
    if (!status) status = read_tie_places(tie, &def);
    if (!status) status = read_optional(tie, "radius", CAB_LIMIT_LENGTH, &def.radius);
    def.cables = names;
    def.cable_count = (int)count;
    return status ? status : cab_scene_add_tie(tie->reader->scene, &def, tie->reader->error);
}

cab_status cab_read_parts(const cab_cursor *document)
{
    cab_status status = cab_read_list(document, "clips", read_clip);
    if (!status) status = cab_read_list(document, "connectors", read_connector);
    return status ? status : cab_read_list(document, "ties", read_tie);
}

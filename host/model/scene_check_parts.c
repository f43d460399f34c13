/* Checks of what sits at places of cables and sheets: attachments, clips, connectors, ties, loads, probes. */
#include "model/scene_check.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "model/check.h"

/* The first keyframe with a number that cannot be, or a time that is not after the one before; count: none. */
static int find_wrong(const cab_keyframe *frames, int count, cab_limit limit)
{
    for (int i = 0; i < count; i++) {
        const cab_keyframe *f = &frames[i];
        if (!cab_limit_holds(CAB_LIMIT_TIME, f->t) || (i > 0 && !(f->t > f[-1].t)) ||
            !cab_limit_holds(limit, f->position.x) || !cab_limit_holds(limit, f->position.y) ||
            !cab_limit_holds(limit, f->position.z))
            return i;
    }
    return count;
}

cab_status cab_check_keyframes(const cab_check_place *place, const char *list, const cab_keyframe *frames,
                               int count, cab_limit limit)
{
    if (!frames || count < 1) return cab_check_refuse(place, list, "at least one keyframe");
    int wrong = find_wrong(frames, count, limit);
    if (wrong == count) return CAB_OK;
    const cab_keyframe *f = &frames[wrong];
    const double values[3] = {f->position.x, f->position.y, f->position.z};
    char part[CAB_CHECK_KEY + 16];
    snprintf(part, sizeof part, "%s/%d/0", list, wrong);
    cab_status status = cab_check_number(place, part, f->t, CAB_LIMIT_TIME);
    for (int k = 0; k < 3 && !status; k++) {
        snprintf(part, sizeof part, "%s/%d/%d", list, wrong, k + 1);
        status = cab_check_number(place, part, values[k], limit);
    }
    if (status) return status;
    return cab_fail(place->error, CAB_ERROR_INPUT,
                    "%s: %s/%s/%d/0: expected a time after that of the keyframe before, %.15g s, got %.15g",
                    place->scene->source, place->pointer, list, wrong, f[-1].t, f->t);
}

static cab_status check_target(const cab_check_place *place, const cab_attachment_def *def)
{
    bool named = def->target && *def->target;
    switch (def->to) {
    case CAB_TARGET_HERE:
        return CAB_OK;
    case CAB_TARGET_POINT:
        return cab_check_vec3(place, "to", def->point, CAB_LIMIT_COORDINATE);
    case CAB_TARGET_CABLE:
        return named ? cab_check_at(place, "to/at", &def->target_at, false)
                     : cab_check_refuse(place, "to/cable", "the name of a cable");
    case CAB_TARGET_SHEET:
        return named ? cab_check_at(place, "to/at", &def->target_at, true)
                     : cab_check_refuse(place, "to/sheet", "the name of a sheet");
    case CAB_TARGET_COLLIDER:
        if (!named) return cab_check_refuse(place, "to/collider", "the name of a collider");
        return def->at_point ? cab_check_vec3(place, "to/point", def->point, CAB_LIMIT_COORDINATE) : CAB_OK;
    case CAB_TARGET_BODY:
        if (!named) return cab_check_refuse(place, "to/body", "the name of a body");
        return def->at_point ? cab_check_vec3(place, "to/point", def->point, CAB_LIMIT_COORDINATE) : CAB_OK;
    case CAB_TARGET_KEYFRAMES:
        return cab_check_keyframes(place, "to/keyframes", def->keyframes, def->keyframe_count,
                                   CAB_LIMIT_COORDINATE);
    }
    return cab_check_refuse(place, "to", "\"here\", a point, a cable, a collider, a body or keyframes");
}

/* Either the name of a cable or that of a sheet. */
static cab_status check_body_name(const cab_check_place *place, const char *cable, const char *sheet)
{
    if (cable && sheet) return cab_check_refuse(place, "sheet", "either a cable or a sheet");
    if (sheet) return *sheet ? CAB_OK : cab_check_refuse(place, "sheet", "the name of a sheet");
    return cable && *cable ? CAB_OK : cab_check_refuse(place, "cable", "the name of a cable");
}

static cab_status check_direction(const cab_check_place *place, cab_vec3 direction)
{
    cab_status status = cab_check_vec3(place, "direction", direction, CAB_LIMIT_COORDINATE);
    if (!status && sqrt(cab_vec3_dot(direction, direction)) < CAB_POINT_GAP)
        status = cab_check_refuse(place, "direction", "a vector other than zero");
    return status;
}

static cab_status check_clip(const cab_check_place *place, const cab_attachment_def *def)
{
    bool drawn = def->direction.x == 0 && def->direction.y == 0 && def->direction.z == 0;
    cab_status status = drawn ? CAB_OK : check_direction(place, def->direction);
    if (!status) status = cab_check_number(place, "play", def->play, CAB_LIMIT_PLAY);
    if (!status) status = cab_check_number(place, "friction", def->friction, CAB_LIMIT_FRICTION);
    if (!status) status = cab_check_number(place, "grip", def->grip, CAB_LIMIT_GRIP);
    if (!status && !(isinf(def->travel) && def->travel > 0))
        status = cab_check_number(place, "travel", def->travel, CAB_LIMIT_PLAY);
    return status;
}

static cab_status check_connector(const cab_check_place *place, const cab_attachment_def *def)
{
    if (def->at.kind != CAB_PLACE_START && def->at.kind != CAB_PLACE_END)
        return cab_check_refuse(place, "at", "\"start\" or \"end\"");
    if (def->to == CAB_TARGET_KEYFRAMES)
        return cab_check_refuse(place, "to",
                                "a place that stays or a collider; a hand has keyframes of its own");
    cab_status status = check_direction(place, def->direction);
    if (!status) status = cab_check_number(place, "mass", def->mass, CAB_LIMIT_MASS);
    if (!status) status = cab_check_number(place, "insertion_depth", def->insertion_depth, CAB_LIMIT_LENGTH);
    if (!status) status = cab_check_number(place, "capture_radius", def->capture_radius, CAB_LIMIT_LENGTH);
    if (!status && def->hand_keyframe_count != 0)
        status = cab_check_keyframes(place, "keyframes", def->hand_keyframes, def->hand_keyframe_count,
                                     CAB_LIMIT_COORDINATE);
    return status;
}

/* What clips and connectors have in common, and each has besides. */
static cab_status check_part(const cab_check_place *place, const cab_attachment_def *def)
{
    cab_status status = CAB_OK;
    if (def->sheet) return cab_check_refuse(place, "cable", "the name of a cable");
    if (cab_target_joins(def->to)) return cab_check_refuse(place, "to", "a place, not a cable or a sheet");
    bool led = def->hand_keyframe_count > 0 || def->to == CAB_TARGET_HERE;
    if (def->clamp && def->part == CAB_PART_CONNECTOR && !led)
        return cab_check_refuse(place, "clamp",
                                "false where no hand leads the connector and it is not mated \"here\"");
    if (isfinite(def->release_distance)) return cab_check_refuse(place, "release_distance", "none");
    if (!(def->compliance > 0)) return cab_check_refuse(place, "compliance", "a number above 0");
    if (def->name) status = cab_check_name(place, def->name);
    if (status) return status;
    return def->part == CAB_PART_CLIP ? check_clip(place, def) : check_connector(place, def);
}

static cab_status check_roll(const cab_check_place *place, const cab_attachment_def *def)
{
    bool any = def->roll != 0 || def->roll_free || def->roll_keyframe_count != 0;
    if (any && !def->clamp) return cab_check_refuse(place, "roll", "none without \"clamp\": true");
    if (def->roll_keyframe_count < 0 || (def->roll_keyframe_count > 0 && !def->roll_keyframes))
        return cab_check_refuse(place, "roll", "at least one keyframe");
    if (any && cab_target_joins(def->to))
        return cab_check_refuse(place, "roll", "none where cables are joined");
    cab_status status = cab_check_number(place, "roll", def->roll, CAB_LIMIT_ROTATION);
    if (status) return status;
    return cab_check_numbers_in_time(place, "roll", (const double(*)[2])def->roll_keyframes,
                                     def->roll_keyframe_count, CAB_LIMIT_ROTATION);
}

/* What ends on a body is held there by its place only, hard. */
static cab_status check_on_body(const cab_check_place *place, const cab_attachment_def *def)
{
    if (def->part != CAB_PART_ATTACHMENT)
        return cab_check_refuse(place, "to", "a place, not a body: clips and connectors are none of its own");
    if (def->sheet) return cab_check_refuse(place, "cable", "the name of a cable: sheets end on no body");
    if (def->compliance > 0) return cab_check_refuse(place, "compliance", "0 on a body");
    return CAB_OK;
}

cab_status cab_check_attachment(const cab_scene *scene, const cab_attachment_def *def, cab_error *error)
{
    if ((unsigned)def->part > CAB_PART_CONNECTOR)
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /attachments: expected a part of cab_part",
                        scene->source);
    cab_check_place place =
        cab_check_begin(scene, cab_part_list(def->part), scene->part_count[def->part], error);
    cab_status status = check_body_name(&place, def->cable, def->sheet);
    if (!status) status = cab_check_at(&place, "at", &def->at, def->sheet != NULL);
    if (!status) status = check_target(&place, def);
    bool at_sheet = def->sheet || def->to == CAB_TARGET_SHEET;
    bool breaks = !(isinf(def->break_force) && def->break_force > 0);
    bool releases = !(isinf(def->release_distance) && def->release_distance > 0);
    if (!status && at_sheet && def->clamp)
        return cab_check_refuse(&place, "clamp", "false: a sheet has no direction");
    if (!status && at_sheet && breaks)
        return cab_check_refuse(&place, "break_force", "none: sheets do not let go");
    if (!status && at_sheet && releases)
        return cab_check_refuse(&place, "release_distance", "none: sheets do not let go");
    if (!status && breaks)
        status =
            cab_check_number(&place, cab_break_force_key(def->part), def->break_force, CAB_LIMIT_BREAK_FORCE);
    if (!status) status = cab_check_number(&place, "compliance", def->compliance, CAB_LIMIT_COMPLIANCE);
    if (!status && cab_target_joins(def->to) && def->compliance > 0)
        status = cab_check_refuse(&place, "compliance", "0 where cables are joined");
    if (!status && releases)
        status = cab_check_number(&place, "release_distance", def->release_distance, CAB_LIMIT_LENGTH);
    if (!status && releases && !(def->compliance > 0))
        status = cab_check_refuse(&place, "release_distance",
                                  "a compliance above 0 beside it: what is hard keeps its place");
    if (!status && def->to == CAB_TARGET_BODY) status = check_on_body(&place, def);
    if (!status) status = check_roll(&place, def);
    if (!status && def->part != CAB_PART_ATTACHMENT) status = check_part(&place, def);
    return status;
}

cab_status cab_check_tie(const cab_scene *scene, const cab_tie_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "ties", scene->tie_count, error);
    cab_status status = def->name ? cab_check_name(&place, def->name) : CAB_OK;
    if (status) return status;
    if (!def->cables || def->cable_count < 2 || def->cable_count > CAB_TIE_CABLES)
        return cab_check_refuse(&place, "cables", "2 to 64 names");
    for (int i = 0; i < def->cable_count; i++) {
        char key[CAB_CHECK_KEY];
        snprintf(key, sizeof key, "cables/%d", i);
        if (!def->cables[i] || !*def->cables[i]) return cab_check_refuse(&place, key, "the name of a cable");
        for (int j = 0; j < i; j++)
            if (strcmp(def->cables[i], def->cables[j]) == 0)
                return cab_check_refuse(&place, key, "a cable named once");
    }
    status = cab_check_at(&place, def->range ? "from" : "at", &def->from, false);
    if (!status && def->range) status = cab_check_at(&place, "to", &def->to, false);
    if (!status && def->radius != 0)
        status = cab_check_number(&place, "radius", def->radius, CAB_LIMIT_LENGTH);
    return status;
}

cab_status cab_check_load(const cab_scene *scene, const cab_load_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "loads", scene->load_count, error);
    cab_status status = check_body_name(&place, def->cable, def->sheet);
    if (!status) status = cab_check_at(&place, "at", &def->at, def->sheet != NULL);
    bool turns = def->moment.x != 0 || def->moment.y != 0 || def->moment.z != 0;
    if (!status && def->sheet && turns) return cab_check_refuse(&place, "moment", "none on a sheet");
    if (!status) status = cab_check_number(&place, "mass", def->mass, CAB_LIMIT_MASS);
    if (!status) status = cab_check_vec3(&place, "force", def->force, CAB_LIMIT_FORCE);
    if (!status && def->force_keyframe_count != 0)
        status = cab_check_keyframes(&place, "force/keyframes", def->force_keyframes,
                                     def->force_keyframe_count, CAB_LIMIT_FORCE);
    if (!status) status = cab_check_vec3(&place, "moment", def->moment, CAB_LIMIT_FORCE);
    return status;
}

cab_status cab_check_probe(const cab_scene *scene, const cab_probe_def *def, cab_error *error)
{
    cab_check_place place = cab_check_begin(scene, "probes", scene->probe_count, error);
    cab_status status = cab_check_name(&place, def->name);
    if (status) return status;
    int twin = cab_scene_find_probe(scene, def->name);
    if (twin >= 0) return cab_check_twin(&place, def->name, "probes", twin);
    if (!def->cable || !*def->cable) return cab_check_refuse(&place, "cable", "the name of a cable");
    return cab_check_at(&place, "at", &def->at, false);
}

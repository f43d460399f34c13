/* Planar scenes from JSON: a document whose key "planar" holds bodies, cables, settings. */
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/read_file.h"
#include "io/scene_json.h"
#include "study/planar/planar.h"
#include "study/read.h"

#define BODY(kind, ...) CAB_##kind(cab_planar_body_def, __VA_ARGS__)
#define CABLE(kind, ...) CAB_##kind(cab_planar_cable_def, __VA_ARGS__)
#define SETTING(kind, ...) CAB_##kind(cab_planar_settings, __VA_ARGS__)
#define PLACE ((cab_limit){-1e9, 1e9, false}) /* of a pair */

static cab_status read_box(const cab_cursor *box, cab_planar_body_def *def)
{
    double half[2];
    cab_status status = cab_read_numbers(box, (cab_limit){1e-6, 1e6, false}, half, 2);
    const double corners[4][2] = {
        {-half[0], -half[1]}, {half[0], -half[1]}, {half[0], half[1]}, {-half[0], half[1]}};
    if (status) return status;
    def->corner_count = 4;
    memcpy(def->corners, corners, sizeof corners);
    return CAB_OK;
}

static cab_status read_polygon(const cab_cursor *polygon, cab_planar_body_def *def)
{
    size_t count = json_array_size(polygon->value);
    cab_status status = CAB_OK;
    if (count < 3 || count > CAB_PLANAR_MAX_CORNERS)
        return cab_cursor_fail(polygon, "an array of 3 to 8 points");
    def->corner_count = (int)count;
    for (size_t i = 0; i < count && !status; i++) {
        cab_cursor point = cab_cursor_item(polygon, i);
        status = cab_read_numbers(&point, CAB_LIMIT_COORDINATE, def->corners[i], 2);
    }
    return status;
}

static cab_status read_shape(const cab_cursor *body, cab_planar_body_def *def)
{
    cab_cursor box = cab_cursor_key(body, "box"), polygon = cab_cursor_key(body, "polygon");
    cab_cursor radius = cab_cursor_key(body, "radius");
    if (box.value && polygon.value)
        return cab_cursor_refuse(&polygon, CAB_ERROR_INPUT, "there is a box already");
    if (box.value) return read_box(&box, def);
    if (polygon.value) return read_polygon(&polygon, def);
    return radius.value ? CAB_OK : cab_cursor_fail(&radius, "a circle's radius, or a box, or a polygon");
}

/* null means that a cable never slides on the body. */
static cab_status read_cable_friction(const cab_cursor *friction, void *value)
{
    if (json_is_null(friction->value)) return CAB_OK;
    if (!json_is_number(friction->value))
        return cab_cursor_fail(friction, "a number or null (it never slides)");
    return cab_read_number(friction, CAB_LIMIT_FRICTION, value);
}

static cab_status read_motor(const cab_cursor *motor, void *body)
{
    static const cab_key keys[] = {
        {CAB_KEY_AS("speed", cab_planar_body_def, motor_speed), .kind = CAB_KEY_NUMBER,
         .limit = {-1e4, 1e4, false}, CAB_NEEDED},
        {CAB_KEY_AS("torque", cab_planar_body_def, motor_torque), .kind = CAB_KEY_NUMBER,
         .limit = {0, 1e9, false}, CAB_NEEDED},
    };
    if (!json_is_object(motor->value)) return cab_cursor_fail(motor, "an object with speed and torque");
    return cab_read_object(motor, keys, CAB_COUNT(keys), body);
}

/* Appends the engine's message to the pointer. */
static cab_status placed(const cab_cursor *item, cab_status status, const cab_error *fault)
{
    return status ? cab_cursor_refuse(item, status, fault->message) : CAB_OK;
}

static cab_status read_body(const cab_cursor *body, void *scene)
{
    static const char *const motions[] = {"dynamic", "axle", "static", NULL};
    static const cab_key keys[] = {
        {BODY(VALUE, angle, {-1e6, 1e6, false})},
        {BODY(VALUE, radius, {0, 1e6, false})},
        {BODY(VALUE, mass, {1e-9, 1e9, false})},
        {BODY(VALUE, inertia, {0, 1e12, false})},
        {BODY(VALUE, spin, {-1e4, 1e4, false})},
        {BODY(VALUE, torque, {-1e9, 1e9, false})},
        {BODY(VALUE, friction, {0, 1000, false})},
        {BODY(VALUE, restitution, {0, 1, false})},
        {BODY(VALUE, linear_damping, {0, 1e6, false})},
        {BODY(VALUE, angular_damping, {0, 1e6, false})},
        {BODY(VALUE, gravity, {-1e3, 1e3, false})},
        {BODY(VALUE, group, {0, 1e9, true})},
        {BODY(TEXT, name, "a name", CAB_NEEDED)},
        {BODY(WORD, motion, motions)},
        {BODY(PAIR, position, PLACE)},
        {BODY(PAIR, velocity, PLACE)},
        {BODY(PAIR, force, PLACE)},
        {.key = "box"},
        {.key = "motor", .kind = CAB_KEY_READ, .read = read_motor},
        {.key = "polygon"},
        {BODY(READ, cable_friction, read_cable_friction)},
        {BODY(BOOL, cables)},
        {BODY(BOOL, collides)},
    };
    cab_planar_body_def def = cab_planar_body_default();
    cab_error fault = {0};
    cab_status status = cab_read_object(body, keys, CAB_COUNT(keys), &def);
    if (!status) status = read_shape(body, &def);
    return status ? status : placed(body, cab_planar_add_body(scene, &def, &fault), &fault);
}

/* "point" makes it a point, "stored" a reel, else it rolls. */
static cab_status read_link(const cab_cursor *link, void *into)
{
    static const cab_key keys[] = {
        {CAB_TEXT(cab_planar_link_def, body, "a body's name")},
        {.key = "point"},
        {.key = "spin"},
        {.key = "turns"},
        {.key = "stored"},
        {CAB_BOOL(cab_planar_link_def, thickening)},
    };
    static const cab_key on_body[] = {
        {CAB_VALUE(cab_planar_link_def, spin, {-1, 1, true}, CAB_NEEDED)},
        {CAB_VALUE(cab_planar_link_def, turns, {0, 1000, true})},
        {CAB_VALUE(cab_planar_link_def, stored, CAB_LIMIT_STORED)},
    };
    cab_planar_link_def *def = into;
    cab_cursor point = cab_cursor_key(link, "point"), stored = cab_cursor_key(link, "stored");
    cab_status status = cab_read_object(link, keys, CAB_COUNT(keys), def);
    if (status) return status;
    def->kind = point.value    ? CAB_PLANAR_LINK_POINT
                : stored.value ? CAB_PLANAR_LINK_REEL
                               : CAB_PLANAR_LINK_ROLL;
    return point.value ? cab_read_numbers(&point, CAB_LIMIT_COORDINATE, def->point, 2)
                       : cab_read_keys(link, on_body, CAB_COUNT(on_body), def);
}

static cab_status read_stiffness(const cab_cursor *stiffness, void *value)
{
    if (json_is_null(stiffness->value)) return CAB_OK;
    if (!json_is_number(stiffness->value))
        return cab_cursor_fail(stiffness, "a number or null (inextensible)");
    return cab_read_number(stiffness, (cab_limit){1e-6, 1e12, false}, value);
}

static cab_status read_cable(const cab_cursor *cable, void *scene)
{
    static const cab_array_form links = {2, CAB_ARRAY_MAX, sizeof(cab_planar_link_def),
                                         "an array of at least 2 links", .read = read_link};
    static const cab_key keys[] = {
        {CABLE(VALUE, radius, {1e-9, 1e6, false})},
        {CABLE(VALUE, length_factor, {1e-3, 100, false})},
        {CABLE(TEXT, name, "a name", CAB_NEEDED)},
        {CABLE(READ, stretching_stiffness, read_stiffness)},
        {CABLE(BOOL, loop)},
        {CABLE(ITEMS, links, link_count, &links, CAB_NEEDED)},
    };
    cab_planar_cable_def def = cab_planar_cable_default();
    cab_error fault = {0};
    cab_status status = cab_read_object(cable, keys, CAB_COUNT(keys), &def);
    if (!status) status = placed(cable, cab_planar_add_cable(scene, &def, &fault), &fault);
    free((void *)def.links);
    return status;
}

static cab_status read_time(const cab_cursor *time, void *settings)
{
    static const cab_key keys[] = {
        {SETTING(VALUE, duration, {1e-6, 1e6, false})},
        {SETTING(VALUE, frame_rate, {1e-3, 1e6, false})},
        {SETTING(VALUE, substeps, {1, 1000, true})},
        {SETTING(VALUE, iterations, {1, 1000, true})},
    };
    return cab_read_object(time, keys, CAB_COUNT(keys), settings);
}

static cab_status read_document(const cab_cursor *document, cab_planar_scene *scene)
{
    static const char *const pinches[] = {"off", "contact-off", "full", NULL};
    static const cab_key keys[] = {
        {SETTING(VALUE, pinch_friction, {0, 1000, false})},
        {SETTING(VALUE, max_joints, {0, 1e6, true})},
        {SETTING(VALUE, slack_pieces, {0, CAB_PLANAR_MAX_PIECES, true})},
        {.key = "time", .kind = CAB_KEY_READ, .read = read_time},
        {SETTING(PAIR, gravity, PLACE)},
        {SETTING(WORD, pinch, pinches)},
        {SETTING(BOOL, sleep)},
        {.key = "bodies"},
        {.key = "cables"},
    };
    cab_cursor planar;
    cab_status status = cab_study_read_document(document, "planar", &planar);
    if (status) return status;
    status = cab_read_object(&planar, keys, CAB_COUNT(keys), &scene->settings);
    cab_cursor pieces = cab_cursor_key(&planar, "slack_pieces");
    if (!status && scene->settings.slack_pieces % 2) status = cab_cursor_fail(&pieces, "an even number");
    if (!status) status = cab_read_list(&planar, "bodies", read_body, scene);
    return status ? status : cab_read_list(&planar, "cables", read_cable, scene);
}

cab_status cab_planar_scene_parse(const char *file, const char *text, size_t size,
                                  const char *const *overrides, int override_count, cab_planar_scene **out,
                                  cab_error *error)
{
    json_t *root = NULL;
    cab_status status = cab_scene_document(file, text, size, overrides, override_count, &root, error);
    if (status) return status;
    cab_planar_scene *scene = cab_planar_scene_create();
    cab_reader reader = {.file = file, .error = error};
    cab_cursor document = {.value = root, .reader = &reader};
    status =
        scene ? read_document(&document, scene) : cab_fail_memory(error, "a planar scene", sizeof *scene);
    json_decref(root);
    if (status)
        cab_planar_scene_destroy(scene);
    else
        *out = scene;
    return status;
}

cab_status cab_planar_scene_load(const char *path, const char *const *overrides, int override_count,
                                 cab_planar_scene **scene, cab_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cab_status status = cab_read_file(path, &text, &size, error);
    if (!status) status = cab_planar_scene_parse(path, text, size, overrides, override_count, scene, error);
    free(text);
    return status;
}

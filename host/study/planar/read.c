/* Planar scenes from JSON: a document whose key "planar" holds bodies, cables, settings. */
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json/cursor.h"
#include "io/json/override.h"
#include "io/read_file.h"
#include "io/scene_json.h"
#include "model/limits.h"
#include "study/planar/planar.h"
#include "study/read.h"

/* A number: its key, the member of a struct that it goes to, its limits. */
#define FIELD(type, key, member, ...)                                                                        \
    {                                                                                                        \
        key, offsetof(type, member),                                                                         \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define BODY(...) FIELD(cab_planar_body_def, __VA_ARGS__)
#define CABLE(...) FIELD(cab_planar_cable_def, __VA_ARGS__)
#define SETTING(...) FIELD(cab_planar_settings, __VA_ARGS__)
static const cab_field body_fields[] = {
    BODY("angle", angle, -1e6, 1e6, false),
    BODY("radius", radius, 0, 1e6, false),
    BODY("mass", mass, 1e-9, 1e9, false),
    BODY("inertia", inertia, 0, 1e12, false),
    BODY("spin", spin, -1e4, 1e4, false),
    BODY("torque", torque, -1e9, 1e9, false),
    BODY("friction", friction, 0, 1000, false),
    BODY("restitution", restitution, 0, 1, false),
    BODY("linear_damping", linear_damping, 0, 1e6, false),
    BODY("angular_damping", angular_damping, 0, 1e6, false),
    BODY("gravity", gravity, -1e3, 1e3, false),
    BODY("group", group, 0, 1e9, true),
};
static const cab_field motor_fields[] = {
    BODY("speed", motor_speed, -1e4, 1e4, false),
    BODY("torque", motor_torque, 0, 1e9, false),
};
static const cab_field cable_fields[] = {
    CABLE("radius", radius, 1e-9, 1e6, false),
    CABLE("length_factor", length_factor, 1e-3, 100, false),
};
static const cab_field time_fields[] = {
    SETTING("duration", duration, 1e-6, 1e6, false),
    SETTING("frame_rate", frame_rate, 1e-3, 1e6, false),
    SETTING("substeps", substeps, 1, 1000, true),
    SETTING("iterations", iterations, 1, 1000, true),
};
static const cab_field setting_fields[] = {
    SETTING("pinch_friction", pinch_friction, 0, 1000, false),
    SETTING("max_joints", max_joints, 0, 1e6, true),
    SETTING("slack_pieces", slack_pieces, 0, CAB_PLANAR_MAX_PIECES, true),
};
static const char *const pinch_words[] = {"off", "contact-off", "full"};
static const char *const motion_words[] = {"dynamic", "axle", "static"};

#define MAX_KEYS 40

/* The keys of `fields` and `more`. */
static cab_status check_keys(const cab_cursor *object, const cab_field *fields, int count,
                             const char *const *more, int more_count)
{
    const char *keys[MAX_KEYS];
    int n = 0;
    for (int i = 0; i < count; i++) keys[n++] = fields[i].key;
    for (int i = 0; i < more_count; i++) keys[n++] = more[i];
    return cab_cursor_check_keys(object, keys, n);
}

static cab_status read_pair(const cab_cursor *object, const char *key, double value[2])
{
    cab_cursor pair = cab_cursor_key(object, key);
    return pair.value ? cab_read_numbers(&pair, (cab_limit){-1e9, 1e9, false}, value, 2) : CAB_OK;
}

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
static cab_status read_cable_friction(const cab_cursor *body, cab_planar_body_def *def)
{
    cab_cursor friction = cab_cursor_key(body, "cable_friction");
    if (!friction.value || json_is_null(friction.value)) return CAB_OK;
    if (!json_is_number(friction.value))
        return cab_cursor_fail(&friction, "a number or null (it never slides)");
    return cab_read_number(&friction, CAB_LIMIT_FRICTION, &def->cable_friction);
}

static cab_status read_motor(const cab_cursor *body, cab_planar_body_def *def)
{
    cab_cursor motor = cab_cursor_key(body, "motor");
    if (!motor.value) return CAB_OK;
    if (!json_is_object(motor.value)) return cab_cursor_fail(&motor, "an object with speed and torque");
    cab_status status = check_keys(&motor, motor_fields, CAB_COUNT(motor_fields), NULL, 0);
    for (int i = 0; i < CAB_COUNT(motor_fields) && !status; i++) { /* both must be there */
        cab_cursor item = cab_cursor_key(&motor, motor_fields[i].key);
        status = cab_read_field(&item, &motor_fields[i], def);
    }
    return status;
}

/* Appends the engine's message to the pointer. */
static cab_status placed(const cab_cursor *item, cab_status status, const cab_error *fault)
{
    return status ? cab_cursor_refuse(item, status, fault->message) : CAB_OK;
}

static cab_status read_body(const cab_cursor *body, void *scene)
{
    static const char *const more[] = {"name",  "motion",  "position",       "velocity", "force",   "box",
                                       "motor", "polygon", "cable_friction", "cables",   "collides"};
    cab_planar_body_def def = cab_planar_body_default();
    cab_cursor name = cab_cursor_key(body, "name");
    int word = CAB_PLANAR_DYNAMIC;
    cab_error fault = {0};
    cab_status status = check_keys(body, body_fields, CAB_COUNT(body_fields), more, CAB_COUNT(more));
    if (!status) status = cab_read_text(&name, "a name", &def.name);
    if (!status) status = cab_study_read_word(body, "motion", motion_words, CAB_COUNT(motion_words), &word);
    def.motion = (cab_planar_motion)word;
    if (!status) status = cab_read_fields(body, body_fields, CAB_COUNT(body_fields), &def);
    if (!status) status = read_shape(body, &def);
    if (!status) status = read_pair(body, "position", def.position);
    if (!status) status = read_pair(body, "velocity", def.velocity);
    if (!status) status = read_pair(body, "force", def.force);
    if (!status) status = read_motor(body, &def);
    if (!status) status = read_cable_friction(body, &def);
    if (!status) status = cab_study_read_switch(body, "cables", &def.cables);
    if (!status) status = cab_study_read_switch(body, "collides", &def.collides);
    return status ? status : placed(body, cab_planar_add_body(scene, &def, &fault), &fault);
}

/* "point" makes it a point, "stored" a reel, else it rolls. */
static cab_status read_link(const cab_cursor *link, cab_planar_link_def *def)
{
    static const char *const keys[] = {"body", "point", "spin", "turns", "stored", "thickening"};
    cab_cursor body = cab_cursor_key(link, "body"), point = cab_cursor_key(link, "point");
    cab_cursor spin = cab_cursor_key(link, "spin"), turns = cab_cursor_key(link, "turns");
    cab_cursor stored = cab_cursor_key(link, "stored");
    cab_status status = cab_cursor_check_keys(link, keys, CAB_COUNT(keys));
    if (!status && body.value) status = cab_read_text(&body, "a body's name", &def->body);
    if (!status) status = cab_study_read_switch(link, "thickening", &def->thickening);
    if (status) return status;
    def->kind = point.value    ? CAB_PLANAR_LINK_POINT
                : stored.value ? CAB_PLANAR_LINK_REEL
                               : CAB_PLANAR_LINK_ROLL;
    if (point.value) return cab_read_numbers(&point, CAB_LIMIT_COORDINATE, def->point, 2);
    status = cab_read_integer(&spin, (cab_limit){-1, 1, true}, &def->spin);
    if (!status && turns.value) status = cab_read_integer(&turns, (cab_limit){0, 1000, true}, &def->turns);
    return !status && stored.value ? cab_read_number(&stored, CAB_LIMIT_STORED, &def->stored) : status;
}

static cab_status read_stiffness(const cab_cursor *cable, cab_planar_cable_def *def)
{
    cab_cursor item = cab_cursor_key(cable, "stretching_stiffness");
    if (!item.value || json_is_null(item.value)) return CAB_OK;
    if (!json_is_number(item.value)) return cab_cursor_fail(&item, "a number or null (inextensible)");
    return cab_read_number(&item, (cab_limit){1e-6, 1e12, false}, &def->stretching_stiffness);
}

static cab_status read_links(const cab_cursor *cable, cab_planar_cable_def *def, cab_planar_link_def **out)
{
    cab_cursor links = cab_cursor_key(cable, "links");
    if (!json_is_array(links.value) || json_array_size(links.value) < 2)
        return cab_cursor_fail(&links, "an array of at least 2 links");
    size_t count = json_array_size(links.value);
    cab_planar_link_def *list = calloc(count, sizeof *list);
    if (!list) return cab_fail_memory(cable->reader->error, "links", count * sizeof *list);
    *out = list;
    cab_status status = CAB_OK;
    for (size_t i = 0; i < count && !status; i++) {
        cab_cursor item = cab_cursor_item(&links, i);
        status = read_link(&item, &list[i]);
    }
    def->links = list;
    def->link_count = (int)count;
    return status;
}

static cab_status read_cable(const cab_cursor *cable, void *scene)
{
    static const char *const more[] = {"name", "stretching_stiffness", "loop", "links"};
    cab_planar_cable_def def = cab_planar_cable_default();
    cab_planar_link_def *links = NULL;
    cab_cursor name = cab_cursor_key(cable, "name");
    cab_error fault = {0};
    cab_status status = check_keys(cable, cable_fields, CAB_COUNT(cable_fields), more, CAB_COUNT(more));
    if (!status) status = cab_read_text(&name, "a name", &def.name);
    if (!status) status = cab_read_fields(cable, cable_fields, CAB_COUNT(cable_fields), &def);
    if (!status) status = read_stiffness(cable, &def);
    if (!status) status = cab_study_read_switch(cable, "loop", &def.loop);
    if (!status) status = read_links(cable, &def, &links);
    if (!status) status = placed(cable, cab_planar_add_cable(scene, &def, &fault), &fault);
    free(links);
    return status;
}

static cab_status read_planar(const cab_cursor *planar, cab_planar_scene *scene)
{
    static const char *const more[] = {"time", "gravity", "pinch", "sleep", "bodies", "cables"};
    cab_planar_settings *settings = &scene->settings;
    cab_cursor time = cab_cursor_key(planar, "time"), pieces = cab_cursor_key(planar, "slack_pieces");
    int word = settings->pinch;
    if (!json_is_object(planar->value)) return cab_cursor_fail(planar, "an object");
    cab_status status = check_keys(planar, setting_fields, CAB_COUNT(setting_fields), more, CAB_COUNT(more));
    if (!status) status = cab_read_fields(planar, setting_fields, CAB_COUNT(setting_fields), settings);
    if (!status && settings->slack_pieces % 2) status = cab_cursor_fail(&pieces, "an even number");
    if (!status && time.value) status = check_keys(&time, time_fields, CAB_COUNT(time_fields), NULL, 0);
    if (!status && time.value) status = cab_read_fields(&time, time_fields, CAB_COUNT(time_fields), settings);
    if (!status) status = read_pair(planar, "gravity", settings->gravity);
    if (!status) status = cab_study_read_switch(planar, "sleep", &settings->sleep);
    if (!status) status = cab_study_read_word(planar, "pinch", pinch_words, CAB_COUNT(pinch_words), &word);
    settings->pinch = (cab_planar_pinch)word;
    if (!status) status = cab_study_read_each(planar, "bodies", read_body, scene);
    return status ? status : cab_study_read_each(planar, "cables", read_cable, scene);
}

static cab_status read_document(const cab_cursor *document, cab_planar_scene *scene)
{
    cab_cursor planar;
    cab_status status = cab_study_read_document(document, "planar", &planar);
    return status ? status : read_planar(&planar, scene);
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

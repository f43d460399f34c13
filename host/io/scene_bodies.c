/* Reads bodies. */
#include <string.h>

#include "base/array.h"
#include "io/scene_json.h"
#include "model/sheave.h"

#define NUMBER(member, ...) CAB_VALUE(cab_body_def, member, __VA_ARGS__)
#define POINT(member, ...) CAB_POINT(cab_body_def, member, __VA_ARGS__)
#define ROTATION(type) CAB_KEY(type, rotation), .kind = CAB_KEY_QUATERNION, .limit = CAB_LIMIT_ROTATION

/* ---- shapes ---- */

#define OF_SHAPE(word, member, ...)                                                                          \
    {                                                                                                        \
        CAB_KEY_AS(word, cab_body_shape_def, member), .kind = CAB_KEY_POINT, .limit = __VA_ARGS__,           \
                                                      CAB_NEEDED                                             \
    }
#define RADIUS                                                                                               \
    {                                                                                                        \
        CAB_VALUE(cab_body_shape_def, radius, CAB_LIMIT_LENGTH, CAB_NEEDED)                                  \
    }
#define GROOVE                                                                                               \
    {CAB_KEY_AS("groove", cab_body_shape_def, groove.radius), .kind = CAB_KEY_NUMBER,                        \
     .limit = CAB_LIMIT_LENGTH, CAB_NEEDED},                                                                 \
        {CAB_KEY_AS("flange", cab_body_shape_def, groove.flange), .kind = CAB_KEY_NUMBER,                    \
         .limit = CAB_LIMIT_LENGTH, CAB_NEEDED},                                                             \
    {                                                                                                        \
        CAB_KEY_AS("angle", cab_body_shape_def, groove.angle), .kind = CAB_KEY_NUMBER,                       \
                                                               .limit = CAB_LIMIT_GROOVE                     \
    }
#define ENDS OF_SHAPE("from", center, CAB_LIMIT_COORDINATE), OF_SHAPE("to", to, CAB_LIMIT_COORDINATE)

/* The keys of a shape, after the one that tells which it is. */
static const struct {
    int key_count;
    cab_key keys[7];
} shapes[] = {
    [CAB_BODY_SPHERE] = {3, {{.key = "shape"}, OF_SHAPE("center", center, CAB_LIMIT_COORDINATE), RADIUS}},
    [CAB_BODY_CAPSULE] = {4, {{.key = "shape"}, ENDS, RADIUS}},
    [CAB_BODY_BOX] = {4,
                      {{.key = "shape"},
                       OF_SHAPE("center", center, CAB_LIMIT_COORDINATE),
                       OF_SHAPE("half_extents", half_extents, CAB_LIMIT_LENGTH),
                       {ROTATION(cab_body_shape_def)}}},
    [CAB_BODY_CYLINDER] = {4, {{.key = "shape"}, ENDS, RADIUS}},
    [CAB_BODY_SHEAVE] = {7, {{.key = "shape"}, ENDS, RADIUS, GROOVE}},
};

static cab_status read_shape(const cab_cursor *item, void *into)
{
    static const char *const words[] = {[CAB_BODY_SPHERE] = "sphere",
                                        [CAB_BODY_CAPSULE] = "capsule",
                                        [CAB_BODY_BOX] = "box",
                                        [CAB_BODY_CYLINDER] = "cylinder",
                                        [CAB_BODY_SHEAVE] = "sheave"};
    cab_body_shape_def *def = into;
    cab_cursor shape = cab_cursor_key(item, "shape");
    int word;
    *def = (cab_body_shape_def){.rotation = {1, 0, 0, 0}, .groove = {.angle = CAB_GROOVE_ANGLE}};
    cab_status status = cab_read_word(&shape, words, CAB_COUNT(words), &word);
    if (status) return status;
    def->kind = (cab_body_shape_kind)word;
    return cab_read_object(item, shapes[word].keys, shapes[word].key_count, def);
}

static const cab_array_form shapes_form = {1, 10000, sizeof(cab_body_shape_def),
                                           "an array of 1 to 10000 shapes", .read = read_shape};

/* ---- motion ---- */

static cab_status read_turning_motor(const cab_cursor *motor, void *body)
{
    static const cab_key keys[] = {
        {CAB_KEY_AS("speed", cab_body_def, motor_speed), .kind = CAB_KEY_NUMBER,
         .limit = CAB_LIMIT_COORDINATE, CAB_NEEDED},
        {CAB_KEY_AS("torque", cab_body_def, motor_most), .kind = CAB_KEY_NUMBER, .limit = CAB_LIMIT_BEARING,
         CAB_NEEDED},
    };
    return cab_read_object(motor, keys, CAB_COUNT(keys), body);
}

static cab_status read_sliding_motor(const cab_cursor *motor, void *body)
{
    static const cab_key keys[] = {
        {CAB_KEY_AS("speed", cab_body_def, motor_speed), .kind = CAB_KEY_NUMBER,
         .limit = CAB_LIMIT_COORDINATE, CAB_NEEDED},
        {CAB_KEY_AS("force", cab_body_def, motor_most), .kind = CAB_KEY_NUMBER, .limit = CAB_LIMIT_BEARING,
         CAB_NEEDED},
    };
    return cab_read_object(motor, keys, CAB_COUNT(keys), body);
}

#define IN_SPACE(member)                                                                                     \
    {                                                                                                        \
        POINT(member, CAB_LIMIT_COORDINATE, CAB_NEEDED)                                                      \
    }

/* What a bearing is told by: the key that names it, and its own. */
static const struct {
    const char *word;
    cab_body_motion motion;
    int key_count;
    cab_key keys[4];
} bearings[] = {
    {"hinge",
     CAB_BODY_HINGE,
     4,
     {IN_SPACE(point),
      IN_SPACE(axis),
      {CAB_KEY_AS("friction", cab_body_def, bearing_friction), .kind = CAB_KEY_NUMBER,
       .limit = CAB_LIMIT_BEARING},
      {.key = "motor", .kind = CAB_KEY_READ, .read = read_turning_motor}}},
    {"slider",
     CAB_BODY_SLIDER,
     3,
     {IN_SPACE(axis),
      {CAB_KEY_AS("friction", cab_body_def, bearing_friction), .kind = CAB_KEY_NUMBER,
       .limit = CAB_LIMIT_BEARING},
      {.key = "motor", .kind = CAB_KEY_READ, .read = read_sliding_motor}}},
    {"ball", CAB_BODY_BALL, 1, {IN_SPACE(point)}},
};

/* What is told by a word alone. */
static const struct {
    const char *word;
    cab_body_motion motion;
} words[] = {{"free", CAB_BODY_FREE}, {"fixed", CAB_BODY_FIXED}, {"given", CAB_BODY_GIVEN}};

static cab_status read_motion(const cab_cursor *motion, void *body)
{
    static const cab_key led[] = {{CAB_ITEMS(cab_body_def, keyframes, keyframe_count, &cab_poses_form)}};
    cab_body_def *def = body;
    const char *word = json_string_value(motion->value);
    for (int i = 0; word && i < CAB_COUNT(words); i++) {
        if (strcmp(word, words[i].word) != 0) continue;
        def->motion = words[i].motion;
        return CAB_OK;
    }
    if (json_object_size(motion->value) == 1 && cab_cursor_key(motion, "keyframes").value) {
        def->motion = CAB_BODY_KEYFRAMES;
        return cab_read_object(motion, led, CAB_COUNT(led), def);
    }
    for (int i = 0; i < CAB_COUNT(bearings) && json_object_size(motion->value) == 1; i++) {
        cab_cursor bearing = cab_cursor_key(motion, bearings[i].word);
        if (!bearing.value) continue;
        def->motion = bearings[i].motion;
        return cab_read_object(&bearing, bearings[i].keys, bearings[i].key_count, def);
    }
    return cab_cursor_fail(motion, "\"free\", \"fixed\", \"given\", {\"keyframes\": ...}, {\"hinge\": ...}, "
                                   "{\"slider\": ...} or {\"ball\": ...}");
}

static cab_status read_copies(const cab_cursor *copies, void *body)
{
    cab_body_def *def = body;
    return cab_read_copies(copies, def->copies, def->spacing);
}

cab_status cab_read_body(const cab_cursor *body, void *scene)
{
    static const cab_key keys[] = {
        {CAB_TEXT(cab_body_def, name, "a name", CAB_NEEDED)},
        {POINT(position, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
        {ROTATION(cab_body_def)},
        {POINT(velocity, CAB_LIMIT_COORDINATE)},
        {POINT(spin, CAB_LIMIT_COORDINATE)},
        {CAB_ITEMS(cab_body_def, shapes, shape_count, &shapes_form)},
        {NUMBER(mass, CAB_LIMIT_BODY_MASS)},
        {NUMBER(density, CAB_LIMIT_BODY_DENSITY)},
        {POINT(center, CAB_LIMIT_COORDINATE)},
        {POINT(inertia, CAB_LIMIT_INERTIA)},
        {.key = "motion", .kind = CAB_KEY_READ, .read = read_motion},
        {NUMBER(friction, CAB_LIMIT_FRICTION)},
        {NUMBER(group, CAB_LIMIT_GROUP)},
        {CAB_BOOL(cab_body_def, collide)},
        {NUMBER(damping, CAB_LIMIT_BODY_DAMPING)},
        {.key = "copies", .kind = CAB_KEY_READ, .read = read_copies},
    };
    cab_body_def def = cab_body_default();
    cab_status status = cab_read_object(body, keys, CAB_COUNT(keys), &def);
    if (!status) status = cab_scene_add_body(scene, &def, body->reader->error);
    CAB_FREE((void *)def.shapes, (void *)def.keyframes);
    return status;
}

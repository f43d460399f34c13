/* Reads colliders. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/read_file.h"
#include "io/scene_json.h"

#define NUMBER(member, ...) CAB_VALUE(cab_collider_def, member, __VA_ARGS__)
#define POINT(member, ...) CAB_POINT(cab_collider_def, member, __VA_ARGS__)
#define ROTATION CAB_KEY(cab_collider_def, rotation), .kind = CAB_KEY_QUATERNION, .limit = CAB_LIMIT_ROTATION
#define CENTER(word)                                                                                         \
    CAB_KEY_AS(word, cab_collider_def, center), .kind = CAB_KEY_POINT, .limit = CAB_LIMIT_COORDINATE,        \
                                                CAB_NEEDED

/* What a pose of a keyframe is: [t, x, y, z] or [t, x, y, z, qw, qx, qy, qz] */
static cab_status read_pose(const cab_cursor *item, void *frame)
{
    double value[8] = {0, 0, 0, 0, 1, 0, 0, 0};
    int count = json_array_size(item->value) == 4 ? 4 : 8;
    if (json_array_size(item->value) != (size_t)count)
        return cab_cursor_fail(item, "[t, x, y, z] or [t, x, y, z, qw, qx, qy, qz]");
    cab_status status = cab_read_numbers(item, CAB_LIMIT_TIME, value, count);
    *(cab_pose_keyframe *)frame = (cab_pose_keyframe){
        value[0], {{value[1], value[2], value[3]}, {value[4], value[5], value[6], value[7]}}};
    return status;
}

/* The collider is named, the mesh's own fault follows. */
static cab_status read_mesh(const cab_cursor *file, void *mesh)
{
    const cab_reader *reader = file->reader;
    const char *name;
    cab_status status = cab_read_text(file, "the name of an OBJ or STL file", &name);
    if (status) return status;
    char *path = cab_path_beside(reader->file, name);
    if (!path) return cab_fail_memory(reader->error, "a file's name", strlen(name));
    cab_error fault = {0};
    status = cab_mesh_load(path, mesh, &fault);
    free(path);
    if (status == CAB_ERROR_IO) status = CAB_ERROR_INPUT; /* the scene names a file that is not there */
    return status ? cab_cursor_refuse(file, status, fault.message) : CAB_OK;
}

const cab_array_form cab_poses_form = {1, 1000000, sizeof(cab_pose_keyframe),
                                       "an array of 1 to 1000000 keyframes", .read = read_pose};

#define COMMON                                                                                               \
    {CAB_TEXT(cab_collider_def, name, "a name")}, {.key = "shape"}, {NUMBER(friction, CAB_LIMIT_FRICTION)},  \
    {                                                                                                        \
        CAB_ITEMS(cab_collider_def, keyframes, keyframe_count, &cab_poses_form)                              \
    }

#define GROOVE                                                                                               \
    {CAB_KEY_AS("groove", cab_collider_def, groove.radius), .kind = CAB_KEY_NUMBER,                          \
     .limit = CAB_LIMIT_LENGTH, CAB_NEEDED},                                                                 \
        {CAB_KEY_AS("flange", cab_collider_def, groove.flange), .kind = CAB_KEY_NUMBER,                      \
         .limit = CAB_LIMIT_LENGTH, CAB_NEEDED},                                                             \
    {                                                                                                        \
        CAB_KEY_AS("angle", cab_collider_def, groove.angle), .kind = CAB_KEY_NUMBER,                         \
                                                             .limit = CAB_LIMIT_GROOVE                       \
    }

/* The keys of a shape, of which the first four are those of all. */
static const struct {
    int key_count;
    cab_key keys[10];
} shapes[] = {
    [CAB_SHAPE_PLANE] = {6, {COMMON, {CENTER("point")}, {POINT(normal, CAB_LIMIT_COORDINATE, CAB_NEEDED)}}},
    [CAB_SHAPE_SPHERE] = {6, {COMMON, {CENTER("center")}, {NUMBER(radius, CAB_LIMIT_LENGTH, CAB_NEEDED)}}},
    [CAB_SHAPE_CAPSULE] = {7,
                           {COMMON,
                            {CENTER("from")},
                            {POINT(to, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
                            {NUMBER(radius, CAB_LIMIT_LENGTH, CAB_NEEDED)}}},
    [CAB_SHAPE_BOX] =
        {7, {COMMON, {CENTER("center")}, {POINT(half_extents, CAB_LIMIT_LENGTH, CAB_NEEDED)}, {ROTATION}}},
    [CAB_SHAPE_CYLINDER] = {7,
                            {COMMON,
                             {CENTER("from")},
                             {POINT(to, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
                             {NUMBER(radius, CAB_LIMIT_LENGTH, CAB_NEEDED)}}},
    [CAB_SHAPE_SHEAVE] = {10,
                          {COMMON,
                           {CENTER("from")},
                           {POINT(to, CAB_LIMIT_COORDINATE, CAB_NEEDED)},
                           {NUMBER(radius, CAB_LIMIT_LENGTH, CAB_NEEDED)},
                           GROOVE}},
    [CAB_SHAPE_MESH] = {8,
                        {COMMON,
                         {CAB_KEY_AS("file", cab_collider_def, mesh), .kind = CAB_KEY_READ, .read = read_mesh,
                          CAB_NEEDED},
                         {NUMBER(scale, CAB_LIMIT_SCALE)},
                         {POINT(center, CAB_LIMIT_COORDINATE)},
                         {ROTATION}}},
};

cab_status cab_read_collider(const cab_cursor *collider, void *scene)
{
    static const char *const words[] = {
        [CAB_SHAPE_PLANE] = "plane",  [CAB_SHAPE_SPHERE] = "sphere", [CAB_SHAPE_CAPSULE] = "capsule",
        [CAB_SHAPE_BOX] = "box",      [CAB_SHAPE_MESH] = "mesh",     [CAB_SHAPE_CYLINDER] = "cylinder",
        [CAB_SHAPE_SHEAVE] = "sheave"};
    cab_collider_def def = cab_collider_default();
    cab_cursor shape = cab_cursor_key(collider, "shape");
    int word;
    cab_status status = cab_read_word(&shape, words, CAB_COUNT(words), &word);
    if (status) return status;
    def.shape = (cab_shape)word;
    status = cab_read_object(collider, shapes[word].keys, shapes[word].key_count, &def);
    if (!status) status = cab_scene_add_collider(scene, &def, collider->reader->error);
    free((void *)def.keyframes);
    cab_mesh_free(&def.mesh);
    return status;
}

/* Reads colliders. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/read_file.h"
#include "io/scene_json.h"
#include "model/limits.h"

typedef cab_status shape_reader(const cab_cursor *collider, cab_collider_def *def);

static cab_status read_point(const cab_cursor *collider, const char *key, cab_limit limit, cab_vec3 *value)
{
    cab_cursor point = cab_cursor_key(collider, key);
    return cab_read_vec3(&point, limit, value);
}

static cab_status read_radius(const cab_cursor *collider, cab_collider_def *def)
{
    cab_cursor radius = cab_cursor_key(collider, "radius");
    return cab_read_number(&radius, CAB_LIMIT_LENGTH, &def->radius);
}

static cab_status read_plane(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "keyframes", "point", "normal"};
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "point", CAB_LIMIT_COORDINATE, &def->center);
    return status ? status : read_point(collider, "normal", CAB_LIMIT_COORDINATE, &def->normal);
}

static cab_status read_sphere(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "keyframes", "center", "radius"};
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "center", CAB_LIMIT_COORDINATE, &def->center);
    return status ? status : read_radius(collider, def);
}

static cab_status read_capsule(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "keyframes", "from", "to", "radius"};
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "from", CAB_LIMIT_COORDINATE, &def->center);
    if (!status) status = read_point(collider, "to", CAB_LIMIT_COORDINATE, &def->to);
    return status ? status : read_radius(collider, def);
}

static cab_status read_box(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name",   "shape",        "friction", "keyframes",
                                       "center", "half_extents", "rotation"};
    cab_cursor rotation = cab_cursor_key(collider, "rotation");
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "center", CAB_LIMIT_COORDINATE, &def->center);
    if (!status) status = read_point(collider, "half_extents", CAB_LIMIT_LENGTH, &def->half_extents);
    if (!status && rotation.value) status = cab_read_numbers(&rotation, CAB_LIMIT_ROTATION, def->rotation, 4);
    return status;
}

/* The collider is named, the mesh's own fault follows. */
static cab_status load_mesh(const cab_cursor *file, const char *name, cab_mesh *mesh)
{
    const cab_reader *reader = file->reader;
    char *path = cab_path_beside(reader->file, name);
    if (!path) return cab_fail_memory(reader->error, "a file's name", strlen(name));
    cab_error fault = {0};
    cab_status status = cab_mesh_load(path, mesh, &fault);
    free(path);
    if (status == CAB_ERROR_IO) status = CAB_ERROR_INPUT; /* the scene names a file that is not there */
    return status ? cab_cursor_refuse(file, status, fault.message) : CAB_OK;
}

static cab_status read_mesh(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "keyframes",
                                       "file", "scale", "center",   "rotation"};
    cab_cursor file = cab_cursor_key(collider, "file");
    cab_cursor scale = cab_cursor_key(collider, "scale");
    cab_cursor center = cab_cursor_key(collider, "center");
    cab_cursor rotation = cab_cursor_key(collider, "rotation");
    const char *name;
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = cab_read_text(&file, "the name of an OBJ or STL file", &name);
    if (!status && scale.value) status = cab_read_number(&scale, CAB_LIMIT_SCALE, &def->scale);
    if (!status && center.value) status = cab_read_vec3(&center, CAB_LIMIT_COORDINATE, &def->center);
    if (!status && rotation.value) status = cab_read_numbers(&rotation, CAB_LIMIT_ROTATION, def->rotation, 4);
    return status ? status : load_mesh(&file, name, &def->mesh);
}

/* [t, x, y, z] or [t, x, y, z, qw, qx, qy, qz] */
static cab_status read_pose(const cab_cursor *item, cab_pose_keyframe *frame)
{
    double value[8] = {0, 0, 0, 0, 1, 0, 0, 0};
    int count = json_array_size(item->value) == 4 ? 4 : 8;
    if (json_array_size(item->value) != (size_t)count)
        return cab_cursor_fail(item, "[t, x, y, z] or [t, x, y, z, qw, qx, qy, qz]");
    cab_status status = cab_read_numbers(item, CAB_LIMIT_TIME, value, count);
    *frame = (cab_pose_keyframe){value[0],
                                 {{value[1], value[2], value[3]}, {value[4], value[5], value[6], value[7]}}};
    return status;
}

/* To be freed, whatever the status. */
static cab_status read_poses(const cab_cursor *list, cab_pose_keyframe **frames, int *count)
{
    size_t size = json_array_size(list->value);
    if (size == 0 || size > 1000000) return cab_cursor_fail(list, "an array of 1 to 1000000 keyframes");
    *frames = malloc(size * sizeof **frames);
    if (!*frames) return cab_fail_memory(list->reader->error, "keyframes", size * sizeof **frames);
    cab_status status = CAB_OK;
    for (size_t i = 0; i < size && !status; i++) {
        cab_cursor item = cab_cursor_item(list, i);
        status = read_pose(&item, &(*frames)[i]);
    }
    *count = (int)size;
    return status;
}

static const struct {
    const char *word;
    shape_reader *read;
} shapes[] = {
    [CAB_SHAPE_PLANE] = {"plane", read_plane},       [CAB_SHAPE_SPHERE] = {"sphere", read_sphere},
    [CAB_SHAPE_CAPSULE] = {"capsule", read_capsule}, [CAB_SHAPE_BOX] = {"box", read_box},
    [CAB_SHAPE_MESH] = {"mesh", read_mesh},
};

static cab_status read_collider(const cab_cursor *collider)
{
    const char *words[CAB_COUNT(shapes)];
    for (int i = 0; i < CAB_COUNT(shapes); i++) words[i] = shapes[i].word;
    const cab_reader *reader = collider->reader;
    cab_collider_def def = cab_collider_default();
    if (!json_is_object(collider->value)) return cab_cursor_fail(collider, "an object");
    cab_cursor shape = cab_cursor_key(collider, "shape");
    cab_cursor name = cab_cursor_key(collider, "name");
    cab_cursor friction = cab_cursor_key(collider, "friction");
    cab_cursor keyframes = cab_cursor_key(collider, "keyframes");
    int word;
    cab_status status = cab_read_word(&shape, words, CAB_COUNT(words), &word);
    if (status) return status;
    def.shape = (cab_shape)word;
    status = shapes[word].read(collider, &def);
    if (!status && name.value) status = cab_read_text(&name, "a name", &def.name);
    if (!status && friction.value) status = cab_read_number(&friction, CAB_LIMIT_FRICTION, &def.friction);
    cab_pose_keyframe *poses = NULL;
    if (!status && keyframes.value) status = read_poses(&keyframes, &poses, &def.keyframe_count);
    def.keyframes = poses;
    if (!status) status = cab_scene_add_collider(reader->scene, &def, reader->error);
    free(poses);
    cab_mesh_free(&def.mesh);
    return status;
}

cab_status cab_read_colliders(const cab_cursor *document)
{
    return cab_read_list(document, "colliders", read_collider);
}

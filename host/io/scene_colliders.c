/* Reads colliders. */
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
    static const char *const keys[] = {"name", "shape", "friction", "point", "normal"};
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "point", CAB_LIMIT_COORDINATE, &def->center);
    return status ? status : read_point(collider, "normal", CAB_LIMIT_COORDINATE, &def->normal);
}

static cab_status read_sphere(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "center", "radius"};
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "center", CAB_LIMIT_COORDINATE, &def->center);
    return status ? status : read_radius(collider, def);
}

static cab_status read_capsule(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "from", "to", "radius"};
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "from", CAB_LIMIT_COORDINATE, &def->center);
    if (!status) status = read_point(collider, "to", CAB_LIMIT_COORDINATE, &def->to);
    return status ? status : read_radius(collider, def);
}

static cab_status read_box(const cab_cursor *collider, cab_collider_def *def)
{
    static const char *const keys[] = {"name", "shape", "friction", "center", "half_extents", "rotation"};
    cab_cursor rotation = cab_cursor_key(collider, "rotation");
    cab_status status = cab_cursor_check_keys(collider, keys, CAB_COUNT(keys));
    if (!status) status = read_point(collider, "center", CAB_LIMIT_COORDINATE, &def->center);
    if (!status) status = read_point(collider, "half_extents", CAB_LIMIT_LENGTH, &def->half_extents);
    if (!status && rotation.value) status = cab_read_numbers(&rotation, CAB_LIMIT_ROTATION, def->rotation, 4);
    return status;
}

static cab_status refuse_mesh(const cab_cursor *collider, cab_collider_def *def)
{
    (void)def;
    cab_cursor shape = cab_cursor_key(collider, "shape");
    return cab_cursor_refuse(&shape, CAB_ERROR_UNSUPPORTED,
                             "the shape \"mesh\" is not built yet, built are plane, sphere, capsule and box");
}

static cab_status read_collider(const cab_cursor *collider)
{
    static const char *const words[] = {"plane", "sphere", "capsule", "box", "mesh"};
    static shape_reader *const readers[] = {
        [CAB_SHAPE_PLANE] = read_plane, [CAB_SHAPE_SPHERE] = read_sphere, [CAB_SHAPE_CAPSULE] = read_capsule,
        [CAB_SHAPE_BOX] = read_box,     [CAB_SHAPE_MESH] = refuse_mesh,
    };
    const cab_reader *reader = collider->reader;
    cab_collider_def def = cab_collider_default();
    if (!json_is_object(collider->value)) return cab_cursor_fail(collider, "an object");
    cab_cursor shape = cab_cursor_key(collider, "shape");
    cab_cursor name = cab_cursor_key(collider, "name");
    cab_cursor friction = cab_cursor_key(collider, "friction");
    int word;
    cab_status status = cab_read_word(&shape, words, CAB_COUNT(words), &word);
    if (status) return status;
    def.shape = (cab_shape)word;
    status = readers[word](collider, &def);
    if (!status && name.value) status = cab_read_text(&name, "a name", &def.name);
    if (!status && friction.value) status = cab_read_number(&friction, CAB_LIMIT_FRICTION, &def.friction);
    return status ? status : cab_scene_add_collider(reader->scene, &def, reader->error);
}

cab_status cab_read_colliders(const cab_cursor *document)
{
    return cab_read_list(document, "colliders", read_collider);
}

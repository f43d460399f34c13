/* Reads sockets. */
#include <stdlib.h>

#include "base/array.h"
#include "io/scene_json.h"

/* Point and axes of a side. */
#define AXES                                                                                                 \
    {CAB_POINT(cab_socket_side, point, CAB_LIMIT_COORDINATE)},                                               \
        {CAB_POINT(cab_socket_side, axis, CAB_LIMIT_COORDINATE, CAB_NEEDED)},                                \
    {                                                                                                        \
        CAB_POINT(cab_socket_side, up, CAB_LIMIT_COORDINATE)                                                 \
    }

static cab_status read_plug(const cab_cursor *cursor, void *side)
{
    static const cab_key keys[] = {{CAB_TEXT(cab_socket_side, body, "the name of a body", CAB_NEEDED)}, AXES};
    return cab_read_object(cursor, keys, CAB_COUNT(keys), side);
}

static cab_status read_to(const cab_cursor *cursor, void *side)
{
    static const cab_key keys[] = {{CAB_TEXT(cab_socket_side, body, "the name of a body")}, AXES};
    return cab_read_object(cursor, keys, CAB_COUNT(keys), side);
}

/* One force, or rows of depth and force. */
static cab_status read_friction(const cab_cursor *cursor, void *socket)
{
    static const cab_array_form rows = {1,
                                        CAB_ARRAY_MAX,
                                        sizeof(cab_socket_row_def),
                                        "an array of at least one [depth, force]",
                                        CAB_LIMIT_GRIP,
                                        NULL};
    cab_socket_def *def = socket;
    if (json_is_array(cursor->value))
        return cab_read_array(cursor, &rows, &def->friction, &def->friction_count);
    if (!json_is_number(cursor->value))
        return cab_cursor_fail(cursor, "a number, N, or an array of [depth, force]");
    cab_socket_row_def *row;
    cab_status status = CAB_NEW(row, 1, cursor->reader->error);
    if (status) return status;
    def->friction = row;
    def->friction_count = 1;
    return cab_read_number(cursor, CAB_LIMIT_GRIP, &row->force);
}

cab_status cab_read_socket(const cab_cursor *socket, void *scene)
{
    static const cab_key keys[] = {
        {CAB_TEXT(cab_socket_def, name, "a name", CAB_NEEDED)},
        {CAB_READ(cab_socket_def, plug, read_plug, CAB_NEEDED)},
        {CAB_READ(cab_socket_def, to, read_to, CAB_NEEDED)},
        {CAB_VALUE(cab_socket_def, depth, CAB_LIMIT_LENGTH, CAB_NEEDED)},
        {CAB_VALUE(cab_socket_def, capture_radius, CAB_LIMIT_LENGTH)},
        {CAB_VALUE(cab_socket_def, capture_angle, CAB_LIMIT_CAPTURE_ANGLE)},
        {.key = "friction", .kind = CAB_KEY_READ, .read = read_friction},
        {CAB_VALUE(cab_socket_def, compliance, CAB_LIMIT_SOCKET_COMPLIANCE)},
        {CAB_BOOL(cab_socket_def, keyed)},
        {CAB_BOOL(cab_socket_def, latch)},
        {CAB_VALUE(cab_socket_def, pull_out_force, CAB_LIMIT_BREAK_FORCE)},
    };
    cab_socket_def def = cab_socket_default();
    cab_status status = cab_read_object(socket, keys, CAB_COUNT(keys), &def);
    if (!status) status = cab_scene_add_socket(scene, &def, socket->reader->error);
    free((void *)def.friction);
    return status;
}

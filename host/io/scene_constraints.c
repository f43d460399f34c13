/* Reads the user's own constraints. */
#include <stdlib.h>

#include "base/array.h"
#include "io/scene_json.h"

static cab_status read_offset(const cab_cursor *item, void *offset)
{
    return cab_read_integer(item, CAB_LIMIT_OFFSET, offset);
}

/* "at" stands for "from" and "to". */
static cab_status read_once(const cab_cursor *at, void *constraint)
{
    cab_constraint_def *def = constraint;
    def->once = true;
    if (cab_cursor_key(at->up, "from").value || cab_cursor_key(at->up, "to").value)
        return cab_cursor_refuse(at, CAB_ERROR_INPUT, "expected either \"at\", or \"from\" and \"to\"");
    return cab_read_place(at, &def->from);
}

static cab_status read_parameters(const cab_cursor *parameters, void *constraint)
{
    cab_constraint_def *def = constraint;
    if (!json_is_object(parameters->value) || json_object_size(parameters->value) > CAB_PARAMETERS_MAX)
        return cab_cursor_fail(parameters, "an object of at most 64 numbers by name");
    cab_parameter *list = calloc(CAB_PARAMETERS_MAX, sizeof *list);
    if (!list) return cab_fail_memory(parameters->reader->error, "parameters", sizeof *list);
    def->parameters = list;
    const char *name;
    json_t *value;
    json_object_foreach(parameters->value, name, value)
    {
        cab_cursor parameter = cab_cursor_key(parameters, name);
        cab_parameter *p = &list[def->parameter_count++];
        p->name = name;
        cab_status status = cab_read_number(&parameter, CAB_LIMIT_PARAMETER, &p->value);
        if (status) return status;
    }
    return CAB_OK;
}

cab_status cab_read_constraint(const cab_cursor *constraint, void *scene)
{
    static const char *const types[] = {
        [CAB_CONSTRAINT_EQUALITY] = "equality", [CAB_CONSTRAINT_INEQUALITY] = "inequality", NULL};
    static const cab_array_form stencil = {1, CAB_STENCIL_PARTICLES, sizeof(int),
                                           "an array of 1 to 8 offsets along the cable", .read = read_offset};
    static const cab_key keys[] = {
        {CAB_TEXT(cab_constraint_def, name, "a name")},
        {CAB_TEXT(cab_constraint_def, cable, "the name of a cable", CAB_NEEDED)},
        {CAB_ITEMS(cab_constraint_def, stencil, stencil_count, &stencil, CAB_NEEDED)},
        {.key = "at", .kind = CAB_KEY_READ, .read = read_once},
        {CAB_READ(cab_constraint_def, from, cab_read_place)},
        {CAB_READ(cab_constraint_def, to, cab_read_place)},
        {CAB_WORD(cab_constraint_def, type, types)},
        {CAB_VALUE(cab_constraint_def, compliance, CAB_LIMIT_COMPLIANCE)},
        {CAB_VALUE(cab_constraint_def, stiffness, CAB_LIMIT_SHARE)},
        {CAB_VALUE(cab_constraint_def, h, CAB_LIMIT_LENGTH)},
        {CAB_TEXT(cab_constraint_def, expression, "an expression", CAB_NEEDED)},
        {CAB_POINT(cab_constraint_def, origin, CAB_LIMIT_COORDINATE)},
        {.key = "parameters", .kind = CAB_KEY_READ, .read = read_parameters},
    };
    cab_constraint_def def = cab_constraint_default();
    cab_status status = cab_read_object(constraint, keys, CAB_COUNT(keys), &def);
    if (!status) status = cab_scene_add_constraint(scene, &def, constraint->reader->error);
    CAB_FREE((void *)def.stencil, (void *)def.parameters);
    return status;
}

/* Reads the user's own constraints. */
#include <stdlib.h>

#include "base/error.h"
#include "io/scene_json.h"
#include "model/limits.h"

static cab_status read_stencil(const cab_cursor *constraint, int *offsets, cab_constraint_def *def)
{
    cab_cursor stencil = cab_cursor_key(constraint, "stencil");
    size_t size = json_array_size(stencil.value);
    if (size < 1 || size > CAB_STENCIL_PARTICLES)
        return cab_cursor_fail(&stencil, "an array of 1 to 8 offsets along the cable");
    cab_status status = CAB_OK;
    for (size_t i = 0; i < size && !status; i++) {
        cab_cursor offset = cab_cursor_item(&stencil, i);
        status = cab_read_integer(&offset, CAB_LIMIT_OFFSET, &offsets[i]);
    }
    def->stencil = offsets;
    def->stencil_count = (int)size;
    return status;
}

/* "at", or "from" and "to" */
static cab_status read_range(const cab_cursor *constraint, cab_constraint_def *def)
{
    cab_cursor at = cab_cursor_key(constraint, "at");
    cab_cursor from = cab_cursor_key(constraint, "from");
    cab_cursor to = cab_cursor_key(constraint, "to");
    cab_status status = CAB_OK;
    def->once = at.value != NULL;
    if (def->once && (from.value || to.value))
        return cab_cursor_refuse(&at, CAB_ERROR_INPUT, "expected either \"at\", or \"from\" and \"to\"");
    if (def->once) return cab_read_place(&at, &def->from);
    if (from.value) status = cab_read_place(&from, &def->from);
    if (!status && to.value) status = cab_read_place(&to, &def->to);
    return status;
}

static cab_status read_parameters(const cab_cursor *constraint, cab_parameter *list, cab_constraint_def *def)
{
    cab_cursor parameters = cab_cursor_key(constraint, "parameters");
    if (!parameters.value) return CAB_OK;
    if (!json_is_object(parameters.value) || json_object_size(parameters.value) > CAB_PARAMETERS_MAX)
        return cab_cursor_fail(&parameters, "an object of at most 64 numbers by name");
    const char *name;
    json_t *value;
    json_object_foreach(parameters.value, name, value)
    {
        cab_cursor parameter = cab_cursor_key(&parameters, name);
        cab_parameter *p = &list[def->parameter_count++];
        p->name = name;
        cab_status status = cab_read_number(&parameter, CAB_LIMIT_PARAMETER, &p->value);
        if (status) return status;
    }
    def->parameters = list;
    return CAB_OK;
}

static cab_status read_numbers(const cab_cursor *constraint, cab_constraint_def *def)
{
    static const char *const types[] = {
        [CAB_CONSTRAINT_EQUALITY] = "equality", [CAB_CONSTRAINT_INEQUALITY] = "inequality"};
    cab_cursor type = cab_cursor_key(constraint, "type");
    cab_cursor compliance = cab_cursor_key(constraint, "compliance");
    cab_cursor h = cab_cursor_key(constraint, "h");
    cab_cursor origin = cab_cursor_key(constraint, "origin");
    int word = 0;
    cab_status status = CAB_OK;
    if (type.value) status = cab_read_word(&type, types, CAB_COUNT(types), &word);
    def->type = (cab_constraint_type)word;
    if (!status && compliance.value)
        status = cab_read_number(&compliance, CAB_LIMIT_COMPLIANCE, &def->compliance);
    if (!status && h.value) status = cab_read_number(&h, CAB_LIMIT_LENGTH, &def->h);
    if (!status && origin.value) status = cab_read_vec3(&origin, CAB_LIMIT_COORDINATE, &def->origin);
    return status;
}

static cab_status read_constraint(const cab_cursor *constraint)
{
    static const char *const keys[] = {"name", "cable",      "stencil", "at",         "from",   "to",
                                       "type", "compliance", "h",       "expression", "origin", "parameters"};
    const cab_reader *reader = constraint->reader;
    int offsets[CAB_STENCIL_PARTICLES];
    cab_parameter parameters[CAB_PARAMETERS_MAX];
    cab_constraint_def def = cab_constraint_default();
    cab_status status = cab_cursor_check_keys(constraint, keys, CAB_COUNT(keys));
    if (status) return status;
    cab_cursor name = cab_cursor_key(constraint, "name");
    cab_cursor cable = cab_cursor_key(constraint, "cable");
    cab_cursor expression = cab_cursor_key(constraint, "expression");
    if (name.value) status = cab_read_text(&name, "a name", &def.name);
    if (!status) status = cab_read_text(&cable, "the name of a cable", &def.cable);
    if (!status) status = read_stencil(constraint, offsets, &def);
    if (!status) status = read_range(constraint, &def);
    if (!status) status = read_numbers(constraint, &def);
    if (!status) status = read_parameters(constraint, parameters, &def);
    if (!status) status = cab_read_text(&expression, "an expression", &def.expression);
    return status ? status : cab_scene_add_constraint(reader->scene, &def, reader->error);
}

cab_status cab_read_constraints(const cab_cursor *document)
{
    return cab_read_list(document, "constraints", read_constraint);
}

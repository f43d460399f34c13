/* Stiffnesses that were measured take the place of those that are worked out of wires: of a bundle by the name of its segment, of a
 * wire by its own or its part's name: part number or id. */
#include <string.h>

#include "base/error.h"
#include "io/kbl/kbl.h"

static bool is_here(const cab_kbl *kbl, const char *name)
{
    for (int i = 0; i < kbl->segment_count; i++)
        if (strcmp(kbl->segments[i].id, name) == 0) return true;
    for (int i = 0; i < kbl->wire_count; i++)
        if (strcmp(kbl->wires[i].id, name) == 0 || strcmp(kbl->wires[i].part, name) == 0 ||
            strcmp(kbl->wires[i].part_id, name) == 0)
            return true;
    return false;
}

cab_status cab_kbl_check_measured(const cab_kbl *kbl, const json_t *measured, cab_error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)measured, name, value)
    {
        if (!is_here(kbl, name))
            return cab_fail(
                error, CAB_ERROR_INPUT,
                "%s: /kbl/stiffness/%.60s: expected the id of a segment or wire, or of a wire's part",
                kbl->file, name);
    }
    return CAB_OK;
}

bool cab_kbl_measured(const json_t *measured, const char *name, double *bending, double *stretching)
{
    const json_t *value = json_object_get(measured, name),
                 *first = json_is_array(value) ? json_array_get(value, 0) : value;
    const json_t *second = json_is_array(value) ? json_array_get(value, 1) : NULL;
    if (first) *bending = json_number_value(first);
    if (second) *stretching = json_number_value(second);
    return value != NULL;
}

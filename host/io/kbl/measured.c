/* Stiffnesses that were measured take the place of those that are worked out of parts: of a bundle by the name of its segment, of a
 * wire, a tape or a tube by its own or its part's name: part number or id. */
#include <string.h>

#include "base/error.h"
#include "io/kbl/kbl.h"

static bool is_one_of(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (*names[i] && strcmp(names[i], name) == 0) return true;
    return false;
}

static bool is_cover(const cab_kbl *kbl, const char *name)
{
    for (int i = 0; i < kbl->cover_count; i++) {
        const cab_kbl_cover *c = &kbl->covers[i];
        if (is_one_of(name, (const char *const[]){c->id, c->number, c->part_id}, 3)) return true;
    }
    return false;
}

static bool is_here(const cab_kbl *kbl, const char *name)
{
    for (int i = 0; i < kbl->segment_count; i++) {
        const cab_kbl_segment *s = &kbl->segments[i];
        if (is_one_of(name, (const char *const[]){s->id, s->name}, 2)) return true;
    }
    for (int i = 0; i < kbl->wire_count; i++) {
        const cab_kbl_wire *w = &kbl->wires[i];
        if (is_one_of(name, (const char *const[]){w->id, w->part, w->part_id}, 3)) return true;
    }
    return is_cover(kbl, name);
}

/* "tape" and so on, and "wire". */
static bool is_kind(const char *name)
{
    for (int k = 0; k < CAB_KBL_COVER_KINDS; k++)
        if (strcmp(name, cab_kbl_kind_word((cab_kbl_cover_kind)k)) == 0) return true;
    return strcmp(name, "wire") == 0;
}

cab_status cab_kbl_check_names(const cab_kbl *kbl, const cab_kbl_options *options, cab_error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach(options->stiffness, name, value)
    {
        if (!is_here(kbl, name))
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /kbl/stiffness/%.60s: expected the id of a segment or wire, or of a wire's "
                            "or protection's part",
                            kbl->file, name);
    }
    json_object_foreach(options->bond, name, value)
    {
        if (!is_kind(name) && !is_here(kbl, name))
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /kbl/bond/%.60s: expected wire, tape, corrugated_tube, tube, or the id of a "
                            "segment, wire or part",
                            kbl->file, name);
    }
    json_object_foreach(options->protection, name, value)
    {
        if (!is_kind(name) && !is_cover(kbl, name))
            return cab_fail(error, CAB_ERROR_INPUT,
                            "%s: /kbl/protection/%.60s: expected tape, corrugated_tube, tube, or a "
                            "protection's id or part number",
                            kbl->file, name);
    }
    return CAB_OK;
}

bool cab_kbl_measured(const json_t *measured, const char *const *names, int count, double *bending,
                      double *stretching)
{
    const json_t *value = NULL;
    for (int i = 0; i < count && !value; i++) value = json_object_get(measured, names[i]);
    const json_t *first = json_is_array(value) ? json_array_get(value, 0) : value;
    const json_t *second = json_is_array(value) ? json_array_get(value, 1) : NULL;
    if (first) *bending = json_number_value(first);
    if (second) *stretching = json_number_value(second);
    return value != NULL;
}

/* What parts are made of: the defaults of each kind of protection, and what the options `bond` and `protection` say of a kind or a part. */
#include <math.h>

#include "io/json/cursor.h"
#include "io/kbl/kbl.h"

/* Assumed where nothing tells: soft PVC as of insulations, polypropylene for corrugated tubes, each at small strains. docs/harness.md
 * lists them. */
static const cab_kbl_protection defaults[CAB_KBL_COVER_KINDS] = {
    [CAB_KBL_COVER_OTHER] = {NAN, NAN, NAN, NAN, NAN, NAN},
    [CAB_KBL_TAPE] = {NAN, NAN, NAN, NAN, 5e7, 1350},
    [CAB_KBL_CORRUGATED] = {NAN, NAN, NAN, 3e-3, 1.3e9, 905},
    [CAB_KBL_TUBE] = {NAN, NAN, NAN, NAN, 5e7, 1350},
};

static const cab_key keys[] = {
    {CAB_VALUE(cab_kbl_protection, thickness, {1e-6, 0.1, false})},
    {CAB_VALUE(cab_kbl_protection, inner, {1e-4, 0.5, false})},
    {CAB_VALUE(cab_kbl_protection, outer, {1e-4, 0.5, false})},
    {CAB_VALUE(cab_kbl_protection, pitch, {1e-4, 0.1, false})},
    {CAB_VALUE(cab_kbl_protection, modulus, {1, 1e13, false})},
    {CAB_VALUE(cab_kbl_protection, density, {1, 1e5, false})},
};

/* What an entry says takes the place of what is there. Entries were checked as options were read. */
static void take(cab_kbl_protection *values, const json_t *entry)
{
    for (int i = 0; i < CAB_COUNT(keys); i++) {
        const json_t *value = json_object_get(entry, keys[i].key);
        if (value) *(double *)((char *)values + keys[i].offset) = json_number_value(value);
    }
}

cab_kbl_protection cab_kbl_protection_of(const cab_kbl_cover *cover, const cab_kbl_options *options)
{
    const char *const names[] = {cab_kbl_kind_word(cover->kind), cover->part_id, cover->number, cover->id};
    cab_kbl_protection values = defaults[cover->kind];
    for (int i = 0; i < CAB_COUNT(names); i++) take(&values, json_object_get(options->protection, names[i]));
    return values;
}

double cab_kbl_bond_of(const cab_kbl_options *options, const char *const *names)
{
    if (json_is_number(options->bond)) return json_number_value(options->bond);
    for (; *names; names++) {
        const json_t *bond = json_object_get(options->bond, *names);
        if (bond) return json_number_value(bond);
    }
    return 0;
}

cab_status cab_kbl_read_bond(const cab_cursor *value, void *into)
{
    static const cab_limit limit = {0, 1, false};
    const char *name;
    json_t *entry;
    double number;
    cab_status status = CAB_OK;
    if (!json_is_object(value->value)) status = cab_read_number(value, limit, &number);
    json_object_foreach(value->value, name, entry)
    {
        cab_cursor one = cab_cursor_key(value, name);
        if (!status) status = cab_read_number(&one, limit, &number);
    }
    if (!status) *(json_t **)into = json_incref(value->value);
    return status;
}

cab_status cab_kbl_read_protection(const cab_cursor *value, void *into)
{
    const char *name;
    json_t *entry;
    if (!json_is_object(value->value))
        return cab_cursor_fail(value, "an object of protections by kind or part");
    json_object_foreach(value->value, name, entry)
    {
        cab_kbl_protection values = {NAN, NAN, NAN, NAN, NAN, NAN};
        cab_cursor one = cab_cursor_key(value, name);
        cab_status status = cab_read_object(&one, keys, CAB_COUNT(keys), &values);
        if (!status && values.inner >= values.outer)
            status = cab_cursor_fail(&one, "an inner diameter that is smaller than the outer one");
        if (status) return status;
    }
    *(json_t **)into = json_incref(value->value);
    return CAB_OK;
}

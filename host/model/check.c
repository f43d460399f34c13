#include "model/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

bool cab_limit_holds(cab_limit limit, double value)
{
    if (!isfinite(value) || value < limit.min || value > limit.max) return false;
    return !limit.integer || value == floor(value);
}

void cab_limit_text(cab_limit limit, char *text, size_t size)
{
    if (limit.integer)
        snprintf(text, size, "an integer from %.0f to %.0f", limit.min, limit.max);
    else
        snprintf(text, size, "a number from %g to %g", limit.min, limit.max);
}

cab_check_place cab_check_begin(const cab_scene *scene, const char *list, int index, cab_error *error)
{
    cab_check_place place = {.scene = scene, .error = error};
    snprintf(place.pointer, sizeof place.pointer, "/%s/%d", list, index);
    return place;
}

cab_status cab_check_refuse(const cab_check_place *place, const char *key, const char *expected)
{
    return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/%s: expected %s", place->scene->source,
                    place->pointer, key, expected);
}

cab_status cab_check_number(const cab_check_place *place, const char *key, double value, cab_limit limit)
{
    if (cab_limit_holds(limit, value)) return CAB_OK;
    char expected[96];
    cab_limit_text(limit, expected, sizeof expected);
    return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/%s: expected %s, got %.15g", place->scene->source,
                    place->pointer, key, expected, value);
}

cab_status cab_check_numbers(const cab_check_place *place, const char *key, const double *values, int count,
                             cab_limit limit)
{
    for (int i = 0; i < count; i++) {
        char part[CAB_CHECK_KEY + 16];
        snprintf(part, sizeof part, "%s/%d", key, i);
        cab_status status = cab_check_number(place, part, values[i], limit);
        if (status) return status;
    }
    return CAB_OK;
}

cab_status cab_check_numbers_in_time(const cab_check_place *place, const char *key, const double (*k)[2],
                                     int count, cab_limit limit)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < count && !status; i++) {
        char part[CAB_CHECK_KEY + 16];
        snprintf(part, sizeof part, "%s/%d/0", key, i);
        status = cab_check_number(place, part, k[i][0], CAB_LIMIT_TIME);
        if (!status && i > 0 && !(k[i][0] > k[i - 1][0]))
            status = cab_check_refuse(place, part, "a time after that of the keyframe before");
        snprintf(part, sizeof part, "%s/%d/1", key, i);
        if (!status) status = cab_check_number(place, part, k[i][1], limit);
    }
    return status;
}

cab_status cab_check_vec3(const cab_check_place *place, const char *key, cab_vec3 value, cab_limit limit)
{
    const double values[3] = {value.x, value.y, value.z};
    return cab_check_numbers(place, key, values, 3, limit);
}

static double field_value(const cab_field *field, const void *def)
{
    const char *at = (const char *)def + field->offset;
    double real;
    int integer;
    if (field->limit.integer) {
        memcpy(&integer, at, sizeof integer);
        return integer;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

cab_status cab_check_fields(const cab_check_place *place, const cab_field *fields, int count, const void *def)
{
    for (int i = 0; i < count; i++) {
        cab_status status =
            cab_check_number(place, fields[i].key, field_value(&fields[i], def), fields[i].limit);
        if (status) return status;
    }
    return CAB_OK;
}

cab_status cab_check_name(const cab_check_place *place, const char *name)
{
    if (!name || !*name) return cab_check_refuse(place, "name", "a name that is not empty");
    if (strlen(name) > CAB_NAME_MAX)
        return cab_fail(place->error, CAB_ERROR_INPUT, "%s: %s/name: expected at most %d bytes, got %zu",
                        place->scene->source, place->pointer, CAB_NAME_MAX, strlen(name));
    return CAB_OK;
}

cab_status cab_check_twin(const cab_check_place *place, const char *name, const char *list, int twin)
{
    return cab_fail(place->error, CAB_ERROR_INPUT,
                    "%s: %s/name: expected a unique name, \"%s\" is taken by /%s/%d", place->scene->source,
                    place->pointer, name, list, twin);
}

cab_status cab_check_not_zero(const cab_check_place *place, const char *key, const double *values, int count,
                              cab_limit limit)
{
    cab_status status = cab_check_numbers(place, key, values, count, limit);
    double square = 0;
    for (int i = 0; i < count; i++) square += values[i] * values[i];
    if (!status && sqrt(square) < CAB_POINT_GAP)
        status = cab_check_refuse(place, key, "a vector other than zero");
    return status;
}

static const char cable_places[] = "\"start\", \"end\", a number from 0 to 1 or {\"particle\": i}";
static const char sheet_places[] = "{\"particle\": i} or {\"corner\": [0 or 1, 0 or 1]}";

cab_status cab_check_at(const cab_check_place *place, const char *key, const cab_place *at, bool of_sheet)
{
    char particle[CAB_CHECK_KEY];
    bool only_sheets = at->kind == CAB_PLACE_CORNER,
         only_cables = !only_sheets && at->kind != CAB_PLACE_PARTICLE;
    if (of_sheet ? only_cables : only_sheets)
        return cab_check_refuse(place, key, of_sheet ? sheet_places : cable_places);
    switch (at->kind) {
    case CAB_PLACE_CORNER:
        if ((at->particle & 3) == at->particle) return CAB_OK;
        return cab_check_refuse(place, key, sheet_places);
    case CAB_PLACE_START:
    case CAB_PLACE_END:
        return CAB_OK;
    case CAB_PLACE_FRACTION:
        return cab_check_number(place, key, at->fraction, CAB_LIMIT_FRACTION);
    case CAB_PLACE_PARTICLE:
        snprintf(particle, sizeof particle, "%s/particle", key);
        return cab_check_number(place, particle, at->particle, CAB_LIMIT_PARTICLE);
    }
    return cab_check_refuse(place, key, cable_places);
}

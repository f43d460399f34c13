#include "rules/rules.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const cab_requirement_kind kinds[CAB_REQUIREMENT_COUNT] = {
    [CAB_REQUIREMENT_BEND] = {"bend", "Bend radius", "m", .at_least = true},
    [CAB_REQUIREMENT_LENGTH] = {"length", "Elastic change of length", "", .at_least = false},
    [CAB_REQUIREMENT_TENSION] = {"tension", "Tension", "N", .at_least = false},
    [CAB_REQUIREMENT_TORQUE] = {"torque", "Torque", "N m", .at_least = false},
    [CAB_REQUIREMENT_HOLD] = {"hold", "Force at a hold", "N", .at_least = false},
    [CAB_REQUIREMENT_CLEARANCE_COLLIDER] = {"clearance-collider", "Clearance to a collider", "m",
                                            .at_least = true},
    [CAB_REQUIREMENT_CLEARANCE_CABLE] = {"clearance-cable", "Clearance to a cable", "m", .at_least = true},
    [CAB_REQUIREMENT_SAG] = {"sag", "Sag", "m", .at_least = false},
    [CAB_REQUIREMENT_STRETCH] = {"stretch-error", "Error of the length", "", .error = true},
    [CAB_REQUIREMENT_OVERLAP] = {"overlap", "Overlap", "m", .error = true},
};

const cab_requirement_kind *cab_requirement_kind_of(cab_requirement rule)
{
    return &kinds[rule];
}

cab_limits cab_limits_default(void)
{
    return (cab_limits){.bend_at_rest = 6,
                        .bend_moving = 10,
                        .length = 0.005,
                        .tension = NAN,
                        .clearance_collider = NAN,
                        .clearance_cable = NAN,
                        .sag = NAN,
                        .clip_force = NAN,
                        .connector_force = NAN,
                        .hold_force = NAN,
                        .torque = NAN};
}

typedef struct limit_word {
    const char *word;
    size_t offset;
} limit_word;

static const limit_word words[] = {
    {"bend-at-rest", offsetof(cab_limits, bend_at_rest)},
    {"bend-moving", offsetof(cab_limits, bend_moving)},
    {"length", offsetof(cab_limits, length)},
    {"tension", offsetof(cab_limits, tension)},
    {"clearance-collider", offsetof(cab_limits, clearance_collider)},
    {"clearance-cable", offsetof(cab_limits, clearance_cable)},
    {"sag", offsetof(cab_limits, sag)},
    {"clip-force", offsetof(cab_limits, clip_force)},
    {"connector-force", offsetof(cab_limits, connector_force)},
    {"hold-force", offsetof(cab_limits, hold_force)},
    {"torque", offsetof(cab_limits, torque)},
};
enum { WORD_COUNT = sizeof words / sizeof words[0] };

const char *cab_limits_words(void)
{
    return "bend-at-rest, bend-moving, length, tension, clearance-collider, clearance-cable, sag, "
           "clip-force, "
           "connector-force, hold-force or torque";
}

const char *cab_limits_word_of(const cab_limits *limits, size_t offset, bool *set)
{
    int i = 0;
    while (i < WORD_COUNT - 1 && words[i].offset != offset) i++;
    *set = limits->set >> i & 1;
    return words[i].word;
}

cab_status cab_limits_set(cab_limits *limits, const char *text, cab_error *error)
{
    size_t length = strcspn(text, "=");
    for (int i = 0; i < WORD_COUNT && text[length]; i++) {
        if (strlen(words[i].word) != length || strncmp(text, words[i].word, length) != 0) continue;
        const char *number = text + length + 1;
        char *end;
        double value = strtod(number, &end);
        if (end == number || *end || !isfinite(value) || value < 0)
            return cab_fail(error, CAB_ERROR_INPUT, "%s: expected a number from 0, got '%s'", words[i].word,
                            number);
        *(double *)((char *)limits + words[i].offset) = value;
        limits->set |= 1u << i;
        return CAB_OK;
    }
    return cab_fail(error, CAB_ERROR_INPUT, "expected WORD=VALUE, WORD one of %s, got '%s'",
                    cab_limits_words(), text);
}

double cab_requirement_use(cab_requirement rule, double value, double limit)
{
    if (isnan(limit)) return NAN;
    if (!kinds[rule].at_least) return limit > 0 ? value / limit : value > 0 ? INFINITY : 0;
    if (value <= 0) return limit > 0 || value < 0 ? INFINITY : 1;
    return limit / value;
}

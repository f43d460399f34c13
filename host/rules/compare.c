#include "rules/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "io/json/cursor.h"
#include "io/read_file.h"

#define SAME 1e-6 /* of a value: reports have nine digits, and a run is repeated to the last bit */

const char *cab_change_word(cab_change_kind kind)
{
    static const char *const words[CAB_CHANGE_COUNT] = {
        [CAB_CHANGE_BROKEN] = "broken now",      [CAB_CHANGE_KEPT] = "kept now",
        [CAB_CHANGE_FURTHER] = "broken by more", [CAB_CHANGE_LESS] = "broken by less",
        [CAB_CHANGE_OTHER] = "another value",    [CAB_CHANGE_ADDED] = "added",
        [CAB_CHANGE_REMOVED] = "removed",        [CAB_CHANGE_NONE] = "the same",
    };
    return words[kind];
}

const char *cab_standing_word(cab_standing standing)
{
    static const char *const words[] = {"no limit", "kept", "in doubt", "broken"};
    return words[standing];
}

/* ---- reading ---- */

static cab_status load(const char *file, json_t **document, cab_error *error)
{
    char *text = NULL;
    size_t size;
    json_error_t fault;
    bool lost = false;
    cab_status status = cab_read_file(file, &text, &size, error);
    if (!status) *document = cab_json_load(text, size, JSON_REJECT_DUPLICATES, &fault, &lost);
    free(text);
    if (status) return status;
    if (lost) return cab_fail_memory(error, "a report", size);
    return *document ? CAB_OK : cab_json_fail(file, &fault, error);
}

/* A number, or null for what is not finite. */
static cab_status read_number(const cab_cursor *object, const char *key, double *value)
{
    static const cab_limit any = {-1e300, 1e300, false};
    cab_cursor number = cab_cursor_key(object, key);
    *value = NAN;
    if (!number.value || json_is_null(number.value)) return CAB_OK;
    return cab_read_number(&number, any, value);
}

/* What a finding says, into a side of a change that has nothing else. */
static cab_status read_finding(const cab_cursor *finding, cab_change *change, cab_side *side)
{
    cab_cursor rule = cab_cursor_key(finding, "rule"), cable = cab_cursor_key(finding, "cable"),
               part = cab_cursor_key(finding, "part");
    cab_status status = cab_read_text(&rule, "the word of a rule", &change->rule);
    if (!status) status = cab_read_text(&cable, "the name of a cable", &change->cable);
    if (!status) status = cab_read_text(&part, "the name of a part", &change->part);
    if (!status) status = read_number(finding, "value", &side->value);
    if (!status) status = read_number(finding, "limit", &side->limit);
    if (!status) status = read_number(finding, "use", &side->use);
    if (!status) status = read_number(finding, "at", &side->at);
    if (!status) status = read_number(finding, "arc", &side->arc);
    if (status) return status;
    bool broken = json_is_true(json_object_get(finding->value, "broken"));
    change->error = json_is_true(json_object_get(finding->value, "error"));
    if (broken && isnan(side->use)) side->use = INFINITY; /* what let go: JSON has no word for it */
    side->over = broken || (change->error && side->use > 1);
    side->other = json_string_value(json_object_get(finding->value, "other"));
    side->from = json_string_value(json_object_get(finding->value, "from"));
    side->there = true;
    return CAB_OK;
}

static int by_part(const void *x, const void *y)
{
    const cab_change *a = x, *b = y;
    int order = strcmp(a->rule, b->rule);
    if (!order) order = strcmp(a->part, b->part);
    if (!order) order = strcmp(a->cable, b->cable);
    return order;
}

/* Of the same name in the order along the cable. */
static int by_part_and_place(const void *x, const void *y)
{
    const cab_change *a = x, *b = y;
    double at = a->old.there ? a->old.at : a->now.at, other = b->old.there ? b->old.at : b->now.at;
    int order = by_part(x, y);
    return order ? order : (at > other) - (at < other);
}

/* The findings of a report, sorted by part: [*count], to be freed. */
static cab_status read_report(const char *file, bool is_old, json_t **document, cab_change **list, int *count,
                              cab_error *error)
{
    cab_status status = load(file, document, error);
    if (status) return status;
    cab_reader reader = {.file = file, .error = error};
    cab_cursor root = {.value = *document, .reader = &reader}, findings = cab_cursor_key(&root, "findings");
    if (!json_is_object(*document) || !json_is_array(findings.value) ||
        !json_is_string(json_object_get(*document, "verdict")))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: expected a report as `clcable report SCENE -o NAME.json` writes it", file);
    *count = (int)json_array_size(findings.value);
    status = CAB_NEW(*list, *count, error);
    for (int i = 0; i < *count && !status; i++) {
        cab_cursor finding = cab_cursor_item(&findings, (size_t)i);
        if (!json_is_object(finding.value)) return cab_cursor_fail(&finding, "an object");
        cab_change *change = &(*list)[i];
        status = read_finding(&finding, change, is_old ? &change->old : &change->now);
    }
    if (!status && *count) qsort(*list, (size_t)*count, sizeof **list, by_part_and_place);
    return status;
}

/* ---- what changed ---- */

static bool differs(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) != isnan(b);
    return a != b && !(fabs(a - b) <= SAME * fmax(fabs(a), fabs(b)));
}

static cab_change_kind kind_of(const cab_change *c)
{
    const cab_side *old = &c->old, *now = &c->now;
    if (now->over && !old->over) return CAB_CHANGE_BROKEN;
    if (old->over && !now->over) return CAB_CHANGE_KEPT;
    if (!old->there) return CAB_CHANGE_ADDED;
    if (!now->there) return CAB_CHANGE_REMOVED;
    if (old->over && differs(old->use, now->use))
        return now->use > old->use ? CAB_CHANGE_FURTHER : CAB_CHANGE_LESS;
    return differs(old->value, now->value) || differs(old->limit, now->limit) ? CAB_CHANGE_OTHER
                                                                              : CAB_CHANGE_NONE;
}

static double number_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* By how much of its limit it has moved; a limit that is there now, or no more, counts as from or to nothing. */
static double moved(const cab_change *c)
{
    double old = fmin(number_or(c->old.use, 0), 1e30), now = fmin(number_or(c->now.use, 0), 1e30);
    return fabs(now - old);
}

/* By what share of itself the value has. */
static double shifted(const cab_change *c)
{
    if (!c->old.there || !c->now.there) return 1;
    double size = fmax(fabs(c->old.value), fabs(c->now.value));
    return size > 0 ? fabs(c->now.value - c->old.value) / size : 0;
}

static int rank(const cab_change *c)
{
    return c->kind == CAB_CHANGE_BROKEN ? (c->error ? 1 : 0)
           : c->kind == CAB_CHANGE_KEPT ? 2
           : c->kind == CAB_CHANGE_NONE ? 4
                                        : 3;
}

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_weight(const void *x, const void *y)
{
    const cab_change *a = x, *b = y;
    int order = rank(a) - rank(b);
    if (!order) order = by_number(moved(b), moved(a));
    if (!order) order = by_number(shifted(b), shifted(a));
    return order ? order : by_part_and_place(x, y);
}

/* Both lists are sorted by part. */
static cab_status join(cab_comparison *c, const cab_change *old, int old_count, const cab_change *now,
                       int now_count, cab_error *error)
{
    cab_status status = CAB_NEW(c->changes, old_count + now_count, error);
    if (status) return status;
    for (int i = 0, k = 0; i < old_count || k < now_count;) {
        int order = i == old_count ? 1 : k == now_count ? -1 : by_part(&old[i], &now[k]);
        cab_change *change = &c->changes[c->count++];
        *change = order <= 0 ? old[i] : now[k];
        if (order == 0) change->now = now[k].now;
        i += order <= 0;
        k += order >= 0;
        change->kind = kind_of(change);
        c->counts[change->kind]++;
    }
    if (c->count) qsort(c->changes, (size_t)c->count, sizeof *c->changes, by_weight);
    return CAB_OK;
}

/* ---- cables ---- */

static int by_name(const void *x, const void *y)
{
    return strcmp(((const cab_cable_change *)x)->name, ((const cab_cable_change *)y)->name);
}

static cab_cable_change *cable_of(cab_comparison *c, const char *name)
{
    cab_cable_change key = {.name = name};
    return c->cable_count ? bsearch(&key, c->cables, (size_t)c->cable_count, sizeof *c->cables, by_name)
                          : NULL;
}

/* The cables of all changes, each once, sorted by name. */
static cab_status list_cables(cab_comparison *c, cab_error *error)
{
    cab_status status = CAB_NEW(c->cables, c->count, error);
    if (status) return status;
    for (int i = 0; i < c->count; i++) c->cables[i].name = c->changes[i].cable;
    if (c->count) qsort(c->cables, (size_t)c->count, sizeof *c->cables, by_name);
    for (int i = 0; i < c->count; i++)
        if (!c->cable_count || by_name(&c->cables[i], &c->cables[c->cable_count - 1]) != 0)
            c->cables[c->cable_count++] = c->cables[i];
    for (int i = 0; i < c->cable_count; i++) {
        cab_cable_side none = {.use = NAN, .length = NAN, .rest_length = NAN};
        c->cables[i].old = c->cables[i].now = none;
        for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) c->cables[i].change[k] = -1;
    }
    return CAB_OK;
}

static void take_side(cab_cable_side *cable, const cab_side *side, bool error)
{
    if (!side->there) return;
    cab_standing standing = CAB_STANDING_NONE;
    if (side->over)
        standing = error ? CAB_STANDING_DOUBT : CAB_STANDING_BROKEN;
    else if (!error && !isnan(side->use))
        standing = CAB_STANDING_KEPT;
    cable->there = true;
    if (standing > cable->standing) cable->standing = standing;
    if (!error && !isnan(side->use)) cable->use = fmax(number_or(cable->use, 0), side->use);
}

static void take_changes(cab_comparison *c)
{
    for (int i = 0; i < c->count; i++) {
        const cab_change *change = &c->changes[i];
        cab_cable_change *cable = cable_of(c, change->cable);
        take_side(&cable->old, &change->old, change->error);
        take_side(&cable->now, &change->now, change->error);
        for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) {
            bool is = strcmp(cab_requirement_kind_of((cab_requirement)k)->word, change->rule) == 0;
            if (is && k != CAB_REQUIREMENT_HOLD) cable->change[k] = i;
        }
    }
}

/* Lengths, which older reports do not have. */
static cab_status read_lengths(cab_comparison *c, const char *file, json_t *document, bool is_old,
                               cab_error *error)
{
    cab_reader reader = {.file = file, .error = error};
    cab_cursor root = {.value = document, .reader = &reader}, list = cab_cursor_key(&root, "by_cable");
    cab_status status = CAB_OK;
    if (list.value && !json_is_array(list.value)) return cab_cursor_fail(&list, "an array");
    for (size_t i = 0; i < json_array_size(list.value) && !status; i++) {
        cab_cursor item = cab_cursor_item(&list, i), name = cab_cursor_key(&item, "cable");
        const char *text;
        status = cab_read_text(&name, "the name of a cable", &text);
        cab_cable_change *cable = status ? NULL : cable_of(c, text);
        if (!cable) continue;
        cab_cable_side *side = is_old ? &cable->old : &cable->now;
        status = read_number(&item, "length", &side->length);
        if (!status) status = read_number(&item, "rest_length", &side->rest_length);
    }
    return status;
}

static int by_standing(const void *x, const void *y)
{
    const cab_cable_change *a = x, *b = y;
    int worse_a = (int)a->now.standing - (int)a->old.standing,
        worse_b = (int)b->now.standing - (int)b->old.standing;
    int order = by_number(abs(worse_b), abs(worse_a));
    if (!order) order = worse_b - worse_a;
    if (!order) {
        double moved_a = fabs(fmin(number_or(a->now.use, 0), 1e30) - fmin(number_or(a->old.use, 0), 1e30));
        double moved_b = fabs(fmin(number_or(b->now.use, 0), 1e30) - fmin(number_or(b->old.use, 0), 1e30));
        order = by_number(moved_b, moved_a);
    }
    return order ? order : by_name(x, y);
}

static cab_status compare_cables(cab_comparison *c, cab_error *error)
{
    cab_status status = list_cables(c, error);
    if (status) return status;
    take_changes(c);
    status = read_lengths(c, c->old_file, c->old, true, error);
    if (!status) status = read_lengths(c, c->now_file, c->now, false, error);
    for (int i = 0; i < c->cable_count; i++) {
        c->added += !c->cables[i].old.there;
        c->removed += !c->cables[i].now.there;
    }
    if (c->cable_count) qsort(c->cables, (size_t)c->cable_count, sizeof *c->cables, by_standing);
    return status;
}

/* ---- both ---- */

static bool in_doubt(const json_t *report)
{
    return strcmp(json_string_value(json_object_get(report, "verdict")), "in doubt") == 0;
}

cab_status cab_compare(cab_comparison *c, const char *old_file, const char *now_file, cab_error *error)
{
    cab_change *old = NULL, *now = NULL;
    int old_count = 0, now_count = 0;
    *c = (cab_comparison){.old_file = old_file, .now_file = now_file};
    cab_status status = read_report(old_file, true, &c->old, &old, &old_count, error);
    if (!status) status = read_report(now_file, false, &c->now, &now, &now_count, error);
    if (!status) status = join(c, old, old_count, now, now_count, error);
    if (!status) status = compare_cables(c, error);
    if (!status) c->doubted = in_doubt(c->now) && !in_doubt(c->old);
    CAB_FREE(old, now);
    return status;
}

void cab_compare_free(cab_comparison *c)
{
    json_decref(c->old);
    json_decref(c->now);
    CAB_FREE(c->changes, c->cables);
    *c = (cab_comparison){0};
}

bool cab_compare_is_good(const cab_comparison *c)
{
    return !c->counts[CAB_CHANGE_BROKEN] && !c->doubted;
}

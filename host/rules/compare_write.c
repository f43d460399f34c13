/* A comparison of reports as a sentence, as JSON and as a table. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "io/json_text.h"
#include "io/writers.h"
#include "rules/compare.h"
#include "rules/page.h"

/* ---- in words ---- */

static void add(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

static const char *unit_of(const char *rule)
{
    for (int k = 0; k < CAB_REQUIREMENT_COUNT; k++) {
        const cab_requirement_kind *kind = cab_requirement_kind_of((cab_requirement)k);
        if (strcmp(kind->word, rule) == 0) return kind->unit;
    }
    return "m";
}

/* "bend of S4, 32 mm before, 18 mm now, limit 24 mm" */
static void say_change(const cab_change *change, char *text, size_t size)
{
    char old[64], now[64], limit[64];
    const char *unit = unit_of(change->rule);
    const cab_side *side = change->now.there ? &change->now : &change->old;
    cab_page_quantity(old, sizeof old, unit, change->old.value);
    cab_page_quantity(now, sizeof now, unit, change->now.value);
    cab_page_quantity(limit, sizeof limit, unit, side->limit);
    add(text, size, "%s of %s, ", change->rule, change->part);
    if (change->old.there) add(text, size, "%s before, ", old);
    if (change->now.there) add(text, size, "%s now, ", now);
    add(text, size, "limit %s", limit);
}

static int count_errors(const cab_comparison *c, cab_change_kind kind)
{
    int count = 0;
    for (int i = 0; i < c->count; i++) count += c->changes[i].kind == kind && c->changes[i].error;
    return count;
}

static void say_cables(const cab_comparison *c, bool added, char *text, size_t size)
{
    int count = added ? c->added : c->removed, named = 0;
    if (!count) return;
    add(text, size, "; %d %s %s (", count, count == 1 ? "cable is" : "cables are", added ? "new" : "gone");
    for (int i = 0; i < c->cable_count && named < 3; i++) {
        const cab_cable_change *cable = &c->cables[i];
        if ((added ? cable->old.there : cable->now.there)) continue;
        add(text, size, "%s%.60s", named++ ? ", " : "", cable->name);
    }
    add(text, size, "%s)", count > named ? ", ..." : "");
}

void cab_compare_say(const cab_comparison *c, char *text, size_t size)
{
    int errors = count_errors(c, CAB_CHANGE_BROKEN), broken = c->counts[CAB_CHANGE_BROKEN] - errors;
    int kept = c->counts[CAB_CHANGE_KEPT] - count_errors(c, CAB_CHANGE_KEPT);
    int other = c->counts[CAB_CHANGE_OTHER] + c->counts[CAB_CHANGE_FURTHER] + c->counts[CAB_CHANGE_LESS];
    *text = 0;
    if (broken) {
        add(text, size, "%d %s newly broken, the worst: ", broken, broken == 1 ? "limit is" : "limits are");
        say_change(&c->changes[0], text, size);
    } else {
        add(text, size, "no limit is newly broken");
    }
    if (errors)
        add(text, size, "; %d %s of the simulation came up", errors, errors == 1 ? "error" : "errors");
    if (c->doubted) add(text, size, "; the new report is in doubt, and the old one was not");
    if (kept) add(text, size, "; %d %s kept again", kept, kept == 1 ? "limit is" : "limits are");
    if (c->counts[CAB_CHANGE_FURTHER])
        add(text, size, "; %d %s broken by more", c->counts[CAB_CHANGE_FURTHER],
            c->counts[CAB_CHANGE_FURTHER] == 1 ? "is" : "are");
    add(text, size, "; %d of %d values differ", other, c->count);
    say_cables(c, true, text, size);
    say_cables(c, false, text, size);
}

/* ---- as data ---- */

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *side_json(const cab_side *side)
{
    if (!side->there) return json_null();
    return json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "value", cab_json_number(side->value),
                     "limit", cab_json_number(side->limit), "use", cab_json_number(side->use), "over",
                     side->over, "at", cab_json_number(side->at), "arc", cab_json_number(side->arc), "other",
                     text_or_null(side->other), "from", text_or_null(side->from));
}

static json_t *cable_side_json(const cab_cable_side *side)
{
    if (!side->there) return json_null();
    return json_pack("{s:s, s:o, s:o, s:o}", "verdict", cab_standing_word(side->standing), "use",
                     cab_json_number(side->use), "rest_length", cab_json_number(side->rest_length), "length",
                     cab_json_number(side->length));
}

static json_t *cables_json(const cab_comparison *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->cable_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "cable", c->cables[i].name, "old",
                                              cable_side_json(&c->cables[i].old), "new",
                                              cable_side_json(&c->cables[i].now)));
    return list;
}

static json_t *changes_json(const cab_comparison *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->count; i++) {
        const cab_change *change = &c->changes[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:o}", "change", cab_change_word(change->kind),
                            "rule", change->rule, "cable", change->cable, "part", change->part, "error",
                            change->error, "old", side_json(&change->old), "new", side_json(&change->now)));
    }
    return list;
}

/* What a report says of its run. */
static json_t *run_json(const char *file, const json_t *report)
{
    json_t *run = json_pack("{s:s}", "file", file);
    static const char *const keys[] = {"scene",  "status", "verdict", "said",
                                       "method", "frames", "cables",  "broken"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *value = json_object_get(report, keys[i]);
        if (value) json_object_set(run, keys[i], value);
    }
    return run;
}

static json_t *counts_json(const cab_comparison *c)
{
    json_t *counts = json_object();
    for (int k = 0; k < CAB_CHANGE_COUNT; k++)
        json_object_set_new(counts, cab_change_word((cab_change_kind)k), json_integer(c->counts[k]));
    return counts;
}

cab_status cab_compare_write_json(const cab_comparison *c, cab_file *file, cab_error *error)
{
    char said[2000];
    cab_text text = {0};
    cab_json_build();
    cab_compare_say(c, said, sizeof said);
    json_t *root =
        json_pack("{s:s, s:o, s:o, s:b, s:s, s:o, s:i, s:i, s:o, s:o}", "clcable", cab_version(), "old",
                  run_json(c->old_file, c->old), "new", run_json(c->now_file, c->now), "good",
                  cab_compare_is_good(c), "said", said, "counts", counts_json(c), "cables_added", c->added,
                  "cables_removed", c->removed, "by_cable", cables_json(c), "changes", changes_json(c));
    cab_status status = root && !cab_json_lacks() ? cab_json_text(root, &text, error)
                                                  : cab_fail_memory(error, "the comparison", 0);
    if (!status) cab_file_write(file, text.bytes, text.size);
    free(text.bytes);
    json_decref(root);
    return status;
}

static void write_number(cab_file *file, double value)
{
    if (isfinite(value))
        cab_file_print(file, ",%.9g", value + 0);
    else
        cab_file_write(file, ",", 1);
}

void cab_compare_write_csv(const cab_comparison *c, cab_file *file)
{
    cab_file_print(
        file,
        "change,rule,cable,part,old_value,new_value,old_limit,new_limit,old_use,new_use,old_arc,new_arc\n");
    for (int i = 0; i < c->count; i++) {
        const cab_change *change = &c->changes[i];
        const cab_side *old = &change->old, *now = &change->now;
        const double numbers[] = {old->value, now->value, old->limit, now->limit,
                                  old->use,   now->use,   old->arc,   now->arc};
        cab_file_print(file, "%s,%s,", cab_change_word(change->kind), change->rule);
        cab_write_csv_text(file, change->cable);
        cab_file_write(file, ",", 1);
        cab_write_csv_text(file, change->part);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (k % 2 ? now->there : old->there)
                write_number(file, numbers[k]);
            else
                cab_file_write(file, ",", 1);
        cab_file_write(file, "\n", 1);
    }
}

/* Which limit counts for a part of a cable and for a hold, and where it comes from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/names.h"
#include "model/scene.h"
#include "rules/assess.h"

/* What each rule goes by in a table, and without one. */
static const struct {
    cab_tabled tabled;
    size_t word;
} sources[CAB_REQUIREMENT_COUNT] = {
    [CAB_REQUIREMENT_BEND] = {CAB_TABLED_BEND, offsetof(cab_limits, bend_at_rest)},
    [CAB_REQUIREMENT_LENGTH] = {CAB_TABLED_LENGTH, offsetof(cab_limits, length)},
    [CAB_REQUIREMENT_TENSION] = {CAB_TABLED_TENSION, offsetof(cab_limits, tension)},
    [CAB_REQUIREMENT_TORQUE] = {CAB_TABLED_TORQUE, offsetof(cab_limits, torque)},
    [CAB_REQUIREMENT_CLEARANCE_COLLIDER] = {CAB_TABLED_CLEARANCE_COLLIDER,
                                            offsetof(cab_limits, clearance_collider)},
    [CAB_REQUIREMENT_CLEARANCE_CABLE] = {CAB_TABLED_CLEARANCE_CABLE, offsetof(cab_limits, clearance_cable)},
    [CAB_REQUIREMENT_SAG] = {CAB_TABLED_SAG, offsetof(cab_limits, sag)},
    [CAB_REQUIREMENT_STRETCH] = {CAB_TABLED_COUNT, offsetof(cab_limits, length)}, /* not the cable's */
};

static const struct {
    cab_tabled tabled;
    size_t word;
} hold_sources[] = {
    [CAB_PART_ATTACHMENT] = {CAB_TABLED_HOLD, offsetof(cab_limits, hold_force)},
    [CAB_PART_CLIP] = {CAB_TABLED_CLIP, offsetof(cab_limits, clip_force)},
    [CAB_PART_CONNECTOR] = {CAB_TABLED_CONNECTOR, offsetof(cab_limits, connector_force)},
};

static cab_bound from_table(const cab_limit_entry *entry, cab_tabled what)
{
    return (cab_bound){.limit = entry->value[what], .from = CAB_FROM_TABLE, .entry = entry, .what = what};
}

static cab_bound from_word(const cab_assessment *a, size_t word, double scale)
{
    double value = *(const double *)((const char *)&a->limits + word);
    return (cab_bound){
        .limit = scale * value, .from = isnan(value) ? CAB_FROM_NOTHING : CAB_FROM_WORD, .word = word};
}

cab_bound cab_assess_bound(const cab_assessment *a, cab_requirement rule, int section, bool moving)
{
    const cab_section_info *of = &a->sections[section];
    cab_tabled what = sources[rule].tabled;
    if (a->tabled && what < CAB_TABLED_COUNT) {
        const cab_limit_entry *entry = a->tabled[(size_t)section * CAB_TABLED_COUNT + what];
        if (entry) return from_table(entry, what);
    }
    if (rule != CAB_REQUIREMENT_BEND) return from_word(a, sources[rule].word, 1);
    if (of->min_bend_radius > 0)
        return (cab_bound){.limit = of->min_bend_radius, .from = CAB_FROM_MATERIAL, .index = of->material};
    return from_word(a, moving ? offsetof(cab_limits, bend_moving) : sources[rule].word, 2 * of->radius);
}

cab_bound cab_assess_hold_bound(const cab_assessment *a, int hold)
{
    const cab_attachment_info *h = &a->holds[hold];
    const cab_attachment_def *def = &a->scene->attachments[h->attachment];
    if (a->hold_tabled && a->hold_tabled[hold])
        return from_table(a->hold_tabled[hold], hold_sources[def->part].tabled);
    if (isfinite(def->break_force))
        return (cab_bound){.limit = def->break_force, .from = CAB_FROM_HOLD, .index = h->attachment};
    return from_word(a, hold_sources[def->part].word, 1);
}

/* ---- the table ---- */

/* The scene's cable that a cable of the world is, or is a copy of: [cables], to be freed. NULL: no memory. */
static int *list_cables(const cab_assessment *a)
{
    int *def_of = calloc((size_t)a->cable_count + 1, sizeof *def_of);
    for (int def = 0, c = 0; def_of && def < a->scene->cable_count; def++) {
        const int *copies = a->scene->cables[def].copies;
        for (long long k = (long long)copies[0] * copies[1] * copies[2]; k > 0 && c < a->cable_count; k--)
            def_of[c++] = def;
    }
    return def_of;
}

/* A cover that lies over the cable leaves the cable's own material below it; one that stands in its place does not. */
static bool is_instead(const cab_cable_def *def, const char *material)
{
    for (int i = 0; i < def->cover_count; i++)
        if (def->covers[i].instead && strcmp(def->covers[i].material, material) == 0) return true;
    return false;
}

static cab_limit_sought sought_of(const cab_assessment *a, int cable, int def_index, int material)
{
    const cab_cable_def *def = &a->scene->cables[def_index];
    const char *here = a->scene->materials[material].name;
    return (cab_limit_sought){.copy = a->cables[cable].name,
                              .cable = def->name,
                              .parts = def->parts,
                              .part_count = def->part_count,
                              .materials = {here, is_instead(def, here) ? NULL : def->material}};
}

cab_status cab_assess_look_up(cab_assessment *a, cab_error *error)
{
    const cab_limit_table *table = a->limits.table;
    if (!table) return CAB_OK;
    size_t sections = (size_t)a->section_start[a->cable_count];
    a->tabled = calloc(sections * CAB_TABLED_COUNT + 1, sizeof *a->tabled);
    a->hold_tabled = calloc((size_t)a->hold_count + 1, sizeof *a->hold_tabled);
    int *def_of = list_cables(a);
    if (!a->tabled || !a->hold_tabled || !def_of) {
        free(def_of);
        return cab_fail_memory(error, "limits", sections * CAB_TABLED_COUNT * sizeof *a->tabled);
    }
    for (int c = 0; c < a->cable_count; c++) {
        for (int i = a->section_start[c]; i < a->section_start[c + 1]; i++) {
            cab_limit_sought sought = sought_of(a, c, def_of[c], a->sections[i].material);
            for (int k = 0; k < CAB_TABLED_COUNT; k++)
                a->tabled[(size_t)i * CAB_TABLED_COUNT + (size_t)k] =
                    cab_limit_table_find(table, &sought, (cab_tabled)k);
        }
    }
    for (int i = 0; i < a->hold_count; i++) {
        const cab_attachment_info *h = &a->holds[i];
        const cab_attachment_def *def = &a->scene->attachments[h->attachment];
        if (h->body >= a->cable_count) continue;
        cab_limit_sought sought = sought_of(a, h->body, def_of[h->body], a->cables[h->body].material);
        sought.hold = def->name;
        a->hold_tabled[i] = cab_limit_table_find(table, &sought, hold_sources[def->part].tabled);
    }
    free(def_of);
    return CAB_OK;
}

/* ---- in words ---- */

static void say_hold(const cab_assessment *a, int attachment, char *text, size_t size)
{
    static const char *const keys[] = {[CAB_PART_ATTACHMENT] = "break_force",
                                       [CAB_PART_CLIP] = "holding_force",
                                       [CAB_PART_CONNECTOR] = "pull_out_force"};
    snprintf(text, size, "%s/%s", cab_attachment_pointer(a->scene, attachment).text,
             keys[a->scene->attachments[attachment].part]);
}

void cab_assess_from(const cab_assessment *a, const cab_finding *f, char *text, size_t size)
{
    const cab_bound *b = &f->bound;
    bool set = false;
    *text = 0;
    if (b->from == CAB_FROM_TABLE) cab_limit_entry_place(a->limits.table, b->entry, b->what, text, size);
    if (b->from == CAB_FROM_HOLD) say_hold(a, b->index, text, size);
    if (b->from == CAB_FROM_RADIUS) snprintf(text, size, "1 %% of the radius");
    if (b->from == CAB_FROM_MATERIAL) {
        char name[256];
        cab_pointer_escape(a->scene->materials[b->index].name, name, sizeof name);
        snprintf(text, size, "/materials/%s/min_bend_radius", name);
    }
    if (b->from == CAB_FROM_WORD) {
        const char *word = cab_limits_word_of(&a->limits, b->word, &set);
        snprintf(text, size, "%s%s", set ? "--limit " : "by default: ", word);
    }
}

#include "rules/limit_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "io/json/cursor.h"
#include "io/read_file.h"
#include "model/expand.h"
#include "model/names.h"
#include "model/scene.h"

static const char *const list_words[CAB_LIMITS_COUNT] = {
    [CAB_LIMITS_OF_HOLDS] = "holds",
    [CAB_LIMITS_OF_CABLES] = "cables",
    [CAB_LIMITS_OF_PARTS] = "parts",
    [CAB_LIMITS_OF_MATERIALS] = "materials",
};

#define M_LIMIT                                                                                              \
    {                                                                                                        \
        0, 1e6, false                                                                                        \
    } /* m */
#define N_LIMIT                                                                                              \
    {                                                                                                        \
        0, 1e12, false                                                                                       \
    } /* N, N m */

/* A key of an entry and what it limits: `first` to `last`. What comes later goes before. */
typedef struct entry_key {
    const char *word;
    cab_tabled first, last;
    cab_limit limit;
} entry_key;

static const entry_key cable_keys[] = {
    {"min_bend_radius", CAB_TABLED_BEND, CAB_TABLED_BEND, M_LIMIT},
    {"max_tension", CAB_TABLED_TENSION, CAB_TABLED_TENSION, N_LIMIT},
    {"max_torque", CAB_TABLED_TORQUE, CAB_TABLED_TORQUE, N_LIMIT},
    {"max_length_change", CAB_TABLED_LENGTH, CAB_TABLED_LENGTH, {0, 1e6, false}},
    {"max_sag", CAB_TABLED_SAG, CAB_TABLED_SAG, M_LIMIT},
    {"min_clearance", CAB_TABLED_CLEARANCE_COLLIDER, CAB_TABLED_CLEARANCE_CABLE, M_LIMIT},
    {"min_clearance_collider", CAB_TABLED_CLEARANCE_COLLIDER, CAB_TABLED_CLEARANCE_COLLIDER, M_LIMIT},
    {"min_clearance_cable", CAB_TABLED_CLEARANCE_CABLE, CAB_TABLED_CLEARANCE_CABLE, M_LIMIT},
    {"max_clip_force", CAB_TABLED_CLIP, CAB_TABLED_CLIP, N_LIMIT},
    {"max_connector_force", CAB_TABLED_CONNECTOR, CAB_TABLED_CONNECTOR, N_LIMIT},
    {"max_hold_force", CAB_TABLED_HOLD, CAB_TABLED_HOLD, N_LIMIT},
};
static const entry_key hold_keys[] = {{"max_force", CAB_TABLED_CLIP, CAB_TABLED_HOLD, N_LIMIT}};

/* ---- reading ---- */

static cab_status read_entry(const cab_cursor *cursor, cab_limit_entry *entry)
{
    bool hold = entry->list == CAB_LIMITS_OF_HOLDS;
    const entry_key *keys = hold ? hold_keys : cable_keys;
    int count = hold ? CAB_COUNT(hold_keys) : CAB_COUNT(cable_keys);
    const char *words[CAB_COUNT(cable_keys)];
    for (int i = 0; i < count; i++) words[i] = keys[i].word;
    cab_status status = cab_cursor_check_keys(cursor, words, count);
    for (int i = 0; i < count && !status; i++) {
        cab_cursor number = cab_cursor_key(cursor, keys[i].word);
        double value;
        if (!number.value) continue;
        status = cab_read_number(&number, keys[i].limit, &value);
        for (int k = (int)keys[i].first; k <= (int)keys[i].last && !status; k++) {
            entry->key[k] = keys[i].word;
            entry->value[k] = value;
        }
    }
    return status;
}

static cab_status read_list(cab_limit_table *table, const cab_cursor *root, cab_limit_list list)
{
    cab_cursor all = cab_cursor_key(root, list_words[list]);
    const char *name;
    json_t *value;
    if (!all.value) return CAB_OK;
    if (!json_is_object(all.value)) return cab_cursor_fail(&all, "an object of limits by name");
    json_object_foreach(all.value, name, value)
    {
        cab_status status = CAB_ONE_MORE(table->entries, table->count, root->reader->error);
        if (status) return status;
        cab_limit_entry *entry = &table->entries[table->count++];
        *entry = (cab_limit_entry){.list = list, .name = name};
        cab_cursor cursor = cab_cursor_key(&all, name);
        status = read_entry(&cursor, entry);
        if (status) return status;
    }
    return CAB_OK;
}

static cab_status read_document(cab_limit_table *table, const char *text, size_t size, cab_error *error)
{
    json_error_t fault;
    bool lost;
    table->document = cab_json_load(text, size, JSON_REJECT_DUPLICATES, &fault, &lost);
    if (lost) return cab_fail_memory(error, "a table of limits", size);
    if (!table->document) return cab_json_fail(table->file, &fault, error);
    cab_reader reader = {.file = table->file, .error = error};
    cab_cursor root = {.value = table->document, .reader = &reader};
    cab_status status = cab_cursor_check_keys(&root, list_words, CAB_LIMITS_COUNT);
    for (int list = 0; list < CAB_LIMITS_COUNT && !status; list++)
        status = read_list(table, &root, (cab_limit_list)list);
    return status;
}

cab_status cab_limit_table_read(cab_limit_table *table, const char *text, cab_error *error)
{
    char *bytes = NULL;
    size_t size = strlen(text);
    bool file = text[0] == '@';
    *table = (cab_limit_table){.file = strdup(file ? text + 1 : "--limits")};
    if (!table->file) return cab_fail_memory(error, "a table of limits", size);
    if (!file && text[strspn(text, " \t\r\n")] != '{')
        return cab_fail(error, CAB_ERROR_INPUT,
                        "--limits: expected @FILE or a table such as "
                        "'{\"cables\": {\"S1\": {\"max_tension\": 50}}}', got '%.60s'",
                        text);
    cab_status status = file ? cab_read_file(text + 1, &bytes, &size, error) : CAB_OK;
    if (!status) status = read_document(table, file ? bytes : text, size, error);
    free(bytes);
    return status;
}

void cab_limit_table_free(cab_limit_table *table)
{
    json_decref(table->document);
    CAB_FREE(table->file, table->entries);
    *table = (cab_limit_table){0};
}

/* ---- names ---- */

static bool is_cable(const cab_scene *scene, const char *name)
{
    int cable, copy[3];
    return cab_find_cable(scene, "", name, &cable, copy, NULL) == CAB_OK;
}

static bool is_part(const cab_scene *scene, const char *name)
{
    for (int c = 0; c < scene->cable_count; c++)
        for (int i = 0; i < scene->cables[c].part_count; i++)
            if (strcmp(scene->cables[c].parts[i], name) == 0) return true;
    return false;
}

static bool is_hold(const cab_scene *scene, const char *name)
{
    for (int i = 0; i < scene->attachment_count; i++)
        if (scene->attachments[i].name && strcmp(scene->attachments[i].name, name) == 0) return true;
    return false;
}

static bool is_material(const cab_scene *scene, const char *name)
{
    return cab_scene_find_material(scene, name) >= 0;
}

cab_status cab_limit_table_check(const cab_limit_table *table, const cab_scene *scene, cab_error *error)
{
    static const struct {
        bool (*has)(const cab_scene *scene, const char *name);
        const char *what;
    } kinds[CAB_LIMITS_COUNT] = {
        [CAB_LIMITS_OF_HOLDS] = {is_hold, "clip or connector"},
        [CAB_LIMITS_OF_CABLES] = {is_cable, "cable"},
        [CAB_LIMITS_OF_PARTS] = {is_part, "part of a cable"},
        [CAB_LIMITS_OF_MATERIALS] = {is_material, "material"},
    };
    for (int i = 0; i < table->count; i++) {
        const cab_limit_entry *e = &table->entries[i];
        char name[256];
        if (kinds[e->list].has(scene, e->name)) continue;
        cab_pointer_escape(e->name, name, sizeof name);
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /%s/%s: no %s of %s is called so", table->file,
                        list_words[e->list], name, kinds[e->list].what, scene->source);
    }
    return CAB_OK;
}

static const cab_limit_entry *named(const cab_limit_table *table, cab_limit_list list, const char *name,
                                    cab_tabled what)
{
    for (int i = 0; i < table->count && name; i++) {
        const cab_limit_entry *e = &table->entries[i];
        if (e->list == list && e->key[what] && strcmp(e->name, name) == 0) return e;
    }
    return NULL;
}

static const cab_limit_entry *strictest(const cab_limit_table *table, cab_limit_list list,
                                        const char *const *names, int count, cab_tabled what)
{
    bool at_least = what == CAB_TABLED_BEND || what == CAB_TABLED_CLEARANCE_CABLE ||
                    what == CAB_TABLED_CLEARANCE_COLLIDER;
    const cab_limit_entry *strict = NULL;
    for (int i = 0; i < count; i++) {
        const cab_limit_entry *e = named(table, list, names[i], what);
        if (!e) continue;
        bool stricter = !strict || (at_least ? e->value[what] > strict->value[what]
                                             : e->value[what] < strict->value[what]);
        if (stricter) strict = e;
    }
    return strict;
}

const cab_limit_entry *cab_limit_table_find(const cab_limit_table *table, const cab_limit_sought *of,
                                            cab_tabled what)
{
    const cab_limit_entry *e = named(table, CAB_LIMITS_OF_HOLDS, of->hold, what);
    if (!e) e = named(table, CAB_LIMITS_OF_CABLES, of->copy, what);
    if (!e) e = named(table, CAB_LIMITS_OF_CABLES, of->cable, what);
    if (!e) e = strictest(table, CAB_LIMITS_OF_PARTS, of->parts, of->part_count, what);
    return e ? e : strictest(table, CAB_LIMITS_OF_MATERIALS, of->materials, 2, what);
}

void cab_limit_entry_place(const cab_limit_table *table, const cab_limit_entry *entry, cab_tabled what,
                           char *text, size_t size)
{
    char name[256];
    cab_pointer_escape(entry->name, name, sizeof name);
    snprintf(text, size, "%s: /%s/%s/%s", table->file, list_words[entry->list], name, entry->key[what]);
}

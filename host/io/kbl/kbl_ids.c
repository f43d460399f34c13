/* Ids of a KBL file that is written: those of the harness, where they are names that XML allows and no other element has, else made ones. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "io/kbl/kbl_write.h"

/* Letters, digits and a few signs, not a digit first; the letters of other scripts count as letters. */
static bool is_name(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (!isalpha(*c) && *c != '_' && *c < 0x80) return false;
    for (; *c; c++)
        if (!isalnum(*c) && !strchr("_-.", *c) && *c < 0x80) return false;
    return true;
}

static bool take(cab_kbl_writer *w, const char *id)
{
    if (json_object_get(w->used, id)) return false;
    if (json_object_set_new(w->used, id, json_true()) != 0) w->kbl->lost = true;
    return true;
}

const char *cab_kbl_new_id(cab_kbl_writer *w, const char *kind)
{
    char *id = cab_kbl_new(w->kbl, strlen(kind) + 16, 1);
    if (!id) return kind;
    do snprintf(id, strlen(kind) + 16, "%s_%d", kind, ++w->made);
    while (!take(w, id) && !w->kbl->lost);
    return id;
}

/* wanted: "" = none. */
static const char *choose(cab_kbl_writer *w, const char *wanted, const char *kind)
{
    if (is_name(wanted) && take(w, wanted)) return wanted;
    return cab_kbl_new_id(w, kind);
}

/* One id for all that have the same name. */
static const char *choose_shared(cab_kbl_writer *w, json_t *named, const char *wanted, const char *kind)
{
    const char *before = json_string_value(json_object_get(named, wanted));
    if (*wanted && before) return before;
    const char *id = choose(w, wanted, kind);
    if (*wanted && json_object_set_new(named, wanted, json_string(id)) != 0) w->kbl->lost = true;
    return id;
}

static const char **room(cab_kbl_writer *w, int count)
{
    return cab_kbl_new(w->kbl, (size_t)count, sizeof(char *));
}

/* Of a node, segment or wire, which scenes call by its id. */
static const char *choose_own(cab_kbl_writer *w, const char *wanted, const char *kind)
{
    const char *id = choose(w, wanted, kind);
    w->renamed += strcmp(id, wanted) != 0;
    return id;
}

void cab_kbl_choose_ids(cab_kbl_writer *w)
{
    cab_kbl *kbl = w->kbl;
    for (int i = 0; i < CAB_KBL_SHARED; i++)
        if (!(w->named[i] = json_object())) kbl->lost = true;
    json_t *wires = w->named[0], *covers = w->named[1], *on = w->named[2], *fixings = w->named[3];
    w->node = room(w, kbl->node_count), w->segment = room(w, kbl->segment_count);
    w->wire = room(w, kbl->wire_count), w->wire_part = room(w, kbl->wire_count);
    w->cover = room(w, kbl->cover_count), w->cover_part = room(w, kbl->cover_count);
    w->fixing = room(w, kbl->fixing_count);
    for (int i = 0; i < kbl->node_count && !kbl->lost; i++)
        w->node[i] = choose_own(w, kbl->nodes[i].id, "node");
    for (int i = 0; i < kbl->segment_count && !kbl->lost; i++)
        w->segment[i] = choose_own(w, kbl->segments[i].id, "segment");
    for (int i = 0; i < kbl->wire_count && !kbl->lost; i++) {
        w->wire[i] = choose_own(w, kbl->wires[i].id, "wire");
        w->wire_part[i] = choose_shared(w, wires, kbl->wires[i].part_id, "wire_part");
    }
    for (int i = 0; i < kbl->cover_count && !kbl->lost; i++) {
        w->cover[i] = choose_shared(w, on, kbl->covers[i].id, "protection");
        w->cover_part[i] = choose_shared(w, covers, kbl->covers[i].part_id, "protection_part");
    }
    for (int i = 0; i < kbl->fixing_count && !kbl->lost; i++)
        w->fixing[i] = choose_shared(w, fixings, kbl->fixings[i].id, "fixing");
}

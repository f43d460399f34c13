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
static const char *choose_shared(cab_kbl_writer *w, const char *wanted, const char *kind)
{
    const char *before = json_string_value(json_object_get(w->named, wanted));
    if (*wanted && before) return before;
    const char *id = choose(w, wanted, kind);
    if (*wanted && json_object_set_new(w->named, wanted, json_string(id)) != 0) w->kbl->lost = true;
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

/* Of an item: tapes and tubes are known by what they are called. */
static const char *choose_item(cab_kbl_writer *w, const cab_kbl_item *item)
{
    const char *wanted = item->cover >= 0 ? w->kbl->covers[item->cover].id : item->id;
    return choose(w, wanted, is_name(item->word) ? item->word : "item");
}

static void choose_of_items(cab_kbl_writer *w)
{
    const cab_kbl_items *all = &w->items;
    w->item = room(w, all->count), w->part = room(w, all->count);
    w->slot = room(w, all->count), w->housing = room(w, all->count), w->place = room(w, all->count);
    w->contact = room(w, all->pin_count), w->in_cavity = room(w, all->pin_count);
    w->cavity = room(w, all->cavity_count);
    for (int i = 0; i < all->count && !w->kbl->lost; i++) {
        const cab_kbl_item *item = &all->items[i];
        w->item[i] = choose_item(w, item);
        if (item->same == i)
            w->part[i] = choose(w, item->cover >= 0 ? w->kbl->covers[item->cover].part_id : "", "part");
    }
    for (int i = 0; i < all->pin_count && !w->kbl->lost; i++) {
        w->contact[i] = cab_kbl_new_id(w, "contact");
        w->in_cavity[i] = cab_kbl_new_id(w, "in_cavity");
    }
}

void cab_kbl_choose_ids(cab_kbl_writer *w)
{
    cab_kbl *kbl = w->kbl;
    if (!(w->named = json_object())) kbl->lost = true;
    w->node = room(w, kbl->node_count), w->segment = room(w, kbl->segment_count);
    w->wire = room(w, kbl->wire_count), w->wire_part = room(w, kbl->wire_count);
    for (int i = 0; i < kbl->node_count && !kbl->lost; i++)
        w->node[i] = choose_own(w, kbl->nodes[i].id, "node");
    for (int i = 0; i < kbl->segment_count && !kbl->lost; i++)
        w->segment[i] = choose_own(w, kbl->segments[i].id, "segment");
    for (int i = 0; i < kbl->wire_count && !kbl->lost; i++) {
        w->wire[i] = choose_own(w, kbl->wires[i].id, "wire");
        w->wire_part[i] = choose_shared(w, kbl->wires[i].part_id, "wire_part");
    }
    if (!kbl->lost) choose_of_items(w);
}

/* The list of things that a harness is built of, out of its contents and, where these do not know of something, out of the harness. */
#include "io/kbl/items.h"

#include <stdio.h>
#include <string.h>

/* While the list is made. */
typedef struct maker {
    cab_kbl *kbl;
    cab_kbl_items *items;
    json_t *by_id, *by_name; /* indices of items */
    json_t *by_pin,
        *by_part; /* indices of pins and cavities by item and name; of first items by what a part is */
} maker;

static void remember(maker *m, json_t *table, const char *key, int index)
{
    if (*key && !json_object_get(table, key) && json_object_set_new(table, key, json_integer(index)) != 0)
        m->kbl->lost = true;
}

/* -1 = not there. */
static int recall(const json_t *table, const char *key)
{
    const json_t *index = *key ? json_object_get(table, key) : NULL;
    return index ? (int)json_integer_value(index) : -1;
}

static int add_item(maker *m, cab_kbl_item item)
{
    cab_kbl_items *all = m->items;
    cab_kbl_item *larger = cab_kbl_one_more(m->kbl, all->items, all->count, sizeof item);
    if (!larger) return -1;
    item.cover = item.first_pin = item.last_pin = item.first_cavity = item.last_cavity = -1;
    item.same = all->count;
    all->items = larger;
    all->items[all->count] = item;
    remember(m, m->by_id, item.id, all->count);
    return all->count++;
}

static void add_place(maker *m, cab_kbl_item_place place)
{
    cab_kbl_items *all = m->items;
    cab_kbl_item_place *larger = cab_kbl_one_more(m->kbl, all->places, all->place_count, sizeof place);
    if (!larger || place.item < 0) return;
    all->places = larger;
    all->places[all->place_count++] = place;
    all->items[place.item].at_node |= place.node >= 0;
}

/* ---- things and places ---- */

static void add_pieces(maker *m, const cab_kbl_contents *c)
{
    for (int i = 0; c && i < c->piece_count && !m->kbl->lost; i++) {
        const cab_kbl_piece *p = &c->pieces[i];
        add_item(m, (cab_kbl_item){p->kind, p->word, p->id, p->name, p->part, p->text, .mass = 0});
    }
}

static const char *word_of(cab_kbl_kind kind)
{
    static const char *const words[] = {
        [CAB_KBL_CONNECTOR] = "connector", [CAB_KBL_SPLICE] = "splice",
        [CAB_KBL_TERMINAL] = "terminal",   [CAB_KBL_BOX] = "box",
        [CAB_KBL_FIXING] = "fixing",       [CAB_KBL_PROTECTION] = "protection",
        [CAB_KBL_OTHER] = "accessory"};
    return words[kind];
}

static int item_of(maker *m, const cab_kbl_spot *spot)
{
    int index = recall(m->by_id, spot->id);
    if (index < 0)
        index = add_item(m, (cab_kbl_item){spot->kind, word_of(spot->kind), spot->id, spot->name, spot->part,
                                           spot->text, .mass = 0});
    if (index >= 0 && spot->kind == CAB_KBL_CONNECTOR) m->items->items[index].mass = spot->mass;
    return index;
}

/* What the harness knows of at a node and its contents do not. */
static void add_unknown(maker *m, int node, bool named, bool held, bool fixed)
{
    const cab_kbl_node *n = &m->kbl->nodes[node];
    cab_kbl_item_place at = {.node = node, .segment = -1};
    if (n->connector && !named) {
        at.item = add_item(
            m, (cab_kbl_item){CAB_KBL_CONNECTOR, "connector", "", n->connector, "", "", .mass = n->mass});
        add_place(m, at);
    } else if (n->plugged && !held) {
        at.item = add_item(m, (cab_kbl_item){CAB_KBL_TERMINAL, "terminal", "", n->id, "", "", .mass = 0});
        add_place(m, at);
    }
    if (n->fixing && !fixed) {
        at.item = add_item(m, (cab_kbl_item){CAB_KBL_FIXING, "fixing", "", n->fixing, "", "", .mass = 0});
        add_place(m, at);
    }
}

/* Contents have their spots by node, then by segment. */
static void add_places(maker *m, const cab_kbl_contents *c)
{
    int s = 0, spots = c ? c->spot_count : 0;
    for (int i = 0; i < m->kbl->node_count && !m->kbl->lost; i++) {
        bool named = false, held = false, fixed = false;
        for (; s < spots && c->spots[s].node == i && !m->kbl->lost; s++) {
            const cab_kbl_spot *spot = &c->spots[s];
            if (spot->kind == CAB_KBL_PROTECTION) continue;
            add_place(m, (cab_kbl_item_place){item_of(m, spot), i, -1, 0});
            named |= spot->kind == CAB_KBL_CONNECTOR;
            fixed |= spot->kind == CAB_KBL_FIXING;
            held |= spot->kind != CAB_KBL_SPLICE && spot->kind != CAB_KBL_FIXING;
        }
        add_unknown(m, i, named, held, fixed);
    }
    for (; s < spots && !m->kbl->lost; s++) {
        const cab_kbl_spot *spot = &c->spots[s];
        if (spot->segment >= 0 && spot->kind != CAB_KBL_PROTECTION && spot->kind != CAB_KBL_FIXING)
            add_place(m, (cab_kbl_item_place){item_of(m, spot), -1, spot->segment, spot->from});
    }
}

static void add_fixings(maker *m)
{
    cab_kbl *kbl = m->kbl;
    m->items->fixings = cab_kbl_new(kbl, (size_t)kbl->fixing_count, sizeof *m->items->fixings);
    for (int i = 0; i < kbl->fixing_count && !kbl->lost; i++) {
        const cab_kbl_fixing *f = &kbl->fixings[i];
        int item = recall(m->by_id, f->id);
        if (item < 0)
            item = add_item(m, (cab_kbl_item){CAB_KBL_FIXING, "fixing", f->id, f->name, "", "", .mass = 0});
        m->items->fixings[i] = item;
    }
}

static void add_covers(maker *m)
{
    cab_kbl *kbl = m->kbl;
    m->items->covers = cab_kbl_new(kbl, (size_t)kbl->cover_count, sizeof *m->items->covers);
    for (int i = 0; i < kbl->cover_count && !kbl->lost; i++) {
        const cab_kbl_cover *c = &kbl->covers[i];
        int item = recall(m->by_id, c->element);
        if (item < 0)
            item = add_item(m, (cab_kbl_item){CAB_KBL_PROTECTION, "protection", c->element, c->id, c->number,
                                              c->text, .mass = 0});
        if (item < 0) return;
        m->items->covers[i] = item;
        if (m->items->items[item].cover < 0) m->items->items[item].cover = i;
    }
}

/* ---- pins ---- */

/* Several things may have the same name: a wire ends in a connector, splice or box before it ends in a terminal at a node, and in that
 * before another terminal. */
static void name_items(maker *m)
{
    const cab_kbl_items *all = m->items;
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < all->count && !m->kbl->lost; i++) {
            const cab_kbl_item *item = &all->items[i];
            bool has_pins =
                item->kind == CAB_KBL_CONNECTOR || item->kind == CAB_KBL_SPLICE || item->kind == CAB_KBL_BOX;
            if (has_pins || (pass && item->kind == CAB_KBL_TERMINAL && (pass == 2 || item->at_node)))
                remember(m, m->by_name, item->name, i);
        }
    }
}

/* The index of a pin or cavity of an item in one of the two lists; made where there is none. kind: of the list, in the table's keys. */
static int pin_of(maker *m, char kind, int item, const char *name, int *first, int *last)
{
    cab_kbl_items *all = m->items;
    cab_kbl_pin **list = kind == 'p' ? &all->pins : &all->cavities;
    int *count = kind == 'p' ? &all->pin_count : &all->cavity_count;
    size_t room = strlen(name) + 24;
    char *key = cab_kbl_new(m->kbl, room, 1);
    if (!key) return -1;
    snprintf(key, room, "%c%d %s", kind, item, name);
    int index = recall(m->by_pin, key);
    if (index >= 0) return index;
    cab_kbl_pin *larger = cab_kbl_one_more(m->kbl, *list, *count, sizeof *larger);
    if (!larger) return -1;
    index = (*count)++;
    larger[index] = (cab_kbl_pin){.name = name, .item = item, .cavity = -1, .next = -1};
    if (*last >= 0) larger[*last].next = index;
    if (*first < 0) *first = index;
    *last = index;
    *list = larger;
    remember(m, m->by_pin, key, index);
    return index;
}

static int end_in(maker *m, const cab_kbl_end *end)
{
    if (!*end->name) return -1;
    int index = recall(m->by_name, end->name);
    if (index < 0 && m->kbl->vec)
        return -1;   /* a component of the schematic, which is no part of the harness */
    if (index < 0) { /* in an assembly, of which the list of parts knows the whole alone */
        index = add_item(m, (cab_kbl_item){CAB_KBL_CONNECTOR, "connector", "", end->name, "", "", .mass = 0});
        if (index >= 0) remember(m, m->by_name, end->name, index);
    }
    if (index < 0) return -1;
    cab_kbl_item *item = &m->items->items[index];
    return pin_of(m, 'p', index, end->pin, &item->first_pin, &item->last_pin);
}

static void find_pins(maker *m, const cab_kbl_contents *c)
{
    cab_kbl *kbl = m->kbl;
    m->items->ends = cab_kbl_new(kbl, (size_t)kbl->wire_count, sizeof *m->items->ends);
    if (!kbl->lost) name_items(m);
    for (int i = 0; i < kbl->wire_count && !kbl->lost; i++)
        for (int k = 0; k < 2 && !kbl->lost; k++)
            m->items->ends[i][k] = c ? end_in(m, &c->leads[i].ends[k]) : -1;
}

/* ---- parts ---- */

/* All that is told of a part, in one text. */
static const char *part_key(maker *m, const cab_kbl_item *item)
{
    static const cab_kbl_cover none = {.part_id = "", .kind = CAB_KBL_COVER_OTHER};
    const cab_kbl_cover *c = item->cover >= 0 ? &m->kbl->covers[item->cover] : &none;
    size_t room = strlen(item->word) + strlen(item->part) + strlen(item->text) + strlen(c->part_id) + 200;
    char *key = cab_kbl_new(m->kbl, room, 1);
    if (!key) return "";
    snprintf(key, room, "%s\n%s\n%s\n%.17g\n%d\n%s\n%d %.17g %.17g %.17g %.17g", item->word, item->part,
             item->text, item->mass, item->cover >= 0, c->part_id, (int)c->kind, c->mass, c->inner, c->outer,
             c->thickness);
    return key;
}

static void find_parts(maker *m)
{
    cab_kbl_items *all = m->items;
    for (int i = 0; i < all->count && !m->kbl->lost; i++) {
        const char *key = part_key(m, &all->items[i]);
        int first = recall(m->by_part, key);
        if (first >= 0)
            all->items[i].same = first;
        else
            remember(m, m->by_part, key, i);
    }
    for (int i = 0; i < all->pin_count && !m->kbl->lost; i++) {
        int part = all->items[all->pins[i].item].same;
        cab_kbl_item *item = &all->items[part];
        all->pins[i].cavity =
            pin_of(m, 'c', part, all->pins[i].name, &item->first_cavity, &item->last_cavity);
    }
}

void cab_kbl_list_items(cab_kbl *kbl, cab_kbl_items *items)
{
    const cab_kbl_contents *c = kbl->contents;
    maker m = {kbl, items, json_object(), json_object(), json_object(), json_object()};
    *items = (cab_kbl_items){.items = NULL};
    if (!m.by_id || !m.by_name || !m.by_pin || !m.by_part) kbl->lost = true;
    if (!kbl->lost) add_pieces(&m, c);
    if (!kbl->lost) add_places(&m, c);
    if (!kbl->lost) add_fixings(&m);
    if (!kbl->lost) add_covers(&m);
    if (!kbl->lost) find_pins(&m, c);
    if (!kbl->lost) find_parts(&m);
    json_decref(m.by_id);
    json_decref(m.by_name);
    json_decref(m.by_pin);
    json_decref(m.by_part);
}

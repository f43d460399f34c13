/* Parts and occurrences of what a harness is built of, as KBL, with the pins that wires end in, and the connections between these. */
#include <stdio.h>
#include <string.h>

#include "io/kbl/kbl_write.h"

/* What a word is written as; what has no word here is an accessory. */
static const struct {
    const char *word, *part, *occurrence;
} forms[] = {
    {"connector", "Connector_housing", "Connector_occurrence"},
    {"splice", "Connector_housing", "Connector_occurrence"},
    {"terminal", "General_terminal", "Terminal_occurrence"},
    {"box", "Component_box", "Component_box_occurrence"},
    {"fixing", "Fixing", "Fixing_occurrence"},
    {"protection", "Wire_protection", "Wire_protection_occurrence"},
    {"seal", "Cavity_seal", "Cavity_seal_occurrence"},
    {"plug", "Cavity_plug", "Cavity_plug_occurrence"},
    {"component", "Component", "Component_occurrence"},
    {"co-pack", "Co_pack_part", "Co_pack_occurrence"},
    {"assembly", "Assembly_part", "Assembly_part_occurrence"},
};

static const char *part_of(const cab_kbl_item *item)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].word, item->word) == 0) return forms[i].part;
    return "Accessory";
}

static const char *occurrence_of(const cab_kbl_item *item)
{
    if (item->kind == CAB_KBL_TERMINAL && item->at_node) return "Special_terminal_occurrence";
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].word, item->word) == 0) return forms[i].occurrence;
    return "Accessory_occurrence";
}

static bool is_connector(const cab_kbl_item *item)
{
    return item->kind == CAB_KBL_CONNECTOR || item->kind == CAB_KBL_SPLICE;
}

/* What KBL has pins of: a wire cannot end in a terminal without a housing. */
static bool has_pins(const cab_kbl_item *item)
{
    return is_connector(item) || item->kind == CAB_KBL_BOX;
}

/* ---- parts ---- */

static void write_protection(cab_kbl_writer *w, xmlNode *part, const cab_kbl_cover *c)
{
    char sizes[120] = "";
    size_t end = 0;
    cab_kbl_leaf(w, part, "Protection_type", cab_kbl_kind_word(c->kind));
    if (c->inner > 0) end += (size_t)snprintf(sizes, sizeof sizes, "D(i)=%.12f", 1e3 * c->inner);
    if (c->outer > 0)
        end +=
            (size_t)snprintf(sizes + end, sizeof sizes - end, "%sD(a)=%.12f", end ? " " : "", 1e3 * c->outer);
    if (c->thickness > 0)
        snprintf(sizes + end, sizeof sizes - end, "%sthickness=%.12f", end ? " " : "", 1e3 * c->thickness);
    if (*sizes) cab_kbl_leaf(w, part, "Type_dependent_parameter", sizes);
}

/* A slot with all pins that something ends in. list: what a part calls its slots */
static void write_cavities(cab_kbl_writer *w, xmlNode *part, const char *list, int number)
{
    const cab_kbl_item *item = &w->items.items[number];
    char text[24];
    int count = 0;
    for (int i = item->first_cavity; i >= 0; i = w->items.cavities[i].next) count++;
    w->slot[number] = cab_kbl_new_id(w, "slot");
    xmlNode *slot = cab_kbl_element(w, part, list, w->slot[number]);
    cab_kbl_set_type(w, slot, "kbl:Slot");
    snprintf(text, sizeof text, "%d", count);
    cab_kbl_leaf(w, slot, "Number_of_cavities", text);
    for (int i = item->first_cavity; i >= 0; i = w->items.cavities[i].next) {
        w->cavity[i] = cab_kbl_new_id(w, "cavity");
        cab_kbl_leaf(w, cab_kbl_element(w, slot, "Cavities", w->cavity[i]), "Cavity_number",
                     w->items.cavities[i].name);
    }
}

static void write_part(cab_kbl_writer *w, int number)
{
    const cab_kbl_item *item = &w->items.items[number];
    const cab_kbl_cover *cover = item->cover >= 0 ? &w->kbl->covers[item->cover] : NULL;
    xmlNode *part =
        cab_kbl_part(w, w->root, part_of(item), w->part[number], item->part, item->text,
                     cover ? CAB_KBL_GRAM_PER_METRE : CAB_KBL_GRAM, cover ? cover->mass : item->mass);
    if (cover) write_protection(w, part, cover);
    if (item->first_cavity < 0 || !has_pins(item)) return;
    if (is_connector(item)) {
        write_cavities(w, part, "Slots", number);
        return;
    }
    w->housing[number] = cab_kbl_new_id(w, "housing");
    xmlNode *inside = cab_kbl_element(w, part, "Component_box_connectors", w->housing[number]);
    cab_kbl_leaf(w, inside, "Id", "1");
    write_cavities(w, inside, "Integrated_slots", number);
}

void cab_kbl_write_parts(cab_kbl_writer *w, const char *element)
{
    for (int i = 0; i < w->items.count && !w->kbl->lost; i++)
        if (w->items.items[i].same == i && strcmp(part_of(&w->items.items[i]), element) == 0)
            write_part(w, i);
}

/* ---- occurrences ---- */

static void write_contacts(cab_kbl_writer *w, xmlNode *one, const cab_kbl_item *item)
{
    for (int i = item->first_pin; i >= 0; i = w->items.pins[i].next) {
        xmlNode *point = cab_kbl_element(w, one, "Contact_points", w->contact[i]);
        cab_kbl_leaf(w, point, "Id", w->items.pins[i].name);
        cab_kbl_leaf(w, point, "Contacted_cavity", w->in_cavity[i]);
    }
}

static void write_slot(cab_kbl_writer *w, xmlNode *one, const cab_kbl_item *item)
{
    if (item->first_pin < 0) return;
    xmlNode *slot = cab_kbl_element(w, one, "Slots", cab_kbl_new_id(w, "slot_of"));
    cab_kbl_set_type(w, slot, "kbl:Slot_occurrence");
    cab_kbl_leaf(w, slot, "Part", w->slot[item->same]);
    for (int i = item->first_pin; i >= 0; i = w->items.pins[i].next)
        cab_kbl_leaf(w, cab_kbl_element(w, slot, "Cavities", w->in_cavity[i]), "Part",
                     w->cavity[w->items.pins[i].cavity]);
}

/* The place of a fixing that has one. */
static void write_placement(cab_kbl_writer *w, xmlNode *one, const char *place)
{
    if (!place) return;
    xmlNode *at = cab_kbl_element(w, one, "Placement", cab_kbl_new_id(w, "placement"));
    cab_kbl_leaf_vector(w, at, "U", (cab_vec3){1, 0, 0});
    cab_kbl_leaf_vector(w, at, "V", (cab_vec3){0, 1, 0});
    cab_kbl_leaf(w, at, "Cartesian_point", place);
}

static void write_occurrence(cab_kbl_writer *w, xmlNode *harness, int number)
{
    const cab_kbl_item *item = &w->items.items[number];
    xmlNode *one = cab_kbl_element(w, harness, occurrence_of(item), w->item[number]);
    cab_kbl_leaf(w, one, "Id", item->name);
    if (item->kind == CAB_KBL_SPLICE) cab_kbl_leaf(w, one, "Usage", "splice");
    write_placement(w, one, w->place[number]);
    cab_kbl_leaf(w, one, "Part", w->part[item->same]);
    if (is_connector(item)) {
        write_contacts(w, one, item);
        write_slot(w, one, item);
    } else if (item->kind == CAB_KBL_BOX && item->first_pin >= 0) {
        xmlNode *inside =
            cab_kbl_element(w, one, "Component_box_connectors", cab_kbl_new_id(w, "housing_of"));
        cab_kbl_leaf(w, inside, "Part", w->housing[item->same]);
        write_slot(w, inside, item);
        write_contacts(w, one, item);
    }
}

void cab_kbl_write_occurrences(cab_kbl_writer *w, xmlNode *harness, const char *element)
{
    for (int i = 0; i < w->items.count && !w->kbl->lost; i++)
        if (strcmp(occurrence_of(&w->items.items[i]), element) == 0) write_occurrence(w, harness, i);
}

/* ---- connections ---- */

/* NULL = KBL has no contact point for it. */
static const char *contact_of(const cab_kbl_writer *w, int wire, int end)
{
    int pin = w->items.ends[wire][end];
    return pin >= 0 && has_pins(&w->items.items[w->items.pins[pin].item]) ? w->contact[pin] : NULL;
}

/* Of wires of which both ends are known. */
void cab_kbl_write_connections(cab_kbl_writer *w, xmlNode *harness)
{
    for (int i = 0; i < w->kbl->wire_count && !w->kbl->lost; i++) {
        if (!contact_of(w, i, 0) || !contact_of(w, i, 1)) continue;
        xmlNode *connection = cab_kbl_element(w, harness, "Connection", cab_kbl_new_id(w, "connection"));
        const char *signal = w->kbl->contents->leads[i].signal;
        if (*signal) cab_kbl_leaf(w, connection, "Signal_name", signal);
        cab_kbl_leaf(w, connection, "Wire", w->wire[i]);
        for (int k = 0; k < 2; k++) {
            xmlNode *end = cab_kbl_element(w, connection, "Extremities", cab_kbl_new_id(w, "end"));
            cab_kbl_leaf(w, end, "Position_on_wire", k ? "1" : "0");
            cab_kbl_leaf(w, end, "Contact_point", contact_of(w, i, k));
        }
    }
}

/* ---- where they are ---- */

static bool is_referred_to(const cab_kbl_writer *w, const cab_kbl_item_place *place)
{
    return w->items.items[place->item].kind != CAB_KBL_FIXING;
}

void cab_kbl_write_references(cab_kbl_writer *w, xmlNode *element, int node, int *next)
{
    const cab_kbl_item_place *places = w->items.places;
    size_t room = 1;
    int end = *next;
    for (; end < w->items.place_count && places[end].node == node; end++)
        room += strlen(w->item[places[end].item]) + 1;
    char *list = cab_kbl_new(w->kbl, room, 1), *at = list;
    for (int i = *next; i < end && list; i++)
        if (is_referred_to(w, &places[i]))
            at += snprintf(at, room - (size_t)(at - list), "%s%s", at > list ? " " : "",
                           w->item[places[i].item]);
    if (at > list) cab_kbl_leaf(w, element, "Referenced_components", list);
    *next = end;
}

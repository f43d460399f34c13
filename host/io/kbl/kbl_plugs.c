/* What is plugged in at nodes, with the pins that wires end in, and the connections between these. */
#include <stdio.h>
#include <string.h>

#include "io/kbl/kbl_write.h"

static bool is_connector(const cab_kbl_plug *plug)
{
    return plug->kind == CAB_KBL_CONNECTOR || plug->kind == CAB_KBL_SPLICE;
}

static void add_plug(cab_kbl_writer *w, cab_kbl_plug plug)
{
    cab_kbl_plug *larger = cab_kbl_one_more(w->kbl, w->plugs, w->plug_count, sizeof plug);
    if (!larger) return;
    plug.element = cab_kbl_new_id(w, is_connector(&plug) ? "connector" : "terminal");
    plug.part_element = cab_kbl_new_id(w, is_connector(&plug) ? "housing" : "terminal_part");
    plug.pins = json_object();
    if (json_array_append_new(w->pins, plug.pins) != 0) w->kbl->lost = true;
    w->plugs = larger;
    w->plugs[w->plug_count++] = plug;
}

/* Those at a node, in the order of the file; the first connector has the mass of all. Where the harness knows of something that is none of
 * them, that too. */
static void add_at_node(cab_kbl_writer *w, int node, const cab_kbl_spot *spots, int count)
{
    const cab_kbl_node *n = &w->kbl->nodes[node];
    bool named = false, held = false;
    for (int i = 0; i < count; i++) {
        const cab_kbl_spot *s = &spots[i];
        if (s->node != node || (s->kind != CAB_KBL_CONNECTOR && s->kind != CAB_KBL_SPLICE &&
                                s->kind != CAB_KBL_TERMINAL && s->kind != CAB_KBL_BOX))
            continue;
        if (s->kind == CAB_KBL_CONNECTOR && !n->connector) continue;
        bool first = s->kind == CAB_KBL_CONNECTOR && !named;
        named |= first, held |= s->kind != CAB_KBL_SPLICE;
        add_plug(w, (cab_kbl_plug){.kind = s->kind,
                                   .node = node,
                                   .name = first ? n->connector : s->name,
                                   .part = s->part,
                                   .text = s->text,
                                   .mass = first ? n->mass : 0});
    }
    if (n->connector && !named)
        add_plug(w, (cab_kbl_plug){.kind = CAB_KBL_CONNECTOR,
                                   .node = node,
                                   .name = n->connector,
                                   .part = "",
                                   .text = "",
                                   .mass = n->mass});
    if (n->plugged && !n->connector && !held)
        add_plug(
            w, (cab_kbl_plug){.kind = CAB_KBL_TERMINAL, .node = node, .name = n->id, .part = "", .text = ""});
}

/* The contact point of a pin; made where there is none. */
static const char *contact_of(cab_kbl_writer *w, const json_t *by_name, const cab_kbl_end *end)
{
    const json_t *index = *end->name ? json_object_get(by_name, end->name) : NULL;
    if (!index) return NULL;
    json_t *pins = w->plugs[json_integer_value(index)].pins;
    const char *before = json_string_value(json_object_get(pins, end->pin));
    if (before) return before;
    if (json_object_set_new(pins, end->pin, json_string(cab_kbl_new_id(w, "contact"))) != 0)
        w->kbl->lost = true;
    return json_string_value(json_object_get(pins, end->pin));
}

static void find_contacts(cab_kbl_writer *w)
{
    const cab_kbl_contents *c = w->kbl->contents;
    json_t *by_name = json_object();
    w->contact = cab_kbl_new(w->kbl, (size_t)w->kbl->wire_count, sizeof *w->contact);
    if (!by_name) w->kbl->lost = true;
    for (int i = 0; i < w->plug_count && !w->kbl->lost; i++) {
        if (!is_connector(&w->plugs[i]) || json_object_get(by_name, w->plugs[i].name)) continue;
        if (json_object_set_new(by_name, w->plugs[i].name, json_integer(i)) != 0) w->kbl->lost = true;
    }
    for (int i = 0; c && i < w->kbl->wire_count && !w->kbl->lost; i++)
        for (int k = 0; k < 2; k++) w->contact[i][k] = contact_of(w, by_name, &c->leads[i].ends[k]);
    json_decref(by_name);
}

void cab_kbl_find_plugs(cab_kbl_writer *w)
{
    const cab_kbl_contents *c = w->kbl->contents;
    int from = 0, to = 0;
    for (int i = 0; i < w->kbl->node_count && !w->kbl->lost; i++) {
        /* spots are in the order of nodes, those on segments behind them; of VEC in any */
        for (from = to = w->kbl->vec ? 0 : to;
             c && to < c->spot_count && (w->kbl->vec || c->spots[to].node == i);)
            to++;
        add_at_node(w, i, c && c->spots ? c->spots + from : NULL, to - from);
    }
    if (!w->kbl->lost) find_contacts(w);
}

/* A slot with all pins that something ends in. */
static void write_cavities(cab_kbl_writer *w, xmlNode *housing, cab_kbl_plug *plug)
{
    const char *pin;
    json_t *contact;
    char text[24];
    if (!json_object_size(plug->pins)) return;
    plug->slot = cab_kbl_new_id(w, "slot");
    xmlNode *slot = cab_kbl_element(w, housing, "Slots", plug->slot);
    cab_kbl_set_type(w, slot, "kbl:Slot");
    snprintf(text, sizeof text, "%d", (int)json_object_size(plug->pins));
    cab_kbl_leaf(w, slot, "Number_of_cavities", text);
    json_object_foreach(plug->pins, pin, contact)
    {
        char id[80];
        snprintf(id, sizeof id, "%.60s_cavity", json_string_value(contact));
        cab_kbl_leaf(w, cab_kbl_element(w, slot, "Cavities", id), "Cavity_number", pin);
    }
}

void cab_kbl_write_housings(cab_kbl_writer *w, bool connectors)
{
    for (int i = 0; i < w->plug_count && !w->kbl->lost; i++) {
        cab_kbl_plug *p = &w->plugs[i];
        if (is_connector(p) != connectors) continue;
        xmlNode *part = cab_kbl_part(w, w->root, connectors ? "Connector_housing" : "General_terminal",
                                     p->part_element, p->part, p->text, CAB_KBL_GRAM, p->mass);
        if (connectors) write_cavities(w, part, p);
    }
}

static void write_contacts(cab_kbl_writer *w, xmlNode *connector, const cab_kbl_plug *plug)
{
    const char *pin;
    json_t *contact;
    char id[80];
    json_object_foreach(plug->pins, pin, contact)
    {
        xmlNode *point = cab_kbl_element(w, connector, "Contact_points", json_string_value(contact));
        cab_kbl_leaf(w, point, "Id", pin);
        snprintf(id, sizeof id, "%.60s_in", json_string_value(contact));
        cab_kbl_leaf(w, point, "Contacted_cavity", id);
    }
    if (!json_object_size(plug->pins)) return;
    xmlNode *slot = cab_kbl_element(w, connector, "Slots", cab_kbl_new_id(w, "slot"));
    cab_kbl_set_type(w, slot, "kbl:Slot_occurrence");
    cab_kbl_leaf(w, slot, "Part", plug->slot);
    json_object_foreach(plug->pins, pin, contact)
    {
        snprintf(id, sizeof id, "%.60s_in", json_string_value(contact));
        xmlNode *cavity = cab_kbl_element(w, slot, "Cavities", id);
        snprintf(id, sizeof id, "%.60s_cavity", json_string_value(contact));
        cab_kbl_leaf(w, cavity, "Part", id);
    }
}

void cab_kbl_write_plugs(cab_kbl_writer *w, xmlNode *harness, bool connectors)
{
    for (int i = 0; i < w->plug_count && !w->kbl->lost; i++) {
        const cab_kbl_plug *p = &w->plugs[i];
        if (is_connector(p) != connectors) continue;
        xmlNode *one = cab_kbl_element(
            w, harness, connectors ? "Connector_occurrence" : "Special_terminal_occurrence", p->element);
        cab_kbl_leaf(w, one, "Id", p->name);
        if (p->kind == CAB_KBL_SPLICE) cab_kbl_leaf(w, one, "Usage", "splice");
        cab_kbl_leaf(w, one, "Part", p->part_element);
        if (connectors) write_contacts(w, one, p);
    }
}

/* Of wires of which both ends are known. */
void cab_kbl_write_connections(cab_kbl_writer *w, xmlNode *harness)
{
    for (int i = 0; i < w->kbl->wire_count && !w->kbl->lost; i++) {
        const char *const *contact = w->contact[i];
        if (!contact[0] || !contact[1]) continue;
        xmlNode *connection = cab_kbl_element(w, harness, "Connection", cab_kbl_new_id(w, "connection"));
        const char *signal = w->kbl->contents->leads[i].signal;
        if (*signal) cab_kbl_leaf(w, connection, "Signal_name", signal);
        cab_kbl_leaf(w, connection, "Wire", w->wire[i]);
        for (int k = 0; k < 2; k++) {
            xmlNode *end = cab_kbl_element(w, connection, "Extremities", cab_kbl_new_id(w, "end"));
            cab_kbl_leaf(w, end, "Position_on_wire", k ? "1" : "0");
            cab_kbl_leaf(w, end, "Contact_point", contact[k]);
        }
    }
}

void cab_kbl_write_references(cab_kbl_writer *w, xmlNode *element, int node, int *next)
{
    size_t room = 1;
    int end = *next;
    for (; end < w->plug_count && w->plugs[end].node == node; end++)
        room += strlen(w->plugs[end].element) + 1;
    char *list = cab_kbl_new(w->kbl, room, 1), *at = list;
    for (int i = *next; i < end && list; i++)
        at += snprintf(at, room - (size_t)(at - list), "%s%s", i > *next ? " " : "", w->plugs[i].element);
    if (list && end > *next) cab_kbl_leaf(w, element, "Referenced_components", list);
    *next = end;
}

/* A harness as KBL 2.4. Lists stand in the order of the schema; ids are chosen first, so that elements may refer to what follows. */
#include "io/kbl/kbl_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text_stream.h"
#include "io/kbl/write.h"

/* What has no name in a harness, and is needed by the elements that refer to it; by index of nodes and curves' points. */
typedef struct points {
    const char **node; /* ids of their places; NULL = it has none */
    char **controls;   /* of all curves one after the other: the ids of their points, with blanks */
    int curve_count;
} points;

/* ---- points and parts ---- */

static char *list_controls(cab_kbl_writer *w, const cab_kbl_curve *curve)
{
    size_t room = (size_t)curve->count * 24 + 1; /* "point_" and ten digits, and a blank */
    char *list = cab_kbl_new(w->kbl, room, 1), *end = list;
    for (int i = 0; i < curve->count && list; i++)
        end += snprintf(end, room - (size_t)(end - list), "%s%s", i ? " " : "",
                        cab_kbl_point(w, curve->points[i]));
    return list;
}

static void write_points(cab_kbl_writer *w, points *p)
{
    cab_kbl *kbl = w->kbl;
    int curves = 0;
    for (int s = 0; s < kbl->segment_count; s++) curves += kbl->segments[s].curve_count;
    p->node = cab_kbl_new(kbl, (size_t)kbl->node_count, sizeof *p->node);
    p->controls = cab_kbl_new(kbl, (size_t)curves, sizeof *p->controls);
    if (kbl->lost) return;
    for (int i = 0; i < kbl->node_count; i++)
        if (kbl->nodes[i].placed) p->node[i] = cab_kbl_point(w, kbl->nodes[i].place);
    for (int i = 0; i < kbl->fixing_count; i++) {
        const char **place = &w->place[w->items.fixings[i]];
        if (kbl->fixings[i].placed && !*place) *place = cab_kbl_point(w, kbl->fixings[i].place);
    }
    for (int s = 0; s < kbl->segment_count; s++)
        for (int k = 0; k < kbl->segments[s].curve_count && !kbl->lost; k++)
            p->controls[p->curve_count++] = list_controls(w, &kbl->segments[s].curves[k]);
}

/* The first of those with the same id. */
static bool is_first(cab_kbl_writer *w, const char *const *ids, int index, json_t *seen)
{
    if (json_object_get(seen, ids[index])) return false;
    if (json_object_set_new(seen, ids[index], json_true()) != 0) w->kbl->lost = true;
    return true;
}

static void write_colour(cab_kbl_writer *w, xmlNode *part, const char *type, const char *value, size_t length)
{
    char text[100];
    snprintf(text, sizeof text, "%.*s", (int)(length < 99 ? length : 99), value);
    xmlNode *colour = cab_kbl_element(w, part, "Cover_colour", cab_kbl_new_id(w, "colour"));
    cab_kbl_leaf(w, colour, "Colour_type", type);
    cab_kbl_leaf(w, colour, "Colour_value", length ? text : "/NULL"); /* one is asked for */
}

/* "black/red" */
static void write_colours(cab_kbl_writer *w, xmlNode *part, const char *colours)
{
    const char *type = "Base Color";
    do {
        size_t length = strcspn(colours, "/");
        write_colour(w, part, type, colours, length);
        colours += length + (colours[length] == '/');
        type = "Tracer Color";
    } while (*colours);
}

static void write_wire_parts(cab_kbl_writer *w)
{
    json_t *seen = json_object();
    for (int i = 0; i < w->kbl->wire_count && !w->kbl->lost; i++) {
        const cab_kbl_wire *wire = &w->kbl->wires[i];
        if (!is_first(w, w->wire_part, i, seen)) continue;
        xmlNode *part = cab_kbl_part(w, w->root, "General_wire", w->wire_part[i], wire->number, "",
                                     CAB_KBL_GRAM_PER_METRE, wire->mass);
        cab_kbl_quantity(w, part, "Bend_radius", CAB_KBL_MM, wire->bend_radius);
        cab_kbl_quantity(w, part, "Cross_section_area", CAB_KBL_MM2, wire->area);
        cab_kbl_quantity(w, part, "Outside_diameter", CAB_KBL_MM, wire->diameter);
        write_colours(w, part, w->kbl->contents ? w->kbl->contents->leads[i].colour : "");
    }
    json_decref(seen);
}

/* ---- the harness ---- */

static void write_wires(cab_kbl_writer *w, xmlNode *harness)
{
    const cab_kbl_contents *c = w->kbl->contents;
    for (int i = 0; i < w->kbl->wire_count && !w->kbl->lost; i++) {
        const cab_kbl_wire *wire = &w->kbl->wires[i];
        xmlNode *one = cab_kbl_element(w, harness, "General_wire_occurrence", w->wire[i]);
        if (one &&
            !xmlNewNsProp(one, w->types, (const xmlChar *)"type", (const xmlChar *)"kbl:Wire_occurrence"))
            w->kbl->lost = true;
        cab_kbl_leaf(w, one, "Part", w->wire_part[i]);
        xmlNode *about = cab_kbl_element(w, one, "Length_information", cab_kbl_new_id(w, "length"));
        cab_kbl_leaf(w, about, "Length_type", "DMU");
        xmlNode *length = cab_kbl_element(w, about, "Length_value", cab_kbl_new_id(w, "value"));
        cab_kbl_leaf(w, length, "Unit_component", "unit_mm");
        cab_kbl_leaf_scaled(w, length, "Value_component", wire->length,
                            1e-3); /* one is asked for; 0 = not known */
        cab_kbl_leaf(w, one, "Wire_number", c && *c->leads[i].number ? c->leads[i].number : wire->id);
    }
}

static void write_harness(cab_kbl_writer *w)
{
    static const char *const before[] = {"Accessory_occurrence",   "Assembly_part_occurrence",
                                         "Cavity_plug_occurrence", "Cavity_seal_occurrence",
                                         "Co_pack_occurrence",     "Component_box_occurrence",
                                         "Component_occurrence"};
    static const char *const after[] = {"Special_terminal_occurrence", "Terminal_occurrence",
                                        "Wire_protection_occurrence"};
    const cab_kbl_contents *c = w->kbl->contents;
    xmlNode *harness = cab_kbl_part(w, w->root, "Harness", cab_kbl_new_id(w, "harness"), c ? c->name : "",
                                    c ? c->text : "", CAB_KBL_GRAM, 0);
    cab_kbl_leaf(w, harness, "Car_classification_level_2", "/NULL");
    cab_kbl_leaf(w, harness, "Model_year", "/NULL");
    cab_kbl_leaf(w, harness, "Content", "harness complete set");
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        cab_kbl_write_occurrences(w, harness, before[i]);
    cab_kbl_write_connections(w, harness);
    cab_kbl_write_occurrences(w, harness, "Connector_occurrence");
    cab_kbl_write_occurrences(w, harness, "Fixing_occurrence");
    write_wires(w, harness);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) cab_kbl_write_occurrences(w, harness, after[i]);
}

/* ---- topology ---- */

static void write_nodes(cab_kbl_writer *w, const points *p)
{
    const cab_kbl_contents *c = w->kbl->contents;
    int next = 0;
    for (int i = 0; i < w->kbl->node_count; i++) {
        xmlNode *node = cab_kbl_element(w, w->root, "Node", w->node[i]);
        cab_kbl_leaf(w, node, "Id", c && *c->node_names[i] ? c->node_names[i] : w->kbl->nodes[i].id);
        if (p->node[i]) cab_kbl_leaf(w, node, "Cartesian_point", p->node[i]);
        cab_kbl_write_references(w, node, i, &next);
    }
}

static void write_routings(cab_kbl_writer *w)
{
    for (int i = 0; i < w->kbl->wire_count && !w->kbl->lost; i++) {
        const cab_kbl_wire *wire = &w->kbl->wires[i];
        size_t room = 1;
        for (int k = 0; k < wire->route_count; k++) room += strlen(w->segment[wire->route[k]]) + 1;
        char *list = cab_kbl_new(w->kbl, room, 1), *end = list;
        if (!wire->route_count || !list) continue;
        for (int k = 0; k < wire->route_count; k++)
            end +=
                snprintf(end, room - (size_t)(end - list), "%s%s", k ? " " : "", w->segment[wire->route[k]]);
        xmlNode *routing = cab_kbl_element(w, w->root, "Routing", cab_kbl_new_id(w, "routing"));
        cab_kbl_leaf(w, routing, "Routed_wire", w->wire[i]);
        cab_kbl_leaf(w, routing, "Segments", list);
    }
}

static void write_assignment(cab_kbl_writer *w, xmlNode *segment, double location, const char *fixing)
{
    xmlNode *one = cab_kbl_element(w, segment, "Fixing_assignment", cab_kbl_new_id(w, "assignment"));
    cab_kbl_leaf_number(w, one, "Location", location);
    cab_kbl_leaf_vector(w, one, "Orientation", (cab_vec3){0, 0, 1});
    cab_kbl_leaf(w, one, "Fixing", fixing);
}

/* Fixings at nodes are at the end of the first segment there. By node: 1 + the first of its places; 0 = nothing is to be assigned, or not
 * any more. */
static int *find_fixings(cab_kbl_writer *w)
{
    int *first = cab_kbl_new(w->kbl, (size_t)w->kbl->node_count, sizeof *first);
    for (int i = w->items.place_count - 1; i >= 0 && first; i--)
        if (w->items.places[i].node >= 0) first[w->items.places[i].node] = 1 + i;
    return first;
}

static void assign_at_ends(cab_kbl_writer *w, xmlNode *element, const cab_kbl_segment *s, int *first)
{
    const int ends[2] = {s->start, s->end};
    for (int k = 0; k < 2; k++) {
        int i = first[ends[k]] ? first[ends[k]] - 1 : w->items.place_count;
        for (; i < w->items.place_count && w->items.places[i].node == ends[k]; i++) {
            int item = w->items.places[i].item;
            if (w->items.items[item].kind == CAB_KBL_FIXING) write_assignment(w, element, k, w->item[item]);
        }
        first[ends[k]] = 0;
    }
}

static void write_curves(cab_kbl_writer *w, xmlNode *element, const cab_kbl_segment *s, char *const *controls)
{
    for (int k = 0; k < s->curve_count; k++) {
        xmlNode *curve = cab_kbl_element(w, element, "Center_curve", cab_kbl_new_id(w, "curve"));
        cab_kbl_leaf_number(w, curve, "Degree", s->curves[k].degree);
        cab_kbl_leaf(w, curve, "Control_points", controls[k]);
    }
}

static void write_protection_areas(cab_kbl_writer *w, xmlNode *element, const cab_kbl_segment *s)
{
    for (int i = 0; i < s->cover_count; i++) {
        xmlNode *area = cab_kbl_element(w, element, "Protection_area", cab_kbl_new_id(w, "area"));
        cab_kbl_leaf_number(w, area, "Start_location", s->covers[i].from);
        cab_kbl_leaf_number(w, area, "End_location", s->covers[i].to);
        cab_kbl_leaf(w, area, "Associated_protection",
                     w->item[w->items.covers[s->covers - w->kbl->covers + i]]);
    }
}

static bool is_direction(cab_vec3 v)
{
    return v.x != 0 || v.y != 0 || v.z != 0;
}

/* index: of the segment, and of its first fixing, as fixings are in their order. */
static void write_segment(cab_kbl_writer *w, int index, char *const *controls, int *fixed)
{
    const cab_kbl_segment *s = &w->kbl->segments[index];
    xmlNode *element = cab_kbl_element(w, w->root, "Segment", w->segment[index]);
    cab_kbl_leaf(w, element, "Id", *s->name ? s->name : s->id);
    if (is_direction(s->direction[0])) cab_kbl_leaf_vector(w, element, "Start_vector", s->direction[0]);
    if (is_direction(s->direction[1])) cab_kbl_leaf_vector(w, element, "End_vector", s->direction[1]);
    cab_kbl_quantity(w, element, "Virtual_length", CAB_KBL_MM, s->length);
    cab_kbl_leaf(w, element, "End_node", w->node[s->end]);
    cab_kbl_leaf(w, element, "Start_node", w->node[s->start]);
    write_curves(w, element, s, controls);
    if (s->area > 0) {
        xmlNode *area =
            cab_kbl_element(w, element, "Cross_section_area_information", cab_kbl_new_id(w, "cross_section"));
        cab_kbl_leaf(w, area, "Value_determination", "calculated");
        cab_kbl_quantity(w, area, "Area", CAB_KBL_MM2, s->area);
    }
    for (int i = 0; i < w->kbl->fixing_count; i++)
        if (w->kbl->fixings[i].segment == index)
            write_assignment(w, element, w->kbl->fixings[i].location, w->item[w->items.fixings[i]]);
    assign_at_ends(w, element, s, fixed);
    write_protection_areas(w, element, s);
}

static void write_segments(cab_kbl_writer *w, const points *p)
{
    int *fixed = find_fixings(w);
    char *const *controls = p->controls;
    for (int s = 0; s < w->kbl->segment_count && !w->kbl->lost; s++) {
        const cab_kbl_segment *segment = &w->kbl->segments[s];
        if (segment->start >= 0 && segment->end >= 0) write_segment(w, s, controls, fixed);
        controls += segment->curve_count;
    }
}

/* ---- all ---- */

static void begin(cab_kbl_writer *w)
{
    static const char space[] = "http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema";
    w->document = xmlNewDoc((const xmlChar *)"1.0");
    w->root =
        w->document ? xmlNewDocRawNode(w->document, NULL, (const xmlChar *)"KBL_container", NULL) : NULL;
    w->used = json_object();
    if (!w->root || !w->used) {
        w->kbl->lost = true;
        return;
    }
    xmlDocSetRootElement(w->document, w->root);
    xmlNs *own = xmlNewNs(w->root, (const xmlChar *)space, (const xmlChar *)"kbl");
    w->types = xmlNewNs(w->root, (const xmlChar *)"http://www.w3.org/2001/XMLSchema-instance",
                        (const xmlChar *)"xsi");
    xmlSetNs(w->root, own);
    if (!own || !w->types || !xmlNewProp(w->root, (const xmlChar *)"id", (const xmlChar *)"KBL_container") ||
        !xmlNewProp(w->root, (const xmlChar *)"version_id", (const xmlChar *)"2.4 SR-1"))
        w->kbl->lost = true;
    static const char *const own_ids[] = {"KBL_container", "unit_mm", "unit_mm2", "unit_g", "unit_g_per_m"};
    for (size_t i = 0; i < sizeof own_ids / sizeof *own_ids; i++)
        if (json_object_set_new(w->used, own_ids[i], json_true()) != 0) w->kbl->lost = true;
}

static void write_all(cab_kbl_writer *w)
{
    cab_kbl *kbl = w->kbl;
    static const char *const before[] = {"Accessory", "Assembly_part"}; /* points */
    static const char *const after[] = {"Cavity_plug", "Cavity_seal",     "Co_pack_part",
                                        "Component",   "Component_box",   "Connector_housing",
                                        "Fixing",      "General_terminal"};
    points p = {.curve_count = 0};
    cab_kbl_list_items(kbl, &w->items);
    if (!kbl->lost) cab_kbl_choose_ids(w);
    if (kbl->lost) return;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) cab_kbl_write_parts(w, before[i]);
    write_points(w, &p);
    if (kbl->lost) return;
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) cab_kbl_write_parts(w, after[i]);
    write_wire_parts(w);
    write_harness(w);
    write_nodes(w, &p);
    write_routings(w);
    write_segments(w, &p);
    cab_kbl_write_units(w);
    cab_kbl_write_parts(w, "Wire_protection");
}

static int write_bytes(void *file, const char *bytes, int count)
{
    return fwrite(bytes, 1, (size_t)count, file) == (size_t)count ? count : -1;
}

/* Into a text, with an element a line. */
static bool print(xmlDoc *document, char **bytes, size_t *size)
{
    cab_text_stream stream;
    cab_text_stream_open(&stream);
    xmlSaveCtxt *save =
        stream.file ? xmlSaveToIO(write_bytes, NULL, stream.file, "UTF-8", XML_SAVE_FORMAT) : NULL;
    bool done = save && xmlSaveDoc(save, document) >= 0;
    if (save && xmlSaveClose(save) < 0) done = false;
    stream.lost |= !done;
    return cab_text_stream_close(&stream, bytes, size);
}

/* libxml2 goes on without what it had no memory for, and would say so on stderr. */
static void note_fault(void *kbl, xmlError *fault)
{
    (void)fault;
    ((cab_kbl *)kbl)->lost = true;
}

static bool write_text(cab_kbl_writer *w, char **bytes, size_t *size)
{
    begin(w);
    if (!w->kbl->lost) write_all(w);
    return !w->kbl->lost && print(w->document, bytes, size) && !w->kbl->lost;
}

cab_status cab_kbl_write_kbl(cab_kbl *kbl, char **bytes, size_t *size, cab_error *error)
{
    *bytes = NULL;
    cab_kbl_writer w = {.kbl = kbl};
    cab_status status = cab_libxml2_load(kbl->file, error);
    if (status) return status;
    xmlStructuredErrorFunc before = xmlStructuredError; /* of this thread */
    void *user = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(kbl, note_fault);
    if (!write_text(&w, bytes, size)) {
        free(*bytes);
        *bytes = NULL;
        status = cab_fail_memory(error, "a harness as KBL", 0);
    }
    if (!status && w.renamed)
        cab_kbl_note(kbl, 0, "harness",
                     "%d names are no ids of XML, or another's; their elements have others", w.renamed);
    if (w.document) xmlFreeDoc(w.document);
    xmlSetStructuredErrorFunc(user, before);
    json_decref(w.used);
    json_decref(w.named);
    return status;
}

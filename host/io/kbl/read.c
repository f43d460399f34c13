/* XML elements of KBL into structs. */
#include "io/kbl/kbl.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec3.h"
#include "io/kbl/vec.h"
#include "model/limits.h"

/* Is it this version, or one of its corrections, such as "1.1.3" of "1.1"? */
static bool is_version(const char *version, const char *known)
{
    size_t length = strlen(known);
    return strncmp(version, known, length) == 0 && (version[length] == '.' || version[length] == '\0');
}

/* VEC 1.1 to 2: its namespace is the same in all versions. */
static cab_status check_vec(cab_xml *xml, cab_error *error)
{
    static const char *const known[] = {"1.1", "1.2", "2.0", "2.1", "2.2"};
    const char *version = cab_xml_text(xml, xml->root, "VecVersion");
    int line = cab_xml_line(xml->root);
    if (!*version) cab_kbl_note(xml->kbl, line, "VecContent", "no VecVersion; VEC 2 is assumed");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_version(version, known[i])) return CAB_OK;
    if (!*version) return CAB_OK;
    if (is_version(version, "2")) {
        cab_kbl_note(xml->kbl, line, "VecContent", "VecVersion %.40s is not known; it is read as VEC 2.2",
                     version);
        return CAB_OK;
    }
    return cab_fail(error, CAB_ERROR_INPUT,
                    "%s: line %d: expected VEC 1.1, 1.2 or 2, got VecVersion \"%.40s\"", xml->kbl->file, line,
                    version);
}

static cab_status check_root(cab_xml *xml, cab_error *error)
{
    static const char space[] = "Car_electric_container/KBL2.";
    const char *file = xml->kbl->file;
    const xmlNode *root = xml->root;
    int line = cab_xml_line(root);
    xml->vec = xml->kbl->vec = cab_xml_is(root, "VecContent");
    if (xml->vec) return check_vec(xml, error);
    if (!cab_xml_is(root, "KBL_container"))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: line %d: expected the element KBL_container or VecContent, got \"%.60s\"", file,
                        line, (const char *)root->name);
    const char *href = root->ns && root->ns->href ? (const char *)root->ns->href : "";
    if (!strstr(href, space))
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: line %d: expected the namespace of KBL 2 (...%s...), got \"%.100s\"", file, line,
                        space, href);
    const char *version = cab_xml_attribute(xml, root, "version_id"), *text = version ? version : "";
    bool known = strncmp(text, "2.3", 3) == 0 || strncmp(text, "2.4", 3) == 0 || strncmp(text, "2.5", 3) == 0;
    cab_status status = CAB_OK;
    if (!version)
        cab_kbl_note(xml->kbl, line, "KBL_container", "no version_id; KBL 2.4 is assumed");
    else if (!known)
        status =
            cab_fail(error, CAB_ERROR_INPUT,
                     "%s: line %d: expected KBL 2.3, 2.4 or 2.5, got version_id \"%.40s\"", file, line, text);
    return status;
}

/* A point, in millimetres: KBL gives coordinates no unit. */
static bool read_point(cab_xml *xml, const xmlNode *node, double most, cab_vec3 *place)
{
    double c[3];
    if (!cab_xml_is(node, "Cartesian_point") || cab_xml_numbers(xml, node, "Coordinates", c, 3) != 3)
        return false;
    *place = (cab_vec3){c[0] / 1000, c[1] / 1000, c[2] / 1000};
    return cab_kbl_is_within(*place, most);
}

static cab_vec3 read_direction(cab_xml *xml, const xmlNode *node, const char *name)
{
    double v[3];
    if (cab_xml_numbers(xml, node, name, v, 3) != 3) return (cab_vec3){0, 0, 0};
    return cab_kbl_direction_of(v);
}

/* A splice hangs in the bundle; what else a node refers to is fastened to something. */
static bool holds(cab_xml *xml, const xmlNode *component)
{
    return component && strcmp(cab_xml_text(xml, component, "Usage"), "splice") != 0;
}

/* Of several connectors at a node the first has the name. */
static void read_component(cab_xml *xml, const xmlNode *component, cab_kbl_node *node)
{
    if (!holds(xml, component)) return;
    node->plugged = true;
    if (!cab_xml_is(component, "Connector_occurrence")) return;
    if (!node->connector) node->connector = cab_xml_name_of(xml, component);
    const xmlNode *part = cab_xml_follow(xml, component, "Part");
    node->mass += cab_xml_quantity(xml, part, "Mass_information", cab_kbl_mass);
}

static void read_node(cab_xml *xml, xmlNode *element, cab_kbl_node *node)
{
    node->id = cab_xml_id_of(xml, element);
    node->line = cab_xml_line(element);
    node->placed =
        read_point(xml, cab_xml_follow(xml, element, "Cartesian_point"), CAB_KBL_PLACE_MAX, &node->place);
    char *rest = cab_xml_words(xml, element, "Referenced_components");
    for (char *id; (id = cab_xml_word(&rest));) read_component(xml, cab_xml_find(xml, id), node);
    if (!node->placed) cab_kbl_note(xml->kbl, node->line, node->id, "no place; what ends there is left out");
}

static void read_nodes(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    kbl->nodes = cab_kbl_new(kbl, (size_t)cab_xml_count(xml->root, "Node"), sizeof *kbl->nodes);
    if (!kbl->nodes) return;
    CAB_XML_EACH(element, xml->root, "Node")
    {
        cab_xml_mark(element, kbl->node_count);
        read_node(xml, element, &kbl->nodes[kbl->node_count++]);
    }
}

static bool read_curve(cab_xml *xml, const xmlNode *element, cab_kbl_curve *curve)
{
    double degree = 0;
    cab_xml_numbers(xml, element, "Degree", &degree, 1);
    char *rest = cab_xml_words(xml, element, "Control_points");
    curve->points =
        rest ? cab_kbl_new(xml->kbl, (size_t)cab_kbl_words_in(rest), sizeof *curve->points) : NULL;
    if (!curve->points) return false;
    for (char *id; (id = cab_xml_word(&rest));)
        if (!read_point(xml, cab_xml_find(xml, id), CAB_KBL_CONTROL_MAX, &curve->points[curve->count++]))
            return false;
    if (!(degree >= 1 && degree <= CAB_KBL_DEGREE_MAX) || degree != floor(degree)) return false;
    curve->degree = (int)degree;
    return curve->count > curve->degree;
}

/* One curve that cannot be read makes all of them useless. */
static void read_curves(cab_xml *xml, const xmlNode *element, cab_kbl_segment *segment)
{
    size_t count = (size_t)cab_xml_count(element, "Center_curve");
    segment->curves = cab_kbl_new(xml->kbl, count, sizeof *segment->curves);
    CAB_XML_EACH(curve, element, "Center_curve")
    {
        if (!segment->curves) return;
        if (read_curve(xml, curve, &segment->curves[segment->curve_count++])) continue;
        cab_kbl_note(xml->kbl, cab_xml_line(curve), cab_xml_id_of(xml, curve),
                     "no curve of degree 1 to %d with that many points and one more; nodes, directions and "
                     "length are taken",
                     CAB_KBL_DEGREE_MAX);
        segment->curve_count = 0;
        return;
    }
}

/* A tape or tube on a piece of a segment. */
static void read_cover(cab_xml *xml, const xmlNode *area, int segment)
{
    cab_kbl_cover cover = {.line = cab_xml_line(area), .segment = segment, .from = 0, .to = 1};
    cab_xml_numbers(xml, area, "Start_location", &cover.from, 1);
    cab_xml_numbers(xml, area, "End_location", &cover.to, 1);
    const xmlNode *occurrence = cab_xml_follow(xml, area, "Associated_protection");
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part");
    if (!part) return;
    cover.id = cover.element = cab_xml_id_of(xml, occurrence);
    cover.part_id = cab_xml_id_of(xml, part);
    cover.number = cab_xml_text(xml, part, "Part_number");
    cover.text = cab_xml_text(xml, part, "Description");
    cover.mass = cab_xml_quantity(xml, part, "Mass_information", cab_kbl_mass_per_length);
    cover.kind = cab_kbl_kind_of(cab_xml_text(xml, part, "Protection_type"), cover.text);
    cab_kbl_read_sizes(xml->kbl, &cover, cab_xml_text(xml, part, "Type_dependent_parameter"));
    cab_kbl_add_cover(xml->kbl, cover);
}

static void read_covers(cab_xml *xml)
{
    CAB_XML_EACH(segment, xml->root, "Segment")
    {
        CAB_XML_EACH(area, segment, "Protection_area")
        {
            if (xml->kbl->lost) return;
            read_cover(xml, area, cab_xml_index_of(segment, "Segment"));
        }
    }
}

static double read_length(cab_xml *xml, const xmlNode *element)
{
    double length = cab_xml_quantity(xml, element, "Virtual_length", cab_kbl_length);
    if (length <= 0) length = cab_xml_quantity(xml, element, "Physical_length", cab_kbl_length);
    return length <= CAB_KBL_LENGTH_MAX ? length : 0;
}

static void read_segment(cab_xml *xml, xmlNode *element, cab_kbl_segment *segment)
{
    segment->id = cab_xml_id_of(xml, element);
    segment->name = cab_xml_text(xml, element, "Id");
    segment->line = cab_xml_line(element);
    segment->start = cab_xml_index_of(cab_xml_follow(xml, element, "Start_node"), "Node");
    segment->end = cab_xml_index_of(cab_xml_follow(xml, element, "End_node"), "Node");
    segment->length = read_length(xml, element);
    segment->direction[0] = read_direction(xml, element, "Start_vector");
    segment->direction[1] = read_direction(xml, element, "End_vector");
    read_curves(xml, element, segment);
    CAB_XML_EACH(area, element, "Cross_section_area_information")
    {
        if (segment->area <= 0) segment->area = cab_xml_quantity(xml, area, "Area", cab_kbl_area);
    }
}

static void read_segments(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    kbl->segments = cab_kbl_new(kbl, (size_t)cab_xml_count(xml->root, "Segment"), sizeof *kbl->segments);
    if (!kbl->segments) return;
    CAB_XML_EACH(element, xml->root, "Segment")
    {
        cab_xml_mark(element, kbl->segment_count);
        read_segment(xml, element, &kbl->segments[kbl->segment_count++]);
    }
}

/* Values of a General_wire or, of one core, of the Core; the cable's mass is shared by its cores. */
static void read_part(cab_xml *xml, const xmlNode *part, cab_kbl_wire *wire)
{
    const xmlNode *whole = part && cab_xml_is(part, "Core") ? part->parent : part;
    int cores = whole == part ? 1 : cab_xml_count(whole, "Core");
    wire->part_id = part ? cab_xml_id_of(xml, part) : "";
    wire->number = whole ? cab_xml_text(xml, whole, "Part_number") : "";
    wire->diameter = cab_xml_quantity(xml, part, "Outside_diameter", cab_kbl_length);
    wire->area = cab_xml_quantity(xml, part, "Cross_section_area", cab_kbl_area);
    wire->bend_radius = cab_xml_quantity(xml, part, "Bend_radius", cab_kbl_length);
    wire->mass = cab_xml_quantity(xml, whole, "Mass_information", cab_kbl_mass_per_length) / cores;
}

static double read_wire_length(cab_xml *xml, const xmlNode *element)
{
    double length = 0;
    CAB_XML_EACH(about, element, "Length_information")
    {
        if (length <= 0) length = cab_xml_quantity(xml, about, "Length_value", cab_kbl_length);
    }
    return length;
}

static void read_wire(cab_xml *xml, xmlNode *element)
{
    cab_kbl *kbl = xml->kbl;
    cab_kbl_wire *wire = &kbl->wires[kbl->wire_count];
    cab_xml_mark(element, kbl->wire_count++);
    wire->id = cab_xml_id_of(xml, element);
    wire->line = cab_xml_line(element);
    wire->length = read_wire_length(xml, element);
    xmlNode *part = cab_xml_follow(xml, element, "Part");
    read_part(xml, part, wire);
    if (!part) cab_kbl_note(kbl, wire->line, wire->id, "no such part; an FLRY of 0.5 mm^2 is assumed");
}

/* All wires, of a cable its cores; those of modules and parts count where the harness names them. */
static int count_wires(const xmlNode *harness)
{
    int count = 0;
    CAB_XML_EACH(element, harness, "General_wire_occurrence")
    {
        int cores = cab_xml_count(element, "Core_occurrence");
        count += cores ? cores : 1;
    }
    return count;
}

static void read_wires(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    int count = 0;
    CAB_XML_EACH(harness, xml->root, "Harness") count += count_wires(harness);
    kbl->wires = cab_kbl_new(kbl, (size_t)count, sizeof *kbl->wires);
    CAB_XML_EACH(harness, xml->root, "Harness")
    {
        CAB_XML_EACH(element, harness, "General_wire_occurrence")
        {
            if (!kbl->wires) return;
            bool cores = cab_xml_child(element, "Core_occurrence") != NULL;
            if (!cores) read_wire(xml, element);
            CAB_XML_EACH(core, element, "Core_occurrence") read_wire(xml, core);
        }
    }
}

/* A route of the wire, or of all cores of it. */
static bool read_routed(cab_xml *xml, const xmlNode *routing, const xmlNode *wired)
{
    static const char *const kinds[] = {"General_wire_occurrence", "Core_occurrence"};
    bool found = false;
    for (int i = 0; i < 2; i++) {
        int wire = cab_xml_index_of(wired, kinds[i]);
        if (wire < 0) continue;
        cab_xml_read_route(xml, routing, "Segments", "Segment", &xml->kbl->wires[wire]);
        found = true;
    }
    if (found || !cab_xml_is(wired, kinds[0])) return found;
    CAB_XML_EACH(core, wired, kinds[1]) found |= read_routed(xml, routing, core);
    return found;
}

static void read_routings(cab_xml *xml)
{
    CAB_XML_EACH(routing, xml->root, "Routing")
    {
        const xmlNode *wired = cab_xml_follow(xml, routing, "Routed_wire");
        if (cab_xml_is(wired, "Connection")) wired = cab_xml_follow(xml, wired, "Wire");
        if (xml->kbl->lost || read_routed(xml, routing, wired)) continue;
        cab_kbl_note(xml->kbl, cab_xml_line(routing), cab_xml_id_of(xml, routing),
                     "routes no wire of the harness; left out");
    }
}

static void note_unrouted(cab_kbl *kbl)
{
    for (int i = 0; i < kbl->wire_count; i++) {
        const cab_kbl_wire *wire = &kbl->wires[i];
        if (!wire->route_count) cab_kbl_note(kbl, wire->line, wire->id, "not routed; left out");
    }
}

/* Wires by segment, in the order of the file. */
static void spread_wires(cab_kbl *kbl)
{
    for (int w = 0; w < kbl->wire_count; w++)
        for (int i = 0; i < kbl->wires[w].route_count; i++)
            kbl->segments[kbl->wires[w].route[i]].wire_count++;
    for (int s = 0; s < kbl->segment_count; s++) {
        cab_kbl_segment *segment = &kbl->segments[s];
        segment->wires = cab_kbl_new(kbl, (size_t)segment->wire_count, sizeof *segment->wires);
        if (!segment->wires) return;
        segment->wire_count = 0;
    }
    for (int w = 0; w < kbl->wire_count; w++) {
        for (int i = 0; i < kbl->wires[w].route_count; i++) {
            cab_kbl_segment *segment = &kbl->segments[kbl->wires[w].route[i]];
            segment->wires[segment->wire_count++] = w;
        }
    }
}

static void read_fixing(cab_xml *xml, const xmlNode *element, int segment)
{
    cab_kbl *kbl = xml->kbl;
    cab_kbl_fixing *fixing = &kbl->fixings[kbl->fixing_count];
    const xmlNode *occurrence = cab_xml_follow(xml, element, "Fixing");
    *fixing = (cab_kbl_fixing){.id = cab_xml_id_of(xml, occurrence ? occurrence : element),
                               .name = cab_xml_name_of(xml, occurrence ? occurrence : element),
                               .line = cab_xml_line(element),
                               .segment = segment,
                               .location = NAN};
    double length = kbl->segments[segment].length;
    double from_start = cab_xml_quantity(xml, element, "Absolute_location", cab_kbl_length);
    if (cab_xml_numbers(xml, element, "Location", &fixing->location, 1) != 1 && length > 0 && from_start > 0)
        fixing->location = from_start / length;
    const xmlNode *placement = cab_xml_child(occurrence, "Placement");
    fixing->placed =
        read_point(xml, cab_xml_follow(xml, placement, "Cartesian_point"), CAB_KBL_PLACE_MAX, &fixing->place);
    if (fixing->location >= 0 && fixing->location <= 1)
        kbl->fixing_count++;
    else
        cab_kbl_note(kbl, fixing->line, fixing->id,
                     "fixed to %.60s, but not at a fraction of it from 0 to 1; left out",
                     kbl->segments[segment].id);
}

static void read_fixings(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    int count = 0;
    CAB_XML_EACH(segment, xml->root, "Segment") count += cab_xml_count(segment, "Fixing_assignment");
    kbl->fixings = cab_kbl_new(kbl, (size_t)count, sizeof *kbl->fixings);
    CAB_XML_EACH(segment, xml->root, "Segment")
    {
        CAB_XML_EACH(fixing, segment, "Fixing_assignment")
        {
            if (kbl->lost) return;
            read_fixing(xml, fixing, cab_xml_index_of(segment, "Segment"));
        }
    }
}

typedef void step(cab_xml *xml);
static step *const kbl_steps[] = {read_nodes,   read_segments, read_wires, read_routings,
                                  read_fixings, read_covers,   NULL};
static step *const vec_steps[] = {cab_vec_read_topology, cab_vec_read_parts, NULL};

cab_status cab_kbl_read(cab_kbl *kbl, const char *text, size_t size, cab_error *error)
{
    cab_xml xml;
    cab_status status = cab_xml_open(&xml, kbl, text, size, error);
    if (!status) status = check_root(&xml, error);
    for (step *const *steps = xml.vec ? vec_steps : kbl_steps; !status && *steps && !kbl->lost; steps++)
        (*steps)(&xml);
    if (!status && !kbl->lost) note_unrouted(kbl);
    kbl->scene_notes = (int)json_array_size(kbl->notes);
    if (!status && !kbl->lost) (kbl->contents ? cab_xml_read_contents : cab_kbl_note_left_out)(&xml);
    if (!status && !kbl->lost) spread_wires(kbl);
    if (!status && !kbl->lost) cab_kbl_sort_covers(kbl);
    if (!status && !kbl->lost) cab_kbl_name_parts(kbl);
    if (!status && kbl->lost) status = cab_fail_memory(error, "a harness", size);
    if (!status && !kbl->segment_count)
        status = cab_fail(error, CAB_ERROR_INPUT, "%s: line %d: no %s in it: nothing to simulate", kbl->file,
                          cab_xml_line(xml.root), xml.vec ? "TopologySegment" : "Segment");
    cab_xml_close(&xml);
    return status;
}

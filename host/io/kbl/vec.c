/* VEC elements into structs: nodes, segments, and their places and curves. docs/harness.md tells the rules. */
#include "io/kbl/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "io/kbl/nurbs.h"
#include "model/limits.h"

void cab_vec_each(cab_xml *xml, const char *type, cab_vec_visitor *visit)
{
    CAB_XML_EACH(document, xml->root, "DocumentVersion")
    {
        CAB_XML_EACH(specification, document, "Specification")
        {
            if (xml->kbl->lost) return;
            if (cab_vec_is(specification, type)) visit(xml, specification);
        }
    }
}

const char *cab_vec_name_of(cab_xml *xml, const xmlNode *element)
{
    const char *name = cab_xml_text(xml, element, "Identification");
    return *name && strlen(name) <= CAB_NAME_MAX ? name : cab_xml_id_of(xml, element);
}

void cab_vec_note_name(cab_xml *xml, const char **name, const xmlNode *element)
{
    cab_xml_name *names = cab_kbl_one_more(xml->kbl, xml->names, xml->name_count, sizeof *names);
    if (!names) return;
    xml->names = names;
    xml->names[xml->name_count++] = (cab_xml_name){name, element};
}

/* By kind, name, and place in the file. */
static int compare_names(const void *a, const void *b)
{
    const cab_xml_name *p = a, *q = b;
    int kind = strcmp((const char *)p->element->name, (const char *)q->element->name);
    return kind ? kind : strcmp(*p->name, *q->name);
}

void cab_vec_tell_apart(cab_xml *xml)
{
    if (xml->kbl->lost || !xml->name_count) return;
    qsort(xml->names, (size_t)xml->name_count, sizeof *xml->names, compare_names);
    for (int i = 0, end; i < xml->name_count; i = end) {
        for (end = i + 1; end < xml->name_count && compare_names(&xml->names[i], &xml->names[end]) == 0;)
            end++;
        for (int k = i; k < end && end > i + 1; k++)
            *xml->names[k].name = cab_xml_id_of(xml, xml->names[k].element);
    }
}

double cab_vec_number(cab_xml *xml, const xmlNode *element, const char *name)
{
    double value;
    return cab_xml_numbers(xml, element, name, &value, 1) == 1 ? value : NAN;
}

/* ---- topology ---- */

static void count_topology(cab_xml *xml, xmlNode *specification)
{
    xml->kbl->node_count += cab_xml_count(specification, "TopologyNode");
    xml->kbl->segment_count += cab_xml_count(specification, "TopologySegment");
}

static void read_nodes(cab_xml *xml, xmlNode *specification)
{
    CAB_XML_EACH(element, specification, "TopologyNode")
    {
        cab_xml_mark(element, xml->kbl->node_count);
        cab_kbl_node *node = &xml->kbl->nodes[xml->kbl->node_count++];
        node->id = cab_vec_name_of(xml, element);
        node->line = cab_xml_line(element);
        cab_vec_note_name(xml, &node->id, element);
    }
}

/* The length that it was designed with, else the first one. */
static double read_length(cab_xml *xml, const xmlNode *element)
{
    double length = 0;
    CAB_XML_EACH(about, element, "LengthInformation")
    {
        bool designed = strcmp(cab_xml_text(xml, about, "Classification"), "Designed") == 0;
        double value = length <= 0 || designed ? cab_xml_quantity(xml, about, "Length", cab_kbl_length) : 0;
        if (value > 0 && value <= CAB_KBL_LENGTH_MAX) length = value;
        if (designed && value > 0) break;
    }
    return length;
}

static void read_segments(cab_xml *xml, xmlNode *specification)
{
    CAB_XML_EACH(element, specification, "TopologySegment")
    {
        cab_xml_mark(element, xml->kbl->segment_count);
        cab_kbl_segment *segment = &xml->kbl->segments[xml->kbl->segment_count++];
        segment->id = cab_vec_name_of(xml, element);
        segment->name = cab_vec_alias(xml, element, CAB_VEC_NAME);
        segment->line = cab_xml_line(element);
        cab_vec_note_name(xml, &segment->id, element);
        segment->start = cab_xml_index_of(cab_xml_follow(xml, element, "StartNode"), "TopologyNode");
        segment->end = cab_xml_index_of(cab_xml_follow(xml, element, "EndNode"), "TopologyNode");
        segment->length = read_length(xml, element);
        CAB_XML_EACH(area, element, "CrossSectionAreaInformation")
        {
            if (segment->area <= 0) segment->area = cab_xml_quantity(xml, area, "Area", cab_kbl_area);
        }
    }
}

/* ---- geometry ---- */

/* Where a building block lies, as HarnessGeometrySpecification3D has it: x' = a x + origin. */
typedef struct frame {
    double a[3][3];
    cab_vec3 origin; /* m */
    double unit;     /* m in a unit of its coordinates */
} frame;

static cab_vec3 turned(const frame *f, cab_vec3 v)
{
    const double(*a)[3] = f->a;
    return (cab_vec3){a[0][0] * v.x + a[0][1] * v.y + a[0][2] * v.z,
                      a[1][0] * v.x + a[1][1] * v.y + a[1][2] * v.z,
                      a[2][0] * v.x + a[2][1] * v.y + a[2][2] * v.z};
}

static cab_vec3 read_vector(cab_xml *xml, const xmlNode *element)
{
    return (cab_vec3){cab_vec_number(xml, element, "X"), cab_vec_number(xml, element, "Y"),
                      cab_vec_number(xml, element, "Z")};
}

/* A block knows its positioning while reading: xmlNode's _private. */
static void note_positionings(cab_xml *xml, xmlNode *specification)
{
    CAB_XML_EACH(positioning, specification, "BuildingBlockPositionings")
    {
        xmlNode *block = cab_xml_follow(xml, positioning, "Referenced3DBuildingBlock");
        if (block && !block->_private) block->_private = positioning;
    }
}

static frame frame_of(cab_xml *xml, const xmlNode *block)
{
    frame f = {.a = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
               .unit = cab_xml_unit_of_length(xml, cab_xml_follow(xml, block, "BaseUnit"), block)};
    const xmlNode *at = cab_xml_child(block->_private, "Positioning");
    for (int i = 0; at && i < 9; i++) {
        char name[4] = {'A', (char)('1' + i / 3), (char)('1' + i % 3), 0};
        double value = cab_vec_number(xml, at, name);
        if (isfinite(value)) f.a[i / 3][i % 3] = value;
    }
    const xmlNode *origin = at ? cab_xml_follow(xml, at, "Origin") : NULL;
    cab_vec3 o = origin ? cab_vec3_scale(f.unit, read_vector(xml, origin)) : (cab_vec3){0, 0, 0};
    if (cab_kbl_is_within(o, CAB_KBL_PLACE_MAX)) f.origin = o;
    return f;
}

/* A point of a block; false: it is none, or too far away. */
static bool read_point(cab_xml *xml, const frame *f, const xmlNode *point, double most, cab_vec3 *place)
{
    if (!point) return false;
    *place = cab_vec3_add(turned(f, cab_vec3_scale(f->unit, read_vector(xml, point))), f->origin);
    return cab_kbl_is_within(*place, most);
}

/* That of the topology: by reference, else the one of the same name. */
static int topology_of(cab_xml *xml, const xmlNode *geometry, const char *reference, const char *kind)
{
    const cab_kbl *kbl = xml->kbl;
    int index = cab_xml_index_of(cab_xml_follow(xml, geometry, reference), kind);
    const char *name = cab_xml_text(xml, geometry, "Identification");
    bool nodes = strcmp(kind, "TopologyNode") == 0;
    for (int i = 0; index < 0 && i < (nodes ? kbl->node_count : kbl->segment_count); i++)
        if (strcmp(nodes ? kbl->nodes[i].id : kbl->segments[i].id, name) == 0) index = i;
    return index;
}

static bool read_curve(cab_xml *xml, const frame *f, const xmlNode *element, cab_kbl_curve *curve)
{
    double degree = cab_vec_number(xml, element, "Degree");
    int points = cab_xml_count(element, "ControlPoint");
    char *ids = cab_xml_words(xml, element, "ControlPoint"); /* of a BSplineCurve */
    bool nurbs = cab_vec_is(element, "NURBSCurve");
    int count = nurbs ? points
                : ids ? cab_kbl_words_in(ids)
                      : 0,
        knots = cab_xml_numbers(xml, element, "Knots", NULL, 0);
    if (!(degree >= 1 && degree <= CAB_KBL_DEGREE_MAX) || degree != floor(degree)) return false;
    cab_nurbs n = {.degree = (int)degree,
                   .points = cab_kbl_new(xml->kbl, (size_t)count, sizeof *n.points),
                   .weights = cab_kbl_new(xml->kbl, (size_t)count, sizeof *n.weights),
                   .knots = cab_kbl_new(xml->kbl, (size_t)knots, sizeof *n.knots),
                   .knot_count = knots};
    if (xml->kbl->lost) return false;
    cab_xml_numbers(xml, element, "Knots", n.knots, knots);
    const xmlNode *control = nurbs ? cab_xml_child(element, "ControlPoint") : NULL;
    for (; n.count < count; n.count++) {
        const xmlNode *point =
            nurbs ? cab_xml_follow(xml, control, "CartesianPoint3D") : cab_xml_find(xml, cab_xml_word(&ids));
        double weight = nurbs ? cab_vec_number(xml, control, "Weight") : 1;
        n.weights[n.count] = weight > 0 ? weight : 1;
        if (!read_point(xml, f, point, CAB_KBL_CONTROL_MAX, &n.points[n.count])) return false;
        control = nurbs ? cab_xml_next(control, "ControlPoint") : NULL;
    }
    return cab_nurbs_curve(xml->kbl, &n, curve);
}

static void reverse(cab_kbl_segment *segment)
{
    for (int i = 0; i < segment->curve_count / 2; i++) {
        cab_kbl_curve *a = &segment->curves[i], *b = &segment->curves[segment->curve_count - 1 - i], c = *a;
        *a = *b;
        *b = c;
    }
    for (int k = 0; k < segment->curve_count; k++) {
        cab_vec3 *p = segment->curves[k].points;
        for (int i = 0, j = segment->curves[k].count - 1; i < j; i++, j--) {
            cab_vec3 q = p[i];
            p[i] = p[j];
            p[j] = q;
        }
    }
    cab_vec3 start = segment->direction[0];
    segment->direction[0] = cab_vec3_scale(-1, segment->direction[1]);
    segment->direction[1] = cab_vec3_scale(-1, start);
}

static cab_vec3 read_direction(cab_xml *xml, const frame *f, const xmlNode *element, const char *name)
{
    cab_vec3 v = turned(f, read_vector(xml, cab_xml_child(element, name)));
    return cab_kbl_direction_of((double[]){v.x, v.y, v.z});
}

/* One curve that cannot be read makes all of them useless. Either version's name of a curve. */
static void read_curves(cab_xml *xml, const frame *f, const xmlNode *element, cab_kbl_segment *segment)
{
    const char *name = cab_xml_child(element, "Curve") ? "Curve" : "BSplineCurve";
    segment->curves = cab_kbl_new(xml->kbl, (size_t)cab_xml_count(element, name), sizeof *segment->curves);
    CAB_XML_EACH(curve, element, name)
    {
        if (!segment->curves) return;
        if (read_curve(xml, f, curve, &segment->curves[segment->curve_count++])) continue;
        cab_kbl_note(
            xml->kbl, cab_xml_line(curve), cab_xml_id_of(xml, curve),
            "no curve of degree 1 to %d with its points and knots; nodes, directions and length are taken",
            CAB_KBL_DEGREE_MAX);
        segment->curve_count = 0;
        return;
    }
}

/* An occurrence knows where it is shown while reading: xmlNode's _private. */
static void note_views(cab_xml *xml, const xmlNode *block)
{
    CAB_XML_EACH(view, block, "PlacedElementViewItem3D")
    {
        char *rest = cab_xml_words(xml, view, "OccurrenceOrUsage");
        for (char *id; (id = cab_xml_word(&rest));) {
            xmlNode *occurrence = cab_xml_find(xml, id);
            bool is = cab_xml_is(occurrence, "Component") || cab_xml_is(occurrence, "PartUsage");
            if (is && !occurrence->_private) occurrence->_private = view;
        }
    }
}

bool cab_vec_place_of(cab_xml *xml, const xmlNode *occurrence, cab_vec3 *place)
{
    const xmlNode *view = occurrence->_private;
    const xmlNode *at = view ? cab_xml_follow(xml, cab_xml_child(view, "Orientation"), "Origin") : NULL;
    if (!at) return false;
    frame f = frame_of(xml, view->parent);
    return read_point(xml, &f, at, CAB_KBL_PLACE_MAX, place);
}

static void read_geometry(cab_xml *xml, xmlNode *block)
{
    note_views(xml, block);
    cab_kbl *kbl = xml->kbl;
    frame f = frame_of(xml, block);
    CAB_XML_EACH(element, block, "GeometryNode")
    {
        int i = topology_of(xml, element, "ReferenceNode", "TopologyNode");
        if (i < 0 || kbl->nodes[i].placed) continue;
        const xmlNode *point = cab_xml_follow(xml, element, "CartesianPoint");
        kbl->nodes[i].placed = read_point(xml, &f, point, CAB_KBL_PLACE_MAX, &kbl->nodes[i].place);
    }
    CAB_XML_EACH(element, block, "GeometrySegment")
    {
        int i = topology_of(xml, element, "ReferenceSegment", "TopologySegment");
        if (kbl->lost || i < 0 || kbl->segments[i].curves) continue;
        cab_kbl_segment *segment = &kbl->segments[i];
        segment->direction[0] = read_direction(xml, &f, element, "StartVector");
        segment->direction[1] = read_direction(xml, &f, element, "EndVector");
        read_curves(xml, &f, element, segment);
        int start =
            topology_of(xml, cab_xml_follow(xml, element, "StartNode"), "ReferenceNode", "TopologyNode");
        if (start >= 0 && start == segment->end && start != segment->start) reverse(segment);
    }
}

void cab_vec_read_topology(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    cab_vec_each(xml, "TopologySpecification", count_topology);
    kbl->nodes = cab_kbl_new(kbl, (size_t)kbl->node_count, sizeof *kbl->nodes);
    kbl->segments = cab_kbl_new(kbl, (size_t)kbl->segment_count, sizeof *kbl->segments);
    kbl->node_count = kbl->segment_count = 0;
    if (kbl->lost) return;
    cab_vec_each(xml, "TopologySpecification", read_nodes);
    cab_vec_each(xml, "TopologySpecification", read_segments);
    cab_vec_each(xml, "HarnessGeometrySpecification3D", note_positionings);
    cab_vec_each(xml, "BuildingBlockSpecification3D", read_geometry);
    for (int i = 0; i < kbl->node_count; i++)
        if (!kbl->nodes[i].placed)
            cab_kbl_note(kbl, kbl->nodes[i].line, kbl->nodes[i].id, "no place; what ends there is left out");
}

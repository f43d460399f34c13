/* A harness as VEC 2.1: what a harness holds here, in metres and kilograms. docs/harness.md tells what of a file that is not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text_stream.h"
#include "io/kbl/write.h"

#define UNITS                                                                                                \
    "  <Unit xsi:type=\"vec:SIUnit\" id=\"metre\"><SiUnitName>Metre</SiUnitName></Unit>\n"                   \
    "  <Unit xsi:type=\"vec:SIUnit\" id=\"square_metre\"><Exponent>2</Exponent>"                             \
    "<SiUnitName>Metre</SiUnitName></Unit>\n"                                                                \
    "  <Unit xsi:type=\"vec:SIUnit\" id=\"per_metre\"><Exponent>-1</Exponent>"                               \
    "<SiUnitName>Metre</SiUnitName></Unit>\n"                                                                \
    "  <Unit xsi:type=\"vec:SIUnit\" id=\"kilogram\"><SiUnitName>Gram</SiUnitName>"                          \
    "<SiPrefix>Kilo</SiPrefix></Unit>\n"                                                                     \
    "  <Unit xsi:type=\"vec:CompositeUnit\" id=\"kilogram_per_metre\">"                                      \
    "<Factors>kilogram per_metre</Factors></Unit>\n"

static void print_escaped(FILE *f, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (name)
            fputs(name, f);
        else
            fputc(*text, f);
    }
}

static void text(FILE *f, const char *name, const char *value)
{
    fprintf(f, "<%s>", name);
    print_escaped(f, value);
    fprintf(f, "</%s>", name);
}

/* A quantity; nothing where it is not known. kind, number: what its id is made of. */
static void quantity(FILE *f, const char *name, const char *unit, double value, const char *kind, int number)
{
    if (!(value > 0)) return;
    fprintf(
        f,
        "<%s id=\"%s_%s_%d\"><UnitComponent>%s</UnitComponent><ValueComponent>%.17g</ValueComponent></%s>\n",
        name, kind, name, number, unit, value, name);
}

static void begin_document(FILE *f, const char *id, const char *type, const char *part)
{
    fprintf(f, "  <DocumentVersion id=\"%s\"><CompanyName>unknown</CompanyName>", id);
    text(f, "DocumentNumber", id);
    fprintf(f, "<DocumentType>%s</DocumentType><DocumentVersion>1</DocumentVersion>", type);
    if (part) fprintf(f, "<ReferencedPart>%s</ReferencedPart>", part);
    fprintf(f, "\n");
}

static void begin_specification(FILE *f, const char *type, const char *id)
{
    fprintf(f, "    <Specification xsi:type=\"vec:%s\" id=\"%s\"><Identification>%s</Identification>", type,
            id, id);
}

static void end_specification(FILE *f)
{
    fprintf(f, "    </Specification>\n");
}

/* ---- parts: each a document that describes it ---- */

/* Begins the document of a part, with its mass. unit: of that */
static void begin_part(FILE *f, const char *kind, int number, double mass, const char *unit)
{
    char part[64], document[64];
    snprintf(part, sizeof part, "%s_part_%d", kind, number);
    snprintf(document, sizeof document, "%s_document_%d", kind, number);
    begin_document(f, document, "PartMaster", part);
    fprintf(f,
            "    <Specification xsi:type=\"vec:GeneralTechnicalPartSpecification\" id=\"%s_technical_%d\">"
            "<Identification>technical</Identification><DescribedPart>%s</DescribedPart>\n",
            kind, number, part);
    if (mass > 0) {
        fprintf(f, "<MassInformation id=\"%s_mass_%d\">", kind, number);
        quantity(f, "Value", unit, mass, kind, number);
        fprintf(f, "</MassInformation>\n");
    }
    end_specification(f);
}

static void wire_part(FILE *f, const cab_kbl *kbl, int w)
{
    const cab_kbl_wire *wire = &kbl->wires[w];
    begin_part(f, "wire", w, wire->mass, "kilogram_per_metre");
    fprintf(f,
            "    <Specification xsi:type=\"vec:CoreSpecification\" "
            "id=\"core_%d\"><Identification>core</Identification>",
            w);
    quantity(f, "CrossSectionArea", "square_metre", wire->area, "core", w);
    fprintf(f,
            "</Specification>\n    <Specification xsi:type=\"vec:WireElementSpecification\" "
            "id=\"wire_element_%d\">"
            "<Identification>1</Identification>",
            w);
    quantity(f, "MinBendRadiusStatic", "metre", wire->bend_radius, "wire", w);
    quantity(f, "OutsideDiameter", "metre", wire->diameter, "wire", w);
    fprintf(
        f,
        "<ConductorSpecification>core_%d</ConductorSpecification></Specification>\n"
        "    <Specification xsi:type=\"vec:WireSpecification\" id=\"wire_specification_%d\">"
        "<Identification>wire</Identification><DescribedPart>wire_part_%d</DescribedPart>"
        "<WireElementSpecification>wire_element_%d</WireElementSpecification>"
        "<WireElement id=\"element_%d\"><Identification>1</Identification>"
        "<WireElementSpecification>wire_element_%d</WireElementSpecification></WireElement></Specification>\n"
        "  </DocumentVersion>\n",
        w, w, w, w, w, w);
}

/* ---- the harness ---- */

/* What is placed, in the order in which its numbers are given: a connector, terminal or fixing at a node, a fixing on a segment, a cover. */
typedef struct placed {
    const char *kind, *role, *part; /* of its ids, of its role, of its part */
    const char *type, *refers;      /* of its specification, and what a role calls that */
    const char *name, *unit;        /* NULL: its kind and number */
    double mass;
    int number, same;           /* of its ids, of its part's */
    const cab_kbl_cover *cover; /* NULL = it is none */
} placed;

typedef void placed_visitor(FILE *f, const cab_kbl *kbl, const placed *p);

static void visit_node(FILE *f, const cab_kbl *kbl, int i, placed_visitor *visit)
{
    const cab_kbl_node *node = &kbl->nodes[i];
    if (node->connector)
        visit(f, kbl,
              &(placed){"connector", "ConnectorHousing", "ConnectorHousing", "ConnectorHousingSpecification",
                        "ConnectorHousing", node->connector, "kilogram", node->mass, i, i, NULL});
    else if (node->plugged)
        visit(f, kbl,
              &(placed){"terminal", "Terminal", "Terminal", "TerminalSpecification", "Terminal", NULL,
                        "kilogram", 0, i, i, NULL});
    if (node->fixing)
        visit(f, kbl,
              &(placed){"node_fixing", "Fixing", "Fixing", "FixingSpecification", "Fixing", node->fixing,
                        "kilogram", 0, i, i, NULL});
}

static void visit_cover(FILE *f, const cab_kbl *kbl, int i, placed_visitor *visit)
{
    static const struct {
        const char *role, *part, *type;
    } kinds[CAB_KBL_COVER_KINDS] = {
        [CAB_KBL_COVER_OTHER] = {"WireProtection", "WireProtection", "WireProtectionSpecification"},
        [CAB_KBL_TAPE] = {"Tape", "Tape", "TapeSpecification"},
        [CAB_KBL_CORRUGATED] = {"CorrugatedPipe", "CorrugatedPipe", "CorrugatedPipeSpecification"},
        [CAB_KBL_TUBE] = {"Tube", "Tube", "TubeSpecification"},
    };
    const cab_kbl_cover *c = &kbl->covers[i];
    visit(f, kbl,
          &(placed){"cover", kinds[c->kind].role, kinds[c->kind].part, kinds[c->kind].type, "WireProtection",
                    NULL, "kilogram_per_metre", c->mass, i, c->same, c});
}

static void visit_placed(FILE *f, const cab_kbl *kbl, placed_visitor *visit)
{
    for (int i = 0; i < kbl->node_count; i++) visit_node(f, kbl, i, visit);
    for (int i = 0; i < kbl->fixing_count; i++)
        visit(f, kbl,
              &(placed){"fixing", "Fixing", "Fixing", "FixingSpecification", "Fixing", kbl->fixings[i].name,
                        "kilogram", 0, i, i, NULL});
    for (int i = 0; i < kbl->cover_count; i++)
        if (kbl->segments[kbl->covers[i].segment].length > 0) visit_cover(f, kbl, i, visit);
}

/* What the specification of a tape or tube says beside its mass. */
static void write_sizes(FILE *f, const cab_kbl_cover *c, int number)
{
    if (c->kind == CAB_KBL_TAPE) quantity(f, "Thickness", "metre", c->thickness, "cover", number);
    if (c->kind != CAB_KBL_TUBE && c->kind != CAB_KBL_CORRUGATED) return;
    quantity(f, "InnerDiameter", "metre", c->inner, "cover", number);
    quantity(f, "WallThickness", "metre", c->thickness, "cover", number);
    quantity(f, "OuterDiameter", "metre", c->outer, "cover", number);
}

static void write_part(FILE *f, const cab_kbl *kbl, const placed *p)
{
    (void)kbl;
    if (p->same != p->number) return;
    begin_part(f, p->kind, p->number, p->mass, p->unit);
    fprintf(f,
            "    <Specification xsi:type=\"vec:PlaceableElementSpecification\" id=\"%s_placeable_%d\">"
            "<Identification>placeable</Identification><DescribedPart>%s_part_%d</DescribedPart>"
            "<ValidPlacementTypes>%s</ValidPlacementTypes></Specification>\n"
            "    <Specification xsi:type=\"vec:%s\" id=\"%s_specification_%d\">"
            "<Identification>part</Identification><DescribedPart>%s_part_%d</DescribedPart>",
            p->kind, p->number, p->kind, p->number, p->cover ? "OnWay" : "OnPoint", p->type, p->kind,
            p->number, p->kind, p->number);
    if (p->cover) write_sizes(f, p->cover, p->number);
    fprintf(f, "</Specification>\n  </DocumentVersion>\n");
}

static void write_part_version(FILE *f, const cab_kbl *kbl, const placed *p)
{
    char name[64];
    (void)kbl;
    if (p->same != p->number) return;
    snprintf(name, sizeof name, "%s %d", p->kind, p->number);
    fprintf(f, "  <PartVersion id=\"%s_part_%d\"><CompanyName>unknown</CompanyName>", p->kind, p->number);
    text(f, "PartNumber", p->cover && *cab_kbl_part_of(p->cover) ? cab_kbl_part_of(p->cover) : name);
    fprintf(f, "<PartVersion>1</PartVersion><PrimaryPartType>%s</PrimaryPartType></PartVersion>\n", p->part);
}

static void write_component(FILE *f, const cab_kbl *kbl, const placed *p)
{
    (void)kbl;
    fprintf(f, "      <Component id=\"%s_%d\">", p->kind, p->number);
    char name[64];
    snprintf(name, sizeof name, "%s %d", p->kind, p->number);
    text(f, "Identification", p->name ? p->name : name);
    fprintf(f,
            "<Role xsi:type=\"vec:PlaceableElementRole\" id=\"%s_place_%d\">"
            "<PlaceableElementSpecification>%s_placeable_%d</PlaceableElementSpecification></Role>"
            "<Role xsi:type=\"vec:%sRole\" "
            "id=\"%s_role_%d\"><%sSpecification>%s_specification_%d</%sSpecification></Role>"
            "<Part>%s_part_%d</Part></Component>\n",
            p->kind, p->number, p->kind, p->same, p->role, p->kind, p->number, p->refers, p->kind, p->same,
            p->refers, p->kind, p->same);
}

static void segment_location(FILE *f, const char *name, const char *id, int number, double offset,
                             int segment)
{
    fprintf(
        f,
        "<%s xsi:type=\"vec:SegmentLocation\" id=\"%s_%s_%d\"><Identification>%s</Identification>"
        "<Offset "
        "id=\"%s_%s_offset_%d\"><UnitComponent>metre</UnitComponent><ValueComponent>%.17g</ValueComponent>"
        "</Offset><Anchor>FromStartNode</Anchor><ReferencedSegment>segment_%d</ReferencedSegment></%s>",
        name, id, name, number, name, id, name, number, offset, segment, name);
}

static void write_placement(FILE *f, const cab_kbl *kbl, const placed *p)
{
    const cab_kbl_cover *c = p->cover;
    fprintf(f,
            "      <Placement xsi:type=\"vec:On%sPlacement\" "
            "id=\"%s_placement_%d\"><Identification>%s %d</Identification>"
            "<PlacedElement>%s_place_%d</PlacedElement>",
            c ? "Way" : "Point", p->kind, p->number, p->kind, p->number, p->kind, p->number);
    if (c) {
        double length = kbl->segments[c->segment].length;
        segment_location(f, "EndLocation", p->kind, p->number, c->to * length, c->segment);
        fprintf(f, "<Path id=\"cover_path_%d\"><Segment>segment_%d</Segment></Path>", p->number, c->segment);
        segment_location(f, "StartLocation", p->kind, p->number, c->from * length, c->segment);
    } else if (strcmp(p->kind, "fixing") == 0) {
        const cab_kbl_fixing *fixing = &kbl->fixings[p->number];
        segment_location(f, "Location", p->kind, p->number,
                         fixing->location * kbl->segments[fixing->segment].length, fixing->segment);
    } else {
        fprintf(f,
                "<Location xsi:type=\"vec:NodeLocation\" "
                "id=\"%s_location_%d\"><Identification>node</Identification>"
                "<ReferencedNode>node_%d</ReferencedNode></Location>",
                p->kind, p->number, p->number);
    }
    fprintf(f, "</Placement>\n");
}

static void write_wire(FILE *f, const cab_kbl *kbl, int w, int part)
{
    const cab_kbl_wire *wire = &kbl->wires[w];
    fprintf(f, "      <Component id=\"wire_%d\">", w);
    text(f, "Identification", wire->id);
    fprintf(f,
            "<Role xsi:type=\"vec:WireRole\" "
            "id=\"wire_role_%d\"><WireSpecification>wire_specification_%d</WireSpecification>"
            "<WireElementReference id=\"reference_%d\"><Identification>1</Identification>"
            "<ReferencedWireElement>element_%d</ReferencedWireElement>",
            w, part, w, part);
    if (wire->length > 0) {
        fprintf(f, "<WireLength id=\"wire_length_%d\"><LengthType>Production</LengthType>", w);
        quantity(f, "LengthValue", "metre", wire->length, "wire", w);
        fprintf(f, "</WireLength>");
    }
    fprintf(f, "</WireElementReference></Role><Part>wire_part_%d</Part></Component>\n", part);
}

static void write_topology(FILE *f, const cab_kbl *kbl)
{
    begin_specification(f, "TopologySpecification", "topology");
    fprintf(f, "\n");
    for (int i = 0; i < kbl->node_count; i++) {
        fprintf(f, "      <TopologyNode id=\"node_%d\">", i);
        text(f, "Identification", kbl->nodes[i].id);
        fprintf(f, "</TopologyNode>\n");
    }
    for (int i = 0; i < kbl->segment_count; i++) {
        const cab_kbl_segment *s = &kbl->segments[i];
        if (s->start < 0 || s->end < 0) continue;
        fprintf(f, "      <TopologySegment id=\"segment_%d\">", i);
        text(f, "Identification", s->id);
        fprintf(f, "<EndNode>node_%d</EndNode><StartNode>node_%d</StartNode>\n", s->end, s->start);
        if (s->area > 0) {
            fprintf(f, "<CrossSectionAreaInformation id=\"area_%d\">", i);
            quantity(f, "Area", "square_metre", s->area, "segment", i);
            fprintf(f, "<ValueDetermination>Calculated</ValueDetermination></CrossSectionAreaInformation>\n");
        }
        if (s->length > 0) {
            fprintf(f, "<LengthInformation id=\"length_%d\">", i);
            quantity(f, "Length", "metre", s->length, "segment", i);
            fprintf(f, "<Classification>Designed</Classification></LengthInformation>\n");
        }
        fprintf(f, "      </TopologySegment>\n");
    }
    end_specification(f);
}

static void write_vector(FILE *f, const char *name, int segment, cab_vec3 v)
{
    fprintf(f, "<%s id=\"%s_%d\"><X>%.17g</X><Y>%.17g</Y><Z>%.17g</Z></%s>", name, name, segment, v.x, v.y,
            v.z, name);
}

static void write_point(FILE *f, const char *kind, int i, int k, int c, cab_vec3 p)
{
    fprintf(
        f, "      <CartesianPoint id=\"%s_%d_%d_%d\"><X>%.17g</X><Y>%.17g</Y><Z>%.17g</Z></CartesianPoint>\n",
        kind, i, k, c, p.x, p.y, p.z);
}

static void write_points(FILE *f, const cab_kbl *kbl)
{
    for (int i = 0; i < kbl->node_count; i++)
        if (kbl->nodes[i].placed) write_point(f, "place", i, 0, 0, kbl->nodes[i].place);
    for (int i = 0; i < kbl->segment_count; i++)
        for (int k = 0; k < kbl->segments[i].curve_count; k++)
            for (int c = 0; c < kbl->segments[i].curves[k].count; c++)
                write_point(f, "control", i, k, c, kbl->segments[i].curves[k].points[c]);
}

static void write_curve(FILE *f, const cab_kbl_curve *curve, int i, int k)
{
    fprintf(f, "<Curve xsi:type=\"vec:NURBSCurve\" id=\"curve_%d_%d\"><Degree>%d</Degree>", i, k,
            curve->degree);
    for (int c = 0; c < curve->count; c++)
        fprintf(f,
                "<ControlPoint id=\"weighted_%d_%d_%d\"><Weight>1</Weight>"
                "<CartesianPoint3D>control_%d_%d_%d</CartesianPoint3D></ControlPoint>",
                i, k, c, i, k, c);
    fprintf(f, "</Curve>\n");
}

static void write_geometry(FILE *f, const cab_kbl *kbl)
{
    begin_specification(f, "BuildingBlockSpecification3D", "geometry");
    fprintf(f, "<BaseUnit>metre</BaseUnit>\n");
    write_points(f, kbl);
    for (int i = 0; i < kbl->node_count; i++) {
        if (!kbl->nodes[i].placed) continue;
        fprintf(f, "      <GeometryNode id=\"node3d_%d\">", i);
        text(f, "Identification", kbl->nodes[i].id);
        fprintf(f,
                "<ReferenceNode>node_%d</ReferenceNode><CartesianPoint>place_%d_0_0</CartesianPoint></"
                "GeometryNode>\n",
                i, i);
    }
    for (int i = 0; i < kbl->segment_count; i++) {
        const cab_kbl_segment *s = &kbl->segments[i];
        if (s->start < 0 || s->end < 0 || !kbl->nodes[s->start].placed || !kbl->nodes[s->end].placed)
            continue;
        fprintf(f, "      <GeometrySegment id=\"segment3d_%d\">", i);
        text(f, "Identification", s->id);
        fprintf(f, "<ReferenceSegment>segment_%d</ReferenceSegment>", i);
        write_vector(f, "StartVector", i, s->direction[0]);
        write_vector(f, "EndVector", i, s->direction[1]);
        fprintf(f, "<EndNode>node3d_%d</EndNode><StartNode>node3d_%d</StartNode>\n", s->end, s->start);
        for (int k = 0; k < s->curve_count; k++) write_curve(f, &s->curves[k], i, k);
        fprintf(f, "      </GeometrySegment>\n");
    }
    end_specification(f);
}

static void write_routing(FILE *f, const cab_kbl *kbl)
{
    begin_specification(f, "RoutingSpecification", "routing");
    fprintf(f, "\n");
    for (int w = 0; w < kbl->wire_count; w++) {
        const cab_kbl_wire *wire = &kbl->wires[w];
        if (!wire->route_count) continue;
        fprintf(
            f,
            "      <Routing "
            "id=\"route_%d\"><Identification>%d</Identification><RoutedElement>reference_%d</RoutedElement>"
            "<Path id=\"path_%d\"><Segment>",
            w, w, w, w);
        for (int i = 0; i < wire->route_count; i++) fprintf(f, "%ssegment_%d", i ? " " : "", wire->route[i]);
        fprintf(f, "</Segment></Path></Routing>\n");
    }
    end_specification(f);
}

static void write_harness(FILE *f, const cab_kbl *kbl, const int *part)
{
    begin_document(f, "harness", "HarnessDescription", NULL);
    begin_specification(f, "CompositionSpecification", "components");
    fprintf(f, "\n");
    visit_placed(f, kbl, write_component);
    for (int w = 0; w < kbl->wire_count; w++) write_wire(f, kbl, w, part[w]);
    end_specification(f);
    write_topology(f, kbl);
    write_geometry(f, kbl);
    begin_specification(f, "PlacementSpecification", "placements");
    fprintf(f, "\n");
    visit_placed(f, kbl, write_placement);
    end_specification(f);
    write_routing(f, kbl);
    fprintf(f, "  </DocumentVersion>\n");
}

/* part: of each wire the first one of the same part. */
static void write_content(FILE *f, const cab_kbl *kbl, const int *part)
{
    fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<vec:VecContent xmlns:vec=\"http://www.prostep.org/ecad-if/2011/vec\" "
               "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" id=\"content\">\n"
               "  <VecVersion>2.1.0</VecVersion>\n  <GeneratingSystemName>clcable</GeneratingSystemName>\n");
    write_harness(f, kbl, part);
    visit_placed(f, kbl, write_part);
    for (int w = 0; w < kbl->wire_count; w++)
        if (part[w] == w) wire_part(f, kbl, w);
    visit_placed(f, kbl, write_part_version);
    for (int w = 0; w < kbl->wire_count; w++) {
        if (part[w] != w) continue;
        fprintf(f, "  <PartVersion id=\"wire_part_%d\"><CompanyName>unknown</CompanyName>", w);
        text(f, "PartNumber", *kbl->wires[w].part ? kbl->wires[w].part : kbl->wires[w].id);
        fprintf(f, "<PartVersion>1</PartVersion><PrimaryPartType>Wire</PrimaryPartType></PartVersion>\n");
    }
    fprintf(f, UNITS "</vec:VecContent>\n");
}

/* The first wire of the same part; of one whose part is not known, itself. To be freed; NULL without memory. */
static int *list_parts(const cab_kbl *kbl)
{
    json_t *named[2] = {
        json_object(),
        json_object()}; /* by their ids, by their numbers: one may be called as another is numbered */
    int *part = calloc((size_t)kbl->wire_count + 1, sizeof *part);
    bool lost = !named[0] || !named[1] || !part;
    for (int w = 0; w < kbl->wire_count && !lost; w++) {
        const char *name = kbl->wires[w].part;
        json_t *firsts = named[name == kbl->wires[w].number];
        const json_t *first = *name ? json_object_get(firsts, name) : NULL;
        part[w] = first ? (int)json_integer_value(first) : w;
        if (*name && !first) lost = json_object_set_new_nocheck(firsts, name, json_integer(w)) != 0;
    }
    json_decref(named[0]);
    json_decref(named[1]);
    if (!lost) return part;
    free(part);
    return NULL;
}

cab_status cab_kbl_write_vec(const cab_kbl *kbl, char **bytes, size_t *size, cab_error *error)
{
    cab_text_stream stream = {.lost = true};
    *bytes = NULL;
    int *part = list_parts(kbl);
    if (part) cab_text_stream_open(&stream);
    if (stream.file) write_content(stream.file, kbl, part);
    free(part);
    return cab_text_stream_close(&stream, bytes, size) ? CAB_OK
                                                       : cab_fail_memory(error, "a harness as VEC", 0);
}

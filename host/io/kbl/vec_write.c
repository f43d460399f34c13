/* A harness as VEC 2.1: what a harness holds here, in metres and kilograms. docs/harness.md tells what of a file that is not. */
#include <string.h>

#include "base/error.h"
#include "base/text_stream.h"
#include "io/kbl/vec.h"
#include "io/kbl/vec_write.h"
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

void cab_vec_print_text(FILE *f, const char *name, const char *value)
{
    fprintf(f, "<%s>", name);
    print_escaped(f, value);
    fprintf(f, "</%s>", name);
}

void cab_vec_print_quantity(FILE *f, const char *name, const char *unit, double value, const char *kind,
                            int number)
{
    if (!(value > 0)) return;
    fprintf(
        f,
        "<%s id=\"%s_%s_%d\"><UnitComponent>%s</UnitComponent><ValueComponent>%.17g</ValueComponent></%s>\n",
        name, kind, name, number, unit, value, name);
}

void cab_vec_print_alias(FILE *f, const char *scope, const char *value, const char *kind, int number)
{
    if (!*value) return;
    fprintf(f, "<AliasId id=\"%s_%s_alias_%d\">", kind, scope, number);
    cab_vec_print_text(f, "IdentificationValue", value);
    fprintf(f, "<Scope>%s</Scope></AliasId>", scope);
}

static const char unknown[] = "/NULL"; /* as files say it */

static void print_description(FILE *f, const char *value, const char *kind, int number)
{
    if (!*value) return;
    fprintf(f,
            "<Description xsi:type=\"vec:LocalizedString\" id=\"%s_text_%d\">"
            "<LanguageCode>En</LanguageCode>",
            kind, number);
    cab_vec_print_text(f, "Value", value);
    fprintf(f, "</Description>");
}

void cab_vec_begin_document(FILE *f, const char *id, const char *number, const char *type, const char *part)
{
    fprintf(f, "  <DocumentVersion id=\"%s\"><CompanyName>unknown</CompanyName>", id);
    cab_vec_print_text(f, "DocumentNumber", *number ? number : unknown);
    fprintf(f, "<DocumentType>%s</DocumentType><DocumentVersion>1</DocumentVersion>", type);
    if (part) fprintf(f, "<ReferencedPart>%s</ReferencedPart>", part);
    fprintf(f, "\n");
}

void cab_vec_begin_specification(FILE *f, const char *type, const char *id)
{
    fprintf(f, "    <Specification xsi:type=\"vec:%s\" id=\"%s\"><Identification>%s</Identification>", type,
            id, id);
}

void cab_vec_end_specification(FILE *f)
{
    fprintf(f, "    </Specification>\n");
}

void cab_vec_begin_part(FILE *f, const char *kind, int number, double mass, const char *unit,
                        const char *special)
{
    char part[64], document[64];
    snprintf(part, sizeof part, "%s_part_%d", kind, number);
    snprintf(document, sizeof document, "%s_document_%d", kind, number);
    cab_vec_begin_document(f, document, document, "PartMaster", part);
    fprintf(f,
            "    <Specification xsi:type=\"vec:GeneralTechnicalPartSpecification\" id=\"%s_technical_%d\">"
            "<Identification>technical</Identification>",
            kind, number);
    if (*special) cab_vec_print_text(f, "SpecialPartType", special);
    fprintf(f, "<DescribedPart>%s</DescribedPart>\n", part);
    if (mass > 0) {
        fprintf(f, "<MassInformation id=\"%s_mass_%d\">", kind, number);
        cab_vec_print_quantity(f, "Value", unit, mass, kind, number);
        fprintf(f, "</MassInformation>\n");
    }
    cab_vec_end_specification(f);
}

void cab_vec_print_part(FILE *f, const char *kind, int number, const char *part_number, const char *text,
                        const char *type, const char *alias)
{
    fprintf(f, "  <PartVersion id=\"%s_part_%d\">", kind, number);
    print_description(f, text, kind, number);
    fprintf(f, "<CompanyName>unknown</CompanyName>");
    cab_vec_print_text(f, "PartNumber", *part_number ? part_number : unknown);
    fprintf(f, "<PartVersion>1</PartVersion><PrimaryPartType>%s</PrimaryPartType>", type);
    cab_vec_print_alias(f, CAB_VEC_PART, alias, kind, number);
    fprintf(f, "</PartVersion>\n");
}

/* ---- topology and geometry ---- */

/* What people call an element, where that is not its Identification. */
static void print_name(FILE *f, const char *name, const char *id, const char *kind, int number)
{
    if (strcmp(name, id) != 0) cab_vec_print_alias(f, CAB_VEC_NAME, name, kind, number);
}

static void write_topology(FILE *f, const cab_kbl *kbl)
{
    cab_vec_begin_specification(f, "TopologySpecification", "topology");
    fprintf(f, "\n");
    for (int i = 0; i < kbl->node_count; i++) {
        fprintf(f, "      <TopologyNode id=\"node_%d\">", i);
        if (kbl->contents) print_name(f, kbl->contents->node_names[i], kbl->nodes[i].id, "node", i);
        cab_vec_print_text(f, "Identification", kbl->nodes[i].id);
        fprintf(f, "</TopologyNode>\n");
    }
    for (int i = 0; i < kbl->segment_count; i++) {
        const cab_kbl_segment *s = &kbl->segments[i];
        if (s->start < 0 || s->end < 0) continue;
        fprintf(f, "      <TopologySegment id=\"segment_%d\">", i);
        cab_vec_print_text(f, "Identification", s->id);
        print_name(f, s->name, s->id, "segment", i);
        fprintf(f, "<EndNode>node_%d</EndNode><StartNode>node_%d</StartNode>\n", s->end, s->start);
        if (s->area > 0) {
            fprintf(f, "<CrossSectionAreaInformation id=\"area_%d\">", i);
            cab_vec_print_quantity(f, "Area", "square_metre", s->area, "segment", i);
            fprintf(f, "<ValueDetermination>Calculated</ValueDetermination></CrossSectionAreaInformation>\n");
        }
        if (s->length > 0) {
            fprintf(f, "<LengthInformation id=\"length_%d\">", i);
            cab_vec_print_quantity(f, "Length", "metre", s->length, "segment", i);
            fprintf(f, "<Classification>Designed</Classification></LengthInformation>\n");
        }
        fprintf(f, "      </TopologySegment>\n");
    }
    cab_vec_end_specification(f);
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

/* Is it the first that is of its item, and has a place? */
static bool is_shown(const cab_vec_writer *w, int fixing, bool *seen)
{
    int item = w->items.fixings[fixing];
    if (!w->kbl->fixings[fixing].placed || seen[item]) return false;
    return seen[item] = true;
}

static void write_points(FILE *f, const cab_kbl *kbl)
{
    for (int i = 0; i < kbl->node_count; i++)
        if (kbl->nodes[i].placed) write_point(f, "place", i, 0, 0, kbl->nodes[i].place);
    for (int i = 0; i < kbl->segment_count; i++)
        for (int k = 0; k < kbl->segments[i].curve_count; k++)
            for (int c = 0; c < kbl->segments[i].curves[k].count; c++)
                write_point(f, "control", i, k, c, kbl->segments[i].curves[k].points[c]);
    for (int i = 0; i < kbl->fixing_count; i++)
        if (kbl->fixings[i].placed) write_point(f, "fixing", i, 0, 0, kbl->fixings[i].place);
}

/* Where fixings are; how they are turned is not known. */
static void write_views(const cab_vec_writer *w)
{
    static const char turned[] = "<A11>1</A11><A12>0</A12><A13>0</A13><A21>0</A21><A22>1</A22><A23>0</A23>"
                                 "<A31>0</A31><A32>0</A32><A33>1</A33>";
    bool *seen = cab_kbl_new(w->kbl, (size_t)w->items.count, sizeof *seen);
    for (int i = 0; i < w->kbl->fixing_count && seen; i++) {
        if (!is_shown(w, i, seen)) continue;
        fprintf(w->f,
                "      <PlacedElementViewItem3D id=\"view_%d\"><Identification>fixing %d</Identification>"
                "<OccurrenceOrUsage>fixing_%d</OccurrenceOrUsage><Orientation id=\"turned_%d\">%s"
                "<Origin>fixing_%d_0_0</Origin></Orientation></PlacedElementViewItem3D>\n",
                i, i, w->items.fixings[i], i, turned, i);
    }
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

static void write_geometry(const cab_vec_writer *w)
{
    FILE *f = w->f;
    const cab_kbl *kbl = w->kbl;
    cab_vec_begin_specification(f, "BuildingBlockSpecification3D", "geometry");
    fprintf(f, "<BaseUnit>metre</BaseUnit>\n");
    write_points(f, kbl);
    for (int i = 0; i < kbl->node_count; i++) {
        if (!kbl->nodes[i].placed) continue;
        fprintf(f, "      <GeometryNode id=\"node3d_%d\">", i);
        cab_vec_print_text(f, "Identification", kbl->nodes[i].id);
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
        cab_vec_print_text(f, "Identification", s->id);
        fprintf(f, "<ReferenceSegment>segment_%d</ReferenceSegment>", i);
        write_vector(f, "StartVector", i, s->direction[0]);
        write_vector(f, "EndVector", i, s->direction[1]);
        fprintf(f, "<EndNode>node3d_%d</EndNode><StartNode>node3d_%d</StartNode>\n", s->end, s->start);
        for (int k = 0; k < s->curve_count; k++) write_curve(f, &s->curves[k], i, k);
        fprintf(f, "      </GeometrySegment>\n");
    }
    write_views(w);
    cab_vec_end_specification(f);
}

/* ---- all ---- */

static void write_harness(cab_vec_writer *w)
{
    FILE *f = w->f;
    const cab_kbl_contents *c = w->kbl->contents;
    bool named = c && (*c->name || *c->text);
    cab_vec_begin_document(f, "harness", c ? c->name : "", "HarnessDescription",
                           named ? "harness_part_0" : NULL);
    cab_vec_begin_specification(f, "CompositionSpecification", "components");
    fprintf(f, "\n");
    cab_vec_write_item_components(w);
    cab_vec_write_wire_components(w);
    cab_vec_end_specification(f);
    write_topology(f, w->kbl);
    write_geometry(w);
    cab_vec_write_placements(w);
    cab_vec_write_routing(w);
    cab_vec_write_signals(w);
    cab_vec_write_contacts(w);
    fprintf(f, "  </DocumentVersion>\n");
}

static void write_content(cab_vec_writer *w)
{
    FILE *f = w->f;
    const cab_kbl_contents *c = w->kbl->contents;
    fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<vec:VecContent xmlns:vec=\"http://www.prostep.org/ecad-if/2011/vec\" "
               "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" id=\"content\">\n"
               "  <VecVersion>2.1.0</VecVersion>\n  <GeneratingSystemName>clcable</GeneratingSystemName>\n");
    write_harness(w);
    cab_vec_write_item_documents(w);
    cab_vec_write_wire_documents(w);
    if (c && (*c->name || *c->text))
        cab_vec_print_part(f, "harness", 0, c->name, c->text, "PartStructure", "");
    cab_vec_write_item_parts(w);
    cab_vec_write_wire_parts(w);
    fprintf(f, UNITS "</vec:VecContent>\n");
}

cab_status cab_kbl_write_vec(cab_kbl *kbl, char **bytes, size_t *size, cab_error *error)
{
    cab_text_stream stream = {.lost = true};
    cab_vec_writer w = {.kbl = kbl};
    *bytes = NULL;
    cab_kbl_list_items(kbl, &w.items);
    if (!kbl->lost) cab_vec_sort_wires(&w);
    if (!kbl->lost) cab_text_stream_open(&stream);
    w.f = stream.file;
    if (w.f) write_content(&w);
    stream.lost |= kbl->lost;
    return cab_text_stream_close(&stream, bytes, size) ? CAB_OK
                                                       : cab_fail_memory(error, "a harness as VEC", 0);
}

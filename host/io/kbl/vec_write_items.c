/* Connectors, splices, boxes, fixings, tapes and all else that a harness is built of, as VEC: parts with a document each, components with
 * roles, placements, and the contact points in which ends of wires are mounted. */
#include <string.h>

#include "io/kbl/vec.h"
#include "io/kbl/vec_write.h"

/* How a kind is told. */
typedef struct form {
    const char *prefix;      /* of its ids */
    const char *role;        /* of VEC's types; NULL = it has none */
    const char *part, *type; /* the part's kind, the type of its specification */
    const char *refers;      /* what a role calls that */
} form;

static form form_of(const cab_vec_writer *w, const cab_kbl_item *item)
{
    static const form kinds[] = {
        [CAB_KBL_CONNECTOR] = {"connector", "ConnectorHousing", "ConnectorHousing",
                               "ConnectorHousingSpecification", "ConnectorHousing"},
        [CAB_KBL_SPLICE] = {"splice", "SpliceTerminal", "SpliceTerminal", "SpliceTerminalSpecification",
                            "Terminal"},
        [CAB_KBL_TERMINAL] = {"terminal", "Terminal", "Terminal", "TerminalSpecification", "Terminal"},
        [CAB_KBL_BOX] = {"box", "EEComponent", "EEComponent", "EEComponentSpecification", "EEComponent"},
        [CAB_KBL_FIXING] = {"fixing", "Fixing", "Fixing", "FixingSpecification", "Fixing"},
        [CAB_KBL_OTHER] = {"part", NULL, "Other", NULL, NULL},
    };
    static const form covers[CAB_KBL_COVER_KINDS] = {
        [CAB_KBL_COVER_OTHER] = {"cover", "WireProtection", "WireProtection", "WireProtectionSpecification",
                                 "WireProtection"},
        [CAB_KBL_TAPE] = {"cover", "Tape", "Tape", "TapeSpecification", "WireProtection"},
        [CAB_KBL_CORRUGATED] = {"cover", "CorrugatedPipe", "CorrugatedPipe", "CorrugatedPipeSpecification",
                                "WireProtection"},
        [CAB_KBL_TUBE] = {"cover", "Tube", "Tube", "TubeSpecification", "WireProtection"},
    };
    static const struct {
        const char *word;
        form form;
    } others[] = {
        {"seal", {"part", "CavitySeal", "CavitySeal", "CavitySealSpecification", "CavitySeal"}},
        {"plug", {"part", "CavityPlug", "CavityPlug", "CavityPlugSpecification", "CavityPlug"}},
        {"grommet", {"part", "Grommet", "Grommet", "GrommetSpecification", "Grommet"}},
    };
    if (item->kind == CAB_KBL_PROTECTION)
        return covers[item->cover >= 0 ? w->kbl->covers[item->cover].kind : CAB_KBL_COVER_OTHER];
    for (size_t i = 0; item->kind == CAB_KBL_OTHER && i < sizeof others / sizeof *others; i++)
        if (strcmp(item->word, others[i].word) == 0) return others[i].form;
    return kinds[item->kind];
}

/* Is it what ends of wires are put into by cavities? Else they are mounted on it. */
static bool has_cavities(const cab_kbl_item *item)
{
    return item->kind == CAB_KBL_CONNECTOR || item->kind == CAB_KBL_BOX;
}

/* ---- parts ---- */

/* What the specification of a tape or tube says beside its mass. */
static void write_sizes(FILE *f, const cab_kbl_cover *c, int number)
{
    if (c->kind == CAB_KBL_TAPE)
        cab_vec_print_quantity(f, "Thickness", "metre", c->thickness, "cover", number);
    if (c->kind != CAB_KBL_TUBE && c->kind != CAB_KBL_CORRUGATED) return;
    cab_vec_print_quantity(f, "InnerDiameter", "metre", c->inner, "cover", number);
    cab_vec_print_quantity(f, "WallThickness", "metre", c->thickness, "cover", number);
    cab_vec_print_quantity(f, "OuterDiameter", "metre", c->outer, "cover", number);
}

/* The cavities of a part that has such. */
static void write_slot(const cab_vec_writer *w, int number)
{
    const cab_kbl_item *item = &w->items.items[number];
    if (item->first_cavity < 0) return;
    fprintf(w->f, "<Slot xsi:type=\"vec:Slot\" id=\"slot_%d\">", number);
    for (int i = item->first_cavity; i >= 0; i = w->items.cavities[i].next) {
        fprintf(w->f, "<Cavity id=\"cavity_%d\">", i);
        if (*w->items.cavities[i].name) cab_vec_print_text(w->f, "CavityNumber", w->items.cavities[i].name);
        fprintf(w->f, "</Cavity>");
    }
    fprintf(w->f, "</Slot>");
}

/* The places for wires of a terminal or splice that have a name. */
static void write_receptions(const cab_vec_writer *w, const cab_kbl_item *item)
{
    for (int i = item->first_cavity; i >= 0; i = w->items.cavities[i].next) {
        if (!*w->items.cavities[i].name) continue;
        fprintf(w->f, "<WireReception id=\"cavity_%d\">", i);
        cab_vec_print_text(w->f, "Identification", w->items.cavities[i].name);
        fprintf(w->f, "</WireReception>");
    }
}

static void write_specification(const cab_vec_writer *w, const cab_kbl_item *item, form t, int number)
{
    FILE *f = w->f;
    bool boxed = item->kind == CAB_KBL_BOX && item->first_cavity >= 0;
    if (boxed) {
        fprintf(f,
                "    <Specification xsi:type=\"vec:ConnectorHousingSpecification\" id=\"housing_%d\">"
                "<Identification>housing</Identification>",
                number);
        write_slot(w, number);
        cab_vec_end_specification(f);
    }
    fprintf(f,
            "    <Specification xsi:type=\"vec:%s\" id=\"%s_specification_%d\">"
            "<Identification>part</Identification><DescribedPart>%s_part_%d</DescribedPart>",
            t.type, t.prefix, number, t.prefix, number);
    if (item->kind == CAB_KBL_CONNECTOR) write_slot(w, number);
    if (item->kind == CAB_KBL_TERMINAL || item->kind == CAB_KBL_SPLICE) write_receptions(w, item);
    if (item->cover >= 0) write_sizes(f, &w->kbl->covers[item->cover], number);
    if (boxed)
        fprintf(f,
                "<HousingComponent id=\"housed_%d\"><Identification>housing</Identification>"
                "<HousingSpecification>housing_%d</HousingSpecification></HousingComponent>",
                number, number);
    cab_vec_end_specification(f);
}

static void write_document(const cab_vec_writer *w, int number)
{
    const cab_kbl_item *item = &w->items.items[number];
    form t = form_of(w, item);
    double mass = item->cover >= 0 ? w->kbl->covers[item->cover].mass : item->mass;
    cab_vec_begin_part(w->f, t.prefix, number, mass, item->cover >= 0 ? "kilogram_per_metre" : "kilogram",
                       t.role ? "" : item->word);
    if (item->kind != CAB_KBL_OTHER)
        fprintf(w->f,
                "    <Specification xsi:type=\"vec:PlaceableElementSpecification\" id=\"%s_placeable_%d\">"
                "<Identification>placeable</Identification><DescribedPart>%s_part_%d</DescribedPart>"
                "<ValidPlacementTypes>%s</ValidPlacementTypes></Specification>\n",
                t.prefix, number, t.prefix, number, item->kind == CAB_KBL_PROTECTION ? "OnWay" : "OnPoint");
    if (t.type) write_specification(w, item, t, number);
    fprintf(w->f, "  </DocumentVersion>\n");
}

void cab_vec_write_item_documents(cab_vec_writer *w)
{
    for (int i = 0; i < w->items.count; i++)
        if (w->items.items[i].same == i) write_document(w, i);
}

void cab_vec_write_item_parts(cab_vec_writer *w)
{
    for (int i = 0; i < w->items.count; i++) {
        const cab_kbl_item *item = &w->items.items[i];
        form t = form_of(w, item);
        if (item->same == i)
            cab_vec_print_part(w->f, t.prefix, i, item->part, item->text, t.part,
                               item->cover >= 0 ? w->kbl->covers[item->cover].part_id : "");
    }
}

/* ---- components ---- */

/* The cavities of a connector in which something ends. */
static void write_slot_reference(const cab_vec_writer *w, const cab_kbl_item *item, int number)
{
    if (item->first_pin < 0) return;
    fprintf(w->f,
            "<SlotReference xsi:type=\"vec:SlotReference\" id=\"slot_of_%d\">"
            "<ReferencedSlot>slot_%d</ReferencedSlot>",
            number, item->same);
    for (int i = item->first_pin; i >= 0; i = w->items.pins[i].next)
        fprintf(
            w->f,
            "<CavityReference id=\"pin_%d\"><ReferencedCavity>cavity_%d</ReferencedCavity></CavityReference>",
            i, w->items.pins[i].cavity);
    fprintf(w->f, "</SlotReference>");
}

static void write_box(const cab_vec_writer *w, const cab_kbl_item *item, int number)
{
    if (item->first_pin < 0) return;
    fprintf(w->f,
            "<HousingComponentRef id=\"housing_of_%d\"><Identification>housing</Identification>"
            "<HousingComponent>housed_%d</HousingComponent>"
            "<ConnectorHousingRole id=\"housing_role_%d\">"
            "<ConnectorHousingSpecification>housing_%d</ConnectorHousingSpecification>",
            number, item->same, number, item->same);
    write_slot_reference(w, item, number);
    fprintf(w->f, "</ConnectorHousingRole></HousingComponentRef>");
}

static void write_reception_references(const cab_vec_writer *w, const cab_kbl_item *item)
{
    for (int i = item->first_pin; i >= 0; i = w->items.pins[i].next) {
        if (!*w->items.pins[i].name) continue;
        fprintf(w->f, "<WireReceptionReference id=\"pin_%d\">", i);
        cab_vec_print_text(w->f, "Identification", w->items.pins[i].name);
        fprintf(w->f, "<WireReception>cavity_%d</WireReception></WireReceptionReference>",
                w->items.pins[i].cavity);
    }
}

static void write_roles(const cab_vec_writer *w, const cab_kbl_item *item, form t, int number)
{
    FILE *f = w->f;
    if (item->kind != CAB_KBL_OTHER)
        fprintf(f,
                "<Role xsi:type=\"vec:PlaceableElementRole\" id=\"%s_place_%d\">"
                "<PlaceableElementSpecification>%s_placeable_%d</PlaceableElementSpecification></Role>",
                t.prefix, number, t.prefix, item->same);
    if (!t.role) return;
    fprintf(f,
            "<Role xsi:type=\"vec:%sRole\" "
            "id=\"%s_role_%d\"><%sSpecification>%s_specification_%d</%sSpecification>",
            t.role, t.prefix, number, t.refers, t.prefix, item->same, t.refers);
    if (item->kind == CAB_KBL_CONNECTOR) write_slot_reference(w, item, number);
    if (item->kind == CAB_KBL_BOX) write_box(w, item, number);
    if (item->kind == CAB_KBL_TERMINAL || item->kind == CAB_KBL_SPLICE) write_reception_references(w, item);
    fprintf(f, "</Role>");
}

void cab_vec_write_item_components(cab_vec_writer *w)
{
    for (int i = 0; i < w->items.count; i++) {
        const cab_kbl_item *item = &w->items.items[i];
        form t = form_of(w, item);
        fprintf(w->f, "      <Component id=\"%s_%d\">", t.prefix, i);
        cab_vec_print_text(w->f, "Identification", item->name);
        write_roles(w, item, t, i);
        fprintf(w->f, "<Part>%s_part_%d</Part></Component>\n", t.prefix, item->same);
    }
}

/* ---- placements ---- */

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

/* kind: of the placement's own ids. */
static void begin_placement(const cab_vec_writer *w, const char *type, const char *kind, int number, int item)
{
    fprintf(
        w->f,
        "      <Placement xsi:type=\"vec:%s\" id=\"%s_placement_%d\"><Identification>%s %d</Identification>"
        "<PlacedElement>%s_place_%d</PlacedElement>",
        type, kind, number, kind, number, form_of(w, &w->items.items[item]).prefix, item);
}

/* Has the segment both its nodes, so that it is written, and a length, by which places on it are told? */
static bool is_measured(const cab_vec_writer *w, int segment)
{
    const cab_kbl_segment *s = &w->kbl->segments[segment];
    return s->start >= 0 && s->end >= 0 && s->length > 0;
}

static void write_place(const cab_vec_writer *w, int number)
{
    const cab_kbl_item_place *p = &w->items.places[number];
    if (p->node < 0 && !is_measured(w, p->segment)) return;
    begin_placement(w, "OnPointPlacement", "point", number, p->item);
    if (p->node >= 0)
        fprintf(w->f,
                "<Location xsi:type=\"vec:NodeLocation\" id=\"point_location_%d\">"
                "<Identification>node</Identification><ReferencedNode>node_%d</ReferencedNode></Location>",
                number, p->node);
    else
        segment_location(w->f, "Location", "point", number, p->at * w->kbl->segments[p->segment].length,
                         p->segment);
    fprintf(w->f, "</Placement>\n");
}

static void write_fixing(const cab_vec_writer *w, int number)
{
    const cab_kbl_fixing *fixing = &w->kbl->fixings[number];
    if (!is_measured(w, fixing->segment)) return;
    begin_placement(w, "OnPointPlacement", "fixing", number, w->items.fixings[number]);
    segment_location(w->f, "Location", "fixing", number,
                     fixing->location * w->kbl->segments[fixing->segment].length, fixing->segment);
    fprintf(w->f, "</Placement>\n");
}

static void write_cover(const cab_vec_writer *w, int number)
{
    const cab_kbl_cover *c = &w->kbl->covers[number];
    double length = w->kbl->segments[c->segment].length;
    if (!is_measured(w, c->segment)) return;
    begin_placement(w, "OnWayPlacement", "cover", number, w->items.covers[number]);
    segment_location(w->f, "EndLocation", "cover", number, c->to * length, c->segment);
    fprintf(w->f, "<Path id=\"cover_path_%d\"><Segment>segment_%d</Segment></Path>", number, c->segment);
    segment_location(w->f, "StartLocation", "cover", number, c->from * length, c->segment);
    fprintf(w->f, "</Placement>\n");
}

void cab_vec_write_placements(cab_vec_writer *w)
{
    cab_vec_begin_specification(w->f, "PlacementSpecification", "placements");
    fprintf(w->f, "\n");
    for (int i = 0; i < w->items.place_count; i++) write_place(w, i);
    for (int i = 0; i < w->kbl->fixing_count; i++) write_fixing(w, i);
    for (int i = 0; i < w->kbl->cover_count; i++) write_cover(w, i);
    cab_vec_end_specification(w->f);
}

/* ---- contact points ---- */

static void list_ends(const cab_vec_writer *w, int pin)
{
    fprintf(w->f, "<ReferencedWireEnd>");
    for (int e = w->first_end[pin]; e >= 0; e = w->next_end[e])
        fprintf(w->f, "%send_%d_%d", e == w->first_end[pin] ? "" : " ", e / 2, e % 2);
    fprintf(w->f, "</ReferencedWireEnd>");
}

static void write_contact(const cab_vec_writer *w, int pin)
{
    FILE *f = w->f;
    const cab_kbl_item *item = &w->items.items[w->items.pins[pin].item];
    bool cavity = has_cavities(item), reception = !cavity && *w->items.pins[pin].name;
    fprintf(f, "      <ContactPoint id=\"contact_%d\">", pin);
    if (cavity)
        fprintf(f,
                "<CavityMounting id=\"cavity_mounting_%d\"><EquippedCavityRef>pin_%d</EquippedCavityRef>"
                "</CavityMounting>",
                pin, pin);
    else
        fprintf(f, "<MountedTerminal>%s_role_%d</MountedTerminal>", form_of(w, item).prefix,
                w->items.pins[pin].item);
    fprintf(f, "<WireMounting id=\"wire_mounting_%d\">", pin);
    list_ends(w, pin);
    if (reception) {
        fprintf(
            f,
            "<WireMountingDetail id=\"mounted_%d\"><ContactedWireReception>pin_%d</ContactedWireReception>",
            pin, pin);
        list_ends(w, pin);
        fprintf(f, "</WireMountingDetail>");
    }
    fprintf(f, "</WireMounting></ContactPoint>\n");
}

void cab_vec_write_contacts(cab_vec_writer *w)
{
    if (!w->items.pin_count) return;
    cab_vec_begin_specification(w->f, "ContactingSpecification", "contacts");
    fprintf(w->f, "\n");
    for (int i = 0; i < w->items.pin_count; i++) write_contact(w, i);
    cab_vec_end_specification(w->f);
}

/* VEC elements into structs: wires and their routes, and what is placed on the topology: connectors, fixings, tapes and tubes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/kbl/vec.h"
#include "model/limits.h"

/* ---- parts ---- */

/* A part knows its technical specification while reading: xmlNode's _private. */
static void note_part(cab_xml *xml, xmlNode *specification)
{
    char *rest = cab_xml_words(xml, specification, "DescribedPart");
    if (rest && !*rest) rest = cab_xml_words(xml, specification->parent, "ReferencedPart");
    for (char *id; (id = cab_xml_word(&rest));) {
        xmlNode *part = cab_xml_find(xml, id);
        if (cab_xml_is(part, "PartVersion") && !part->_private) part->_private = specification;
    }
}

/* Of an occurrence the part's, of a usage its own. */
const xmlNode *cab_vec_technical_of(cab_xml *xml, const xmlNode *occurrence)
{
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part");
    char *rest = cab_xml_words(xml, occurrence, "PartOrUsageRelatedSpecification");
    for (char *id; !part && (id = cab_xml_word(&rest));) {
        const xmlNode *own = cab_xml_find(xml, id);
        if (cab_vec_is(own, "GeneralTechnicalPartSpecification")) return own;
    }
    return cab_xml_is(part, "PartVersion") ? part->_private : NULL;
}

double cab_vec_mass_of(cab_xml *xml, const xmlNode *occurrence, cab_kbl_dimension dimension)
{
    double mass = 0;
    CAB_XML_EACH(about, cab_vec_technical_of(xml, occurrence), "MassInformation")
    {
        if (mass <= 0) mass = cab_xml_quantity(xml, about, "Value", dimension);
    }
    return mass;
}

/* The first role of this type or a special one of it: "Wire", "Fixing". */
static const xmlNode *role_of(const xmlNode *occurrence, const char *base)
{
    CAB_XML_EACH(role, occurrence, "Role")
    {
        if (cab_vec_is_a(role, base, "Role")) return role;
    }
    return NULL;
}

/* ---- wires ---- */

static void each_wire_role(cab_xml *xml, const xmlNode *specification, const char *list,
                           void visit(cab_xml *xml, xmlNode *occurrence, const xmlNode *role))
{
    CAB_XML_EACH(occurrence, specification, list)
    {
        const xmlNode *role = role_of(occurrence, "Wire");
        if (role) visit(xml, occurrence, role);
    }
}

static const xmlNode *element_of(cab_xml *xml, const xmlNode *reference)
{
    return cab_xml_follow(xml, reference, "ReferencedWireElement");
}

/* Has the element others inside, as the sheath of a cable has its cores? */
static bool is_whole(cab_xml *xml, const xmlNode *reference)
{
    const xmlNode *element = element_of(xml, reference);
    const xmlNode *about = cab_xml_follow(xml, element, "WireElementSpecification");
    const char *inside = cab_xml_words(xml, about, "SubWireElementSpecification");
    return cab_xml_child(element, "SubWireElement") || (inside && *inside);
}

/* Is one of the role's elements a core, or a wire that has none? Else the wholes are its wires. */
static bool has_cores(cab_xml *xml, const xmlNode *role)
{
    CAB_XML_EACH(reference, role, "WireElementReference")
    {
        if (!is_whole(xml, reference)) return true;
    }
    return false;
}

static int wires_in(cab_xml *xml, const xmlNode *role)
{
    bool cores = has_cores(xml, role);
    int count = 0;
    CAB_XML_EACH(reference, role, "WireElementReference") count += !cores || !is_whole(xml, reference);
    return count;
}

static void count_wires(cab_xml *xml, xmlNode *occurrence, const xmlNode *role)
{
    (void)occurrence;
    xml->kbl->wire_count += wires_in(xml, role);
}

const xmlNode *cab_vec_wire_specification(cab_xml *xml, const xmlNode *reference)
{
    return cab_xml_follow(xml, element_of(xml, reference), "WireElementSpecification");
}

/* "CABLE.CORE": cores are numbered anew in each cable. */
static const char *core_name(cab_xml *xml, const xmlNode *occurrence, const xmlNode *core)
{
    const char *cable = cab_vec_name_of(xml, occurrence), *own = cab_vec_name_of(xml, core);
    size_t room = strlen(cable) + strlen(own) + 2;
    char *name = room <= CAB_NAME_MAX ? cab_kbl_new(xml->kbl, room, 1) : NULL;
    if (!name) return cab_xml_id_of(xml, core);
    snprintf(name, room, "%s.%s", cable, own);
    return name;
}

/* alone: the only one of its occurrence. */
static void read_wire(cab_xml *xml, const xmlNode *occurrence, const xmlNode *reference, bool alone,
                      cab_kbl_wire *wire)
{
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part");
    const xmlNode *about = cab_vec_wire_specification(xml, reference);
    const xmlNode *conductor = cab_xml_follow(xml, about, "ConductorSpecification");
    const char *alias = cab_vec_alias(xml, part, CAB_VEC_PART);
    const xmlNode *own = alone ? part : element_of(xml, reference); /* of a cable each core is another part */
    wire->id = alone ? cab_vec_name_of(xml, occurrence) : core_name(xml, occurrence, reference);
    cab_vec_note_name(xml, &wire->id, reference);
    wire->line = cab_xml_line(reference);
    wire->number = cab_xml_text(xml, part, "PartNumber");
    wire->part_id = *alias ? alias : own ? cab_xml_id_of(xml, own) : "";
    wire->diameter = cab_xml_quantity(xml, about, "OutsideDiameter", cab_kbl_length);
    wire->bend_radius = cab_xml_quantity(xml, about, "MinBendRadiusStatic", cab_kbl_length);
    wire->area = cab_xml_quantity(xml, conductor, "CrossSectionArea", cab_kbl_area);
    CAB_XML_EACH(about_length, reference, "WireLength")
    {
        if (wire->length <= 0)
            wire->length = cab_xml_quantity(xml, about_length, "LengthValue", cab_kbl_length);
    }
    if (!about) cab_kbl_note(xml->kbl, wire->line, wire->id, "no such part; an FLRY of 0.5 mm^2 is assumed");
}

/* The cable's mass is shared by its cores. */
static void read_wires(cab_xml *xml, xmlNode *occurrence, const xmlNode *role)
{
    cab_kbl *kbl = xml->kbl;
    int count = wires_in(xml, role);
    bool cores = has_cores(xml, role), alone = cab_xml_count(role, "WireElementReference") == 1;
    double mass = count ? cab_vec_mass_of(xml, occurrence, cab_kbl_mass_per_length) / count : 0;
    CAB_XML_EACH(reference, role, "WireElementReference")
    {
        if (kbl->lost || (cores && is_whole(xml, reference))) continue;
        cab_xml_mark(reference, kbl->wire_count);
        kbl->wires[kbl->wire_count].mass = mass;
        read_wire(xml, occurrence, reference, alone, &kbl->wires[kbl->wire_count++]);
    }
}

static void count_components(cab_xml *xml, xmlNode *specification)
{
    each_wire_role(xml, specification, "Component", count_wires);
}

static void count_usages(cab_xml *xml, xmlNode *specification)
{
    each_wire_role(xml, specification, "PartUsage", count_wires);
}

static void read_components(cab_xml *xml, xmlNode *specification)
{
    each_wire_role(xml, specification, "Component", read_wires);
}

static void read_usages(cab_xml *xml, xmlNode *specification)
{
    each_wire_role(xml, specification, "PartUsage", read_wires);
}

/* A route of a wire, or of all cores of a cable. False: it is of neither. */
static bool read_routed(cab_xml *xml, const xmlNode *path, const xmlNode *routed)
{
    static const char kind[] = "WireElementReference";
    int wire = cab_xml_index_of(routed, kind);
    bool found = wire >= 0;
    if (found) cab_xml_read_route(xml, path, "Segment", "TopologySegment", &xml->kbl->wires[wire]);
    CAB_XML_EACH(core, !found && cab_xml_is(routed, kind) ? routed->parent : NULL, kind)
    {
        int index = cab_xml_index_of(core, kind);
        if (index < 0 || xml->kbl->lost) continue;
        cab_xml_read_route(xml, path, "Segment", "TopologySegment", &xml->kbl->wires[index]);
        found = true;
    }
    return found;
}

static void read_routings(cab_xml *xml, xmlNode *specification)
{
    CAB_XML_EACH(routing, specification, "Routing")
    {
        const xmlNode *routed = cab_xml_follow(xml, routing, "RoutedElement");
        if (xml->kbl->lost || read_routed(xml, cab_xml_child(routing, "Path"), routed)) continue;
        cab_kbl_note(xml->kbl, cab_xml_line(routing), cab_xml_id_of(xml, routing),
                     "routes no wire of the harness; left out");
    }
}

/* ---- what is placed ---- */

/* The place of a SegmentLocation: its segment, and the fraction of it; -1 = it is no such place. */
int cab_vec_read_location(cab_xml *xml, const xmlNode *location, double *fraction)
{
    int s = cab_xml_index_of(cab_xml_follow(xml, location, "ReferencedSegment"), "TopologySegment");
    double length = s >= 0 ? xml->kbl->segments[s].length : 0;
    double offset = cab_vec_number(xml, cab_xml_child(location, "Offset"), "ValueComponent");
    if (offset > 0) offset = cab_xml_quantity(xml, location, "Offset", cab_kbl_length);
    *fraction = length > 0 && offset >= 0 ? offset / length : NAN;
    if (strcmp(cab_xml_text(xml, location, "Anchor"), "FromEndNode") == 0) *fraction = 1 - *fraction;
    return s;
}

static bool is_fixing(const xmlNode *occurrence)
{
    return role_of(occurrence, "Fixing") || role_of(occurrence, "CableTie");
}

static void place_at_node(cab_xml *xml, const xmlNode *occurrence, cab_kbl_node *node)
{
    if (is_fixing(occurrence)) {
        node->fixing = cab_vec_name_of(xml, occurrence);
        return;
    }
    if (cab_vec_lets_hang(xml, occurrence)) return;
    node->plugged = true;
    if (!role_of(occurrence, "ConnectorHousing")) return;
    if (!node->connector) node->connector = cab_vec_name_of(xml, occurrence);
    node->mass += cab_vec_mass_of(xml, occurrence, cab_kbl_mass);
}

static void add_fixing(cab_kbl *kbl, cab_kbl_fixing fixing)
{
    cab_kbl_fixing *fixings = cab_kbl_one_more(kbl, kbl->fixings, kbl->fixing_count, sizeof *fixings);
    if (!fixings) return;
    kbl->fixings = fixings;
    kbl->fixings[kbl->fixing_count++] = fixing;
}

static void place_on_segment(cab_xml *xml, const xmlNode *occurrence, const xmlNode *location)
{
    cab_kbl_fixing fixing = {.id = cab_xml_id_of(xml, occurrence),
                             .name = cab_vec_name_of(xml, occurrence),
                             .line = cab_xml_line(location)};
    fixing.segment = cab_vec_read_location(xml, location, &fixing.location);
    fixing.placed = cab_vec_place_of(xml, occurrence, &fixing.place);
    if (fixing.segment >= 0 && fixing.location >= 0 && fixing.location <= 1)
        add_fixing(xml->kbl, fixing);
    else
        cab_kbl_note(xml->kbl, fixing.line, fixing.name,
                     "not at a place on a segment of known length; left out");
}

static void place_on_point(cab_xml *xml, const xmlNode *placement, const xmlNode *occurrence)
{
    CAB_XML_EACH(location, placement, "Location")
    {
        int node = cab_xml_index_of(cab_xml_follow(xml, location, "ReferencedNode"), "TopologyNode");
        if (node >= 0)
            place_at_node(xml, occurrence, &xml->kbl->nodes[node]);
        else if (cab_vec_is(location, "SegmentLocation") && is_fixing(occurrence))
            place_on_segment(xml, occurrence, location);
    }
}

/* Which part of a segment lies between two places, of which either may be on another segment of the path. */
static void find_part(const cab_kbl *kbl, int segment, const int on[2], const double at[2], const int *path,
                      int count, double part[2])
{
    bool from = on[0] == segment, to = on[1] == segment;
    part[0] = from ? at[0] : 0, part[1] = to ? at[1] : 1;
    if (from == to) return;
    /* it goes on through the node that the next segment of the path has, too */
    int k = cab_kbl_index(path, count, segment), next = from ? k + 1 : k - 1;
    double place = from ? at[0] : at[1];
    part[0] = part[1] = NAN;
    if (k < 0 || next < 0 || next >= count) return;
    const cab_kbl_segment *s = &kbl->segments[segment], *other = &kbl->segments[path[next]];
    bool through_end = s->end == other->start || s->end == other->end;
    part[0] = through_end ? place : 0, part[1] = through_end ? 1 : place;
}

static cab_kbl_cover_kind kind_of(const xmlNode *specification)
{
    if (cab_vec_is(specification, "TapeSpecification")) return CAB_KBL_TAPE;
    if (cab_vec_is(specification, "CorrugatedPipeSpecification")) return CAB_KBL_CORRUGATED;
    bool tube = cab_vec_is(specification, "TubeSpecification") ||
                cab_vec_is(specification, "ShrinkableTubeSpecification");
    return tube ? CAB_KBL_TUBE : CAB_KBL_COVER_OTHER;
}

/* A tape or tube, wherever it lies. */
static cab_kbl_cover read_cover(cab_xml *xml, const xmlNode *placement, const xmlNode *occurrence)
{
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part"), *specification = NULL;
    CAB_XML_EACH(role, occurrence, "Role")
    {
        if (!specification) specification = cab_xml_follow(xml, role, "WireProtectionSpecification");
    }
    const char *alias = cab_vec_alias(xml, part, CAB_VEC_PART);
    cab_kbl_cover cover = {.id = cab_vec_name_of(xml, occurrence),
                           .element = cab_xml_id_of(xml, occurrence),
                           .part_id = *alias ? alias
                                      : part ? cab_xml_id_of(xml, part)
                                             : "",
                           .number = cab_xml_text(xml, part, "PartNumber"),
                           .text = cab_vec_description(xml, part),
                           .line = cab_xml_line(placement),
                           .mass = cab_vec_mass_of(xml, occurrence, cab_kbl_mass_per_length),
                           .kind = kind_of(specification)};
    cover.inner = cab_xml_quantity(xml, specification, "InnerDiameter", cab_kbl_length);
    cover.outer = cab_xml_quantity(xml, specification, "OuterDiameter", cab_kbl_length);
    cab_kbl_check_diameters(xml->kbl, &cover);
    cover.thickness = cab_xml_quantity(
        xml, specification, cover.kind == CAB_KBL_TAPE ? "Thickness" : "WallThickness", cab_kbl_length);
    return cover;
}

/* Tapes and tubes, on each segment of their path. */
static void place_on_way(cab_xml *xml, const xmlNode *placement, const xmlNode *occurrence)
{
    cab_kbl *kbl = xml->kbl;
    double at[2], part[2];
    int on[2], count = 0;
    on[0] = cab_vec_read_location(xml, cab_xml_child(placement, "StartLocation"), &at[0]);
    on[1] = cab_vec_read_location(xml, cab_xml_child(placement, "EndLocation"), &at[1]);
    char *rest = cab_xml_words(xml, cab_xml_child(placement, "Path"), "Segment");
    int *path = rest ? cab_kbl_new(kbl, (size_t)cab_kbl_words_in(rest) + 1, sizeof *path) : NULL;
    if (!path) return;
    for (char *id; (id = cab_xml_word(&rest));) {
        int s = cab_xml_index_of(cab_xml_find(xml, id), "TopologySegment");
        if (s >= 0 && cab_kbl_index(path, count, s) < 0) path[count++] = s;
    }
    if (!count && on[0] >= 0 && on[0] == on[1]) path[count++] = on[0];
    cab_kbl_cover cover = read_cover(xml, placement, occurrence);
    for (int i = 0; i < count; i++) {
        find_part(kbl, path[i], on, at, path, count, part);
        cover.segment = path[i], cover.from = part[0], cover.to = part[1];
        cab_kbl_add_cover(kbl, cover);
    }
}

static void read_placements(cab_xml *xml, xmlNode *specification)
{
    CAB_XML_EACH(placement, specification, "Placement")
    {
        char *rest = cab_xml_words(xml, placement, "PlacedElement");
        for (char *id; !xml->kbl->lost && (id = cab_xml_word(&rest));) {
            const xmlNode *role = cab_xml_find(xml, id),
                          *occurrence = cab_xml_is(role, "Role") ? role->parent : role;
            if (!occurrence) continue;
            if (cab_vec_is(placement, "OnWayPlacement"))
                place_on_way(xml, placement, occurrence);
            else
                place_on_point(xml, placement, occurrence);
        }
    }
}

void cab_vec_read_parts(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    cab_vec_each(xml, "GeneralTechnicalPartSpecification", note_part);
    cab_vec_each(xml, "CompositionSpecification", count_components);
    cab_vec_each(xml, "PartUsageSpecification", count_usages);
    kbl->wires = cab_kbl_new(kbl, (size_t)kbl->wire_count, sizeof *kbl->wires);
    kbl->wire_count = 0;
    if (kbl->lost) return;
    cab_vec_each(xml, "CompositionSpecification", read_components);
    cab_vec_each(xml, "PartUsageSpecification", read_usages);
    cab_vec_each(xml, "RoutingSpecification", read_routings);
    cab_vec_each(xml, "PlacementSpecification", read_placements);
    cab_vec_tell_apart(xml);
}

/* What a harness is made of, out of VEC: what is placed where, and part numbers. */
#include <math.h>
#include <string.h>

#include "io/kbl/contents.h"
#include "io/kbl/vec.h"

/* Occurrences by their roles; the first that one has says what it is. */
static const struct {
    const char *role, *word;
    cab_kbl_kind kind;
} rows[] = {
    {"ConnectorHousingRole", "connector", CAB_KBL_CONNECTOR},
    {"FixingRole", "fixing", CAB_KBL_FIXING},
    {"CableTieRole", "fixing", CAB_KBL_FIXING},
    {"WireProtectionRole", "protection", CAB_KBL_PROTECTION},
    {"TapeRole", "protection", CAB_KBL_PROTECTION},
    {"TerminalRole", "terminal", CAB_KBL_TERMINAL},
    {"EEComponentRole", "box", CAB_KBL_BOX},
    {"CavitySealRole", "seal", CAB_KBL_OTHER},
    {"CavityPlugRole", "plug", CAB_KBL_OTHER},
    {"GrommetRole", "grommet", CAB_KBL_OTHER},
};

static bool is_spliced(cab_xml *xml, const xmlNode *role)
{
    return cab_vec_is(role, "TerminalRole") &&
           cab_vec_is(cab_xml_follow(xml, role, "TerminalSpecification"), "SpliceTerminalSpecification");
}

/* False: it is of no kind that is listed, as a wire. */
static bool piece_of(cab_xml *xml, const xmlNode *occurrence, cab_kbl_piece *piece)
{
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part");
    CAB_XML_EACH(role, occurrence, "Role")
    {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            if (!cab_vec_is(role, rows[i].role)) continue;
            bool spliced = is_spliced(xml, role);
            *piece = (cab_kbl_piece){.word = spliced ? "splice" : rows[i].word,
                                     .kind = spliced ? CAB_KBL_SPLICE : rows[i].kind,
                                     .id = cab_xml_id_of(xml, occurrence),
                                     .name = cab_vec_name_of(xml, occurrence),
                                     .part = cab_xml_text(xml, part, "PartNumber"),
                                     .text = ""};
            return true;
        }
    }
    return false;
}

static void read_pieces(cab_xml *xml, const xmlNode *specification, const char *list)
{
    CAB_XML_EACH(occurrence, specification, list)
    {
        cab_kbl_piece piece;
        if (!xml->kbl->lost && piece_of(xml, occurrence, &piece)) cab_kbl_add_piece(xml->kbl, piece);
    }
}

static void read_components(cab_xml *xml, xmlNode *specification)
{
    read_pieces(xml, specification, "Component");
}

static void read_usages(cab_xml *xml, xmlNode *specification)
{
    read_pieces(xml, specification, "PartUsage");
}

static void add_spot(cab_xml *xml, const cab_kbl_piece *piece, int node, int segment, double from, double to)
{
    cab_kbl_add_spot(xml->kbl, (cab_kbl_spot){.kind = piece->kind,
                                              .id = piece->id,
                                              .name = piece->name,
                                              .part = piece->part,
                                              .text = piece->text,
                                              .node = node,
                                              .segment = segment,
                                              .from = fmin(from, to),
                                              .to = fmax(from, to)});
}

static void place_on_point(cab_xml *xml, const xmlNode *placement, const cab_kbl_piece *piece)
{
    CAB_XML_EACH(location, placement, "Location")
    {
        int node = cab_xml_index_of(cab_xml_follow(xml, location, "ReferencedNode"), "TopologyNode");
        double at = NAN;
        int segment = node < 0 ? cab_vec_read_location(xml, location, &at) : -1;
        if (node >= 0 || (segment >= 0 && at >= 0 && at <= 1)) add_spot(xml, piece, node, segment, at, at);
    }
}

/* The end of a segment, 0 or 1, where it meets another; -1 = it does not. */
static int end_towards(const cab_kbl *kbl, int segment, int other)
{
    const cab_kbl_segment *a = &kbl->segments[segment], *b = &kbl->segments[other];
    if (a->end >= 0 && (a->end == b->start || a->end == b->end)) return 1;
    return a->start >= 0 && (a->start == b->start || a->start == b->end) ? 0 : -1;
}

/* From one place along a path of segments to another: the part of each. */
static void place_on_way(cab_xml *xml, const xmlNode *placement, const cab_kbl_piece *piece)
{
    double at[2];
    int on[2];
    on[0] = cab_vec_read_location(xml, cab_xml_child(placement, "StartLocation"), &at[0]);
    on[1] = cab_vec_read_location(xml, cab_xml_child(placement, "EndLocation"), &at[1]);
    char *rest = cab_xml_words(xml, cab_xml_child(placement, "Path"), "Segment");
    int *path = rest ? cab_kbl_new(xml->kbl, (size_t)cab_kbl_words_in(rest) + 1, sizeof *path) : NULL;
    int count = 0;
    for (char *id; path && (id = cab_xml_word(&rest));) {
        int s = cab_xml_index_of(cab_xml_find(xml, id), "TopologySegment");
        if (s >= 0 && (!count || path[count - 1] != s)) path[count++] = s;
    }
    if (path && !count && on[0] >= 0 && on[0] == on[1]) path[count++] = on[0];
    for (int i = 0; i < count; i++) {
        double from = 0, to = 1;
        bool first = path[i] == on[0] && at[0] >= 0 && at[0] <= 1,
             last = path[i] == on[1] && at[1] >= 0 && at[1] <= 1;
        int next = i + 1 < count ? end_towards(xml->kbl, path[i], path[i + 1]) : -1;
        int before = i ? end_towards(xml->kbl, path[i], path[i - 1]) : -1;
        if (first && last)
            from = at[0], to = at[1];
        else if (first && next >= 0)
            from = at[0], to = next;
        else if (last && before >= 0)
            from = before, to = at[1];
        add_spot(xml, piece, -1, path[i], from, to);
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
            cab_kbl_piece piece;
            if (!occurrence || !piece_of(xml, occurrence, &piece) || piece.kind == CAB_KBL_OTHER) continue;
            if (cab_vec_is(placement, "OnWayPlacement"))
                place_on_way(xml, placement, &piece);
            else
                place_on_point(xml, placement, &piece);
        }
    }
}

void cab_vec_read_contents(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    cab_kbl_contents *c = kbl->contents;
    for (int i = 0; i < kbl->node_count; i++) c->node_names[i] = kbl->nodes[i].id;
    for (int i = 0; i < kbl->segment_count; i++) c->segment_names[i] = kbl->segments[i].id;
    for (int i = 0; i < kbl->wire_count; i++)
        c->leads[i] = (cab_kbl_lead){.number = "",
                                     .cable = "",
                                     .part = kbl->wires[i].part_id,
                                     .colour = "",
                                     .signal = "",
                                     .ends = {{"", ""}, {"", ""}}};
    cab_vec_each(xml, "CompositionSpecification", read_components);
    cab_vec_each(xml, "PartUsageSpecification", read_usages);
    cab_vec_each(xml, "PlacementSpecification", read_placements);
}

/* What a harness is made of, out of VEC: what is placed where, and part numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/kbl/contents.h"
#include "io/kbl/vec.h"

static bool piece_of(cab_xml *xml, const xmlNode *occurrence, cab_kbl_piece *piece)
{
    cab_vec_kind found;
    if (!cab_vec_kind_of(xml, occurrence, &found)) return false;
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part");
    *piece = (cab_kbl_piece){.word = found.word,
                             .kind = found.kind,
                             .id = cab_xml_id_of(xml, occurrence),
                             .name = cab_vec_name_of(xml, occurrence),
                             .part = cab_xml_text(xml, part, "PartNumber"),
                             .text = cab_vec_description(xml, part)};
    return true;
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

/* mass: of a connector */
static void add_spot(cab_xml *xml, const cab_kbl_piece *piece, double mass, int node, int segment,
                     double from, double to)
{
    cab_kbl_add_spot(xml->kbl, (cab_kbl_spot){.kind = piece->kind,
                                              .id = piece->id,
                                              .name = piece->name,
                                              .part = piece->part,
                                              .text = piece->text,
                                              .mass = mass,
                                              .node = node,
                                              .segment = segment,
                                              .from = fmin(from, to),
                                              .to = fmax(from, to)});
}

static void place_on_point(cab_xml *xml, const xmlNode *placement, const cab_kbl_piece *piece, double mass)
{
    CAB_XML_EACH(location, placement, "Location")
    {
        int node = cab_xml_index_of(cab_xml_follow(xml, location, "ReferencedNode"), "TopologyNode");
        double at = 0;
        int segment = node < 0 ? cab_vec_read_location(xml, location, &at) : -1;
        if (node >= 0 || (segment >= 0 && at >= 0 && at <= 1))
            add_spot(xml, piece, mass, node, segment, at, at);
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
        add_spot(xml, piece, 0, -1, path[i], from, to);
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
                place_on_point(
                    xml, placement, &piece,
                    piece.kind == CAB_KBL_CONNECTOR ? cab_vec_mass_of(xml, occurrence, cab_kbl_mass) : 0);
        }
    }
}

/* ---- names ---- */

static void read_names(cab_xml *xml, xmlNode *specification)
{
    cab_kbl *kbl = xml->kbl;
    CAB_XML_EACH(node, specification, "TopologyNode")
    {
        int i = cab_xml_index_of(node, "TopologyNode");
        const char *name = cab_vec_alias(xml, node, CAB_VEC_NAME);
        if (i >= 0) kbl->contents->node_names[i] = *name ? name : kbl->nodes[i].id;
    }
}

static void name_segments(const cab_kbl *kbl)
{
    for (int i = 0; i < kbl->segment_count; i++) {
        const cab_kbl_segment *s = &kbl->segments[i];
        kbl->contents->segment_names[i] = cab_kbl_shorter(*s->name ? s->name : s->id, s->id);
    }
}

/* That of the part which the topology's document describes, else of the document. */
static void read_harness(cab_xml *xml, xmlNode *topology)
{
    cab_kbl_contents *c = xml->kbl->contents;
    if (*c->name || *c->text) return;
    const xmlNode *part = cab_xml_follow(xml, topology->parent, "ReferencedPart");
    c->name = cab_xml_text(xml, part, "PartNumber");
    c->text = cab_vec_description(xml, part ? part : topology->parent);
    if (!part) c->name = cab_xml_text(xml, topology->parent, "DocumentNumber");
}

/* ---- in the order of nodes and segments ---- */

/* Spots by node, then by segment, there tapes and tubes before fixings; else in the order of the file. */
typedef struct ordered {
    cab_kbl_spot spot;
    int index;
} ordered;

static int by_place(const void *x, const void *y)
{
    const ordered *a = x, *b = y;
    bool on_a = a->spot.node < 0, on_b = b->spot.node < 0;
    if (on_a != on_b) return on_a - on_b;
    int place = on_a ? a->spot.segment - b->spot.segment : a->spot.node - b->spot.node;
    int kind = on_a ? (a->spot.kind != CAB_KBL_PROTECTION) - (b->spot.kind != CAB_KBL_PROTECTION) : 0;
    return place ? place : kind ? kind : a->index - b->index;
}

static void sort_spots(cab_kbl *kbl)
{
    cab_kbl_contents *c = kbl->contents;
    ordered *list = cab_kbl_new(kbl, (size_t)c->spot_count, sizeof *list);
    if (!list) return;
    for (int i = 0; i < c->spot_count; i++) list[i] = (ordered){c->spots[i], i};
    qsort(list, (size_t)c->spot_count, sizeof *list, by_place);
    for (int i = 0; i < c->spot_count; i++) c->spots[i] = list[i].spot;
}

void cab_vec_read_contents(cab_xml *xml)
{
    cab_vec_each(xml, "TopologySpecification", read_names);
    cab_vec_each(xml, "TopologySpecification", read_harness);
    name_segments(xml->kbl);
    if (!xml->kbl->lost) cab_vec_read_leads(xml);
    cab_vec_each(xml, "CompositionSpecification", read_components);
    cab_vec_each(xml, "PartUsageSpecification", read_usages);
    cab_vec_each(xml, "PlacementSpecification", read_placements);
    if (!xml->kbl->lost) sort_spots(xml->kbl);
}

/* What a harness is made of, out of KBL. */
#include "io/kbl/contents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/kbl/xml.h"

/* Occurrences by their elements. */
typedef struct row {
    const char *element, *word;
    cab_kbl_kind kind;
} row;

static const row rows[] = {
    {"Connector_occurrence", "connector", CAB_KBL_CONNECTOR},
    {"Special_terminal_occurrence", "terminal", CAB_KBL_TERMINAL},
    {"Terminal_occurrence", "terminal", CAB_KBL_TERMINAL},
    {"Component_box_occurrence", "box", CAB_KBL_BOX},
    {"Component_box_connectors", "box", CAB_KBL_BOX},
    {"Fixing_occurrence", "fixing", CAB_KBL_FIXING},
    {"Wire_protection_occurrence", "protection", CAB_KBL_PROTECTION},
    {"Cavity_seal_occurrence", "seal", CAB_KBL_OTHER},
    {"Cavity_plug_occurrence", "plug", CAB_KBL_OTHER},
    {"Component_occurrence", "component", CAB_KBL_OTHER},
    {"Accessory_occurrence", "accessory", CAB_KBL_OTHER},
    {"Co_pack_occurrence", "co-pack", CAB_KBL_OTHER},
    {"Assembly_part_occurrence", "assembly", CAB_KBL_OTHER},
};
static const row splice = {"Connector_occurrence", "splice", CAB_KBL_SPLICE};

static const row *row_of(cab_xml *xml, const xmlNode *element)
{
    for (size_t i = 0; element && i < sizeof rows / sizeof *rows; i++) {
        if (!cab_xml_is(element, rows[i].element)) continue;
        bool spliced = strcmp(cab_xml_text(xml, element, "Usage"), "splice") == 0;
        return spliced ? &splice : &rows[i];
    }
    return NULL;
}

static const xmlNode *part_of(cab_xml *xml, const xmlNode *occurrence)
{
    return cab_xml_follow(xml, occurrence, "Part");
}

/* Of a connector of a box the box is what has a name and a part. */
static const xmlNode *whole_of(const xmlNode *element)
{
    return cab_xml_is(element, "Component_box_connectors") || cab_xml_is(element, "Component_box_connector")
               ? element->parent
               : element;
}

static void add_at(cab_xml *xml, const xmlNode *element, cab_kbl_spot spot)
{
    const row *found = row_of(xml, element);
    if (!found || found->kind == CAB_KBL_OTHER) return;
    const xmlNode *whole = whole_of(element), *part = part_of(xml, whole);
    spot.kind = found->kind;
    spot.id = cab_xml_id_of(xml, whole);
    spot.name = cab_xml_name_of(xml, whole);
    spot.part = cab_xml_text(xml, part, "Part_number");
    spot.text = cab_xml_text(xml, part, "Description");
    if (spot.kind == CAB_KBL_CONNECTOR)
        spot.mass = cab_xml_quantity(xml, part, "Mass_information", cab_kbl_mass);
    cab_kbl_add_spot(xml->kbl, spot);
}

static void read_node_spots(cab_xml *xml)
{
    int node = 0;
    CAB_XML_EACH(element, xml->root, "Node")
    {
        xml->kbl->contents->node_names[node] = cab_xml_name_of(xml, element);
        char *rest = cab_xml_words(xml, element, "Referenced_components");
        for (char *id; !xml->kbl->lost && (id = cab_xml_word(&rest));)
            add_at(xml, cab_xml_find(xml, id), (cab_kbl_spot){.node = node, .segment = -1});
        node++;
    }
}

/* A fraction of a segment, from a fraction or a length; NAN where it is neither. */
static double read_fraction(cab_xml *xml, const xmlNode *element, const char *fraction, const char *absolute,
                            double length, double usual)
{
    double value = usual;
    if (cab_xml_numbers(xml, element, fraction, &value, 1) == 1)
        return value >= 0 && value <= 1 ? value : NAN;
    double from_start = cab_xml_quantity(xml, element, absolute, cab_kbl_length);
    if (from_start <= 0 || length <= 0) return usual;
    return from_start <= length ? from_start / length : NAN;
}

static void read_segment_spots(cab_xml *xml)
{
    int s = 0;
    CAB_XML_EACH(element, xml->root, "Segment")
    {
        double length = xml->kbl->segments[s].length;
        xml->kbl->contents->segment_names[s] =
            cab_kbl_shorter(cab_xml_name_of(xml, element), xml->kbl->segments[s].id);
        CAB_XML_EACH(area, element, "Protection_area")
        {
            cab_kbl_spot spot = {.node = -1, .segment = s};
            spot.from = read_fraction(xml, area, "Start_location", "Absolute_start_location", length, 0);
            spot.to = read_fraction(xml, area, "End_location", "Absolute_end_location", length, 1);
            if (spot.from > spot.to) {
                double from = spot.from;
                spot.from = spot.to, spot.to = from;
            }
            if (spot.from <= spot.to) add_at(xml, cab_xml_follow(xml, area, "Associated_protection"), spot);
        }
        CAB_XML_EACH(fixing, element, "Fixing_assignment")
        {
            cab_kbl_spot spot = {.node = -1, .segment = s};
            spot.from = spot.to = read_fraction(xml, fixing, "Location", "Absolute_location", length, NAN);
            if (spot.from >= 0) add_at(xml, cab_xml_follow(xml, fixing, "Fixing"), spot);
        }
        if (xml->kbl->lost) return;
        s++;
    }
}

/* What stands in the harness itself; what is inside an assembly comes with that. */
static void read_pieces(cab_xml *xml, const xmlNode *harness)
{
    for (const xmlNode *element = harness->children; element && !xml->kbl->lost; element = element->next) {
        const row *found = row_of(xml, element);
        if (!found) continue;
        const xmlNode *part = part_of(xml, element);
        cab_kbl_add_piece(xml->kbl, (cab_kbl_piece){.word = found->word,
                                                    .kind = found->kind,
                                                    .id = cab_xml_id_of(xml, element),
                                                    .name = cab_xml_name_of(xml, element),
                                                    .part = cab_xml_text(xml, part, "Part_number"),
                                                    .text = cab_xml_text(xml, part, "Description")});
    }
}

/* "black/red": of the basic colour and those of stripes. */
static const char *read_colour(cab_xml *xml, const xmlNode *part, const char *list)
{
    size_t room = 1;
    CAB_XML_EACH(colour, part, list) room += strlen(cab_xml_text(xml, colour, "Colour_value")) + 1;
    char *text = cab_kbl_new(xml->kbl, room, 1);
    CAB_XML_EACH(colour, part, list)
    {
        if (!text) break;
        const char *value = cab_xml_text(xml, colour, "Colour_value");
        if (*text && *value) strcat(text, "/");
        strcat(text, value);
    }
    return text ? text : "";
}

static void read_lead(cab_xml *xml, const xmlNode *wire, const xmlNode *cable, cab_kbl_lead *lead)
{
    const xmlNode *part = part_of(xml, wire), *whole = cable ? part_of(xml, cable) : part;
    lead->number = cab_xml_text(xml, wire, "Wire_number");
    if (!*lead->number) lead->number = cab_xml_text(xml, wire, "Special_wire_id");
    lead->cable = cable ? cab_xml_text(xml, cable, "Special_wire_id") : "";
    if (cable && !*lead->cable) lead->cable = cab_xml_id_of(xml, cable);
    lead->part = cab_xml_text(xml, whole, "Part_number");
    lead->colour = read_colour(xml, part, cable ? "Core_colour" : "Cover_colour");
    lead->signal = "";
    for (int i = 0; i < 2; i++) lead->ends[i] = (cab_kbl_end){"", ""};
}

static void read_leads(cab_xml *xml)
{
    int wire = 0;
    CAB_XML_EACH(harness, xml->root, "Harness")
    {
        CAB_XML_EACH(element, harness, "General_wire_occurrence")
        {
            if (xml->kbl->lost) return;
            bool cores = cab_xml_child(element, "Core_occurrence") != NULL;
            if (!cores) read_lead(xml, element, NULL, &xml->kbl->contents->leads[wire++]);
            CAB_XML_EACH(core, element, "Core_occurrence")
            read_lead(xml, core, element, &xml->kbl->contents->leads[wire++]);
        }
    }
}

static cab_kbl_end read_end(cab_xml *xml, const xmlNode *extremity)
{
    const xmlNode *contact = cab_xml_follow(xml, extremity, "Contact_point");
    const xmlNode *cavity = cab_xml_follow(xml, contact, "Contacted_cavity"),
                  *cavity_part = part_of(xml, cavity);
    const xmlNode *owner = contact ? contact->parent : NULL;
    if (!owner || owner == xml->root) return (cab_kbl_end){"", ""};
    const char *number = cab_xml_text(xml, cavity_part ? cavity_part : cavity, "Cavity_number");
    return (cab_kbl_end){cab_xml_name_of(xml, whole_of(owner)), number};
}

static void read_connection(cab_xml *xml, const xmlNode *connection)
{
    const xmlNode *wired = cab_xml_follow(xml, connection, "Wire");
    int wire = cab_xml_index_of(wired, "General_wire_occurrence");
    if (wire < 0) wire = cab_xml_index_of(wired, "Core_occurrence");
    if (wire < 0) return;
    cab_kbl_lead *lead = &xml->kbl->contents->leads[wire];
    lead->signal = cab_xml_text(xml, connection, "Signal_name");
    CAB_XML_EACH(extremity, connection, "Extremities")
    {
        double place = 0;
        cab_xml_numbers(xml, extremity, "Position_on_wire", &place, 1);
        lead->ends[place > 0.5] = read_end(xml, extremity);
    }
}

static void read_kbl(cab_xml *xml)
{
    const xmlNode *harness = cab_xml_child(xml->root, "Harness");
    xml->kbl->contents->name = cab_xml_text(xml, harness, "Part_number");
    xml->kbl->contents->text = cab_xml_text(xml, harness, "Description");
    read_node_spots(xml);
    if (!xml->kbl->lost) read_segment_spots(xml);
    if (!xml->kbl->lost) read_leads(xml);
    CAB_XML_EACH(each, xml->root, "Harness")
    {
        if (!xml->kbl->lost) read_pieces(xml, each);
        CAB_XML_EACH(connection, each, "Connection")
        {
            if (!xml->kbl->lost) read_connection(xml, connection);
        }
    }
}

void cab_xml_read_contents(cab_xml *xml)
{
    cab_kbl *kbl = xml->kbl;
    cab_kbl_contents *c = kbl->contents;
    c->node_names = cab_kbl_new(kbl, (size_t)kbl->node_count, sizeof *c->node_names);
    c->segment_names = cab_kbl_new(kbl, (size_t)kbl->segment_count, sizeof *c->segment_names);
    c->leads = cab_kbl_new(kbl, (size_t)kbl->wire_count, sizeof *c->leads);
    if (kbl->lost) return;
    (xml->vec ? cab_vec_read_contents : read_kbl)(xml);
}

cab_status cab_kbl_read_all(cab_kbl *kbl, cab_kbl_contents *contents, const char *file, const char *text,
                            size_t size, cab_error *error)
{
    *contents = (cab_kbl_contents){.name = "", .text = ""};
    *kbl = (cab_kbl){.file = file, .notes = json_array(), .contents = contents};
    cab_status status = kbl->notes ? CAB_OK : cab_fail_memory(error, "notes", 64);
    return status ? status : cab_kbl_read(kbl, text, size, error);
}

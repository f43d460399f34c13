/* What wires are beside their shape, out of VEC: numbers, colours, signals, and what their ends are in, by contact points: a contact point
 * mounts ends of wires on a terminal and puts that into cavities. docs/harness.md tells the rules. */
#include <string.h>

#include "io/kbl/vec.h"

/* ---- of the wire ---- */

/* Keys of all colours in these lists of an insulation, "black/red". */
static const char *read_colours(cab_xml *xml, const xmlNode *insulation)
{
    static const char *const lists[] = {"BaseColor", "FirstIdentificationColor", "SecondIdentificationColor"};
    const char *keys[8];
    int count = 0;
    size_t room = 1;
    for (int i = 0; i < 3; i++) {
        CAB_XML_EACH(colour, insulation, lists[i])
        {
            const char *key = count < 8 ? cab_xml_text(xml, colour, "Key") : "";
            if (*key) keys[count++] = key, room += strlen(key) + 1;
        }
    }
    char *text = cab_kbl_new(xml->kbl, room, 1);
    for (int i = 0; i < count && text; i++) {
        if (i) strcat(text, "/");
        strcat(text, keys[i]);
    }
    return text ? text : "";
}

/* Its own, else that of what it connects. */
static const char *read_signal(cab_xml *xml, const xmlNode *reference)
{
    const xmlNode *signal = cab_xml_follow(xml, reference, "Signal");
    char *rest = signal ? NULL : cab_xml_words(xml, reference, "Connection");
    for (char *id; !signal && (id = cab_xml_word(&rest));)
        signal = cab_xml_follow(xml, cab_xml_find(xml, id), "Signal");
    const char *name = cab_xml_text(xml, signal, "SignalName");
    return *name ? name : cab_xml_text(xml, signal, "Identification");
}

/* By the schematic: the port that the end is to be connected to; name: of the component that has it. */
static cab_kbl_end planned_end(cab_xml *xml, const xmlNode *wire_end)
{
    char *rest = cab_xml_words(xml, wire_end, "ConnectionEnd");
    char *id = cab_xml_word(&rest);
    const xmlNode *port = id ? cab_xml_follow(xml, cab_xml_find(xml, id), "ConnectedComponentPort") : NULL;
    const xmlNode *owner = port ? port->parent : NULL;
    while (owner && owner != xml->root && !cab_xml_is(owner, "ComponentNode")) owner = owner->parent;
    if (!cab_xml_is(owner, "ComponentNode")) return (cab_kbl_end){"", ""};
    return (cab_kbl_end){cab_vec_name_of(xml, owner), cab_xml_text(xml, port, "Identification")};
}

/* Which end of a wire it is. */
static int side_of(cab_xml *xml, const xmlNode *wire_end)
{
    return cab_vec_number(xml, wire_end, "PositionOnWire") > 0.5; /* not with NAN */
}

static void read_lead(cab_xml *xml, const xmlNode *occurrence, const xmlNode *reference, cab_kbl_lead *lead)
{
    const xmlNode *part = cab_xml_follow(xml, occurrence, "Part");
    const xmlNode *about = cab_vec_wire_specification(xml, reference);
    bool alone = cab_xml_count(reference->parent, "WireElementReference") == 1;
    lead->number = cab_xml_text(xml, reference, "Identification");
    lead->cable = alone ? cab_vec_alias(xml, occurrence, CAB_VEC_CABLE) : cab_vec_name_of(xml, occurrence);
    lead->part = cab_xml_text(xml, part, "PartNumber");
    lead->colour = read_colours(xml, cab_xml_follow(xml, about, "InsulationSpecification"));
    lead->signal = read_signal(xml, reference);
    CAB_XML_EACH(wire_end, reference, "WireEnd")
    {
        cab_kbl_end *end = &lead->ends[side_of(xml, wire_end)];
        if (!*end->name) *end = planned_end(xml, wire_end);
    }
}

static void read_list(cab_xml *xml, const xmlNode *specification, const char *list)
{
    CAB_XML_EACH(occurrence, specification, list)
    {
        CAB_XML_EACH(role, occurrence, "Role")
        {
            CAB_XML_EACH(reference, role, "WireElementReference")
            {
                int wire = cab_xml_index_of(reference, "WireElementReference");
                if (xml->kbl->lost) return;
                if (wire >= 0) read_lead(xml, occurrence, reference, &xml->kbl->contents->leads[wire]);
            }
        }
    }
}

static void read_components(cab_xml *xml, xmlNode *specification)
{
    read_list(xml, specification, "Component");
}

static void read_usages(cab_xml *xml, xmlNode *specification)
{
    read_list(xml, specification, "PartUsage");
}

/* ---- contact points ---- */

/* The occurrence that an element is a piece of; NULL = of none. */
static const xmlNode *owner_of(const xmlNode *element)
{
    while (element && element->type == XML_ELEMENT_NODE && !cab_xml_is(element, "Component") &&
           !cab_xml_is(element, "PartUsage"))
        element = element->parent;
    return element && element->type == XML_ELEMENT_NODE ? element : NULL;
}

/* The cavity that a contact point is in. */
static bool in_cavity(cab_xml *xml, const xmlNode *contact, cab_kbl_end *end)
{
    CAB_XML_EACH(mounting, contact, "CavityMounting")
    {
        char *rest = cab_xml_words(xml, mounting, "EquippedCavityRef");
        for (char *id; (id = cab_xml_word(&rest));) {
            const xmlNode *reference = cab_xml_find(xml, id), *owner = owner_of(reference);
            if (!owner) continue;
            const xmlNode *cavity = cab_xml_follow(xml, reference, "ReferencedCavity");
            end->name = cab_vec_name_of(xml, owner);
            end->pin =
                cab_xml_text(xml, cavity ? cavity : reference, cavity ? "CavityNumber" : "Identification");
            return true;
        }
    }
    return false;
}

/* Where on a terminal an end is mounted, which may have several places for wires. */
static const char *reception_of(cab_xml *xml, const xmlNode *mounting, const char *wire_end)
{
    CAB_XML_EACH(detail, mounting, "WireMountingDetail")
    {
        char *rest = cab_xml_words(xml, detail, "ReferencedWireEnd");
        for (char *id; (id = cab_xml_word(&rest));) {
            if (strcmp(id, wire_end) == 0)
                return cab_xml_text(xml, cab_xml_follow(xml, detail, "ContactedWireReception"),
                                    "Identification");
        }
    }
    return "";
}

/* An end that is mounted on a contact point; false: it is of no wire of the harness. */
static bool mount(cab_xml *xml, const xmlNode *mounting, const char *wire_end, cab_kbl_end end, bool cavity)
{
    const xmlNode *element = cab_xml_find(xml, wire_end);
    int wire = element ? cab_xml_index_of(element->parent, "WireElementReference") : -1;
    if (!cab_xml_is(element, "WireEnd") || wire < 0) return false;
    if (!cavity) end.pin = reception_of(xml, mounting, wire_end);
    xml->kbl->contents->leads[wire].ends[side_of(xml, element)] = end;
    return true;
}

static void read_contact(cab_xml *xml, const xmlNode *contact)
{
    cab_kbl_end end = {"", ""};
    const xmlNode *terminal = owner_of(cab_xml_follow(xml, contact, "MountedTerminal"));
    bool cavity = in_cavity(xml, contact, &end);
    if (!cavity && terminal) end.name = cab_vec_name_of(xml, terminal);
    if (!*end.name) {
        cab_kbl_note(xml->kbl, cab_xml_line(contact), cab_xml_id_of(xml, contact),
                     "a contact point without a cavity or terminal of the harness; left out");
        return;
    }
    CAB_XML_EACH(mounting, contact, "WireMounting")
    {
        char *rest = cab_xml_words(xml, mounting, "ReferencedWireEnd");
        for (char *id; !xml->kbl->lost && (id = cab_xml_word(&rest));) {
            if (mount(xml, mounting, id, end, cavity)) continue;
            cab_kbl_note(xml->kbl, cab_xml_line(mounting), cab_xml_id_of(xml, contact),
                         "%.60s is no end of a wire of the harness; left out of the contact point", id);
        }
    }
}

static void read_contacts(cab_xml *xml, xmlNode *specification)
{
    CAB_XML_EACH(contact, specification, "ContactPoint")
    {
        if (xml->kbl->lost) return;
        read_contact(xml, contact);
    }
}

void cab_vec_read_leads(cab_xml *xml)
{
    for (int i = 0; i < xml->kbl->wire_count; i++)
        xml->kbl->contents->leads[i] = (cab_kbl_lead){"", "", "", "", "", {{"", ""}, {"", ""}}};
    cab_vec_each(xml, "CompositionSpecification", read_components);
    cab_vec_each(xml, "PartUsageSpecification", read_usages);
    cab_vec_each(xml, "ContactingSpecification", read_contacts);
}

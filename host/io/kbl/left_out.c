/* What of a file is not taken over: a note that counts it by kind. */
#include <stdio.h>
#include <string.h>

#include "io/kbl/vec.h"

/* Kinds of elements that are read, or say nothing about a harness' shape, weight and stiffness. */
static const char *const of_kbl[] = {"Cartesian_point",
                                     "Connector_housing",
                                     "Fixing",
                                     "General_wire",
                                     "Harness",
                                     "Node",
                                     "Routing",
                                     "Segment",
                                     "Unit",
                                     "Wire_protection",
                                     "Connection",
                                     "Connector_occurrence",
                                     "Fixing_occurrence",
                                     "General_wire_occurrence",
                                     "Wire_protection_occurrence"};
static const char *const of_vec[] = {"TopologySpecification",          "BuildingBlockSpecification3D",
                                     "HarnessGeometrySpecification3D", "CompositionSpecification",
                                     "PartUsageSpecification",         "PlacementSpecification",
                                     "RoutingSpecification",           "GeneralTechnicalPartSpecification",
                                     "PlaceableElementSpecification",  "WireSpecification",
                                     "WireElementSpecification",       "CoreSpecification",
                                     "InsulationSpecification",        "SignalSpecification",
                                     "ConnectionSpecification",        "ContactingSpecification"};
/* Specifications of parts that are read, and of special ones of these: RingTerminalSpecification is a TerminalSpecification. */
static const char *const families[] = {"ConnectorHousing", "EEComponent", "Fixing",
                                       "CableTie",         "Terminal",    "WireProtection"};
enum { KINDS = 64, ROOM = 380 }; /* what a note has room for */

typedef struct kinds {
    const char *name[KINDS];
    int count[KINDS], kinds;
} kinds;

static bool is_read(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

static void add(kinds *k, const char *name)
{
    for (int i = 0; i < k->kinds; i++) {
        if (strcmp(k->name[i], name) != 0) continue;
        k->count[i]++;
        return;
    }
    if (k->kinds < KINDS) k->name[k->kinds] = name, k->count[k->kinds++] = 1;
}

/* Elements with an id, of the harness and beside it; leaves such as a part number have none. */
static void count_kbl(const xmlNode *parent, kinds *k)
{
    for (const xmlNode *node = parent ? parent->children : NULL; node; node = node->next) {
        const char *name = (const char *)node->name;
        if (node->type != XML_ELEMENT_NODE || !xmlHasProp(node, (const xmlChar *)"id")) continue;
        if (!is_read(of_kbl, sizeof of_kbl / sizeof *of_kbl, name)) add(k, name);
    }
}

/* Specifications by their types. */
static void count_vec(cab_xml *xml, kinds *k)
{
    CAB_XML_EACH(document, xml->root, "DocumentVersion")
    {
        CAB_XML_EACH(specification, document, "Specification")
        {
            const char *type = cab_xml_attribute(xml, specification, "type"),
                       *colon = type ? strchr(type, ':') : NULL;
            const char *name = colon ? colon + 1 : type;
            bool part = false;
            for (size_t i = 0; i < sizeof families / sizeof *families; i++)
                part |= cab_vec_is_a(specification, families[i], "Specification");
            if (name && !part && !is_read(of_vec, sizeof of_vec / sizeof *of_vec, name)) add(k, name);
        }
    }
}

void cab_kbl_note_left_out(cab_xml *xml)
{
    kinds k = {.kinds = 0};
    char text[ROOM] = "";
    if (xml->vec) {
        count_vec(xml, &k);
    } else {
        count_kbl(xml->root, &k);
        CAB_XML_EACH(harness, xml->root, "Harness") count_kbl(harness, &k);
    }
    for (int i = 0; i < k.kinds; i++) {
        size_t length = strlen(text);
        if (length > ROOM - 80) {
            snprintf(text + length, sizeof text - length, ", and others");
            break;
        }
        snprintf(text + length, sizeof text - length, "%s%d %s", i ? ", " : "", k.count[i], k.name[i]);
    }
    if (k.kinds) cab_kbl_note(xml->kbl, 0, "harness", "not taken over: %s", text);
}

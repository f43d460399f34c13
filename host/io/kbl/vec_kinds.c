/* What VEC's types are: which are special ones of which, and what an occurrence is by its roles. VEC 1.1.3 has fewer of them than 2.1,
 * and none that 2.1 has not. */
#include <string.h>

#include "io/kbl/vec.h"

/* "RingTerminalRole" is a TerminalRole, as "RingTerminalSpecification" is a TerminalSpecification. */
static const struct {
    const char *special, *base;
} bases[] = {
    {"BoltTerminal", "Terminal"},
    {"BridgeTerminal", "Terminal"},
    {"HoleTerminal", "Terminal"},
    {"OpenWireEndTerminal", "Terminal"},
    {"PluggableTerminal", "Terminal"},
    {"RingTerminal", "Terminal"},
    {"SpliceTerminal", "Terminal"},
    {"BoltMountedFixing", "Fixing"},
    {"EdgeMountedFixing", "Fixing"},
    {"HoleMountedFixing", "Fixing"},
    {"Tape", "WireProtection"},
    {"Tube", "WireProtection"},
    {"CorrugatedPipe", "WireProtection"},
    {"ShrinkableTube", "WireProtection"},
    {"Stripe", "WireProtection"},
    {"Fitting", "WireProtection"},
    {"Antenna", "EEComponent"},
    {"Battery", "EEComponent"},
    {"Capacitor", "EEComponent"},
    {"Diode", "EEComponent"},
    {"Fuse", "EEComponent"},
    {"MultiFuse", "EEComponent"},
    {"PotentialDistributor", "EEComponent"},
    {"Relay", "EEComponent"},
};

/* Its xsi:type without the prefix of a namespace; "" = it has none. */
static const char *type_of(const xmlNode *element)
{
    const xmlAttr *attribute = element ? xmlHasProp(element, (const xmlChar *)"type") : NULL;
    const xmlNode *text = attribute ? attribute->children : NULL;
    if (!text || !text->content) return "";
    const char *whole = (const char *)text->content, *colon = strchr(whole, ':');
    return colon ? colon + 1 : whole;
}

bool cab_vec_is(const xmlNode *element, const char *type)
{
    return strcmp(type_of(element), type) == 0;
}

static bool begins(const char *type, const char *stem, const char *suffix)
{
    size_t length = strlen(stem);
    return strncmp(type, stem, length) == 0 && strcmp(type + length, suffix) == 0;
}

bool cab_vec_is_a(const xmlNode *element, const char *base, const char *suffix)
{
    const char *type = type_of(element);
    bool is = begins(type, base, suffix);
    for (size_t i = 0; i < sizeof bases / sizeof *bases && !is; i++)
        is = strcmp(bases[i].base, base) == 0 && begins(type, bases[i].special, suffix);
    return is;
}

/* Occurrences by their roles; the first that one has says what it is. */
static const struct {
    const char *role, *word;
    cab_kbl_kind kind;
} rows[] = {
    {"ConnectorHousing", "connector", CAB_KBL_CONNECTOR},
    {"Fixing", "fixing", CAB_KBL_FIXING},
    {"CableTie", "fixing", CAB_KBL_FIXING},
    {"WireProtection", "protection", CAB_KBL_PROTECTION},
    {"Terminal", "terminal", CAB_KBL_TERMINAL},
    {"EEComponent", "box", CAB_KBL_BOX},
    {"CavitySeal", "seal", CAB_KBL_OTHER},
    {"CavityPlug", "plug", CAB_KBL_OTHER},
    {"Grommet", "grommet", CAB_KBL_OTHER},
    {"CavityAccessory", "accessory", CAB_KBL_OTHER},
    {"WireEndAccessory", "accessory", CAB_KBL_OTHER},
    {"ConnectorHousingCap", "accessory", CAB_KBL_OTHER},
    {"ConnectorHousingCover", "accessory", CAB_KBL_OTHER},
    {"CableDuct", "accessory", CAB_KBL_OTHER},
    {"Ferrite", "accessory", CAB_KBL_OTHER},
    {"Labeling", "accessory", CAB_KBL_OTHER},
};

/* Of a terminal: by the type of its role, else by that of its specification. */
static bool is_terminal(cab_xml *xml, const xmlNode *role, const char *stem)
{
    return cab_vec_is_a(role, "Terminal", "Role") &&
           (cab_vec_is_a(role, stem, "Role") ||
            cab_vec_is_a(cab_xml_follow(xml, role, "TerminalSpecification"), stem, "Specification"));
}

/* Fuses and the like, which a box holds: what is no other component than these is a box. */
static bool is_small(cab_xml *xml, const xmlNode *role)
{
    static const char *const small[] = {"Fuse", "MultiFuse", "Relay", "Diode", "Capacitor"};
    const xmlNode *about = cab_xml_follow(xml, role, "EEComponentSpecification");
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (cab_vec_is_a(role, small[i], "Role") || cab_vec_is_a(about, small[i], "Specification"))
            return true;
    return false;
}

/* What its role makes of it. */
static bool kind_by(cab_xml *xml, const xmlNode *role, cab_vec_kind *found)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!cab_vec_is_a(role, rows[i].role, "Role")) continue;
        *found = (cab_vec_kind){rows[i].kind, rows[i].word};
        if (is_terminal(xml, role, "SpliceTerminal")) *found = (cab_vec_kind){CAB_KBL_SPLICE, "splice"};
        if (rows[i].kind == CAB_KBL_BOX && is_small(xml, role))
            *found = (cab_vec_kind){CAB_KBL_OTHER, "component"};
        return true;
    }
    return false;
}

bool cab_vec_kind_of(cab_xml *xml, const xmlNode *occurrence, cab_vec_kind *found)
{
    bool wire = false;
    CAB_XML_EACH(role, occurrence, "Role")
    {
        if (kind_by(xml, role, found)) return true;
        wire |= cab_vec_is(role, "WireRole");
    }
    const char *special = cab_xml_text(xml, cab_vec_technical_of(xml, occurrence), "SpecialPartType");
    *found = (cab_vec_kind){CAB_KBL_OTHER, special};
    return !wire && *special;
}

/* What lies round a bundle, hangs in it, or belongs to what does not. */
static bool role_hangs(cab_xml *xml, const xmlNode *role)
{
    static const char *const loose[] = {"WireProtection", "Wire", "CavitySeal", "CavityPlug", "Grommet"};
    bool hangs = is_terminal(xml, role, "SpliceTerminal") || is_terminal(xml, role, "OpenWireEndTerminal");
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) hangs |= cab_vec_is_a(role, loose[i], "Role");
    return hangs;
}

bool cab_vec_lets_hang(cab_xml *xml, const xmlNode *occurrence)
{
    bool any = false;
    CAB_XML_EACH(role, occurrence, "Role")
    {
        if (cab_vec_is(role, "PlaceableElementRole")) continue;
        any = true;
        if (!role_hangs(xml, role)) return false;
    }
    return any;
}

const char *cab_vec_alias(cab_xml *xml, const xmlNode *element, const char *scope)
{
    CAB_XML_EACH(alias, element, "AliasId")
    {
        if (strcmp(cab_xml_text(xml, alias, "Scope"), scope) == 0)
            return cab_xml_text(xml, alias, "IdentificationValue");
    }
    return "";
}

const char *cab_vec_description(cab_xml *xml, const xmlNode *element)
{
    return cab_xml_text(xml, cab_xml_child(element, "Description"), "Value");
}

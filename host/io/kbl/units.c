/* Units of a KBL file: SI names with prefixes and powers, or a name such as "GramPerMetre" or "g/m". Those of a VEC file: the same names
 * with exponents, and products of other units. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "io/kbl/xml.h"

const cab_kbl_dimension cab_kbl_length = {1, 0, 1e-3, "millimetres"};
const cab_kbl_dimension cab_kbl_area = {2, 0, 1e-6, "square millimetres"};
const cab_kbl_dimension cab_kbl_mass = {0, 1, 1e-3, "grams"};
const cab_kbl_dimension cab_kbl_mass_per_length = {-1, 1, 1e-3, "grams per metre"};

/* To SI: factor m^metres kg^kilograms. `strange` where something else is in it. */
typedef struct unit {
    double factor;
    int metres, kilograms;
    bool strange;
} unit;

typedef struct word {
    const char *text;
    double factor;
    int metres, kilograms;
} word;

static const word prefixes[] = {
    {"tera", 1e12, 0, 0},  {"giga", 1e9, 0, 0},   {"mega", 1e6, 0, 0},  {"kilo", 1e3, 0, 0},
    {"hecto", 1e2, 0, 0},  {"deca", 1e1, 0, 0},   {"deci", 1e-1, 0, 0}, {"centi", 1e-2, 0, 0},
    {"milli", 1e-3, 0, 0}, {"micro", 1e-6, 0, 0}, {"nano", 1e-9, 0, 0}, {"pico", 1e-12, 0, 0},
};
/* Longer ones before those that they begin with. */
static const word names[] = {
    {"metre", 1, 1, 0},    {"meter", 1, 1, 0},   {"gramme", 1e-3, 0, 1},
    {"gramm", 1e-3, 0, 1}, {"gram", 1e-3, 0, 1}, {"inch", 0.0254, 1, 0},
};
static const word symbols[] = {
    {"mm2", 1e-6, 2, 0}, {"mm^2", 1e-6, 2, 0}, {"mm\xC2\xB2", 1e-6, 2, 0},
    {"qmm", 1e-6, 2, 0}, {"cm2", 1e-4, 2, 0},  {"m2", 1, 2, 0},
    {"mm", 1e-3, 1, 0},  {"cm", 1e-2, 1, 0},   {"dm", 1e-1, 1, 0},
    {"km", 1e3, 1, 0},   {"m", 1, 1, 0},       {"in", 0.0254, 1, 0},
    {"mg", 1e-6, 0, 1},  {"kg", 1, 0, 1},      {"g", 1e-3, 0, 1},
    {"t", 1e3, 0, 1},
};
#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

static const word *starts(const word *list, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (strncmp(text, list[i].text, strlen(list[i].text)) == 0) return &list[i];
    return NULL;
}

static void multiply(unit *u, const word *base, double prefix, int power)
{
    u->factor *= pow(prefix * base->factor, power);
    u->metres += power * base->metres;
    u->kilograms += power * base->kilograms;
}

/* "squaremillimetre" and the like; how many bytes it took, 0 = it is none. */
static size_t take_name(unit *u, const char *text, int sign)
{
    const char *at = text;
    int power = sign;
    if (strncmp(at, "square", 6) == 0) power = 2 * sign, at += 6;
    if (strncmp(at, "cubic", 5) == 0) power = 3 * sign, at += 5;
    while (*at == ' ') at++;
    const word *prefix = starts(prefixes, COUNT(prefixes), at);
    if (prefix) at += strlen(prefix->text);
    const word *base = starts(names, COUNT(names), at);
    if (!base) return 0;
    multiply(u, base, prefix ? prefix->factor : 1, power);
    at += strlen(base->text);
    return (size_t)(at - text) + (*at == 's');
}

static size_t take_symbol(unit *u, const char *text, int sign)
{
    size_t length = strcspn(text, " /._-*");
    for (int i = 0; i < COUNT(symbols); i++) {
        if (strlen(symbols[i].text) != length || strncmp(text, symbols[i].text, length) != 0) continue;
        multiply(u, &symbols[i], 1, sign);
        return length;
    }
    return 0;
}

static unit read_name(const char *name)
{
    unit u = {.factor = 1, .strange = *name == '\0'};
    char text[64];
    size_t length = strlen(name);
    if (length >= sizeof text) return (unit){.strange = true};
    for (size_t i = 0; i <= length; i++) text[i] = (char)tolower((unsigned char)name[i]);
    int sign = 1;
    for (const char *at = text; *at && !u.strange;) {
        size_t taken = strspn(at, " ._-*");
        bool per = strncmp(at, "per", 3) == 0;
        if (!taken && (*at == '/' || per)) sign = -1, taken = per ? 3 : 1;
        if (!taken) taken = take_name(&u, at, sign);
        if (!taken) taken = take_symbol(&u, at, sign);
        u.strange = taken == 0;
        at += taken;
    }
    return u;
}

static int power_of(const char *dimension)
{
    return strcmp(dimension, "square") == 0 ? 2 : strcmp(dimension, "cubic") == 0 ? 3 : 1;
}

/* A unit of SI by name, with a prefix, to a power. */
static unit si_unit(const char *name, const char *prefix, int power)
{
    char small[16] = "";
    for (size_t i = 0; prefix[i] && i + 1 < sizeof small; i++)
        small[i] = (char)tolower((unsigned char)prefix[i]);
    const word *known = starts(prefixes, COUNT(prefixes), small);
    unit one = read_name(name);
    if (one.strange || (*prefix && !known)) return (unit){.strange = true};
    return (unit){.factor = pow((known ? known->factor : 1) * one.factor, power),
                  .metres = power * one.metres,
                  .kilograms = power * one.kilograms};
}

/* SIUnit, ImperialUnit and the like of VEC; a power of its own each. */
static unit read_simple_vec(cab_xml *xml, const xmlNode *node)
{
    static const char *const keys[] = {"SiUnitName", "ImperialUnitName", "UsUnitName", "UnitName",
                                       "Identification"};
    double exponent = 1;
    const char *name = "";
    for (int i = 0; i < COUNT(keys) && !*name; i++) name = cab_xml_text(xml, node, keys[i]);
    if (cab_xml_numbers(xml, node, "Exponent", &exponent, 1) != 1 || !(fabs(exponent) <= 9)) exponent = 1;
    return si_unit(name, cab_xml_text(xml, node, "SiPrefix"), (int)exponent);
}

/* A CompositeUnit is the product of its factors, none of which is one itself. */
static unit read_vec_unit(cab_xml *xml, const xmlNode *node)
{
    char *rest = cab_xml_words(xml, node, "Factors");
    if (!rest || !*rest) return read_simple_vec(xml, node);
    unit product = {.factor = 1};
    for (char *id; (id = cab_xml_word(&rest));) {
        const xmlNode *factor = cab_xml_find(xml, id);
        unit u = cab_xml_is(factor, "Unit") ? read_simple_vec(xml, factor) : (unit){.strange = true};
        product.factor *= u.factor;
        product.metres += u.metres;
        product.kilograms += u.kilograms;
        product.strange |= u.strange;
    }
    return product;
}

static unit read_unit(cab_xml *xml, const xmlNode *node)
{
    if (xml->vec) return read_vec_unit(xml, node);
    const char *si = cab_xml_text(xml, node, "Si_unit_name");
    if (!*si) return read_name(cab_xml_text(xml, node, "Unit_name"));
    return si_unit(si, cab_xml_text(xml, node, "Si_prefix"),
                   power_of(cab_xml_text(xml, node, "Si_dimension")));
}

/* Tells of a unit once: marks its element. */
static void note_unit(cab_xml *xml, xmlNode *node, const xmlNode *owner, cab_kbl_dimension dimension)
{
    if (!node) {
        cab_kbl_note(xml->kbl, cab_xml_line(owner), cab_xml_id_of(xml, owner), "no unit; %s are assumed",
                     dimension.usual_name);
    } else if (!node->_private) {
        node->_private = node;
        cab_kbl_note(xml->kbl, cab_xml_line(node), cab_xml_id_of(xml, node),
                     "an unknown unit, \"%.40s\"; where it stands %s are assumed",
                     cab_xml_text(xml, node, "Unit_name"), dimension.usual_name);
    }
}

double cab_xml_unit_of_length(cab_xml *xml, xmlNode *node, const xmlNode *owner)
{
    unit u = cab_xml_is(node, "Unit") ? read_unit(xml, node) : (unit){.strange = true};
    if (!u.strange && u.metres == 1 && u.kilograms == 0) return u.factor;
    note_unit(xml, node, owner, cab_kbl_length);
    return cab_kbl_length.usual;
}

double cab_xml_quantity(cab_xml *xml, const xmlNode *parent, const char *name, cab_kbl_dimension dimension)
{
    const xmlNode *node = cab_xml_child(parent, name);
    double value;
    if (!node ||
        cab_xml_numbers(xml, node, xml->vec ? "ValueComponent" : "Value_component", &value, 1) != 1 ||
        !(value > 0) || isinf(value))
        return 0;
    xmlNode *about = cab_xml_follow(xml, node, xml->vec ? "UnitComponent" : "Unit_component");
    unit u = cab_xml_is(about, "Unit") ? read_unit(xml, about) : (unit){.strange = true};
    if (u.strange) {
        note_unit(xml, about, node, dimension);
        u = (unit){dimension.usual, dimension.metres, dimension.kilograms, false};
    }
    if (u.metres == dimension.metres && u.kilograms == dimension.kilograms) return value * u.factor;
    cab_kbl_note(xml->kbl, cab_xml_line(node), cab_xml_id_of(xml, parent),
                 "%s has a unit of another kind than %s; it counts as missing", name, dimension.usual_name);
    return 0;
}

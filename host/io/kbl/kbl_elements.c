/* Elements of KBL. Only the root has a namespace, as the schema says. */
#include <stdio.h>
#include <stdlib.h>

#include "io/kbl/kbl_write.h"

#define TEXT(text) ((const xmlChar *)(text))

static xmlNode *append(cab_kbl_writer *w, xmlNode *parent, const char *name, const char *text)
{
    xmlNode *node = parent ? xmlNewDocRawNode(w->document, NULL, TEXT(name), TEXT(text)) : NULL;
    if (!node || (text && *text && !node->children)) w->kbl->lost = true;
    return node ? xmlAddChild(parent, node) : NULL;
}

xmlNode *cab_kbl_element(cab_kbl_writer *w, xmlNode *parent, const char *name, const char *id)
{
    xmlNode *node = append(w, parent, name, NULL);
    if (node && id && !xmlNewProp(node, TEXT("id"), TEXT(id))) w->kbl->lost = true;
    return node;
}

void cab_kbl_set_type(cab_kbl_writer *w, xmlNode *element, const char *type)
{
    if (element && !xmlNewNsProp(element, w->types, TEXT("type"), TEXT(type))) w->kbl->lost = true;
}

void cab_kbl_leaf(cab_kbl_writer *w, xmlNode *parent, const char *name, const char *text)
{
    append(w, parent, name, text);
}

void cab_kbl_leaf_scaled(cab_kbl_writer *w, xmlNode *parent, const char *name, double value, double factor)
{
    char text[40];
    double written = factor > 1 ? value * factor : value / factor;
    for (int digits = 12; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, written);
        double read = strtod(text, NULL);
        if ((factor > 1 ? read / factor : read * factor) == value) break;
    }
    cab_kbl_leaf(w, parent, name, text);
}

void cab_kbl_leaf_number(cab_kbl_writer *w, xmlNode *parent, const char *name, double value)
{
    cab_kbl_leaf_scaled(w, parent, name, value, 1);
}

void cab_kbl_leaf_vector(cab_kbl_writer *w, xmlNode *parent, const char *name, cab_vec3 v)
{
    cab_kbl_leaf_number(w, parent, name, v.x);
    cab_kbl_leaf_number(w, parent, name, v.y);
    cab_kbl_leaf_number(w, parent, name, v.z);
}

/* ---- quantities ---- */

static const struct {
    const char *id, *name, *si, *prefix, *dimension; /* NULL = none */
    double factor;                                   /* to SI */
} units[CAB_KBL_UNITS] = {
    [CAB_KBL_MM] = {"unit_mm", NULL, "metre", "milli", NULL, 1e-3},
    [CAB_KBL_MM2] = {"unit_mm2", NULL, "metre", "milli", "square", 1e-6},
    [CAB_KBL_GRAM] = {"unit_g", NULL, "gram", NULL, NULL, 1e-3},
    [CAB_KBL_GRAM_PER_METRE] = {"unit_g_per_m", "GramPerMetre", NULL, NULL, NULL, 1e-3},
};

void cab_kbl_write_units(cab_kbl_writer *w)
{
    for (int i = 0; i < CAB_KBL_UNITS; i++) {
        xmlNode *unit = cab_kbl_element(w, w->root, "Unit", units[i].id);
        if (units[i].name) cab_kbl_leaf(w, unit, "Unit_name", units[i].name);
        if (units[i].si) cab_kbl_leaf(w, unit, "Si_unit_name", units[i].si);
        if (units[i].prefix) cab_kbl_leaf(w, unit, "Si_prefix", units[i].prefix);
        if (units[i].dimension) cab_kbl_leaf(w, unit, "Si_dimension", units[i].dimension);
    }
}

void cab_kbl_quantity(cab_kbl_writer *w, xmlNode *parent, const char *name, cab_kbl_unit unit, double value)
{
    if (!(value > 0)) return;
    xmlNode *node = cab_kbl_element(w, parent, name, cab_kbl_new_id(w, "value"));
    cab_kbl_leaf(w, node, "Unit_component", units[unit].id);
    cab_kbl_leaf_scaled(w, node, "Value_component", value, units[unit].factor);
}

/* ---- parts and points ---- */

xmlNode *cab_kbl_part(cab_kbl_writer *w, xmlNode *parent, const char *element, const char *id,
                      const char *number, const char *text, cab_kbl_unit unit, double mass)
{
    static const char none[] = "/NULL"; /* as the recommendation writes what is not known */
    xmlNode *part = cab_kbl_element(w, parent, element, id);
    cab_kbl_leaf(w, part, "Part_number", *number ? number : none);
    cab_kbl_leaf(w, part, "Company_name", none);
    cab_kbl_leaf(w, part, "Version", none);
    cab_kbl_leaf(w, part, "Abbreviation", none);
    cab_kbl_leaf(w, part, "Description", *text ? text : none);
    cab_kbl_quantity(w, part, "Mass_information", unit, mass);
    return part;
}

/* Coordinates have no unit: millimetres. */
const char *cab_kbl_point(cab_kbl_writer *w, cab_vec3 place)
{
    const char *id = cab_kbl_new_id(w, "point");
    xmlNode *point = cab_kbl_element(w, w->root, "Cartesian_point", id);
    cab_kbl_leaf_scaled(w, point, "Coordinates", place.x, 1000);
    cab_kbl_leaf_scaled(w, point, "Coordinates", place.y, 1000);
    cab_kbl_leaf_scaled(w, point, "Coordinates", place.z, 1000);
    return id;
}

/* What is lost when a harness is written: elements of the file by kind, less those of what is written from it in the same format. */
#include <string.h>

#include "base/error.h"
#include "io/kbl/write.h"
#include "io/kbl/xml.h"

/* Elements that say nothing by themselves. */
static const char *const uncounted[] = {"Cartesian_point", "CartesianPoint", "Unit", "ControlPoint"};

static bool is_among(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

/* "Connection"; of what has a type, "TapeSpecification". Wires and slots have types in KBL 2.4, and none before. */
static const char *kind_of(cab_xml *xml, const xmlNode *node)
{
    static const char *const untyped[] = {"General_wire_occurrence", "Slots"};
    const char *type = cab_xml_attribute(xml, node, "type"), *colon = type ? strchr(type, ':') : NULL;
    bool by_name = is_among(untyped, sizeof untyped / sizeof *untyped, (const char *)node->name);
    return !type || by_name ? (const char *)node->name : colon ? colon + 1 : type;
}

static void add(cab_xml *xml, json_t *counts, const xmlNode *node, int step)
{
    const char *kind = kind_of(xml, node);
    if (!xmlHasProp(node, (const xmlChar *)"id") ||
        is_among(uncounted, sizeof uncounted / sizeof *uncounted, kind))
        return;
    if (cab_xml_child(node, "Value_component") || cab_xml_child(node, "ValueComponent")) return;
    if (cab_xml_child(node, "Colour_value") && !*cab_xml_text(xml, node, "Colour_value"))
        return; /* "/NULL" */
    json_int_t count = json_integer_value(json_object_get(counts, kind)) + step;
    if (json_object_set_new_nocheck(counts, kind, json_integer(count)) != 0) xml->kbl->lost = true;
}

static const xmlNode *after(const xmlNode *node, const xmlNode *root)
{
    if (node->children && node->type == XML_ELEMENT_NODE) return node->children;
    while (node != root && !node->next) node = node->parent;
    return node == root ? NULL : node->next;
}

/* Adds `step` for each element of a text. */
static cab_status count(const char *file, const char *text, size_t size, int step, json_t *counts,
                        cab_error *error)
{
    cab_kbl kbl = {.file = file, .notes = json_array()};
    cab_xml xml;
    cab_status status = kbl.notes ? CAB_OK : cab_fail_memory(error, "notes", 64);
    if (status) return status;
    status = cab_xml_open(&xml, &kbl, text, size, error);
    for (const xmlNode *node = status ? NULL : xml.root; node; node = after(node, xml.root))
        if (node->type == XML_ELEMENT_NODE && node != xml.root) add(&xml, counts, node, step);
    if (!status && kbl.lost) status = cab_fail_memory(error, "a harness", size);
    cab_xml_close(&xml);
    cab_kbl_free(&kbl);
    return status;
}

cab_status cab_kbl_list_losses(const char *file, const char *text, size_t size, const char *written,
                               size_t written_size, json_t **losses, cab_error *error)
{
    json_t *counts = json_object(), *value;
    const char *kind;
    *losses = json_array();
    cab_status status = counts && *losses ? CAB_OK : cab_fail_memory(error, "a list", 64);
    if (!status) status = count(file, text, size, 1, counts, error);
    if (!status) status = count(file, written, written_size, -1, counts, error);
    json_object_foreach(counts, kind, value)
    {
        if (status || json_integer_value(value) <= 0) continue;
        const char *how =
            strcmp(kind, "Core_occurrence") == 0 || strcmp(kind, "Core") == 0 ? " (written as wires)" : "";
        json_t *line = json_sprintf("%lld %s%s", (long long)json_integer_value(value), kind, how);
        if (json_array_append_new(*losses, line) != 0) status = cab_fail_memory(error, "a list", 64);
    }
    json_decref(counts);
    return status;
}

#include "io/kbl/xml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* KBL needs no document type, and without one no entities unfold without end or read files. */
static void refuse_type(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    xmlParserCtxt *parser = context;
    parser->_private = parser; /* says who stopped it */
    xmlStopParser(parser);
}

static cab_status fail_parse(const xmlParserCtxt *parser, const char *file, bool typed, cab_error *error)
{
    const xmlError *fault = &parser->lastError;
    if (typed)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: a document type (<!DOCTYPE ...>): KBL has none, and entities are not read",
                        file);
    if (fault->code == XML_ERR_NO_MEMORY) return cab_fail_memory(error, "a harness", 0);
    const char *text = fault->message ? fault->message : "no XML";
    return cab_fail(error, CAB_ERROR_INPUT, "%s: line %d: broken XML: %.*s", file,
                    fault->line > 0 ? fault->line : 1, (int)strcspn(text, "\n"), text);
}

/* libxml2 goes on without what it had no memory for, so somebody must remember. */
static void note_fault(void *user, xmlError *fault)
{
    cab_xml *xml = user;
    if (fault->code == XML_ERR_NO_MEMORY) xml->kbl->lost = true;
    if (fault->domain == XML_FROM_NAMESPACE) xml->unnamed = true;
}

static cab_status parse_by(xmlParserCtxt *parser, cab_xml *xml, const char *text, size_t size,
                           cab_error *error)
{
    parser->sax->internalSubset = refuse_type;
    xml->document = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL,
                                      XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                          XML_PARSE_BIG_LINES | XML_PARSE_NOBLANKS);
    bool typed = parser->_private != NULL;
    if (xml->kbl->lost) return cab_fail_memory(error, "a harness", size);
    return typed || !xml->document ? fail_parse(parser, xml->kbl->file, typed, error) : CAB_OK;
}

static cab_status parse(cab_xml *xml, const char *text, size_t size, cab_error *error)
{
    xmlStructuredErrorFunc before = xmlStructuredError; /* of this thread */
    void *user = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(xml, note_fault);
    xmlParserCtxt *parser = xmlNewParserCtxt();
    cab_status status =
        parser ? parse_by(parser, xml, text, size, error) : cab_fail_memory(error, "a harness", size);
    if (parser) xmlFreeParserCtxt(parser);
    xmlSetStructuredErrorFunc(user, before);
    return status;
}

/* Where libxml2 has no memory for a prefix it says no more than that the name is odd. So what has odd names is read
 * again: what is odd then is the text. */
static cab_status parse_surely(cab_xml *xml, const char *text, size_t size, cab_error *error)
{
    cab_status status = parse(xml, text, size, error);
    if (status || !xml->unnamed) return status;
    xmlFreeDoc(xml->document);
    xml->document = NULL;
    return parse(xml, text, size, error);
}

static xmlNode *after(const xmlNode *node, const xmlNode *root)
{
    if (node->children && node->type == XML_ELEMENT_NODE) return node->children;
    while (node != root && !node->next) node = node->parent;
    return node == root ? NULL : node->next;
}

static int count_ids(cab_xml *xml, cab_xml_id *ids)
{
    int count = 0;
    for (xmlNode *node = xml->root; node; node = after(node, xml->root)) {
        if (node->type != XML_ELEMENT_NODE || !xmlHasProp(node, (const xmlChar *)"id")) continue;
        if (ids) ids[count] = (cab_xml_id){cab_xml_id_of(xml, node), node};
        count++;
    }
    return count;
}

static int by_id(const void *a, const void *b)
{
    const cab_xml_id *p = a, *q = b;
    int order = strcmp(p->id, q->id), first = cab_xml_line(p->node), second = cab_xml_line(q->node);
    return order ? order : (first > second) - (first < second);
}

static void list_ids(cab_xml *xml)
{
    int count = count_ids(xml, NULL), kept = 0;
    xml->ids = cab_kbl_new(xml->kbl, (size_t)count, sizeof *xml->ids);
    if (!xml->ids) return;
    count = count_ids(xml, xml->ids);
    if (xml->kbl->lost) return;
    qsort(xml->ids, (size_t)count, sizeof *xml->ids, by_id);
    for (int i = 0; i < count; i++) {
        bool again = kept && strcmp(xml->ids[kept - 1].id, xml->ids[i].id) == 0;
        if (again)
            cab_kbl_note(xml->kbl, cab_xml_line(xml->ids[i].node), xml->ids[i].id,
                         "this id stands in the file more than once; the first one is meant");
        else
            xml->ids[kept++] = xml->ids[i];
    }
    xml->id_count = kept;
}

cab_status cab_xml_open(cab_xml *xml, cab_kbl *kbl, const char *text, size_t size, cab_error *error)
{
    *xml = (cab_xml){.kbl = kbl};
    cab_status status = cab_libxml2_load(kbl->file, error);
    if (status) return status;
    status = parse_surely(xml, text, size, error);
    if (status) return status;
    xml->root = xmlDocGetRootElement(xml->document);
    if (!xml->root) return cab_fail(error, CAB_ERROR_INPUT, "%s: line 1: broken XML: no element", kbl->file);
    list_ids(xml);
    return kbl->lost ? cab_fail_memory(error, "a harness", size) : CAB_OK;
}

void cab_xml_close(cab_xml *xml)
{
    if (xml->document) xmlFreeDoc(xml->document);
    xml->document = NULL;
}

bool cab_xml_is(const xmlNode *node, const char *name)
{
    return node && node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *first_from(xmlNode *node, const char *name)
{
    while (node && !cab_xml_is(node, name)) node = node->next;
    return node;
}

xmlNode *cab_xml_child(const xmlNode *parent, const char *name)
{
    return parent ? first_from(parent->children, name) : NULL;
}

xmlNode *cab_xml_next(const xmlNode *node, const char *name)
{
    return first_from(node->next, name);
}

int cab_xml_count(const xmlNode *parent, const char *name)
{
    int count = 0;
    for (const xmlNode *n = cab_xml_child(parent, name); n; n = cab_xml_next(n, name)) count++;
    return count;
}

int cab_xml_line(const xmlNode *node)
{
    long line = xmlGetLineNo(node);
    return line > 0 && line < 2000000000 ? (int)line : 0;
}

/* Single blanks between words, none around them, in place. */
static void squeeze(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        bool blank = isspace((unsigned char)*in);
        if (!blank)
            *out++ = *in;
        else if (out > text && out[-1] != ' ')
            *out++ = ' ';
    }
    if (out > text && out[-1] == ' ') out--;
    *out = '\0';
}

/* Appends the text in a list of nodes and in all that they hold: at = NULL only counts. Without a document type there are
 * no entities but the five of XML. */
static size_t take_text(const xmlNode *list, char *at)
{
    size_t length = 0;
    for (const xmlNode *node = list; node; node = node->next) {
        const xmlNode *inside = node->type == XML_ELEMENT_NODE ? node->children : NULL;
        const xmlChar *text =
            node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE ? node->content : NULL;
        if (node->type == XML_ENTITY_REF_NODE) {
            const xmlEntity *entity = xmlGetPredefinedEntity(node->name);
            text = entity ? entity->content : NULL;
        }
        size_t own = text ? strlen((const char *)text) : 0;
        if (own && at) memcpy(at + length, text, own);
        length += own;
        if (inside) length += take_text(inside, at ? at + length : NULL);
    }
    return length;
}

/* A copy that the harness owns. */
static char *keep(cab_xml *xml, const xmlNode *list)
{
    char *copy = cab_kbl_new(xml->kbl, take_text(list, NULL) + 1, 1);
    if (!copy) return NULL;
    take_text(list, copy);
    squeeze(copy);
    return copy;
}

const char *cab_xml_attribute(cab_xml *xml, const xmlNode *node, const char *name)
{
    const xmlAttr *attribute = xmlHasProp(node, (const xmlChar *)name);
    return attribute ? keep(xml, attribute->children) : NULL;
}

const char *cab_xml_id_of(cab_xml *xml, const xmlNode *node)
{
    const char *id = cab_xml_attribute(xml, node, "id");
    return id ? id : "";
}

const char *cab_xml_text(cab_xml *xml, const xmlNode *parent, const char *name)
{
    const xmlNode *node = cab_xml_child(parent, name);
    const char *text = node ? keep(xml, node->children) : NULL;
    return text && strcmp(text, "/NULL") != 0 ? text : "";
}

char *cab_xml_words(cab_xml *xml, const xmlNode *parent, const char *name)
{
    size_t room = 1;
    for (xmlNode *n = cab_xml_child(parent, name); n; n = cab_xml_next(n, name))
        room += take_text(n->children, NULL) + 1;
    char *words = cab_kbl_new(xml->kbl, room, 1), *end = words;
    for (xmlNode *n = cab_xml_child(parent, name); n && words; n = cab_xml_next(n, name)) {
        end += take_text(n->children, end);
        *end++ = ' ';
    }
    if (words) squeeze(words);
    return words;
}

char *cab_xml_word(char **rest)
{
    char *word = *rest;
    if (!word || !*word) return NULL;
    char *blank = strchr(word, ' ');
    if (blank) *blank = '\0';
    *rest = blank ? blank + 1 : NULL;
    return word;
}

int cab_xml_numbers(cab_xml *xml, const xmlNode *parent, const char *name, double *values, int room)
{
    char *rest = cab_xml_words(xml, parent, name);
    int count = 0;
    for (char *word; (word = cab_xml_word(&rest));) {
        if (count < room) values[count] = xmlXPathCastStringToNumber((const xmlChar *)word);
        count++;
    }
    return count;
}

static int find_id(const void *id, const void *row)
{
    return strcmp(id, ((const cab_xml_id *)row)->id);
}

xmlNode *cab_xml_find(const cab_xml *xml, const char *id)
{
    const cab_xml_id *row =
        *id ? bsearch(id, xml->ids, (size_t)xml->id_count, sizeof *xml->ids, find_id) : NULL;
    return row ? row->node : NULL;
}

xmlNode *cab_xml_follow(cab_xml *xml, const xmlNode *parent, const char *name)
{
    return cab_xml_find(xml, cab_xml_text(xml, parent, name));
}

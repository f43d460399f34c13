/* XML as KBL uses it: elements with ids that refer to each other, texts and numbers in leaves. */
#ifndef CAB_KBL_XML_H
#define CAB_KBL_XML_H

#include "io/kbl/kbl.h"
#include "library/libxml2.h"

typedef struct cab_xml_id {
    const char *id;
    xmlNode *node;
} cab_xml_id;

typedef struct cab_xml {
    cab_kbl *kbl;
    xmlDoc *document;
    xmlNode *root;
    cab_xml_id *ids; /* sorted */
    int id_count;
} cab_xml;

/* Reads XML without network and without a document type. Close it whatever the status. */
cab_status cab_xml_open(cab_xml *xml, cab_kbl *kbl, const char *text, size_t size, cab_error *error);
void cab_xml_close(cab_xml *xml);

/* Elements by their local name: the first child, the next brother; NULL = none. */
xmlNode *cab_xml_child(const xmlNode *parent, const char *name);
xmlNode *cab_xml_next(const xmlNode *node, const char *name);
int cab_xml_count(const xmlNode *parent, const char *name);
bool cab_xml_is(const xmlNode *node, const char *name);

int cab_xml_line(const xmlNode *node);
/* Texts live as long as the harness. Of an attribute; NULL = there is none, or no memory. */
const char *cab_xml_attribute(cab_xml *xml, const xmlNode *node, const char *name);
/* "" where there is none. */
const char *cab_xml_id_of(cab_xml *xml, const xmlNode *node);

/* What stands in the first child `name`, without blanks around it; "" for none, and for "/NULL". */
const char *cab_xml_text(cab_xml *xml, const xmlNode *parent, const char *name);
/* The words of all children `name`, one text with single blanks. */
char *cab_xml_words(cab_xml *xml, const xmlNode *parent, const char *name);
/* Takes the next word off a text of cab_xml_words(); NULL at the end. */
char *cab_xml_word(char **rest);
/* At most `room` numbers of all children `name`; how many there are. What is no number is NAN. */
int cab_xml_numbers(cab_xml *xml, const xmlNode *parent, const char *name, double *values, int room);

/* The element of an id; NULL = none. */
xmlNode *cab_xml_find(const cab_xml *xml, const char *id);
/* That of the id in the first child `name`. */
xmlNode *cab_xml_follow(cab_xml *xml, const xmlNode *parent, const char *name);

/* units.c: a quantity, child `name` with Unit_component and Value_component, in metres and kilograms to these
 * powers; 0 when it is missing, no number, not above 0, or of another dimension. `usual` (factor to SI, name)
 * is taken where the unit is missing or unknown. */
typedef struct cab_kbl_dimension {
    int metres, kilograms;
    double usual;
    const char *usual_name;
} cab_kbl_dimension;
extern const cab_kbl_dimension cab_kbl_length, cab_kbl_area, cab_kbl_mass, cab_kbl_mass_per_length;
double cab_xml_quantity(cab_xml *xml, const xmlNode *parent, const char *name, cab_kbl_dimension dimension);

#endif

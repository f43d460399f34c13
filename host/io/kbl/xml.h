/* XML as KBL and VEC use it: elements with ids that refer to each other, texts and numbers in leaves. */
#ifndef CAB_KBL_XML_H
#define CAB_KBL_XML_H

#include <stdint.h>

#include "io/kbl/kbl.h"
#include "library/libxml2.h"

typedef struct cab_xml_id {
    const char *id;
    xmlNode *node;
} cab_xml_id;

/* A name that was read, and of what. */
typedef struct cab_xml_name {
    const char **name;
    const xmlNode *element;
} cab_xml_name;

typedef struct cab_xml {
    cab_kbl *kbl;
    xmlDoc *document;
    xmlNode *root;
    cab_xml_id *ids; /* sorted */
    int id_count;
    bool unnamed;        /* libxml2 has complained of a name's prefix */
    bool vec;            /* a VEC file: leaves have other names */
    cab_xml_name *names; /* of VEC nodes, segments and wires */
    int name_count;
} cab_xml;

/* Reads XML without network and without a document type. Close it whatever the status. */
cab_status cab_xml_open(cab_xml *xml, cab_kbl *kbl, const char *text, size_t size, cab_error *error);
void cab_xml_close(cab_xml *xml);

/* Elements by their local name: the first child, the next brother; NULL = none. */
xmlNode *cab_xml_child(const xmlNode *parent, const char *name);
xmlNode *cab_xml_next(const xmlNode *node, const char *name);
int cab_xml_count(const xmlNode *parent, const char *name);
bool cab_xml_is(const xmlNode *node, const char *name);

/* A list of children: each of them. */
#define CAB_XML_EACH(node, parent, name)                                                                     \
    for (xmlNode *node = cab_xml_child(parent, name); node; node = cab_xml_next(node, name))

/* Elements know their index while reading: xmlNode's _private is index + 1. */
static inline void cab_xml_mark(xmlNode *node, int index)
{
    node->_private = (void *)((intptr_t)index + 1);
}

/* The index of an element of this name; -1 = none. */
static inline int cab_xml_index_of(const xmlNode *node, const char *name)
{
    return cab_xml_is(node, name) ? (int)((intptr_t)node->_private - 1) : -1;
}

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
/* Metres in a unit; millimetres, with a note, where it is none of length. owner: who has it. */
double cab_xml_unit_of_length(cab_xml *xml, xmlNode *node, const xmlNode *owner);

/* What both kinds of files share (shared.c). A place within reach of a harness, or of a curve's control points: */
#define CAB_KBL_PLACE_MAX 200.0 /* m; no harness reaches further */
#define CAB_KBL_LENGTH_MAX 200.0
#define CAB_KBL_CONTROL_MAX                                                                                  \
    1e6 /* m; control points of unclamped splines lie far from their curves: kilometres in the field */
bool cab_kbl_is_within(cab_vec3 place, double most);
/* The unit vector; 0 where it has no direction. */
cab_vec3 cab_kbl_direction_of(const double v[3]);
int cab_kbl_words_in(const char *text);
/* The route of a wire: the ids in children `list` of `path`, elements `kind` with an index; notes where it does not make sense. */
void cab_xml_read_route(cab_xml *xml, const xmlNode *path, const char *list, const char *kind,
                        cab_kbl_wire *wire);
/* What people call an element of KBL: its Id, else its id. */
const char *cab_xml_name_of(cab_xml *xml, const xmlNode *element);
/* left_out.c: a note of what the file has besides, by kind. */
void cab_kbl_note_left_out(cab_xml *xml);
/* contents.c and vec_contents.c: into xml->kbl->contents, after all the above. */
void cab_xml_read_contents(cab_xml *xml);
void cab_vec_read_contents(cab_xml *xml);

#endif

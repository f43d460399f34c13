/* A harness as KBL 2.4: what the files that write it share. */
#ifndef CAB_KBL_KBL_WRITE_H
#define CAB_KBL_KBL_WRITE_H

#include "io/kbl/items.h"
#include "library/libxml2.h"

typedef struct cab_kbl_writer {
    cab_kbl *kbl; /* lost where there is no memory */
    xmlDoc *document;
    xmlNode *root;
    xmlNs *types;  /* of xsi:type */
    json_t *used;  /* ids */
    json_t *named; /* ids of parts that several wires share, by name: they live here */
    int made;      /* ids that were */
    int renamed;   /* names that are no ids of XML, or another's */
    cab_kbl_items items;
    const char **node, **segment, **wire, **wire_part; /* ids by index */
    const char **item, **part; /* of items; part, slot and housing: where it is the first of its part */
    const char **slot, **housing, **place; /* of items; place: of its point, NULL = it has none */
    const char **contact, **in_cavity;     /* of pins: the contact point, and the cavity of its connector */
    const char **cavity;                   /* of cavities of parts */
} cab_kbl_writer;

/* kbl_ids.c: an id that nobody has, "KIND_7". */
const char *cab_kbl_new_id(cab_kbl_writer *w, const char *kind);
/* Those of all that a harness has. */
void cab_kbl_choose_ids(cab_kbl_writer *w);

/* kbl_elements.c: a child; NULL without memory, as all of them take NULL for a parent. id: NULL = it has none. */
xmlNode *cab_kbl_element(cab_kbl_writer *w, xmlNode *parent, const char *name, const char *id);
/* Its xsi:type. */
void cab_kbl_set_type(cab_kbl_writer *w, xmlNode *element, const char *type);
/* A child with a text, a number, a point of the space. */
void cab_kbl_leaf(cab_kbl_writer *w, xmlNode *parent, const char *name, const char *text);
/* As short as it reads back: as `value`, where the reader multiplies by `factor`, or divides where that is above 1. A file's own number is
 * found so; of what came from elsewhere the last digit may change. */
void cab_kbl_leaf_scaled(cab_kbl_writer *w, xmlNode *parent, const char *name, double value, double factor);
void cab_kbl_leaf_number(cab_kbl_writer *w, xmlNode *parent, const char *name, double value);
void cab_kbl_leaf_vector(cab_kbl_writer *w, xmlNode *parent, const char *name, cab_vec3 v);
/* A quantity; nothing where it is not known (0). value: in SI units */
typedef enum cab_kbl_unit {
    CAB_KBL_MM,
    CAB_KBL_MM2,
    CAB_KBL_GRAM,
    CAB_KBL_GRAM_PER_METRE,
    CAB_KBL_UNITS
} cab_kbl_unit;
void cab_kbl_quantity(cab_kbl_writer *w, xmlNode *parent, const char *name, cab_kbl_unit unit, double value);
/* The elements of these units. */
void cab_kbl_write_units(cab_kbl_writer *w);
/* The beginning of a part: number, "/NULL" for what is not known, mass (0 = not known). */
xmlNode *cab_kbl_part(cab_kbl_writer *w, xmlNode *parent, const char *element, const char *id,
                      const char *number, const char *text, cab_kbl_unit unit, double mass);
/* The id of a point. */
const char *cab_kbl_point(cab_kbl_writer *w, cab_vec3 place);

/* kbl_items.c: all parts that are an `element`; all that a harness has of such; connections of wires; the list of a node, of which *next is
 * the first place. */
void cab_kbl_write_parts(cab_kbl_writer *w, const char *element);
void cab_kbl_write_occurrences(cab_kbl_writer *w, xmlNode *harness, const char *element);
void cab_kbl_write_connections(cab_kbl_writer *w, xmlNode *harness);
void cab_kbl_write_references(cab_kbl_writer *w, xmlNode *element, int node, int *next);

#endif

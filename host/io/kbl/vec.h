/* VEC (Vehicle Electric Container, VDA-Recommendation 4968): what its two readers share. */
#ifndef CAB_KBL_VEC_H
#define CAB_KBL_VEC_H

#include "io/kbl/xml.h"

/* The steps of reading: into xml->kbl, which has its nodes, segments, wires, routes and fixings then. */
void cab_vec_read_topology(cab_xml *xml);
void cab_vec_read_parts(cab_xml *xml);

/* Has the element this xsi:type, whatever the prefix of its namespace? */
bool cab_vec_is(const xmlNode *element, const char *type);

/* Calls `visit` for each Specification of a type, of all documents, in the order of the file. */
typedef void cab_vec_visitor(cab_xml *xml, xmlNode *specification);
void cab_vec_each(cab_xml *xml, const char *type, cab_vec_visitor *visit);

/* What people call an element: its Identification, else its id. */
const char *cab_vec_name_of(cab_xml *xml, const xmlNode *element);

/* Names of one kind of element must differ, and need not in the file: what has the same one is called by its id in the end. */
void cab_vec_note_name(cab_xml *xml, const char **name, const xmlNode *element);
void cab_vec_tell_apart(cab_xml *xml);

/* The place of a SegmentLocation: its segment, and the fraction of it, maybe NAN; -1 = it is no such place. */
int cab_vec_read_location(cab_xml *xml, const xmlNode *location, double *fraction);

/* A number in a child. NAN where it is missing or none. */
double cab_vec_number(cab_xml *xml, const xmlNode *element, const char *name);

#endif

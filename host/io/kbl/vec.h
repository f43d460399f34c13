/* VEC (Vehicle Electric Container, VDA-Recommendation 4968): what its two readers share. */
#ifndef CAB_KBL_VEC_H
#define CAB_KBL_VEC_H

#include "io/kbl/contents.h"
#include "io/kbl/xml.h"

/* What an AliasId is for, in what is written here, by its Scope: what people call a node or segment, where that is not its Identification;
 * the id of a part by which a harness knows it beside its number; the cable of which a wire was a core. */
#define CAB_VEC_NAME "name"
#define CAB_VEC_PART "part"
#define CAB_VEC_CABLE "cable"

/* The steps of reading: into xml->kbl, which has its nodes, segments, wires, routes and fixings then. */
void cab_vec_read_topology(cab_xml *xml);
void cab_vec_read_parts(cab_xml *xml);

/* Has the element this xsi:type, whatever the prefix of its namespace? */
bool cab_vec_is(const xmlNode *element, const char *type);
/* Is it of the type base + suffix, or of a special one of that? "Terminal", "Role": a RingTerminalRole is. */
bool cab_vec_is_a(const xmlNode *element, const char *base, const char *suffix);

/* What an occurrence is; word: as of a piece. */
typedef struct cab_vec_kind {
    cab_kbl_kind kind;
    const char *word;
} cab_vec_kind;

/* False: nothing that a list of parts has beside the wires. */
bool cab_vec_kind_of(cab_xml *xml, const xmlNode *occurrence, cab_vec_kind *found);
/* Does it not hold the node that it is placed at? */
bool cab_vec_lets_hang(cab_xml *xml, const xmlNode *occurrence);

/* The AliasId of an element with this scope; "" = none. */
const char *cab_vec_alias(cab_xml *xml, const xmlNode *element, const char *scope);
/* The first Description; "" = none. */
const char *cab_vec_description(cab_xml *xml, const xmlNode *element);
/* The technical specification of an occurrence's part, or its own; NULL = none. */
const xmlNode *cab_vec_technical_of(cab_xml *xml, const xmlNode *occurrence);
/* What the part weighs, from that; 0 = not told. */
double cab_vec_mass_of(cab_xml *xml, const xmlNode *occurrence, cab_kbl_dimension dimension);
/* The specification of the wire or core that is meant by a WireElementReference; NULL = none. */
const xmlNode *cab_vec_wire_specification(cab_xml *xml, const xmlNode *reference);
/* vec_leads.c: of all wires colours, numbers, signals, and what their ends are in; after wires were read. */
void cab_vec_read_leads(cab_xml *xml);

/* Where an occurrence is shown in space, m; false: it is not. After the topology was read. */
bool cab_vec_place_of(cab_xml *xml, const xmlNode *occurrence, cab_vec3 *place);

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

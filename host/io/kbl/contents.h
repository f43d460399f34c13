/* What a harness is made of, for those who build it: names, part numbers, colours, what is plugged in where. A simulation needs
 * none of it, so it is read only when it is asked for. */
#ifndef CAB_KBL_CONTENTS_H
#define CAB_KBL_CONTENTS_H

#include "io/kbl/kbl.h"

typedef enum cab_kbl_kind {
    CAB_KBL_CONNECTOR,
    CAB_KBL_SPLICE,
    CAB_KBL_TERMINAL,   /* a ring terminal and the like, at an end without a housing */
    CAB_KBL_BOX,        /* fuses and relays */
    CAB_KBL_FIXING,     /* clips, ducts, ties */
    CAB_KBL_PROTECTION, /* tapes, tubes */
    CAB_KBL_OTHER       /* seals, plugs, fuses: in the list of parts only */
} cab_kbl_kind;

/* Where something is: at a node, or on a segment. */
typedef struct cab_kbl_spot {
    cab_kbl_kind kind;
    const char *id;          /* of the occurrence; "" = none */
    const char *name;        /* what people call it */
    const char *part, *text; /* part number and description; "" = none */
    double mass;             /* of a connector, kg; 0 = not known, and of all else */
    int node;                /* -1 = on a segment */
    int segment;             /* -1 = at a node */
    double from, to;         /* fractions of the segment, 0 to 1; the same of a fixing */
} cab_kbl_spot;

/* A part of the list of parts: each occurrence in the harness, wires apart. */
typedef struct cab_kbl_piece {
    const char *word; /* "connector", "seal" */
    cab_kbl_kind kind;
    const char *id, *name, *part, *text; /* as above */
} cab_kbl_piece;

/* What a wire's end is in. */
typedef struct cab_kbl_end {
    const char *name, *pin; /* "" = not told */
} cab_kbl_end;

typedef struct cab_kbl_lead {
    const char *number, *cable; /* of the wire, and of the cable of which it is a core; "" = none */
    const char *part, *colour;  /* part number; "black/red"; "" = none */
    const char *signal;
    cab_kbl_end ends[2];
} cab_kbl_lead;

struct cab_kbl_contents {
    const char *name;           /* of the harness, its part number; "" = none */
    const char *text;           /* its description */
    const char **node_names;    /* [node_count] what people call them */
    const char **segment_names; /* [segment_count] */
    cab_kbl_spot *spots;        /* in the order of nodes and segments */
    cab_kbl_piece *pieces;      /* in the order of the file */
    cab_kbl_lead *leads;        /* [wire_count] */
    int spot_count, piece_count;
};

/* A harness with its contents, which belong to it; cab_kbl_free() it, whatever the status.
 *
 * @return CAB_OK; CAB_ERROR_INPUT (no KBL or VEC), CAB_ERROR_UNSUPPORTED (no libxml2), CAB_ERROR_MEMORY */
cab_status cab_kbl_read_all(cab_kbl *kbl, cab_kbl_contents *contents, const char *file, const char *text,
                            size_t size, cab_error *error);

/* For its readers. Of a name and an id the shorter one: names are long paths in some files. */
const char *cab_kbl_shorter(const char *name, const char *id);
/* The harness is lost where there is no memory. */
void cab_kbl_add_spot(cab_kbl *kbl, cab_kbl_spot spot);
void cab_kbl_add_piece(cab_kbl *kbl, cab_kbl_piece piece);

#endif

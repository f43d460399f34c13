/* What a harness is built of beside its wires, as those who write it need it: each thing once, with its part, where it is, and the pins
 * that wires end in. */
#ifndef CAB_KBL_ITEMS_H
#define CAB_KBL_ITEMS_H

#include "io/kbl/contents.h"

/* A pin that wires end in, or a cavity of a part: those of all its connectors' pins, each once. */
typedef struct cab_kbl_pin {
    const char *name; /* "" = not told */
    int item;         /* whose pin; of a cavity the first item of that part */
    int cavity;       /* the pin's, in its part */
    int next;         /* the next one of the same item; -1 = it is the last */
} cab_kbl_pin;

typedef struct cab_kbl_item {
    cab_kbl_kind kind;
    const char *word;               /* "connector", "seal" */
    const char *id;                 /* in the file that it comes from; "" = none */
    const char *name, *part, *text; /* what people call it; part number and description; "" = none */
    double mass;                    /* of a connector, kg; 0 = not known */
    int cover;                      /* the first tape or tube that it lies as; -1 = none */
    bool at_node;                   /* it is at one */
    int same;                       /* the first item of the same part */
    int first_pin, last_pin;        /* -1 = no wire ends in it */
    int first_cavity, last_cavity;  /* of the part, where it is the first one of it; -1 = none */
} cab_kbl_item;

/* Where an item is that is no tape and no tube, and no fixing on a segment. */
typedef struct cab_kbl_item_place {
    int item;
    int node;    /* -1 = on a segment */
    int segment; /* -1 = at a node */
    double at;   /* fraction of the segment */
} cab_kbl_item_place;

typedef struct cab_kbl_items {
    cab_kbl_item *items;
    cab_kbl_item_place *places; /* by node, then those on segments */
    cab_kbl_pin *pins, *cavities;
    int *fixings, *covers; /* [fixing_count], [cover_count] which item it is */
    int (*ends)[2];        /* [wire_count] which pin an end is in; -1 = not known */
    int count, place_count, pin_count, cavity_count;
} cab_kbl_items;

/* All of it lives as long as the harness, which is lost where there is no memory. */
void cab_kbl_list_items(cab_kbl *kbl, cab_kbl_items *items);

#endif

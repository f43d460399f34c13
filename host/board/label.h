/* Where a text has room: among what is drawn and written already. */
#ifndef CAB_BOARD_LABEL_H
#define CAB_BOARD_LABEL_H

#include <stdbool.h>

#include <clcable/status.h>

#include "board/plane.h"

/* A box at any angle. */
typedef struct cab_slab {
    cab_point middle;
    double angle;          /* rad; of its length */
    double length, height; /* mm */
    double price;          /* of lying over it */
} cab_slab;

typedef struct cab_labels {
    cab_slab *slabs;
    cab_box *boxes; /* round each */
    int count, slab_room, box_room;
    long long looks; /* at boxes so far */
    bool lost;       /* there was no memory */
} cab_labels;

void cab_labels_add(cab_labels *labels, cab_slab slab);
/* A straight line of this width. */
void cab_labels_add_line(cab_labels *labels, cab_point a, cab_point b, double width, double price);
/* The sum of the prices of what a box lies over; no more than it needs to pass `most`. After very many looks, which no harness
 * that could be built needs, all is free. */
double cab_labels_price(cab_labels *labels, const cab_slab *slab, double most);
void cab_labels_free(cab_labels *labels);

#endif

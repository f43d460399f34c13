/* A harness laid flat: a tree of segments in the plane, each with its true length. Pure geometry, in millimetres, y upwards. */
#ifndef CAB_BOARD_LAYOUT_H
#define CAB_BOARD_LAYOUT_H

#include <stdbool.h>

#include <clcable/status.h>

#include "board/plane.h"

#define CAB_LAYOUT_CORNERS 4 /* a segment has at most this many bends */
#define CAB_LAYOUT_MOST 4000 /* segments; placing takes time with the square of them */

/* A segment. In: the first four; nodes may be -1, it is left out then. */
typedef struct cab_layout_edge {
    int start, end;
    double length, width;
    /* out */
    bool cut; /* it closed a loop: its end lies apart from that of the node `end` */
    cab_point points[CAB_LAYOUT_CORNERS + 2]; /* from start to end */
    int point_count;                          /* 0 = left out */
} cab_layout_edge;

typedef struct cab_layout {
    cab_layout_edge *edges;
    int edge_count, node_count;
    const double *reach; /* [node_count] what is drawn beyond an end of the harness there, as a connector */
    /* out */
    cab_point *places; /* [node_count] */
    bool *placed;      /* [node_count] */
    int trees;         /* parts that hang together */
    int cuts;          /* loops that were cut */
    int crossings;     /* pairs of straight pieces that cross */
    cab_box box;       /* of all */
} cab_layout;

/* Lays it out: of each tree the longest path straight along x, branches at angles. The same input gives the same layout.
 *
 * @param layout  arrays edges and reach belong to the caller; places and placed are to be freed by cab_layout_free()
 * @return CAB_OK; CAB_ERROR_INPUT: more segments than CAB_LAYOUT_MOST; CAB_ERROR_MEMORY */
cab_status cab_layout_make(cab_layout *layout, cab_error *error);
void cab_layout_free(cab_layout *layout);

#endif

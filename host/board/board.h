/* A harness on a board: read, laid out, drawn, and what it is made of as lists. */
#ifndef CAB_BOARD_BOARD_H
#define CAB_BOARD_BOARD_H

#include "board/drawing.h"
#include "board/layout.h"
#include "io/kbl/contents.h"

typedef struct cab_board {
    cab_kbl kbl;
    cab_kbl_contents contents;
    cab_layout
        layout; /* its edges are the harness' segments, with nodes that may be one where a segment has no length */
    double *reach;
    int *ends;        /* [node_count] segments that end there */
    const char *name; /* of the harness, for the title */
    cab_drawing drawing;
} cab_board;

/* Reads, lays out and draws. cab_board_free() it, whatever the status.
 *
 * @return CAB_OK; as cab_kbl_read_all() and cab_layout_make(), and CAB_ERROR_INPUT: no segment has two nodes and a length */
cab_status cab_board_make(cab_board *board, const char *file, const char *text, size_t size,
                          cab_error *error);
void cab_board_free(cab_board *board);

/* draw.c and sheet.c */
cab_status cab_board_draw(cab_board *board, cab_error *error);
void cab_board_frame(cab_board *board);

/* Between what is drawn and the sheet's edge, and room for the title under it, mm. */
#define CAB_BOARD_MARGIN 25.0
#define CAB_BOARD_TITLE 42.0

/* lists.c: tables as CSV. allowance: mm at each end of a wire. */
typedef struct cab_board_list {
    const cab_board *board;
    double allowance;
} cab_board_list;
void cab_write_cut_list(cab_file *file, const void *list);
void cab_write_parts(cab_file *file, const void *list);

#endif

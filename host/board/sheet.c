/* The sheet round the drawing: its size, its frame, its title. */
#include "board/board.h"

#include <stdio.h>

#define TITLE_WIDTH 190.0
#define TITLE_HEIGHT (CAB_BOARD_TITLE - 12)
#define INSET 8.0 /* mm from the sheet's edge to the frame */

static void shift(cab_drawing *d, double dx, double dy)
{
    for (int i = 0; i < d->point_count; i++) d->points[i].x += dx, d->points[i].y += dy;
    for (int i = 0; i < d->mark_count; i++) {
        cab_box *box = &d->marks[i].box;
        box->left += dx, box->right += dx, box->bottom += dy, box->top += dy;
    }
}

static void draw_rectangle(cab_drawing *d, const char *name, double left, double bottom, double width,
                           double height, double thick)
{
    cab_point points[4] = {
        {left, bottom}, {left + width, bottom}, {left + width, bottom + height}, {left, bottom + height}};
    cab_draw_line(
        d, (cab_mark){.layer = CAB_LAYER_TEXT, .name = name, .width = thick, .closed = true, .fill = -1},
        points, 4);
}

/* A text that begins at a place, made narrower where it would not fit. */
static void write_from(cab_drawing *d, double left, double middle, double height, double room,
                       const char *text)
{
    double width = cab_text_width(text, height);
    if (width > room) height *= room / width, width = room;
    cab_draw_text(d, (cab_mark){.layer = CAB_LAYER_TEXT}, (cab_point){left + width / 2, middle}, height, 0,
                  text);
}

static void draw_title(cab_board *board)
{
    cab_drawing *d = &board->drawing;
    double left = d->width - INSET - TITLE_WIDTH, bottom = INSET, room = TITLE_WIDTH - 8;
    char text[400];
    double length = 0;
    for (int i = 0; i < board->layout.edge_count; i++)
        if (board->layout.edges[i].point_count) length += board->layout.edges[i].length;
    draw_rectangle(d, NULL, left, bottom, TITLE_WIDTH, TITLE_HEIGHT, 0.5);
    snprintf(text, sizeof text, "%.80s%s%.80s", board->name, *board->contents.text ? ", " : "",
             board->contents.text);
    write_from(d, left + 4, bottom + 24, 5, room, text);
    snprintf(text, sizeof text, "Scale 1:1, all lengths in mm. Board %.0f x %.0f mm", d->width, d->height);
    write_from(d, left + 4, bottom + 15, 3.5, room, text);
    snprintf(text, sizeof text, "%d segments, %.1f mm together, %d wires. Loops cut: %d. Crossings: %d",
             board->kbl.segment_count, length, board->kbl.wire_count, board->layout.cuts,
             board->layout.crossings);
    write_from(d, left + 4, bottom + 7, 3.5, room, text);
}

/* A line to measure on what was printed. */
static void draw_ruler(cab_drawing *d)
{
    double left = INSET + 6, bottom = INSET + 8;
    for (int i = 0; i <= 10; i++) {
        cab_point tick[2] = {{left + 10 * i, bottom}, {left + 10 * i, bottom + (i % 5 ? 3 : 5)}};
        cab_draw_line(d, (cab_mark){.layer = CAB_LAYER_TEXT, .width = 0.25}, tick, 2);
    }
    cab_point line[2] = {{left, bottom}, {left + 100, bottom}};
    cab_draw_line(d, (cab_mark){.layer = CAB_LAYER_TEXT, .name = "ruler", .width = 0.25}, line, 2);
    write_from(d, left, bottom + 10, 3, 200, "100 mm: measure it on the print");
}

void cab_board_frame(cab_board *board)
{
    cab_drawing *d = &board->drawing;
    cab_box box = board->layout.box;
    for (int i = 0; i < d->mark_count; i++) {
        cab_box_add(&box, (cab_point){d->marks[i].box.left, d->marks[i].box.bottom}, 0);
        cab_box_add(&box, (cab_point){d->marks[i].box.right, d->marks[i].box.top}, 0);
    }
    double width = box.right - box.left, least = TITLE_WIDTH + 2 * INSET + 110;
    double left = CAB_BOARD_MARGIN + fmax(0, (least - width - 2 * CAB_BOARD_MARGIN) / 2);
    shift(d, left - box.left, CAB_BOARD_MARGIN + CAB_BOARD_TITLE - box.bottom);
    d->width = ceil(fmax(least, width + 2 * CAB_BOARD_MARGIN));
    d->height = ceil(box.top - box.bottom + 2 * CAB_BOARD_MARGIN + CAB_BOARD_TITLE);
    draw_rectangle(d, "frame", INSET, INSET, d->width - 2 * INSET, d->height - 2 * INSET, 0.5);
    draw_title(board);
    draw_ruler(d);
}

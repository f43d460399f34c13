/* A drawing as a list of lines, circles and texts, which each format writes in its own way. Millimetres, y upwards, the sheet's corner at 0, 0. */
#ifndef CAB_BOARD_DRAWING_H
#define CAB_BOARD_DRAWING_H

#include <stdbool.h>

#include <clcable/status.h>

#include "board/plane.h"
#include "io/file.h"

typedef enum cab_layer {
    CAB_LAYER_PROTECTIONS,
    CAB_LAYER_SEGMENTS,
    CAB_LAYER_CONNECTORS,
    CAB_LAYER_SPLICES,
    CAB_LAYER_FIXINGS,
    CAB_LAYER_DIMENSIONS,
    CAB_LAYER_TEXT,
    CAB_LAYERS
} cab_layer;
extern const char *const cab_layer_names[CAB_LAYERS];

typedef enum cab_mark_kind { CAB_MARK_LINE, CAB_MARK_CIRCLE, CAB_MARK_TEXT } cab_mark_kind;

typedef struct cab_mark {
    cab_mark_kind kind;
    cab_layer layer;
    const char *name; /* of what it stands for; NULL = none. It must live as long as the drawing */
    int first, count; /* points: of a line its corners, else one: the middle */
    double width;     /* of the line, mm */
    double grey;      /* of line or text, 0 black to 1 white */
    bool closed;      /* the last corner leads to the first */
    double fill;      /* grey inside of what is closed, of a circle; -1 = empty */
    bool dashed;
    double radius; /* of a circle, mm */
    char *text;    /* belongs to the drawing */
    double height; /* of its capitals, mm */
    double angle;  /* rad */
    cab_box box;   /* what it covers */
} cab_mark;

typedef struct cab_drawing {
    const char *name; /* of the harness */
    cab_mark *marks;
    cab_point *points;
    int mark_count, mark_room, point_count, point_room;
    double width, height; /* of the sheet, mm */
    bool lost;            /* there was no memory: the drawing is useless */
} cab_drawing;

void cab_drawing_free(cab_drawing *drawing);

/* These add a mark; `like` has its layer, name, width, grey, fill, dashes. On failure the drawing is lost. */
void cab_draw_line(cab_drawing *drawing, cab_mark like, const cab_point *points, int count);
void cab_draw_circle(cab_drawing *drawing, cab_mark like, cab_point centre, double radius);
/* A text with its middle there. */
void cab_draw_text(cab_drawing *drawing, cab_mark like, cab_point middle, double height, double angle,
                   const char *text);

/* How wide a text is, in Helvetica, mm. */
double cab_text_width(const char *text, double height);
/* The size of Helvetica whose capitals are 1 high. */
#define CAB_TEXT_SIZE (1000.0 / 718)

/* Writers. All write numbers with a point, whatever the locale. */
typedef struct cab_paper {
    const char *name;
    double width, height; /* mm; 0 = as large as the drawing */
} cab_paper;

typedef struct cab_tiling {
    int columns, rows, pages, empty; /* pages: those that something is on */
} cab_tiling;

/* NULL: there is none of this name. */
const cab_paper *cab_paper_of(const char *name);
extern const char cab_paper_list[];

void cab_write_svg(cab_file *file, const cab_drawing *drawing);
void cab_write_dxf(cab_file *file, const cab_drawing *drawing);
/* CAB_ERROR_INPUT: more pages than anybody prints. */
cab_status cab_tile(const cab_drawing *drawing, const cab_paper *paper, cab_tiling *tiling, cab_error *error);
void cab_write_pdf(cab_file *file, const cab_drawing *drawing, const cab_paper *paper);

#endif

/* The drawing as PDF 1.6, at its size: one page, or as many as it takes of a paper, which overlap. Texts in Helvetica, which every reader has. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "board/drawing.h"
#include "board/utf8.h"

#define POINT (72 / 25.4) /* points in a millimetre */
#define EDGE 8.0          /* mm of a page that printers do not reach */
#define OVERLAP 10.0      /* mm that neighbours both show */
#define MOST_PAGES 2000
#define MOST_POINTS 14400 /* the longest side of a page in its own units, as readers expect */

static const cab_paper papers[] = {{"a4", 210, 297}, {"a3", 297, 420},  {"a2", 420, 594},
                                   {"a1", 594, 841}, {"a0", 841, 1189}, {"letter", 215.9, 279.4},
                                   {"none", 0, 0}};
const char cab_paper_list[] = "a4, a3, a2, a1, a0, letter or none";

const cab_paper *cab_paper_of(const char *name)
{
    for (size_t i = 0; i < sizeof papers / sizeof *papers; i++)
        if (strcmp(papers[i].name, name) == 0) return &papers[i];
    return NULL;
}

/* ---- pages ---- */

/* How the sheet is cut: a page shows step + OVERLAP of it. */
typedef struct cut {
    double width, height; /* of a page, mm */
    double across, down;  /* from a page to the next, mm */
    int columns, rows;
    bool whole; /* one page without edges */
} cut;

static cut cut_by(const cab_drawing *d, double width, double height)
{
    cut c = {.width = width,
             .height = height,
             .across = width - 2 * EDGE - OVERLAP,
             .down = height - 2 * EDGE - OVERLAP};
    c.columns = (int)fmax(1, fmin(1e6, ceil((d->width - OVERLAP) / c.across)));
    c.rows = (int)fmax(1, fmin(1e6, ceil((d->height - OVERLAP) / c.down)));
    return c;
}

/* Upright or not, whichever takes fewer pages. */
static cut cut_for(const cab_drawing *d, const cab_paper *paper)
{
    if (paper->width <= 0)
        return (cut){.width = d->width, .height = d->height, .columns = 1, .rows = 1, .whole = true};
    cut upright = cut_by(d, paper->width, paper->height), across = cut_by(d, paper->height, paper->width);
    return (double)across.columns * across.rows < (double)upright.columns * upright.rows ? across : upright;
}

/* What a page shows of the sheet; row 0 is at the top. */
static cab_box shown_on(const cab_drawing *d, const cut *c, int column, int row)
{
    if (c->whole) return (cab_box){0, 0, d->width, d->height};
    double left = column * c->across, top = d->height - row * c->down;
    return (cab_box){left, top - c->down - OVERLAP, left + c->across + OVERLAP, top};
}

/* Does a line pass through a box? (Liang and Barsky, 1984) */
static bool passes(cab_point a, cab_point b, double half, const cab_box *box)
{
    double along[2] = {b.x - a.x, b.y - a.y}, low[2] = {box->left - half - a.x, box->bottom - half - a.y};
    double high[2] = {box->right + half - a.x, box->top + half - a.y}, first = 0, last = 1;
    for (int i = 0; i < 2; i++) {
        if (fabs(along[i]) < 1e-12) {
            if (low[i] > 0 || high[i] < 0) return false;
            continue;
        }
        double s = low[i] / along[i], t = high[i] / along[i];
        first = fmax(first, fmin(s, t)), last = fmin(last, fmax(s, t));
    }
    return first <= last;
}

static bool is_on(const cab_drawing *d, const cab_mark *mark, const cab_box *box)
{
    const cab_point *p = &d->points[mark->first];
    if (!cab_box_meet(&mark->box, box)) return false;
    if (mark->kind != CAB_MARK_LINE || mark->fill >= 0) return true;
    for (int i = 0; i + 1 < mark->count + mark->closed; i++)
        if (passes(p[i], p[(i + 1) % mark->count], mark->width / 2, box)) return true;
    return false;
}

/* Pages that show the frame alone are not printed. */
static bool is_empty(const cab_drawing *d, const cut *c, int column, int row)
{
    cab_box box = shown_on(d, c, column, row);
    for (int i = 0; i < d->mark_count; i++) {
        const cab_mark *mark = &d->marks[i];
        bool frame = mark->name && strcmp(mark->name, "frame") == 0;
        if (!frame && is_on(d, mark, &box)) return false;
    }
    return true;
}

cab_status cab_tile(const cab_drawing *d, const cab_paper *paper, cab_tiling *tiling, cab_error *error)
{
    cut c = cut_for(d, paper);
    *tiling = (cab_tiling){.columns = c.columns, .rows = c.rows};
    if ((double)c.columns * c.rows > 10 * MOST_PAGES)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%.0f x %.0f mm are %d x %d pages of %s; expected a larger paper, or --paper none",
                        d->width, d->height, c.columns, c.rows, paper->name);
    for (int row = 0; row < c.rows; row++)
        for (int column = 0; column < c.columns; column++) tiling->empty += is_empty(d, &c, column, row);
    tiling->pages = c.columns * c.rows - tiling->empty;
    if (tiling->pages > MOST_PAGES)
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%.0f x %.0f mm are %d pages of %s; expected a larger paper, or --paper none",
                        d->width, d->height, tiling->pages, paper->name);
    return CAB_OK;
}

/* "A1" is at the top left. */
static void name_page(int column, int row, char text[24])
{
    char letters[8];
    int count = 0;
    for (int n = column + 1; n > 0 && count < 7; n = (n - 1) / 26)
        letters[count++] = (char)('A' + (n - 1) % 26);
    for (int i = 0; i < count; i++) text[i] = letters[count - 1 - i];
    snprintf(text + count, 24 - (size_t)count, "%d", row + 1);
}

/* ---- the file ---- */

typedef struct pdf {
    cab_file *file;
    size_t at;      /* bytes so far */
    size_t *starts; /* of objects, from 1 on */
    int count, room;
    double unit; /* points in a unit of pages */
} pdf;

static void print(pdf *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print(pdf *p, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : length < (int)sizeof text ? (size_t)length : sizeof text - 1;
    cab_file_write(p->file, text, size);
    p->at += size;
}

static void begin_object(pdf *p, int number)
{
    if (number < p->room) p->starts[number] = p->at;
    print(p, "%d 0 obj\n", number);
}

/* A text as Latin 1, which is nearly the code of the font. */
static void print_text(pdf *p, const char *text)
{
    print(p, "(");
    for (unsigned c; (c = cab_utf8_next(&text)) != 0;) {
        if (c == '(' || c == ')' || c == '\\')
            print(p, "\\%c", (char)c);
        else if (c >= ' ' && c <= '~')
            print(p, "%c", (char)c);
        else if (c >= 0xA0 && c <= 0xFF)
            print(p, "\\%03o", c);
        else
            print(p, "?");
    }
    print(p, ")");
}

static void write_text(pdf *p, cab_point middle, double height, double angle, const char *text)
{
    double half = cab_text_width(text, height) / 2;
    cab_point along = cab_point_at(angle), across = {-along.y, along.x};
    cab_point at = cab_point_add(cab_point_add(middle, -half, along), -height / 2, across);
    print(p, "BT /F1 %.3f Tf %.5f %.5f %.5f %.5f %.3f %.3f Tm ", height * CAB_TEXT_SIZE, along.x, along.y,
          across.x, across.y, at.x, at.y);
    print_text(p, text);
    print(p, " Tj ET\n");
}

static void write_circle(pdf *p, cab_point c, double r)
{
    double k = 0.5522847498 * r; /* quarters of a circle as cubic curves */
    print(p, "%.3f %.3f m %.3f %.3f %.3f %.3f %.3f %.3f c ", c.x + r, c.y, c.x + r, c.y + k, c.x + k, c.y + r,
          c.x, c.y + r);
    print(p, "%.3f %.3f %.3f %.3f %.3f %.3f c ", c.x - k, c.y + r, c.x - r, c.y + k, c.x - r, c.y);
    print(p, "%.3f %.3f %.3f %.3f %.3f %.3f c ", c.x - r, c.y - k, c.x - k, c.y - r, c.x, c.y - r);
    print(p, "%.3f %.3f %.3f %.3f %.3f %.3f c h ", c.x + k, c.y - r, c.x + r, c.y - k, c.x + r, c.y);
}

static void write_mark(pdf *p, const cab_drawing *d, const cab_mark *mark)
{
    const cab_point *points = &d->points[mark->first];
    if (mark->kind == CAB_MARK_TEXT) {
        print(p, "%.2f g ", mark->grey);
        write_text(p, *points, mark->height, mark->angle, mark->text);
        return;
    }
    if (mark->fill >= 0) print(p, "%.2f g ", mark->fill);
    if (mark->width > 0) print(p, "%.2f G %.2f w ", mark->grey, mark->width);
    print(p, "%s d ", mark->dashed ? "[3 2] 0" : "[] 0");
    if (mark->kind == CAB_MARK_CIRCLE)
        write_circle(p, *points, mark->radius);
    else
        for (int i = 0; i < mark->count; i++)
            print(p, "%.3f %.3f %c ", points[i].x, points[i].y, i ? 'l' : 'm');
    if (mark->closed) print(p, "h ");
    print(p, "%s\n", mark->fill >= 0 && mark->width > 0 ? "B" : mark->fill >= 0 ? "f" : "S");
}

/* Crosses in the middle of overlaps: on two neighbours they are the same places of the board. */
static void write_crosses(pdf *p, const cut *c, int column, int row)
{
    double left = EDGE + OVERLAP / 2, bottom = left;
    print(p, "0 G 0.20 w [] 0 d ");
    for (int i = 0; i < 4; i++) {
        bool right = i % 2, top = i / 2;
        if ((right ? column + 1 == c->columns : column == 0) && (top ? row == 0 : row + 1 == c->rows))
            continue;
        double x = left + (right ? c->across : 0), y = bottom + (top ? c->down : 0);
        print(p, "%.3f %.3f m %.3f %.3f l %.3f %.3f m %.3f %.3f l S\n", x - 5, y, x + 5, y, x, y - 5, x,
              y + 5);
    }
    print(p, "0.6 G 0.10 w [2 3] 0 d ");
    double right = left + c->across, top = bottom + c->down;
    if (column) print(p, "%.3f %.3f m %.3f %.3f l S ", left, EDGE, left, c->height - EDGE);
    if (column + 1 < c->columns) print(p, "%.3f %.3f m %.3f %.3f l S ", right, EDGE, right, c->height - EDGE);
    if (row) print(p, "%.3f %.3f m %.3f %.3f l S ", EDGE, top, c->width - EDGE, top);
    if (row + 1 < c->rows) print(p, "%.3f %.3f m %.3f %.3f l S ", EDGE, bottom, c->width - EDGE, bottom);
    print(p, "\n");
}

static void write_footer(pdf *p, const cab_drawing *d, const cut *c, int column, int row)
{
    char page[24], last[24], text[200];
    name_page(column, row, page);
    name_page(c->columns - 1, c->rows - 1, last);
    snprintf(text, sizeof text, "%s of A1 to %s, %.80s, 1:1: print at 100 %%, lay crosses on crosses", page,
             last, d->name);
    print(p, "0 g ");
    write_text(p, (cab_point){EDGE + cab_text_width(text, 2.2) / 2, 4}, 2.2, 0, text);
}

static void write_content(pdf *p, const cab_drawing *d, const cut *c, int column, int row)
{
    cab_box box = shown_on(d, c, column, row);
    double edge = c->whole ? 0 : EDGE, scale = POINT / p->unit;
    print(p, "%.8f 0 0 %.8f 0 0 cm 1 j\n", scale, scale);
    print(p, "q %.3f %.3f %.3f %.3f re W n 1 0 0 1 %.3f %.3f cm\n", edge, edge, box.right - box.left,
          box.top - box.bottom, edge - box.left, edge - box.bottom);
    for (int layer = 0; layer < CAB_LAYERS; layer++)
        for (int i = 0; i < d->mark_count; i++)
            if ((int)d->marks[i].layer == layer && is_on(d, &d->marks[i], &box))
                write_mark(p, d, &d->marks[i]);
    print(p, "Q\n");
    if (c->whole) return;
    write_crosses(p, c, column, row);
    write_footer(p, d, c, column, row);
}

/* Three objects: the page, what is on it, and how long that is. */
static void write_page(pdf *p, const cab_drawing *d, const cut *c, int column, int row)
{
    int object = p->count;
    p->count += 3;
    begin_object(p, object);
    print(p, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.3f %.3f]", c->width * POINT / p->unit,
          c->height * POINT / p->unit);
    if (p->unit > 1) print(p, " /UserUnit %.4f", p->unit);
    print(p, " /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>\nendobj\n", object + 1);
    begin_object(p, object + 1);
    print(p, "<< /Length %d 0 R >>\nstream\n", object + 2);
    size_t start = p->at;
    write_content(p, d, c, column, row);
    size_t length = p->at - start;
    print(p, "endstream\nendobj\n");
    begin_object(p, object + 2);
    print(p, "%zu\nendobj\n", length);
}

static void write_all(pdf *p, const cab_drawing *d, const cut *c, const cab_tiling *tiling)
{
    print(p, "%%PDF-1.6\n%%\xE2\xE3\xCF\xD3\n");
    begin_object(p, 1);
    print(p, "<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>\nendobj\n");
    begin_object(p, 2);
    print(p, "<< /Type /Pages /Count %d /Kids [", tiling->pages);
    for (int i = 0; i < tiling->pages; i++) print(p, "%d 0 R ", 4 + 3 * i);
    print(p, "] >>\nendobj\n");
    begin_object(p, 3);
    print(p, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>\nendobj\n");
    p->count = 4;
    for (int row = 0; row < c->rows; row++)
        for (int column = 0; column < c->columns; column++)
            if (c->whole || !is_empty(d, c, column, row)) write_page(p, d, c, column, row);
    size_t table = p->at;
    print(p, "xref\n0 %d\n0000000000 65535 f \n", p->count);
    for (int i = 1; i < p->count && i < p->room; i++) print(p, "%010zu 00000 n \n", p->starts[i]);
    print(p, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", p->count, table);
}

void cab_write_pdf(cab_file *file, const cab_drawing *d, const cab_paper *paper)
{
    cut c = cut_for(d, paper);
    cab_tiling tiling;
    pdf p = {.file = file, .unit = fmax(1, ceil(fmax(c.width, c.height) * POINT / MOST_POINTS))};
    if (cab_tile(d, paper, &tiling, NULL) != CAB_OK) return; /* the caller has asked before */
    p.room = 4 + 3 * tiling.pages;
    p.starts = calloc((size_t)p.room, sizeof *p.starts);
    if (p.starts)
        write_all(&p, d, &c, &tiling);
    else
        file->errnum = ENOMEM;
    free(p.starts);
}

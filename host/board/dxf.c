/* The drawing as DXF, release 12, ASCII, in millimetres. What has a name has it as extended data of the application CLCABLE. */
#include <stdio.h>

#include "board/drawing.h"
#include "board/utf8.h"

/* A group: its code and its value. */
static void group(cab_file *file, int code, const char *value)
{
    cab_file_print(file, "%3d\n%s\n", code, value);
}

static void number(cab_file *file, int code, double value)
{
    cab_file_print(file, "%3d\n%.4f\n", code, value);
}

static void integer(cab_file *file, int code, int value)
{
    cab_file_print(file, "%3d\n%6d\n", code, value);
}

static void point(cab_file *file, int first, cab_point p)
{
    number(file, first, p.x);
    number(file, first + 10, p.y);
    number(file, first + 20, 0);
}

/* Texts are ASCII; other characters as \U+XXXX, which programs after release 12 read. */
static void text(cab_file *file, int code, const char *value)
{
    cab_file_print(file, "%3d\n", code);
    for (unsigned character; (character = cab_utf8_next(&value)) != 0;) {
        if (character >= ' ' && character <= '~')
            cab_file_print(file, "%c", (char)character);
        else
            cab_file_print(file, "\\U+%04X", character <= 0xFFFF ? character : '?');
    }
    cab_file_print(file, "\n");
}

static void begin(cab_file *file, const char *kind, const cab_mark *mark)
{
    group(file, 0, kind);
    group(file, 8, cab_layer_names[mark->layer]);
}

static void write_name(cab_file *file, const cab_mark *mark)
{
    if (!mark->name) return;
    group(file, 1001, "CLCABLE");
    text(file, 1000, mark->name);
}

static void write_line(cab_file *file, const cab_drawing *d, const cab_mark *mark)
{
    begin(file, "POLYLINE", mark);
    integer(file, 66, 1);
    point(file, 10, (cab_point){0, 0});
    integer(file, 70, mark->closed);
    /* outlines are drawn as thin as the program likes; bundles as wide as they are */
    bool wide = mark->width > 0.7 && !mark->closed;
    if (wide) number(file, 40, mark->width), number(file, 41, mark->width);
    write_name(file, mark);
    for (int i = 0; i < mark->count; i++) {
        begin(file, "VERTEX", mark);
        point(file, 10, d->points[mark->first + i]);
    }
    begin(file, "SEQEND", mark);
}

static void write_mark(cab_file *file, const cab_drawing *d, const cab_mark *mark)
{
    cab_point at = d->points[mark->first];
    if (mark->kind == CAB_MARK_LINE) {
        write_line(file, d, mark);
    } else if (mark->kind == CAB_MARK_CIRCLE) {
        begin(file, "CIRCLE", mark);
        point(file, 10, at);
        number(file, 40, mark->radius);
        write_name(file, mark);
    } else {
        begin(file, "TEXT", mark);
        point(file, 10, at);
        number(file, 40, mark->height);
        text(file, 1, mark->text);
        number(file, 50, mark->angle * 180 / 3.14159265358979323846);
        integer(file, 72, 1);
        point(file, 11, at);
        integer(file, 73, 2);
    }
}

static void write_header(cab_file *file, const cab_drawing *d)
{
    group(file, 0, "SECTION");
    group(file, 2, "HEADER");
    group(file, 9, "$ACADVER");
    group(file, 1, "AC1009");
    group(file, 9, "$EXTMIN");
    point(file, 10, (cab_point){0, 0});
    group(file, 9, "$EXTMAX");
    point(file, 10, (cab_point){d->width, d->height});
    group(file, 0, "ENDSEC");
}

static void write_tables(cab_file *file)
{
    static const int colours[CAB_LAYERS] = {8, 9, 5, 1, 3, 6, 7};
    group(file, 0, "SECTION");
    group(file, 2, "TABLES");
    group(file, 0, "TABLE");
    group(file, 2, "LAYER");
    integer(file, 70, CAB_LAYERS);
    for (int i = 0; i < CAB_LAYERS; i++) {
        group(file, 0, "LAYER");
        group(file, 2, cab_layer_names[i]);
        integer(file, 70, 0);
        integer(file, 62, colours[i]);
        group(file, 6, "CONTINUOUS");
    }
    group(file, 0, "ENDTAB");
    group(file, 0, "TABLE");
    group(file, 2, "APPID");
    integer(file, 70, 1);
    group(file, 0, "APPID");
    group(file, 2, "CLCABLE");
    integer(file, 70, 0);
    group(file, 0, "ENDTAB");
    group(file, 0, "ENDSEC");
}

void cab_write_dxf(cab_file *file, const cab_drawing *d)
{
    write_header(file, d);
    write_tables(file);
    group(file, 0, "SECTION");
    group(file, 2, "ENTITIES");
    for (int layer = 0; layer < CAB_LAYERS; layer++)
        for (int i = 0; i < d->mark_count; i++)
            if ((int)d->marks[i].layer == layer) write_mark(file, d, &d->marks[i]);
    group(file, 0, "ENDSEC");
    group(file, 0, "EOF");
}

/* The drawing as SVG: one sheet in millimetres, a group for each layer. */
#include <stdio.h>

#include "board/drawing.h"

static const char *grey(double value, char text[8])
{
    int byte = (int)(255 * fmax(0, fmin(1, value)) + 0.5);
    snprintf(text, 8, "#%02x%02x%02x", byte, byte, byte);
    return text;
}

static void write_style(cab_file *file, const cab_mark *mark)
{
    char one[8], two[8];
    cab_file_print(file, " fill=\"%s\"", mark->fill >= 0 ? grey(mark->fill, one) : "none");
    if (mark->width > 0)
        cab_file_print(file, " stroke=\"%s\" stroke-width=\"%.2f\"", grey(mark->grey, two), mark->width);
    if (mark->dashed) cab_file_print(file, " stroke-dasharray=\"3 2\"");
    if (mark->name) {
        cab_file_print(file, " data-name=\"");
        cab_file_print_xml(file, mark->name);
        cab_file_print(file, "\"");
    }
    cab_file_print(file, "/>\n");
}

static void write_text(cab_file *file, const cab_mark *mark, cab_point at, double height)
{
    char colour[8];
    double degrees = -mark->angle * 180 / 3.14159265358979323846;
    cab_file_print(file, "<text transform=\"translate(%.2f %.2f)", at.x, height - at.y);
    if (fabs(degrees) > 0.005) cab_file_print(file, " rotate(%.2f)", degrees);
    cab_file_print(file, "\" y=\"%.2f\" font-size=\"%.2f\"", mark->height / 2, mark->height * CAB_TEXT_SIZE);
    if (mark->grey > 0) cab_file_print(file, " fill=\"%s\"", grey(mark->grey, colour));
    cab_file_print(file, ">");
    cab_file_print_xml(file, mark->text);
    cab_file_print(file, "</text>\n");
}

static void write_mark(cab_file *file, const cab_drawing *d, const cab_mark *mark)
{
    const cab_point *p = &d->points[mark->first];
    if (mark->kind == CAB_MARK_TEXT) {
        write_text(file, mark, *p, d->height);
        return;
    }
    if (mark->kind == CAB_MARK_CIRCLE) {
        cab_file_print(file, "<circle cx=\"%.3f\" cy=\"%.3f\" r=\"%.3f\"", p->x, d->height - p->y,
                       mark->radius);
    } else {
        cab_file_print(file, "<%s points=\"", mark->closed ? "polygon" : "polyline");
        for (int i = 0; i < mark->count; i++)
            cab_file_print(file, "%s%.3f,%.3f", i ? " " : "", p[i].x, d->height - p[i].y);
        cab_file_print(file, "\"");
    }
    write_style(file, mark);
}

void cab_write_svg(cab_file *file, const cab_drawing *d)
{
    cab_file_print(file,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0fmm\" height=\"%.0fmm\" viewBox=\"0 "
                   "0 %.0f %.0f\" "
                   "font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\" "
                   "stroke-linejoin=\"round\">\n<title>",
                   d->width, d->height, d->width, d->height);
    cab_file_print_xml(file, d->name);
    cab_file_print(file, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", d->width,
                   d->height);
    for (int layer = 0; layer < CAB_LAYERS; layer++) {
        cab_file_print(file, "<g id=\"%s\">\n", cab_layer_names[layer]);
        for (int i = 0; i < d->mark_count; i++)
            if ((int)d->marks[i].layer == layer) write_mark(file, d, &d->marks[i]);
        cab_file_print(file, "</g>\n");
    }
    cab_file_print(file, "</svg>\n");
}

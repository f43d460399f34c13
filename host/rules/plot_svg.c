/* A curve over time as SVG, for the page. */
#include <math.h>
#include <stdio.h>

#include "rules/plot_svg.h"

enum {
    WIDTH = 420,
    HEIGHT = 190,
    LEFT = 58,
    RIGHT = 12,
    TOP = 30,
    BOTTOM = 30,
    TICKS = 4,
    POINTS_MOST = 800
};

/* 1, 2 or 5 times a power of ten, at least x. */
static double round_up(double x)
{
    double power = pow(10, floor(log10(x)));
    double first = x / power;
    return (first <= 1 ? 1 : first <= 2 ? 2 : first <= 5 ? 5 : 10) * power;
}

typedef struct axis {
    double low, high, step;
} axis;

static axis axis_of(double low, double high)
{
    if (!(high > low)) high = low + (low == 0 ? 1 : fabs(low) * 0.1);
    axis a = {.step = round_up((high - low) / TICKS)};
    a.low = floor(low / a.step + 1e-9) * a.step;
    a.high = ceil(high / a.step - 1e-9) * a.step;
    return a;
}

static double value_at(const cab_plot *p, int i)
{
    return p->value[(size_t)i * (size_t)p->stride] * p->scale;
}

static double x_of(const axis *t, double time)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (time - t->low) / (t->high - t->low);
}

static double y_of(const axis *v, double value)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - v->low) / (v->high - v->low);
}

static void write_axes(const axis *t, const axis *v, cab_file *file)
{
    for (double at = v->low; at <= v->high + v->step / 2; at += v->step) {
        double y = y_of(v, at);
        cab_file_print(file, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                       WIDTH - RIGHT, y, y);
        cab_file_print(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", LEFT - 6, y + 4,
                       fabs(at) < v->step * 1e-6 ? 0 : at);
    }
    for (double at = t->low; at <= t->high + t->step / 2; at += t->step)
        cab_file_print(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>\n", x_of(t, at),
                       HEIGHT - BOTTOM + 16, fabs(at) < t->step * 1e-6 ? 0 : at);
    cab_file_print(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">s</text>\n", WIDTH - RIGHT, HEIGHT - 2);
}

static void write_curve(const cab_plot *p, const axis *t, const axis *v, cab_file *file)
{
    int every = 1 + p->count / POINTS_MOST;
    bool down = false;
    cab_file_print(file, "<path class=\"curve\" d=\"");
    for (int i = 0; i < p->count; i += every) {
        double value = value_at(p, i);
        if (isfinite(value))
            cab_file_print(file, "%c%.1f %.1f", down ? 'L' : 'M', x_of(t, p->time[i]), y_of(v, value));
        down = isfinite(value);
    }
    cab_file_print(file, "\"/>\n");
}

void cab_plot_write(const cab_plot *p, cab_file *file)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        if (!isfinite(value_at(p, i))) continue;
        low = fmin(low, value_at(p, i));
        high = fmax(high, value_at(p, i));
    }
    if (!(low <= high)) return;
    if (isfinite(p->limit)) {
        low = fmin(low, p->limit);
        high = fmax(high, p->limit);
    }
    axis v = axis_of(fmin(low, 0), high), t = axis_of(p->time[0], p->time[p->count - 1]);
    cab_file_print(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><title>", WIDTH, HEIGHT);
    cab_file_print_xml(file, p->title);
    cab_file_print(file, " over time</title>\n<text class=\"title\" x=\"%d\" y=\"16\">", LEFT);
    cab_file_print_xml(file, p->title);
    cab_file_print(file, "%s%s</text>\n", *p->unit ? ", " : "", p->unit);
    write_axes(&t, &v, file);
    if (isfinite(p->limit))
        cab_file_print(file, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n", LEFT,
                       WIDTH - RIGHT, y_of(&v, p->limit), y_of(&v, p->limit));
    write_curve(p, &t, &v, file);
    cab_file_print(file, "</svg>\n");
}

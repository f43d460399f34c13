#include "board/field.h"

#include <stdlib.h>

#include "base/array.h"

#define LEAST_CELL 8.0 /* mm */
#define MOST_CELLS 1e6

cab_status cab_field_make(cab_field *field, cab_box box, cab_error *error)
{
    double width = box.right - box.left, height = box.top - box.bottom;
    *field = (cab_field){.origin = {box.left, box.bottom},
                         .cell = fmax(LEAST_CELL, sqrt(width * height / MOST_CELLS))};
    field->columns = (int)(width / field->cell) + 1;
    field->rows = (int)(height / field->cell) + 1;
    long long cells = (long long)field->columns * field->rows;
    cab_status status = CAB_NEW(field->taken, cells, error);
    if (!status) status = CAB_NEW(field->kept, cells, error);
    return status;
}

void cab_field_free(cab_field *field)
{
    CAB_FREE(field->taken, field->kept);
    *field = (cab_field){0};
}

/* Rows and columns from *first to *last that a range of coordinates covers. */
static void range(double from, double to, double cell, int count, int *first, int *last)
{
    *first = (int)fmax(0, fmin(count, floor(from / cell)));
    *last = (int)fmax(-1, fmin(count - 1, floor(to / cell)));
}

static cab_point centre_of(const cab_field *field, int column, int row)
{
    return (cab_point){field->origin.x + (column + 0.5) * field->cell,
                       field->origin.y + (row + 0.5) * field->cell};
}

static double distance_to(cab_point p, cab_point a, cab_point b)
{
    cab_point along = {b.x - a.x, b.y - a.y};
    double square = along.x * along.x + along.y * along.y;
    double t = square > 0 ? ((p.x - a.x) * along.x + (p.y - a.y) * along.y) / square : 0;
    return cab_point_distance(p, cab_point_between(a, b, fmax(0, fmin(1, t))));
}

/* A straight piece no longer than some cells, so that the box round it is small. */
static void take_piece(cab_field *field, cab_point a, cab_point b, double half, double reach, double most)
{
    int left, right, bottom, top;
    range(fmin(a.x, b.x) - reach - field->origin.x, fmax(a.x, b.x) + reach - field->origin.x, field->cell,
          field->columns, &left, &right);
    range(fmin(a.y, b.y) - reach - field->origin.y, fmax(a.y, b.y) + reach - field->origin.y, field->cell,
          field->rows, &bottom, &top);
    for (int row = bottom; row <= top; row++) {
        for (int column = left; column <= right; column++) {
            double off = distance_to(centre_of(field, column, row), a, b);
            double share = most * fmin(1, (reach - off) / (reach - half));
            float *cell = &field->taken[(size_t)row * (size_t)field->columns + (size_t)column];
            if (share > *cell) *cell = (float)share;
        }
    }
}

void cab_field_take(cab_field *field, cab_point a, cab_point b, double half, double reach, double share)
{
    double length = cab_point_distance(a, b);
    int pieces = 1 + (int)fmin(1e4, length / (4 * reach));
    for (int i = 0; i < pieces; i++)
        take_piece(field, cab_point_between(a, b, (double)i / pieces),
                   cab_point_between(a, b, (i + 1.0) / pieces), half, reach, share);
}

void cab_field_keep(cab_field *field, cab_point centre, double radius, double share)
{
    int left, right, bottom, top;
    range(centre.x - radius - field->origin.x, centre.x + radius - field->origin.x, field->cell,
          field->columns, &left, &right);
    range(centre.y - radius - field->origin.y, centre.y + radius - field->origin.y, field->cell, field->rows,
          &bottom, &top);
    for (int row = bottom; row <= top; row++)
        for (int column = left; column <= right; column++)
            if (cab_point_distance(centre_of(field, column, row), centre) <= radius)
                field->kept[(size_t)row * (size_t)field->columns + (size_t)column] += (float)share;
}

double cab_field_at(const cab_field *field, cab_point p)
{
    double x = (p.x - field->origin.x) / field->cell, y = (p.y - field->origin.y) / field->cell;
    if (!(x >= 0 && y >= 0 && x < field->columns && y < field->rows)) return 0;
    size_t at = (size_t)y * (size_t)field->columns + (size_t)x;
    return field->taken[at] + fmin(0.6, field->kept[at]);
}

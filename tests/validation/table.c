/* Checks become rows, rows become tables. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

static double error_of(val_kind kind, double expected, double got)
{
    double off = got - expected;
    if (kind == VAL_RELATIVE) return fabs(off) / fabs(expected);
    return kind == VAL_ABSOLUTE ? fabs(off) : fmax(off, 0);
}

void val_check(val_run *run, val_kind kind, const char *quantity, val_grid grid, double expected, double got,
               double tolerance)
{
    if (run->row_count == run->row_capacity) {
        int capacity = run->row_capacity ? 2 * run->row_capacity : 64;
        val_row *rows = realloc(run->rows, (size_t)capacity * sizeof *rows);
        if (!rows) {
            val_fail(run, "out of memory");
            return;
        }
        run->rows = rows;
        run->row_capacity = capacity;
    }
    val_row *row = &run->rows[run->row_count++];
    *row = (val_row){.name = run->name,
                     .method = run->method,
                     .kind = kind,
                     .expected = expected,
                     .got = got,
                     .tolerance = tolerance};
    snprintf(row->quantity, sizeof row->quantity, "%s", quantity);
    snprintf(row->device, sizeof row->device, "%s", run->device);
    snprintf(row->grid, sizeof row->grid, "%d | %d x %d", grid.segments, grid.substeps, grid.iterations);
    row->error = error_of(kind, expected, got);
    /* Written so that a NaN is not ok. */
    row->ok = isfinite(got) && row->error <= tolerance;
}

void val_fail(val_run *run, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "validate: %s with %s on %s: ", run->name, val_method_names[run->method], run->device);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    run->failed = true;
}

/* "0.12 %", or the plain number in the unit of the quantity. */
static void format_error(char *text, size_t size, val_kind kind, double value)
{
    if (kind == VAL_RELATIVE) {
        snprintf(text, size, "%.2f %%", 100 * value);
    } else {
        snprintf(text, size, "%.2g", value);
    }
}

void val_print_heading(void)
{
    printf("%-16s %-28s %-7s %-15s %-10s %10s %10s %10s %10s\n", "case", "quantity", "method",
           "seg | per frame", "device", "expected", "got", "error", "tolerance");
}

void val_print_row(const val_row *row)
{
    char error[24], tolerance[24];
    format_error(error, sizeof error, row->kind, row->error);
    format_error(tolerance, sizeof tolerance, row->kind, row->tolerance);
    printf("%-16s %-28s %-7s %-15s %-10s %10.5g %10.5g %10s %10s  %s\n", row->name, row->quantity,
           val_method_names[row->method], row->grid, row->device, row->expected, row->got, error, tolerance,
           row->ok ? "ok" : "FAILED");
    fflush(stdout);
}

static bool same_check(const val_row *a, const val_row *b)
{
    return !strcmp(a->name, b->name) && !strcmp(a->quantity, b->quantity) && a->method == b->method &&
           !strcmp(a->grid, b->grid);
}

static void print_markdown_row(const val_row *rows, int count, const val_row *row)
{
    char tolerance[24];
    char grid[24];
    snprintf(grid, sizeof grid, "%s", row->grid);
    char *bar = strstr(grid, " | ");
    if (bar) *bar = '\0';
    format_error(tolerance, sizeof tolerance, row->kind, row->tolerance);
    printf("| %s | %s | %s | %s | %s | %s%.5g |", row->name, row->quantity, val_method_names[row->method],
           grid, bar ? bar + 3 : "", row->kind == VAL_AT_MOST ? "≤ " : "", row->expected);
    for (int i = 0; i < count; i++) {
        char error[24];
        if (!same_check(&rows[i], row)) continue;
        format_error(error, sizeof error, rows[i].kind, rows[i].error);
        printf(" %.5g | %s%s |", rows[i].got, error, rows[i].ok ? "" : " **failed**");
    }
    printf(" %s |\n", tolerance);
}

void val_print_markdown(const val_row *rows, int count)
{
    printf("| case | quantity | method | segments | substeps x iterations | expected |");
    int devices = 0;
    for (int i = 0; i < count; i++) {
        if (!same_check(&rows[i], &rows[0])) continue;
        printf(" %s | error |", rows[i].device);
        devices++;
    }
    printf(" tolerance |\n|---|---|---|---|---|---|");
    for (int i = 0; i < devices; i++) printf("---|---|");
    printf("---|\n");
    for (int i = 0; i < count; i++)
        if (!strcmp(rows[i].device, rows[0].device)) print_markdown_row(rows, count, &rows[i]);
}

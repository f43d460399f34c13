/* Wavefront OBJ: points, a line per cable and stick, a face per face of a sheet. */
#include <stdlib.h>

#include "base/error.h"
#include "io/writers.h"

/* OBJ counts points from 1. A name ends with its line. */
static void write_name(cab_file *file, const char *name)
{
    cab_file_print(file, "o ");
    for (; *name; name++) cab_file_print(file, "%c", *name == '\n' || *name == '\r' ? ' ' : *name);
    cab_file_print(file, "\n");
}

static void write_points(cab_file *file, const cab_snapshot *snapshot, const cab_body *body)
{
    for (int i = body->first_node; i < body->first_node + body->node_count; i++) {
        const double *x = &snapshot->position[3 * (size_t)i];
        cab_file_print(file, "v %.9g %.9g %.9g\n", x[0] + 0, x[1] + 0, x[2] + 0);
    }
}

static void write_line(cab_file *file, const cab_body *body)
{
    cab_file_print(file, "l");
    for (int i = body->first_node; i < body->first_node + body->node_count; i++)
        cab_file_print(file, " %d", i + 1);
    cab_file_print(file, "\n");
}

static void write_cells(cab_file *file, const cab_body *body, const int (*cell)[4])
{
    for (int i = body->first_cell; i < body->first_cell + body->cell_count; i++) {
        int corners = cab_cell_corners(cell[i]);
        cab_file_print(file, corners == 2 ? "l" : "f");
        for (int k = 0; k < corners; k++) cab_file_print(file, " %d", cell[i][k] + 1);
        cab_file_print(file, "\n");
    }
}

cab_status cab_write_obj(cab_file *file, const cab_snapshot *snapshot, cab_error *error)
{
    size_t cells = (size_t)snapshot->info.cells;
    int(*cell)[4] = calloc(cells + 1, sizeof *cell);
    if (!cell) return cab_fail_memory(error, "cells", cells * sizeof *cell);
    if (cells > 0) cab_world_get_cells(snapshot->world, &cell[0][0]);
    cab_file_print(file, "# m, z up\n");
    for (int b = 0; b < cab_snapshot_bodies(snapshot); b++) {
        cab_body body = cab_snapshot_body(snapshot, b);
        write_name(file, body.name);
        write_points(file, snapshot, &body);
        if (body.is_sheet)
            write_cells(file, &body, (const int(*)[4])cell);
        else
            write_line(file, &body);
    }
    free(cell);
    return CAB_OK;
}

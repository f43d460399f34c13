/* Cables, sheets and rigid bodies as points and cells for .vtp and .pvd: a polyline a cable, lines and faces of sheets, triangles
 * of bodies. */
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "io/writers.h"

typedef struct cells {
    const cab_snapshot *snapshot;
    const cab_body_faces *bodies;
    cab_polydata *data;
    int *cell;                  /* [info.cells][4] */
    int *sheet;                 /* [info.cells] number of the sheet, after the cables */
    int sticks, faces, corners; /* cells with two corners, with more, and the corners of the latter */
} cells;

static void put_radius(void *user, int node, double radius)
{
    (void)node;
    float **next = user;
    *(*next)++ = (float)radius;
}

static cab_status list_radii(const cab_snapshot *snapshot, cab_polydata *data, float **radii,
                             cab_error *error)
{
    *radii = cab_polydata_allocate(data, (size_t)snapshot->info.nodes, sizeof **radii, error);
    if (!*radii) return CAB_ERROR_MEMORY;
    float *next = *radii;
    for (int b = 0; b < cab_snapshot_bodies(snapshot); b++)
        cab_snapshot_radii(snapshot, b, put_radius, &next);
    return CAB_OK;
}

static cab_status list_cells(cells *c, cab_error *error)
{
    const cab_snapshot *snapshot = c->snapshot;
    size_t count = (size_t)snapshot->info.cells;
    c->cell = cab_polydata_allocate(c->data, 4 * count, sizeof *c->cell, error);
    if (!c->cell) return CAB_ERROR_MEMORY;
    c->sheet = cab_polydata_allocate(c->data, count, sizeof *c->sheet, error);
    if (!c->sheet) return CAB_ERROR_MEMORY;
    if (count == 0) return CAB_OK;
    cab_world_get_cells(snapshot->world, c->cell);
    for (int s = 0; s < snapshot->info.sheets; s++) {
        cab_sheet_info sheet = cab_world_get_sheet(snapshot->world, s);
        for (int i = sheet.first_cell; i < sheet.first_cell + sheet.cell_count; i++)
            c->sheet[i] = snapshot->info.cables + s;
    }
    for (size_t i = 0; i < count; i++) {
        int corners = cab_cell_corners(c->cell + 4 * i);
        if (corners == 2)
            c->sticks++;
        else
            c->faces++, c->corners += corners;
    }
    return CAB_OK;
}

/* Nodes of cables, which come first. */
static int cable_nodes(const cab_snapshot *snapshot)
{
    if (snapshot->info.cables == 0) return 0;
    cab_cable_info last = cab_world_get_cable(snapshot->world, snapshot->info.cables - 1);
    return last.first_node + last.node_count;
}

/* Puts the cells with two corners, or those with more, behind the `cells` and `corners` that there are, and their
 * sheets into `numbers`. */
static void put_cells(const cells *c, bool faces, cab_polydata_cells *out, int at, int corner, int *numbers)
{
    for (int i = 0; i < c->snapshot->info.cells; i++) {
        const int *cell = c->cell + 4 * (size_t)i;
        int corners = cab_cell_corners(cell);
        if ((corners > 2) != faces) continue;
        memcpy(out->corner + corner, cell, (size_t)corners * sizeof *cell);
        corner += corners;
        out->end[at] = corner;
        numbers[at++] = c->sheet[i];
    }
}

/* Behind the faces of sheets; bodies go on counting. */
static void put_bodies(const cells *c, cab_polydata_cells *out, int corner, int *numbers)
{
    int first = c->snapshot->info.nodes - c->bodies->points;
    for (int i = 0; i < c->bodies->faces; i++) {
        for (int k = 0; k < 3; k++) out->corner[corner + 3 * i + k] = first + c->bodies->corner[3 * i + k];
        out->end[c->faces + i] = corner + 3 * (i + 1);
        numbers[c->faces + i] = cab_snapshot_bodies(c->snapshot) + c->bodies->face_body[i];
    }
}

/* Cables follow one another, so a cable's points are those up to where it ends. Sticks are lines, too. */
static cab_status make_cells(cells *c, const int **numbers, cab_error *error)
{
    const cab_snapshot *snapshot = c->snapshot;
    cab_polydata *data = c->data;
    int cables = snapshot->info.cables, nodes = cable_nodes(snapshot), lines = cables + c->sticks;
    int faces = c->faces + c->bodies->faces, corners = c->corners + 3 * c->bodies->faces;
    int *number = cab_polydata_allocate(data, (size_t)(lines + faces), sizeof *number, error);
    cab_status status = number ? CAB_OK : CAB_ERROR_MEMORY;
    if (!status) status = cab_polydata_make_cells(data, &data->lines, lines, nodes + 2 * c->sticks, error);
    if (!status) status = cab_polydata_make_cells(data, &data->faces, faces, corners, error);
    if (status) return status;
    for (int i = 0; i < nodes; i++) data->lines.corner[i] = i;
    for (int i = 0; i < cables; i++) {
        cab_cable_info cable = cab_world_get_cable(snapshot->world, i);
        data->lines.end[i] = cable.first_node + cable.node_count;
        number[i] = i;
    }
    put_cells(c, false, &data->lines, cables, nodes, number);
    put_cells(c, true, &data->faces, 0, 0, number + lines);
    put_bodies(c, &data->faces, c->corners, number + lines);
    *numbers = number;
    return CAB_OK;
}

static cab_status fill(const cab_snapshot *snapshot, const cab_body_faces *bodies, cab_polydata *data,
                       cab_error *error)
{
    const cab_world_info *info = &snapshot->info;
    cells c = {.snapshot = snapshot, .bodies = bodies, .data = data};
    float *radii = NULL;
    const int *numbers = NULL;
    data->frame = info->frame;
    data->time = info->time;
    data->points = info->nodes;
    data->position = snapshot->position;
    data->scalars = "tension";
    data->vectors = "velocity";
    cab_status status = list_radii(snapshot, data, &radii, error);
    if (!status) status = list_cells(&c, error);
    if (!status) status = make_cells(&c, &numbers, error);
    if (status) return status;
    const cab_polydata_array arrays[] = {{"velocity", 3, .doubles = snapshot->velocity},
                                         {"tension", 1, .doubles = snapshot->tension},
                                         {"curvature", 1, .floats = snapshot->curvature},
                                         {"contact", 1, .floats = snapshot->contact},
                                         {"radius", 1, .floats = radii}};
    memcpy(data->point_arrays, arrays, sizeof arrays);
    if (snapshot->torque)
        data->point_arrays[sizeof arrays / sizeof *arrays] =
            (cab_polydata_array){"torque", 1, .doubles = snapshot->torque};
    data->cell_arrays[0] = (cab_polydata_array){"cable", 1, .ints = numbers};
    return CAB_OK;
}

cab_status cab_polydata_of_cables(void *self, cab_world *world, cab_polydata *data, cab_error *error)
{
    cab_snapshot snapshot;
    cab_body_faces bodies = {0};
    (void)self;
    *data = (cab_polydata){0};
    cab_status status = cab_snapshot_take_all(world, &snapshot, error);
    if (status) return status;
    status = cab_body_faces_make(world, &bodies, error);
    if (!status) status = cab_snapshot_add_bodies(&snapshot, &bodies, error);
    void *const blocks[] = {snapshot.position,  snapshot.velocity, snapshot.tension, snapshot.torque,
                            snapshot.curvature, snapshot.contact}; /* they go with the moment */
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) data->block[data->block_count++] = blocks[i];
    if (!status) status = fill(&snapshot, &bodies, data, error);
    cab_body_faces_free(&bodies);
    if (status) cab_polydata_free(data);
    return status;
}

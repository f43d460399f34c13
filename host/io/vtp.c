/* The format .vtp: cables as lines and sheets as faces, for ParaView. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/writers.h"

#define CHUNK 1024

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_NAME "BigEndian"
#else
#define BYTE_ORDER_NAME "LittleEndian"
#endif

typedef enum block {
    POINTS,
    VELOCITY,
    TENSION,
    CURVATURE,
    CONTACT,
    RADIUS,
    CABLE,
    CONNECTIVITY,
    OFFSETS,
    FACE_CONNECTIVITY,
    FACE_OFFSETS,
    BLOCK_COUNT
} block;

/* The data follow the XML as raw blocks, each after its size in bytes; the XML says where a block starts. */
typedef struct vtp {
    cab_file *file;
    const cab_snapshot *snapshot;
    int *cell;                  /* [info.cells][4] */
    int *number;                /* [info.cells] of the sheet, after the cables */
    int sticks, faces, corners; /* cells with two corners, with more, and the corners of the latter */
    uint64_t bytes[BLOCK_COUNT], offset[BLOCK_COUNT];
    union {
        float real[CHUNK];
        int32_t integer[CHUNK];
    } chunk;
    int used;
} vtp;

static void flush(vtp *out)
{
    cab_file_write(out->file, &out->chunk, (size_t)out->used * 4);
    out->used = 0;
}

static void put_real(vtp *out, double value)
{
    out->chunk.real[out->used++] = (float)value;
    if (out->used == CHUNK) flush(out);
}

static void put_integer(vtp *out, int value)
{
    out->chunk.integer[out->used++] = value;
    if (out->used == CHUNK) flush(out);
}

static void start_block(vtp *out, block which)
{
    cab_file_write(out->file, &out->bytes[which], sizeof out->bytes[which]);
}

static void write_reals(vtp *out, block which, const double *values, size_t count)
{
    start_block(out, which);
    for (size_t i = 0; i < count; i++) put_real(out, values[i]);
    flush(out);
}

static void write_floats(vtp *out, block which, const float *values, size_t count)
{
    start_block(out, which);
    cab_file_write(out->file, values, count * sizeof *values);
}

static void put_radius(void *user, int node, double radius)
{
    (void)node;
    put_real(user, radius);
}

static void write_radius(vtp *out)
{
    start_block(out, RADIUS);
    for (int b = 0; b < cab_snapshot_bodies(out->snapshot); b++)
        cab_snapshot_radii(out->snapshot, b, put_radius, out);
    flush(out);
}

/* Nodes of cables, which come first. */
static int cable_nodes(const cab_snapshot *snapshot)
{
    if (snapshot->info.cables == 0) return 0;
    cab_cable_info last = cab_world_get_cable(snapshot->world, snapshot->info.cables - 1);
    return last.first_node + last.node_count;
}

/* Cells with two corners, or those with more: their sheets, corners, or ends in the list of corners. */
static void put_cells(vtp *out, block which, bool faces, int offset)
{
    for (int i = 0; i < out->snapshot->info.cells; i++) {
        const int *cell = out->cell + 4 * (size_t)i;
        int corners = cab_cell_corners(cell);
        if ((corners > 2) != faces) continue;
        offset += corners;
        if (which == CABLE) put_integer(out, out->number[i]);
        if (which == OFFSETS) put_integer(out, offset);
        for (int k = 0; which == CONNECTIVITY && k < corners; k++) put_integer(out, cell[k]);
    }
}

/* Cables follow one another, so a cable's points are those up to where it ends. Sticks are lines, too. */
static void write_lines(vtp *out)
{
    const cab_snapshot *snapshot = out->snapshot;
    int nodes = cable_nodes(snapshot);
    start_block(out, CABLE);
    for (int c = 0; c < snapshot->info.cables; c++) put_integer(out, c);
    put_cells(out, CABLE, false, 0);
    put_cells(out, CABLE, true, 0);
    flush(out);
    start_block(out, CONNECTIVITY);
    for (int i = 0; i < nodes; i++) put_integer(out, i);
    put_cells(out, CONNECTIVITY, false, 0);
    flush(out);
    start_block(out, OFFSETS);
    for (int c = 0; c < snapshot->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(snapshot->world, c);
        put_integer(out, cable.first_node + cable.node_count);
    }
    put_cells(out, OFFSETS, false, nodes);
    flush(out);
}

static void write_faces(vtp *out)
{
    start_block(out, FACE_CONNECTIVITY);
    put_cells(out, CONNECTIVITY, true, 0);
    flush(out);
    start_block(out, FACE_OFFSETS);
    put_cells(out, OFFSETS, true, 0);
    flush(out);
}

static cab_status list_cells(vtp *out, cab_error *error)
{
    const cab_snapshot *snapshot = out->snapshot;
    size_t count = (size_t)snapshot->info.cells;
    out->cell = calloc(4 * count + 1, sizeof *out->cell);
    out->number = calloc(count + 1, sizeof *out->number);
    if (!out->cell || !out->number) return cab_fail_memory(error, "cells", 5ull * count * sizeof(int));
    if (count == 0) return CAB_OK;
    cab_world_get_cells(snapshot->world, out->cell);
    for (int s = 0; s < snapshot->info.sheets; s++) {
        cab_sheet_info sheet = cab_world_get_sheet(snapshot->world, s);
        for (int i = sheet.first_cell; i < sheet.first_cell + sheet.cell_count; i++)
            out->number[i] = snapshot->info.cables + s;
    }
    for (size_t i = 0; i < count; i++) {
        int corners = cab_cell_corners(out->cell + 4 * i);
        if (corners == 2)
            out->sticks++;
        else
            out->faces++, out->corners += corners;
    }
    return CAB_OK;
}

static void measure_blocks(vtp *out)
{
    uint64_t nodes = (uint64_t)out->snapshot->info.nodes, sticks = (uint64_t)out->sticks;
    uint64_t lines = (uint64_t)out->snapshot->info.cables + sticks, faces = (uint64_t)out->faces;
    const uint64_t values[BLOCK_COUNT] = {
        [POINTS] = 3 * nodes,    [VELOCITY] = 3 * nodes,
        [TENSION] = nodes,       [CURVATURE] = nodes,
        [CONTACT] = nodes,       [RADIUS] = nodes,
        [CABLE] = lines + faces, [CONNECTIVITY] = (uint64_t)cable_nodes(out->snapshot) + 2 * sticks,
        [OFFSETS] = lines,       [FACE_CONNECTIVITY] = (uint64_t)out->corners,
        [FACE_OFFSETS] = faces};
    uint64_t offset = 0;
    for (int i = 0; i < BLOCK_COUNT; i++) {
        out->bytes[i] = 4 * values[i];
        out->offset[i] = offset;
        offset += sizeof out->bytes[i] + out->bytes[i];
    }
}

static void write_array(vtp *out, const char *type, const char *name, int components, block which)
{
    cab_file_print(out->file,
                   "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                   "offset=\"%llu\"/>\n",
                   type, name, components, (unsigned long long)out->offset[which]);
}

static void write_xml(vtp *out)
{
    const cab_world_info *info = &out->snapshot->info;
    cab_file_print(
        out->file,
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" BYTE_ORDER_NAME
        "\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
        "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.12g"
        "</DataArray>\n</FieldData>\n"
        "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"%d\">\n<PointData Scalars=\"tension\" Vectors=\"velocity\">\n",
        info->time, info->nodes, info->cables + out->sticks, out->faces);
    write_array(out, "Float32", "velocity", 3, VELOCITY);
    write_array(out, "Float32", "tension", 1, TENSION);
    write_array(out, "Float32", "curvature", 1, CURVATURE);
    write_array(out, "Float32", "contact", 1, CONTACT);
    write_array(out, "Float32", "radius", 1, RADIUS);
    cab_file_print(out->file, "</PointData>\n<CellData>\n");
    write_array(out, "Int32", "cable", 1, CABLE);
    cab_file_print(out->file, "</CellData>\n<Points>\n");
    write_array(out, "Float32", "points", 3, POINTS);
    cab_file_print(out->file, "</Points>\n<Lines>\n");
    write_array(out, "Int32", "connectivity", 1, CONNECTIVITY);
    write_array(out, "Int32", "offsets", 1, OFFSETS);
    cab_file_print(out->file, "</Lines>\n");
    if (out->faces > 0) {
        cab_file_print(out->file, "<Polys>\n");
        write_array(out, "Int32", "connectivity", 1, FACE_CONNECTIVITY);
        write_array(out, "Int32", "offsets", 1, FACE_OFFSETS);
        cab_file_print(out->file, "</Polys>\n");
    }
    cab_file_print(out->file, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void write_vtp(vtp *out)
{
    const cab_snapshot *snapshot = out->snapshot;
    size_t nodes = (size_t)snapshot->info.nodes;
    measure_blocks(out);
    write_xml(out);
    write_reals(out, POINTS, snapshot->position, 3 * nodes);
    write_reals(out, VELOCITY, snapshot->velocity, 3 * nodes);
    write_reals(out, TENSION, snapshot->tension, nodes);
    write_floats(out, CURVATURE, snapshot->curvature, nodes);
    write_floats(out, CONTACT, snapshot->contact, nodes);
    write_radius(out);
    write_lines(out);
    if (out->faces > 0) write_faces(out);
    cab_file_print(out->file, "\n</AppendedData>\n</VTKFile>\n");
}

cab_status cab_write_vtp(cab_file *file, const cab_snapshot *snapshot, cab_error *error)
{
    vtp out = {.file = file, .snapshot = snapshot};
    cab_status status = list_cells(&out, error);
    if (status == CAB_OK) write_vtp(&out);
    free(out.cell);
    free(out.number);
    return status;
}

static void write_escaped(cab_file *file, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            cab_file_print(file, "%s", entity);
        else
            cab_file_write(file, text, 1);
    }
}

void cab_write_pvd(cab_file *file, const char *name, const double *times, int first, int count)
{
    cab_file_print(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                         "byte_order=\"" BYTE_ORDER_NAME "\">\n<Collection>\n");
    for (int i = 0; i < count; i++) {
        cab_file_print(file, "<DataSet timestep=\"%.12g\" group=\"\" part=\"0\" file=\"", times[i]);
        write_escaped(file, name);
        cab_file_print(file, "_%04d.vtp\"/>\n", first + i);
    }
    cab_file_print(file, "</Collection>\n</VTKFile>\n");
}

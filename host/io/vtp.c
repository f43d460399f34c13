#include <stdint.h>
#include <string.h>

#include "io/writers.h"

#define CHUNK 1024

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_NAME "BigEndian"
#else
#define BYTE_ORDER_NAME "LittleEndian"
#endif

typedef enum block { POINTS, VELOCITY, TENSION, RADIUS, CABLE, CONNECTIVITY, OFFSETS, BLOCK_COUNT } block;

/* The data follow the XML as raw blocks, each after its size in bytes; the XML says where a block starts. */
typedef struct vtp {
    cab_file *file;
    const cab_snapshot *snapshot;
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

static void write_radius(vtp *out)
{
    start_block(out, RADIUS);
    for (int c = 0; c < out->snapshot->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(out->snapshot->world, c);
        for (int i = 0; i < cable.node_count; i++) put_real(out, cable.radius);
    }
    flush(out);
}

/* Cables follow one another, so a cable's points are those up to where it ends. */
static void write_lines(vtp *out)
{
    const cab_snapshot *snapshot = out->snapshot;
    start_block(out, CABLE);
    for (int c = 0; c < snapshot->info.cables; c++) put_integer(out, c);
    flush(out);
    start_block(out, CONNECTIVITY);
    for (int i = 0; i < snapshot->info.nodes; i++) put_integer(out, i);
    flush(out);
    start_block(out, OFFSETS);
    for (int c = 0; c < snapshot->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(snapshot->world, c);
        put_integer(out, cable.first_node + cable.node_count);
    }
    flush(out);
}

static void measure_blocks(vtp *out)
{
    uint64_t nodes = (uint64_t)out->snapshot->info.nodes, cables = (uint64_t)out->snapshot->info.cables;
    const uint64_t values[BLOCK_COUNT] = {
        [POINTS] = 3 * nodes, [VELOCITY] = 3 * nodes, [TENSION] = nodes, [RADIUS] = nodes,
        [CABLE] = cables,     [CONNECTIVITY] = nodes, [OFFSETS] = cables};
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
        "NumberOfPolys=\"0\">\n<PointData Scalars=\"tension\" Vectors=\"velocity\">\n",
        info->time, info->nodes, info->cables);
    write_array(out, "Float32", "velocity", 3, VELOCITY);
    write_array(out, "Float32", "tension", 1, TENSION);
    write_array(out, "Float32", "radius", 1, RADIUS);
    cab_file_print(out->file, "</PointData>\n<CellData>\n");
    write_array(out, "Int32", "cable", 1, CABLE);
    cab_file_print(out->file, "</CellData>\n<Points>\n");
    write_array(out, "Float32", "points", 3, POINTS);
    cab_file_print(out->file, "</Points>\n<Lines>\n");
    write_array(out, "Int32", "connectivity", 1, CONNECTIVITY);
    write_array(out, "Int32", "offsets", 1, OFFSETS);
    cab_file_print(out->file, "</Lines>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

void cab_write_vtp(cab_file *file, const cab_snapshot *snapshot)
{
    size_t nodes = (size_t)snapshot->info.nodes;
    vtp out = {.file = file, .snapshot = snapshot};
    measure_blocks(&out);
    write_xml(&out);
    write_reals(&out, POINTS, snapshot->position, 3 * nodes);
    write_reals(&out, VELOCITY, snapshot->velocity, 3 * nodes);
    write_reals(&out, TENSION, snapshot->tension, nodes);
    write_radius(&out);
    write_lines(&out);
    cab_file_print(file, "\n</AppendedData>\n</VTKFile>\n");
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

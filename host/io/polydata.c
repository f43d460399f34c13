#include "io/polydata.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

enum { CHUNK = 1024, NUMBER = 4 /* bytes of one in the file */ };

/* The XML says where in the data behind it each block of numbers starts. */
typedef struct output {
    cab_file *file;
    uint64_t offset; /* of the next block, bytes */
} output;

void *cab_polydata_allocate(cab_polydata *data, size_t count, size_t size, cab_error *error)
{
    void *block = data->block_count < CAB_POLYDATA_BLOCKS ? calloc(count + 1, size) : NULL;
    if (!block) {
        cab_fail_memory(error, "points and cells", count * size);
        return NULL;
    }
    return data->block[data->block_count++] = block;
}

cab_status cab_polydata_make_cells(cab_polydata *data, cab_polydata_cells *cells, int count, int corners,
                                   cab_error *error)
{
    cells->count = count;
    cells->corner = cab_polydata_allocate(data, (size_t)corners, sizeof *cells->corner, error);
    if (!cells->corner) return CAB_ERROR_MEMORY;
    cells->end = cab_polydata_allocate(data, (size_t)count, sizeof *cells->end, error);
    return cells->end ? CAB_OK : CAB_ERROR_MEMORY;
}

void cab_polydata_free(cab_polydata *data)
{
    for (int i = 0; i < data->block_count; i++) free(data->block[i]);
    *data = (cab_polydata){0};
}

static int corners_of(const cab_polydata_cells *cells)
{
    return cells->count ? cells->end[cells->count - 1] : 0;
}

static int cells_of(const cab_polydata *data)
{
    return data->dots.count + data->lines.count + data->faces.count;
}

/* ---- the XML ---- */

static uint64_t bytes_of(int width, int count)
{
    return (uint64_t)NUMBER * (uint64_t)width * (uint64_t)count;
}

static void describe_at(output *out, uint64_t offset, const char *type, const char *name, int width)
{
    cab_file_print(out->file,
                   "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                   "offset=\"%llu\"/>\n",
                   type, name, width, (unsigned long long)offset);
}

static void describe(output *out, const char *type, const char *name, int width, int count)
{
    describe_at(out, out->offset, type, name, width);
    out->offset += sizeof(uint64_t) + bytes_of(width, count);
}

static void describe_arrays(output *out, const cab_polydata_array *arrays, int count)
{
    for (int i = 0; i < CAB_POLYDATA_ARRAYS && arrays[i].name; i++)
        describe(out, arrays[i].ints ? "Int32" : "Float32", arrays[i].name, arrays[i].width, count);
}

static void describe_cells(output *out, const char *word, const cab_polydata_cells *cells)
{
    cab_file_print(out->file, "<%s>\n", word);
    describe(out, "Int32", "connectivity", 1, corners_of(cells));
    describe(out, "Int32", "offsets", 1, cells->count);
    cab_file_print(out->file, "</%s>\n", word);
}

static void write_head(output *out, const cab_polydata *data)
{
    cab_file_print(
        out->file,
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"" CAB_VTK_BYTE_ORDER
        "\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
        "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.12g"
        "</DataArray>\n</FieldData>\n"
        "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"%d\">\n<PointData",
        data->time, data->points, data->dots.count, data->lines.count, data->faces.count);
    if (data->scalars) cab_file_print(out->file, " Scalars=\"%s\"", data->scalars);
    if (data->vectors) cab_file_print(out->file, " Vectors=\"%s\"", data->vectors);
    cab_file_print(out->file, ">\n");
}

static void write_xml(output *out, const cab_polydata *data)
{
    write_head(out, data);
    out->offset = sizeof(uint64_t) + bytes_of(3, data->points); /* places come first of all */
    describe_arrays(out, data->point_arrays, data->points);
    cab_file_print(out->file, "</PointData>\n<CellData>\n");
    describe_arrays(out, data->cell_arrays, cells_of(data));
    cab_file_print(out->file, "</CellData>\n<Points>\n");
    describe_at(out, 0, "Float32", "points", 3);
    cab_file_print(out->file, "</Points>\n");
    if (data->dots.count > 0) describe_cells(out, "Verts", &data->dots);
    describe_cells(out, "Lines", &data->lines);
    if (data->faces.count > 0) describe_cells(out, "Polys", &data->faces);
    cab_file_print(out->file, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

/* ---- the data: each block after its size in bytes ---- */

static void write_doubles(cab_file *file, const double *values, size_t count)
{
    float chunk[CHUNK];
    for (size_t first = 0; first < count; first += CHUNK) {
        size_t some = count - first < CHUNK ? count - first : CHUNK;
        for (size_t i = 0; i < some; i++) chunk[i] = (float)values[first + i];
        cab_file_write(file, chunk, some * sizeof *chunk);
    }
}

static void write_block(cab_file *file, const cab_polydata_array *array, int count)
{
    uint64_t bytes = bytes_of(array->width, count);
    cab_file_write(file, &bytes, sizeof bytes);
    if (array->doubles)
        write_doubles(file, array->doubles, (size_t)bytes / NUMBER);
    else if (bytes > 0)
        cab_file_write(file, array->floats ? (const void *)array->floats : array->ints, (size_t)bytes);
}

static void write_arrays(cab_file *file, const cab_polydata_array *arrays, int count)
{
    for (int i = 0; i < CAB_POLYDATA_ARRAYS && arrays[i].name; i++) write_block(file, &arrays[i], count);
}

static void write_cells(cab_file *file, const cab_polydata_cells *cells)
{
    write_block(file, &(cab_polydata_array){.width = 1, .ints = cells->corner}, corners_of(cells));
    write_block(file, &(cab_polydata_array){.width = 1, .ints = cells->end}, cells->count);
}

void cab_write_polydata(cab_file *file, const cab_polydata *data)
{
    output out = {.file = file};
    write_xml(&out, data);
    write_block(file, &(cab_polydata_array){.width = 3, .doubles = data->position}, data->points);
    write_arrays(file, data->point_arrays, data->points);
    write_arrays(file, data->cell_arrays, cells_of(data));
    if (data->dots.count > 0) write_cells(file, &data->dots);
    write_cells(file, &data->lines);
    if (data->faces.count > 0) write_cells(file, &data->faces);
    cab_file_print(file, "\n</AppendedData>\n</VTKFile>\n");
}

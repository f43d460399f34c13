/* .vtkhdf: VTK's HDF5 format, PolyData with time steps, written at the end from a record.
 *
 * Lines and faces stay the same over a run, so they are there once and every step refers to them; points and
 * what changes with them lie step by step one behind the other (VTKHDF 2.0, "Temporal data": offsets by step). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/hdf5_write.h"
#include "io/output_kind.h"
#include "io/record.h"

#define ROOT "VTKHDF/"

/* What changes from step to step. */
static const struct {
    const char *path;
    cab_track track;
} tracks[] = {
    {ROOT "Points", CAB_TRACK_POSITION},           {ROOT "PointData/velocity", CAB_TRACK_VELOCITY},
    {ROOT "PointData/tension", CAB_TRACK_TENSION}, {ROOT "PointData/curvature", CAB_TRACK_CURVATURE},
    {ROOT "PointData/contact", CAB_TRACK_CONTACT}, {ROOT "PointData/speed", CAB_TRACK_SPEED},
    {ROOT "PointData/torque", CAB_TRACK_TORQUE}};
enum { TRACKS = sizeof tracks / sizeof *tracks, ARRAYS = 48, TOPOLOGIES = 4, PIECE = 512 };

/* Cells of one kind: cell i has the nodes corner[end[i]] to corner[end[i + 1] - 1]. */
typedef struct cells {
    int64_t *end, *corner; /* [count + 1], [end[count]] */
    int64_t count, corners;
} cells;

/* Whole numbers that grow evenly: a list as long as the run, made as it is written. */
typedef struct numbers {
    int64_t first, step;
    int64_t piece[PIECE];
} numbers;

typedef struct vtkhdf {
    cab_file file;
    char *path;
    cab_record record;
    cab_body_faces bodies;
    int *cell; /* [cells][4] */
    cells lines, polygons;
    int32_t *body; /* of each line, then of each polygon */
    float *radius; /* [nodes] */
    int64_t nodes;
    cab_record_stream times, tracks[TRACKS];
    numbers zeros, ones, points;
    cab_hdf5_array arrays[ARRAYS];
    int array_count;
} vtkhdf;

static const int64_t none = 0; /* how many there are of what is not there, and where it begins */

static cab_status destroy(vtkhdf *v, cab_status status)
{
    cab_record_close(&v->record);
    cab_body_faces_free(&v->bodies);
    cab_file_close(&v->file);
    CAB_FREE(v->path, v->cell, v->lines.end, v->lines.corner, v->polygons.end, v->polygons.corner, v->body,
             v->radius, v);
    return status;
}

static cab_status open_file(vtkhdf *v, const char *path, cab_error *error)
{
    v->path = strdup(path);
    if (!v->path) return cab_fail_memory(error, "a file name", strlen(path) + 1);
    cab_status status = cab_file_open(&v->file, path, error);
    if (!status) status = cab_hdf5_check(&v->file, error);
    return status ? status : cab_record_open(&v->record, v->path, error);
}

static cab_status open_vtkhdf(void *user, const char *path, const cab_scene *scene, void **writer,
                              cab_error *error)
{
    (void)user, (void)scene;
    vtkhdf *v = calloc(1, sizeof *v);
    if (!v) return cab_fail_memory(error, "an output", sizeof *v);
    cab_status status = open_file(v, path, error);
    if (status) return destroy(v, status);
    *writer = v;
    return CAB_OK;
}

static cab_status frame_vtkhdf(void *writer, cab_world *world, cab_error *error)
{
    vtkhdf *v = writer;
    cab_status status = v->record.frame_count == 0 ? cab_body_faces_make(world, &v->bodies, error) : CAB_OK;
    return status ? status : cab_record_add(&v->record, world, 0, &v->bodies, error);
}

/* ---- cells ---- */

static void add_cell(cells *list, const int *node, int first, int corners)
{
    int64_t *to = list->corner + list->end[list->count];
    for (int k = 0; k < corners; k++) to[k] = node ? node[k] : first + k;
    list->end[list->count + 1] = list->end[list->count] + corners;
    list->count++;
    list->corners = list->end[list->count];
}

/* Cables and sticks, or faces. */
static void gather(const vtkhdf *v, const cab_snapshot *snapshot, bool faces, cells *list)
{
    for (int b = 0; b < snapshot->info.cables && !faces; b++) {
        cab_body cable = cab_snapshot_body(snapshot, b);
        add_cell(list, NULL, cable.first_node, cable.node_count);
    }
    for (int i = 0; i < snapshot->info.cells; i++) {
        const int *cell = v->cell + 4 * (size_t)i;
        if ((cab_cell_corners(cell) > 2) == faces) add_cell(list, cell, 0, cab_cell_corners(cell));
    }
    for (int i = 0; i < v->bodies.faces && faces; i++) {
        int corner[3];
        for (int k = 0; k < 3; k++) corner[k] = snapshot->info.nodes + v->bodies.corner[3 * i + k];
        add_cell(list, corner, 0, 3);
    }
}

/* The number of its cable, then sheets go on counting, then bodies: of lines, then of polygons. */
static void number_bodies(vtkhdf *v, const cab_snapshot *snapshot)
{
    int64_t count = 0;
    for (int b = 0; b < snapshot->info.cables; b++) v->body[count++] = b;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = snapshot->info.cables; b < cab_snapshot_bodies(snapshot); b++) {
            cab_body sheet = cab_snapshot_body(snapshot, b);
            for (int i = sheet.first_cell; i < sheet.first_cell + sheet.cell_count; i++)
                if ((cab_cell_corners(v->cell + 4 * (size_t)i) > 2) == (pass == 1)) v->body[count++] = b;
        }
    }
    for (int i = 0; i < v->bodies.faces; i++)
        v->body[count++] = cab_snapshot_bodies(snapshot) + v->bodies.face_body[i];
}

static void put_radius(void *user, int node, double radius)
{
    ((vtkhdf *)user)->radius[node] = (float)radius;
}

static cab_status make_tables(vtkhdf *v, const cab_snapshot *snapshot, cab_error *error)
{
    size_t nodes = (size_t)snapshot->info.nodes, count = (size_t)snapshot->info.cells;
    size_t bodies = (size_t)cab_snapshot_bodies(snapshot), lines = count + bodies,
           faces = (size_t)v->bodies.faces;
    v->nodes = snapshot->info.nodes + v->bodies.points;
    cab_status status = CAB_NEW(v->cell, 4 * count, error);
    if (!status) status = CAB_NEW(v->lines.end, lines + 1, error);
    if (!status) status = CAB_NEW(v->lines.corner, 2 * count + nodes, error);
    if (!status) status = CAB_NEW(v->polygons.end, count + faces + 1, error);
    if (!status) status = CAB_NEW(v->polygons.corner, 4 * count + 3 * faces, error);
    if (!status) status = CAB_NEW(v->body, lines + faces, error);
    if (!status) status = CAB_NEW(v->radius, v->nodes, error);
    if (status) return status;
    if (count > 0) cab_world_get_cells(snapshot->world, v->cell);
    gather(v, snapshot, false, &v->lines);
    gather(v, snapshot, true, &v->polygons);
    number_bodies(v, snapshot);
    for (size_t b = 0; b < bodies; b++) cab_snapshot_radii(snapshot, (int)b, put_radius, v);
    return CAB_OK;
}

/* ---- what is written ---- */

static cab_hdf5_array *add(vtkhdf *v, const char *path, cab_hdf5_type type, int64_t count)
{
    cab_hdf5_array *a = &v->arrays[v->array_count++];
    *a = (cab_hdf5_array){.path = path, .type = type, .rank = 1, .extent = {(uint64_t)count}};
    return a;
}

static void add_data(vtkhdf *v, const char *path, cab_hdf5_type type, int64_t count, const void *data)
{
    add(v, path, type, count)->data = data;
}

static const void *number_bytes(void *self, uint64_t at, uint64_t *left, cab_error *error)
{
    (void)error;
    numbers *n = self;
    int64_t index = (int64_t)(at / sizeof *n->piece);
    for (int i = 0; i < PIECE; i++) n->piece[i] = n->first + n->step * (index + i);
    *left = sizeof n->piece - at % sizeof *n->piece;
    return (const char *)n->piece + at % sizeof *n->piece;
}

static cab_hdf5_array *add_numbers(vtkhdf *v, const char *path, numbers *n)
{
    cab_hdf5_array *a = add(v, path, CAB_HDF5_INT64, v->record.frame_count);
    a->bytes = number_bytes;
    a->self = n;
    return a;
}

/* The arrays of a kind of cells; their paths are NAME's. */
#define ADD_TOPOLOGY(v, NAME, ends, nodes, cell_count, corner_count)                                         \
    (add_data((v), ROOT NAME "/NumberOfConnectivityIds", CAB_HDF5_INT64, 1, (corner_count)),                 \
     add_data((v), ROOT NAME "/NumberOfCells", CAB_HDF5_INT64, 1, (cell_count)),                             \
     add_data((v), ROOT NAME "/Offsets", CAB_HDF5_INT64, *(cell_count) + 1, (ends)),                         \
     add_data((v), ROOT NAME "/Connectivity", CAB_HDF5_INT64, *(corner_count), (nodes)))

static void list_cells(vtkhdf *v)
{
    const cells *lines = &v->lines, *faces = &v->polygons;
    add_data(v, ROOT "NumberOfPoints", CAB_HDF5_INT64, 1, &v->nodes);
    ADD_TOPOLOGY(v, "Vertices", &none, &none, &none, &none);
    ADD_TOPOLOGY(v, "Lines", lines->end, lines->corner, &lines->count, &lines->corners);
    ADD_TOPOLOGY(v, "Polygons", faces->end, faces->corner, &faces->count, &faces->corners);
    ADD_TOPOLOGY(v, "Strips", &none, &none, &none, &none);
    add_data(v, ROOT "CellData/cable", CAB_HDF5_INT32, lines->count + faces->count, v->body);
    add_data(v, ROOT "PointData/radius", CAB_HDF5_FLOAT32, v->nodes, v->radius);
}

static bool has_torque(const vtkhdf *v)
{
    return v->record.tracks > CAB_TRACK_TORQUE;
}

static void list_tracks(vtkhdf *v)
{
    for (int i = 0; i < TRACKS; i++) {
        if (tracks[i].track == CAB_TRACK_TORQUE && !has_torque(v)) continue;
        int width = cab_track_width(tracks[i].track);
        v->tracks[i] = (cab_record_stream){.record = &v->record, .track = tracks[i].track, .frame = -1};
        cab_hdf5_array *a = add(v, tracks[i].path, CAB_HDF5_FLOAT32, v->nodes * v->record.frame_count);
        a->rank = width > 1 ? 2 : 1;
        a->extent[1] = (uint64_t)width;
        a->bytes = cab_record_track_bytes;
        a->self = &v->tracks[i];
    }
}

/* Where in the arrays a step begins: what is the same for all begins at 0. */
static void list_steps(vtkhdf *v)
{
    static const char *const still[] = {ROOT "Steps/PartOffsets", ROOT "Steps/CellDataOffsets/cable",
                                        ROOT "Steps/PointDataOffsets/radius"};
    static const char *const by_topology[] = {ROOT "Steps/CellOffsets", ROOT "Steps/ConnectivityIdOffsets"};
    static const char *const moving[] = {ROOT "Steps/PointOffsets",
                                         ROOT "Steps/PointDataOffsets/velocity",
                                         ROOT "Steps/PointDataOffsets/tension",
                                         ROOT "Steps/PointDataOffsets/curvature",
                                         ROOT "Steps/PointDataOffsets/contact",
                                         ROOT "Steps/PointDataOffsets/speed"};
    v->ones.first = 1;
    v->points.step = v->nodes;
    v->times = (cab_record_stream){.record = &v->record, .frame = -1};
    cab_hdf5_array *times = add(v, ROOT "Steps/Values", CAB_HDF5_FLOAT64, v->record.frame_count);
    times->bytes = cab_record_time_bytes;
    times->self = &v->times;
    add_numbers(v, ROOT "Steps/NumberOfParts", &v->ones);
    for (size_t i = 0; i < sizeof still / sizeof *still; i++) add_numbers(v, still[i], &v->zeros);
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) add_numbers(v, moving[i], &v->points);
    if (has_torque(v)) add_numbers(v, ROOT "Steps/PointDataOffsets/torque", &v->points);
    for (size_t i = 0; i < sizeof by_topology / sizeof *by_topology; i++) {
        cab_hdf5_array *a = add_numbers(v, by_topology[i], &v->zeros);
        a->rank = 2;
        a->extent[1] = TOPOLOGIES;
    }
}

static cab_status write_all(vtkhdf *v, cab_world *world, cab_error *error)
{
    static const int64_t version[2] = {2, 0};
    const int64_t steps = v->record.frame_count;
    const cab_hdf5_attribute attributes[] = {
        {.path = "VTKHDF", .name = "Version", .type = CAB_HDF5_INT64, .count = 2, .data = version},
        {.path = "VTKHDF", .name = "Type", .type = CAB_HDF5_TEXT, .data = "PolyData"},
        {.path = "VTKHDF/Steps", .name = "NSteps", .type = CAB_HDF5_INT64, .data = &steps}};
    cab_snapshot snapshot = {.world = world, .info = cab_world_get_info(world)};
    cab_status status = make_tables(v, &snapshot, error);
    if (status) return status;
    list_cells(v);
    list_tracks(v);
    list_steps(v);
    const cab_hdf5_content content = {.arrays = v->arrays,
                                      .array_count = v->array_count,
                                      .attributes = attributes,
                                      .attribute_count = sizeof attributes / sizeof *attributes};
    status = cab_hdf5_write(&content, &v->file, error);
    if (!status) status = cab_file_finish(&v->file, error);
    return status ? status : cab_file_rename(&v->file, error);
}

static cab_status close_vtkhdf(void *writer, cab_world *world, bool commit, cab_error *error)
{
    return destroy(writer, commit ? write_all(writer, world, error) : CAB_OK);
}

const cab_output_kind cab_output_vtkhdf = {
    .endings = ".vtkhdf", .open = open_vtkhdf, .frame = frame_vtkhdf, .close = close_vtkhdf};

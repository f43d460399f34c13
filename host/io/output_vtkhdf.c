/* .vtkhdf: VTK's HDF5 format, PolyData with time steps, written as the frames come.
 *
 * Lines and faces stay the same over a run, so they are there once and every step refers to them; points and
 * what changes with them are appended (VTKHDF 2.0, "Temporal data": offsets by step). */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/file.h"
#include "io/output_kind.h"
#include "io/snapshot.h"
#include "library/hdf5.h"

#define CHUNK_ROWS 4096 /* of what is appended to: 48 KB at most, in HDF5's cache */
#define TOPOLOGIES 4    /* vertices, lines, polygons, strips: the order of CellOffsets */

/* What changes from step to step. */
enum { POINTS = 0, VELOCITY, TENSION, CURVATURE, CONTACT, SPEED, TRACK_COUNT };
static const struct {
    const char *name;
    int width;
} tracks[TRACK_COUNT] = {[POINTS] = {"Points", 3},
                         [VELOCITY] = {"PointData/velocity", 3},
                         [TENSION] = {"PointData/tension", 1},
                         [CURVATURE] = {"PointData/curvature", 1},
                         [CONTACT] = {"PointData/contact", 1},
                         [SPEED] = {"PointData/speed", 1}};

typedef struct vtkhdf {
    cab_file file;
    hid_t hdf, root;
    hid_t track[TRACK_COUNT];
    float *values; /* [nodes][3] */
    int *cell;     /* [cells][4] */
    double *time;  /* [steps] s */
    int nodes, steps, capacity;
} vtkhdf;

static cab_status fail(const vtkhdf *v, int errnum, cab_error *error)
{
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: %s", v->file.name,
                    errnum ? strerror(errnum) : "HDF5 failed");
}

/* HDF5 writes what is left of a file when it is closed; when that fails it says so by a negative number. */
static bool close_hdf(vtkhdf *v)
{
    bool good = true;
    for (int i = 0; i < TRACK_COUNT; i++) {
        if (v->track[i] >= 0) good &= H5Dclose(v->track[i]) >= 0;
        v->track[i] = -1;
    }
    if (v->root >= 0) good &= H5Gclose(v->root) >= 0;
    if (v->hdf >= 0) good &= H5Fclose(v->hdf) >= 0;
    v->root = v->hdf = -1;
    return good;
}

static cab_status destroy(vtkhdf *v, cab_status status)
{
    H5E_BEGIN_TRY
    close_hdf(v);
    H5E_END_TRY
    cab_file_close(&v->file);
    CAB_FREE(v->values, v->cell, v->time, v);
    return status;
}

/* ---- pieces of HDF5; each is true when it worked ---- */

/* How arrays are made: without times, so that the same run gives the same bytes. */
static hid_t timeless(void)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    return list;
}

/* A whole array at once. */
static bool put(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, const void *data)
{
    hid_t space = H5Screate_simple(rank, size, NULL), list = timeless();
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool good = set >= 0 && (size[0] == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (set >= 0) good &= H5Dclose(set) >= 0;
    H5Pclose(list);
    H5Sclose(space);
    return good;
}

static bool put_row(hid_t group, const char *name, hid_t type, hsize_t count, const void *data)
{
    return put(group, name, type, 1, &count, data);
}

static bool put_attribute(hid_t group, const char *name, hid_t type, hsize_t count, const void *data)
{
    hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    return good;
}

static hid_t make_group(hid_t parent, const char *name)
{
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* An array that rows are appended to. */
static hid_t make_track(hid_t root, int track)
{
    int rank = tracks[track].width > 1 ? 2 : 1;
    hsize_t width = (hsize_t)tracks[track].width, size[2] = {0, width}, most[2] = {H5S_UNLIMITED, width};
    hsize_t chunk[2] = {CHUNK_ROWS, width};
    hid_t space = H5Screate_simple(rank, size, most), list = timeless();
    H5Pset_chunk(list, rank, chunk);
    hid_t set = H5Dcreate2(root, tracks[track].name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return set;
}

static bool append(hid_t set, int width, hsize_t first, hsize_t rows, const float *values)
{
    int rank = width > 1 ? 2 : 1;
    hsize_t start[2] = {first, 0}, count[2] = {rows, (hsize_t)width},
            size[2] = {first + rows, (hsize_t)width};
    if (H5Dset_extent(set, size) < 0) return false;
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, count, NULL);
    bool good = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(set, H5T_NATIVE_FLOAT, in_memory, in_file, H5P_DEFAULT, values) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return good;
}

/* ---- what stays the same ---- */

static bool put_topology(hid_t root, const char *name, int64_t *end, hsize_t cells, const int64_t *corner)
{
    int64_t count = (int64_t)cells, corners = end[cells];
    hid_t group = make_group(root, name);
    bool good = group >= 0 && put_row(group, "NumberOfConnectivityIds", H5T_NATIVE_INT64, 1, &corners) &&
                put_row(group, "NumberOfCells", H5T_NATIVE_INT64, 1, &count) &&
                put_row(group, "Offsets", H5T_NATIVE_INT64, cells + 1, end) &&
                put_row(group, "Connectivity", H5T_NATIVE_INT64, (hsize_t)corners, corner);
    if (group >= 0) H5Gclose(group);
    return good;
}

/* Cells gathered before they are written. */
typedef struct cells {
    int64_t *end, *corner; /* [count + 1], [end[count]] */
    int64_t count;
} cells;

static void add_cell(cells *list, const int *node, int first, int corners)
{
    int64_t *to = list->corner + list->end[list->count];
    for (int k = 0; k < corners; k++) to[k] = node ? node[k] : first + k;
    list->end[list->count + 1] = list->end[list->count] + corners;
    list->count++;
}

static void gather(const vtkhdf *v, const cab_snapshot *snapshot, bool faces, cells *list)
{
    list->end[0] = list->count = 0;
    for (int b = 0; b < snapshot->info.cables && !faces; b++) {
        cab_body cable = cab_snapshot_body(snapshot, b);
        add_cell(list, NULL, cable.first_node, cable.node_count);
    }
    for (int i = 0; i < snapshot->info.cells; i++) {
        const int *cell = v->cell + 4 * (size_t)i;
        if ((cab_cell_corners(cell) > 2) == faces) add_cell(list, cell, 0, cab_cell_corners(cell));
    }
}

/* The number of its cable, then sheets go on counting: of lines, then of polygons. */
static bool put_numbers(const vtkhdf *v, const cab_snapshot *snapshot, int32_t *number)
{
    hsize_t count = 0;
    for (int b = 0; b < snapshot->info.cables; b++) number[count++] = b;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = snapshot->info.cables; b < cab_snapshot_bodies(snapshot); b++) {
            cab_body sheet = cab_snapshot_body(snapshot, b);
            for (int i = sheet.first_cell; i < sheet.first_cell + sheet.cell_count; i++)
                if ((cab_cell_corners(v->cell + 4 * (size_t)i) > 2) == (pass == 1)) number[count++] = b;
        }
    }
    return put_row(v->root, "CellData/cable", H5T_NATIVE_INT32, count, number);
}

static void put_node_radius(void *user, int node, double radius)
{
    const vtkhdf *v = user;
    v->values[node] = (float)radius;
}

static bool put_radius(vtkhdf *v, const cab_snapshot *snapshot)
{
    for (int b = 0; b < cab_snapshot_bodies(snapshot); b++)
        cab_snapshot_radii(snapshot, b, put_node_radius, v);
    return put_row(v->root, "PointData/radius", H5T_NATIVE_FLOAT, (hsize_t)snapshot->info.nodes, v->values);
}

static bool put_cells(const vtkhdf *v, const cab_snapshot *snapshot, cells *list)
{
    int64_t none = 0, nodes = snapshot->info.nodes;
    bool good = put_row(v->root, "NumberOfPoints", H5T_NATIVE_INT64, 1, &nodes) &&
                put_topology(v->root, "Vertices", &none, 0, &none) &&
                put_topology(v->root, "Strips", &none, 0, &none);
    gather(v, snapshot, false, list);
    good = good && put_topology(v->root, "Lines", list->end, (hsize_t)list->count, list->corner);
    gather(v, snapshot, true, list);
    return good && put_topology(v->root, "Polygons", list->end, (hsize_t)list->count, list->corner) &&
           put_numbers(v, snapshot, (int32_t *)list->corner);
}

static bool make_groups(vtkhdf *v)
{
    hid_t points = make_group(v->root, "PointData"), of_cells = make_group(v->root, "CellData");
    bool good = points >= 0 && of_cells >= 0;
    if (points >= 0) H5Gclose(points);
    if (of_cells >= 0) H5Gclose(of_cells);
    for (int i = 0; i < TRACK_COUNT && good; i++) {
        v->track[i] = make_track(v->root, i);
        good = v->track[i] >= 0;
    }
    return good;
}

static bool put_head(vtkhdf *v)
{
    static const char word[] = "PolyData";
    int64_t version[2] = {2, 0};
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, sizeof word - 1);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    bool good = put_attribute(v->root, "Version", H5T_NATIVE_INT64, 2, version) &&
                put_attribute(v->root, "Type", text, 0, word);
    H5Tclose(text);
    return good;
}

/* Everything that the first frame decides. */
static cab_status begin(vtkhdf *v, const cab_snapshot *snapshot, cab_error *error)
{
    size_t nodes = (size_t)snapshot->info.nodes, count = (size_t)snapshot->info.cells;
    size_t most = 4 * count + nodes + 2 * (size_t)cab_snapshot_bodies(snapshot) + 1;
    v->nodes = snapshot->info.nodes;
    cells list = {.end = calloc(most, sizeof *list.end), .corner = calloc(most, sizeof *list.corner)};
    v->values = calloc(3 * nodes, sizeof *v->values);
    v->cell = calloc(4 * count + 1, sizeof *v->cell);
    cab_status status = CAB_OK;
    if (!list.end || !list.corner || !v->values || !v->cell) {
        status = cab_fail_memory(error, "cells", 2 * most * sizeof *list.end);
    } else {
        if (count > 0) cab_world_get_cells(snapshot->world, v->cell);
        errno = 0;
        bool good = make_groups(v) && put_head(v) && put_cells(v, snapshot, &list) && put_radius(v, snapshot);
        if (!good) status = fail(v, errno, error);
    }
    CAB_FREE(list.end, list.corner);
    return status;
}

/* ---- frames ---- */

static float speed_of(const double v[3])
{
    return (float)sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static const float *values_of(vtkhdf *v, const cab_snapshot *snapshot, int track)
{
    if (track == CURVATURE) return snapshot->curvature;
    if (track == CONTACT) return snapshot->contact;
    const double *from = track == POINTS    ? snapshot->position
                         : track == TENSION ? snapshot->tension
                                            : snapshot->velocity;
    int nodes = snapshot->info.nodes;
    if (track == SPEED)
        for (int i = 0; i < nodes; i++) v->values[i] = speed_of(from + 3 * (size_t)i);
    else
        for (int i = 0; i < tracks[track].width * nodes; i++) v->values[i] = (float)from[i];
    return v->values;
}

static cab_status write_frame(vtkhdf *v, const cab_snapshot *snapshot, cab_error *error)
{
    cab_status status = v->steps == 0 ? begin(v, snapshot, error) : CAB_OK;
    hsize_t nodes = (hsize_t)snapshot->info.nodes;
    errno = 0;
    for (int i = 0; i < TRACK_COUNT && !status; i++) {
        hsize_t first = nodes * (hsize_t)v->steps;
        if (!append(v->track[i], tracks[i].width, first, nodes, values_of(v, snapshot, i)))
            status = fail(v, errno, error);
    }
    if (!status) status = CAB_ROOM(v->time, v->capacity, v->steps + 1, error);
    if (!status) v->time[v->steps++] = snapshot->info.time;
    return status;
}

static cab_status frame_vtkhdf(void *writer, cab_world *world, cab_error *error)
{
    cab_snapshot snapshot;
    cab_status status = cab_snapshot_take_all(world, &snapshot, error);
    if (status) return status;
    H5E_BEGIN_TRY
    status = write_frame(writer, &snapshot, error);
    H5E_END_TRY
    cab_snapshot_free(&snapshot);
    return status;
}

/* ---- the end ---- */

/* Where in the arrays a step begins: what is the same for all begins at 0. */
static bool put_offsets(const vtkhdf *v, hid_t steps, int64_t *number)
{
    hsize_t count = (hsize_t)v->steps, wide[2] = {count, TOPOLOGIES};
    memset(number, 0, TOPOLOGIES * count * sizeof *number);
    bool good = put_row(steps, "PartOffsets", H5T_NATIVE_INT64, count, number) &&
                put_row(steps, "CellDataOffsets/cable", H5T_NATIVE_INT64, count, number) &&
                put_row(steps, "PointDataOffsets/radius", H5T_NATIVE_INT64, count, number) &&
                put(steps, "CellOffsets", H5T_NATIVE_INT64, 2, wide, number) &&
                put(steps, "ConnectivityIdOffsets", H5T_NATIVE_INT64, 2, wide, number);
    for (hsize_t i = 0; i < count; i++) number[i] = 1;
    good = good && put_row(steps, "NumberOfParts", H5T_NATIVE_INT64, count, number);
    for (hsize_t i = 0; i < count; i++) number[i] = v->nodes * (int64_t)i;
    good = good && put_row(steps, "PointOffsets", H5T_NATIVE_INT64, count, number);
    for (int k = VELOCITY; k < TRACK_COUNT && good; k++) {
        char name[64];
        snprintf(name, sizeof name, "PointDataOffsets/%s", strchr(tracks[k].name, '/') + 1);
        good = put_row(steps, name, H5T_NATIVE_INT64, count, number);
    }
    return good;
}

static bool put_steps(const vtkhdf *v, int64_t *number)
{
    int64_t count = v->steps;
    hid_t steps = make_group(v->root, "Steps");
    if (steps < 0) return false;
    hid_t points = make_group(steps, "PointDataOffsets"), of_cells = make_group(steps, "CellDataOffsets");
    bool good = points >= 0 && of_cells >= 0 && put_attribute(steps, "NSteps", H5T_NATIVE_INT64, 0, &count) &&
                put_row(steps, "Values", H5T_NATIVE_DOUBLE, (hsize_t)count, v->time) &&
                put_offsets(v, steps, number);
    if (points >= 0) H5Gclose(points);
    if (of_cells >= 0) H5Gclose(of_cells);
    return H5Gclose(steps) >= 0 && good;
}

static cab_status finish(vtkhdf *v, cab_error *error)
{
    int64_t *number = calloc(TOPOLOGIES * (size_t)v->steps + 1, sizeof *number);
    if (!number) return cab_fail_memory(error, "a list of frames", TOPOLOGIES * 8ull * (size_t)v->steps);
    errno = 0;
    bool good = put_steps(v, number);
    free(number);
    good = close_hdf(v) && good;
    cab_status status = good ? cab_file_finish(&v->file, error) : fail(v, errno, error);
    return status ? status : cab_file_rename(&v->file, error);
}

static cab_status close_vtkhdf(void *writer, cab_world *world, bool commit, cab_error *error)
{
    (void)world;
    cab_status status = CAB_OK;
    H5E_BEGIN_TRY
    if (commit) status = finish(writer, error);
    H5E_END_TRY
    return destroy(writer, status);
}

static cab_status open_hdf(vtkhdf *v, const char *path, cab_error *error)
{
    v->hdf = v->root = -1;
    for (int i = 0; i < TRACK_COUNT; i++) v->track[i] = -1;
    cab_status status = cab_file_open(&v->file, path, error);
    if (status) return status;
    if (!v->file.temporary)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot write it: .vtkhdf needs a plain file", path);
    errno = 0;
    v->hdf = H5Fcreate(v->file.temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    v->root = v->hdf >= 0 ? make_group(v->hdf, "VTKHDF") : -1;
    return v->root >= 0 ? CAB_OK : fail(v, errno, error);
}

static cab_status open_vtkhdf(void *user, const char *path, const cab_scene *scene, void **writer,
                              cab_error *error)
{
    (void)user, (void)scene;
    cab_status status = cab_hdf5_load(path, error);
    if (status) return status;
    vtkhdf *v = calloc(1, sizeof *v);
    if (!v) return cab_fail_memory(error, "an output", sizeof *v);
    H5E_BEGIN_TRY
    status = open_hdf(v, path, error);
    H5E_END_TRY
    if (status) return destroy(v, status);
    *writer = v;
    return CAB_OK;
}

const cab_output_kind cab_output_vtkhdf = {
    .endings = ".vtkhdf", .open = open_vtkhdf, .frame = frame_vtkhdf, .close = close_vtkhdf};

/* .npz: all frames of a run of cables as arrays. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "io/npz.h"
#include "io/output_kind.h"
#include "io/record.h"

/* What is the same in all frames. */
typedef struct tables {
    int64_t *offset;            /* [bodies + 1] */
    float *radius;              /* [bodies] */
    int32_t *cell;              /* [cells][4] */
    cab_npz_texts names, rigid; /* of cables and sheets; of rigid bodies */
    int32_t cables;
    int bodies, cells;
} tables;

typedef struct output {
    cab_npz npz;
    cab_record record;
    tables tables;
    cab_record_stream times, tracks[CAB_TRACK_BODY_ROTATION + 1];
} output;

static cab_status destroy(output *out, cab_status status)
{
    cab_record_close(&out->record);
    cab_npz_close(&out->npz);
    CAB_FREE(out->tables.offset, out->tables.radius, out->tables.names.characters,
             out->tables.rigid.characters, out->tables.cell, out);
    return status;
}

static cab_status open_npz(void *user, const char *path, const cab_scene *scene, void **writer,
                           cab_error *error)
{
    (void)user, (void)scene;
    output *out = calloc(1, sizeof *out);
    if (!out) return cab_fail_memory(error, "an output", sizeof *out);
    cab_status status = cab_npz_open(&out->npz, path, error);
    if (!status) status = cab_record_open(&out->record, out->npz.path, error);
    if (status) return destroy(out, status);
    *writer = out;
    return CAB_OK;
}

static cab_status frame_npz(void *writer, cab_world *world, cab_error *error)
{
    return cab_record_add(&((output *)writer)->record, world, 0, NULL, error);
}

static void put_name(void *self, int body, char text[CAB_NPZ_TEXT])
{
    cab_body of = cab_snapshot_body(self, body);
    snprintf(text, CAB_NPZ_TEXT, "%s", of.name);
}

static void put_rigid_name(void *self, int body, char text[CAB_NPZ_TEXT])
{
    const cab_body_info *infos = self;
    snprintf(text, CAB_NPZ_TEXT, "%s", infos[body].name);
}

static cab_status name_bodies(tables *t, const cab_world *world, cab_error *error)
{
    int count = cab_world_get_bodies(world, NULL, 0);
    cab_body_info *infos;
    cab_status status = CAB_NEW(infos, count, error);
    if (status) return status;
    cab_world_get_bodies(world, infos, count);
    if (count > 0) status = cab_npz_make_texts(&t->rigid, count, put_rigid_name, infos, error);
    free(infos);
    return status;
}

static cab_status fill_tables(tables *t, cab_snapshot *snapshot, cab_error *error)
{
    t->bodies = cab_snapshot_bodies(snapshot);
    t->cells = snapshot->info.cells;
    t->cables = snapshot->info.cables;
    size_t bodies = (size_t)t->bodies;
    t->offset = calloc(bodies + 1, sizeof *t->offset);
    t->radius = calloc(bodies, sizeof *t->radius);
    t->cell = calloc(4 * (size_t)t->cells + 1, sizeof *t->cell);
    if (!t->offset || !t->radius || !t->cell)
        return cab_fail_memory(error, "tables of bodies", bodies * sizeof *t->offset);
    for (int b = 0; b < t->bodies; b++) {
        cab_body body = cab_snapshot_body(snapshot, b);
        t->offset[b + 1] = body.first_node + body.node_count;
        t->radius[b] = (float)body.radius;
    }
    if (t->cells > 0) cab_world_get_cells(snapshot->world, t->cell);
    cab_status status = cab_npz_make_texts(&t->names, t->bodies, put_name, snapshot, error);
    return status ? status : name_bodies(t, snapshot->world, error);
}

static void add_track(output *out, cab_track which)
{
    char shape[64];
    cab_record *r = &out->record;
    int width = cab_track_width(which), rows = cab_record_rows(r, which);
    out->tracks[which] = (cab_record_stream){.record = r, .track = which, .frame = -1};
    int length = snprintf(shape, sizeof shape, "%d, %d", r->frame_count, rows);
    if (width > 1) snprintf(shape + length, sizeof shape - (size_t)length, ", %d", width);
    cab_npz_add_stream(&out->npz, cab_track_name(which), CAB_NPZ_ORDER "f4", shape, cab_record_track_bytes,
                       &out->tracks[which],
                       (uint64_t)r->frame_count * (uint64_t)rows * (uint64_t)width * sizeof(float));
}

static void list_arrays(output *out)
{
    const tables *t = &out->tables;
    cab_record *r = &out->record;
    char shape[32];
    uint64_t bodies = (uint64_t)t->bodies;
    snprintf(shape, sizeof shape, "%d,", r->frame_count);
    out->times = (cab_record_stream){.record = r, .frame = -1};
    cab_npz_add_stream(&out->npz, "times", CAB_NPZ_ORDER "f8", shape, cab_record_time_bytes, &out->times,
                       8ull * (uint64_t)r->frame_count);
    snprintf(shape, sizeof shape, "%d,", t->bodies + 1);
    cab_npz_add(&out->npz, "offsets", CAB_NPZ_ORDER "i8", shape, t->offset, 8 * (bodies + 1));
    cab_npz_add_texts(&out->npz, "names", &t->names);
    snprintf(shape, sizeof shape, "%d,", t->bodies);
    cab_npz_add(&out->npz, "radius", CAB_NPZ_ORDER "f4", shape, t->radius, 4 * bodies);
    cab_npz_add(&out->npz, "cables", CAB_NPZ_ORDER "i4", "", &t->cables, 4);
    snprintf(shape, sizeof shape, "%d, 4", t->cells);
    cab_npz_add(&out->npz, "cells", CAB_NPZ_ORDER "i4", shape, t->cell, 16 * (uint64_t)t->cells);
    cab_npz_add(&out->npz, "first_frame", CAB_NPZ_ORDER "i4", "", &r->first_frame, 4);
    for (int k = 0; k < r->tracks; k++) add_track(out, (cab_track)k);
    if (r->bodies == 0) return;
    cab_npz_add_texts(&out->npz, "body_names", &t->rigid);
    add_track(out, CAB_TRACK_BODY_POSITION);
    add_track(out, CAB_TRACK_BODY_ROTATION);
}

static cab_status write_all(output *out, cab_world *world, cab_error *error)
{
    cab_snapshot snapshot = {.world = world, .info = cab_world_get_info(world)};
    cab_status status = fill_tables(&out->tables, &snapshot, error);
    if (status) return status;
    list_arrays(out);
    return cab_npz_write(&out->npz, error);
}

static cab_status close_npz(void *writer, cab_world *world, bool commit, cab_error *error)
{
    output *out = writer;
    return destroy(out, commit ? write_all(out, world, error) : CAB_OK);
}

const cab_output_kind cab_output_npz = {
    .endings = ".npz", .open = open_npz, .frame = frame_npz, .close = close_npz};

/* Outputs of the last frame: .csv, .vtp and .obj. */
#include <stdlib.h>

#include "base/error.h"
#include "io/output_kind.h"
#include "io/writers.h"

typedef struct last {
    const cab_last_format *format;
    cab_file file;
} last;

cab_status cab_output_open_last(void *user, const char *path, const cab_scene *scene, void **writer,
                                cab_error *error)
{
    (void)scene;
    last *l = malloc(sizeof *l);
    if (!l) return cab_fail_memory(error, "an output", sizeof *l);
    l->format = user;
    cab_status status = cab_file_open(&l->file, path, error);
    if (status)
        free(l);
    else
        *writer = l;
    return status;
}

static cab_status write_last(last *l, cab_world *world, cab_error *error)
{
    cab_status status = l->format->write(l->format->self, world, &l->file, error);
    if (!status) status = cab_file_finish(&l->file, error);
    return status ? status : cab_file_rename(&l->file, error);
}

cab_status cab_output_close_last(void *writer, cab_world *world, bool commit, cab_error *error)
{
    last *l = writer;
    cab_status status = commit ? write_last(l, world, error) : CAB_OK;
    cab_file_close(&l->file);
    free(l);
    return status;
}

cab_status cab_output_write_vtp(void *self, cab_world *world, cab_file *file, cab_error *error)
{
    const cab_polydata_source *source = self;
    cab_polydata data;
    cab_status status = source->take(source->self, world, &data, error);
    if (status) return status;
    cab_write_polydata(file, &data);
    cab_polydata_free(&data);
    return CAB_OK;
}

typedef cab_status write_snapshot(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

static cab_status write_text(write_snapshot *write, cab_world *world, cab_file *file, cab_error *error)
{
    cab_snapshot snapshot = {0};
    cab_status status = cab_snapshot_take(world, &snapshot, error);
    if (status) return status;
    status = write(file, &snapshot, error);
    cab_snapshot_free(&snapshot);
    return status;
}

static cab_status write_csv(void *self, cab_world *world, cab_file *file, cab_error *error)
{
    (void)self;
    return write_text(cab_write_csv, world, file, error);
}

static cab_status write_obj(void *self, cab_world *world, cab_file *file, cab_error *error)
{
    (void)self;
    return write_text(cab_write_obj, world, file, error);
}

static cab_polydata_source cables = {NULL, cab_polydata_of_cables};
static cab_last_format csv = {NULL, write_csv}, vtp = {&cables, cab_output_write_vtp},
                       obj = {NULL, write_obj};

const cab_output_kind cab_output_csv = {
    .endings = ".csv", .user = &csv, .open = cab_output_open_last, .close = cab_output_close_last};
const cab_output_kind cab_output_vtp = {
    .endings = ".vtp", .user = &vtp, .open = cab_output_open_last, .close = cab_output_close_last};
const cab_output_kind cab_output_obj = {
    .endings = ".obj", .user = &obj, .open = cab_output_open_last, .close = cab_output_close_last};

/* Outputs of the last frame: .csv, .vtp and .obj. */
#include <stdlib.h>

#include "base/error.h"
#include "io/output_kind.h"
#include "io/writers.h"

/* What the kinds differ in. */
typedef struct last_format {
    cab_status (*take)(cab_world *world, cab_snapshot *snapshot, cab_error *error);
    cab_status (*write)(cab_file *file, const cab_snapshot *snapshot, cab_error *error);
} last_format;

typedef struct last {
    const last_format *format;
    cab_file file;
} last;

static cab_status open_last(void *user, const char *path, const cab_scene *scene, void **writer,
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
    cab_snapshot snapshot = {0};
    cab_status status = l->format->take(world, &snapshot, error);
    if (status) return status;
    status = l->format->write(&l->file, &snapshot, error);
    cab_snapshot_free(&snapshot);
    if (!status) status = cab_file_finish(&l->file, error);
    return status ? status : cab_file_rename(&l->file, error);
}

static cab_status close_last(void *writer, cab_world *world, bool commit, cab_error *error)
{
    last *l = writer;
    cab_status status = commit ? write_last(l, world, error) : CAB_OK;
    cab_file_close(&l->file);
    free(l);
    return status;
}

static last_format csv = {cab_snapshot_take, cab_write_csv};
static last_format vtp = {cab_snapshot_take_all, cab_write_vtp};
static last_format obj = {cab_snapshot_take, cab_write_obj};

const cab_output_kind cab_output_csv = {
    .endings = ".csv", .user = &csv, .open = open_last, .close = close_last};
const cab_output_kind cab_output_vtp = {
    .endings = ".vtp", .user = &vtp, .open = open_last, .close = close_last};
const cab_output_kind cab_output_obj = {
    .endings = ".obj", .user = &obj, .open = open_last, .close = close_last};

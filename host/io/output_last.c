/* Outputs of the last frame: .csv and .vtp. */
#include <stdlib.h>

#include "io/output_kinds.h"
#include "io/writers.h"
#include "model/error.h"

static cab_status open_last(void *user, const char *path, const cab_scene *scene, void **writer,
                            cab_error *error)
{
    (void)user, (void)scene;
    cab_file *file = malloc(sizeof *file);
    if (!file) return cab_fail_memory(error, "an output", sizeof *file);
    cab_status status = cab_file_open(file, path, error);
    if (status)
        free(file);
    else
        *writer = file;
    return status;
}

static cab_status write_csv(cab_file *file, const cab_snapshot *snapshot, cab_error *error)
{
    (void)error;
    cab_write_csv(file, snapshot);
    return CAB_OK;
}

typedef cab_status write_function(cab_file *file, const cab_snapshot *snapshot, cab_error *error);

static cab_status close_last(cab_file *file, cab_world *world, bool commit, write_function *write,
                             cab_error *error)
{
    cab_status status = CAB_OK;
    if (commit) {
        cab_snapshot snapshot = {0};
        status = cab_snapshot_take(world, &snapshot, error);
        if (!status) {
            status = write(file, &snapshot, error);
            cab_snapshot_free(&snapshot);
        }
        if (!status) status = cab_file_finish(file, error);
        if (!status) status = cab_file_rename(file, error);
    }
    cab_file_close(file);
    free(file);
    return status;
}

static cab_status close_csv(void *writer, cab_world *world, bool commit, cab_error *error)
{
    return close_last(writer, world, commit, write_csv, error);
}

static cab_status close_vtp(void *writer, cab_world *world, bool commit, cab_error *error)
{
    return close_last(writer, world, commit, cab_write_vtp, error);
}

const cab_output_kind cab_output_csv = {.endings = ".csv", .open = open_last, .close = close_csv};
const cab_output_kind cab_output_vtp = {.endings = ".vtp", .open = open_last, .close = close_vtp};

/* Output of all frames: .pvd, which names a .vtp for each. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "io/output_kind.h"
#include "io/writers.h"

typedef struct collection {
    char *path;
    cab_file main;
    cab_file *frames; /* finished but not renamed */
    double *times;    /* s */
    int first_frame;  /* of the world, that they begin with */
    int frame_count, capacity;
} collection;

static void destroy(collection *c)
{
    for (int i = 0; i < c->frame_count; i++) cab_file_close(&c->frames[i]);
    cab_file_close(&c->main);
    free(c->frames);
    free(c->times);
    free(c->path);
    free(c);
}

static cab_status open_pvd(void *user, const char *path, const cab_scene *scene, void **writer,
                           cab_error *error)
{
    (void)user, (void)scene;
    collection *c = calloc(1, sizeof *c);
    if (!c) return cab_fail_memory(error, "an output", sizeof *c);
    c->path = strdup(path);
    cab_status status = c->path ? cab_file_open(&c->main, path, error)
                                : cab_fail_memory(error, "a file name", strlen(path) + 1);
    if (status)
        destroy(c);
    else
        *writer = c;
    return status;
}

static cab_status make_room(collection *c, cab_error *error)
{
    if (c->frame_count < c->capacity) return CAB_OK;
    int capacity = c->capacity ? 2 * c->capacity : 64;
    cab_status status = CAB_RESIZE(c->frames, capacity, error);
    if (status == CAB_OK) status = CAB_RESIZE(c->times, capacity, error);
    if (status == CAB_OK) c->capacity = capacity;
    return status;
}

/* NAME_0000.vtp for NAME.pvd and frame 0, to be freed. */
static char *frame_path(const collection *c, int frame)
{
    size_t length = strlen(c->path) - strlen(".pvd");
    size_t size = length + 32;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%.*s_%04d.vtp", (int)length, c->path, frame);
    return path;
}

static cab_status write_frame(collection *c, const cab_snapshot *snapshot, cab_error *error)
{
    cab_status status = make_room(c, error);
    if (status) return status;
    char *path = frame_path(c, snapshot->info.frame);
    if (!path) return cab_fail_memory(error, "a file name", strlen(c->path) + 32);
    cab_file *file = &c->frames[c->frame_count];
    status = cab_file_open(file, path, error);
    free(path);
    if (status) return status;
    if (c->frame_count == 0) c->first_frame = snapshot->info.frame;
    c->times[c->frame_count++] = snapshot->info.time;
    status = cab_write_vtp(file, snapshot, error);
    return status ? status : cab_file_finish(file, error);
}

static cab_status frame_pvd(void *writer, cab_world *world, cab_error *error)
{
    cab_snapshot snapshot;
    cab_status status = cab_snapshot_take_all(world, &snapshot, error);
    if (status) return status;
    status = write_frame(writer, &snapshot, error);
    cab_snapshot_free(&snapshot);
    return status;
}

static cab_status write_collection(collection *c, cab_error *error)
{
    char *name = strdup(cab_path_name(c->path));
    if (!name) return cab_fail_memory(error, "a file name", strlen(c->path) + 1);
    name[strlen(name) - strlen(".pvd")] = '\0';
    cab_write_pvd(&c->main, name, c->times, c->first_frame, c->frame_count);
    free(name);
    return CAB_OK;
}

static cab_status close_pvd(void *writer, cab_world *world, bool commit, cab_error *error)
{
    (void)world;
    collection *c = writer;
    cab_status status = commit ? write_collection(c, error) : CAB_OK;
    if (commit && !status) status = cab_file_finish(&c->main, error);
    for (int i = 0; i < c->frame_count && commit && !status; i++)
        status = cab_file_rename(&c->frames[i], error);
    if (commit && !status) status = cab_file_rename(&c->main, error);
    destroy(c);
    return status;
}

const cab_output_kind cab_output_pvd = {
    .endings = ".pvd", .open = open_pvd, .frame = frame_pvd, .close = close_pvd};

/* Output of all frames: .pvd, which names a .vtp for each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "io/output_kind.h"
#include "io/writers.h"

typedef struct collection {
    const cab_polydata_source *source;
    char *path, *name; /* name: without folder and ending */
    cab_file main;
    FILE *
        frames; /* of each frame, which is finished but not renamed: what cab_file has for names, each with a zero behind */
    int frame_count;
} collection;

/* ---- frames that wait for their names, outside of memory ---- */

static bool put_name(FILE *stream, const char *name)
{
    size_t size = strlen(name ? name : "") + 1;
    return fwrite(name ? name : "", 1, size, stream) == size;
}

static cab_status keep_frame(collection *c, const cab_file *file, cab_error *error)
{
    errno = 0;
    if (put_name(c->frames, file->name) && put_name(c->frames, file->path) &&
        put_name(c->frames, file->temporary) && fflush(c->frames) == 0)
        return CAB_OK;
    return cab_fail(error, CAB_ERROR_IO, "%s: cannot write its scratch file: %s", c->path,
                    strerror(errno ? errno : EIO));
}

static cab_status take_frame(collection *c, cab_file *file, cab_error *error)
{
    char **const names[] = {&file->name, &file->path, &file->temporary};
    *file = (cab_file){0};
    for (int i = 0; i < 3; i++) {
        size_t room = 0;
        errno = 0;
        if (getdelim(names[i], &room, '\0', c->frames) < 0)
            return cab_fail(error, CAB_ERROR_IO, "%s: cannot read its scratch file: %s", c->path,
                            strerror(errno ? errno : EIO));
    }
    if (file->temporary[0]) return CAB_OK;
    free(file->temporary); /* a device, which has been written straight */
    file->temporary = NULL;
    return CAB_OK;
}

/* Gives all frames their names, or removes them; the rest is removed after a failure. */
static cab_status end_frames(collection *c, bool commit, cab_error *error)
{
    cab_status status = CAB_OK;
    rewind(c->frames);
    for (int i = 0; i < c->frame_count; i++) {
        cab_file file;
        cab_status taken = take_frame(c, &file, commit && !status ? error : NULL);
        if (!taken && commit && !status) status = cab_file_rename(&file, error);
        cab_file_close(&file);
        if (taken) return status ? status : taken;
    }
    c->frame_count = 0;
    return status;
}

static cab_status destroy(collection *c, cab_status status)
{
    if (c->frames) {
        end_frames(c, false, NULL);
        fclose(c->frames);
    }
    cab_file_close(&c->main);
    CAB_FREE(c->name, c->path, c);
    return status;
}

/* ---- the list of frames ---- */

static void list_frame(collection *c, double time, int frame)
{
    cab_file_print(&c->main, "<DataSet timestep=\"%.12g\" group=\"\" part=\"0\" file=\"", time);
    cab_file_print_xml(&c->main, c->name);
    cab_file_print(&c->main, "_%04d.vtp\"/>\n", frame);
}

static cab_status open_files(collection *c, const char *path, cab_error *error)
{
    c->path = strdup(path);
    c->name = strdup(cab_path_name(path));
    if (!c->path || !c->name) return cab_fail_memory(error, "a file name", strlen(path) + 1);
    c->name[strlen(c->name) - strlen(".pvd")] = '\0';
    cab_status status = cab_file_open(&c->main, path, error);
    if (status) return status;
    c->frames = cab_file_scratch(path);
    if (!c->frames)
        return cab_fail(error, CAB_ERROR_IO, "%s: cannot make its scratch file: %s", path, strerror(errno));
    cab_file_print(&c->main, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                             "byte_order=\"" CAB_VTK_BYTE_ORDER "\">\n<Collection>\n");
    return CAB_OK;
}

cab_status cab_output_open_pvd(void *user, const char *path, const cab_scene *scene, void **writer,
                               cab_error *error)
{
    (void)scene;
    collection *c = calloc(1, sizeof *c);
    if (!c) return cab_fail_memory(error, "an output", sizeof *c);
    c->source = user;
    cab_status status = open_files(c, path, error);
    if (status) return destroy(c, status);
    *writer = c;
    return CAB_OK;
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

static cab_status write_frame(collection *c, const cab_polydata *data, cab_error *error)
{
    cab_file file;
    char *path = frame_path(c, data->frame);
    if (!path) return cab_fail_memory(error, "a file name", strlen(c->path) + 32);
    cab_status status = cab_file_open(&file, path, error);
    free(path);
    if (status) return status;
    cab_write_polydata(&file, data);
    status = cab_file_finish(&file, error);
    if (!status) status = keep_frame(c, &file, error);
    if (!status) {
        c->frame_count++;
        list_frame(c, data->time, data->frame);
        CAB_FREE(file.temporary);
        file.temporary = NULL; /* it stays */
    }
    cab_file_close(&file);
    return status;
}

cab_status cab_output_frame_pvd(void *writer, cab_world *world, cab_error *error)
{
    collection *c = writer;
    cab_polydata data;
    cab_status status = c->source->take(c->source->self, world, &data, error);
    if (status) return status;
    status = write_frame(c, &data, error);
    cab_polydata_free(&data);
    return status;
}

cab_status cab_output_close_pvd(void *writer, cab_world *world, bool commit, cab_error *error)
{
    (void)world;
    collection *c = writer;
    cab_status status = CAB_OK;
    if (commit) {
        cab_file_print(&c->main, "</Collection>\n</VTKFile>\n");
        status = cab_file_finish(&c->main, error);
        if (!status) status = end_frames(c, true, error);
        if (!status) status = cab_file_rename(&c->main, error);
    }
    return destroy(c, status);
}

static cab_polydata_source cables = {NULL, cab_polydata_of_cables};

const cab_output_kind cab_output_pvd = {.endings = ".pvd",
                                        .user = &cables,
                                        .open = cab_output_open_pvd,
                                        .frame = cab_output_frame_pvd,
                                        .close = cab_output_close_pvd};

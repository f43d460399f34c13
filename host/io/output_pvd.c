/* Output of all frames: .pvd, which names a .vtp for each. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/path.h"
#include "io/output_kind.h"
#include "io/writers.h"

typedef struct collection {
    const cab_polydata_source *source;
    char *path;
    cab_file main;
    cab_file *frames; /* finished but not renamed */
    double *times;    /* s */
    int first_frame;  /* of the world, that they begin with */
    int frame_count;
} collection;

static void destroy(collection *c)
{
    for (int i = 0; i < c->frame_count; i++) cab_file_close(&c->frames[i]);
    cab_file_close(&c->main);
    CAB_FREE(c->frames, c->times, c->path, c);
}

cab_status cab_output_open_pvd(void *user, const char *path, const cab_scene *scene, void **writer,
                               cab_error *error)
{
    (void)scene;
    collection *c = calloc(1, sizeof *c);
    if (!c) return cab_fail_memory(error, "an output", sizeof *c);
    c->source = user;
    c->path = strdup(path);
    cab_status status = c->path ? cab_file_open(&c->main, path, error)
                                : cab_fail_memory(error, "a file name", strlen(path) + 1);
    if (status)
        destroy(c);
    else
        *writer = c;
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

static cab_status write_frame(collection *c, const cab_polydata *data, cab_error *error)
{
    cab_status status = CAB_ONE_MORE(c->frames, c->frame_count, error);
    if (!status) status = CAB_ONE_MORE(c->times, c->frame_count, error);
    if (status) return status;
    char *path = frame_path(c, data->frame);
    if (!path) return cab_fail_memory(error, "a file name", strlen(c->path) + 32);
    cab_file *file = &c->frames[c->frame_count];
    status = cab_file_open(file, path, error);
    free(path);
    if (status) return status;
    if (c->frame_count == 0) c->first_frame = data->frame;
    c->times[c->frame_count++] = data->time;
    cab_write_polydata(file, data);
    return cab_file_finish(file, error);
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

/* `name` is without folder and ending. */
static void write_list(cab_file *file, const char *name, const double *times, int first, int count)
{
    cab_file_print(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                         "byte_order=\"" CAB_VTK_BYTE_ORDER "\">\n<Collection>\n");
    for (int i = 0; i < count; i++) {
        cab_file_print(file, "<DataSet timestep=\"%.12g\" group=\"\" part=\"0\" file=\"", times[i]);
        write_escaped(file, name);
        cab_file_print(file, "_%04d.vtp\"/>\n", first + i);
    }
    cab_file_print(file, "</Collection>\n</VTKFile>\n");
}

static cab_status write_collection(collection *c, cab_error *error)
{
    char *name = strdup(cab_path_name(c->path));
    if (!name) return cab_fail_memory(error, "a file name", strlen(c->path) + 1);
    name[strlen(name) - strlen(".pvd")] = '\0';
    write_list(&c->main, name, c->times, c->first_frame, c->frame_count);
    free(name);
    return CAB_OK;
}

cab_status cab_output_close_pvd(void *writer, cab_world *world, bool commit, cab_error *error)
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

static cab_polydata_source cables = {NULL, cab_polydata_of_cables};

const cab_output_kind cab_output_pvd = {.endings = ".pvd",
                                        .user = &cables,
                                        .open = cab_output_open_pvd,
                                        .frame = cab_output_frame_pvd,
                                        .close = cab_output_close_pvd};

/* Outputs that are tables, which grow by rows with each frame. */
#include <stdlib.h>

#include "base/error.h"
#include "io/output_kind.h"

typedef struct table {
    const cab_table_format *format;
    cab_file file;
    void *rows;
    bool begun;
} table;

cab_status cab_output_open_table(void *user, const char *path, const cab_scene *scene, void **writer,
                                 cab_error *error)
{
    (void)scene;
    table *t = calloc(1, sizeof *t);
    if (!t) return cab_fail_memory(error, "an output", sizeof *t);
    t->format = user;
    cab_status status = cab_file_open(&t->file, path, error);
    if (status)
        free(t);
    else
        *writer = t;
    return status;
}

cab_status cab_output_frame_table(void *writer, cab_world *world, cab_error *error)
{
    table *t = writer;
    cab_status status = t->begun ? CAB_OK : t->format->begin(world, &t->file, &t->rows, error);
    if (status) return status;
    t->begun = true;
    return t->format->write(t->rows, world, &t->file, error);
}

cab_status cab_output_close_table(void *writer, cab_world *world, bool commit, cab_error *error)
{
    (void)world;
    table *t = writer;
    cab_status status = commit ? cab_file_finish(&t->file, error) : CAB_OK;
    if (commit && !status) status = cab_file_rename(&t->file, error);
    cab_file_close(&t->file);
    t->format->free(t->rows);
    free(t);
    return status;
}

/* What probes say over time: `--probes FILE.csv`, a row for each probe and frame. Rows are written as frames come, so memory holds
 * one frame. */
#include <stdlib.h>

#include "base/error.h"
#include "io/output_kind.h"
#include "io/writers.h"
#include "world/probes.h"

typedef struct table {
    cab_file file;
    cab_probes probes; /* listed with the first frame */
    bool begun;
} table;

static cab_status open_table(void *user, const char *path, const cab_scene *scene, void **writer,
                             cab_error *error)
{
    (void)user, (void)scene;
    table *t = calloc(1, sizeof *t);
    if (!t) return cab_fail_memory(error, "an output", sizeof *t);
    cab_status status = cab_file_open(&t->file, path, error);
    if (status)
        free(t);
    else
        *writer = t;
    return status;
}

static cab_status begin(table *t, const cab_world *world, cab_error *error)
{
    cab_status status = cab_probes_list(world, &t->probes, error);
    if (status) return status;
    cab_file_print(&t->file, "t,probe,x,y,z");
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++)
        cab_file_print(&t->file, ",%s", cab_probe_quantities[q].name);
    cab_file_write(&t->file, "\n", 1);
    t->begun = true;
    return CAB_OK;
}

static void write_row(cab_file *file, double time, const char *name, const cab_probe_reading *reading)
{
    cab_vec3 x = reading->position;
    cab_file_print(file, "%.9g,", time);
    cab_write_csv_text(file, name);
    /* adding 0 makes -0 a plain 0 */
    cab_file_print(file, ",%.9g,%.9g,%.9g", x.x + 0, x.y + 0, x.z + 0);
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++)
        cab_file_print(file, ",%.9g", cab_probe_value(reading, q) + 0);
    cab_file_write(file, "\n", 1);
}

static cab_status write_frame(void *writer, cab_world *world, cab_error *error)
{
    table *t = writer;
    cab_status status = t->begun ? CAB_OK : begin(t, world, error);
    if (!status) status = cab_world_read_probes(world, t->probes.reading, error);
    double time = cab_world_get_info(world).time;
    for (int i = 0; i < t->probes.count && !status; i++)
        write_row(&t->file, time, t->probes.info[i].name, &t->probes.reading[i]);
    return status;
}

static cab_status close_table(void *writer, cab_world *world, bool commit, cab_error *error)
{
    (void)world;
    table *t = writer;
    cab_status status = commit ? cab_file_finish(&t->file, error) : CAB_OK;
    if (commit && !status) status = cab_file_rename(&t->file, error);
    cab_file_close(&t->file);
    cab_probes_free(&t->probes);
    free(t);
    return status;
}

const cab_output_kind cab_output_probes = {
    .endings = ".csv", .open = open_table, .frame = write_frame, .close = close_table};

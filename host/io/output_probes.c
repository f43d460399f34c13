/* What probes say over time: `--probes FILE.csv`, a row for each probe and frame. */
#include <stdlib.h>

#include "base/error.h"
#include "io/output_kind.h"
#include "io/writers.h"
#include "world/probes.h"

static void free_rows(void *rows)
{
    if (rows) cab_probes_free(rows);
    free(rows);
}

static cab_status begin(const cab_world *world, cab_file *file, void **rows, cab_error *error)
{
    cab_probes *probes = calloc(1, sizeof *probes);
    *rows = probes;
    if (!probes) return cab_fail_memory(error, "an output", sizeof *probes);
    cab_status status = cab_probes_list(world, probes, error);
    if (status) return status;
    cab_file_print(file, "t,probe,x,y,z");
    for (int q = 0; q < CAB_PROBE_QUANTITIES; q++) cab_file_print(file, ",%s", cab_probe_quantities[q].name);
    cab_file_write(file, "\n", 1);
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

static cab_status write(void *rows, cab_world *world, cab_file *file, cab_error *error)
{
    const cab_probes *probes = rows;
    cab_status status = cab_world_read_probes(world, probes->reading, error);
    double time = cab_world_get_info(world).time;
    for (int i = 0; i < probes->count && !status; i++)
        write_row(file, time, probes->info[i].name, &probes->reading[i]);
    return status;
}

static cab_table_format probes = {begin, write, free_rows};

const cab_output_kind cab_output_probes = {.endings = ".csv",
                                           .user = &probes,
                                           .open = cab_output_open_table,
                                           .frame = cab_output_frame_table,
                                           .close = cab_output_close_table};

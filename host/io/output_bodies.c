/* Where bodies are over time: `--bodies FILE.csv`, a row for each body and frame. Rows are written as frames come, so memory holds one
 * frame. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "io/output_kind.h"
#include "io/writers.h"

typedef struct table {
    cab_file file;
    int count;
    cab_body_info *infos;       /* [count], with the first frame */
    cab_body_reading *readings; /* [count] */
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
    t->count = cab_world_get_bodies(world, NULL, 0);
    cab_status status = CAB_NEW(t->readings, t->count, error);
    if (!status) status = CAB_NEW(t->infos, t->count, error);
    if (status) return status;
    cab_world_get_bodies(world, t->infos, t->count);
    cab_file_print(&t->file, "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
    return CAB_OK;
}

/* Adding 0 makes -0 a plain 0. */
static void write_vector(cab_file *file, cab_vec3 v)
{
    cab_file_print(file, ",%.9g,%.9g,%.9g", v.x + 0, v.y + 0, v.z + 0);
}

static void write_row(cab_file *file, double time, const char *name, const cab_body_reading *reading)
{
    const double *q = reading->rotation;
    cab_vec3 arm = cab_vec3_sub(reading->position, reading->center);
    cab_file_print(file, "%.9g,", time);
    cab_write_csv_text(file, name);
    write_vector(file, reading->position);
    cab_file_print(file, ",%.9g,%.9g,%.9g,%.9g", q[0] + 0, q[1] + 0, q[2] + 0, q[3] + 0);
    write_vector(file, cab_vec3_add(reading->velocity, cab_vec3_cross(reading->spin, arm)));
    write_vector(file, reading->spin);
    cab_file_write(file, "\n", 1);
}

static cab_status write_frame(void *writer, cab_world *world, cab_error *error)
{
    table *t = writer;
    cab_status status = t->infos ? CAB_OK : begin(t, world, error);
    if (!status) status = cab_world_read_bodies(world, t->readings, error);
    double time = cab_world_get_info(world).time;
    for (int i = 0; i < t->count && !status; i++)
        write_row(&t->file, time, t->infos[i].name, &t->readings[i]);
    return status;
}

static cab_status close_table(void *writer, cab_world *world, bool commit, cab_error *error)
{
    (void)world;
    table *t = writer;
    cab_status status = commit ? cab_file_finish(&t->file, error) : CAB_OK;
    if (commit && !status) status = cab_file_rename(&t->file, error);
    cab_file_close(&t->file);
    CAB_FREE(t->infos, t->readings);
    free(t);
    return status;
}

const cab_output_kind cab_output_bodies = {
    .endings = ".csv", .open = open_table, .frame = write_frame, .close = close_table};

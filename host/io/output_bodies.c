/* Where bodies are over time: `--bodies FILE.csv`, a row for each body and frame. */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/vec3.h"
#include "io/output_kind.h"
#include "io/writers.h"

typedef struct bodies {
    int count;
    cab_body_info *infos;       /* [count] */
    cab_body_reading *readings; /* [count] */
} bodies;

static void free_rows(void *rows)
{
    bodies *b = rows;
    if (b) CAB_FREE(b->infos, b->readings);
    free(b);
}

static cab_status begin(const cab_world *world, cab_file *file, void **rows, cab_error *error)
{
    bodies *b = calloc(1, sizeof *b);
    *rows = b;
    if (!b) return cab_fail_memory(error, "an output", sizeof *b);
    b->count = cab_world_get_bodies(world, NULL, 0);
    cab_status status = CAB_NEW(b->readings, b->count, error);
    if (!status) status = CAB_NEW(b->infos, b->count, error);
    if (status) return status;
    cab_world_get_bodies(world, b->infos, b->count);
    cab_file_print(file, "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz\n");
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
    write_vector(file, reading->force);
    write_vector(file, reading->torque);
    cab_file_write(file, "\n", 1);
}

static cab_status write(void *rows, cab_world *world, cab_file *file, cab_error *error)
{
    const bodies *b = rows;
    cab_status status = cab_world_read_bodies(world, b->readings, error);
    double time = cab_world_get_info(world).time;
    for (int i = 0; i < b->count && !status; i++) write_row(file, time, b->infos[i].name, &b->readings[i]);
    return status;
}

static cab_table_format table = {begin, write, free_rows};

const cab_output_kind cab_output_bodies = {.endings = ".csv",
                                           .user = &table,
                                           .open = cab_output_open_table,
                                           .frame = cab_output_frame_table,
                                           .close = cab_output_close_table};

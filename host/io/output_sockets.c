/* How deep plugs are in their sockets over time: `--sockets FILE.csv`, a row for each socket and frame. */
#include <stdlib.h>

#include <clcable/contacts.h>

#include "base/array.h"
#include "base/error.h"
#include "io/output_kind.h"
#include "io/socket_words.h"
#include "io/writers.h"

typedef struct sockets {
    int count;
    cab_socket_info *infos;       /* [count] */
    cab_socket_reading *readings; /* [count] */
} sockets;

static void free_rows(void *rows)
{
    sockets *s = rows;
    if (s) CAB_FREE(s->infos, s->readings);
    free(s);
}

static cab_status begin(const cab_world *world, cab_file *file, void **rows, cab_error *error)
{
    sockets *s = calloc(1, sizeof *s);
    *rows = s;
    if (!s) return cab_fail_memory(error, "an output", sizeof *s);
    s->count = cab_world_get_sockets(world, NULL, 0);
    cab_status status = CAB_NEW(s->readings, s->count, error);
    if (!status) status = CAB_NEW(s->infos, s->count, error);
    if (status) return status;
    cab_world_get_sockets(world, s->infos, s->count);
    cab_file_print(file, "t,socket,phase,depth,pull,fx,fy,fz,tx,ty,tz\n");
    return CAB_OK;
}

static void write_row(cab_file *file, double time, const char *name, const cab_socket_reading *r)
{
    const double numbers[] = {r->depth,   r->pull,     r->force.x,  r->force.y,
                              r->force.z, r->torque.x, r->torque.y, r->torque.z};
    cab_file_print(file, "%.9g,", time);
    cab_write_csv_text(file, name);
    cab_file_print(file, ",%s", cab_socket_phase_word(r->phase));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        cab_file_print(file, ",%.9g", numbers[i] + 0); /* -0 is a plain 0 then */
    cab_file_write(file, "\n", 1);
}

static cab_status write(void *rows, cab_world *world, cab_file *file, cab_error *error)
{
    const sockets *s = rows;
    cab_status status = cab_world_read_sockets(world, s->readings, error);
    double time = cab_world_get_info(world).time;
    for (int i = 0; i < s->count && !status; i++) write_row(file, time, s->infos[i].name, &s->readings[i]);
    return status;
}

static cab_table_format table = {begin, write, free_rows};

const cab_output_kind cab_output_sockets = {.endings = ".csv",
                                            .user = &table,
                                            .open = cab_output_open_table,
                                            .frame = cab_output_frame_table,
                                            .close = cab_output_close_table};

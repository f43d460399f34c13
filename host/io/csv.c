/* The format .csv: a line for each node. */
#include <string.h>

#include "io/writers.h"

void cab_write_csv_text(cab_file *file, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        cab_file_write(file, text, strlen(text));
        return;
    }
    cab_file_write(file, "\"", 1);
    for (; *text; text++) {
        if (*text == '"') cab_file_write(file, "\"", 1);
        cab_file_write(file, text, 1);
    }
    cab_file_write(file, "\"", 1);
}

static void write_rows(cab_file *file, const cab_snapshot *snapshot, const char *name, int first, int count)
{
    for (int i = 0; i < count; i++) {
        size_t node = (size_t)(first + i);
        const double *x = &snapshot->position[3 * node], *v = &snapshot->velocity[3 * node];
        cab_write_csv_text(file, name);
        /* adding 0 makes -0 a plain 0 */
        cab_file_print(file, ",%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", i, x[0] + 0, x[1] + 0, x[2] + 0,
                       v[0] + 0, v[1] + 0, v[2] + 0, snapshot->tension[node] + 0);
        if (snapshot->torque) cab_file_print(file, ",%.9g", snapshot->torque[node] + 0);
        cab_file_write(file, "\n", 1);
    }
}

cab_status cab_write_csv(cab_file *file, const cab_snapshot *snapshot, cab_error *error)
{
    (void)error;
    cab_file_print(file, "cable,particle,x,y,z,vx,vy,vz,tension%s\n", snapshot->torque ? ",torque" : "");
    for (int b = 0; b < cab_snapshot_bodies(snapshot); b++) {
        cab_body body = cab_snapshot_body(snapshot, b);
        write_rows(file, snapshot, body.name, body.first_node, body.node_count);
    }
    return CAB_OK;
}

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

void cab_write_csv(cab_file *file, const cab_snapshot *snapshot)
{
    cab_file_print(file, "cable,particle,x,y,z,vx,vy,vz,tension\n");
    for (int c = 0; c < snapshot->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(snapshot->world, c);
        for (int i = 0; i < cable.node_count; i++) {
            size_t node = (size_t)(cable.first_node + i);
            const double *x = &snapshot->position[3 * node], *v = &snapshot->velocity[3 * node];
            cab_write_csv_text(file, cable.name);
            /* adding 0 makes -0 a plain 0 */
            cab_file_print(file, ",%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", i, x[0] + 0, x[1] + 0, x[2] + 0,
                           v[0] + 0, v[1] + 0, v[2] + 0, snapshot->tension[node] + 0);
        }
    }
}

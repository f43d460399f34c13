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
        cab_file_print(file, ",%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", i, x[0] + 0, x[1] + 0, x[2] + 0,
                       v[0] + 0, v[1] + 0, v[2] + 0, snapshot->tension[node] + 0);
    }
}

void cab_write_csv(cab_file *file, const cab_snapshot *snapshot)
{
    cab_file_print(file, "cable,particle,x,y,z,vx,vy,vz,tension\n");
    for (int c = 0; c < snapshot->info.cables; c++) {
        cab_cable_info cable = cab_world_get_cable(snapshot->world, c);
        write_rows(file, snapshot, cable.name, cable.first_node, cable.node_count);
    }
    for (int i = 0; i < snapshot->info.sheets; i++) {
        cab_sheet_info sheet = cab_world_get_sheet(snapshot->world, i);
        write_rows(file, snapshot, sheet.name, sheet.first_node, sheet.node_count);
    }
}

/* libFuzzer target for meshes: the first byte chooses the format, the rest is the file; what can be read is
 * made into tables. */
#include <stdint.h>
#include <stdlib.h>

#include "io/mesh_file.h"
#include "model/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    cab_mesh mesh = {0};
    cab_mesh_tables tables = {0};
    cab_mesh_facts facts;
    cab_error error = {0};
    const char *file = data[0] & 1 ? "fuzz.obj" : "fuzz.stl";
    cab_status status = cab_mesh_parse(file, (const char *)data + 1, size - 1, &mesh, &error);
    if (status == CAB_OK) status = cab_mesh_add(&tables, &mesh, 1, 0, &facts, &error);
    if (status != CAB_OK && (error.status != status || !error.message[0])) abort();
    cab_mesh_tables_free(&tables);
    cab_mesh_free(&mesh);
    return 0;
}

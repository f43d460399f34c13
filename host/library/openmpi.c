#define CAB_LIBRARY_TABLE cab_openmpi_table
#include "library/openmpi.h"

cab_openmpi_table cab_openmpi;

/* The file's name has the version of the interface. */
cab_status cab_openmpi_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libmpi.so.40", "libmpi.so.20", "libmpi.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_OPENMPI_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "Open MPI",
                                  .package = "libopenmpi3 in Debian, openmpi in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_openmpi,
                                  .global = true};
    return cab_library_load(&library, user, error);
}

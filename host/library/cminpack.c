#define CAB_LIBRARY_TABLE cab_cminpack_table
#include "library/cminpack.h"

cab_cminpack_table cab_cminpack;

/* It does not tell its version: the file's name has that of the interface. */
cab_status cab_cminpack_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libcminpack.so.1", "libcminpack.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_CMINPACK_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "cminpack",
                                  .package = "libcminpack1 in Debian, cminpack in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_cminpack};
    return cab_library_load(&library, user, error);
}

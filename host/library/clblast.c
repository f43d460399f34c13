#define CAB_LIBRARY_TABLE cab_clblast_table
#include "library/clblast.h"

cab_clblast_table cab_clblast;

/* It does not tell its version: the file's name has that of the interface. */
cab_status cab_clblast_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libclblast.so.1", "libclblast.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_CLBLAST_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "CLBlast",
                                  .package = "libclblast1 in Debian, clblast in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_clblast};
    return cab_library_load(&library, user, error);
}

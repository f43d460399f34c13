#define CAB_LIBRARY_TABLE cab_libpng_table
#include "library/libpng.h"

cab_libpng_table cab_libpng;

/* The file's name has the version of the interface. */
cab_status cab_libpng_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libpng16.so.16", "libpng16.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_LIBPNG_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "libpng",
                                  .package = "libpng16-16 in Debian, libpng in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_libpng};
    return cab_library_load(&library, user, error);
}

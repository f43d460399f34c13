#define CAB_LIBRARY_TABLE cab_libzip_table
#include "library/libzip.h"

#include <stdio.h>

cab_libzip_table cab_libzip;

static bool check(char *found, size_t size)
{
    int major = 0, minor = 0;
    snprintf(found, size, "%s", cab_libzip.zip_libzip_version());
    return sscanf(found, "%d.%d", &major, &minor) == 2 && major == 1 && minor >= 6;
}

cab_status cab_libzip_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libzip.so.4", "libzip.so.5", "libzip.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_LIBZIP_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "libzip",
                                  .package = "libzip4 in Debian, libzip in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_libzip,
                                  .versions = "1.6 or later",
                                  .check = check};
    return cab_library_load(&library, user, error);
}

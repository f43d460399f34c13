#define CAB_LIBRARY_TABLE cab_libxml2_table
#include "library/libxml2.h"

#include <stdio.h>
#include <stdlib.h>

cab_libxml2_table cab_libxml2;

/* The version is a number such as 20914 for 2.9.14. Fields of its structs are read, which lie elsewhere from 2.14 on: that has another
 * file name. */
static bool check(char *found, size_t size)
{
    int version = atoi(*cab_libxml2.__xmlParserVersion());
    snprintf(found, size, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return version >= 20900 && version < 21400;
}

cab_status cab_libxml2_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libxml2.so.2", "libxml2.2.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_LIBXML2_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "libxml2",
                                  .package = "libxml2 in Debian 12 and Fedora, libxml2-legacy in Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_libxml2,
                                  .versions = "2.9 to 2.13",
                                  .check = check};
    return cab_library_load(&library, user, error);
}

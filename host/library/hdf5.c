#define CAB_LIBRARY_TABLE cab_hdf5_table
#include "library/hdf5.h"

#include <stdio.h>

cab_hdf5_table cab_hdf5;

/* HDF5 1.10 dies at the program's end over a file whose disk was full: it would try once more to close it. All of ours are closed
 * by then, or given up. Said before anything else, or it does not count. */
static bool check(char *found, size_t size)
{
    unsigned major = 0, minor = 0, release = 0;
    cab_hdf5.H5dont_atexit();
    if (cab_hdf5.H5get_libversion(&major, &minor, &release) < 0) return false;
    snprintf(found, size, "%u.%u.%u", major, minor, release);
    return major == 1 && minor >= 10;
}

cab_status cab_hdf5_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libhdf5_serial.so.103",
                                        "libhdf5.so.103",
                                        "libhdf5_serial.so.310",
                                        "libhdf5.so.310",
                                        "libhdf5.so.200",
                                        "libhdf5.dylib",
                                        NULL};
    static const cab_library_symbol symbols[] = {CAB_HDF5_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "HDF5",
                                  .package = "libhdf5-103-1 in Debian 12, hdf5 in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_hdf5,
                                  .versions = "1.10 to 1.14",
                                  .check = check};
    return cab_library_load(&library, user, error);
}

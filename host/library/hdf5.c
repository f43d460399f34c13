#define CAB_LIBRARY_TABLE cab_hdf5_table
#include "library/hdf5.h"

cab_hdf5_table cab_hdf5;

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
                                  .table = &cab_hdf5};
    return cab_library_load(&library, user, error);
}

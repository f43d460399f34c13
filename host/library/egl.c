#define CAB_LIBRARY_TABLE cab_egl_table
#include "library/egl.h"

cab_egl_table cab_egl;

/* The file's name has the version of the interface. */
cab_status cab_egl_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libEGL.so.1", NULL};
    static const cab_library_symbol symbols[] = {CAB_EGL_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "EGL",
                                  .package = "libegl1 in Debian, libglvnd-egl in Fedora, libglvnd in Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_egl};
    return cab_library_load(&library, user, error);
}

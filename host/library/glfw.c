#define CAB_LIBRARY_TABLE cab_glfw_table
#include "library/glfw.h"

#include <stdio.h>

cab_glfw_table cab_glfw;

static bool check(char *found, size_t size)
{
    int major = 0, minor = 0, revision = 0;
    cab_glfw.glfwGetVersion(&major, &minor, &revision);
    snprintf(found, size, "%d.%d.%d", major, minor, revision);
    return major == 3 && minor >= 3;
}

cab_status cab_glfw_load(const char *user, cab_error *error)
{
    static const char *const files[] = {"libglfw.so.3", "libglfw.3.dylib", NULL};
    static const cab_library_symbol symbols[] = {CAB_GLFW_SYMBOLS(CAB_LIBRARY_ROW){NULL, 0}};
    static cab_library library = {.name = "GLFW",
                                  .package = "libglfw3 in Debian, glfw in Fedora and Arch",
                                  .files = files,
                                  .symbols = symbols,
                                  .table = &cab_glfw,
                                  .versions = "3.3 or later",
                                  .check = check};
    return cab_library_load(&library, user, error);
}

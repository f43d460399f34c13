/* Comes before the source of OpenGL's loader, which compares names of extensions that there was no memory to copy. */
#include <string.h>

static inline int cab_compare_names(const char *one, const char *other)
{
    return one ? strcmp(one, other) : 1;
}
#define strcmp cab_compare_names

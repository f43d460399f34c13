/* Which files are KBL; here, too, where KBL cannot be read. */
#include "io/kbl/convert.h"

#include <string.h>
#include <strings.h>

bool cab_kbl_is(const char *file)
{
    size_t length = strlen(file);
    return length >= 4 && strcasecmp(file + length - 4, ".kbl") == 0;
}

/* Which files are KBL; here, too, where KBL cannot be read. */
#include "io/kbl/convert.h"

#include "base/path.h"

bool cab_kbl_is(const char *file)
{
    return cab_path_ends(file, ".kbl");
}

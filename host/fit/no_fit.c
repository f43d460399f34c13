/* `fit` in a build without cminpack. */
#include <clcable/fit.h>

#include "base/error.h"

cab_status cab_fit(const cab_fit_def *def, cab_fit_found *found, cab_error *error)
{
    (void)def;
    *found = (cab_fit_found){0};
    return cab_fail(
        error, CAB_ERROR_UNSUPPORTED,
        "fit: this build is without cminpack, which looks for least squares; `scripts/setup` installs "
        "it, then configure anew with -DCLCABLE_FIT=ON");
}

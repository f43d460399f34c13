/* KBL in a build without libxml2. */
#include "base/error.h"
#include "io/kbl/convert.h"

static cab_status refuse(const char *file, cab_error *error)
{
    return cab_fail(
        error, CAB_ERROR_UNSUPPORTED,
        "%s: this build is without libxml2, which reads KBL; `scripts/setup` installs it, then configure "
        "anew with -DCLCABLE_KBL=ON",
        file);
}

cab_status cab_kbl_document(const char *file, const char *text, size_t size, const char *const *overrides,
                            int override_count, json_t **document, cab_error *error)
{
    (void)text, (void)size, (void)overrides, (void)override_count, (void)document;
    return refuse(file, error);
}

cab_status cab_kbl_to_harness(const char *file, const char *text, size_t size, const char *target,
                              char **made, size_t *made_size, json_t **losses, cab_error *error)
{
    (void)text, (void)size, (void)target, (void)made, (void)made_size;
    if (losses) *losses = NULL;
    return refuse(file, error);
}

/* `fit` in a build without cminpack. */
#include "cli/cli.h"
#include "cli/options.h"

#define WITHOUT                                                                                              \
    "this build is without cminpack, which looks for least squares; `scripts/setup` installs it, then "      \
    "configure anew with -DCLCABLE_FIT=ON"

static int fit(const cab_options *options, const char *file)
{
    (void)options, (void)file;
    cab_cli_error("fit: " WITHOUT);
    return CAB_EXIT_USAGE;
}

const cab_command cab_cmd_fit = {
    "fit", ~0u, NULL, fit,
    "usage: clcable fit SCENE TRACKS.csv --find POINTER=FROM:TO\n\nNot here: " WITHOUT
    ".\n\nexample: clcable fit droop.json droop.csv --find /materials/wire/bending_stiffness=1e-5:1e-2\n"};

/* `formboard` in a build without libxml2. */
#include "cli/cli.h"
#include "cli/options.h"

#define WITHOUT                                                                                              \
    "this build is without libxml2, which reads harnesses; `scripts/setup` installs it, then configure "     \
    "anew with "                                                                                             \
    "-DCLCABLE_KBL=ON"

static int formboard(const cab_options *options, const char *file)
{
    (void)options, (void)file;
    cab_cli_error("formboard: " WITHOUT);
    return CAB_EXIT_USAGE;
}

const cab_command cab_cmd_formboard = {"formboard", ~0u, NULL, formboard,
                                       "usage: clcable formboard HARNESS -o FOLDER/\n\nNot here: " WITHOUT
                                       ".\n\nexample: clcable formboard scenes/loom.kbl -o loom/\n"};

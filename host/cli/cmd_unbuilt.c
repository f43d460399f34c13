/* A sub-command that is planned: convert. It says so. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int cab_cmd_unbuilt(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h")) continue;
        printf("usage: clcable %s IN OUT\n\nNot built yet.\n\nexample: clcable %s harness.kbl harness.json\n",
               argv[0], argv[0]);
        return CAB_EXIT_DONE;
    }
    cab_cli_error("%s: not built yet", argv[0]);
    return CAB_EXIT_USAGE;
}

/* Sub-commands that are planned: view, render, convert. They say so. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int cab_cmd_unbuilt(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h")) continue;
        bool convert = strcmp(argv[0], "convert") == 0;
        printf("usage: clcable %s %s\n\nNot built yet.\n\nexample: clcable %s %s\n", argv[0],
               convert ? "IN OUT" : "SCENE", argv[0],
               convert ? "harness.kbl harness.json" : "scenes/knot.json");
        return CAB_EXIT_DONE;
    }
    cab_cli_error("%s: not built yet", argv[0]);
    return CAB_EXIT_USAGE;
}

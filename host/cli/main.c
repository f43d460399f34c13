/* The command line: finds the sub-command and hands over. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "model/scene.h"

static const char usage[] = "usage: clcable COMMAND [options]\n"
                            "\n"
                            "Simulates cables: thousands of them, on the CPU or on an OpenCL device.\n"
                            "\n"
                            "  run SCENE       simulate a scene and write what came out\n"
                            "  check SCENE     read and validate a scene, run nothing\n"
                            "  devices         list the devices that --device accepts\n"
                            "  bench [CASE...] time the benchmark cases, devices side by side\n"
                            "  tune SCENE      find the fastest way to run such scenes here, for `auto`\n"
                            "  sweep SCENE     run thousands of variants of a scene at once\n"
                            "  study NAME      what the sources measured, anew: stiffness, particles\n"
                            "  view SCENE      interactive window\n"
                            "  render SCENE    pictures and videos of a run, without a screen\n"
                            "  report SCENE    what cables go through, against limits: a page with pictures\n"
                            "  convert IN OUT  a wire harness (KBL) to a scene\n"
                            "\n"
                            "  --help          this text; `clcable COMMAND --help` tells more\n"
                            "  --version       the version\n"
                            "\n"
                            "example: clcable run scenes/curtain.json -o curtain.csv\n";

static const cab_command *const commands[] = {
    &cab_cmd_run,  &cab_cmd_check,  &cab_cmd_devices, &cab_cmd_bench,  &cab_cmd_tune,  &cab_cmd_study,
    &cab_cmd_view, &cab_cmd_render, &cab_cmd_convert, &cab_cmd_report, &cab_cmd_sweep,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static int unknown(const char *word)
{
    bool option = word[0] == '-';
    const char *names[COMMAND_COUNT + 2];
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i]->name;
    names[COMMAND_COUNT] = "--help";
    names[COMMAND_COUNT + 1] = "--version";
    const char *const *first = option ? names + COMMAND_COUNT : names;
    const char *near = cab_nearest(word, first, option ? 2 : COMMAND_COUNT);
    const char *what = option ? "option" : "command";
    if (near) {
        cab_cli_error("unknown %s '%s', did you mean '%s'?", what, word, near);
    } else {
        cab_cli_error("unknown %s '%s', see 'clcable --help'", what, word);
    }
    return CAB_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        cab_cli_error("expected a command, see 'clcable --help'");
        return CAB_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        fputs(usage, stdout);
        return cab_cli_finish(CAB_EXIT_DONE);
    }
    if (strcmp(word, "--version") == 0) {
        printf("clcable %s\n", cab_version());
        return cab_cli_finish(CAB_EXIT_DONE);
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i]->name) == 0)
            return cab_cli_finish(cab_command_run(commands[i], argc - 1, argv + 1));
    }
    return unknown(word);
}

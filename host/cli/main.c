/* The command line: finds the sub-command and hands over. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "io/inputs.h"
#include "model/scene.h"

static const cab_command *const commands[] = {
    &cab_cmd_run,   &cab_cmd_check, &cab_cmd_devices,   &cab_cmd_bench,   &cab_cmd_tune,
    &cab_cmd_study, &cab_cmd_view,  &cab_cmd_render,    &cab_cmd_convert, &cab_cmd_report,
    &cab_cmd_sweep, &cab_cmd_fit,   &cab_cmd_formboard,
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
    if (near)
        cab_cli_error("unknown %s '%s', did you mean '%s'?", what, word, near);
    else
        cab_cli_error("unknown %s '%s', see 'clcable --help'", what, word);
    return CAB_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        cab_cli_error("expected a command, see 'clcable --help'");
        return CAB_EXIT_USAGE;
    }
    cab_json_watch_memory();
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        fputs(cab_help_text("clcable"), stdout);
        return cab_cli_finish(CAB_EXIT_DONE);
    }
    if (strcmp(word, "--version") == 0) {
        printf("clcable %s\n", cab_version());
        return cab_cli_finish(CAB_EXIT_DONE);
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i]->name) == 0) {
            if (commands[i] != &cab_cmd_view)
                cab_inputs_record(); /* which saves scenes where they came from */
            return cab_cli_finish(cab_command_run(commands[i], argc - 1, argv + 1));
        }
    return unknown(word);
}

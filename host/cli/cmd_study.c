/* clcable study: finds the study that is meant. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/study_commands.h"

cab_status cab_study_write_file(const char *folder, const char *name, cab_file_content *content,
                                const void *of, cab_error *error)
{
    char path[4096];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cab_fail(error, CAB_ERROR_IO, "%s: %s", folder, strerror(errno));
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return cab_fail(error, CAB_ERROR_IO, "%s: the name is too long", folder);
    return cab_file_make(path, content, of, error);
}

static int study(const cab_options *options, const char *name)
{
    const cab_word_list *outputs = &options->outputs;
    bool particles = strcmp(name, "particles") == 0;
    if (!particles && strcmp(name, "stiffness") != 0)
        cab_cli_error("study: expected \"stiffness\" or \"particles\", got '%s'", name);
    else if (!particles && options->json)
        cab_cli_error("study stiffness: takes no --json");
    else if (outputs->count > 1)
        cab_cli_error("study: --out is given twice, '%s' and '%s'", outputs->word[0], outputs->word[1]);
    else if (cab_options_agree(options, "study", 1))
        return particles ? cab_study_particles(options) : cab_study_stiffness(options);
    return CAB_EXIT_USAGE;
}

const cab_command cab_cmd_study = {"study", CAB_TAKES_STUDY | CAB_TAKES_DEVICE | CAB_TAKES_JSON,
                                   "\"stiffness\" or \"particles\"", study, NULL};

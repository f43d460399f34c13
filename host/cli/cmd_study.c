/* clcable study: finds the study that is meant. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/study_commands.h"

static const char help[] =
    "usage: clcable study stiffness | particles [options]\n"
    "\n"
    "stiffness: runs scenes/stiffness.json by jakobsen, pbd and xpbd with 1, 12 and 25\n"
    "iterations and steps of 0.02, 0.002 and 0.0002 s, and prints how far the cable\n"
    "has stretched and swung at 0.25 s. A cable that gets stiffer swings more.\n"
    "\n"
    "  -o, --out FOLDER     write stiffness.csv (the table), positions.csv (all shapes)\n"
    "                       and a picture of each method, 3 x 3 shapes: jakobsen.svg,\n"
    "                       pbd.svg, xpbd.svg\n"
    "  --set POINTER=VALUE  any value of the scene by its JSON pointer; repeatable\n"
    "  --device D, --threads N\n"
    "                       as with `clcable run`; default: native, one thread\n"
    "  -q, --quiet          no table\n"
    "  --help               this text\n"
    "\n"
    "Columns: the worst stretch of a segment; the stretch of the whole; the degrees\n"
    "that the free half has turned against the held half since the start; the mean\n"
    "distance of particles from those of xpbd at 25 iterations and 0.0002 s.\n"
    "Where the time is not a whole number of steps, places are blended between two.\n"
    "\n"
    "Environment: CLCABLE_SCENES names the folder of the scene.\n"
    "\n"
    "Exit code: 0 done, 1 a run failed, 2 bad usage or scene, 130 ended by Ctrl-C.\n"
    "\n"
    "particles: how far each integrator can be pushed with particles under Lagrange\n"
    "multipliers, beside the figures of the paper; orders of convergence; what the\n"
    "solvers need. Default device: native, all cores.\n"
    "\n"
    "  -o, --out FOLDER     write integrators.csv and solvers.csv\n"
    "  --json               as JSON instead of tables\n"
    "\n"
    "example: clcable study stiffness --out stiffness\n";

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
    if (!particles && strcmp(name, "stiffness") != 0) {
        cab_cli_error("study: expected \"stiffness\" or \"particles\", got '%s'", name);
    } else if (!particles && options->json) {
        cab_cli_error("study stiffness: takes no --json");
    } else if (outputs->count > 1) {
        cab_cli_error("study: --out is given twice, '%s' and '%s'", outputs->word[0], outputs->word[1]);
    } else if (cab_options_agree(options, "study")) {
        return particles ? cab_study_particles(options) : cab_study_stiffness(options);
    }
    return CAB_EXIT_USAGE;
}

const cab_command cab_cmd_study = {"study", CAB_TAKES_STUDY | CAB_TAKES_DEVICE | CAB_TAKES_JSON, help,
                                   "\"stiffness\" or \"particles\"", study};

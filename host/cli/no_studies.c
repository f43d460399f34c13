/* What needs the studies, in a build without them. No scene is one of theirs then (study/none.c). */
#include "cli/bench.h"
#include <string.h>

#include "cli/cli.h"
#include "cli/run_study.h"

#define WITHOUT "this build is without studies; configure anew with -DCLCABLE_STUDIES=ON"

static int refuse(const char *what)
{
    cab_cli_error("%s: " WITHOUT, what);
    return CAB_EXIT_USAGE;
}

int cab_run_study(const cab_study_kind *kind, const char *path, const cab_options *options)
{
    (void)kind, (void)options;
    return refuse(path);
}

int cab_check_study(const cab_study_kind *kind, const char *path, const cab_options *options)
{
    (void)kind, (void)options;
    return refuse(path);
}

bool cab_bench_is_chain(const char *word, int *rods)
{
    if (rods) *rods = 0;
    return strcmp(word, "chain") == 0 || strncmp(word, "chain-", 6) == 0;
}

int cab_bench_chain(const cab_options *options)
{
    (void)options;
    return refuse("bench chain");
}

int cab_bench_planar(const cab_options *options)
{
    (void)options;
    return refuse("bench planar");
}

static int study(const cab_options *options, const char *name)
{
    (void)options, (void)name;
    return refuse("study");
}

const cab_command cab_cmd_study = {"study", ~0u, NULL, study,
                                   "usage: clcable study NAME\n\nNot here: " WITHOUT
                                   ".\n\nexample: clcable study stiffness\n"};

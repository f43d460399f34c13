/* clcable run: simulates a scene. */
#include "cli/guard.h"
#include "cli/interrupt.h"
#include "cli/run.h"
#include "cli/run_study.h"
#include "cli/together.h"

static int run_here(const cab_options *options, const char *path)
{
    if (!cab_options_agree(options, "run", CAB_OPTION_DEVICES)) return CAB_EXIT_USAGE;
    cab_interrupt_install();
    const cab_study_kind *kind;
    if (!cab_cli_study_of(path, &kind)) return CAB_EXIT_FAILED;
    if (kind)
        return cab_options_agree(options, "run", 1) ? cab_run_study(kind, path, options) : CAB_EXIT_USAGE;
    int code;
    if (cab_guard_draws(options, path, &code)) return code;
    cab_run run = {.options = options, .path = path, .extra = cab_cli_pictures(), .saved = -1};
    code = cab_run_all(&run);
    cab_run_free(&run);
    return code;
}

static int run(const cab_options *options, const char *path)
{
    return cab_together(run_here, options, path);
}

const cab_command cab_cmd_run = {"run",
                                 CAB_TAKES_SCENE | CAB_TAKES_TIME | CAB_TAKES_OUTPUT | CAB_TAKES_DEVICE |
                                     CAB_TAKES_RUN | CAB_TAKES_STATE | CAB_TAKES_PROBES | CAB_TAKES_ENVELOPE,
                                 "a scene", run, NULL};

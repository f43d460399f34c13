#include "cli/settle.h"

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "run/rest.h"

typedef struct watch {
    cab_progress progress;
    int steps;
    bool interrupted;
} watch;

static bool stop(void *user)
{
    watch *w = user;
    cab_progress_show(&w->progress, w->steps < CAB_REST_STEPS ? w->steps : CAB_REST_STEPS);
    w->steps++;
    w->interrupted = cab_interrupted();
    return w->interrupted;
}

cab_status cab_cli_settle(const cab_options *options, cab_world *world, cab_equilibrium *rest, bool *moving,
                          bool *interrupted, cab_error *error)
{
    watch w = {.progress = cab_progress_begin(!options->quiet, CAB_REST_STEPS, 1)};
    w.progress.what = "settling, step";
    w.progress.speed = "1/s";
    cab_settle_def def = {.stop = stop, .user = &w};
    cab_status status = cab_world_settle_each(world, &def, rest, moving, error);
    cab_progress_clear(&w.progress);
    if (status == CAB_OK && interrupted) *interrupted = w.interrupted && !rest->settled;
    return status;
}

static void tell_worst(const char *path, const cab_world *world, const cab_equilibrium *rest)
{
    int cables = cab_world_get_info(world).cables;
    bool cable = rest->body < cables;
    char sheet[32] = "";
    if (!cable) snprintf(sheet, sizeof sheet, "sheet %d", rest->body - cables);
    cab_cli_error(
        "%s: not at rest after %d steps: on %s%s%s %.3g N are balanced by nothing, and the last step moved "
        "something by %.3g mm",
        path, rest->iterations, cable ? "cable \"" : sheet,
        cable ? cab_world_get_cable(world, rest->body).name : "", cable ? "\"" : "", rest->residual,
        1e3 * rest->moved);
}

void cab_cli_tell_rest(const char *path, const cab_world *world, const cab_equilibrium *rest, bool quiet)
{
    if (!rest->settled)
        tell_worst(path, world, rest);
    else if (rest->slipped && !quiet)
        cab_cli_warning(
            "no rest was found with friction between cables; this one is without it, and friction "
            "would hold it, too");
}

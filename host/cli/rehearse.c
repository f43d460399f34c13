/* A run before the run: films are framed for all that will be seen, and colours mean the same throughout.
 * Runs of one scene are the same bit for bit, so nothing is kept of it but what the outputs noted. */
#include "cli/interrupt.h"
#include "cli/run.h"

static bool is_wanted(const cab_run *run)
{
    for (int i = 0; i < run->options->outputs.count; i++)
        if (cab_output_looks_ahead(run->outputs[i])) return true;
    return false;
}

static cab_status show(cab_run *run, cab_world *world)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < run->options->outputs.count && status == CAB_OK; i++)
        if (cab_output_looks_ahead(run->outputs[i]))
            status = cab_output_look_ahead(run->outputs[i], world, &run->error);
    return status;
}

static cab_status run_through(cab_run *run, cab_world *world)
{
    bool calm = false;
    int frame = cab_world_get_info(world).frame;
    cab_status status = show(run, world);
    if (status == CAB_OK) status = cab_run_is_calm(run, world, &calm);
    while (frame++ < run->frames && status == CAB_OK && !calm && !run->interrupted) {
        status = cab_world_step(world, 1, &run->error);
        if (status == CAB_OK) status = show(run, world);
        if (status == CAB_OK) status = cab_run_is_calm(run, world, &calm);
        cab_progress_show(&run->progress, frame);
        run->interrupted = cab_interrupted();
    }
    return status;
}

cab_status cab_run_rehearse(cab_run *run)
{
    cab_world *world = NULL;
    if (!is_wanted(run)) return CAB_OK;
    cab_status status = cab_run_make_world(run, true, &world);
    if (status != CAB_OK) return status;
    double frame_rate = cab_scene_settings(run->scene)->frame_rate;
    run->progress = cab_progress_begin(!run->options->quiet, run->frames, frame_rate);
    status = run_through(run, world);
    cab_progress_clear(&run->progress);
    cab_world_destroy(world);
    /* one that diverges will say so when it is run, after what can be seen of it */
    return status == CAB_ERROR_DIVERGED ? CAB_OK : status;
}

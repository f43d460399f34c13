/* Playing: stepping that keeps up with real time. */
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "view/viewer/viewer_inside.h"

#define STEP_BUDGET 0.03 /* s of stepping between two pictures, or one frame if that takes longer */
#define LONGEST_GAP                                                                                          \
    0.25              /* s between two pictures at most that count; after longer ones the window was hidden */
#define SMOOTHING 0.4 /* s over which the pace is averaged */

/* Steps one frame. What has diverged stays as in the last picture. */
static bool step_frame(cab_viewer *v)
{
    cab_error error;
    double start = cab_now();
    if (v->inside->opened->step(v, &error)) {
        v->failed = true;
        v->playing = false;
        cab_viewer_let_go(v);
        return cab_viewer_refuse(v, &error);
    }
    double took = cab_now() - start;
    v->step_time += (v->step_time > 0 ? 0.1 : 1) * (took - v->step_time);
    v->inside->moved = true;
    return true;
}

/* Steps as many frames as are due, rounded to the nearest number, so that on a screen with the scene's frame
 * rate each picture has one frame. */
static void keep_pace(cab_viewer *v, double seconds)
{
    struct cab_viewer_inside *in = v->inside;
    double frame = 1 / in->opened->rate(v);
    double start = cab_now();
    int frames = 0;
    in->debt += fmin(seconds, LONGEST_GAP) * v->speed;
    while (in->debt >= frame / 2 && (frames == 0 || cab_now() - start < STEP_BUDGET)) {
        if (!step_frame(v)) break;
        in->debt -= frame;
        frames++;
    }
    in->debt = fmin(in->debt, frame / 2);
    if (frames) cab_viewer_measure(v);
    if (frames) v->changed = true;
    double share = 1 - exp(-seconds / SMOOTHING);
    if (seconds > 0) v->pace += share * (frames * frame / seconds - v->pace);
}

void cab_viewer_tick(cab_viewer *v, double seconds)
{
    v->message_age += seconds;
    cab_path_tick(v);
    cab_viewer_refine(v);
    if (v->playing && !v->failed) keep_pace(v, seconds);
    cab_film_tick(v);
}

bool cab_viewer_is_busy(const cab_viewer *v)
{
    return (v->playing && !v->failed) || v->edit.changed;
}

void cab_viewer_play(cab_viewer *v, bool playing)
{
    if (playing && v->failed) {
        cab_viewer_tell(v, true, "the simulation has failed: reset it, or open another scene");
        return;
    }
    if (playing && v->edit.on) cab_viewer_edit_path(v, false);
    cab_viewer_set_playing(v, playing);
}

bool cab_viewer_step(cab_viewer *v)
{
    cab_viewer_play(v, false);
    if (v->edit.on) cab_viewer_edit_path(v, false);
    if (v->failed) {
        cab_viewer_tell(v, true, "the simulation has failed: reset it, or open another scene");
        return false;
    }
    if (!step_frame(v)) return false;
    cab_viewer_measure(v);
    cab_viewer_forget_error(v);
    return v->changed = true;
}

cab_status cab_viewer_resume(cab_viewer *v, const char *path, cab_error *error)
{
    if (v->study) return cab_fail(error, CAB_ERROR_INPUT, "%s: a state is of cables", path);
    cab_status status = cab_world_load(v->world, path, error);
    if (status) return status;
    cab_history_begin(v);
    cab_viewer_measure(v);
    v->inside->moved = v->inside->fit_due = true;
    v->changed = true;
    return CAB_OK;
}

bool cab_viewer_seek(cab_viewer *v, int frame)
{
    cab_error error;
    if (!cab_viewer_has_cables(v, "going back in time")) return false;
    if (frame > v->history_last) frame = v->history_last;
    const cab_kept_state *from = cab_history_find(v, frame);
    if (!from) return false;
    if (frame < from->frame) frame = from->frame;
    cab_viewer_set_playing(v, false);
    cab_viewer_let_go(v);
    /* stepping on may be enough */
    bool ahead = !v->failed && v->info.frame <= frame && v->info.frame >= from->frame;
    if (!ahead && cab_viewer_put_state(v, from->bytes, from->size, &error))
        return cab_viewer_refuse(v, &error);
    cab_viewer_measure(v);
    while (v->info.frame < frame) {
        if (!step_frame(v)) return false;
        cab_viewer_measure(v);
    }
    v->inside->moved = true;
    return v->changed = true;
}

void cab_viewer_set_speed(cab_viewer *v, double speed)
{
    v->speed = fmin(fmax(speed, CAB_SPEED_LEAST), CAB_SPEED_MOST);
    v->changed = true;
}

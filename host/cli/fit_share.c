/* A fit that several processes share: all of them search alike, and the worlds that the search runs are the pieces of a queue
 * (cli/queue.h). So all come to the same numbers, and each has what the others computed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "cli/fit.h"
#include "cli/parcel.h"
#include "io/inputs.h"

#define ALL_SETS 1000000 /* in a world where --batch does not say: all that the search asks for at once */

/* ---- joining ---- */

/* Reads the scenes of all clips, which says what is wrong with them. */
static cab_status read_scenes(const cab_fit_command *fit, const cab_fit_def *def, cab_error *error)
{
    char *made[CAB_FIT_VALUES] = {NULL}, number[32];
    cab_status status = CAB_OK;
    for (int k = 0; k < fit->count && !status; k++) {
        snprintf(number, sizeof number, "%.12g", fit->sought[k].range.from);
        made[k] = cab_override_of(fit->sought[k].pointer, number);
        if (!made[k]) status = cab_fail_memory(error, "fit", sizeof number);
    }
    for (int c = 0; c < fit->clip_count && !status; c++) {
        cab_scene *scene = NULL;
        status = def->make(def->user, c, (const char *const *)made, fit->count, &scene, error);
        cab_scene_destroy(scene);
    }
    for (int k = 0; k < fit->count; k++) free(made[k]);
    return status;
}

static uint64_t key_of(const cab_fit_command *fit)
{
    uint64_t key = cab_queue_add_text(cab_queue_key(fit->options, "fit"), fit->options->hold_out);
    return cab_inputs_sum(key, &fit->options->batch, sizeof fit->options->batch);
}

cab_status cab_fit_join(cab_fit_command *fit, const cab_fit_def *def, cab_error *error)
{
    const cab_options *o = fit->options;
    const char *beside = o->outputs.count ? o->outputs.word[0] : o->report;
    cab_status status = cab_queue_folder(o->share, beside, "fit", &fit->folder, error);
    if (status || !fit->folder) return status;
    status = read_scenes(fit, def, error);
    return status ? status : cab_queue_open(&fit->queue, fit->folder, !o->share, key_of(fit), error);
}

/* ---- pieces ---- */

typedef struct pieces_of {
    cab_fit_command *fit;
    const cab_fit_pieces *pieces;
    const bool *stop;
} pieces_of;

/* The sets of a piece: their shares, what they are off by, and how many bytes these have. */
static const double *sets_of(const cab_fit_pieces *p, int piece, size_t *share_size, double **off,
                             size_t *off_size)
{
    size_t first = (size_t)piece * (size_t)p->batch, left = (size_t)p->sets - first;
    size_t count = left < (size_t)p->batch ? left : (size_t)p->batch;
    *share_size = count * p->share_size;
    *off_size = count * p->numbers * sizeof *p->off;
    *off = p->off + first * p->numbers;
    return p->share + first * p->share_size / sizeof *p->share;
}

/* Computes a piece and leaves it for the others. */
static cab_status work(void *user, int number, bool *stop, cab_error *error)
{
    const pieces_of *w = user;
    int piece = number - w->fit->pieces;
    size_t share_size, off_size;
    double *off;
    const double *share = sets_of(w->pieces, piece, &share_size, &off, &off_size);
    cab_status status = w->pieces->compute(w->pieces->of, piece, stop, error);
    if (status || *stop) return status;
    cab_parcel parcel = {0};
    cab_parcel_add_text(&parcel, w->pieces->device);
    cab_parcel_add(&parcel, share, share_size);
    cab_parcel_add(&parcel, off, off_size);
    status = cab_parcel_leave(&parcel, &w->fit->queue, number, error);
    cab_parcel_free(&parcel);
    return status;
}

/* Are both shares the same sets? */
static cab_status compare(const cab_fit_command *fit, const double *is, const double *other, size_t size,
                          cab_error *error)
{
    if (memcmp(is, other, size) == 0) return CAB_OK;
    return cab_fail(
        error, CAB_ERROR_UNSUPPORTED,
        "%s: another process has come to other numbers; expected machines with the same processor and "
        "the same C library",
        fit->folder);
}

/* Takes what a piece has come to. *good: it is there and whole. A search that is asked to end looks at no more. */
static cab_status take(void *user, int number, bool *good, cab_error *error)
{
    const pieces_of *w = user;
    size_t share_size, off_size;
    double *off, *other = NULL;
    *good = false;
    if (*w->stop) return CAB_OK;
    const double *share = sets_of(w->pieces, number - w->fit->pieces, &share_size, &off, &off_size);
    char *path = cab_queue_path(&w->fit->queue, number);
    cab_parcel parcel = {0};
    cab_status status = CAB_NEW(other, share_size / sizeof *other, error);
    *good = !status && path && cab_parcel_load(&parcel, path);
    if (*good) {
        snprintf(w->pieces->device, sizeof w->fit->found.device, "%s", cab_parcel_take_text(&parcel));
        cab_parcel_take(&parcel, other, share_size);
        cab_parcel_take(&parcel, off, off_size);
        *good = !parcel.bad;
    }
    if (*good) status = compare(w->fit, share, other, share_size, error);
    if (path && !*good) remove(path);
    CAB_FREE(path, other);
    cab_parcel_free(&parcel);
    return status;
}

static cab_status run(void *user, const cab_fit_pieces *pieces, bool *stop, cab_error *error)
{
    cab_fit_command *fit = user;
    pieces_of w = {fit, pieces, stop};
    int count = (pieces->sets - 1) / pieces->batch + 1;
    cab_status status = cab_queue_finish(&fit->queue, fit->pieces, count, work, take, &w, NULL, stop, error);
    fit->pieces += count;
    return status;
}

cab_fit_sharing cab_fit_sharing_of(cab_fit_command *fit)
{
    return (cab_fit_sharing){.batch = fit->options->batch ? (int)fit->options->batch : ALL_SETS,
                             .run = fit->folder ? run : NULL,
                             .user = fit};
}

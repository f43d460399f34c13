/* A sweep that several processes share: the worlds are the pieces of a queue (cli/queue.h), and each leaves what came out of its
 * variants as a parcel. All processes read all parcels in the order of the worlds, so each knows what one process alone would know. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/parcel.h"
#include "cli/sweep_batch.h"
#include "io/inputs.h"

/* ---- the folder ---- */

static uint64_t key_of(const cab_sweep *sweep)
{
    const cab_options *o = sweep->options;
    const long numbers[] = {o->frames, o->substeps,    o->iterations,
                            o->latin,  sweep->columns, sweep->batch_size};
    uint64_t key = cab_queue_add_text(cab_queue_key(o, "sweep"), o->best);
    key = cab_inputs_sum(key, &o->duration, sizeof o->duration);
    return cab_inputs_sum(key, numbers, sizeof numbers);
}

cab_status cab_sweep_join(cab_sweep *sweep, cab_error *error)
{
    return cab_queue_open(&sweep->queue, sweep->folder, !sweep->options->share, key_of(sweep), error);
}

/* ---- parcels ---- */

static void add_variant(cab_parcel *parcel, const cab_variant *v)
{
    cab_parcel_add_integer(parcel, (int)v->status);
    cab_parcel_add_integer(parcel, v->diverged_frame);
    cab_parcel_add(parcel, v->result, sizeof v->result);
    cab_parcel_add_integer(parcel, v->cable_count);
    cab_parcel_add(parcel, v->cables, (size_t)v->cable_count * sizeof *v->cables);
}

static void add_warning(cab_parcel *parcel, const cab_sweep_warning *w)
{
    cab_parcel_add_text(parcel, w->shape);
    cab_parcel_add_text(parcel, w->text);
    cab_parcel_add(parcel, &w->variant, sizeof w->variant);
    cab_parcel_add(parcel, &w->count, sizeof w->count);
}

cab_status cab_sweep_leave_parcel(const cab_sweep *own, const int *variant, int count, int piece,
                                  cab_error *error)
{
    cab_parcel parcel = {0};
    cab_parcel_add_text(&parcel, own->device);
    cab_parcel_add_integer(&parcel, own->worlds);
    cab_parcel_add_integer(&parcel, own->name_count);
    for (int i = 0; i < own->name_count; i++) cab_parcel_add_text(&parcel, own->names[i]);
    cab_parcel_add_integer(&parcel, own->warning_count);
    for (int i = 0; i < own->warning_count; i++) add_warning(&parcel, &own->warnings[i]);
    for (int i = 0; i < count; i++) add_variant(&parcel, &own->variants[variant[i]]);
    cab_status status = cab_parcel_leave(&parcel, &own->queue, piece, error);
    cab_parcel_free(&parcel);
    return status;
}

/* The numbers of names in the sweep, of those in the parcel; NULL: no memory, or the parcel is bad. */
static int *take_names(cab_sweep *sweep, cab_parcel *parcel, int *count)
{
    *count = cab_parcel_take_integer(parcel, (int)(parcel->size - parcel->at));
    int *number = calloc((size_t)*count + 1, sizeof *number);
    bool good = number != NULL;
    for (int i = 0; i < *count && good; i++) {
        number[i] = cab_sweep_name(sweep, cab_parcel_take_text(parcel), i, NULL);
        good = number[i] >= 0 && !parcel->bad;
    }
    if (good && !parcel->bad) return number;
    free(number);
    return NULL;
}

static bool take_warnings(cab_sweep *sweep, cab_parcel *parcel)
{
    int count = cab_parcel_take_integer(parcel, (int)(parcel->size - parcel->at));
    for (int i = 0; i < count && !parcel->bad; i++) {
        const char *shape = cab_parcel_take_text(parcel), *text = cab_parcel_take_text(parcel);
        int variant = -1;
        long times = 0;
        cab_parcel_take(parcel, &variant, sizeof variant);
        cab_parcel_take(parcel, &times, sizeof times);
        if (!parcel->bad) cab_sweep_keep_warning(sweep, shape, text, variant, times);
    }
    return !parcel->bad;
}

static bool take_variant(cab_parcel *parcel, cab_variant *v, const int *number, int names)
{
    *v = (cab_variant){.status = (cab_variant_status)cab_parcel_take_integer(parcel, CAB_VARIANT_UNSETTLED)};
    cab_parcel_take(parcel, &v->diverged_frame, sizeof v->diverged_frame);
    cab_parcel_take(parcel, v->result, sizeof v->result);
    v->cable_count = cab_parcel_take_integer(parcel, (int)(parcel->size / sizeof *v->cables));
    if (v->cable_count && !parcel->bad) v->cables = calloc((size_t)v->cable_count, sizeof *v->cables);
    if (!v->cables) {
        parcel->bad = parcel->bad || v->cable_count;
        return !parcel->bad;
    }
    cab_parcel_take(parcel, v->cables, (size_t)v->cable_count * sizeof *v->cables);
    for (int i = 0; i < v->cable_count && !parcel->bad; i++) {
        int *name = &v->cables[i].name;
        parcel->bad = *name < 0 || *name >= names;
        if (!parcel->bad) *name = number[*name];
    }
    return !parcel->bad;
}

/* Takes the parcel of a piece into the sweep; false: it is not there, or not whole. */
static bool take_parcel(cab_sweep *sweep, const int *variant, int count, int piece)
{
    cab_parcel parcel = {0};
    char *path = cab_queue_path(&sweep->queue, piece);
    bool good = path && cab_parcel_load(&parcel, path);
    if (good) snprintf(sweep->device, sizeof sweep->device, "%s", cab_parcel_take_text(&parcel));
    int worlds = good ? cab_parcel_take_integer(&parcel, count + 1) : 0, names = 0;
    int *number = good ? take_names(sweep, &parcel, &names) : NULL;
    good = number && take_warnings(sweep, &parcel);
    for (int i = 0; i < count && good; i++) {
        cab_variant *v = &sweep->variants[variant[i]];
        good = take_variant(&parcel, v, number, names);
        if (good) continue;
        free(v->cables);
        *v = (cab_variant){0};
    }
    if (good) sweep->worlds += worlds;
    if (path && !good) remove(path);
    free(path);
    free(number);
    cab_parcel_free(&parcel);
    return good;
}

/* ---- the work ---- */

typedef struct shared {
    cab_sweep *sweep;
    const cab_sweep_pieces *pieces;
    cab_queue_work *work;
    void (*seen)(void *user, int done);
    void *user; /* of both */
} shared;

static cab_status work(void *user, int piece, bool *stop, cab_error *error)
{
    const shared *s = user;
    return s->work(s->user, piece, stop, error);
}

static void tell(void *user, int done)
{
    const shared *s = user;
    s->seen(s->user, done);
}

static cab_status take(void *user, int piece, bool *good, cab_error *error)
{
    const shared *s = user;
    int i = piece - s->sweep->pieces, first = s->pieces->first[i];
    (void)error;
    *good = take_parcel(s->sweep, s->pieces->variant + first, s->pieces->first[i + 1] - first, piece);
    return CAB_OK;
}

cab_status cab_sweep_share(cab_sweep *sweep, const cab_sweep_pieces *pieces, cab_queue_work *each, void *user,
                           void (*seen)(void *user, int done), cab_error *error)
{
    shared s = {sweep, pieces, each, seen, user};
    cab_status status = cab_queue_finish(&sweep->queue, sweep->pieces, pieces->count, work, take, &s, tell,
                                         &sweep->interrupted, error);
    sweep->pieces += pieces->count;
    return status;
}

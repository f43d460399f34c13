/* Batches of variants: merged into one scene, stepped as one world, measured variant by variant. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/compiling.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/settle.h"
#include "cli/sweep_batch.h"
#include "model/merge.h"
#include "model/model.h"
#include "model/scene.h"
#include "world/events.h"
#include "world/world.h"

#define FLUNG_SPEED 1000.0 /* m/s: as run/measure.c has it, what has diverged */

/* ---- scenes ---- */

static bool fits_together(const cab_plan *plan, int a, int b)
{
    for (int k = 0; k < plan->varied_count; k++)
        if (cab_pointer_is_setting(plan->varied[k].pointer) &&
            strcmp(cab_plan_value(plan, a, k), cab_plan_value(plan, b, k)) != 0)
            return false;
    return true;
}

static bool varies_colliders(const cab_plan *plan)
{
    for (int k = 0; k < plan->varied_count; k++)
        if (cab_pointer_is_of(plan->varied[k].pointer, "colliders")) return true;
    return false;
}

/* The scene with a variant's values, after those of --set. What a harness lacks is told once. */
static cab_scene *load_variant(const cab_sweep *sweep, int variant, int *code)
{
    const cab_plan *plan = &sweep->plan;
    char **changes = calloc((size_t)plan->varied_count + 1, sizeof *changes);
    bool good = changes != NULL;
    cab_scene *scene = NULL;
    for (int k = 0; good && k < plan->varied_count; k++) {
        changes[k] = cab_override_of(plan->varied[k].pointer, cab_plan_value(plan, variant, k));
        good = changes[k] != NULL;
    }
    *code = CAB_EXIT_FAILED;
    if (good)
        scene = cab_options_load_changed(sweep->options, sweep->path, (const char *const *)changes,
                                         plan->varied_count, variant > 0, code);
    else
        cab_cli_error("sweep: out of memory");
    for (int k = 0; changes && k < plan->varied_count; k++) free(changes[k]);
    free(changes);
    return scene;
}

/* ---- the world ---- */

static cab_status merge(cab_sweep_batch *b, int *code)
{
    cab_scene **scenes = calloc((size_t)b->count, sizeof *scenes);
    cab_status status = scenes ? CAB_OK : CAB_ERROR_MEMORY;
    *code = CAB_EXIT_DONE;
    for (int i = 0; i < b->count && !status; i++) {
        scenes[i] = load_variant(b->sweep, b->variant[i], code);
        if (!scenes[i]) status = CAB_ERROR_INPUT; /* it has been told */
    }
    if (!status)
        status = cab_scene_merge((const cab_scene *const *)scenes, b->count,
                                 !varies_colliders(&b->sweep->plan), &b->scene, &b->error);
    for (int i = 0; scenes && i < b->count; i++) cab_scene_destroy(scenes[i]);
    free(scenes);
    return status;
}

static void on_log(void *user, int level, const char *text)
{
    cab_sweep_batch *b = user;
    if (b->sweep->options->quiet) return;
    if (level == 0) cab_sweep_warn(b, text);
    if (level == 2) cab_cli_compiling(text);
}

static cab_status open_world(cab_sweep_batch *b)
{
    cab_world_def def = cab_options_world(b->sweep->options, NULL);
    def.log = on_log;
    def.user = b;
    def.forces = b->sweep->columns & CAB_SWEEP_FORCES;
    cab_status status = cab_world_create(b->scene, &def, &b->world, &b->error);
    if (status) return status;
    b->info = cab_world_get_info(b->world);
    snprintf(b->sweep->device, sizeof b->sweep->device, "%s", b->info.device.name);
    status = cab_sweep_measure_begin(b);
    if (status || !b->sweep->options->envelope) return status;
    return cab_motion_begin(&b->motion, &b->sweep->envelope, b->world, &b->error);
}

static void close_world(cab_sweep_batch *b)
{
    cab_world_destroy(b->world);
    cab_scene_destroy(b->scene);
    cab_sweep_measure_end(b);
    cab_motion_free(&b->motion);
    CAB_FREE(b->flung, b->restless);
    *b = (cab_sweep_batch){.sweep = b->sweep, .variant = b->variant, .count = b->count, .error = b->error};
}

/* ---- a batch ---- */

/* Which have left the range of sensible numbers: those that move too fast, and the one that the world names.
 */
static cab_status find_flung(cab_sweep_batch *b)
{
    const cab_model *m = b->world->model;
    cab_status status = cab_world_read(b->world, NULL, b->velocity, NULL, &b->error);
    for (int body = 0; body < m->body_count && !status; body++) {
        const cab_body *cable = &m->bodies[body];
        for (int node = cable->first_node; node < cable->first_node + cable->node_count; node++) {
            const double *v = b->velocity + 3 * (size_t)node;
            double speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if (!(speed2 < FLUNG_SPEED * FLUNG_SPEED)) b->flung[cable->group] = true;
        }
    }
    return status ? status : cab_events_find_diverged(b->world, b->flung, &b->error);
}

/* Takes what has diverged out of the batch: the others begin again without it. */
static cab_status drop_flung(cab_sweep_batch *b)
{
    cab_status status = find_flung(b);
    int left = 0, frame = cab_world_get_info(b->world).frame;
    for (int i = 0; i < b->count && !status; i++)
        if (b->flung[i]) {
            cab_variant *v = &b->sweep->variants[b->variant[i]];
            free(v->cables);
            *v = (cab_variant){.status = CAB_VARIANT_DIVERGED, .diverged_frame = frame};
        } else
            b->variant[left++] = b->variant[i];
    if (!status && left == b->count) /* cannot be: the world names one */
        status = CAB_ERROR_DIVERGED;
    b->count = left;
    return status;
}

/* --settle: all variants at once; notes which have found no rest. */
static cab_status settle(cab_sweep_batch *b)
{
    const cab_model *m = b->world->model;
    cab_equilibrium rest;
    bool *moving;
    if (!b->sweep->options->settle) return CAB_OK;
    cab_status status = CAB_NEW(moving, m->body_count, &b->error);
    if (!status)
        status =
            cab_cli_settle(b->sweep->options, b->world, &rest, moving, &b->sweep->interrupted, &b->error);
    for (int body = 0; body < m->body_count && !status; body++)
        if (moving[body]) b->restless[m->bodies[body].group] = true;
    free(moving);
    return status;
}

/* The start, and the end of each frame. */
static cab_status look(cab_sweep_batch *b)
{
    cab_status status = cab_sweep_measure(b);
    if (status || !b->sweep->options->envelope) return status;
    return cab_motion_add(&b->motion, b->world, b->restless, &b->error);
}

static cab_status step_all(cab_sweep_batch *b, cab_progress *progress, int done)
{
    int frames = cab_options_frames(b->sweep->options, &b->scene->settings);
    cab_status status = settle(b);
    if (status || b->sweep->interrupted) return status;
    status = look(b);
    for (int frame = 1; frame <= frames && !status; frame++) {
        if (cab_interrupted()) {
            b->sweep->interrupted = true;
            return CAB_OK;
        }
        status = cab_world_step(b->world, 1, &b->error);
        if (!status) status = look(b);
        cab_progress_show(progress, done + (int)((double)b->count * frame / frames));
    }
    return status ? status : cab_sweep_measure_last(b);
}

/* A merged scene has the variant's number before names. */
static void drop_prefix(char *name)
{
    const char *slash = strchr(name, '/');
    if (slash) memmove(name, slash + 1, strlen(slash));
}

/* Gives what is nearest to a collider the numbers and names that it has in the sweep. */
static void name_nearest(cab_sweep_batch *b)
{
    cab_envelope_nearest *n = &b->motion.nearest;
    if (n->clearance.node < 0) return;
    if (varies_colliders(&b->sweep->plan)) {
        n->clearance.other %= b->scene->collider_count / b->count;
        drop_prefix(n->collider);
    }
    drop_prefix(n->cable);
    n->group = b->variant[n->group];
}

static cab_status note_ends(cab_sweep_batch *b)
{
    int ok = 0;
    for (int i = 0; i < b->count; i++) {
        b->sweep->variants[b->variant[i]].status = b->restless[i] ? CAB_VARIANT_UNSETTLED : CAB_VARIANT_OK;
        ok += !b->restless[i];
    }
    if (!b->sweep->options->envelope) return CAB_OK;
    name_nearest(b);
    return cab_motion_join(&b->motion, &b->sweep->envelope, ok, &b->error);
}

/* Runs it to its end, again without those that diverge. `done`: variants before it. */
static cab_status run_batch(cab_sweep_batch *b, cab_progress *progress, int done, int *code)
{
    cab_status status = CAB_OK;
    while (b->count > 0 && !b->sweep->interrupted) {
        status = merge(b, code);
        if (!status) status = open_world(b);
        if (!status) {
            status = step_all(b, progress, done);
            b->sweep->worlds++;
        }
        bool again = status == CAB_ERROR_DIVERGED;
        if (again) status = drop_flung(b);
        if (!status && !again && !b->sweep->interrupted) status = note_ends(b);
        close_world(b);
        if (status || !again) break;
    }
    return status;
}

/* ---- all of them ---- */

/* The next variants from `from` on that have not been taken and fit together. */
static int gather(const cab_sweep *sweep, int from, bool *taken, int *variant)
{
    int count = 0;
    for (int i = from; i < sweep->plan.variant_count && count < sweep->batch_size; i++) {
        if (taken[i] || (count > 0 && !fits_together(&sweep->plan, variant[0], i))) continue;
        taken[i] = true;
        variant[count++] = i;
    }
    return count;
}

/* Worlds of all variants that have not been run. */
static cab_status cut_up(const cab_sweep *sweep, cab_sweep_pieces *pieces, cab_error *error)
{
    int count = sweep->plan.variant_count, used = 0;
    bool *taken;
    cab_status status = CAB_NEW(taken, count, error);
    if (!status) status = CAB_NEW(pieces->variant, count, error);
    if (!status) status = CAB_NEW(pieces->first, count + 1, error);
    for (int i = 0; i < count && !status; i++) taken[i] = sweep->variants[i].status != CAB_VARIANT_NOT_RUN;
    for (int i = 0; i < count && !status; i++) {
        if (taken[i]) continue;
        used += gather(sweep, i, taken, pieces->variant + used);
        pieces->first[++pieces->count] = used;
    }
    free(taken);
    return status;
}

typedef struct runner {
    cab_sweep *sweep;
    cab_sweep_pieces pieces;
    cab_progress progress;
    int done; /* variants */
    int code;
} runner;

/* Runs a piece, and tells it to `sweep`, which may be another one than the runner's. */
static cab_status run_piece(runner *r, cab_sweep *sweep, int piece, cab_error *error)
{
    int first = r->pieces.first[piece], count = r->pieces.first[piece + 1] - first;
    cab_sweep_batch b = {.sweep = sweep, .count = count};
    cab_status status = CAB_NEW(b.variant, count, error);
    if (status) return status;
    memcpy(b.variant, r->pieces.variant + first, (size_t)count * sizeof *b.variant);
    status = run_batch(&b, &r->progress, r->done, &r->code);
    if (status) *error = b.error;
    free(b.variant);
    return status;
}

/* A piece of a sweep that is shared: what comes out goes into its parcel, and from there into the sweep as what others have computed. */
static cab_status run_shared(void *user, int number, bool *stop, cab_error *error)
{
    runner *r = user;
    cab_sweep own = *r->sweep;
    own.names = NULL;
    own.warnings = NULL;
    own.name_count = own.warning_count = own.worlds = 0;
    int piece = number - own.pieces;
    int *variant = r->pieces.variant + r->pieces.first[piece];
    int count = r->pieces.first[piece + 1] - r->pieces.first[piece];
    cab_status status = run_piece(r, &own, piece, error);
    *stop = own.interrupted;
    if (!status && !*stop) status = cab_sweep_leave_parcel(&own, variant, count, number, error);
    for (int i = 0; i < count; i++) {
        free(own.variants[variant[i]].cables);
        own.variants[variant[i]] = (cab_variant){0};
    }
    for (int i = 0; i < own.name_count; i++) free(own.names[i]);
    free(own.names);
    cab_sweep_forget_warnings(&own);
    return status;
}

/* So many pieces of a sweep that is shared are done, here and elsewhere. */
static void on_seen(void *user, int pieces)
{
    runner *r = user;
    r->done = r->pieces.first[pieces]; /* about so many variants */
    cab_progress_show(&r->progress, r->done);
}

static cab_status run_alone(runner *r, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; i < r->pieces.count && !status && !r->sweep->interrupted; i++) {
        status = run_piece(r, r->sweep, i, error);
        r->done += r->pieces.first[i + 1] - r->pieces.first[i];
    }
    return status;
}

static void warn_of_few(const runner *r)
{
    const cab_sweep *sweep = r->sweep;
    int ranks = sweep->queue.ranks.count, pieces = r->pieces.count, variants = sweep->plan.variant_count;
    char text[200];
    if (pieces >= ranks || pieces >= variants || sweep->queue.ranks.rank || sweep->options->quiet) return;
    snprintf(text, sizeof text,
             "sweep: %d variants in %d world%s are work for %d of %d processes; --batch %d gives each some",
             variants, pieces, pieces == 1 ? "" : "s", pieces, ranks,
             variants > ranks ? variants / ranks : 1);
    cab_cli_warning(text);
}

/* Before the first piece: reads a variant, which says what is wrong with the scene, and tells what the work is. */
static cab_status join(runner *r, cab_error *error)
{
    cab_scene *scene = load_variant(r->sweep, 0, &r->code);
    if (!scene) return CAB_ERROR_INPUT;
    cab_scene_destroy(scene);
    cab_status status = cab_sweep_join(r->sweep, error);
    if (!status) warn_of_few(r);
    return status;
}

int cab_sweep_run(cab_sweep *sweep)
{
    double start = cab_now();
    cab_error error = {0};
    runner r = {.sweep = sweep, .code = CAB_EXIT_DONE};
    cab_status status = cut_up(sweep, &r.pieces, &error);
    r.progress = cab_progress_begin(!sweep->options->quiet, sweep->plan.variant_count, 1);
    r.progress.what = "variant";
    r.progress.speed = "1/s";
    if (!status && sweep->folder && !sweep->queue.folder) status = join(&r, &error);
    if (!status && !sweep->folder) {
        r.done = sweep->plan.variant_count - r.pieces.first[r.pieces.count];
        status = run_alone(&r, &error);
    } else if (!status)
        status = cab_sweep_share(sweep, &r.pieces, run_shared, &r, on_seen, &error);
    cab_progress_clear(&r.progress);
    if (!sweep->folder || status) cab_sweep_tell_warnings(sweep);
    if (status && r.code == CAB_EXIT_DONE) {
        cab_cli_error("%s", error.message[0] ? error.message : "sweep: out of memory");
        r.code = cab_cli_exit_code(status);
    }
    CAB_FREE(r.pieces.variant, r.pieces.first);
    sweep->wall += cab_now() - start;
    return r.code;
}

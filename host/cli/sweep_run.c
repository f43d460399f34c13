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

/* The next variants that have not been taken and fit together. */
static int gather(const cab_sweep *sweep, bool *taken, int *variant)
{
    int count = 0;
    for (int i = 0; i < sweep->plan.variant_count && count < sweep->batch_size; i++) {
        if (taken[i] || (count > 0 && !fits_together(&sweep->plan, variant[0], i))) continue;
        taken[i] = true;
        variant[count++] = i;
    }
    return count;
}

int cab_sweep_run(cab_sweep *sweep)
{
    int count = sweep->plan.variant_count, done = 0, code = CAB_EXIT_DONE;
    double start = cab_now();
    cab_status status = CAB_OK;
    cab_sweep_batch b = {.sweep = sweep};
    bool *taken = calloc((size_t)count, sizeof *taken);
    b.variant = calloc((size_t)count, sizeof *b.variant);
    if (!taken || !b.variant) status = CAB_ERROR_MEMORY;
    for (int i = 0; i < count && !status; i++) {
        taken[i] = sweep->variants[i].status != CAB_VARIANT_NOT_RUN;
        done += taken[i];
    }
    cab_progress progress = cab_progress_begin(!sweep->options->quiet, count, 1);
    progress.what = "variant";
    progress.speed = "1/s";
    while (!status && done < count && !sweep->interrupted) {
        int gathered = b.count = gather(sweep, taken, b.variant);
        status = run_batch(&b, &progress, done, &code);
        done += gathered;
    }
    cab_progress_clear(&progress);
    cab_sweep_tell_warnings(sweep);
    if (status && code == CAB_EXIT_DONE) {
        cab_cli_error("%s", b.error.message[0] ? b.error.message : "sweep: out of memory");
        code = cab_cli_exit_code(status);
    }
    CAB_FREE(taken, b.variant);
    sweep->wall += cab_now() - start;
    return code;
}

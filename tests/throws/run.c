/* A throw is stepped, and each piece of a substep is judged. */
#include <math.h>
#include <stdio.h>

#include "base/vec3.h"
#include "judge.h"
#include "world/world.h"

static bool pull(judge *j, double time, cab_error *error)
{
    const throw_case *t = j->thrown;
    double s = fmin(1, 2 * time / t->duration);
    cab_vec3 at = cab_vec3_add_scaled(t->pull_from, s, cab_vec3_sub(t->pull_to, t->pull_from));
    return t->pulled < 0 || cab_world_pull(j->world, t->pulled, at, 0, error) == CAB_OK;
}

bool throw_load(const char *path, throw_case *out)
{
    cab_error error = {0};
    *out = (throw_case){.pulled = -1};
    if (cab_scene_load(path, NULL, 0, &out->scene, &error)) {
        fprintf(stderr, "throws: %s\n", error.message);
        return false;
    }
    out->duration = cab_scene_settings(out->scene)->duration;
    return true;
}

void throw_settle(const throw_case *thrown, const throw_options *options)
{
    cab_settings *s = cab_scene_settings(thrown->scene);
    double rate = s->frame_rate * (options->substeps > 0 ? options->substeps : s->substeps);
    s->method = options->method;
    if (options->substeps > 0) s->substeps = options->substeps;
    if (!options->whole) {
        s->substeps = 1;
        s->frame_rate = rate;
    }
    s->max_substeps = options->max_pieces;
}

/* After each substep, or piece of one; in lanes after each launch of a frame in pieces. */
static void watch(void *user, cab_world *world, double part)
{
    judge *j = user;
    int rows = judge_in_lanes(j) ? world->window.count : 1;
    judge_piece(j, part - (double)rows / world->window.of, part);
}

static void unwatch(void *user, cab_world *world)
{
    (void)world;
    judge_back(user);
    ((judge *)user)->again++;
}

/* A line about a frame. */
static void trace(judge *j, int frame, const cab_measures *now)
{
    const cab_pace *p = &j->world->pace;
    int most = 1;
    for (int c = 0; p->made && c < p->components.count; c++) most = p->pieces[c] > most ? p->pieces[c] : most;
    fprintf(stderr, "%4d: stretch %.2e, overlap %.2e m, %.3g m/s, %.3g J, pieces %d, taken again %d times\n",
            frame, now->stretch_max, now->penetration_max, now->speed_max, now->kinetic, most, j->again);
    j->again = 0;
}

/* False: something else than the physics failed. */
static bool steps(judge *j, const throw_options *options, throw_result *result, cab_error *error)
{
    double rate = cab_scene_settings(j->thrown->scene)->frame_rate;
    int count = (int)ceil(j->thrown->duration * rate - 1e-9), hand = (int)fmax(1, rate / 60 + 0.5);
    for (int i = 0; i < count; i++) {
        if (i % hand == 0 && !pull(j, i / rate, error)) return false;
        j->substep = i;
        cab_status status = cab_world_step(j->world, 1, error);
        if (status == CAB_ERROR_DIVERGED) {
            result->diverged = true;
            snprintf(result->what, sizeof result->what, "substep %d: %.120s", i, error->message);
            return true;
        }
        if (status || j->failed) return false;
        judge_frame(j);
        cab_measures measures;
        if (cab_world_measure(j->world, &measures, error)) return false;
        if (options->trace) trace(j, i, &measures);
        result->stretch = fmax(result->stretch, measures.stretch_max);
        result->overlap = fmax(result->overlap, measures.penetration_max);
    }
    return true;
}

bool throw_run(const throw_case *thrown, const throw_options *options, throw_result *result)
{
    cab_error error = {0};
    cab_world_def def = cab_world_default();
    judge j = {.thrown = thrown, .result = result};
    *result = (throw_result){0};
    def.device = options->device;
    def.threads = 1;
    bool good = cab_world_create(thrown->scene, &def, &j.world, &error) == CAB_OK;
    if (good) {
        j.world->pace.watch = watch;
        j.world->pace.unwatch = unwatch;
        j.world->pace.user = &j;
    }
    good = good && judge_start(&j, &error) && steps(&j, options, result, &error);
    if (!good) fprintf(stderr, "throws: %s\n", error.message);
    judge_end(&j);
    return good;
}

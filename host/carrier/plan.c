/* Chooses the carrier of a world. */
#include "carrier/plan.h"

#include <stdio.h>

#include "base/error.h"
#include "carrier/carriers.h"
#include "model/constraint_kind.h"
#include "model/method.h"
#include "model/tiles.h"
#include "world/device.h"

/* particles of a single cable: its tile, of which only one lane is used, exceeds a CPU's caches */
#define LONE_LANES 16384

const char *cab_plan_refused(const cab_world *world, cab_way way)
{
    for (int k = 0; k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->refusal && !(kind->ways >> way & 1) && kind->present(world->model)) return kind->refusal;
    }
    return NULL;
}

bool cab_plan_hands_over(const cab_world *world)
{
    const cab_model_settings *s = &world->model->settings;
    return s->way == CAB_WAY_AUTO && s->method == CAB_METHOD_DIRECT && world->way == CAB_WAY_STAGED &&
           cab_model_bends_plainly(world->model) && !cab_plan_refused(world, CAB_WAY_LANES);
}

/* The reason why this world cannot be run in that way, or NULL; first those of the kinds of constraints. */
static const char *why_not(const cab_world *world, cab_way way)
{
    const char *reason = cab_plan_refused(world, way);
    return reason ? reason : cab_carriers[way]->refuses(world);
}

/* Takes the way that the scene asks for. */
static cab_status take_wish(cab_world *world, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    const cab_way *ways = cab_method_traits_of(s->method)->ways;
    const char *source = world->model->scene->source;
    char list[128];
    int used = 0, i = 0;
    for (; ways[i] != CAB_WAY_AUTO && ways[i] != s->way; i++) {
        const char *before = i == 0 ? "" : ways[i + 1] ? ", " : " or ";
        used += snprintf(list + used, sizeof list - (size_t)used, "%s\"%s\"", before, cab_way_name(ways[i]));
    }
    if (ways[i] == CAB_WAY_AUTO) {
        return cab_fail(error, CAB_ERROR_INPUT,
                        "%s: /method/way: expected %s with the method \"%s\", got \"%s\"", source, list,
                        cab_method_name(s->method), cab_way_name(s->way));
    }
    const char *reason = why_not(world, s->way);
    if (reason) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /method/way: \"%s\" cannot be had: %s", source,
                        cab_way_name(s->way), reason);
    }
    world->way = s->way;
    return CAB_OK;
}

/* A single very long cable is faster with the way staged: docs/performance.md, `one-long`. */
bool cab_plan_lanes_idle(const cab_world *world)
{
    const cab_model *m = world->model;
    return m->cable_count == 1 && m->particle_count > LONE_LANES && !world->backend->info.gpu;
}

bool cab_plan_lanes_stretch(const cab_world *world)
{
    const cab_model *m = world->model;
    bool any = false;
    if (m->settings.method != CAB_METHOD_DIRECT) return false;
    for (int i = 0; i < m->cable_count; i++) any = any || cab_direct_is_taut(m, &m->bodies[i]);
    return any;
}

/* Takes the way that `clcable tune` has found, else the first way of the method that is possible. */
static void choose_way(cab_world *world)
{
    const cab_way *ways = cab_method_traits_of(world->model->settings.method)->ways;
    int chunks = 0;
    cab_way tuned = cab_tuned_way(world, &chunks);
    bool stretch = cab_plan_lanes_stretch(world);
    if (stretch && tuned == CAB_WAY_LANES) tuned = CAB_WAY_AUTO;
    for (int i = 0; ways[i] != CAB_WAY_AUTO; i++) {
        if (ways[i] != tuned || why_not(world, tuned)) continue;
        cab_world_log(world, 1, "way \"%s\": the fastest when it was tuned", cab_way_name(tuned));
        world->way = tuned;
        if (tuned == CAB_WAY_CHUNKS && world->model->settings.chunks.count == 0 && chunks > 0)
            world->model->settings.chunks.count = chunks;
        return;
    }
    bool lone = cab_plan_lanes_idle(world) || stretch;
    const char *reason = stretch ? "a long cable is held, and would stretch in lanes"
                         : lone  ? "one cable so long that lanes would idle"
                                 : NULL;
    for (int i = 0; ways[i] != CAB_WAY_AUTO; i++) {
        /* Chunks and, with XPBD, lanes give other bits than the other ways, so they are used on request
         * only. */
        if (ways[i] == CAB_WAY_CHUNKS || (ways[i] == CAB_WAY_LANES && lone)) continue;
        if (ways[i] == CAB_WAY_LANES && world->model->settings.method == CAB_METHOD_XPBD) continue;
        world->way = ways[i];
        const char *now = why_not(world, ways[i]);
        if (!now) break;
        reason = now;
    }
    if (!reason) reason = "the usual one for cables by themselves";
    cab_world_log(world, 1, "way \"%s\": %s", cab_way_name(world->way), reason);
}

cab_status cab_world_plan(cab_world *world, cab_error *error)
{
    cab_status status = CAB_OK;
    const cab_carrier *before = world->carrier;
    if (world->model->settings.way == CAB_WAY_AUTO)
        choose_way(world);
    else
        status = take_wish(world, error);
    if (status != CAB_OK) return status;
    if (before && before->settle && before != cab_carriers[world->way])
        status = before->settle(world, true, error);
    if (status != CAB_OK) return status;
    world->carrier = cab_carriers[world->way];
    if (!before || before == world->carrier) return CAB_OK;
    /* The carrier before frees its tables; the new one makes its own. */
    if (before->end) before->end(world);
    if (world->carrier->whole_frames) return CAB_OK;
    return cab_world_upload(world, CAB_BUFFER_offset, NULL, (size_t)world->model->particle_count,
                            sizeof(float4), error);
}

/* Which way a scene is run, and the launches of one iteration. */
#include "world/world.h"

#include <math.h>
#include <stdio.h>

#include "model/method.h"

#define FUSED_TRIPS 32768 /* of loops in one launch of the fused kernel: llvmpipe ends a kernel at 65,535 */
#define LONE_LANES                                                                                           \
    16384 /* particles of a lone cable: its tile, one lane of it in use, leaves the caches of a CPU */
#define CABLES_PER_UNIT 32 /* of a GPU: fewer do not fill it with a cable a lane. Reasoned, not measured */

static int longest_chain(const cab_model *model)
{
    int longest = 0;
    for (int c = 0; c < model->cable_count; c++) {
        if (model->chain[c].particle_count > longest) longest = model->chain[c].particle_count;
    }
    return longest;
}

/* NULL when lengths are plain constraints and iterations as many as asked for: all that launches of whole
 * substeps know. */
static const char *why_not_plain(const cab_model_settings *s)
{
    if (s->contact.sleep) return "cables may sleep";
    if (s->tolerance.on) return "iterations end by a tolerance";
    bool unequal =
        s->length_kind != CAB_LENGTH_EQUAL || (s->doubles.on && s->doubles.kind != CAB_LENGTH_EQUAL);
    return unequal ? "lengths may be shorter or longer" : NULL;
}

/* NULL when attachments hold, and hold hard, and no hand pulls. */
static const char *why_not_attached(const cab_world *world)
{
    const cab_model *model = world->model;
    if (world->def.forces) return "forces are measured";
    if (model->pull.on) return "a node is pulled";
    for (int i = 0; i < model->scene->attachment_count; i++) {
        if (isfinite(model->scene->attachments[i].break_force)) return "an attachment can break";
    }
    for (int i = 0; i < model->scene->attachment_count; i++) {
        if (model->scene->attachments[i].compliance > 0) return "an attachment is soft";
    }
    return NULL;
}

/* NULL when the fused way can be had, else why not. */
static const char *why_not_fused(const cab_world *world)
{
    const cab_model *model = world->model;
    if (!model->chain) return "cables are joined or have clamps inside, or there are sheets";
    if (cab_contact_possible(model)) return "the scene has contact";
    if (model->loaded_count > 0) return "the scene has forces";
    if (model->has_drag) return "the scene has air drag";
    const char *reason = why_not_attached(world);
    if (!reason) reason = why_not_plain(&model->settings);
    if (reason) return reason;
    size_t needed = CAB_FUSED_FLOATS((size_t)longest_chain(model)) * sizeof(float);
    size_t there = world->backend->info.local_memory;
    if (there > 0 && needed > there) return "the longest cable does not fit the device's local memory";
    return NULL;
}

/* Are there couples, which turn with their segments? */
static bool has_couples(const cab_model *model)
{
    for (int i = 0; i < model->load_count; i++) {
        if (model->load[i].far >= 0) return true;
    }
    return false;
}

/* NULL when the lanes way can be had. */
static const char *why_not_lanes(const cab_world *world)
{
    const cab_model *model = world->model;
    if (!model->chain) return "cables are joined or have clamps inside, or there are sheets";
    if (cab_contact_possible(model)) return "the scene has contact";
    const char *reason = why_not_plain(&model->settings);
    if (reason) return reason;
    if (model->settings.iterations > 1 && model->settings.method == CAB_METHOD_DIRECT)
        return "more than one iteration is asked for";
    if (model->settings.doubles.on) return "the scene has double distances";
    if (has_couples(model)) return "the scene has moments";
    if (model->loads_move) return "a force has keyframes";
    if (model->has_drag) return "the scene has air drag";
    for (int i = 0; i < model->bending_count; i++) {
        if (model->bending[i].rest > 0) return "cables are curved at rest";
    }
    return why_not_attached(world);
}

/* NULL when the cyclic way can be had. */
static const char *why_not_cyclic(const cab_world *world)
{
    const char *reason = why_not_lanes(world);
    size_t there = world->backend->info.local_memory;
    if (!reason && there > 0 && cab_cyclic_scratch(world) > there)
        reason = "the longest cable does not fit the device's local memory";
    return reason;
}

static const char *why_not(const cab_world *world, cab_way way)
{
    if (way != CAB_WAY_COLOURED && world->model->own_place_count > 0)
        return "the scene has constraints of your own";
    if (way != CAB_WAY_COLOURED && world->model->feed_count > 0) return "a cable is fed";
    if (way != CAB_WAY_COLOURED && way != CAB_WAY_STAGED && world->model->tie_count > 0)
        return "cables are tied";
    if (way == CAB_WAY_FUSED) return why_not_fused(world);
    if (way == CAB_WAY_LANES) return why_not_lanes(world);
    if (way == CAB_WAY_CHUNKS) return cab_chunks_cannot(world);
    return way == CAB_WAY_CYCLIC ? why_not_cyclic(world) : NULL;
}

/* The way that is wished for. */
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

/* A group per cable pays where a lane per cable would leave most of a GPU without work. */
static bool would_fill(const cab_world *world)
{
    const cab_device_info *info = &world->backend->info;
    return !info->gpu || world->model->cable_count >= CABLES_PER_UNIT * info->compute_units;
}

/* One very long cable is faster stage by stage: docs/performance.md, `one-long`. */
static bool lanes_would_idle(const cab_world *world)
{
    const cab_model *m = world->model;
    return m->cable_count == 1 && m->particle_count > LONE_LANES && !world->backend->info.gpu;
}

/* What `clcable tune` has found, else the first of the method's ways that can be had. */
static void choose_way(cab_world *world)
{
    const cab_way *ways = cab_method_traits_of(world->model->settings.method)->ways;
    int chunks = 0;
    cab_way tuned = cab_world_tuned_way(world, &chunks);
    for (int i = 0; ways[i] != CAB_WAY_AUTO; i++) {
        if (ways[i] != tuned || why_not(world, tuned)) continue;
        cab_world_log(world, 1, "way \"%s\": the fastest when it was tuned", cab_way_name(tuned));
        world->way = tuned;
        if (tuned == CAB_WAY_CHUNKS && world->model->settings.chunks.count == 0 && chunks > 0)
            world->model->settings.chunks.count = chunks;
        return;
    }
    bool few = !would_fill(world), lone = lanes_would_idle(world);
    const char *reason = lone ? "one cable so long that lanes would idle" : NULL;
    for (int i = 0; ways[i] != CAB_WAY_AUTO; i++) {
        if (ways[i] == CAB_WAY_CYCLIC && !few) continue;
        /* another order of the constraints, not the bits of the two others: only where it is asked for */
        if (ways[i] == CAB_WAY_CHUNKS || (ways[i] == CAB_WAY_LANES && lone)) continue;
        if (ways[i] == CAB_WAY_LANES && world->model->settings.method == CAB_METHOD_XPBD) continue;
        world->way = ways[i];
        const char *now = why_not(world, ways[i]);
        if (!now) break;
        reason = now;
    }
    if (!reason) reason = few ? "too few cables to fill the GPU" : "the usual one for cables by themselves";
    cab_world_log(world, 1, "way \"%s\": %s", cab_way_name(world->way), reason);
}

static cab_status plan(cab_world *world, cab_error *error)
{
    const cab_model *model = world->model;
    cab_status status = CAB_OK;
    if (model->settings.way == CAB_WAY_AUTO)
        choose_way(world);
    else
        status = take_wish(world, error);
    if (status != CAB_OK || model->settings.method == CAB_METHOD_DIRECT) return status;
    if (world->way == CAB_WAY_LANES) return CAB_OK;
    if (world->way == CAB_WAY_FUSED) {
        int columns = CAB_FUSED_COLUMNS(longest_chain(model)), iterations = model->settings.iterations;
        int trips = columns * (2 * CAB_FUSED_ROWS + 2 * CAB_FUSED_ROWS * iterations) + 64;
        int substeps = FUSED_TRIPS / trips;
        world->params.fused_substeps = substeps > 1 ? substeps : 1;
        world->fused_scratch = CAB_FUSED_FLOATS((size_t)longest_chain(model)) * sizeof(float);
        return CAB_OK;
    }
    return cab_solve_plan(world, error);
}

/* What only the way that is left had, and what only the new one has. */
static cab_status change_room(cab_world *world, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    cab_lanes_end(world);
    cab_direct_end(world);
    if (cab_way_is_fast(world->way)) return CAB_OK;
    return cab_world_upload(world, CAB_BUFFER_offset, NULL, n, sizeof(float4), error);
}

cab_status cab_world_plan(cab_world *world, cab_error *error)
{
    cab_way before = world->way;
    cab_status status = plan(world, error);
    bool changes = before != CAB_WAY_AUTO && before != world->way;
    return status == CAB_OK && changes ? change_room(world, error) : status;
}

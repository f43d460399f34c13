/* Which way a scene is run, and the launches of one iteration. */
#include "world/world.h"

#include <math.h>

#include "model/scene.h"

#define FUSED_TRIPS 32768 /* of loops in one launch of the fused kernel: llvmpipe ends a kernel at 65,535 */
#define MERGE_LIMIT 512   /* constraints: a launch costs about as much as these many in one work-group */

static int longest_chain(const cab_model *model)
{
    int longest = 0;
    for (int c = 0; c < model->cable_count; c++) {
        if (model->chain[c].particle_count > longest) longest = model->chain[c].particle_count;
    }
    return longest;
}

/* NULL when the fused way can be had, else why not. */
static const char *why_not_fused(const cab_world *world)
{
    const cab_model *model = world->model;
    if (!model->chain) return "cables are joined, or have clamps inside";
    if (cab_contact_possible(model)) return "the scene has contact";
    if (model->loaded_count > 0) return "the scene has forces";
    if (model->has_drag) return "the scene has air drag";
    for (int i = 0; i < model->scene->attachment_count; i++) {
        if (isfinite(model->scene->attachments[i].break_force)) return "an attachment can break";
    }
    size_t needed = CAB_FUSED_FLOATS((size_t)longest_chain(model)) * sizeof(float);
    size_t there = world->backend->info.local_memory;
    if (there > 0 && needed > there) return "the longest cable does not fit the device's local memory";
    return NULL;
}

static void plan_colours(cab_world *world, cab_stage stage, cab_kernel single, cab_kernel merged,
                         const cab_range *colour, int count)
{
    for (int i = 0; i < count;) {
        int small = 0;
        while (i + small < count && colour[i + small].count <= MERGE_LIMIT) small++;
        cab_launch_plan *p = &world->plan[world->plan_count++];
        if (small > 1) {
            *p = (cab_launch_plan){stage, merged, i, 1, small};
            i += small;
        } else {
            *p = (cab_launch_plan){stage, single, colour[i].first, colour[i].count, 0};
            i++;
        }
    }
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
    if (!model->chain) return "cables are joined, or have clamps inside";
    if (cab_contact_possible(model)) return "the scene has contact";
    if (model->scene->settings.iterations > 1 && model->scene->settings.method == CAB_METHOD_DIRECT)
        return "more than one iteration is asked for";
    if (model->scene->settings.double_distance) return "the scene has double distances";
    if (has_couples(model)) return "the scene has moments";
    if (model->has_drag) return "the scene has air drag";
    for (int i = 0; i < model->bending_count; i++) {
        if (model->bending[i].rest > 0) return "cables are curved at rest";
    }
    for (int i = 0; i < model->scene->attachment_count; i++) {
        if (isfinite(model->scene->attachments[i].break_force)) return "an attachment can break";
    }
    return NULL;
}

static const char *const way_names[CAB_WAY_COUNT] = {"auto", "coloured", "fused", "lanes", "staged"};

/* A method's ways, the first that can be had is taken; the last always can. */
#define WAYS_MOST 3
static const cab_way ways_of_xpbd[WAYS_MOST] = {CAB_WAY_FUSED, CAB_WAY_LANES, CAB_WAY_COLOURED};
static const cab_way ways_of_direct[WAYS_MOST] = {CAB_WAY_LANES, CAB_WAY_STAGED};

/* NULL when the way can be had, else why not. */
static const char *why_not(const cab_world *world, cab_way way)
{
    if (way == CAB_WAY_FUSED) return why_not_fused(world);
    if (way == CAB_WAY_LANES) return why_not_lanes(world);
    return NULL;
}

static cab_status choose_way(cab_world *world, cab_error *error)
{
    const cab_settings *s = &world->model->scene->settings;
    const cab_way *ways = s->method == CAB_METHOD_DIRECT ? ways_of_direct : ways_of_xpbd;
    const char *source = world->model->scene->source;
    for (int i = 0; i < WAYS_MOST && ways[i] != CAB_WAY_AUTO; i++) {
        if (s->way != CAB_WAY_AUTO && s->way != ways[i]) continue;
        const char *reason = why_not(world, ways[i]);
        if (!reason) {
            world->way = ways[i];
            return CAB_OK;
        }
        if (s->way == ways[i]) {
            return cab_fail(error, CAB_ERROR_INPUT, "%s: /method/way: \"%s\" cannot be had: %s", source,
                            way_names[ways[i]], reason);
        }
        cab_world_log(world, 1, "not the way \"%s\": %s", way_names[ways[i]], reason);
    }
    return cab_fail(error, CAB_ERROR_INPUT, "%s: /method/way: the method \"%s\" has no way \"%s\"", source,
                    cab_method_name(s->method), way_names[s->way]);
}

cab_status cab_world_plan(cab_world *world, cab_error *error)
{
    const cab_model *model = world->model;
    cab_status status = choose_way(world, error);
    if (status != CAB_OK || world->way == CAB_WAY_LANES || world->way == CAB_WAY_STAGED) return status;
    if (world->way == CAB_WAY_FUSED) {
        int columns = CAB_FUSED_COLUMNS(longest_chain(model)), iterations = model->scene->settings.iterations;
        int trips = columns * (2 * CAB_FUSED_ROWS + 2 * CAB_FUSED_ROWS * iterations) + 64;
        int substeps = FUSED_TRIPS / trips;
        world->params.fused_substeps = substeps > 1 ? substeps : 1;
        world->fused_scratch = CAB_FUSED_FLOATS((size_t)longest_chain(model)) * sizeof(float);
        return CAB_OK;
    }
    free(world->plan);
    world->plan_count = 0;
    status = CAB_NEW(world->plan, model->distance_colour_count + model->bending_colour_count, error);
    if (status != CAB_OK) return status;
    plan_colours(world, CAB_STAGE_DISTANCE, CAB_KERNEL_distance, CAB_KERNEL_distance_merged,
                 model->distance_colour, model->distance_colour_count);
    plan_colours(world, CAB_STAGE_BENDING, CAB_KERNEL_bending, CAB_KERNEL_bending_merged,
                 model->bending_colour, model->bending_colour_count);
    return CAB_OK;
}

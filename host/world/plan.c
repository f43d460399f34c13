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

cab_status cab_world_plan(cab_world *world, cab_error *error)
{
    const cab_model *model = world->model;
    cab_way wish = model->scene->settings.way;
    const char *reason = why_not_fused(world);
    if (wish == CAB_WAY_FUSED && reason) {
        return cab_fail(error, CAB_ERROR_INPUT, "%s: /method/way: \"fused\" cannot be had: %s",
                        model->scene->source, reason);
    }
    world->way = wish == CAB_WAY_COLOURED || reason ? CAB_WAY_COLOURED : CAB_WAY_FUSED;
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
    cab_status status =
        CAB_NEW(world->plan, model->distance_colour_count + model->bending_colour_count, error);
    if (status != CAB_OK) return status;
    plan_colours(world, CAB_STAGE_DISTANCE, CAB_KERNEL_distance, CAB_KERNEL_distance_merged,
                 model->distance_colour, model->distance_colour_count);
    plan_colours(world, CAB_STAGE_BENDING, CAB_KERNEL_bending, CAB_KERNEL_bending_merged,
                 model->bending_colour, model->bending_colour_count);
    return CAB_OK;
}

/* The iterations of a substep: which launches a method's constraints take, and when to stop. */
#include "world/world.h"

#include <math.h>

#include "model/method.h"

#define MERGE_LIMIT 512 /* constraints: a launch costs about as much as these many in one work-group */

static void plan_launch(cab_world *world, cab_stage stage, cab_kernel kernel, int first, int count,
                        int argument)
{
    world->plan[world->plan_count++] = (cab_launch_plan){stage, kernel, first, count, argument};
}

/* Colours first ... end-1; small ones share a launch. */
static void plan_colours(cab_world *world, cab_stage stage, cab_kernel single, cab_kernel merged,
                         const cab_range *colour, int first, int end, int flags)
{
    for (int i = first; i < end;) {
        int small = 0;
        while (i + small < end && colour[i + small].count <= MERGE_LIMIT) small++;
        if (small > 1) {
            plan_launch(world, stage, merged, i, 1, flags | small << CAB_SOLVE_COLOURS);
            i += small;
        } else {
            plan_launch(world, stage, single, colour[i].first, colour[i].count, flags);
            i++;
        }
    }
}

static int kind_flags(cab_length_kind kind)
{
    return kind == CAB_LENGTH_AT_MOST    ? CAB_SOLVE_AT_MOST
           : kind == CAB_LENGTH_AT_LEAST ? CAB_SOLVE_AT_LEAST
                                         : 0;
}

static void plan_projections(cab_world *world, int flags)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    plan_colours(world, CAB_STAGE_DISTANCE, CAB_KERNEL_distance, CAB_KERNEL_distance_merged,
                 m->distance_colour, 0, m->segment_colour_count, flags | kind_flags(s->length_kind));
    plan_colours(world, CAB_STAGE_DISTANCE, CAB_KERNEL_distance, CAB_KERNEL_distance_merged,
                 m->distance_colour, m->segment_colour_count, m->distance_colour_count,
                 flags | kind_flags(s->doubles.kind));
    plan_colours(world, CAB_STAGE_BENDING, CAB_KERNEL_bending, CAB_KERNEL_bending_merged, m->bending_colour,
                 0, m->bending_colour_count, flags & ~CAB_SOLVE_ROOTLESS);
}

static void plan_chunks(cab_world *world, int flags)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    int chunks = cab_chunks_count(world);
    flags |= kind_flags(s->length_kind) | kind_flags(s->doubles.kind) << CAB_SOLVE_COLOURS;
    plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_solve, 0, chunks, flags);
    if (chunks == m->cable_count) return; /* no seams */
    if (s->chunks.seam == CAB_SEAM_SHIFT) {
        plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_seam, 0, m->cable_count, flags);
        plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_shift, 0, m->particle_count, flags);
    }
    plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_chunks_cross, 0, chunks, flags);
}

/* Nothing that these launches read is written by them but offsets, and each colour writes its own. */
static void plan_springs(cab_world *world)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    for (int i = 0; i < m->distance_colour_count; i++) {
        const cab_range *c = &m->distance_colour[i];
        plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_springs_distance, c->first, c->count,
                    kind_flags(i < m->segment_colour_count ? s->length_kind : s->doubles.kind));
    }
    for (int i = 0; i < m->bending_colour_count; i++) {
        const cab_range *c = &m->bending_colour[i];
        plan_launch(world, CAB_STAGE_BENDING, CAB_KERNEL_springs_bending, c->first, c->count, 0);
    }
}

/* All lengths at once, then all particles. */
static void plan_averages(cab_world *world)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    int doubles = m->distance_count - m->segment_count;
    plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_jacobi_move, 0, m->segment_count,
                kind_flags(s->length_kind));
    if (doubles > 0)
        plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_jacobi_move, m->segment_count, doubles,
                    kind_flags(s->doubles.kind));
    plan_launch(world, CAB_STAGE_DISTANCE, CAB_KERNEL_jacobi_gather, 0, m->particle_count, 0);
}

static int projection_flags(const cab_model_settings *s, const cab_method_traits *traits)
{
    int flags = traits->rule == CAB_RULE_PROJECTED ? CAB_SOLVE_FORGET : 0;
    if (s->relaxation.approximate_root) flags |= CAB_SOLVE_ROOTLESS;
    if (traits->halves && s->relaxation.equal_weights) flags |= CAB_SOLVE_HALVES;
    return flags;
}

cab_status cab_solve_plan(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    const cab_method_traits *traits = cab_method_traits_of(s->method);
    free(world->plan);
    world->plan_count = 0;
    int colours = m->distance_colour_count + m->bending_colour_count + m->own_colour_count;
    cab_status status = CAB_NEW(world->plan, colours + 4, error);
    if (status != CAB_OK) return status;
    if (traits->rule == CAB_RULE_SPRING)
        plan_springs(world);
    else if (traits->rule == CAB_RULE_AVERAGED)
        plan_averages(world);
    else if (world->way == CAB_WAY_CHUNKS)
        plan_chunks(world, projection_flags(s, traits));
    else
        plan_projections(world, projection_flags(s, traits));
    plan_colours(world, CAB_STAGE_OWN, CAB_KERNEL_own, CAB_KERNEL_own_merged, m->own_colour, 0,
                 m->own_colour_count, 0);
    return CAB_OK;
}

/* The lengths of each particle, in their order: 2 length + end. */
static cab_status upload_links(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    int n = m->particle_count, *start, *link = NULL;
    cab_status status = CAB_NEW(start, n + 2, error);
    if (status == CAB_OK) status = CAB_NEW(link, 2 * (size_t)m->distance_count, error);
    if (status == CAB_OK) {
        int *next = start + 1; /* one ahead, so that filling leaves it in place */
        for (int i = 0; i < m->distance_count; i++)
            next[m->distance[i].a + 1]++, next[m->distance[i].b + 1]++;
        for (int p = 0; p < n; p++) next[p + 1] += next[p];
        for (int i = 0; i < m->distance_count; i++) {
            link[next[m->distance[i].a]++] = 2 * i;
            link[next[m->distance[i].b]++] = 2 * i + 1;
        }
        status = cab_world_upload(world, CAB_BUFFER_link_start, start, (size_t)n + 1, sizeof *start, error);
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_link, link, 2 * (size_t)m->distance_count, sizeof *link,
                                  error);
    if (status == CAB_OK)
        status =
            cab_world_upload(world, CAB_BUFFER_move, NULL, (size_t)m->distance_count, sizeof(float4), error);
    free(start);
    free(link);
    return status;
}

cab_status cab_solve_upload(cab_world *world, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    const cab_method_traits *traits = cab_method_traits_of(s->method);
    cab_status status = CAB_OK;
    if (traits->rule == CAB_RULE_AVERAGED) status = upload_links(world, error);
    if (status != CAB_OK || !s->tolerance.on) return status;
    free(world->change);
    status = CAB_NEW(world->change, 2 * world->block_count, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_change, NULL, 2 * (size_t)world->block_count,
                                  sizeof(float), error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_before, NULL, (size_t)world->model->particle_count,
                                  sizeof(float4), error);
    return status;
}

static cab_status iterate(cab_world *world, int substep, bool first, cab_error *error)
{
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < world->plan_count; i++) {
        const cab_launch_plan *p = &world->plan[i];
        status = cab_world_run(world, p->stage, p->kernel, p->first, p->count,
                               p->argument | (first ? CAB_SOLVE_FIRST : 0), 0, error);
    }
    if (status == CAB_OK) status = cab_ties_solve(world, first, error);
    if (status == CAB_OK) status = cab_world_call(world, first, error);
    if (status == CAB_OK) status = cab_soft_solve(world, substep, first, error);
    int passes = world->model->settings.contact.passes;
    for (int pass = 0; status == CAB_OK && pass < passes; pass++) {
        status = cab_contact_solve(world, first && pass == 0, pass == passes - 1, error);
    }
    return status;
}

static cab_status note_change(cab_world *world, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    int kinds = kind_flags(s->length_kind) | kind_flags(s->doubles.kind) << CAB_SOLVE_COLOURS;
    return cab_world_run(world, CAB_STAGE_CONVERGE, CAB_KERNEL_converge, 0, world->block_count, kinds, 0,
                         error);
}

/* Has the last iteration moved everything by little, and are lengths right? Waits for the device. */
static cab_status look_at_change(cab_world *world, bool *done, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    float moved = 0, off = 0;
    size_t bytes = 2 * (size_t)world->block_count * sizeof *world->change;
    cab_status status = note_change(world, error);
    if (status == CAB_OK)
        status = world->backend->ops->read(world->backend, CAB_BUFFER_change, 0, bytes, world->change, error);
    for (int i = 0; i < world->block_count; i++) {
        moved = fmaxf(moved, world->change[2 * i]);
        off = fmaxf(off, world->change[2 * i + 1]);
    }
    *done = (s->tolerance.move > 0 && moved <= s->tolerance.move) ||
            (s->tolerance.stretch > 0 && off <= s->tolerance.stretch);
    return status;
}

cab_status cab_solve_substep(cab_world *world, int substep, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    bool adaptive = s->tolerance.on, done = false;
    cab_status status = adaptive ? note_change(world, error) : CAB_OK; /* where iterations begin */
    int i = 0;
    for (; status == CAB_OK && i < s->iterations && !done; i++) {
        status = iterate(world, substep, i == 0, error);
        if (status == CAB_OK && adaptive) status = look_at_change(world, &done, error);
    }
    world->iterations += i;
    if (i > world->measures.iterations_max) world->measures.iterations_max = i;
    return status;
}

/* Buffers and launches of kernels/stiff.cl and kernels/press.cl. */
#include "carrier/stiff.h"

#include "carrier/cluster.h"
#include "carrier/coupled.h"
#include "carrier/spans.h"
#include "contact/contact.h"
#include "world/device.h"

/* May a component be stiff in some substep? */
static bool is_possible(const cab_world *world)
{
    return cab_contact_possible(world->model) || world->staged.branches.any_taut ||
           world->staged.coupled.count > 0;
}

cab_status cab_stiff_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    bool possible = is_possible(world);
    size_t segments = m->collider_count > 0 ? (size_t)m->segment_count : 0;
    size_t nodes = possible ? (size_t)(m->node_count + world->staged.branches.branch_count) : 0;
    const cab_table tables[] = {
        {CAB_BUFFER_stiff, NULL, (size_t)world->staged.branches.component_count, sizeof(int)},
        {CAB_BUFFER_leaning, NULL, (size_t)world->staged.branches.component_count, sizeof(int)},
        {CAB_BUFFER_bumped, NULL, (size_t)world->staged.branches.component_count, sizeof(int)},
        {CAB_BUFFER_hard, NULL, (size_t)world->staged.branches.component_count, sizeof(int)},
        {CAB_BUFFER_inertia, NULL, possible ? (size_t)m->particle_count : 0, sizeof(float4)},
        {CAB_BUFFER_stiff_node, NULL, nodes, sizeof(cab_stiff_node)},
        {CAB_BUFFER_stiff_condensed, NULL, possible ? (size_t)world->staged.branches.branch_count : 0,
         sizeof(cab_stiff_condensed)},
        {CAB_BUFFER_outcome, NULL, possible ? (size_t)world->staged.branches.branch_count : 0, sizeof(int)},
        {CAB_BUFFER_press, NULL, segments, sizeof(cab_press)},
        {CAB_BUFFER_unsettled, NULL, segments, sizeof(int)},
    };
    cab_status status = CAB_UPLOAD(world, tables, error);
    return status == CAB_OK ? cab_spans_start(world, error) : status;
}

cab_status cab_stiff_restart(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    bool possible = is_possible(world);
    size_t segments = m->collider_count > 0 ? (size_t)m->segment_count : 0;
    size_t components = possible ? (size_t)world->staged.branches.component_count : 0;
    cab_status status =
        cab_world_upload_kept(world, "pressing", CAB_BUFFER_pressing, NULL, segments, sizeof(float), error);
    if (status != CAB_OK) return status;
    status = cab_world_upload_kept(world, "lost", CAB_BUFFER_lost, NULL, components, sizeof(int), error);
    if (status != CAB_OK) return status;
    return cab_world_upload_kept(world, "hurried", CAB_BUFFER_hurried, NULL, components, sizeof(int), error);
}

void cab_stiff_stop(cab_world *world)
{
    world->staged.chosen = world->staged.stiff = world->staged.near = world->staged.clusters = false;
    cab_world_keep(world, CAB_BUFFER_pressing, NULL, 0, 0);
    cab_world_keep(world, CAB_BUFFER_lost, NULL, 0, 0);
    cab_world_keep(world, CAB_BUFFER_hurried, NULL, 0, 0);
}

static cab_status run(cab_world *world, cab_stage stage, cab_kernel kernel, int count, int argument,
                      cab_error *error)
{
    return cab_world_run(world, stage, kernel, 0, count, argument, 0, error);
}

/* Is any component stiff in this substep? Heaps in which everything touches segments have none. */
static cab_status any_stiff(cab_world *world, bool *any, cab_error *error)
{
    int n = world->staged.branches.component_count, *stiff;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_stiff, stiff, n, error);
    *any = false;
    for (int c = 0; status == CAB_OK && c < n; c++) *any |= stiff[c] != CAB_STIFF_NOT;
    free(stiff);
    return status;
}

cab_status cab_stiff_choose(cab_world *world, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    bool near = c->touching && cab_contact_any_near(world),
         pairs = c->touching && cab_contact_any_pairs(world);
    cab_status status = cab_cluster_find(world, pairs, error);
    bool clusters = world->staged.clusters;
    world->staged.chosen = near || clusters || world->staged.bumped || world->staged.branches.any_taut ||
                           world->pace.made || world->staged.coupled.count > 0;
    world->staged.stiff = world->staged.near = world->staged.leaning = false;
    if (status != CAB_OK || !world->staged.chosen) return status;
    status =
        run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_stiff_choose, world->staged.branches.component_count,
            (near ? CAB_STIFF_NEAR : 0) | (pairs ? CAB_STIFF_PAIRS : 0) | (clusters ? CAB_STIFF_CLUSTERS : 0),
            error);
    if (status == CAB_OK) status = cab_coupled_choose(world, error);
    if (status == CAB_OK) status = any_stiff(world, &world->staged.stiff, error);
    world->staged.near = near && world->staged.stiff;
    world->staged.leaning = world->staged.near && pairs && world->model->rigid_count > 0;
    return status;
}

cab_status cab_stiff_predict(cab_world *world, int flags, cab_error *error)
{
    int particles = world->model->particle_count;
    if (!world->staged.stiff) return CAB_OK;
    cab_status status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_stiff_inertia, particles, flags, error);
    if (status != CAB_OK || !world->staged.near || flags & CAB_NEWTON_GOES_ON) return status;
    return run(world, CAB_STAGE_DIRECT, CAB_KERNEL_stiff_aside, particles, 0, error);
}

/* Branches that spans.cl solves are left out by the others. */
static int spans_flag(const cab_world *world)
{
    return cab_spans_used(world) ? CAB_NEWTON_SPANS : 0;
}

cab_status cab_stiff_condense(cab_world *world, int flags, bool settle, cab_error *error)
{
    const cab_model *m = world->model;
    if (!world->staged.stiff) return CAB_OK;
    cab_status status = CAB_OK;
    if (world->staged.near)
        status = run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_press_colliders, m->segment_count, flags, error);
    if (status == CAB_OK && world->staged.leaning)
        status = run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_press_segments, m->segment_count, 0, error);
    if (status == CAB_OK && settle)
        status =
            run(world, CAB_STAGE_DIRECT, CAB_KERNEL_stiff_settle, world->staged.branches.component_count,
                (world->staged.near ? CAB_STIFF_NEAR : 0) | (flags & CAB_NEWTON_TAUT ? CAB_STIFF_TAUT : 0),
                error);
    if (status == CAB_OK && settle) status = cab_cluster_agree(world, error);
    if (status == CAB_OK && cab_spans_used(world))
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_stiff_spans, world->staged.span_tiles, flags, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_stiff_condense, world->staged.branches.branch_count,
                     spans_flag(world) | flags, error);
    return status;
}

cab_status cab_stiff_substitute(cab_world *world, int flags, cab_error *error)
{
    if (!world->staged.stiff) return CAB_OK;
    cab_status status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_stiff_substitute,
                            world->staged.branches.branch_count, spans_flag(world) | flags, error);
    return status == CAB_OK ? cab_cluster_solve(world, error) : status;
}

cab_status cab_stiff_end(cab_world *world, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    bool near = c->touching && cab_contact_any_near(world);
    cab_status status = CAB_OK;
    if (!world->staged.chosen) return CAB_OK;
    if (near)
        status = run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_press_end, world->model->segment_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_stiff_judge, world->staged.branches.branch_count,
                     (near ? CAB_STIFF_NEAR : 0) | (world->staged.clusters ? CAB_STIFF_CLUSTERS : 0), error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_stiff_end, world->staged.branches.component_count,
                     0, error);
    return status;
}

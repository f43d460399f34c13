/* The carrier staged: the direct method stage by stage. Makes tables, and launches the stages of a substep:
 *
 *   direct_bend ... direct_back   implicit bending
 *   contact passes                after each of them the lengths:
 *   direct_condense ... _check    exact lengths, more than once where they are still off */
#include <string.h>

#include "carrier/clear.h"
#include "carrier/cluster.h"
#include "carrier/coupled.h"
#include "carrier/direct_lanes.h"
#include "carrier/direct_slow.h"
#include "carrier/fed.h"
#include "carrier/gang.h"
#include "carrier/stiff.h"
#include "constraint/director.h"
#include "constraint/rigid.h"
#include "constraint/rigid_contact.h"
#include "constraint/socket.h"
#include "constraint/twist.h"
#include "constraint/viscous.h"
#include "contact/contact.h"
#include "model/constraint_kind.h"
#include "world/device.h"

static cab_status upload_branches(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    size_t p = (size_t)m->particle_count, n = (size_t)m->node_count, c = (size_t)b->component_count;
    size_t branches = (size_t)b->branch_count;
    const cab_table tables[] = {
        {CAB_BUFFER_component, b->component, p, sizeof(int)},
        {CAB_BUFFER_component_start, b->component_start, c + 1, sizeof(int)},
        {CAB_BUFFER_component_particle, b->component_particle, p, sizeof(int)},
        {CAB_BUFFER_component_branch_start, b->component_branch_start, c + 1, sizeof(int)},
        {CAB_BUFFER_component_branch, b->component_branch, branches, sizeof(int)},
        {CAB_BUFFER_off, NULL, c, sizeof(int)},
        {CAB_BUFFER_off_branch, NULL, branches, sizeof(int)},
        {CAB_BUFFER_bend, NULL, p, sizeof(float4)},
        {CAB_BUFFER_bend_start, b->bend_start, p + 1, sizeof(int)},
        {CAB_BUFFER_bend_item, b->bend_item, (size_t)b->bend_start[p], sizeof(int)},
        {CAB_BUFFER_branch, b->branch, branches, sizeof *b->branch},
        {CAB_BUFFER_branch_node, b->node, n, sizeof *b->node},
        {CAB_BUFFER_branch_factor, b->factor, 2 * n, sizeof *b->factor},
        {CAB_BUFFER_branch_bend, NULL, 4 * branches, sizeof(float4)},
        {CAB_BUFFER_branch_state, NULL, 2 * n, sizeof(float4)},
        {CAB_BUFFER_condensed, NULL, branches, sizeof(cab_condensed)},
    };
    return CAB_UPLOAD(world, tables, error);
}

static cab_status upload_junctions(cab_world *world, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    size_t junctions = (size_t)b->junction_count, blocks = (size_t)b->block_count,
           rows = (size_t)b->row_count;
    const cab_table tables[] = {
        {CAB_BUFFER_joined, b->joined, (size_t)b->joined_count, sizeof *b->joined},
        {CAB_BUFFER_separator, b->separator, (size_t)b->separator_count + 1, sizeof *b->separator},
        {CAB_BUFFER_separator_row, b->separator_row, rows, sizeof(int)},
        {CAB_BUFFER_separator_factor, b->separator_factor, 2 * rows, sizeof(float)},
        {CAB_BUFFER_separator_item, b->separator_item, (size_t)b->separator[b->separator_count].item,
         sizeof(int)},
        {CAB_BUFFER_junction, b->junction, junctions + 1, sizeof *b->junction},
        {CAB_BUFFER_junction_item, b->junction_item, (size_t)b->junction[junctions].item, sizeof(int)},
        {CAB_BUFFER_junction_move, NULL, junctions + (size_t)b->port_count, sizeof(float4)},
        {CAB_BUFFER_junction_diagonal, NULL, 6 * junctions, sizeof(float)},
        {CAB_BUFFER_junction_block, NULL, 9 * blocks, sizeof(float)},
        {CAB_BUFFER_block, b->block, blocks + 1, sizeof *b->block},
        {CAB_BUFFER_block_item, b->block_item, (size_t)b->block[blocks].item, sizeof(int)},
        {CAB_BUFFER_block_term, b->term, (size_t)b->term_count, sizeof *b->term},
    };
    return CAB_UPLOAD(world, tables, error);
}

/* There are no steps before: the next substep is of first order. */
static cab_status restart(cab_world *world, cab_error *error)
{
    size_t count = (size_t)world->staged.branches.component_count;
    int *ones;
    cab_status status = CAB_NEW(ones, count, error);
    for (size_t i = 0; status == CAB_OK && i < count; i++) ones[i] = 1;
    if (status == CAB_OK)
        status = cab_world_upload_kept(world, "order", CAB_BUFFER_order, ones, count, sizeof *ones, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_touched, NULL, count, sizeof *ones, error);
    free(ones);
    if (status == CAB_OK) status = cab_direct_reset_slow(world, NULL, error);
    return status == CAB_OK ? cab_stiff_restart(world, error) : status;
}

static cab_status make_tables(cab_world *world, cab_error *error)
{
    cab_branches_free(&world->staged.branches);
    cab_status status = cab_branches_build(world->model, &world->staged.branches, error);
    if (status == CAB_OK) status = cab_coupled_start(world, error);
    if (status == CAB_OK) status = cab_stiff_start(world, error);
    if (status == CAB_OK) status = cab_direct_lanes_start(world, error);
    if (status == CAB_OK) status = cab_fed_restart(world, error);
    if (status == CAB_OK) status = upload_branches(world, error);
    if (status == CAB_OK) status = upload_junctions(world, error);
    if (status == CAB_OK) status = cab_rigid_upload(world, error);
    if (status == CAB_OK) status = cab_rigid_contact_upload(world, error);
    return status == CAB_OK ? cab_socket_upload(world, error) : status;
}

static cab_status update_substep(cab_world *world, const bool *changed, cab_error *error)
{
    cab_status status = make_tables(world, error);
    int n = world->staged.branches.component_count, *order = NULL;
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_order, order, n, error);
    for (int c = 0; status == CAB_OK && c < n; c++) {
        if (changed[c] && order[c] != CAB_ORDER_ASLEEP) order[c] = 1;
    }
    if (status == CAB_OK)
        status = world->backend->ops->write(world->backend, CAB_BUFFER_order, 0, (size_t)n * sizeof *order,
                                            order, error);
    free(order);
    return status == CAB_OK ? cab_direct_reset_slow(world, changed, error) : status;
}

/* A number of each component that states keep: that of a new one is the largest of those of its particles' old ones. */
static cab_status hand_over(cab_world *world, cab_buffer id, const char *name, const int *before,
                            size_t old_count, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    int *old = NULL, *now = NULL, n = b->component_count;
    if (world->kept[id].count == 0) return CAB_OK;
    cab_status status = CAB_READ_NEW(world, id, old, old_count, error);
    if (status == CAB_OK) status = CAB_NEW(now, n, error);
    for (int p = 0; status == CAB_OK && p < world->model->particle_count; p++) {
        int *to = &now[b->component[p]], from = old[before[p]];
        if (from > *to) *to = from;
    }
    if (status == CAB_OK) status = cab_world_upload_kept(world, name, id, now, (size_t)n, sizeof *now, error);
    CAB_FREE(old, now);
    return status;
}

/* Of two that become one either goes on by first order if one of them would. */
static cab_status regroup(cab_world *world, cab_error *error)
{
    static const struct {
        cab_buffer id;
        const char *name;
    } kept[] = {{CAB_BUFFER_order, "order"}, {CAB_BUFFER_lost, "lost"}, {CAB_BUFFER_hurried, "hurried"}};
    size_t particles = (size_t)world->model->particle_count,
           count = (size_t)world->staged.branches.component_count;
    int *before;
    cab_status status = CAB_NEW(before, particles, error);
    if (status != CAB_OK) return status;
    memcpy(before, world->staged.branches.component, particles * sizeof *before);
    status = make_tables(world, error);
    for (size_t i = 0; status == CAB_OK && i < sizeof kept / sizeof *kept; i++)
        status = hand_over(world, kept[i].id, kept[i].name, before, count, error);
    if (status == CAB_OK) status = cab_cluster_start(world, error);
    count = (size_t)world->staged.branches.component_count;
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_touched, NULL, count, sizeof(int), error);
    free(before);
    return status;
}

static cab_status start(cab_world *world, cab_error *error)
{
    cab_status status = cab_gang_release(world, error);
    if (status == CAB_OK) status = make_tables(world, error);
    if (status == CAB_OK) status = cab_cluster_start(world, error);
    world->params.node_count = world->model->node_count;
    if (status == CAB_OK) status = restart(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) {
        const cab_branches *b = &world->staged.branches;
        cab_world_log(world, 1, "staged: %d branches, %d junctions, %d pieces", b->branch_count,
                      b->junction_count, b->component_count);
    }
    return status;
}

static cab_status run(cab_world *world, cab_stage stage, cab_kernel kernel, int count, int argument,
                      cab_error *error)
{
    return cab_world_run(world, stage, kernel, 0, count, argument, 0, error);
}

static cab_status predict(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = run(world, CAB_STAGE_PREDICT, CAB_KERNEL_direct_predict, m->particle_count, 0, error);
    if (status == CAB_OK && m->loaded_count > 0 && m->bending_count == 0)
        status = run(world, CAB_STAGE_PREDICT, CAB_KERNEL_direct_load, m->loaded_count, 0, error);
    if (status == CAB_OK && m->has_drag)
        status = run(world, CAB_STAGE_PREDICT, CAB_KERNEL_direct_drag, m->particle_count, 0, error);
    if (status == CAB_OK) status = cab_rigid_fit(world, CAB_RIGID_BEGIN, error);
    return status == CAB_OK ? cab_rigid_clamp_turn(world, error) : status;
}

static int viscous_flag(const cab_world *world)
{
    return cab_model_damps_bending(world->model) ? CAB_BEND_VISCOUS : 0;
}

static cab_status bend(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->staged.branches;
    int viscous = viscous_flag(world);
    if (m->bending_count == 0) return cab_rigid_place(world, 0, error);
    cab_status status = cab_coupled_begin(world, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_bend, m->bending_count, viscous, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_gather, m->particle_count, viscous, error);
    if (status == CAB_OK && m->loaded_count > 0)
        status =
            run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_load, m->loaded_count, CAB_LOAD_BENDING, error);
    if (status == CAB_OK) status = cab_rigid_clamp_push(world, error);
    if (status == CAB_OK) status = cab_twist_bend(world, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_forward, b->branch_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_separate, b->joined_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_back, b->branch_count, 0, error);
    if (status == CAB_OK) status = cab_coupled_unbend(world, error);
    if (status == CAB_OK) status = cab_rigid_fit(world, CAB_RIGID_BENT, error);
    if (status == CAB_OK) status = cab_rigid_place(world, 0, error);
    if (status == CAB_OK) status = cab_viscous_note(world, error);
    return status;
}

/* What kernels must know of components that are stiff. */
static int stiff_flags(const cab_world *world)
{
    const cab_staged *s = &world->staged;
    return (s->stiff ? CAB_NEWTON_STIFF : 0) | (s->near ? CAB_NEWTON_NEAR : 0) |
           (s->clusters ? CAB_NEWTON_CLUSTERS : 0);
}

/* One Newton pass. flags: CAB_NEWTON_...; settle: see cab_stiff_condense */
static cab_status project(cab_world *world, int flags, bool settle, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    bool masses = !(flags & CAB_NEWTON_TAUT), lanes = masses && cab_direct_lanes_used(world, flags);
    flags |= stiff_flags(world) | (lanes ? CAB_NEWTON_LANES : 0);
    cab_status status = cab_rigid_contact_press(world, flags, error);
    if (status == CAB_OK) status = cab_socket_press(world, flags, error);
    if (status == CAB_OK) status = cab_stiff_condense(world, flags, settle, error);
    if (status == CAB_OK && lanes) status = cab_direct_lanes_solve(world, flags, error);
    masses = masses && !(lanes && world->staged.all_in_lanes);
    if (status == CAB_OK && masses)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_condense, b->branch_count, flags, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_assemble, b->joined_count, flags, error);
    if (status == CAB_OK) status = cab_rigid_assemble(world, flags, error);
    if (status == CAB_OK) status = cab_rigid_contact_assemble(world, flags, error);
    if (status == CAB_OK) status = cab_socket_assemble(world, flags, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_junction, b->joined_count, flags, error);
    if (status == CAB_OK) status = cab_rigid_move(world, flags, error);
    if (status == CAB_OK && masses)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_substitute, b->branch_count, flags, error);
    if (status == CAB_OK) status = cab_stiff_substitute(world, flags, error);
    if (status == CAB_OK) status = cab_coupled_solve(world, flags, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_check, b->component_count, 0, error);
    return status == CAB_OK ? cab_rigid_check(world, error) : status;
}

static cab_status note(cab_world *world, cab_error *error)
{
    return run(world, CAB_STAGE_CONTACT, CAB_KERNEL_direct_note, world->model->particle_count, 0, error);
}

/* Takes back a part of what contact has moved since it was noted, as masses and order of integration ask for. */
static cab_status take_back(cab_world *world, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    cab_status status =
        run(world, CAB_STAGE_CONTACT, CAB_KERNEL_direct_slow_contact, b->branch_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_CONTACT, CAB_KERNEL_direct_touch, b->component_count,
                     stiff_flags(world), error);
    return status;
}

/* Moves particles by the forces that contacts begin with. */
static cab_status contact_begin(cab_world *world, cab_error *error)
{
    if (!cab_contact_begins(world)) return CAB_OK;
    cab_status status = note(world, error);
    if (status == CAB_OK) status = cab_contact_begin(world, error);
    return status == CAB_OK ? take_back(world, error) : status;
}

/* A contact pass, and notes what it has moved. */
static cab_status contact_pass(cab_world *world, bool first, bool last, cab_error *error)
{
    cab_status status = note(world, error);
    for (int k = 0; status == CAB_OK && k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->contact_pass) status = kind->contact_pass(world, first, error);
    }
    if (status == CAB_OK) status = cab_contact_solve(world, first, last, error);
    if (status == CAB_OK) status = take_back(world, error);
    return status == CAB_OK ? cab_rigid_fit(world, 0, error) : status;
}

/* Are there constraints that contact passes solve beside the contacts? */
static bool any_beside_contact(const cab_world *world)
{
    for (int k = 0; k < cab_constraint_kind_count; k++) {
        const cab_constraint_kind *kind = cab_constraint_kinds[k];
        if (kind->contact_pass && kind->present(world->model)) return true;
    }
    return false;
}

/* Is a length of some component still off after the last pass? taut: of one with a long held branch, or with tension that
 * outweighs inertia, that is solved with its tension's stiffness. */
static cab_status any_off(cab_world *world, bool taut, bool *any, cab_error *error)
{
    const cab_branches *b = &world->staged.branches;
    int *off, *stiff = NULL, *hard = NULL;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_off, off, b->component_count, error);
    *any = false;
    for (int c = 0; status == CAB_OK && c < b->component_count; c++) *any |= off[c] != 0;
    if (status == CAB_OK && *any && taut) {
        *any = false;
        status = CAB_READ_NEW(world, CAB_BUFFER_stiff, stiff, b->component_count, error);
        if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_hard, hard, b->component_count, error);
        for (int i = 0; status == CAB_OK && i < b->branch_count; i++) {
            int c = b->branch[i].component;
            *any |= (b->branch[i].taut || hard[c]) && off[c] && stiff[c] == CAB_STIFF_MOVES;
        }
    }
    CAB_FREE(off, stiff, hard);
    return status;
}

#define UNDAMPED 3 /* passes with Coulomb friction; after them friction that has not settled only brakes */

/* Contact passes, each followed by the lengths: at first of all components, then where they are still off or contact has moved
 * something. What nothing comes near gets as many passes for its lengths. beside: there is more than contacts to
 * solve in the passes. */
static cab_status contact_passes(cab_world *world, int total, bool beside, cab_error *error)
{
    bool touching = world->contact.touching || beside, bumped = world->staged.bumped;
    int again = CAB_NEWTON_GOES_ON |
                (touching || bumped || cab_contact_possible(world->model) ? CAB_NEWTON_WHERE_OFF : 0);
    cab_status status = CAB_OK;
    bool off = true, lengths_only = !touching && !bumped && again & CAB_NEWTON_WHERE_OFF;
    bool coupled = world->staged.coupled.count > 0 && touching;
    bool in_lanes = touching && !beside && cab_direct_lanes_take_contact(world);
    for (int pass = 0; status == CAB_OK && off && pass < total; pass++) {
        int flags = pass > 0 ? again : 0;
        if (pass >= UNDAMPED && pass == total - 1) flags |= CAB_NEWTON_DAMPED;
        if (in_lanes) {
            flags |= CAB_NEWTON_CONTACT;
            status = cab_contact_push(world, pass == 0, pass == total - 1, error);
        } else if (touching) {
            status = contact_pass(world, pass == 0, pass == total - 1, error);
        }
        if (status == CAB_OK && (pass == 0 || beside || coupled))
            status = cab_stiff_predict(world, flags, error);
        if (status == CAB_OK) status = project(world, flags, pass > 0 && !beside, error);
        if (status == CAB_OK && lengths_only && pass + 1 < total) status = any_off(world, false, &off, error);
    }
    return status;
}

/* A pass over lengths that are still off. Where none is, only what the last pass leaves to the next substep remains:
 * that particles no longer count as heavier. */
static cab_status last_pass(cab_world *world, int total, int pass, cab_error *error)
{
    int flags = CAB_NEWTON_GOES_ON | CAB_NEWTON_WHERE_OFF;
    bool off = true;
    if (total + pass - 2 >= UNDAMPED) flags |= CAB_NEWTON_DAMPED;
    if (pass == CAB_NEWTON_PASSES) flags |= CAB_NEWTON_LAST;
    bool presses = world->staged.near || world->staged.clusters || world->staged.bumped;
    cab_status status = presses ? CAB_OK : any_off(world, false, &off, error);
    if (status != CAB_OK || (!off && pass < CAB_NEWTON_PASSES)) return status;
    if (pass == CAB_NEWTON_PASSES) status = cab_direct_lanes_end(world, stiff_flags(world), error);
    if (status != CAB_OK) return status;
    if (off) return project(world, flags, true, error);
    return run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_substitute, world->staged.branches.branch_count,
               flags | stiff_flags(world), error);
}

/* Passes that only long held cables take: in its first substeps such a one does not know its tension, without whose
 * stiffness a pass says little about the next. */
static cab_status taut_passes(cab_world *world, cab_error *error)
{
    bool off = world->staged.branches.any_taut || world->pace.made;
    cab_status status = CAB_OK;
    for (int pass = CAB_NEWTON_PASSES + 1; status == CAB_OK && off && pass <= CAB_TAUT_PASSES; pass++) {
        status = any_off(world, true, &off, error);
        if (status == CAB_OK && off)
            status = project(world, CAB_NEWTON_GOES_ON | CAB_NEWTON_TAUT | CAB_NEWTON_DAMPED, true, error);
    }
    return status;
}

/* Contact and lengths; then lengths once or twice more where they are still off. */
static cab_status solve(cab_world *world, int substep, cab_error *error)
{
    (void)substep;
    cab_status status = cab_socket_begin(world, error);
    if (status == CAB_OK) status = cab_rigid_contact_find(world, error);
    if (status == CAB_OK) status = cab_socket_near(world, error);
    if (status == CAB_OK) status = cab_stiff_choose(world, error);
    const cab_model_settings *s = &world->model->settings;
    bool beside =
        any_beside_contact(world) || (world->model->rigid_count > 0 && cab_contact_any_pairs(world));
    bool possible =
        world->contact.touching || beside || world->staged.bumped || cab_contact_possible(world->model);
    int total = (possible ? s->contact.passes : 1) * s->iterations;
    world->contact.pressed = world->staged.near;
    world->contact.clusters = world->staged.clusters || world->staged.leaning;
    if (status == CAB_OK) status = contact_begin(world, error);
    if (status == CAB_OK) status = contact_passes(world, total, beside, error);
    if (status == CAB_OK) status = cab_contact_keep_grips(world, error);
    for (int pass = 2; status == CAB_OK && pass <= CAB_NEWTON_PASSES; pass++)
        status = last_pass(world, total, pass, error);
    if (status == CAB_OK) status = taut_passes(world, error);
    world->contact.pressed = world->contact.clusters = false; /* guards move particles by their masses */
    if (status == CAB_OK) status = cab_stiff_end(world, error);
    if (status == CAB_OK) status = cab_rigid_contact_end(world, error);
    return status == CAB_OK ? cab_socket_end(world, error) : status;
}

/* Computes the bendings' multipliers, from which forces on attachments follow. */
static cab_status forces(cab_world *world, cab_error *error)
{
    cab_status status = cab_rigid_clamp_turn(world, error);
    if (status == CAB_OK) status = cab_viscous_measure(world, error);
    if (status == CAB_OK) status = cab_twist_force(world, error);
    if (status == CAB_OK) status = cab_director_bend(world, error);
    if (status != CAB_OK) return status;
    return run(world, CAB_STAGE_ATTACH, CAB_KERNEL_direct_bend, world->model->bending_count,
               CAB_BEND_IN_SUBSTEPS | viscous_flag(world), error);
}

static cab_status finish(cab_world *world, cab_error *error)
{
    cab_status status = cab_rigid_finish(world, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_FINISH, CAB_KERNEL_direct_finish, world->model->particle_count,
                     stiff_flags(world), error);
    if (status == CAB_OK) status = cab_rigid_tangent(world, stiff_flags(world), error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_FINISH, CAB_KERNEL_direct_order, world->staged.branches.component_count,
                     0, error);
    if (status == CAB_OK) status = cab_rigid_place(world, CAB_RIGID_ENDED, error);
    return status;
}

static void end(cab_world *world)
{
    cab_gang_release(world, NULL);
    cab_branches_free(&world->staged.branches);
    cab_coupled_stop(world);
    free(world->staged.fed);
    world->staged.fed = NULL;
    cab_world_keep(world, CAB_BUFFER_order, NULL, 0, 0);
    cab_world_keep(world, CAB_BUFFER_branch_slow, NULL, 0, 0);
    cab_stiff_stop(world);
}

static const char *refuses(const cab_world *world)
{
    (void)world;
    return NULL; /* it runs every scene that the direct method can */
}

static const cab_substep_hooks hooks = {.predict = predict,
                                        .bend = bend,
                                        .solve = solve,
                                        .contact_pass = contact_pass,
                                        .forces = forces,
                                        .finish = finish};

const cab_carrier cab_staged_carrier = {.way = CAB_WAY_STAGED,
                                        .springs_in_factors = true,
                                        .refuses = refuses,
                                        .start = start,
                                        .update_substep = update_substep,
                                        .regroup = regroup,
                                        .feed = cab_fed_follow,
                                        .settle = cab_clear_give,
                                        .fetch = cab_clear_fetch,
                                        .measure = cab_clear_measure,
                                        .substep = &hooks,
                                        .end = end};

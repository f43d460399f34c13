/* Contact on the host: buffers, launches, measures. Candidate lists are in lists.c. */
#include "contact/contact.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "contact/lists.h"
#include "model/scene.h"
#include "world/window.h"

#define RELAXATION 1.3f /* over-relaxation of normal corrections (docs/design.md) */
/* By the direct method contacts are springs, and keep their friction from substep to substep (docs/design.md). Stiffness, in the mass
 * that meets in a contact over the square of a substep; compliance of the multiplier, over the inverse of that mass. With a product
 * of 1 passes push all of an overlap apart that its force does not hold. */
#define SPRING 2.0f
#define SOFT 0.5f
#define PUSH_OUT 5.0     /* m/s; speed limit for pushing overlaps apart */
#define PART_SLOWLY 0.09 /* m/s; the same for overlaps from the start of the run */
#define SLIP_LEAST 1e-5  /* m/s; slower than this a contact sticks, with friction as a damper */
#define FAST_STEP 0.5f   /* of a radius: what moves farther in a substep is swept and guarded */
#define NEVER_FAST 1e30f /* of a radius: no sweeps */
/* Rounds that end a fast substep: contacts are found again on the path to the solved places. */
#define GUARD_ROUNDS 8
#define GUARD_PASSES 4 /* passes over contacts in such a round */
#define NEAR_BREAK 3   /* segments on each side of a break that may overlap for a while */
#define AHEAD_STEPS 2  /* lists that must cover a motion ahead are made as for steps of its half */
#define TOO_FAR 1e3    /* m in one substep; no list could cover this */

static bool cables_may_touch(const cab_model *m)
{
    const cab_model_settings *s = &m->settings;
    if (s->contact.cables && m->bodies_meet) return true;
    for (int c = 0; s->contact.self && c < m->cable_count; c++) {
        if (m->bodies[c].node_count > 4) return true; /* fewer than four segments cannot touch one another */
    }
    return false;
}

bool cab_contact_possible(const cab_model *model)
{
    return model->collider_count > 0 || cables_may_touch(model);
}

static void measure_scene(cab_world *world)
{
    const cab_model *m = world->model;
    cab_contact_state *c = &world->contact;
    for (int i = 0; i < m->segment_count; i++) {
        c->largest_rest = fmax(c->largest_rest, m->segment[i].rest);
        c->smallest_rest = i == 0 ? m->segment[i].rest : fmin(c->smallest_rest, m->segment[i].rest);
        double least =
            m->segment[i].radius * (m->segment[i].owner & CAB_SEGMENT_THINS ? CAB_RADIUS_LEAST : 1);
        c->smallest_radius = i == 0 ? least : fmin(c->smallest_radius, least);
        c->largest_radius = fmax(c->largest_radius, m->segment[i].radius);
    }
    /* the first free segment can be longer by a part of the one before */
    for (int i = 0; i < m->drum_node_count; i++)
        c->largest_rest = fmax(c->largest_rest, (1 + CAB_DRUM_LEAST) * m->drum_node[i].length);
    c->key_bits = 8;
    while ((1 << c->key_bits) < m->segment_count && c->key_bits < 24) c->key_bits += 8;
    c->segment_bits = 8;
    while ((1ll << c->segment_bits) < m->segment_count) c->segment_bits += 8;
    int table = 16;
    while (table < m->segment_count && table < 1 << c->key_bits) table *= 2;
    world->params.table_mask = table - 1;
    world->params.contact_cables = m->settings.contact.cables;
    world->params.contact_self = m->settings.contact.self;
    world->params.touch_between = m->settings.contact.touching == CAB_TOUCHING_SEGMENTS;
    bool direct = m->settings.method == CAB_METHOD_DIRECT;
    world->params.contact_spring = direct ? SPRING : 0;
    world->params.contact_soft = direct ? SOFT : 0;
    world->params.relaxation = direct ? 1 : RELAXATION;
    bool swept = m->settings.contact.detection == CAB_DETECTION_SWEPT;
    world->params.fast = swept ? FAST_STEP : NEVER_FAST;
    world->params.near_fast = swept && m->settings.max_pieces > 1 ? CAB_PACE_SHARE : world->params.fast;
}

static void fill_params(cab_world *world)
{
    const cab_model *m = world->model;
    double h = cab_model_substep(m), longest = h * m->pieces;
    world->params.static_slip = m->settings.contact.friction_model == CAB_FRICTION_THRESHOLD
                                    ? (float)(m->settings.contact.static_speed * h)
                                    : 0;
    world->params.slip_least = (float)(SLIP_LEAST * h);
    world->params.part_slowly = (float)(PART_SLOWLY / RELAXATION * longest) / CAB_PIECES_MOST;
    world->params.push_out = (float)(PUSH_OUT * h);
    world->params.push_share = 1 / (float)m->pieces;
    world->params.contact_passes = m->settings.contact.passes;
    world->params.pace_h = (float)longest;
}

void cab_world_fill_substep(cab_world *world)
{
    const cab_model *model = world->model;
    double h = cab_model_substep(model);
    world->params.h = (float)h;
    world->params.inverse_h = (float)(1 / h);
    world->params.spring_damping = (float)(model->settings.springs.damping * h * h);
    world->params.share = 1.0f / (float)model->pieces;
    fill_params(world);
}

static cab_status upload_tables(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t s = (size_t)m->segment_count, p = (size_t)m->particle_count;
    const cab_table tables[] = {
        {CAB_BUFFER_segment, m->segment, s, sizeof *m->segment},
        {CAB_BUFFER_incident_start, m->incident_start, p + 1, sizeof(int)},
        {CAB_BUFFER_incident, m->incident, 2 * s, sizeof(int)},
        {CAB_BUFFER_collider, m->collider, (size_t)m->collider_count, sizeof *m->collider},
        {CAB_BUFFER_group_collider, m->group_collider, (size_t)m->group_collider_count, sizeof(int)},
        {CAB_BUFFER_mesh_node, m->meshes.node, (size_t)m->meshes.node_count, sizeof *m->meshes.node},
        {CAB_BUFFER_mesh_triangle, m->meshes.triangle, (size_t)m->meshes.triangle_count,
         sizeof *m->meshes.triangle},
        {CAB_BUFFER_mesh_edge, m->meshes.edge, (size_t)m->meshes.edge_count, sizeof *m->meshes.edge},
        {CAB_BUFFER_mesh_triangle_edge, m->meshes.triangle_edge, 3 * (size_t)m->meshes.triangle_count,
         sizeof(int)},
        {CAB_BUFFER_exclude_start, m->exclude_start, s + 1, sizeof(int)},
        {CAB_BUFFER_exclude, m->exclude, (size_t)m->exclude_start[s], sizeof(int)},
    };
    world->backend->without_meshes = m->meshes.triangle_count == 0;
    return CAB_UPLOAD(world, tables, error);
}

/* Do contacts begin a substep with what the last one has left of them? */
static bool recalls(const cab_world *world)
{
    return world->params.contact_spring > 0;
}

static cab_status allocate_work(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t s = (size_t)m->segment_count, p = (size_t)m->particle_count;
    size_t blocks = (size_t)cab_blocks_of(m->segment_count, CAB_BLOCK);
    const cab_table work[] = {
        {CAB_BUFFER_reference, NULL, p, sizeof(float4)},
        {CAB_BUFFER_near_reference, NULL, p, sizeof(float4)},
        {CAB_BUFFER_middle, NULL, s, sizeof(float4)},
        {CAB_BUFFER_travel, NULL, s, sizeof(float)},
        {CAB_BUFFER_cell_middle, NULL, s + CAB_WHOLE_LANES, sizeof(float4)},
        {CAB_BUFFER_cell_span, NULL, s, sizeof(float4)},
        {CAB_BUFFER_cell_start, NULL, ((size_t)world->params.table_mask + 2), sizeof(int)},
        {CAB_BUFFER_pair_start, NULL, (s + 1), sizeof(int)},
        {CAB_BUFFER_back_start, NULL, (s + 1), sizeof(int)},
        {CAB_BUFFER_share_start, NULL, s, sizeof(int)},
        {CAB_BUFFER_share_count, NULL, s, sizeof(int)},
        {CAB_BUFFER_rod, NULL, CAB_ROD_SIZE * s, sizeof(float4)},
        {CAB_BUFFER_near_start, NULL, (s + 1), sizeof(int)},
        {CAB_BUFFER_near_count, NULL, s, sizeof(int)},
        {CAB_BUFFER_end_weight, NULL, 2 * s, sizeof(float)},
        {CAB_BUFFER_end_pressing, NULL, 2 * s, sizeof(float)},
        {CAB_BUFFER_weight, NULL, p, sizeof(float)},
        {CAB_BUFFER_push, NULL, 2 * s, sizeof(float4)},
        {CAB_BUFFER_start_overlap, NULL, s, sizeof(float)},
        {CAB_BUFFER_start_overlap_collider, NULL, s, sizeof(float)},
        {CAB_BUFFER_grip, NULL, recalls(world) ? CAB_GRIPS * s : 1, sizeof(cab_grip)},
        {CAB_BUFFER_overlap, NULL, blocks, sizeof(cab_errors)},
        {CAB_BUFFER_own_overlap, NULL, s, sizeof(cab_overlap)},
        {CAB_BUFFER_depth, NULL, s, sizeof(float)},
        {CAB_BUFFER_contact_force, NULL, p, sizeof(float)},
    };
    return CAB_UPLOAD(world, work, error);
}

cab_status cab_contact_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_contact_state *c = &world->contact;
    c->speed = fmax(c->speed, cab_model_start_speed(m));
    c->cables = cables_may_touch(m);
    c->colliders = m->collider_count > 0;
    c->after = m->settings.contact.touching == CAB_TOUCHING_PARTICLES_AFTER;
    measure_scene(world);
    if (!c->cables && !c->colliders) return m->has_drag ? upload_tables(world, error) : CAB_OK;
    cab_status status = upload_tables(world, error);
    if (status == CAB_OK) status = allocate_work(world, error);
    if (status == CAB_OK) status = cab_lists_start(world, error);
    return status;
}

bool cab_contact_any_pairs(const cab_world *world)
{
    return world->contact.cables && world->params.pair_count > 0;
}

bool cab_contact_any_near(const cab_world *world)
{
    return world->contact.colliders && world->contact.near_count > 0 && !world->contact.after;
}

void cab_contact_keep(cab_world *world)
{
    const cab_contact_state *c = &world->contact;
    const cab_model *m = world->model;
    size_t s = (size_t)m->segment_count, p = (size_t)m->particle_count;
    bool pairs = c->cables && c->listed, near = c->colliders && c->listed,
         any = c->listed && cab_contact_any_pairs(world);
    cab_world_keep(world, CAB_BUFFER_reference, "pairs-at", pairs ? p : 0, sizeof(float4));
    cab_world_keep(world, CAB_BUFFER_near_reference, "near-at", near ? p : 0, sizeof(float4));
    cab_world_keep(world, CAB_BUFFER_start_overlap, "overlap", c->cables ? s : 0, sizeof(float));
    cab_world_keep(world, CAB_BUFFER_start_overlap_collider, "overlapc", c->colliders ? s : 0, sizeof(float));
    cab_world_keep(world, CAB_BUFFER_travel, "travel", any ? s : 0, sizeof(float));
    cab_world_keep(world, CAB_BUFFER_rod, "rod", any ? CAB_ROD_SIZE * s : 0, sizeof(float4));
    cab_world_keep(world, CAB_BUFFER_grip, "grip",
                   (c->cables || c->colliders) && recalls(world) ? CAB_GRIPS * s : 0, sizeof(cab_grip));
    cab_world_keep(world, CAB_BUFFER_contact_force, "force", c->pressing ? p : 0, sizeof(float));
    cab_world_keep(world, CAB_BUFFER_pair_limit, "limit", any ? (size_t)world->params.pair_count : 0,
                   sizeof(float));
}

void cab_contact_end(cab_world *world)
{
    free(world->contact.moved);
    world->contact.moved = NULL;
}

/* Measures overlaps once, before anything has moved. */
static cab_status note_overlaps(cab_world *world, double ahead, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count;
    cab_status status = cab_lists_rebuild(world, &(cab_motion){.step = ahead / AHEAD_STEPS}, error);
    if (status == CAB_OK && c->cables)
        status = cab_world_run(world, CAB_STAGE_GRID, CAB_KERNEL_contact_start_pairs, 0,
                               world->params.pair_count, 0, 0, error);
    if (status == CAB_OK && c->cables)
        status = cab_world_run(world, CAB_STAGE_GRID, CAB_KERNEL_contact_start, 0, n, 0, 0, error);
    if (status == CAB_OK && c->colliders)
        status = cab_world_run(world, CAB_STAGE_GRID, CAB_KERNEL_collider_measure, 0,
                               cab_blocks_of(n, CAB_BLOCK), CAB_CONTACT_ALONE | CAB_CONTACT_BEFORE, 0, error);
    return status;
}

cab_status cab_contact_cover(cab_world *world, double ahead, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    if (!c->listed && world->ticks == 0) return note_overlaps(world, ahead, error);
    cab_motion motion = {.step = fmax(c->last_step, ahead / AHEAD_STEPS)};
    if (!c->listed) return cab_lists_rebuild(world, &motion, error);
    /* Offsets still are relative to the positions before the last substep. */
    cab_status status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_grid_settle, 0,
                                      world->model->particle_count, 0, 0, error);
    if (status == CAB_OK) status = cab_lists_motion(world, &motion, error);
    motion.step = fmax(c->last_step, ahead / AHEAD_STEPS);
    motion.whole = ahead > 0;
    motion.pairs += ahead;
    motion.near += ahead;
    if (status == CAB_OK) status = cab_lists_rebuild(world, &motion, error);
    return status;
}

bool cab_contact_is_sound(const cab_world *world)
{
    double step = world->contact.last_step;
    return isfinite(step) && step <= TOO_FAR;
}

cab_status cab_contact_update(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    cab_motion motion;
    if (!c->cables && !c->colliders) return CAB_OK;
    cab_status status = cab_lists_motion(world, &motion, error);
    if (status != CAB_OK) return status;
    motion.whole = world->model->settings.max_pieces == 1;
    c->last_step = motion.step;
    c->speed = motion.step / cab_model_substep(world->model);
    if (!cab_contact_is_sound(world)) { /* diverged; the frame's measures will report it */
        c->listed = false;
        return CAB_OK;
    }
    world->params.recent_drift_x = (float)(motion.mean[0] - c->mean[0]);
    world->params.recent_drift_y = (float)(motion.mean[1] - c->mean[1]);
    world->params.recent_drift_z = (float)(motion.mean[2] - c->mean[2]);
    int before = world->measures.rebuilds;
    status = cab_lists_rebuild(world, &motion, error);
    if (status == CAB_OK && c->cables && world->measures.rebuilds == before)
        status = cab_lists_drift(world, &motion, error);
    return status;
}

/* The number of rows of candidate pairs. */
static int rows(const cab_world *world)
{
    return cab_blocks_of(world->params.pair_count, CAB_ROW);
}

/* The argument for finding contacts: `fast` ones only; the number of ticks, as far as it fits. */
static int find_argument(const cab_world *world, bool fast)
{
    int ticks = world->ticks < CAB_NUMBER_MOST ? world->ticks : CAB_NUMBER_MOST;
    return CAB_ARGUMENT(fast ? CAB_CONTACT_FAST : 0, ticks);
}

/* How many pairs touch, as contact_find has counted them row by row. */
static cab_status count_contacts(cab_world *world, int *total, cab_error *error)
{
    int row_count = rows(world), *counts;
    *total = 0;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_contact_count, counts, row_count, error);
    for (int i = 0; status == CAB_OK && i < row_count; i++) *total += counts[i];
    free(counts);
    return status;
}

/* Finds the pairs that touch, and counts them. */
static cab_status find_pairs(cab_world *world, bool guard, int *found, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int chunks = cab_blocks_of(world->model->segment_count, CAB_CHUNK);
    cab_status status =
        cab_world_run(world, CAB_STAGE_NARROW, CAB_KERNEL_contact_rods, 0, chunks,
                      c->fresh ? CAB_CONTACT_NEW_LISTS : 0, CAB_RODS_FLOATS * sizeof(float), error);
    c->fresh = false;
    if (status == CAB_OK) {
        status = cab_world_run(world, CAB_STAGE_NARROW, CAB_KERNEL_contact_find, 0, rows(world),
                               find_argument(world, guard), CAB_FIND_FLOATS * sizeof(float), error);
    }
    return status == CAB_OK ? count_contacts(world, found, error) : status;
}

/* Contacts at the predicted places, and how particles share their masses among them. Where no pair touches and no
 * collider is near there is nothing to solve. */
static cab_status find(cab_world *world, bool guard, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count, found = 0;
    bool pairs = c->listed && cab_contact_any_pairs(world), near = c->listed && cab_contact_any_near(world);
    cab_status status = pairs ? find_pairs(world, guard, &found, error) : CAB_OK;
    c->touching = found > 0 || near;
    if (!c->touching || status != CAB_OK) return status;
    if (pairs)
        status = cab_world_run(world, CAB_STAGE_NARROW, CAB_KERNEL_contact_shares, 0,
                               cab_blocks_of(n, CAB_CHUNK), 0, CAB_CHUNK * sizeof(int), error);
    if (status == CAB_OK && near) {
        status = cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_find, 0, n,
                               find_argument(world, guard), 0, error);
        if (status == CAB_OK)
            status = cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_weight, 0, n,
                                   pairs ? 0 : CAB_CONTACT_ALONE, 0, error);
    }
    if (status == CAB_OK) {
        status = cab_world_run(world, CAB_STAGE_NARROW, CAB_KERNEL_contact_weight, 0,
                               world->model->particle_count, 0, 0, error);
    }
    return status;
}

cab_status cab_contact_find(cab_world *world, cab_error *error)
{
    return find(world, false, error);
}

/* Launches the kernels of a pass, or of what contacts begin with. flags: CAB_CONTACT_FIRST, _LAST, _BEGIN */
static cab_status push(cab_world *world, int flags, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count;
    if (!c->touching) return CAB_OK;
    if (c->clusters) flags |= CAB_CONTACT_CLUSTERS;
    cab_status status = CAB_OK;
    if (cab_contact_any_pairs(world)) {
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_solve, 0, rows(world), flags,
                               CAB_SOLVE_FLOATS * sizeof(float), error);
        if (status == CAB_OK)
            status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_push, 0,
                                   cab_blocks_of(n, CAB_CHUNK), 0, 0, error);
    }
    if (status == CAB_OK && cab_contact_any_near(world)) {
        flags |=
            (cab_contact_any_pairs(world) ? 0 : CAB_CONTACT_ALONE) | (c->pressed ? CAB_CONTACT_STIFF : 0);
        status =
            cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_solve, 0,
                          cab_blocks_of(n, CAB_CHUNK), flags, CAB_COLLIDER_FLOATS * sizeof(float), error);
    }
    return status;
}

cab_status cab_contact_push(cab_world *world, bool first, bool last, cab_error *error)
{
    bool splits = first && !world->contact.begun;
    return push(world, (splits ? CAB_CONTACT_FIRST : 0) | (last ? CAB_CONTACT_LAST : 0), error);
}

static cab_status move(cab_world *world, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_apply, 0, world->model->particle_count,
                         0, 0, error);
}

bool cab_contact_begins(const cab_world *world)
{
    return world->contact.touching && recalls(world);
}

cab_status cab_contact_begin(cab_world *world, cab_error *error)
{
    world->contact.begun = true;
    cab_status status = push(world, CAB_CONTACT_FIRST | CAB_CONTACT_BEGIN, error);
    return status == CAB_OK ? move(world, error) : status;
}

cab_status cab_contact_keep_grips(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    c->begun = false;
    if (!recalls(world) || !(c->touching || c->grips)) return CAB_OK;
    int flags = (c->touching && cab_contact_any_pairs(world) ? CAB_FORCE_CABLES : 0) |
                (c->touching && cab_contact_any_near(world) ? CAB_FORCE_COLLIDERS : 0);
    c->grips = c->touching || world->pace.held > 0; /* what is held meanwhile keeps its own */
    return cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_grip, 0, world->model->segment_count,
                         flags, 0, error);
}

cab_status cab_contact_solve(cab_world *world, bool first, bool last, cab_error *error)
{
    if (!world->contact.touching) return CAB_OK;
    cab_status status = cab_contact_push(world, first, last, error);
    return status == CAB_OK ? move(world, error) : status;
}

cab_status cab_contact_put_out(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    cab_motion motion;
    c->put_out = false;
    if (!c->after || !c->colliders || !c->listed) return CAB_OK;
    cab_status status = cab_lists_motion(world, &motion, error);
    c->last_step = motion.step;
    if (!cab_contact_is_sound(world)) c->listed = false; /* diverged */
    if (status != CAB_OK || !c->listed) return status;
    motion.pairs = 0; /* these lists stay, since the forces of pairs are still to be noted */
    status = cab_lists_rebuild(world, &motion, error);
    c->put_out = c->near_count > 0;
    if (status != CAB_OK || !c->put_out) return status;
    return cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_put_out, 0,
                         world->model->segment_count, 0, 0, error);
}

cab_status cab_contact_guard(cab_world *world, cab_contact_pass *pass, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    cab_status status = CAB_OK;
    if (!c->listed || c->last_step < world->params.fast * c->smallest_radius) return CAB_OK;
    for (int round = 0; status == CAB_OK && round < GUARD_ROUNDS; round++) {
        status = cab_contact_update(world, error);
        if (status == CAB_OK) status = find(world, true, error);
        if (status == CAB_OK && !c->touching) return CAB_OK; /* further rounds would find the same */
        for (int i = 0; status == CAB_OK && i < GUARD_PASSES; i++) {
            status = pass(world, i == 0, i == GUARD_PASSES - 1, error);
        }
    }
    return status;
}

cab_status cab_contact_note_forces(cab_world *world, int substep, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    if (!(c->touching || c->put_out || c->pressing) || !cab_window_ends_frame(world, substep)) return CAB_OK;
    bool direct = world->model->settings.method == CAB_METHOD_DIRECT;
    int flags = (c->touching && cab_contact_any_pairs(world) ? CAB_FORCE_CABLES : 0) |
                (c->put_out || (c->touching && cab_contact_any_near(world)) ? CAB_FORCE_COLLIDERS : 0);
    /* what is held meanwhile keeps its forces */
    c->pressing = c->touching || c->put_out || world->pace.held > 0;
    cab_status status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_pressing, 0,
                                      world->model->segment_count, flags, 0, error);
    if (status != CAB_OK) return status;
    return cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_force, 0, world->model->particle_count,
                         direct ? CAB_FORCE_DIRECT : 0, 0, error);
}

cab_status cab_contact_take_forces(cab_world *world, cab_error *error)
{
    world->contact.pressing = true;
    return cab_world_launch(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_force, 0,
                            world->model->particle_count, CAB_FORCE_DIRECT, 0, error);
}

/* Of a frame in lanes with contact: its cables have been measured there. */
static void sum_chains(const cab_world *world, double *penetration, int *contacts)
{
    int blocks = cab_blocks_of(world->model->cable_count, CAB_BLOCK);
    for (int i = 0; i < blocks; i++) {
        *penetration = fmax(*penetration, world->errors[i].penetration_max);
        *contacts += world->errors[i].contacts;
    }
}

static cab_status run_measures(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int blocks = cab_blocks_of(world->model->segment_count, CAB_BLOCK);
    cab_status status = CAB_OK;
    if (c->cables)
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_contact_measure, 0, blocks, 0, 0, error);
    if (status == CAB_OK && c->colliders)
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_collider_measure, 0, blocks,
                               c->cables ? 0 : CAB_CONTACT_ALONE, 0, error);
    return status;
}

/* By candidate lists, which are made anew where they do not cover the places. */
static cab_status measure_lists(cab_world *world, double *penetration, int *contacts, cab_error *error)
{
    cab_errors *e = NULL;
    int blocks = cab_blocks_of(world->model->segment_count, CAB_BLOCK);
    cab_status status = cab_contact_cover(world, 0, error);
    if (status == CAB_OK) status = run_measures(world, error);
    if (status == CAB_OK) status = CAB_READ_NEW(world, CAB_BUFFER_overlap, e, blocks, error);
    for (int i = 0; status == CAB_OK && i < blocks; i++) {
        *penetration = fmax(*penetration, e[i].penetration_max);
        *contacts += e[i].contacts;
    }
    free(e);
    return status;
}

cab_status cab_contact_measure(cab_world *world, double *penetration, int *contacts, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    *penetration = 0;
    *contacts = 0;
    if ((!c->cables && !c->colliders) || world->measures.speed_max > 1e30) return CAB_OK;
    if (world->clear.now) return CAB_OK; /* nothing could touch anything, and the buffer depth holds zeros */
    if (world->clear.near) {
        sum_chains(world, penetration, contacts);
        return CAB_OK;
    }
    return measure_lists(world, penetration, contacts, error);
}

cab_status cab_contact_read_depths(cab_world *world, float *depth, cab_error *error)
{
    size_t segments = (size_t)world->model->segment_count;
    memset(depth, 0, segments * sizeof *depth);
    if (!cab_contact_possible(world->model)) return CAB_OK;
    double deepest = 0;
    int contacts = 0;
    cab_status status = world->clear.near ? measure_lists(world, &deepest, &contacts, error) : CAB_OK;
    if (world->clear.near) world->contact.listed = false; /* as if nobody had looked */
    if (status != CAB_OK) return status;
    return world->backend->ops->read(world->backend, CAB_BUFFER_depth, 0, segments * sizeof *depth, depth,
                                     error);
}

cab_status cab_contact_look(cab_world *world, float *depth, cab_error *error)
{
    cab_status status = run_measures(world, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->read(world->backend, CAB_BUFFER_depth, 0,
                                     (size_t)world->model->segment_count * sizeof *depth, depth, error);
}

cab_status cab_contact_reset(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    if (!c->cables && !c->colliders && !world->model->has_drag) return CAB_OK;
    c->listed = false;
    return upload_tables(world, error);
}

/* Treats an overlap that a break has made like one from the start of the run: it is reduced slowly. */
static cab_status soften_segment(cab_world *world, int segment, cab_error *error)
{
    const cab_segment *s = &world->model->segment[segment];
    float old = 2 * s->radius + (float)world->ticks * world->params.part_slowly;
    return world->backend->ops->write(world->backend, CAB_BUFFER_start_overlap, (size_t)segment * sizeof old,
                                      sizeof old, &old, error);
}

cab_status cab_contact_soften(cab_world *world, int particle, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = CAB_OK;
    if (!world->contact.cables) return CAB_OK;
    for (int k = m->incident_start[particle]; status == CAB_OK && k < m->incident_start[particle + 1]; k++) {
        for (int near = -NEAR_BREAK; status == CAB_OK && near <= NEAR_BREAK; near++) {
            int segment = (m->incident[k] >> 1) + near;
            bool same = segment >= 0 && segment < m->segment_count &&
                        m->segment[segment].cable == m->segment[m->incident[k] >> 1].cable;
            if (same) status = soften_segment(world, segment, error);
        }
    }
    return status;
}

/* Contact, the host's side: sizes, when to rebuild the lists, the launches of a substep. */
#include "world/world.h"

#include <math.h>

#include "model/scene.h"

#define MOVED_FLOATS 8   /* as in kernels/grid.cl */
#define DIGITS 256       /* as in kernels/sort.cl */
#define SCAN_BLOCK 1024  /* as in kernels/sort.cl */
#define FIRST_SLOTS 12   /* candidates of a segment that there is room for at first */
#define RELAXATION 1.3f  /* of normal corrections (docs/design.md) */
#define PUSH_OUT 5.0     /* m/s: overlaps are pushed apart no faster */
#define PART_SLOWLY 0.09 /* m/s: nor, when they are as old as the run, than this */
#define SKIN_RADII 0.8   /* smallest skin, in radii */
#define SKIN_STEPS 20.0  /* smallest skin, in steps: the lists live for half as many substeps */
#define FAST_STEP 0.5    /* of a radius: faster things could be dragged through by other constraints */
#define GUARD_ROUNDS 8   /* that end such a substep: contacts found again on the way to the solved places, */
#define GUARD_PASSES 4   /* and so many passes over them */
#define NEAR_BREAK 3     /* segments from a break that lay next to each other through the joint */
#define TOO_FAR 1e3      /* m in one substep: no list could cover this */

static int blocks_of(int count, int block)
{
    return (count + block - 1) / block;
}

static bool cables_may_touch(const cab_model *m)
{
    const cab_settings *s = &m->scene->settings;
    if (s->contact_cables && m->cable_count > 1) return true;
    for (int c = 0; s->contact_self && c < m->cable_count; c++) {
        if (m->cables[c].node_count > 4) return true; /* fewer than four segments cannot touch one another */
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
        c->smallest_radius = i == 0 ? m->segment[i].radius : fmin(c->smallest_radius, m->segment[i].radius);
        c->largest_radius = fmax(c->largest_radius, m->segment[i].radius);
    }
    c->key_bits = 8;
    while ((1 << c->key_bits) < m->segment_count && c->key_bits < 24) c->key_bits += 8;
    c->segment_bits = 8;
    while ((1ll << c->segment_bits) < m->segment_count) c->segment_bits += 8;
    int table = 16;
    while (table < m->segment_count && table < 1 << c->key_bits) table *= 2;
    world->params.table_mask = table - 1;
    world->params.contact_cables = m->scene->settings.contact_cables;
    world->params.contact_self = m->scene->settings.contact_self;
    world->params.relaxation = RELAXATION;
    world->params.part_slowly = (float)(PART_SLOWLY / RELAXATION * cab_model_substep(m));
    world->params.push_out = (float)(PUSH_OUT * cab_model_substep(m));
}

static cab_status upload_tables(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t s = (size_t)m->segment_count, p = (size_t)m->particle_count;
    struct {
        cab_buffer id;
        const void *data;
        size_t count, size;
    } tables[] = {
        {CAB_BUFFER_segment, m->segment, s, sizeof *m->segment},
        {CAB_BUFFER_incident_start, m->incident_start, p + 1, sizeof(int)},
        {CAB_BUFFER_incident, m->incident, 2 * s, sizeof(int)},
        {CAB_BUFFER_collider, m->collider, (size_t)m->collider_count, sizeof *m->collider},
        {CAB_BUFFER_exclude_start, m->exclude_start, s + 1, sizeof(int)},
        {CAB_BUFFER_exclude, m->exclude, (size_t)m->exclude_start[s], sizeof(int)},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        cab_status status =
            cab_world_upload(world, tables[i].id, tables[i].data, tables[i].count, tables[i].size, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

/* For each block of particles or of segments, as grid_moved says. */
static size_t moved_floats(const cab_model *m)
{
    int larger = m->particle_count > m->segment_count ? m->particle_count : m->segment_count;
    return MOVED_FLOATS * (size_t)blocks_of(larger, CAB_BLOCK);
}

/* Room to sort `count` keys, and to add up one number a segment. */
static cab_status allocate_sort(cab_world *world, size_t count, cab_error *error)
{
    size_t s = (size_t)world->model->segment_count;
    size_t table = (count + CAB_BLOCK - 1) / CAB_BLOCK * DIGITS;
    size_t scan = table > s + 1 ? table : s + 1;
    cab_buffer keys[] = {CAB_BUFFER_key_a, CAB_BUFFER_value_a, CAB_BUFFER_key_b, CAB_BUFFER_value_b};
    cab_backend *backend = world->backend;
    cab_status status = CAB_OK;
    for (int i = 0; status == CAB_OK && i < 4; i++) {
        status = backend->ops->allocate(backend, keys[i], count * sizeof(int), error);
    }
    if (status == CAB_OK)
        status = backend->ops->allocate(backend, CAB_BUFFER_scan, scan * sizeof(int), error);
    if (status == CAB_OK) {
        status = backend->ops->allocate(backend, CAB_BUFFER_scan_sum, (scan / SCAN_BLOCK + 1) * sizeof(int),
                                        error);
    }
    world->contact.sort_room = count;
    return status;
}

static cab_status allocate_work(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t s = (size_t)m->segment_count, p = (size_t)m->particle_count;
    size_t blocks = (size_t)blocks_of(m->segment_count, CAB_BLOCK);
    struct {
        cab_buffer id;
        size_t bytes;
    } work[] = {
        {CAB_BUFFER_moved, moved_floats(m) * sizeof(float)},
        {CAB_BUFFER_reference, p * sizeof(float4)},
        {CAB_BUFFER_near_reference, p * sizeof(float4)},
        {CAB_BUFFER_middle, s * sizeof(float4)},
        {CAB_BUFFER_cell_middle, s * sizeof(float4)},
        {CAB_BUFFER_cell_start, ((size_t)world->params.table_mask + 2) * sizeof(int)},
        {CAB_BUFFER_pair_start, (s + 1) * sizeof(int)},
        {CAB_BUFFER_back_start, (s + 1) * sizeof(int)},
        {CAB_BUFFER_contact_count, s * sizeof(int)},
        {CAB_BUFFER_back_count, s * sizeof(int)},
        {CAB_BUFFER_rod, 6 * s * sizeof(float4)},
        {CAB_BUFFER_near_start, (s + 1) * sizeof(int)},
        {CAB_BUFFER_near_count, s * sizeof(int)},
        {CAB_BUFFER_end_weight, 2 * s * sizeof(float)},
        {CAB_BUFFER_weight, p * sizeof(float)},
        {CAB_BUFFER_push, 2 * s * sizeof(float4)},
        {CAB_BUFFER_start_overlap, s * sizeof(float)},
        {CAB_BUFFER_start_overlap_collider, s * sizeof(float)},
        {CAB_BUFFER_overlap, blocks * sizeof(cab_errors)},
    };
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        cab_status status = world->backend->ops->allocate(world->backend, work[i].id, work[i].bytes, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

static cab_status allocate_slots(cab_world *world, int count, cab_error *error)
{
    world->params.slot_count = count;
    size_t bytes = (size_t)world->model->segment_count * (size_t)count * sizeof(int);
    cab_status status = world->backend->ops->allocate(world->backend, CAB_BUFFER_slot, bytes, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->allocate(world->backend, CAB_BUFFER_slot_gap, bytes, error);
}

cab_status cab_contact_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_contact_state *c = &world->contact;
    c->cables = cables_may_touch(m);
    c->colliders = m->collider_count > 0;
    measure_scene(world);
    if (!c->cables && !c->colliders) return m->has_drag ? upload_tables(world, error) : CAB_OK;
    cab_status status = upload_tables(world, error);
    if (status == CAB_OK) status = allocate_work(world, error);
    if (status == CAB_OK) status = allocate_sort(world, (size_t)m->segment_count, error);
    if (status == CAB_OK && c->cables) status = allocate_slots(world, FIRST_SLOTS, error);
    if (status == CAB_OK) status = CAB_NEW(c->moved, moved_floats(m), error);
    return status;
}

void cab_contact_end(cab_world *world)
{
    free(world->contact.moved);
    world->contact.moved = NULL;
}

static cab_status run(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_GRID, kernel, 0, count, argument, 0, error);
}

/* Makes the first `count` entries of scan their exclusive prefix sum. */
static cab_status prefix_sum(cab_world *world, int count, cab_error *error)
{
    int blocks = blocks_of(count, SCAN_BLOCK);
    cab_status status = run(world, CAB_KERNEL_scan_sum, blocks, count, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_scan_top, 1, blocks, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_scan_add, blocks, count, error);
    return status;
}

/* Sorts the first `count` of key_a and value_a, keys below 2^bits; an even number of passes ends where it
 * began. */
static cab_status sort_keys(cab_world *world, int count, int bits, cab_error *error)
{
    int blocks = blocks_of(count, CAB_BLOCK), passes = bits <= 16 ? 2 : 4;
    world->params.sort_count = count;
    cab_status status = cab_world_upload_params(world, error);
    for (int i = 0; status == CAB_OK && i < passes; i++) {
        int argument = 2 * (8 * i) + (i & 1);
        status = run(world, CAB_KERNEL_sort_count, blocks, argument, error);
        if (status == CAB_OK) status = prefix_sum(world, blocks * DIGITS, error);
        if (status == CAB_OK) status = run(world, CAB_KERNEL_sort_scatter, blocks, argument, error);
    }
    return status;
}

/* Turns the counts in scan into places and tells their total. */
static cab_status place_lists(cab_world *world, int *total, cab_error *error)
{
    int n = world->model->segment_count;
    cab_status status = prefix_sum(world, n + 1, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->read(world->backend, CAB_BUFFER_scan, (size_t)n * sizeof *total,
                                     sizeof *total, total, error);
}

/* A quarter more than is needed now. */
static size_t roomy(int total)
{
    return (size_t)total + (size_t)total / 4 + 64;
}

/* Searches until every list has room. */
static cab_status search(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count, blocks = blocks_of(n, CAB_BLOCK);
    for (;;) {
        cab_status status = run(world, CAB_KERNEL_grid_search, n, 0, error);
        if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_longest, blocks, 0, error);
        if (status == CAB_OK) {
            status =
                world->backend->ops->read(world->backend, CAB_BUFFER_moved, 0,
                                          MOVED_FLOATS * (size_t)blocks * sizeof *c->moved, c->moved, error);
        }
        float longest = 0;
        for (int i = 0; status == CAB_OK && i < blocks; i++)
            longest = fmaxf(longest, c->moved[MOVED_FLOATS * i]);
        if (status != CAB_OK || longest <= (float)world->params.slot_count) return status;
        status = allocate_slots(world, (int)longest + (int)longest / 4 + 1, error);
        if (status == CAB_OK) status = cab_world_upload_params(world, error);
        if (status != CAB_OK) return status;
    }
}

static cab_status grow_pairs(cab_world *world, int total, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    const cab_backend_ops *ops = world->backend->ops;
    if ((size_t)total <= c->pair_room) return CAB_OK;
    c->pair_room = roomy(total);
    struct {
        cab_buffer id;
        size_t size;
    } lists[] = {{CAB_BUFFER_pair, sizeof(int)},         {CAB_BUFFER_pair_gap, sizeof(float)},
                 {CAB_BUFFER_back, sizeof(int)},         {CAB_BUFFER_touch, sizeof(int)},
                 {CAB_BUFFER_back_touch, sizeof(int)},   {CAB_BUFFER_contact, sizeof(cab_contact)},
                 {CAB_BUFFER_effect, sizeof(cab_effect)}};
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < sizeof lists / sizeof *lists; i++) {
        status = ops->allocate(world->backend, lists[i].id, c->pair_room * lists[i].size, error);
    }
    return status;
}

/* The counts in scan are needed again after it has moved to a larger place. */
static cab_status grow_sort(cab_world *world, int total, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    const cab_backend_ops *ops = world->backend->ops;
    if ((size_t)total <= c->sort_room) return CAB_OK;
    size_t n = (size_t)world->model->segment_count + 1;
    int *counts;
    cab_status status = CAB_NEW(counts, n, error);
    if (status == CAB_OK)
        status = ops->read(world->backend, CAB_BUFFER_scan, 0, n * sizeof *counts, counts, error);
    if (status == CAB_OK) status = allocate_sort(world, roomy(total), error);
    if (status == CAB_OK)
        status = ops->write(world->backend, CAB_BUFFER_scan, 0, n * sizeof *counts, counts, error);
    free(counts);
    return status;
}

/* Pairs by their second segment: what each segment takes part in without owning it. */
static cab_status list_back(cab_world *world, int pairs, cab_error *error)
{
    int n = world->model->segment_count;
    if (pairs == 0) return run(world, CAB_KERNEL_grid_back_none, n + 1, 0, error);
    cab_status status = sort_keys(world, pairs, world->contact.segment_bits, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_back, pairs, 0, error);
    return status;
}

static cab_status list_pairs(cab_world *world, cab_error *error)
{
    int n = world->model->segment_count, total = 0;
    cab_status status = sort_keys(world, n, world->contact.key_bits, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_cells, n, 0, error);
    if (status == CAB_OK) status = search(world, error);
    if (status == CAB_OK) status = place_lists(world, &total, error);
    if (status == CAB_OK) status = grow_pairs(world, total, error);
    if (status == CAB_OK) status = grow_sort(world, total, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_pairs, n, 0, error);
    if (status == CAB_OK) status = list_back(world, total, error);
    return status;
}

static cab_status list_colliders(cab_world *world, cab_error *error)
{
    int n = world->model->segment_count;
    cab_contact_state *c = &world->contact;
    cab_status status = run(world, CAB_KERNEL_grid_near_count, n, 0, error);
    int total = 0;
    const cab_backend_ops *ops = world->backend->ops;
    if (status == CAB_OK) status = place_lists(world, &total, error);
    if (status == CAB_OK && (size_t)total > c->near_room) {
        c->near_room = roomy(total);
        status = ops->allocate(world->backend, CAB_BUFFER_near, c->near_room * sizeof(int), error);
        if (status == CAB_OK) {
            status = ops->allocate(world->backend, CAB_BUFFER_near_contact,
                                   c->near_room * sizeof(cab_contact), error);
        }
    }
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_near_start, n + 1, 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_near_fill, n, 0, error);
    return status;
}

/* What grid_moved says of the whole scene. */
typedef struct cab_motion {
    double near, pairs; /* how far from where colliders and pairs were listed, m; for pairs the better of two
                           measures */
    double step;        /* largest step of the substep, m */
    double mean[3];     /* way since pairs were listed, m */
} cab_motion;

static cab_status read_motion(cab_world *world, cab_motion *out, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int blocks = blocks_of(world->model->particle_count, CAB_BLOCK);
    cab_status status = run(world, CAB_KERNEL_grid_moved, blocks, 0, error);
    if (status == CAB_OK) {
        status = world->backend->ops->read(world->backend, CAB_BUFFER_moved, 0,
                                           MOVED_FLOATS * (size_t)blocks * sizeof *c->moved, c->moved, error);
    }
    double near = 0, far = 0, apart = 0, step = 0;
    *out = (cab_motion){0};
    for (int i = 0; status == CAB_OK && i < blocks; i++) {
        const float *m = &c->moved[MOVED_FLOATS * i];
        if (!isfinite(m[0] + m[1] + m[2] + m[3])) near = far = apart = step = INFINITY;
        near = fmax(near, m[0]);
        far = fmax(far, m[1]);
        apart = fmax(apart, m[2]);
        step = fmax(step, m[3]);
        for (int k = 0; k < 3; k++) out->mean[k] += m[4 + k] / world->model->particle_count;
    }
    out->near = sqrt(near);
    out->pairs = sqrt(fmin(far, apart));
    out->step = sqrt(step);
    return status;
}

/* The drift to expect in the next substep: as far again as since the last. */
static cab_status set_drift(cab_world *world, const cab_motion *motion, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    float drift[3];
    for (int k = 0; k < 3; k++) {
        drift[k] = (float)(motion->mean[k] + (motion->mean[k] - c->mean[k]));
        c->mean[k] = motion->mean[k];
    }
    world->params.approach = (float)(2.001 * motion->pairs);
    world->params.drift_x = drift[0];
    world->params.drift_y = drift[1];
    world->params.drift_z = drift[2];
    return cab_world_upload_params(world, error);
}

/* New lists of pairs for a substep whose largest step is `step` m. */
static cab_status rebuild_pairs(cab_world *world, double step, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    const cab_model *m = world->model;
    c->skin = fmax(SKIN_RADII * c->largest_radius, SKIN_STEPS * step);
    world->params.skin = (float)c->skin;
    /* midpoints of touching segments are at most this far apart, stretch of a tenth included */
    world->params.cell = (float)(1.1 * c->largest_rest + 2 * c->largest_radius + c->skin);
    world->params.approach = (float)(2.001 * step);
    world->params.drift_x = world->params.drift_y = world->params.drift_z = 0;
    for (int k = 0; k < 3; k++) c->mean[k] = 0;
    world->measures.rebuilds++;
    cab_status status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_note, m->particle_count, 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_key, m->segment_count, 0, error);
    if (status == CAB_OK) status = list_pairs(world, error);
    return status;
}

static cab_status rebuild_colliders(cab_world *world, double step, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    c->near_skin = fmax(SKIN_RADII * c->largest_radius, SKIN_STEPS * step);
    world->params.near_skin = (float)c->near_skin;
    cab_status status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_note, world->model->particle_count, 1, error);
    if (status == CAB_OK) status = list_colliders(world, error);
    return status;
}

/* Lists that cover a motion; those that still do stay. */
static cab_status rebuild(cab_world *world, const cab_motion *motion, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    cab_status status = CAB_OK;
    if (c->cables && (!c->listed || motion->pairs > c->skin / 2))
        status = rebuild_pairs(world, motion->step, error);
    if (status == CAB_OK && c->colliders && (!c->listed || motion->near > c->near_skin / 2)) {
        status = rebuild_colliders(world, motion->step, error);
    }
    c->listed = true;
    return status;
}

/* Once: what overlaps before anything has moved. */
static cab_status note_overlaps(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count;
    cab_status status = rebuild(world, &(cab_motion){0}, error);
    if (status == CAB_OK && c->cables) status = run(world, CAB_KERNEL_contact_start_pairs, n, 0, error);
    if (status == CAB_OK && c->cables) status = run(world, CAB_KERNEL_contact_start, n, 0, error);
    if (status == CAB_OK && c->colliders) status = run(world, CAB_KERNEL_collider_start, n, 0, error);
    return status;
}

cab_status cab_contact_update(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    cab_motion motion;
    if (!c->cables && !c->colliders) return CAB_OK;
    cab_status status = read_motion(world, &motion, error);
    if (status != CAB_OK) return status;
    c->last_step = motion.step;
    if (!isfinite(motion.step) || motion.step > TOO_FAR) { /* diverged: the frame's measures will say so */
        c->listed = false;
        return CAB_OK;
    }
    int before = world->measures.rebuilds;
    status = rebuild(world, &motion, error);
    if (status == CAB_OK && c->cables && world->measures.rebuilds == before)
        status = set_drift(world, &motion, error);
    return status;
}

cab_status cab_contact_find(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count;
    c->touching = (c->cables || c->colliders) && c->listed;
    if (!c->touching) return CAB_OK;
    cab_status status = CAB_OK;
    if (c->cables) {
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_rods, 0, n, 0, 0, error);
        if (status == CAB_OK) {
            status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_find, 0, n, world->substeps,
                                   0, error);
        }
        if (status == CAB_OK) {
            status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_crowd, 0, n, 0, 0, error);
        }
    }
    if (status == CAB_OK && c->colliders) {
        int argument = 2 * world->substeps + !c->cables;
        status = cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_find, 0, n, argument, 0, error);
    }
    if (status == CAB_OK) {
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_weight, 0,
                               world->model->particle_count, 0, 0, error);
    }
    return status;
}

cab_status cab_contact_solve(cab_world *world, bool first, bool last, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count;
    int argument = 2 * first + 4 * last;
    if (!c->touching) return CAB_OK;
    cab_status status = CAB_OK;
    if (c->cables) {
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_solve, 0, n, argument, 0, error);
        if (status == CAB_OK) {
            status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_push, 0, n, 0, 0, error);
        }
    }
    if (status == CAB_OK && c->colliders) {
        status = cab_world_run(world, CAB_STAGE_COLLIDER, CAB_KERNEL_collider_solve, 0, n,
                               argument + !c->cables, 0, error);
    }
    if (status == CAB_OK) {
        status = cab_world_run(world, CAB_STAGE_CONTACT, CAB_KERNEL_contact_apply, 0,
                               world->model->particle_count, 0, 0, error);
    }
    return status;
}

cab_status cab_contact_guard(cab_world *world, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    cab_status status = CAB_OK;
    if (!c->touching || c->last_step < FAST_STEP * c->smallest_radius) return CAB_OK;
    for (int round = 0; status == CAB_OK && round < GUARD_ROUNDS; round++) {
        status = cab_contact_update(world, error);
        if (status == CAB_OK) status = cab_contact_find(world, error);
        for (int i = 0; status == CAB_OK && i < GUARD_PASSES; i++) {
            status = cab_contact_solve(world, i == 0, i == GUARD_PASSES - 1, error);
        }
    }
    return status;
}

/* The lists must cover the places at the end of the frame. */
static cab_status cover_places(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    if (!c->listed && world->substeps == 0) return note_overlaps(world, error);
    cab_motion motion = {.step = c->last_step};
    if (!c->listed) return rebuild(world, &motion, error);
    /* offset still holds the last substep's places, counted from the positions before it: bring it up to date
     */
    cab_status status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_grid_settle, 0,
                                      world->model->particle_count, 0, 0, error);
    if (status == CAB_OK) status = read_motion(world, &motion, error);
    motion.step = c->last_step;
    if (status == CAB_OK) status = rebuild(world, &motion, error);
    return status;
}

cab_status cab_contact_measure(cab_world *world, double *penetration, int *contacts, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    const cab_model *m = world->model;
    *penetration = 0;
    *contacts = 0;
    if ((!c->cables && !c->colliders) || world->measures.speed_max > 1e30) return CAB_OK;
    cab_errors *e = NULL;
    int blocks = blocks_of(m->segment_count, CAB_BLOCK);
    cab_status status = cover_places(world, error);
    if (status == CAB_OK && c->cables) {
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_contact_measure, 0, blocks, 0, 0, error);
    }
    if (status == CAB_OK && c->colliders) {
        status = cab_world_run(world, CAB_STAGE_MEASURE, CAB_KERNEL_collider_measure, 0, blocks, !c->cables,
                               0, error);
    }
    if (status == CAB_OK) status = CAB_NEW(e, blocks, error);
    if (status == CAB_OK) {
        status = world->backend->ops->read(world->backend, CAB_BUFFER_overlap, 0, (size_t)blocks * sizeof *e,
                                           e, error);
    }
    for (int i = 0; status == CAB_OK && i < blocks; i++) {
        *penetration = fmax(*penetration, e[i].penetration_max);
        *contacts += e[i].contacts;
    }
    free(e);
    return status;
}

cab_status cab_contact_reset(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    if (!c->cables && !c->colliders && !world->model->has_drag) return CAB_OK;
    c->listed = false;
    return upload_tables(world, error);
}

/* An overlap that has just come to be by a break counts like one of the start of the run: it fades slowly. */
static cab_status soften_segment(cab_world *world, int segment, cab_error *error)
{
    const cab_segment *s = &world->model->segment[segment];
    float old = 2 * s->radius + (float)world->substeps * world->params.part_slowly;
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

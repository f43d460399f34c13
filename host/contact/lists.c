/* Candidate lists on the host: measures motion, and makes new lists when the old ones do not cover it any
 * more. The kernels are in grid.cl and sort.cl. */
#include "contact/lists.h"

#include <math.h>

#include "world/pieces.h"
#include "world/sleep.h"

#define FEW_COLLIDERS 8
#define MOVED_FLOATS 8  /* as in kernels/grid.cl */
#define DIGITS 256      /* as in kernels/sort.cl */
#define SCAN_BLOCK 1024 /* as in kernels/sort.cl */
#define FIRST_SLOTS 12  /* places for candidates of a segment at first */
#define SKIN_RADII 0.8  /* smallest skin, in radii */
#define SKIN_MOST 4.0   /* times the smallest skin: a larger one is made anew */
#define SKIN_STEPS 12.0 /* smallest skin, in steps: the lists live for about half as many substeps */

/* The size of `moved`, for blocks of particles or segments. */
static size_t moved_floats(const cab_model *m)
{
    int larger = m->particle_count > m->segment_count ? m->particle_count : m->segment_count;
    return MOVED_FLOATS * (size_t)cab_blocks_of(larger, CAB_BLOCK);
}

/* Allocates buffers to sort `count` keys, and for the prefix sum of a number per segment. */
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

static cab_status allocate_slots(cab_world *world, int count, cab_error *error)
{
    world->params.slot_count = count;
    size_t bytes = (size_t)world->model->segment_count * (size_t)count * sizeof(int);
    cab_status status = world->backend->ops->allocate(world->backend, CAB_BUFFER_slot, bytes, error);
    if (status != CAB_OK) return status;
    return world->backend->ops->allocate(world->backend, CAB_BUFFER_slot_gap, bytes, error);
}

/* Stretches of segments; with few colliders they are not worth their launch. */
static int stretches_of(const cab_model *m)
{
    return m->collider_count > FEW_COLLIDERS ? cab_blocks_of(m->segment_count, CAB_NEAR_STRETCH) : 0;
}

cab_status cab_lists_start(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_contact_state *c = &world->contact;
    cab_status status = world->backend->ops->allocate(world->backend, CAB_BUFFER_moved,
                                                      moved_floats(m) * sizeof(float), error);
    if (status == CAB_OK) status = allocate_sort(world, (size_t)m->segment_count, error);
    size_t stretches = (size_t)stretches_of(m), choice = (CAB_NEAR_MOST + 1) * sizeof(int);
    world->params.near_stretches = stretches > 0;
    if (status == CAB_OK)
        status = world->backend->ops->allocate(world->backend, CAB_BUFFER_near_stretch,
                                               (stretches > 0 ? stretches : 1) * choice, error);
    if (status == CAB_OK && c->cables) status = allocate_slots(world, FIRST_SLOTS, error);
    if (status == CAB_OK) status = CAB_NEW(c->moved, moved_floats(m), error);
    return status;
}

static cab_status run(cab_world *world, cab_kernel kernel, int count, int argument, cab_error *error)
{
    return cab_world_run(world, CAB_STAGE_GRID, kernel, 0, count, argument, 0, error);
}

/* Replaces the first `count` entries of scan by their exclusive prefix sum. */
static cab_status prefix_sum(cab_world *world, int count, cab_error *error)
{
    int blocks = cab_blocks_of(count, SCAN_BLOCK);
    cab_status status = run(world, CAB_KERNEL_scan_sum, blocks, count, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_scan_top, 1, blocks, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_scan_add, blocks, count, error);
    return status;
}

/* Sorts the first `count` of key_a and value_a by keys below 2^bits. The number of passes is even, so the
 * result is in the same buffers. */
static cab_status sort_keys(cab_world *world, int count, int bits, cab_error *error)
{
    int blocks = cab_blocks_of(count, CAB_BLOCK), passes = bits <= 16 ? 2 : 4;
    world->params.sort_count = count;
    cab_status status = cab_world_upload_params(world, error);
    for (int i = 0; status == CAB_OK && i < passes; i++) {
        int argument = CAB_ARGUMENT(i & 1 ? CAB_SORT_FROM_B : 0, 8 * i);
        status = run(world, CAB_KERNEL_sort_count, blocks, argument, error);
        if (status == CAB_OK) status = prefix_sum(world, blocks * DIGITS, error);
        if (status == CAB_OK) status = run(world, CAB_KERNEL_sort_scatter, blocks, argument, error);
    }
    return status;
}

/* Turns the counts in scan into places and returns their total. */
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

/* Searches candidates; repeats it with more places until all fit. */
static cab_status search(cab_world *world, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int n = world->model->segment_count, blocks = cab_blocks_of(n, CAB_BLOCK);
    for (;;) {
        cab_status status = run(world, CAB_KERNEL_grid_search, cab_blocks_of(n, CAB_CHUNK), 0, error);
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
    c->pair_room = (roomy(total) + CAB_ROW - 1) / CAB_ROW * CAB_ROW; /* whole rows */
    struct {
        cab_buffer id;
        size_t size;
    } lists[] = {{CAB_BUFFER_pair, sizeof(int4)},
                 {CAB_BUFFER_pair_limit, sizeof(float)},
                 {CAB_BUFFER_contact_entry, 2 * sizeof(int)},
                 {CAB_BUFFER_share, 2 * sizeof(cab_share)},
                 {CAB_BUFFER_contact, CAB_CONTACT_NUMBERS * sizeof(float)},
                 {CAB_BUFFER_contact_end, sizeof(int4)},
                 {CAB_BUFFER_effect, sizeof(float4)},
                 {CAB_BUFFER_cluster_list, sizeof(int)},
                 {CAB_BUFFER_cluster_row, 2 * sizeof(int)},
                 {CAB_BUFFER_contact_count, sizeof(int)}};
    cab_status status = CAB_OK;
    for (size_t i = 0; status == CAB_OK && i < sizeof lists / sizeof *lists; i++) {
        status = ops->allocate(world->backend, lists[i].id, c->pair_room * lists[i].size, error);
    }
    return status;
}

/* Enlarges the buffers for sorting; keeps the counts in scan. */
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

/* Sorts pairs by their second segment, and lists the pairs of each segment that it does not own. */
static cab_status list_back(cab_world *world, int pairs, cab_error *error)
{
    int n = world->model->segment_count;
    world->params.pair_count = pairs;
    if (pairs == 0) return run(world, CAB_KERNEL_grid_back_none, n + 1, 0, error);
    cab_status status = sort_keys(world, pairs, world->contact.segment_bits, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_back, pairs, 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_entries, pairs, 0, error);
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
    int total = 0;
    cab_status status = CAB_OK;
    if (world->params.near_stretches)
        status = run(world, CAB_KERNEL_grid_stretch, stretches_of(world->model), 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_near, n, 0, error);
    const cab_backend_ops *ops = world->backend->ops;
    if (status == CAB_OK) status = place_lists(world, &total, error);
    c->near_count = total;
    if (status == CAB_OK && (size_t)total > c->near_room) {
        c->near_room = roomy(total);
        status = ops->allocate(world->backend, CAB_BUFFER_near, c->near_room * sizeof(int), error);
        if (status == CAB_OK) {
            status = ops->allocate(world->backend, CAB_BUFFER_near_contact,
                                   c->near_room * sizeof(cab_contact), error);
        }
        if (status == CAB_OK && world->model->collider_count > world->model->own_collider_count)
            status = ops->allocate(world->backend, CAB_BUFFER_rigid_press,
                                   c->near_room * CAB_RIGID_PRESS * sizeof(float), error);
    }
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_near_start, n + 1, 0, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_near, n, 1, error);
    return status;
}

cab_status cab_lists_motion(cab_world *world, cab_motion *out, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    int blocks = cab_blocks_of(world->model->particle_count, CAB_BLOCK);
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
    out->near = sqrt(near) * (1 + world->model->rigid_reach) + c->collider_moved;
    out->pairs = sqrt(fmin(far, apart));
    out->step = fmax(sqrt(step), c->collider_step);
    return status;
}

cab_status cab_lists_drift(cab_world *world, const cab_motion *motion, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    float drift[3];
    for (int k = 0; k < 3; k++) {
        drift[k] = (float)(motion->mean[k] + (motion->mean[k] - c->mean[k]));
        c->mean[k] = motion->mean[k];
    }
    world->params.drift_x = drift[0];
    world->params.drift_y = drift[1];
    world->params.drift_z = drift[2];
    return cab_world_upload_params(world, error);
}

/* The skin of lists that are made in a substep whose largest step is `step` m. */
static double skin_of(const cab_contact_state *c, double step)
{
    return fmax(SKIN_RADII * c->largest_radius, SKIN_STEPS * step);
}

static cab_status rebuild_pairs(cab_world *world, double skin, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    const cab_model *m = world->model;
    c->skin = skin;
    world->params.skin = (float)c->skin;
    world->params.sleeping = world->sleep.asleep > 0;
    /* The largest distance of touching segments' midpoints, with a stretch of a tenth. */
    world->params.cell = (float)(1.1 * c->largest_rest + 2 * c->largest_radius + c->skin);
    world->params.drift_x = world->params.drift_y = world->params.drift_z = 0;
    for (int k = 0; k < 3; k++) c->mean[k] = 0;
    c->fresh = true;
    world->measures.rebuilds++;
    cab_status status = cab_world_upload_params(world, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_note, m->particle_count, 0, error);
    if (status == CAB_OK) status = cab_pieces_loosen(world, error);
    if (status == CAB_OK) status = run(world, CAB_KERNEL_grid_key, m->segment_count, 0, error);
    if (status == CAB_OK) status = list_pairs(world, error);
    if (status == CAB_OK) status = cab_pieces_tighten(world, error);
    if (status == CAB_OK) status = cab_sleep_meet(world, error);
    return status;
}

static cab_status rebuild_colliders(cab_world *world, double skin, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    c->near_skin = skin;
    world->params.near_skin = (float)c->near_skin;
    c->collider_moved = 0;
    cab_status status = cab_world_upload_params(world, error);
    if (status == CAB_OK)
        status = run(world, CAB_KERNEL_grid_note, world->model->particle_count, CAB_NOTE_COLLIDERS, error);
    if (status == CAB_OK) status = list_colliders(world, error);
    c->near_made++;
    return status;
}

/* Were lists made for steps much larger than these? Whoever looks through them pays for all that they hold. */
static bool is_too_wide(const cab_contact_state *c, const cab_motion *motion, double skin)
{
    return motion->whole && skin > SKIN_MOST * skin_of(c, motion->step);
}

cab_status cab_lists_rebuild(cab_world *world, const cab_motion *motion, cab_error *error)
{
    cab_contact_state *c = &world->contact;
    cab_status status = CAB_OK;
    if (c->cables && (!c->listed || motion->pairs > c->skin / 2 || is_too_wide(c, motion, c->skin)))
        status = rebuild_pairs(world, skin_of(c, motion->step), error);
    if (status == CAB_OK && c->colliders &&
        (!c->listed || motion->near > c->near_skin / 2 || is_too_wide(c, motion, c->near_skin))) {
        status = rebuild_colliders(world, skin_of(c, motion->step), error);
    }
    c->listed = true;
    return status;
}

/* Puts particles where they were when lists were made; `from`: the buffer that holds these places. */
static cab_status put_back(cab_world *world, cab_buffer from, cab_error *error)
{
    size_t n = (size_t)world->model->particle_count;
    const cab_backend_ops *ops = world->backend->ops;
    float4 *x;
    cab_status status = CAB_NEW(x, n, error);
    if (status == CAB_OK) status = ops->read(world->backend, from, 0, n * sizeof *x, x, error);
    for (size_t i = 0; status == CAB_OK && i < n; i++) {
        /* the sign may be that of who was held for another's pieces, though lists were made with all let go */
        const cab_sleep *s = &world->sleep;
        bool asleep = s->asleep > 0 && s->island[s->components.of[i]] >= 0;
        float w = fabsf(x[i].w) == CAB_PACE_HELD ? 0 : fabsf(x[i].w);
        x[i].w = asleep ? -w : w;
    }
    if (status == CAB_OK)
        status = ops->write(world->backend, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    free(x);
    return status;
}

cab_status cab_lists_repeat(cab_world *world, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    cab_status status = CAB_OK;
    if (!c->listed) return CAB_OK;
    if (c->cables) status = put_back(world, CAB_BUFFER_reference, error);
    if (status == CAB_OK && c->cables) status = rebuild_pairs(world, c->skin, error);
    if (status == CAB_OK && c->colliders) status = put_back(world, CAB_BUFFER_near_reference, error);
    if (status == CAB_OK && c->colliders) status = rebuild_colliders(world, c->near_skin, error);
    return status;
}

cab_status cab_contact_read_near(cab_world *world, int **start, int **near, cab_error *error)
{
    int n = world->model->segment_count, *first = NULL, *list = NULL;
    cab_status status = CAB_READ_NEW(world, CAB_BUFFER_near_start, first, n + 1, error);
    if (status == CAB_OK && first[n] > 0)
        status = CAB_READ_NEW(world, CAB_BUFFER_near, list, first[n], error);
    *start = first;
    *near = list;
    return status;
}

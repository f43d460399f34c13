/* Counted by hand from the kernels, one row each; tests/test_counts.py holds the operations against what
 * oclgrind --inst-counts says of small scenes. An addition, multiplication, division or square root is one
 * operation; comparisons, choices and signs are none. Bytes are what a launch must read from and write to
 * memory if nothing is left in a cache from the launch before, each item by itself: two constraints that
 * share a particle read it twice. Of a float4 whose w alone is wanted, all sixteen: lines come whole.
 *
 * In the ways that keep cables in local memory or in a tile for a whole launch (fused, cyclic, lanes) state
 * is read and written once a launch. A tile is memory, too: on a GPU, where each has its own, and on a CPU
 * when it is larger than a core's cache. Constants that all equal cables share are not counted.
 *
 * Not counted, so that shares of the limit are a little low where it matters: making candidate lists, pairs
 * that are looked at and do not touch, what ends a substep of something fast, loads, drag, forces of
 * breakable attachments, measures once a frame, lanes that the fused way or tiles leave empty; of the direct
 * method, Newton passes after the first where lengths are still off (in lanes 0.6 of a substep each without
 * bending, 0.4 with it), junctions. Colliders are counted as planes.
 */
#include "cli/bench_counts.h"

#include <math.h>

#include "model/scene.h"
#include "contact/lists.h"
#include "world/world.h"

#define CACHE_OF_A_CORE 1048576 /* bytes; 0.5 to 2 MiB are usual */

typedef struct cost {
    double flops, bytes;
} cost;

/* predict.cl, finish.cl, attach.cl: per particle, the last per moving particle */
static const cost predict_cost = {12, 64};
static const cost finish_cost = {25, 112};
static const cost attach_cost = {6, 68};
/* distance.cl, bending.cl: per constraint, straight at rest; later iterations also read the multiplier */
static const cost distance_cost = {38, 116};
static const cost bending_cost = {72, 192};
static const cost distance_again_cost = {0, 4};
static const cost bending_again_cost = {0, 16};
/* fused.cl: per particle and launch; its operations are those of the kernels above */
static const cost fused_launch_cost = {0, 136};
/* lanes.cl: what a launch reads and writes outside the tile, per particle; in a tile without and with
 * bending, per particle and substep of the direct method; of XPBD per particle, segment and bending, later
 * iterations again. A launch's operations are those of one more prediction and of the velocities. */
static const cost lanes_launch_cost = {27, 236};
static const cost lanes_lengths_cost = {98, 216};
static const cost lanes_bending_cost = {159, 276};
static const cost lanes_xpbd_launch_cost = {6, 180};
static const cost lanes_xpbd_cost = {24, 44};
static const cost lanes_xpbd_distance_cost = {38, 44};
static const cost lanes_xpbd_bend_cost = {65, 12};
static const cost lanes_xpbd_bend_again_cost = {65, 24};
/* constants of a particle, where each cable has its own */
static const cost lanes_own_cost = {0, 4 * (CAB_CONSTANTS - 1)};
/* cyclic.cl: per particle; each halving of the bending's rows */
static const cost cyclic_lengths_cost = {132, 0};
static const cost cyclic_bending_cost = {42, 0};
static const cost cyclic_step_cost = {24, 0};
/* direct_motion.cl and direct_bend.cl, once a substep: per particle but for direct_bend, per bending */
static const cost direct_predict_cost = {41, 116};
static const cost direct_bend_cost = {34, 148};
static const cost direct_gather_cost = {18, 176};
static const cost direct_forward_cost = {24, 96};
static const cost direct_back_cost = {30, 112};
static const cost direct_finish_cost = {33, 196};
/* direct_lengths.cl, each pass, per particle; with contact also what it has moved */
static const cost direct_condense_cost = {48, 132};
static const cost direct_substitute_cost = {39, 152};
static const cost direct_note_cost = {0, 32};
static const cost direct_touch_cost = {3, 36};
/* grid.cl: grid_moved per particle */
static const cost moved_cost = {41, 80};
/* narrow.cl and contact.cl, once a substep: rods, find, crowd, weight */
static const cost find_segment_cost = {51 + 2, 240 + 128 + 28 + 16};
static const cost find_particle_cost = {0, 12};
static const cost find_pair_cost = {0, 16};
static const cost find_contact_cost = {166 + 6, 192 + 20};
/* contact.cl, each pass: solve, push, apply */
static const cost pass_segment_cost = {6, 12 + 48 + 40};
static const cost pass_particle_cost = {6, 52};
static const cost pass_contact_cost = {68 + 26, 204 + 44};
/* collider.cl: find once a substep, solve each pass */
static const cost near_segment_cost = {0, 32};
static const cost near_pair_cost = {72, 132};
static const cost near_contact_cost = {79, 64};
static const cost near_pass_segment_cost = {0, 16};
static const cost near_pass_contact_cost = {69, 224};

static void add(cost *sum, cost each, double count)
{
    sum->flops += each.flops * count;
    sum->bytes += each.bytes * count;
}

/* How many a substep has. */
typedef struct sizes {
    double particles, moving, segments, distances, bendings, iterations, passes;
    double pairs, contacts, near_pairs, near_contacts;
} sizes;

/* The sum of `count` numbers of a buffer, or only the last of them. */
static cab_status read_total(cab_world *world, cab_buffer id, int count, bool only_last, double *total,
                             cab_error *error)
{
    int *numbers = NULL;
    cab_status status = CAB_NEW(numbers, count, error);
    if (status == CAB_OK) {
        status =
            world->backend->ops->read(world->backend, id, 0, (size_t)count * sizeof *numbers, numbers, error);
    }
    *total = 0;
    for (int i = only_last ? count - 1 : 0; status == CAB_OK && i < count; i++) *total += numbers[i];
    free(numbers);
    return status;
}

static cab_status read_contacts(cab_world *world, sizes *n, cab_error *error)
{
    const cab_contact_state *c = &world->contact;
    int segments = world->model->segment_count;
    cab_status status = CAB_OK;
    if (!c->touching) return CAB_OK;
    if (c->cables) {
        int pairs = world->params.pair_count;
        n->pairs = pairs;
        status = read_total(world, CAB_BUFFER_contact_count, cab_blocks_of(pairs, CAB_ROW), false,
                            &n->contacts, error);
    }
    if (status == CAB_OK && c->colliders)
        status = read_total(world, CAB_BUFFER_near_start, segments + 1, true, &n->near_pairs, error);
    if (status == CAB_OK && c->colliders)
        status = read_total(world, CAB_BUFFER_near_count, segments, false, &n->near_contacts, error);
    return status;
}

static void count_contact(const cab_contact_state *c, const sizes *n, cost *sum)
{
    double passes = n->passes * n->iterations;
    if (!c->cables && !c->colliders) return;
    add(sum, moved_cost, n->particles);
    add(sum, find_particle_cost, n->particles);
    add(sum, pass_particle_cost, n->particles * passes);
    if (c->cables) {
        add(sum, find_segment_cost, n->segments);
        add(sum, find_pair_cost, n->pairs);
        add(sum, find_contact_cost, n->contacts);
        add(sum, pass_segment_cost, n->segments * passes);
        add(sum, pass_contact_cost, n->contacts * passes);
    }
    if (c->colliders) {
        add(sum, near_segment_cost, n->segments);
        add(sum, near_pair_cost, n->near_pairs);
        add(sum, near_contact_cost, n->near_contacts);
        add(sum, near_pass_segment_cost, n->segments * passes);
        add(sum, near_pass_contact_cost, n->near_contacts * passes);
    }
}

/* Launches of a frame over its substeps, in the ways that go through several in one. */
static double launches_per_substep(const cab_world *world)
{
    int substeps = world->model->settings.substeps, each = world->params.fused_substeps;
    return (double)((substeps + each - 1) / each) / substeps;
}

static cost count_coloured(const cab_world *world, const sizes *n)
{
    cost sum = {0};
    add(&sum, predict_cost, n->particles);
    add(&sum, finish_cost, n->particles);
    add(&sum, attach_cost, n->moving);
    add(&sum, distance_cost, n->distances * n->iterations);
    add(&sum, bending_cost, n->bendings * n->iterations);
    add(&sum, distance_again_cost, n->distances * (n->iterations - 1));
    add(&sum, bending_again_cost, n->bendings * (n->iterations - 1));
    count_contact(&world->contact, n, &sum);
    return sum;
}

static cost count_fused(const cab_world *world, const sizes *n)
{
    cost sum = count_coloured(world, n);
    sum.bytes = 0;
    add(&sum, fused_launch_cost, n->particles * launches_per_substep(world));
    return sum;
}

static bool tiles_are_cached(const cab_world *world)
{
    double bytes = (double)world->params.tile_floats * sizeof(float);
    return !world->backend->info.gpu && bytes <= CACHE_OF_A_CORE;
}

/* Particles in tiles whose lanes have constants of their own. */
static double count_unlike(const cab_tiles *t, int width)
{
    double sum = 0;
    for (int k = t->first[CAB_TILE_MIXED]; k < t->first[CAB_TILE_MIXED + 1]; k++)
        sum += (double)t->tile[k].count * width;
    return sum;
}

static cost count_lanes(const cab_world *world, const sizes *n)
{
    bool direct = world->model->settings.method == CAB_METHOD_DIRECT;
    cost sum = {0};
    if (direct) {
        add(&sum, n->bendings > 0 ? lanes_bending_cost : lanes_lengths_cost, n->particles);
    } else {
        add(&sum, lanes_xpbd_cost, n->particles);
        add(&sum, lanes_xpbd_distance_cost, n->distances * n->iterations);
        add(&sum, lanes_xpbd_bend_cost, n->bendings);
        add(&sum, lanes_xpbd_bend_again_cost, n->bendings * (n->iterations - 1));
    }
    add(&sum, lanes_own_cost, count_unlike(&world->lanes.tiles, world->backend->tile_width));
    if (tiles_are_cached(world)) sum.bytes = 0;
    add(&sum, direct ? lanes_launch_cost : lanes_xpbd_launch_cost,
        n->particles * launches_per_substep(world));
    return sum;
}

static cost count_cyclic(const cab_world *world, const sizes *n)
{
    const cab_model *m = world->model;
    cost sum = {0};
    add(&sum, cyclic_lengths_cost, n->particles);
    for (int c = 0; n->bendings > 0 && c < m->cable_count; c++) {
        double particles = m->bodies[c].node_count;
        add(&sum, cyclic_bending_cost, particles);
        add(&sum, cyclic_step_cost, particles * ceil(log2(particles / 2)));
    }
    add(&sum, lanes_launch_cost, n->particles * launches_per_substep(world));
    return sum;
}

static cost count_staged(const cab_world *world, const sizes *n)
{
    const cab_contact_state *c = &world->contact;
    double passes = c->touching ? n->passes * n->iterations : 1;
    cost sum = {0};
    add(&sum, direct_predict_cost, n->particles);
    add(&sum, direct_finish_cost, n->particles);
    add(&sum, attach_cost, n->moving);
    if (n->bendings > 0) {
        add(&sum, direct_bend_cost, n->bendings);
        add(&sum, direct_gather_cost, n->particles);
        add(&sum, direct_forward_cost, n->particles);
        add(&sum, direct_back_cost, n->particles);
    }
    add(&sum, direct_condense_cost, n->particles * passes);
    add(&sum, direct_substitute_cost, n->particles * passes);
    if (c->touching) {
        add(&sum, direct_note_cost, n->particles * passes);
        add(&sum, direct_touch_cost, n->particles * passes);
    }
    count_contact(c, n, &sum);
    return sum;
}

static cost count(const cab_world *world, const sizes *n)
{
    switch (world->way) {
    case CAB_WAY_FUSED:
        return count_fused(world, n);
    case CAB_WAY_LANES:
        return count_lanes(world, n);
    case CAB_WAY_CYCLIC:
        return count_cyclic(world, n);
    case CAB_WAY_STAGED:
        return count_staged(world, n);
    default:
        return count_coloured(world, n);
    }
}

cab_status cab_bench_count(cab_world *world, cab_bench_counts *counts, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_model_settings *s = &m->settings;
    sizes n = {.particles = m->particle_count,
               .moving = world->attached.moving_count,
               .segments = m->segment_count,
               .distances = m->distance_count,
               .bendings = m->bending_count,
               .iterations = s->iterations,
               .passes = s->contact.passes};
    *counts = (cab_bench_counts){NAN, NAN};
    if (s->method != CAB_METHOD_XPBD && s->method != CAB_METHOD_DIRECT) return CAB_OK;
    cab_status status = read_contacts(world, &n, error);
    if (status != CAB_OK) return status;
    cost sum = count(world, &n);
    *counts = (cab_bench_counts){sum.flops / n.particles, sum.bytes / n.particles};
    return CAB_OK;
}

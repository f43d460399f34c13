/* What a substep of a world takes, from the counts of its kernels (kernels/counts.h). */

#include "cli/bench.h"
#include "model/scene.h"
#include "contact/lists.h"
#include "world/world.h"

#define CACHE_OF_A_CORE 1048576 /* bytes; 0.5 to 2 MiB are usual */

typedef struct cost {
    double flops, bytes;
} cost;

#define CAB_COST(name, operations, bytes) static const cost name##_cost = {operations, bytes};
#include "kernels/counts.h"

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
    if (status == CAB_OK && c->near_count > 0)
        status = read_total(world, CAB_BUFFER_near_start, segments + 1, true, &n->near_pairs, error);
    if (status == CAB_OK && c->near_count > 0)
        status = read_total(world, CAB_BUFFER_near_count, segments, false, &n->near_contacts, error);
    return status;
}

static void count_contact(const cab_contact_state *c, const sizes *n, cost *sum)
{
    double passes = n->passes * n->iterations;
    if (!c->cables && !c->colliders) return;
    add(sum, moved_cost, n->particles);
    if (!c->touching) return;
    add(sum, find_particle_cost, n->particles);
    add(sum, pass_particle_cost, n->particles * passes);
    if (n->pairs > 0) {
        add(sum, find_segment_cost, n->segments);
        add(sum, find_pair_cost, n->pairs);
        add(sum, find_contact_cost, n->contacts);
        add(sum, pass_segment_cost, n->segments * passes);
        add(sum, pass_contact_cost, n->contacts * passes);
    }
    if (c->near_count > 0) {
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
    double bytes = (double)world->lanes.tiles.longest * world->backend->tile_width *
                   (CAB_SLOTS_KEPT + CAB_SLOTS_WORK) * sizeof(float);
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
    bool lanes = world->clear.now && world->staged.nets.count == 0; /* of nets stages are counted */
    switch (lanes ? CAB_WAY_LANES : world->way) {
    case CAB_WAY_FUSED:
        return count_fused(world, n);
    case CAB_WAY_LANES:
        return count_lanes(world, n);
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

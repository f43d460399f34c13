/* Counted by hand from the kernels, one row each; the operations agree with what oclgrind --inst-counts says
 * of small scenes. An addition, multiplication, division or square root is one operation; comparisons,
 * choices and signs are none. Bytes are what a launch must read from and write to memory if nothing is left
 * in a cache from the launch before, each item by itself: two constraints that share a particle read it
 * twice. Of a float4 whose w alone is wanted, all sixteen: lines come whole.
 *
 * Not counted, so that shares of the limit are a little low where it matters: making candidate lists, pairs
 * that are looked at and do not touch, what ends a substep of something fast, loads, drag, forces of
 * breakable attachments, measures once a frame, lanes that the fused way leaves empty. Colliders are counted
 * as planes.
 */
#include "cli/bench_counts.h"

#include <math.h>

#include "model/scene.h"
#include "world/world.h"

typedef struct cost {
    double flops, bytes;
} cost;

/* predict.cl, finish.cl, attach.cl: per particle, the last per moving particle */
static const cost predict_cost = {12, 64};
static const cost finish_cost = {25, 112};
static const cost attach_cost = {6, 68};
/* distance.cl, bending.cl: per constraint, straight at rest; later iterations also read the multiplier */
static const cost distance_cost = {38, 116};
static const cost bending_cost = {75, 192};
static const cost distance_again_cost = {0, 4};
static const cost bending_again_cost = {0, 16};
/* fused.cl: per particle and launch; its operations are those of the kernels above */
static const cost fused_launch_cost = {0, 136};
/* grid.cl: grid_moved per particle */
static const cost moved_cost = {41, 80};
/* contact.cl, once a substep: rods, find, crowd, weight */
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
    if (c->cables) status = read_total(world, CAB_BUFFER_pair_start, segments + 1, true, &n->pairs, error);
    if (status == CAB_OK && c->cables)
        status = read_total(world, CAB_BUFFER_contact_count, segments, false, &n->contacts, error);
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

/* Extended position-based dynamics. In the fused way particles and constraints stay in local memory. */
static cost count_xpbd(const cab_world *world, const sizes *n)
{
    cost sum = {0};
    add(&sum, predict_cost, n->particles);
    add(&sum, finish_cost, n->particles);
    add(&sum, attach_cost, n->moving);
    add(&sum, distance_cost, n->distances * n->iterations);
    add(&sum, bending_cost, n->bendings * n->iterations);
    add(&sum, distance_again_cost, n->distances * (n->iterations - 1));
    add(&sum, bending_again_cost, n->bendings * (n->iterations - 1));
    if (world->way == CAB_WAY_FUSED) {
        int substeps = world->model->scene->settings.substeps, each = world->params.fused_substeps;
        double launches = (substeps + each - 1) / each;
        sum.bytes = 0;
        add(&sum, fused_launch_cost, n->particles * launches / substeps);
    }
    count_contact(&world->contact, n, &sum);
    return sum;
}

cab_status cab_bench_count(cab_world *world, cab_bench_counts *counts, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_settings *s = &m->scene->settings;
    sizes n = {.particles = m->particle_count,
               .moving = world->moving_count,
               .segments = m->segment_count,
               .distances = m->distance_count,
               .bendings = m->bending_count,
               .iterations = s->iterations,
               .passes = s->contact_passes};
    *counts = (cab_bench_counts){NAN, NAN};
    if (s->method != CAB_METHOD_XPBD) return CAB_OK;
    cab_status status = read_contacts(world, &n, error);
    cost sum = count_xpbd(world, &n);
    if (status == CAB_OK) *counts = (cab_bench_counts){sum.flops / n.particles, sum.bytes / n.particles};
    return status;
}

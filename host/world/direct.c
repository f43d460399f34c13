/* The direct method stage by stage: tables on the device, the launches of a substep.
 *
 *   direct_bend ... direct_back   implicit bending
 *   contact passes                each followed by the lengths:
 *   direct_condense ... _check    exact lengths, twice where they are still off
 */
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "model/scene.h"

typedef struct cab_table {
    cab_buffer id;
    const void *data;
    size_t count, size;
} cab_table;

static cab_status upload(cab_world *world, const cab_table *tables, int count, cab_error *error)
{
    for (int i = 0; i < count; i++) {
        const cab_table *t = &tables[i];
        cab_status status = cab_world_upload(world, t->id, t->data, t->count, t->size, error);
        if (status != CAB_OK) return status;
    }
    return CAB_OK;
}

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static cab_status upload_branches(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->branches;
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
        {CAB_BUFFER_branch_slow, NULL, branches, sizeof(float4)},
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
    return upload(world, tables, COUNT_OF(tables), error);
}

static cab_status upload_junctions(cab_world *world, cab_error *error)
{
    const cab_branches *b = &world->branches;
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
        {CAB_BUFFER_junction_move, NULL, junctions, sizeof(float4)},
        {CAB_BUFFER_junction_diagonal, NULL, 6 * junctions, sizeof(float)},
        {CAB_BUFFER_junction_block, NULL, 9 * blocks, sizeof(float)},
        {CAB_BUFFER_block, b->block, blocks + 1, sizeof *b->block},
        {CAB_BUFFER_block_item, b->block_item, (size_t)b->block[blocks].item, sizeof(int)},
        {CAB_BUFFER_block_term, b->term, (size_t)b->term_count, sizeof *b->term},
    };
    return upload(world, tables, COUNT_OF(tables), error);
}

static double weight_of(const cab_model *m, int particle)
{
    return m->held[particle] < 0 && m->mass[particle] > 0 ? 1 / m->mass[particle] : 0;
}

static double length_between(const float4 *a, const float4 *b)
{
    return sqrt(pow(b->x - a->x, 2) + pow(b->y - a->y, 2) + pow(b->z - a->z, 2));
}

/* Is the cable held at both ends, further apart than it is long? */
static bool is_drawn_apart(const cab_model *m, const cab_model_cable *cable, const float4 *x)
{
    int first = cable->first_node, last = first + cable->node_count - 1;
    int a = m->node_particle[first], b = m->node_particle[last];
    if (m->held[a] < 0 || m->held[b] < 0) return false;
    return length_between(&x[a], &x[b]) > (1 + CAB_LENGTH_ERROR) * m->node_arc[last];
}

/* lambda/l that the first pass will find in such a cable: what a segment is too long by, over what the ease
 * leaves of the pivots; per node, of the segment that starts there. */
static void expect_pulls(const cab_model *m, const float4 *x, float *pull)
{
    for (int c = 0; c < m->cable_count; c++) {
        const cab_model_cable *cable = &m->cables[c];
        if (!is_drawn_apart(m, cable, x)) continue;
        for (int k = cable->first_node; k + 1 < cable->first_node + cable->node_count; k++) {
            int a = m->node_particle[k], b = m->node_particle[k + 1];
            double rest = m->node_arc[k + 1] - m->node_arc[k], w = weight_of(m, a) + weight_of(m, b);
            double strain = length_between(&x[a], &x[b]) / rest - 1;
            bool rigid = m->distance[m->node_segment[k]].compliance < CAB_EASE * w;
            if (rigid && strain > 0) pull[k] = (float)(strain / (CAB_EASE * w));
        }
    }
}

static cab_status upload_slow(cab_world *world, const float *pull, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->branches;
    float *slow;
    float4 *branch_slow = NULL;
    cab_status status = CAB_NEW(slow, m->node_count, error);
    if (status == CAB_OK) status = CAB_NEW(branch_slow, b->branch_count, error);
    for (int k = 0; status == CAB_OK && k < m->node_count; k++) {
        double w = weight_of(m, m->node_particle[k]);
        double pulls = w * (pull[k] + (k > 0 ? pull[k - 1] : 0)); /* a cable's last node has none */
        slow[k] = pulls > 1 ? (float)(1 / pulls) : 1;
    }
    for (int i = 0; status == CAB_OK && i < b->branch_count; i++) {
        int first = b->branch[i].first, last = first + b->branch[i].count - 1;
        float start = pull[first], end = last > first ? pull[last - 1] : 0;
        branch_slow[i] = (float4){start, end, start > 0 || end > 0, 0};
    }
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_slow, slow, (size_t)m->node_count, sizeof *slow, error);
    if (status == CAB_OK && b->branch_count > 0)
        status = cab_world_upload(world, CAB_BUFFER_branch_slow, branch_slow, (size_t)b->branch_count,
                                  sizeof *branch_slow, error);
    free(slow);
    free(branch_slow);
    return status;
}

/* Only cables that are too long as they lie: without a substep to learn from, their first would throw them.
 */
cab_status cab_direct_reset_slow(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    size_t n = (size_t)m->particle_count;
    float4 *x;
    float *pull = NULL;
    cab_status status = CAB_NEW(x, n, error);
    if (status == CAB_OK) status = CAB_NEW(pull, m->node_count, error);
    if (status == CAB_OK)
        status = world->backend->ops->read(world->backend, CAB_BUFFER_position, 0, n * sizeof *x, x, error);
    if (status == CAB_OK) {
        expect_pulls(m, x, pull);
        status = upload_slow(world, pull, error);
    }
    free(x);
    free(pull);
    return status;
}

/* Nothing is known of the steps before: the next substep is of first order. */
static cab_status restart(cab_world *world, cab_error *error)
{
    size_t count = (size_t)world->branches.component_count;
    int *ones;
    cab_status status = CAB_NEW(ones, count, error);
    for (size_t i = 0; status == CAB_OK && i < count; i++) ones[i] = 1;
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_order, ones, count, sizeof *ones, error);
    if (status == CAB_OK)
        status = cab_world_upload(world, CAB_BUFFER_touched, NULL, count, sizeof *ones, error);
    free(ones);
    if (status == CAB_OK) status = cab_direct_reset_slow(world, error);
    return status;
}

cab_status cab_direct_start(cab_world *world, cab_error *error)
{
    cab_branches_free(&world->branches);
    cab_status status = cab_branches_build(world->model, &world->branches, error);
    world->params.node_count = world->model->node_count;
    if (status == CAB_OK) status = upload_branches(world, error);
    if (status == CAB_OK) status = upload_junctions(world, error);
    if (status == CAB_OK) status = restart(world, error);
    if (status == CAB_OK) status = cab_world_upload_params(world, error);
    if (status == CAB_OK) {
        const cab_branches *b = &world->branches;
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

cab_status cab_direct_predict(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = run(world, CAB_STAGE_PREDICT, CAB_KERNEL_direct_predict, m->particle_count, 0, error);
    if (status == CAB_OK && m->loaded_count > 0 && m->bending_count == 0)
        status = run(world, CAB_STAGE_PREDICT, CAB_KERNEL_direct_load, m->loaded_count, 0, error);
    if (status == CAB_OK && m->has_drag)
        status = run(world, CAB_STAGE_PREDICT, CAB_KERNEL_direct_drag, m->particle_count, 0, error);
    return status;
}

cab_status cab_direct_bend(cab_world *world, cab_error *error)
{
    const cab_model *m = world->model;
    const cab_branches *b = &world->branches;
    if (m->bending_count == 0) return CAB_OK;
    cab_status status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_bend, m->bending_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_gather, m->particle_count, 0, error);
    if (status == CAB_OK && m->loaded_count > 0)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_load, m->loaded_count, 1, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_forward, b->branch_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_separate, b->joined_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_BENDING, CAB_KERNEL_direct_back, b->branch_count, 0, error);
    return status;
}

/* One Newton pass: 0 the first of a substep, -1 one that goes on after another contact pass, 1 and more only
 * where lengths are still off. */
static cab_status project(cab_world *world, int pass, cab_error *error)
{
    const cab_branches *b = &world->branches;
    cab_status status =
        run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_condense, b->branch_count, pass, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_junction, b->joined_count, pass, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_substitute, b->branch_count, pass, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_DIRECT, CAB_KERNEL_direct_check, b->component_count, 0, error);
    return status;
}

/* A contact pass, and what it has moved. */
static cab_status contact_pass(cab_world *world, bool first, bool last, cab_error *error)
{
    const cab_branches *b = &world->branches;
    int particles = world->model->particle_count;
    cab_status status = run(world, CAB_STAGE_CONTACT, CAB_KERNEL_direct_note, particles, 0, error);
    if (status == CAB_OK) status = cab_ties_solve(world, first, error);
    if (status == CAB_OK) status = cab_contact_solve(world, first, last, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_CONTACT, CAB_KERNEL_direct_yield, b->branch_count, 0, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_CONTACT, CAB_KERNEL_direct_touch, b->component_count, 0, error);
    return status;
}

/* Contact passes, the lengths after each. */
static cab_status solve(cab_world *world, cab_error *error)
{
    const cab_model_settings *s = &world->model->settings;
    bool touching = world->contact.touching || world->model->tie_count > 0;
    int passes = touching ? s->contact.passes : 1, total = passes * s->iterations;
    cab_status status = CAB_OK;
    for (int pass = 0; status == CAB_OK && pass < total; pass++) {
        if (touching) status = contact_pass(world, pass == 0, pass == total - 1, error);
        if (status == CAB_OK) status = project(world, pass > 0 ? CAB_PASS_GOES_ON : 0, error);
    }
    for (int pass = 2; status == CAB_OK && pass <= CAB_NEWTON_PASSES; pass++) {
        int last = pass == CAB_NEWTON_PASSES ? CAB_PASS_LAST : 0;
        status = project(world, CAB_PASS_GOES_ON | CAB_PASS_WHERE_OFF | last, error);
    }
    return status;
}

cab_status cab_direct_substep(cab_world *world, int index, cab_error *error)
{
    const cab_model *m = world->model;
    cab_status status = cab_world_move_loads(world, index, error);
    if (status == CAB_OK) status = cab_direct_predict(world, error);
    if (status == CAB_OK && world->moving_count > 0)
        status = cab_world_run(world, CAB_STAGE_ATTACH, CAB_KERNEL_attach, 0, world->moving_count, index, 0,
                               error);
    if (status == CAB_OK) status = cab_guide_place(world, index, error);
    if (status == CAB_OK) status = cab_soft_direct(world, index, error);
    if (status == CAB_OK) status = cab_direct_bend(world, error);
    if (status == CAB_OK) status = cab_colliders_move(world, index, error);
    if (status == CAB_OK) status = cab_contact_update(world, error);
    if (status == CAB_OK) status = cab_contact_find(world, error);
    if (status == CAB_OK) status = solve(world, error);
    if (status == CAB_OK) status = cab_contact_note_forces(world, index, error);
    if (status == CAB_OK) status = cab_contact_guard(world, contact_pass, error);
    if (status == CAB_OK && world->watch_count > 0) {
        status = run(world, CAB_STAGE_ATTACH, CAB_KERNEL_direct_bend, m->bending_count, 1, error);
        if (status == CAB_OK)
            status = run(world, CAB_STAGE_ATTACH, CAB_KERNEL_attach_force, world->watch_count, 0, error);
    }
    if (status == CAB_OK) status = cab_guide_slide(world, index, error);
    if (status == CAB_OK) status = cab_soft_direct(world, -1, error);
    if (status == CAB_OK)
        status = run(world, CAB_STAGE_FINISH, CAB_KERNEL_direct_finish, m->particle_count, 0, error);
    if (status == CAB_OK)
        status =
            run(world, CAB_STAGE_FINISH, CAB_KERNEL_direct_order, world->branches.component_count, 0, error);
    return status;
}

void cab_direct_end(cab_world *world)
{
    cab_branches_free(&world->branches);
}
